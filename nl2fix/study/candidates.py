"""The distinct candidates of runs with their metrics, measured once for every table that wants them.

Contract: as the study, which dropped duplicates first; a candidate is compared as a whole file only
where it or the reference is one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from nl2fix.core.changes import texts
from nl2fix.core.protocols import Progress, Spread
from nl2fix.core.records import Candidate, Entry, Verdict
from nl2fix.core.results import ProblemResult
from nl2fix.metrics.measure import Case, Measures, Scores, Triple, Views, measure_views, usable
from nl2fix.study.loading import StudyRun

_FEW = 2000
"""Up to this many candidates, starting processes takes longer than measuring."""


BACKWARD = ("codebleu",)
"""Metrics against the buggy code."""
PREFIX = (2000, 3000)
"""Least and greatest length of the shared prefix, in characters."""


class MeasuredCandidate(NamedTuple):
    """One distinct candidate of one run."""

    bug: ProblemResult
    entry: Entry
    verdict: Verdict
    scores: Scores
    """Every metric, against the fix."""
    backward: Scores
    """Those of ``BACKWARD``, against the buggy code."""
    padded: Scores
    """Every metric, against the fix, behind a random prefix shared by all texts of the bug."""


def measure(
    runs: Sequence[StudyRun], jobs: int, progress: Progress | None = None, spread: Spread | None = None
) -> list[list[MeasuredCandidate]]:
    """The distinct candidates of every run, in order of first draw, bug after bug.

    They are measured in ``jobs`` processes where they are many, or by ``spread``, where one is given.
    """
    judged = [[(bug, entry, verdict) for bug in run.bugs for entry, verdict in bug.judged] for run in runs]
    pairs = [(bug, entry.candidate) for of_run in judged for bug, entry, _ in of_run]
    values = iter(_views(pairs, jobs, progress, spread))
    return [[MeasuredCandidate(*item, *next(values)) for item in of_run] for of_run in judged]


def flat(measured: Sequence[Sequence[MeasuredCandidate]]) -> list[MeasuredCandidate]:
    """The candidates of all runs, run after run."""
    return [item for of_run in measured for item in of_run]


def _views(
    pairs: Sequence[tuple[ProblemResult, Candidate]],
    jobs: int,
    progress: Progress | None,
    spread: Spread | None,
) -> list[Views]:
    """Metrics of candidates of several languages, in order.

    All are undefined for a problem whose fix the run does not hold.
    """
    wanted = Measures(usable(), BACKWARD, usable())
    wanted_views = [Views(*(dict.fromkeys(names) for names in wanted)) for _ in pairs]
    by_language: dict[str, list[int]] = {}
    for i, (bug, _) in enumerate(pairs):
        if bug.reference is not None:
            by_language.setdefault(bug.problem.language, []).append(i)
    done = 0
    for language, places in by_language.items():
        cases = [Case(triple(*pairs[i]), prefix(pairs[i][0].key)) for i in places]
        several = jobs if len(cases) > _FEW else 1
        told = _part(progress, done, len(pairs))
        measured = measure_views(cases, language, wanted, several, told, spread=spread)
        for i, views in zip(places, measured, strict=True):
            wanted_views[i] = views
        done += len(places)
    return wanted_views


def triple(bug: ProblemResult, candidate: Candidate) -> Triple:
    """Code before, fix and candidate as texts of one extent: the region, or the whole file.

    Raises ``ValueError`` for a problem whose fix the run does not hold.
    """
    if bug.reference is None:
        raise ValueError(f"the fix of {bug.key} is not known")
    before, fix, code = texts(bug.problem, bug.reference, candidate)
    return Triple(before, (fix,), code)


@lru_cache(maxsize=1024)
def prefix(seed: str) -> str:
    """Random assignments, valid in Java, Python and most languages between; equal for equal seeds."""
    generator = random.Random(seed)
    wanted = generator.randint(*PREFIX)
    lines: list[str] = []
    length = 0
    while True:
        target, source = (_name(generator) for _ in range(2))
        line = f"{target} = {source} + {generator.randint(0, 9999)};\n"
        if length + len(line) > wanted and length >= PREFIX[0]:
            return "".join(lines)
        lines.append(line)
        length += len(line)


def _name(generator: random.Random) -> str:
    return "v_" + "".join(generator.choices("abcdefghijklmnopqrstuvwxyz", k=generator.randint(3, 8)))


def _part(progress: Progress | None, before: int, total: int) -> Progress | None:
    """For a part of the work: its progress is told as progress of the whole, ``before`` being done."""
    if progress is None:
        return None
    return lambda done, _, label: progress(before + done, total, label)
