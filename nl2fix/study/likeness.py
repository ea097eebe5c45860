"""Likeness of candidates to the fix and to the buggy code: Table 4 and Figure 4 of the NL2Fix study.

Contract: over distinct candidates, as the study after it dropped duplicates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nl2fix.core.records import Outcome
from nl2fix.metrics.statistics import summarise, wilcoxon_greater
from nl2fix.study import drawings, published
from nl2fix.study.candidates import MeasuredCandidate
from nl2fix.study.loading import StudyRun, labels
from nl2fix.study.table import Cell, Column, Section, Table

OUTCOMES = (Outcome.PLAUSIBLE, Outcome.WRONG, Outcome.TIMEOUT, Outcome.UNCOMPILABLE)


class Likeness(NamedTuple):
    """CodeBLEU of one distinct candidate."""

    bug: str
    outcome: Outcome
    fix: float
    buggy: float


def exact_table(runs: Sequence[StudyRun], measured: Sequence[Sequence[MeasuredCandidate]]) -> Section:
    """Table 4: candidates with the tokens of the reference; ``measured`` are those of each run."""
    columns = (
        *map(Column, ("run", "suite", "model", "prompt")),
        Column("temperature", "setting"),
        *(Column(name, "count") for name in ("samples", "bugs", "bugs plausible")),
        *(Column(name, "count") for name in ("candidates", "plausible candidates")),
        Column("of samples", "share"),
        Column("of plausible bugs", "share"),
    )
    rows = [
        (name, run.suite, run.model, run.strategy, run.temperature, *_exact(run, candidates))
        for name, run, candidates in zip(labels(runs), runs, measured, strict=True)
    ]
    return Section(
        Table(
            "table4",
            "Table 4: exact matches with the developers' fix",
            columns,
            tuple(rows),
            "Equal token sequences: white space and comments do not count. samples, candidates (distinct "
            "samples), bugs: those with an exact match; the last column divides bugs by the bugs with a "
            "plausible sample.",
            beside=published.exact(columns),
            source=published.SOURCES["table4"],
        )
    )


def _exact(run: StudyRun, measured: Sequence[MeasuredCandidate]) -> tuple[Cell, ...]:
    with_reference = [bug for bug in run.bugs if bug.reference is not None]
    exact = [item for item in measured if item.scores["exact_match"] == 1.0]
    drawn = sum(len(item.entry.samples) for item in exact)
    matched = len({item.bug.key for item in exact})
    good = sum(bug.plausible > 0 for bug in with_reference)
    samples = sum(bug.samples for bug in with_reference)
    plausible = sum(item.verdict.plausible for item in measured)
    shares = (drawn / samples if samples else None, matched / good if good else None)
    return drawn, matched, good, len(exact), plausible, *shares


def likeness_section(models: Sequence[str], measured: Sequence[Sequence[MeasuredCandidate]]) -> Section:
    """Figure 4: CodeBLEU with the fix and with the buggy code, by model and outcome.

    ``models`` names the model of each run of ``measured``.
    """
    values = likeness(measured)
    rows: list[tuple[Cell, ...]] = []
    boxes = []
    for model in dict.fromkeys(models):
        mine = [v for name, of_run in zip(models, values, strict=True) if name == model for v in of_run]
        for outcome in OUTCOMES:
            alike = [value for value in mine if value.outcome is outcome]
            if alike:
                rows += _rows(model, outcome, alike)
                boxes += _boxes(f"{model}, " if len(set(models)) > 1 else "", outcome, alike)
    names = ("mean", "first quartile", "median", "third quartile", "kurtosis")
    table = Table(
        "figure4",
        "Figure 4: CodeBLEU of candidates with the fix and with the buggy code",
        (
            *map(Column, ("model", "outcome", "compared with")),
            Column("candidates", "count"),
            *(Column(name, "value") for name in names),
            *(Column("p, candidates", "p"), Column("p, bugs", "p")),
        ),
        tuple(rows),
        "Distinct candidates for which CodeBLEU is defined. kurtosis: excess. p: one-sided Wilcoxon "
        "signed-rank test that candidates of this outcome are more like the buggy code than like the fix, "
        "over candidates as in the study, and over the means of bugs, which are independent of each other.",
        published.likeness(),
    )
    return Section(table, drawings.boxes(boxes, "CodeBLEU"))


def _sides(alike: Sequence[Likeness]) -> tuple[tuple[str, list[float]], tuple[str, list[float]]]:
    return ("fix", [v.fix for v in alike]), ("buggy code", [v.buggy for v in alike])


def _rows(model: str, outcome: Outcome, alike: Sequence[Likeness]) -> list[tuple[Cell, ...]]:
    return [
        (model, outcome.value, name, *summarise(values), *_tests(alike, name == "buggy code"))
        for name, values in _sides(alike)
    ]


def _boxes(start: str, outcome: Outcome, alike: Sequence[Likeness]) -> list[drawings.Box]:
    return [
        drawings.Box(
            f"{start}{outcome.value}, with {name}", min(values), *summarise(values)[2:5], max(values)
        )
        for name, values in _sides(alike)
    ]


def likeness(measured: Sequence[Sequence[MeasuredCandidate]]) -> list[list[Likeness]]:
    """Per run, CodeBLEU of every distinct candidate where both values are defined."""
    values = []
    for of_run in measured:
        alike = [(item, item.scores["codebleu"], item.backward["codebleu"]) for item in of_run]
        values.append(
            [
                Likeness(item.bug.key, item.verdict.outcome, fix, other)
                for item, fix, other in alike
                if fix is not None and other is not None
            ]
        )
    return values


def _tests(values: Sequence[Likeness], wanted: bool) -> tuple[float | None, float | None]:
    if not wanted:
        return None, None
    by_bug: dict[str, list[float]] = {}
    for value in values:
        by_bug.setdefault(value.bug, []).append(value.buggy - value.fix)
    means = [sum(of_bug) / len(of_bug) for of_bug in by_bug.values()]
    return wilcoxon_greater([v.buggy - v.fix for v in values]), wilcoxon_greater(means)
