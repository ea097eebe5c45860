"""Excess code (CanItEdit, Cassano et al. 2023) of the runs for which it was measured."""

from __future__ import annotations

from collections.abc import Sequence

from nl2fix.metrics.statistics import Estimate, mean_interval
from nl2fix.study import published
from nl2fix.study.loading import StudyRun, labels
from nl2fix.study.table import Cell, Column, Section, Table

COMMAND = "nl2fix excess RUN"
"""Measures a run; the study only reads what it left in the run's folder."""


def excess_table(runs: Sequence[StudyRun]) -> Section:
    """Excess code per measured run, by the paper's definition and by the published script's."""
    rows: list[tuple[Cell, ...]] = []
    for name, run in zip(labels(runs), runs, strict=True):
        if run.excess is not None:
            solved = [bug for bug in run.bugs if bug.problem.id in run.excess]
            shares = {bug.key: run.excess[bug.problem.id] for bug in solved}
            drawn = sum(bug.plausible for bug in solved)
            means = (_mean({key: pair[i] for key, pair in shares.items()}) for i in (0, 1))
            settings = (name, run.suite, run.model, run.strategy, run.temperature)
            rows.append((*settings, len(solved), drawn, *means))
    columns = (
        *map(Column, ("run", "suite", "model", "prompt")),
        Column("temperature", "setting"),
        *(Column(name, "count") for name in ("bugs", "plausible")),
        *(Column(name, "share") for name in ("excess code", "excess code published")),
    )
    return Section(
        Table(
            "excess",
            "CanItEdit: excess code of plausible samples",
            columns,
            tuple(rows),
            "excess code: share of added or changed lines that no test runs; median over a bug's plausible "
            "samples, mean over bugs that have any, with 95 % intervals (bootstrap over bugs). published: "
            "as the published script has it, lines that no test runs in all of the code per line of the "
            f"diff, means throughout. {_missing(runs)}",
            beside=published.excess(columns),
            source=published.SOURCES["excess"],
        )
    )


def _mean(values: dict[str, float | None]) -> Estimate | None:
    defined = {key: value for key, value in values.items() if value is not None}
    return mean_interval(list(defined.values()), list(defined)) if defined else None


def _missing(runs: Sequence[StudyRun]) -> str:
    names = [run.name for run in runs if run.excess is None]
    if not names:
        return ""
    return f"Not measured yet, or since changed: {', '.join(names)}; measure with {COMMAND}."
