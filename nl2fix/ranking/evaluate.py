"""How good rankings are: r.pass@k with intervals, its bounds, and paired tests (the study's Table 6).

Contract: every value is a mean over the same judged pools, so rankers, random order, oracle and the
unranked pass@k stand side by side. A bug without candidates counts as not solved. Intervals and tests
resample clusters (bugs), for a bug may occur in several runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nl2fix.core.passk import oracle_at_k, pass_at_k, random_at_k, ranked_pass_at_k
from nl2fix.metrics.statistics import Estimate, mean_interval, paired_test

RANDOM, ORACLE, UNRANKED = "random", "oracle", "unranked pass@k"


class Judged(NamedTuple):
    """What is known of a pool once its candidates are validated."""

    cluster: str
    """The bug; pools of one bug from several runs share it."""
    correct: tuple[bool, ...]
    """Per entry of the pool: plausible."""
    drawn: tuple[int, ...]
    """Per entry of the pool: number of samples that drew it."""
    samples: int
    """All samples, those without an extractable edit included (n of pass@k)."""


class Comparison(NamedTuple):
    """Mean difference in r.pass@k between two rankers, with its interval and two-sided p value."""

    difference: Estimate
    p: float


Orders = Sequence[Sequence[int]]
"""Per pool the indices of its entries, best first."""


def ranked_table(
    judged: Sequence[Judged], orders: Mapping[str, Orders], ks: Sequence[int]
) -> dict[str, dict[int, Estimate | None]]:
    """Rows by name, columns by k: the bounds, the unranked pass@k, then each ranker.

    The unranked pass@k is over bugs with at least k samples (``mean_pass_at_k``); ``None`` without any.
    """
    table: dict[str, dict[int, Estimate | None]] = {
        RANDOM: {k: _mean(judged, [random_at_k(item.correct, k) for item in judged]) for k in ks},
        ORACLE: {k: _mean(judged, [oracle_at_k(item.correct) for item in judged]) for k in ks},
        UNRANKED: {k: _unranked(judged, k) for k in ks},
    }
    for name, order in orders.items():
        table[name] = {k: ranked(judged, order, k) for k in ks}
    return table


def ranked(judged: Sequence[Judged], orders: Orders, k: int) -> Estimate:
    """Mean r.pass@k with its interval."""
    return _mean(judged, _hits(judged, orders, k))


def compare(judged: Sequence[Judged], one: Orders, other: Orders, k: int) -> Comparison:
    """``one`` minus ``other`` on the same pools; p is that of a sign-flip permutation test over bugs."""
    pairs = zip(_hits(judged, one, k), _hits(judged, other, k), strict=True)
    differences = [a - b for a, b in pairs]
    return Comparison(_mean(judged, differences), paired_test(differences, [item.cluster for item in judged]))


def _hits(judged: Sequence[Judged], orders: Orders, k: int) -> list[float]:
    hits = []
    for item, order in zip(judged, orders, strict=True):
        if sorted(order) != list(range(len(item.correct))):
            raise ValueError(f"the order for {item.cluster} does not name every candidate exactly once")
        hits.append(ranked_pass_at_k([item.correct[i] for i in order], k))
    return hits


def _unranked(judged: Sequence[Judged], k: int) -> Estimate | None:
    known = [(item, value) for item in judged if (value := drawn_at_k(item, k)) is not None]
    return _mean([item for item, _ in known], [value for _, value in known]) if known else None


def drawn_at_k(item: Judged, k: int) -> float | None:
    """pass@k of the samples as drawn; ``None`` for fewer than k."""
    right = sum(count for ok, count in zip(item.correct, item.drawn, strict=True) if ok)
    return pass_at_k(item.samples, right, k)


def _mean(judged: Sequence[Judged], values: Sequence[float]) -> Estimate:
    return mean_interval(values, [item.cluster for item in judged])
