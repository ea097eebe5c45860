"""The distinct candidates of runs with their metrics, measured once for every table that wants them.

Contract: as the study, which dropped duplicates first; a candidate is compared as a whole file only
where it or the reference is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nl2fix.core.protocols import Progress
from nl2fix.core.records import Candidate, Entry, Verdict
from nl2fix.metrics import METRICS
from nl2fix.metrics.measure import Scores, Triple, measure_all
from nl2fix.study.data import Bug, Run

_FEW = 2000
"""Up to this many candidates, starting processes takes longer than measuring."""


class Measured(NamedTuple):
    """One distinct candidate of one run."""

    bug: Bug
    entry: Entry
    verdict: Verdict
    scores: Scores
    """Every metric, against the fix."""


def measure(runs: Sequence[Run], jobs: int, progress: Progress | None = None) -> list[list[Measured]]:
    """The distinct candidates of every run, in order of first draw, bug after bug."""
    found = [
        [
            (bug, entry, verdict)
            for bug in run.bugs
            for entry, verdict in zip(bug.pool.entries, bug.verdicts, strict=True)
        ]
        for run in runs
    ]
    pairs = [(bug, entry.candidate) for own in found for bug, entry, _ in own]
    values = iter(scores(pairs, tuple(METRICS), jobs, progress))
    return [[Measured(*item, next(values)) for item in own] for own in found]


def flat(measured: Sequence[Sequence[Measured]]) -> list[Measured]:
    """The candidates of all runs, run after run."""
    return [item for own in measured for item in own]


def scores(
    pairs: Sequence[tuple[Bug, Candidate]],
    names: Sequence[str],
    jobs: int,
    progress: Progress | None = None,
    *,
    change: Callable[[Bug, Triple], Triple] = lambda _, triple: triple,
) -> list[Scores]:
    """Metrics of candidates of several languages, in order; ``change`` is made to every triple before."""
    found: list[Scores] = [{} for _ in pairs]
    by_language: dict[str, list[int]] = {}
    for i, (bug, _) in enumerate(pairs):
        by_language.setdefault(bug.problem.language, []).append(i)
    done = 0
    for language, places in by_language.items():
        triples = [change(bug, bug.triple(candidate)) for bug, candidate in (pairs[i] for i in places)]
        several = jobs if len(triples) > _FEW else 1
        told = part(progress, done, len(pairs))
        for i, values in zip(places, measure_all(triples, language, names, several, told), strict=True):
            found[i] = values
        done += len(places)
    return found


def part(progress: Progress | None, before: int, total: int) -> Progress | None:
    """For a part of the work: its progress is told as progress of the whole, ``before`` being done."""
    if progress is None:
        return None
    return lambda done, _, label: progress(before + done, total, label)
