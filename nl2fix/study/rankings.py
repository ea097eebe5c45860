"""Table 6 of the NL2Fix study: rankers beside their bounds, on all and on compiling candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nl2fix.core.records import Outcome
from nl2fix.core.results import ProblemResult
from nl2fix.metrics.statistics import Estimate, mean_interval
from nl2fix.ranking.evaluate import UNRANKED, Judged, compare, drawn_at_k, ranked_table
from nl2fix.study import published
from nl2fix.study.loading import StudyRun, labels
from nl2fix.study.table import Cell, Column, Section, Table

KS = (1, 5)
STUDY = "cosine"
"""The study's ranker: others are tested against it."""


def rankings_table(runs: Sequence[StudyRun]) -> Section:
    """Table 6: r.pass@k of every ranker between its bounds, with intervals and paired tests."""
    rows: list[tuple[Cell, ...]] = []
    groups = [(name, [run]) for name, run in zip(labels(runs), runs, strict=True)]
    if len(runs) > 1:
        groups.append(("all runs", list(runs)))
    for name, members in groups:
        for compiling in (False, True):
            rows += _rows(name, members, compiling)
    columns = (
        *map(Column, ("run", "candidates", "order")),
        *(Column(f"r.pass@{k}", "share") for k in KS),
        *(Column(f"above cosine @{k}", "share") for k in KS),
        *(Column(f"p @{k}", "p") for k in KS),
    )
    return Section(
        Table(
            "table6",
            "Table 6: rankings",
            columns,
            tuple(rows),
            "Share of bugs with a plausible patch among the first k distinct candidates, with 95 % "
            "intervals (bootstrap over bugs); paired difference to cosine: two-sided sign-flip permutation "
            "test over bugs. random and oracle bound every order; the unranked pass@k is that of the samples "
            "as drawn, over bugs with at least k samples, as in Table 2; all other rows count every bug, one "
            "with fewer samples by those it has. compiling: uncompilable candidates are taken out; a bug "
            "with fewer than k left is scored by all of them, in every row.",
            beside=published.rankings(columns),
            source=published.SOURCES["table6"],
        )
    )


def _rows(name: str, members: Sequence[StudyRun], compiling: bool) -> list[tuple[Cell, ...]]:
    bugs = [bug for run in members for bug in run.bugs]
    rankers = [ranker for run in members for ranker in run.rankers]
    if not bugs:
        return []
    kept = [_kept(bug, compiling) for bug in bugs]
    judged = [_judged(bug, places, compiling) for bug, places in zip(bugs, kept, strict=True)]
    orders = _orders(bugs, kept)
    base = next((ranker.key for ranker in rankers if ranker.kind == STUDY and ranker.key in orders), None)
    names = {ranker.key: ranker.label for ranker in rankers}
    rows: list[tuple[Cell, ...]] = []
    scores = ranked_table(judged, orders, KS)
    if compiling:
        scores[UNRANKED] = {k: _unranked(bugs, judged, k) for k in KS}
    for order, values in scores.items():
        tests: list[Cell] = [None] * (2 * len(KS))
        if base is not None and order in orders and order != base:
            comparisons = [compare(judged, orders[order], orders[base], k) for k in KS]
            tests = [*(item.difference for item in comparisons), *(item.p for item in comparisons)]
        shown = "compiling" if compiling else "all"
        rows.append((name, shown, names.get(order, order), *(values[k] for k in KS), *tests))
    return rows


def _unranked(bugs: Sequence[ProblemResult], judged: Sequence[Judged], k: int) -> Estimate | None:
    """pass@k of the compiling samples of bugs with at least k samples, as in Table 2.

    Of those, a bug with fewer than k that compile is scored by all it has, or not solved.
    """
    counted = [item for bug, item in zip(bugs, judged, strict=True) if bug.samples >= k]
    values = [(drawn_at_k(item, min(k, item.samples)) if item.samples else None) or 0.0 for item in counted]
    return mean_interval(values, [item.cluster for item in counted]) if counted else None


def _kept(bug: ProblemResult, compiling: bool) -> list[int]:
    """Places in the pool that take part."""
    return [
        i
        for i, (_, verdict) in enumerate(bug.judged)
        if not compiling or verdict.outcome is not Outcome.UNCOMPILABLE
    ]


def _judged(bug: ProblemResult, places: Sequence[int], compiling: bool) -> Judged:
    drawn = tuple(len(bug.pool.entries[i].samples) for i in places)
    return Judged(
        cluster=bug.key,
        correct=tuple(bug.correct[i] for i in places),
        drawn=drawn,
        samples=sum(drawn) if compiling else bug.samples,
    )


def _orders(bugs: Sequence[ProblemResult], kept: Sequence[Sequence[int]]) -> Mapping[str, list[list[int]]]:
    """Key of a ranker → per bug the order of the kept places, counted among themselves.

    Only rankers that ordered every bug.
    """
    names = [name for name in bugs[0].orders if all(name in bug.orders for bug in bugs)]
    numbers = [{place: number for number, place in enumerate(places)} for places in kept]
    return {
        name: [
            [numbered[i] for i in bug.orders[name] if i in numbered]
            for bug, numbered in zip(bugs, numbers, strict=True)
        ]
        for name in names
    }
