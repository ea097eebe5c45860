"""What became of the samples: Tables 2, 3 and 5 and Figure 2 of the NL2Fix study."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from nl2fix.core.passk import mean_pass_at_k
from nl2fix.core.records import Outcome
from nl2fix.core.results import ProblemResult
from nl2fix.report import figures
from nl2fix.study import drawings, published
from nl2fix.study.loading import StudyRun, labels
from nl2fix.study.table import Cell, Column, Section, Table

KS = (1, 5, 20, 100)
"""Those of the published scripts."""
CURVE = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

_SETTINGS = tuple(map(Column, ("run", "suite", "model", "prompt", "format")))


def samples_table(runs: Sequence[StudyRun]) -> Section:
    """Table 2: duplicates, compile, regression and plausible rates of the samples, per run."""
    ks = _ks(runs)
    columns = (
        *_SETTINGS,
        *(Column("temperature", "setting"), Column("bugs", "count"), Column("samples", "count")),
        *(Column(name.replace("_", " "), "share") for name in Rates._fields),
        Column("suspicious", "count"),
        *_pass_columns(ks),
    )
    rows = [
        (
            *(name, *_settings(run), run.temperature, len(run.bugs), _samples(run)),
            *(*_rates(run), _suspicious(run), *_passes(run, ks)),
        )
        for name, run in zip(labels(runs), runs, strict=True)
    ]
    return Section(
        Table(
            "table2",
            "Table 2: what the samples are",
            columns,
            tuple(rows),
            "Means over bugs of shares of samples, duplicates included. duplicates: the same code was drawn "
            "before for the bug; no edit: no candidate in the answer; trigger: passes every trigger test, "
            "run first. regression: passes every regression test, whatever the trigger tests say, as in the "
            "paper; what fails a trigger test is not tried on the others, so the share is known between "
            "two bounds: at least what is plausible, at most what compiles and did not fail behind the "
            "triggers. plausible: passes all. suspicious: samples whose verdict deserves a second look. "
            f"{_pass_note(runs, ks)}",
            beside=published.samples(columns),
            source=published.SOURCES["table2"],
        )
    )


def projects_table(runs: Sequence[StudyRun]) -> Section:
    """Table 3: bugs with a plausible patch per project and model; empty where a model was not run."""
    models = list(dict.fromkeys(run.model for run in runs))
    projects: dict[tuple[str, str], dict[str, _Bugs]] = {}
    for run in runs:
        for bug in run.bugs:
            for model in (run.model, _ANY):
                project = projects.setdefault((run.suite, bug.problem.project), {})
                counts = project.setdefault(model, _Bugs(set(), set()))
                counts.drawn.add(bug.key)
                if bug.plausible:
                    counts.fixed.add(bug.key)
    rows: list[tuple[Cell, ...]] = [
        (suite, project, len(bugs_of[_ANY].drawn), *(_fixed(bugs_of.get(m)) for m in (*models, _ANY)))
        for (suite, project), bugs_of in sorted(projects.items())
    ]
    if rows:
        rows.append(("all", "", *(_sum(column) for column in zip(*(row[2:] for row in rows), strict=True))))
    return Section(
        Table(
            "table3",
            "Table 3: bugs with a plausible patch",
            (
                *(Column("suite"), Column("project"), Column("bugs", "count")),
                *(Column(model, "count") for model in models),
                Column("any model", "count"),
            ),
            tuple(rows),
            "A model's bugs are those with at least one plausible sample in any of its runs. "
            f"{_unequal(runs, models)}",
            published.projects(),
        )
    )


class _Bugs(NamedTuple):
    drawn: set[str]
    fixed: set[str]


_ANY = ""
"""Stands for all models together."""


def _fixed(bugs: _Bugs | None) -> int | None:
    return None if bugs is None else len(bugs.fixed)


def _unequal(runs: Sequence[StudyRun], models: Sequence[str]) -> str:
    """Says which models were not run on all bugs that any of them was run on."""
    bugs = {model: {bug.key for run in runs if run.model == model for bug in run.bugs} for model in models}
    every = set().union(*bugs.values())
    fewer = [f"{model} ({len(judged)})" for model, judged in bugs.items() if judged != every]
    return f"Not run on all {len(every)} bugs: {', '.join(fewer)}." if fewer else ""


def pass_section(runs: Sequence[StudyRun]) -> Section:
    """Figure 2: pass@k over k, one curve per run, over the bugs that all runs of a suite have."""
    names = labels(runs)
    ks = _ks(runs, CURVE)
    table = Table(
        "figure2",
        "Figure 2: pass@k",
        (Column("run"), *_pass_columns(ks)),
        tuple(
            (name, *(_curve(run.bugs, ks).get(k) for k in ks)) for name, run in zip(names, runs, strict=True)
        ),
        "Mean over a run's bugs of the unbiased estimate. The curves are over the bugs that all runs of a "
        "suite have (figure2-drawn.csv). A curve ends, and – stands, where a bug has fewer than k samples: "
        f"there pass@k of all bugs cannot be measured{_short(runs, ks, ' (fewer than {k}: {runs})')}.",
        published.curve(),
    )
    return Section(table, *_curves(names, runs, ks))


def _curves(names: Sequence[str], runs: Sequence[StudyRun], ks: Sequence[int]) -> tuple[Markup, Table]:
    """The curves of every suite, over the bugs that all its runs have, and what they show."""
    drawn, rows = Markup(""), list[tuple[Cell, ...]]()
    for suite in dict.fromkeys(run.suite for run in runs):
        members = {name: run for name, run in zip(names, runs, strict=True) if run.suite == suite}
        common = set.intersection(*({bug.key for bug in run.bugs} for run in members.values()))
        series = {name: _curve([b for b in run.bugs if b.key in common], ks) for name, run in members.items()}
        rows += [(name, suite, len(common), *map(curve.get, ks)) for name, curve in series.items()]
        if any(series.values()):
            title = f"pass@k, {suite}, {len(common)} bug{'s' * (len(common) != 1)}"
            drawn += figures.pass_curve(series, title) + figures.legend(list(series))
    columns = (Column("run"), Column("suite"), Column("bugs", "count"), *_pass_columns(ks))
    plotted = Table("figure2-drawn", "Figure 2: what the curves show", columns, tuple(rows))
    return drawn or drawings.EMPTY, plotted


def _curve(bugs: Sequence[ProblemResult], ks: Sequence[int]) -> dict[int, float]:
    """pass@k of all the bugs, as far as each has k samples: over fewer of them it might even fall."""
    least = min((bug.samples for bug in bugs), default=0)
    return {k: value for k in ks if k <= least and (value := _mean_pass(bugs, k)) is not None}


def prompts_table(runs: Sequence[StudyRun]) -> Section:
    """Table 5: prompt strategies, side by side for each model."""
    ks = _ks(runs)
    columns = (
        *map(Column, ("run", "suite", "model", "prompt")),
        *(Column("temperature", "setting"), Column("bugs", "count"), Column("fixed", "count")),
        *(Column(name, "share") for name in ("duplicates", "compile", "plausible")),
        *_pass_columns(ks),
    )
    rows = [
        (
            *(name, run.suite, run.model, run.strategy, run.temperature, len(run.bugs)),
            sum(bug.plausible > 0 for bug in run.bugs),
            *(rates.duplicates, rates.compile, rates.plausible),
            *_passes(run, ks),
        )
        for name, run, rates in zip(labels(runs), runs, map(_rates, runs), strict=True)
    ]
    return Section(
        Table(
            "table5",
            "Table 5: prompt strategies",
            columns,
            tuple(rows),
            f"fixed: bugs with at least one plausible sample. {_pass_note(runs, ks)}",
            beside=published.prompts(columns),
            source=published.SOURCES["table5"],
        )
    )


def _settings(run: StudyRun) -> tuple[str, str, str, str]:
    return run.suite, run.model, run.strategy, run.format


def _samples(run: StudyRun) -> int:
    return sum(bug.samples for bug in run.bugs)


class Rates(NamedTuple):
    """Means over bugs of shares of samples; ``None`` without any."""

    duplicates: float | None
    no_edit: float | None
    compile: float | None
    trigger: float | None
    regression_at_least: float | None
    regression_at_most: float | None
    plausible: float | None


def _rates(run: StudyRun) -> Rates:
    shares = [[count / bug.samples for count in _counts(bug)] for bug in run.bugs if bug.samples]
    if not shares:
        return Rates(*(None for _ in Rates._fields))
    return Rates(*(sum(column) / len(shares) for column in zip(*shares, strict=True)))


def _counts(bug: ProblemResult) -> tuple[int, ...]:
    """Samples of a bug, in the order of ``Rates``."""
    drawn = sum(len(entry.samples) for entry in bug.pool.entries)
    passed, plausible = _past_trigger(bug), bug.plausible
    built = drawn - bug.count(Outcome.UNCOMPILABLE)
    return (
        *(drawn - len(bug.pool.entries), bug.samples - drawn, built, passed),
        *(plausible, built - (passed - plausible), plausible),
    )


def _suspicious(run: StudyRun) -> int:
    judged = [pair for bug in run.bugs for pair in bug.judged]
    return sum(len(entry.samples) for entry, verdict in judged if verdict.evidence.suspicious)


def _past_trigger(bug: ProblemResult) -> int:
    """Samples that pass every trigger test when they run first.

    One that fails a trigger test only when all tests run again is past them: which tests are triggers is
    known to the validator, not to the run's folder.
    """
    return sum(
        len(entry.samples)
        for entry, verdict in bug.judged
        if verdict.plausible or verdict.evidence.stage in ("regression", "confirm", "done")
    )


def _ks(runs: Sequence[StudyRun], wanted: Sequence[int] = KS) -> tuple[int, ...]:
    most = max((bug.samples for run in runs for bug in run.bugs), default=0)
    return tuple(k for k in wanted if k <= most)


def _pass_note(runs: Sequence[StudyRun], ks: Sequence[int]) -> str:
    """One line on the bugs that a k leaves out for too few samples."""
    fewer = _short(runs, ks, "; bugs with fewer than {k}: {runs}")
    return f"pass@k is the mean over bugs with at least k samples{fewer}."


def _short(runs: Sequence[StudyRun], ks: Sequence[int], words: str) -> str:
    """How many bugs of which runs have fewer samples than the last k; empty without any."""
    fewer = [sum(bug.samples < ks[-1] for bug in run.bugs) if ks else 0 for run in runs]
    told = ", ".join(f"{n} of {name}" for name, n in zip(labels(runs), fewer, strict=True) if n)
    return words.format(k=ks[-1], runs=told) if told else ""


def _pass_columns(ks: Sequence[int]) -> tuple[Column, ...]:
    return tuple(Column(f"pass@{k}", "share") for k in ks)


def _passes(run: StudyRun, ks: Sequence[int]) -> tuple[float | None, ...]:
    return tuple(_mean_pass(run.bugs, k) for k in ks)


def _mean_pass(bugs: Sequence[ProblemResult], k: int) -> float | None:
    return mean_pass_at_k([(bug.samples, bug.plausible) for bug in bugs], k)


def _sum(cells: Sequence[Cell]) -> Cell:
    """The sum of the numbers among the cells; nothing when there is none."""
    numbers = [cell for cell in cells if isinstance(cell, int)]
    return sum(numbers) if numbers else None
