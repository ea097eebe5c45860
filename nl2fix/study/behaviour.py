"""Plausible beside "plausible and not told apart from the fix by what it does", per project and model."""

from __future__ import annotations

from collections.abc import Sequence

from nl2fix.core.apart import FEWEST, told, told_counts
from nl2fix.core.passk import pass_at_k
from nl2fix.core.results import ProblemResult
from nl2fix.metrics.statistics import Estimate, mean_interval
from nl2fix.study.loading import StudyRun, labels
from nl2fix.study.table import Cell, Column, Section, Table

KS = (1, 5)
COMMAND = "nl2fix observe RUN"
"""Observes the programs of a run; the study only reads what was seen."""


def observed(runs: Sequence[StudyRun]) -> list[StudyRun]:
    """The runs whose programs were observed."""
    return [run for run in runs if told_counts(run.bugs)]


def behaviour_table(every: Sequence[StudyRun]) -> Section:
    """Who passes all tests and does something else than the fix; pass@k with and without these."""
    runs = observed(every)
    seen = [(name, run) for name, run in zip(labels(every), every, strict=True) if run in runs]
    ks = [k for k in KS if any(bug.samples >= k for run in runs for bug in run.bugs)]
    columns = (
        *map(Column, ("run", "suite", "model", "prompt", "project")),
        *(Column(name, "count") for name in ("bugs", "observed", "plausible", "told apart", "too few calls")),
        *(Column(f"pass@{k} {kind}", "share") for k in ks for kind in ("plausible", "not told apart")),
    )
    rows = [
        (name, run.suite, run.model, run.strategy, project, *_row(bugs, ks))
        for name, run in seen
        for project, bugs in _projects(run)
    ]
    note = (
        "Programs were called with drawn values (nl2fix observe). bugs: all that count; observed: those "
        "whose fix could be called. Samples, duplicates included, that pass all tests (plausible); of these, "
        "those that do something else than the fix on at least one call (told apart), and those of which "
        f"fewer than {FEWEST} calls, or none, were seen (too few calls). pass@k with 95 % intervals "
        "(bootstrap over bugs), over bugs with at least k samples; what was not observed is not told apart. "
        + _missing([run for run in every if run not in runs])
    )
    title = "Plausible, and not told apart from the fix"
    return Section(Table("behaviour", title, columns, tuple(rows), note))


def _missing(runs: Sequence[StudyRun]) -> str:
    """Which runs have no rows, and why."""
    unseen = [run.name for run in runs if not any(bug.observation for bug in run.bugs)]
    without = [run.name for run in runs if run.name not in unseen]
    told = [f"Not observed: {', '.join(unseen)}; observe with {COMMAND}."] if unseen else []
    return " ".join(
        [*told, *([f"No fix observed to compare with: {', '.join(without)}."] if without else [])]
    )


def _projects(run: StudyRun) -> list[tuple[str, Sequence[ProblemResult]]]:
    names = sorted({bug.problem.project for bug in run.bugs})
    groups = [(name, [bug for bug in run.bugs if bug.problem.project == name]) for name in names]
    return [*(groups if len(names) > 1 else []), ("all", run.bugs)]


def _row(bugs: Sequence[ProblemResult], ks: Sequence[int]) -> tuple[Cell, ...]:
    """What was not measured, as nothing of these bugs was observed, stays blank."""
    counts = [told(bug) for bug in bugs]
    plausible, alike = [each.plausible for each in counts], [each.alike for each in counts]
    seen = sum(bug.beside_fix for bug in bugs)
    return (
        len(bugs),
        seen,
        sum(plausible),
        *(sum(getattr(each, name) for each in counts) if seen else None for name in ("apart", "unknown")),
        *(
            _pass(bugs, kept, k) if seen or kept is plausible else None
            for k in ks
            for kept in (plausible, alike)
        ),
    )


def _pass(bugs: Sequence[ProblemResult], right: Sequence[int], k: int) -> Estimate | None:
    drawn = zip(bugs, right, strict=True)
    values = [(bug.key, value) for bug, n in drawn if (value := pass_at_k(bug.samples, n, k)) is not None]
    if not values:
        return None
    return mean_interval([value for _, value in values], [key for key, _ in values])
