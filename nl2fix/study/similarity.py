"""Likeness of candidates to the fix and to the buggy code: Table 4 and Figure 4 of the NL2Fix study.

Contract: over distinct candidates, as the study after it dropped duplicates; a candidate is compared
as a whole file only where it or the reference is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nl2fix.core.protocols import Progress
from nl2fix.core.records import Candidate, Outcome
from nl2fix.metrics.measure import Scores, Triple, measure_all
from nl2fix.metrics.statistics import summarise, wilcoxon_greater
from nl2fix.study import drawings
from nl2fix.study.data import Bug, Run
from nl2fix.study.table import Cell, Column, Section, Table

_FEW = 2000
"""Up to this many candidates, starting processes takes longer than measuring."""

OUTCOMES = (Outcome.PLAUSIBLE, Outcome.WRONG, Outcome.TIMEOUT, Outcome.UNCOMPILABLE)


class Likeness(NamedTuple):
    """CodeBLEU of one distinct candidate."""

    bug: str
    outcome: Outcome
    fix: float
    buggy: float


def exact_table(runs: Sequence[Run]) -> Section:
    """Table 4: candidates with the tokens of the reference."""
    rows = []
    for run in runs:
        exact = [_exact(bug) for bug in run.bugs]
        drawn = sum(
            len(bug.pool.entries[i].samples) for bug, own in zip(run.bugs, exact, strict=True) for i in own
        )
        good = sum(bug.plausible > 0 for bug in run.bugs)
        found = sum(bool(own) for own in exact)
        samples = sum(bug.samples for bug in run.bugs)
        shares = (drawn / samples if samples else None, found / good if good else None)
        rows.append((run.suite, run.model, run.strategy, run.temperature, drawn, found, good, *shares))
    return Section(
        Table(
            "table4",
            "Table 4: exact matches with the developers' fix",
            (
                *map(Column, ("suite", "model", "prompt")),
                Column("temperature", "setting"),
                *(Column(name, "count") for name in ("samples", "bugs", "bugs plausible")),
                Column("of samples", "share"),
                Column("of plausible bugs", "share"),
            ),
            tuple(rows),
            "Equal token sequences: white space and comments do not count. bugs: those with an exact match; "
            "the last column divides them by the bugs with a plausible sample.",
        )
    )


def likeness_section(runs: Sequence[Run], jobs: int, progress: Progress | None = None) -> Section:
    """Figure 4: CodeBLEU with the fix and with the buggy code, by outcome."""
    values = likeness(runs, jobs, progress)
    rows: list[tuple[Cell, ...]] = []
    boxes = []
    for outcome in OUTCOMES:
        own = [value for value in values if value.outcome is outcome]
        if not own:
            continue
        for name, scores in (("fix", [v.fix for v in own]), ("buggy code", [v.buggy for v in own])):
            shape = summarise(scores)
            rows.append((outcome.value, name, *shape, *_tests(own, name == "buggy code")))
            label = f"{outcome.value}, with {name}"
            boxes.append(drawings.Box(label, min(scores), *shape[2:5], max(scores)))
    names = ("mean", "first quartile", "median", "third quartile", "kurtosis")
    table = Table(
        "figure4",
        "Figure 4: CodeBLEU of candidates with the fix and with the buggy code",
        (
            *(Column("outcome"), Column("compared with"), Column("candidates", "count")),
            *(Column(name, "value") for name in names),
            *(Column("p, candidates", "p"), Column("p, bugs", "p")),
        ),
        tuple(rows),
        "Distinct candidates for which CodeBLEU is defined. kurtosis: excess. p: one-sided Wilcoxon "
        "signed-rank test that candidates of this outcome are more like the buggy code than like the fix, "
        "over candidates as in the study, and over the means of bugs, which are independent of each other.",
    )
    return Section(table, drawings.boxes(boxes, "CodeBLEU"))


def likeness(runs: Sequence[Run], jobs: int, progress: Progress | None = None) -> list[Likeness]:
    """CodeBLEU of every distinct candidate of every run where both values are defined."""
    entries = [
        (bug, entry.candidate, verdict.outcome)
        for run in runs
        for bug in run.bugs
        for entry, verdict in zip(bug.pool.entries, bug.verdicts, strict=True)
    ]
    pairs = [(bug, candidate) for bug, candidate, _ in entries]
    fix = scores(pairs, ("codebleu",), jobs, progress)
    buggy = scores(pairs, ("codebleu",), jobs, progress, towards=lambda t: t.before)
    values = []
    for (bug, _, outcome), one, other in zip(entries, fix, buggy, strict=True):
        with_fix, with_buggy = one["codebleu"], other["codebleu"]
        if with_fix is not None and with_buggy is not None:
            values.append(Likeness(bug.key, outcome, with_fix, with_buggy))
    return values


def scores(
    pairs: Sequence[tuple[Bug, Candidate]],
    names: Sequence[str],
    jobs: int,
    progress: Progress | None = None,
    *,
    towards: Callable[[Triple], str] | None = None,
    change: Callable[[Bug, Triple], Triple] | None = None,
) -> list[Scores]:
    """Metrics of candidates of several languages, in order; ``towards`` gives another reference."""
    found: list[Scores] = [{} for _ in pairs]
    by_language: dict[str, list[int]] = {}
    for i, (bug, _) in enumerate(pairs):
        by_language.setdefault(bug.problem.language, []).append(i)
    for language, places in by_language.items():
        triples = []
        for bug, candidate in (pairs[i] for i in places):
            triple = bug.triple(candidate)
            triple = change(bug, triple) if change else triple
            triples.append(triple._replace(references=(towards(triple),)) if towards else triple)
        several = jobs if len(triples) > _FEW else 1
        for i, values in zip(places, measure_all(triples, language, names, several, progress), strict=True):
            found[i] = values
    return found


def _exact(bug: Bug) -> list[int]:
    """Places in the pool of the candidates that equal the reference."""
    found = scores([(bug, entry.candidate) for entry in bug.pool.entries], ("exact_match",), 1)
    return [i for i, values in enumerate(found) if values["exact_match"] == 1.0]


def _tests(values: Sequence[Likeness], wanted: bool) -> tuple[float | None, float | None]:
    if not wanted:
        return None, None
    by_bug: dict[str, list[float]] = {}
    for value in values:
        by_bug.setdefault(value.bug, []).append(value.buggy - value.fix)
    means = [sum(own) / len(own) for own in by_bug.values()]
    return wilcoxon_greater([v.buggy - v.fix for v in values]), wilcoxon_greater(means)
