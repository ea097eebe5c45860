"""Base and tuned model side by side: what training on edits changed, suite by suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nl2fix.core.errors import UsageError
from nl2fix.core.passk import pass_at_k
from nl2fix.core.records import Entry
from nl2fix.core.results import ProblemResult
from nl2fix.languages import language
from nl2fix.metrics.statistics import mean_interval, paired_test
from nl2fix.study.excess_table import COMMAND
from nl2fix.study.loading import StudyRun
from nl2fix.study.table import Cell, Column, Table

Of = Callable[[StudyRun, ProblemResult], float | None]
"""A value of one problem of a run; ``None`` where it has none."""


class Measure(NamedTuple):
    """What is compared."""

    name: str
    of: Of


def tuning_table(base: Sequence[StudyRun], tuned: Sequence[StudyRun]) -> Table:
    """A row for each suite and measure; problems that both runs finished, each weighing the same.

    ``UsageError`` where a run has no other of its suite, or the two have no problem in common.
    """
    rows: list[tuple[Cell, ...]] = []
    for one, two in _pairs(base, tuned):
        for measure in _measures(one, two):
            rows.append((one.suite, measure.name, *_compared(one, two, measure)))
    columns = (
        *map(Column, ("suite", "measure")),
        *(Column(name, "value") for name in ("base", "tuned", "difference")),
        Column("p", "p"),
        Column("problems", "count"),
    )
    missing = [run.name for run in (*base, *tuned) if run.excess is None]
    note = (
        "Means over the problems that have a value in both runs, with 95 % intervals (bootstrap over "
        "problems); p of a paired sign-flip test on the differences. Edit size: lines added and removed by a "
        "sample. Exact: share of samples with the reference's tokens."
    )
    if missing:
        note += f" Excess code is not measured in {', '.join(missing)}: `{COMMAND}`."
    return Table("tuning", "Base and tuned model", columns, tuple(rows), note)


def _pairs(base: Sequence[StudyRun], tuned: Sequence[StudyRun]) -> list[tuple[StudyRun, StudyRun]]:
    if len(base) != len(tuned):
        counts = f"{len(base)} runs of the base and {len(tuned)} of the tuned model"
        raise UsageError(f"{counts}; name one each a suite")
    pairs = []
    for run in tuned:
        others = [other for other in base if {b.key for b in other.bugs} & {b.key for b in run.bugs}]
        if len(others) != 1:
            raise UsageError(
                f"{run.name} (suite {run.suite}) has problems in common with {len(others)} runs of the base; "
                "name one each a suite"
            )
        pairs.append((others[0], run))
    return pairs


def _measures(one: StudyRun, two: StudyRun) -> list[Measure]:
    least = min(bug.samples for run in (one, two) for bug in run.bugs)
    made = [Measure(f"pass@{k}", _pass_at(k)) for k in (1, 5, 10, 100) if k <= least]
    made.append(Measure("edit size", _edit_size))
    made.append(Measure("exact", _exact))
    if one.excess is not None and two.excess is not None:
        made.append(Measure("excess code", _excess))
    return made


def _compared(one: StudyRun, two: StudyRun, measure: Measure) -> tuple[Cell, ...]:
    before = {bug.key: measure.of(one, bug) for bug in one.bugs}
    after = {bug.key: measure.of(two, bug) for bug in two.bugs}
    pairs = {
        key: (old, new)
        for key, new in after.items()
        if new is not None and (old := before.get(key)) is not None
    }
    if not pairs:
        return None, None, None, None, 0
    keys = list(pairs)
    differences = [new - old for old, new in pairs.values()]
    return (
        mean_interval([old for old, _ in pairs.values()], keys),
        mean_interval([new for _, new in pairs.values()], keys),
        mean_interval(differences, keys),
        paired_test(differences, keys),
        len(keys),
    )


def _pass_at(k: int) -> Of:
    return lambda run, bug: pass_at_k(bug.samples, bug.plausible, k)


def _over_samples(bug: ProblemResult, value: Callable[[Entry], float]) -> float | None:
    """Mean over the samples that hold an edit."""
    drawn = sum(len(entry.samples) for entry in bug.pool.entries)
    total = sum(value(entry) * len(entry.samples) for entry in bug.pool.entries)
    return total / drawn if drawn else None


def _edit_size(run: StudyRun, bug: ProblemResult) -> float | None:
    from rapidfuzz.distance import LCSseq

    before = bug.problem.text.splitlines()

    def size(entry: Entry) -> float:
        return len(LCSseq.editops(before, entry.candidate.apply(bug.problem).splitlines()))

    return _over_samples(bug, size)


def _exact(run: StudyRun, bug: ProblemResult) -> float | None:
    if bug.reference is None:
        return None
    tokens = language(bug.problem.language).tokens
    wanted = tokens(bug.reference.apply(bug.problem))
    exact = sum(
        len(entry.samples)
        for entry in bug.pool.entries
        if tokens(entry.candidate.apply(bug.problem)) == wanted
    )
    return exact / bug.samples if bug.samples else None


def _excess(run: StudyRun, bug: ProblemResult) -> float | None:
    shares = (run.excess or {}).get(bug.problem.id)
    return None if shares is None else shares[0]
