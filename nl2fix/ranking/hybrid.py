"""Unites several rankers by reciprocal rank fusion (Cormack et al. 2009): no weights to fit.

Contract: a candidate's score is the sum over the parts of 1 / (60 + its place), places from 1. What is
known not to compile goes last. The default parts are two signals that say different things of a
candidate: how often it was drawn (self-consistency, Wang et al. 2023), and how near it stays to the
buggy code, for right patches are nearer to it than wrong ones (Tian et al. 2020). How it
fares beside others: benchmarks/ranking.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.orders import orders
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Pool
from nl2fix.ranking import RANKERS

_SMOOTHING = 60


@dataclass(frozen=True)
class HybridConfig:
    parts: tuple[Any, ...] = ("vote", {"name": "similarity", "metric": "chrf"})
    """Rankers to unite: names, or tables of a name and the ranker's options."""


class HybridRanker:
    """Best mean place first; ties in order of first draw."""

    def __init__(self, parts: Sequence[Ranker]) -> None:
        self._parts = parts
        self.name = f"hybrid({'+'.join(part.name for part in parts)})"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        ranked = [orders(part, pools) for part in self._parts]
        return [_fuse(len(pool.entries), votes) for pool, *votes in zip(pools, *ranked, strict=True)]

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, its place by each part."""
        ranked = {part.name: orders(part, [pool])[0] for part in self._parts}
        return [
            ", ".join(f"place {order.index(i) + 1} by {name}" for name, order in ranked.items())
            for i in range(len(pool.entries))
        ]


def _fuse(size: int, orders: Sequence[Sequence[int]]) -> list[int]:
    scores = [0.0] * size
    for order in orders:
        for place, i in enumerate(order, 1):
            scores[i] += 1 / (_SMOOTHING + place)
    return sorted(range(size), key=lambda i: (-round(scores[i], 12), i))


def make(options: Mapping[str, Any], environment: Environment) -> Ranker:
    config = read(HybridConfig, options, "ranker hybrid")
    parts = [_part(item) for item in config.parts]
    if not parts or "hybrid" in (name for name, _ in parts):
        raise UsageError("ranker hybrid needs `parts`: other rankers, by name or as tables with `name`")
    rankers = [RANKERS.make(name, settings, environment) for name, settings in parts]
    return HybridRanker(rankers)


def _part(item: Any) -> tuple[str, dict[str, Any]]:
    """Name and options of a part; the name is ``hybrid``, which is refused, where there is none."""
    if isinstance(item, str):
        return item, {}
    options = dict(item) if isinstance(item, Mapping) else {}
    return str(options.pop("name", "hybrid")), options
