"""The published verdict beside ours, for benchmarks whose own verdict asks for less (CodeLinterEval)."""

from __future__ import annotations

from collections.abc import Sequence

from nl2fix.core.passk import mean_pass_at_k
from nl2fix.core.results import published_counts
from nl2fix.study.loading import StudyRun, labels
from nl2fix.study.table import Cell, Column, Section, Table

KS = (1, 5, 10)
"""Those of CodeLinterEval."""


def told_twice(runs: Sequence[StudyRun]) -> list[StudyRun]:
    """The runs whose benchmark has a verdict of its own."""
    return [run for run in runs if published_counts(run.bugs)]


def verdicts_table(runs: Sequence[StudyRun]) -> Section:
    """pass@k by the published verdict and by ours, and what lies between them."""
    ks = [k for k in KS if k <= max(bug.samples for run in runs for bug in run.bugs)]
    columns = (
        *map(Column, ("run", "suite", "model", "prompt", "format")),
        *(Column("temperature", "setting"), Column("bugs", "count")),
        *(Column(f"pass@{k} {kind}", "share") for k in ks for kind in ("published", "ours", "gap")),
    )
    rows = [
        (
            *(name, run.suite, run.model, run.strategy, run.format, run.temperature, len(run.bugs)),
            *(cell for k in ks for cell in _at(run, k)),
        )
        for name, run in zip(labels(runs), runs, strict=True)
    ]
    note = (
        "published: the linter says nothing of the candidate as it stands. ours: besides, nothing in it "
        "silences the linter anew, and it does what the code before did. gap: the first less the second. "
        "pass@k is the mean over bugs with at least k samples."
    )
    title = "CodeLinterEval: the published verdict and ours"
    return Section(Table("verdicts", title, columns, tuple(rows), note))


def _at(run: StudyRun, k: int) -> tuple[Cell, Cell, Cell]:
    published = mean_pass_at_k(published_counts(run.bugs), k)
    ours = mean_pass_at_k([(bug.samples, bug.plausible) for bug in run.bugs], k)
    gap = None if published is None or ours is None else published - ours
    return published, ours, gap
