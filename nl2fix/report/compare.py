"""Several runs side by side: totals, curves, paired differences, and who solves which bug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nl2fix.core.files import write_atomically
from nl2fix.core.passk import pass_at_k
from nl2fix.core.results import RunResults
from nl2fix.core.summary import ProblemSummary, RunSummary, summarise
from nl2fix.metrics.statistics import Estimate, mean_interval, paired_test
from nl2fix.pipeline.origin import Sampled, sampled, task_sha256, without_folders
from nl2fix.report import figures
from nl2fix.report.html import render


@dataclass(frozen=True, slots=True)
class Compared:
    """A run in numbers."""

    name: str
    settings: Mapping[str, Any]
    sampled: Sampled
    summary: RunSummary
    titles: dict[str, str]
    tasks: dict[str, str]
    """Bug → hash of its task: bugs of one name may be others in another version of the data."""

    @property
    def rows(self) -> dict[str, ProblemSummary]:
        """Bugs that count and have a sample (a recording may have none of one), by id."""
        return {row.problem: row for row in self.summary.counted}


@dataclass(frozen=True, slots=True)
class PassDifference:
    """Mean pass@1 minus that of the first run over the bugs that both have."""

    bugs: int
    estimate: Estimate | None
    p: float | None

    @property
    def interval(self) -> dict[str, float | None] | None:
        """The difference for JSON."""
        return self.estimate and dict(zip(Estimate._fields, self.estimate.plain, strict=True))

    @property
    def told(self) -> tuple[str | None, str | None]:
        """Points with their interval, where there is one, and p, as people read them.

        ``None`` where there is no difference.
        """
        if self.estimate is None or self.p is None:
            return None, None
        value, low, high = (f"{share * 100:+.1f}" for share in self.estimate)
        points = f"{value} [{low}, {high}]" if self.estimate.bounded else value
        return points, "< 0.001" if self.p < 0.001 else f"{self.p:.3f}"


@dataclass(frozen=True, slots=True)
class BugRow:
    """One bug and, per run, its plausible samples and its samples; ``None`` where it does not count."""

    problem: str
    title: str
    cells: tuple[tuple[int, int] | None, ...]

    @property
    def kind(self) -> str:
        """``all``, ``none`` or ``some`` of the runs that have the bug solve it."""
        solved = [cell[0] > 0 for cell in self.cells if cell is not None]
        return "all" if solved and all(solved) else "some" if any(solved) else "none"


def collect(results: RunResults) -> Compared:
    """What the comparison needs of one run."""
    titles = {item.problem.id: item.problem.heading for item in results.problems}
    tasks = {item.problem.id: task_sha256(item.problem) for item in results.problems}
    drawn = sampled(results.manifest)
    return Compared(results.name, results.settings, drawn, summarise(results), titles, tasks)


def difference(run: Compared, base: Compared) -> PassDifference:
    """Paired by bug: 95 % interval by bootstrap, p of a two-sided sign-flip permutation test."""
    suites = [without_folders(one.settings["suite"]) for one in (run, base)]
    common = [bug for bug in base.rows if bug in run.rows and run.tasks.get(bug) == base.tasks.get(bug)]
    if not common or suites[0] != suites[1]:
        return PassDifference(0, None, None)
    values = [_pass_at_1(run.rows[bug]) - _pass_at_1(base.rows[bug]) for bug in common]
    return PassDifference(len(common), mean_interval(values, common), paired_test(values, common))


def bug_rows(runs: Sequence[Compared]) -> list[BugRow]:
    """All bugs of all runs, in the order in which they first occur."""
    titles = {bug: title for run in reversed(runs) for bug, title in run.titles.items()}
    counted = [run.rows for run in runs]
    order = dict.fromkeys(bug for rows in counted for bug in rows)
    return [
        BugRow(
            bug,
            titles[bug],
            tuple((rows[bug].plausible, rows[bug].n) if bug in rows else None for rows in counted),
        )
        for bug in order
    ]


def page(runs: Sequence[Compared]) -> str:
    """The comparison as one HTML file."""
    names = [f"{chr(ord('A') + i)}: {run.name}" if i < 26 else run.name for i, run in enumerate(runs)]
    curves = {name: run.summary.pass_at for name, run in zip(names, runs, strict=True)}
    return render(
        "compare.html",
        runs=list(zip(names, runs, [difference(run, runs[0]) for run in runs], strict=True)),
        ks=sorted({k for run in runs for k in run.summary.pass_at}),
        bugs=bug_rows(runs),
        curve=figures.pass_curve(curves),
        legend=figures.legend(names),
    )


def write(runs: Sequence[Compared], file: Path) -> None:
    """Write the page; the old one stays when anything fails."""
    write_atomically(file, page(runs))


def _pass_at_1(row: ProblemSummary) -> float:
    return pass_at_k(row.n, row.plausible, 1) or 0.0
