"""The edit formats of aider's study: first and second attempts, and what goes wrong in answers.

Source: the GPT code editing benchmarks of aider (2023). A repeat is one sample of every bug: sample i
of a run, over all runs of the same settings and bugs, and the bugs that have one; bars reach from the worst
repeat to the best, as there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nl2fix.core.formats import FORMATS, PATHOLOGIES, edit_format
from nl2fix.core.results import Tries
from nl2fix.metrics.statistics import Estimate
from nl2fix.study import drawings, published
from nl2fix.study.loading import StudyRun, labels
from nl2fix.study.table import Cell, Column, Section, Table

_CALLED = frozenset(name for name in FORMATS.built_in if edit_format(name).tool is not None)
"""Formats whose answers are calls of a function; their bars are hatched, as there."""


class _Group(NamedTuple):
    suite: str
    model: str
    strategy: str
    format: str
    temperature: float | None


def formats_section(runs: Sequence[StudyRun]) -> Section:
    """Solved bugs per edit format after one and after two attempts, with pathologies."""
    groups = _groups(runs)
    rows: list[tuple[Cell, ...]] = []
    bars = []
    several = len({group.suite for group, _ in groups}) > 1
    for group, named in groups:
        members = list(named.values())
        first = _attempts(members, both=False)
        second = _attempts([run for run in members if _tried_again(run)], both=True)
        suite = f"{group.suite} " if several else ""
        repeats = sum(_repeats(run) for run in members)
        rows.append((", ".join(named), *group, repeats, _spread(first), _spread(second), *_faults(members)))
        if first:
            label = f"{suite}{group.model} {group.strategy} {group.format}"
            called = group.format in _CALLED
            bars.append(drawings.Bar(label, _spread(second or first), _spread(first), called))
    columns = (
        *map(Column, ("run", "suite", "model", "prompt", "format")),
        Column("temperature", "setting"),
        Column("repeats", "count"),
        *(Column(name, "share") for name in ("first attempt", "second attempt", "no edit")),
        *(Column(name.replace("_", " "), "share") for name in PATHOLOGIES),
    )
    table = Table(
        "formats",
        "Edit formats: bugs solved at the first and at the second attempt",
        columns,
        tuple(rows),
        "Share of bugs solved, mean over repeats, with the worst and the best repeat; a repeat that misses a "
        "bug's sample is over the others. second attempt: at "
        "the first or, with the failing tests shown, at the second, over runs that made one. "
        "no edit: share of first answers without an extractable edit. Pathologies are shares of all "
        "answers in text.",
        beside=published.formats(columns),
        source=published.SOURCES["formats"],
    )
    return Section(table, drawings.bars(bars, "bugs solved"))


def _groups(runs: Sequence[StudyRun]) -> list[tuple[_Group, dict[str, StudyRun]]]:
    """Runs of the same settings and bugs together, by name, in the order given."""
    found: dict[tuple[_Group, tuple[str, ...]], dict[str, StudyRun]] = {}
    for name, run in zip(labels(runs), runs, strict=True):
        key = _Group(run.suite, run.model, run.strategy, run.format, run.temperature)
        found.setdefault((key, tuple(sorted(bug.key for bug in run.bugs))), {})[name] = run
    return [(group, named) for (group, _), named in found.items()]


def _repeats(run: StudyRun) -> int:
    return max((bug.samples for bug in run.bugs), default=0)


def _tried_again(run: StudyRun) -> bool:
    return any(bug.second is not None for bug in run.bugs)


def _attempts(runs: Sequence[StudyRun], *, both: bool) -> list[float]:
    """Share of bugs solved, one value per repeat."""
    return [
        _solved([bug.tries[repeat] for bug in run.bugs if repeat < bug.samples], both=both)
        for run in runs
        for repeat in range(_repeats(run))
    ]


def _solved(drawn: Sequence[Tries], *, both: bool) -> float:
    return sum(tries.solved if both else tries.first for tries in drawn) / len(drawn)


def _spread(values: Sequence[float]) -> Estimate | None:
    """Mean, least and greatest."""
    return Estimate(sum(values) / len(values), min(values), max(values)) if values else None


def _faults(runs: Sequence[StudyRun]) -> list[float | None]:
    bugs = [bug for run in runs for bug in run.bugs]
    samples, answers = sum(bug.samples for bug in bugs), sum(bug.texts for bug in bugs)
    drawn = sum(len(entry.samples) for bug in bugs for entry in bug.pool.entries)
    shares = [sum(bug.faults.get(name, 0) for bug in bugs) for name in PATHOLOGIES]
    return [
        (samples - drawn) / samples if samples else None,
        *(count / answers if answers else None for count in shares),
    ]
