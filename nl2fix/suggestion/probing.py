"""The likeliest methods once more: in which does an edit make the failing test pass?

Of each the mutation baseline's first edits run the test that points at it. The first method in which one
passes, as do quick tests that pass today, comes before all others: each caller of a method is run, too, and
often has the same words, but seldom can be edited so (Moon et al., Ask the Mutants, ICST 2014). The failing
test alone would not do, which wrong edits of other methods make pass as often. How much better that is:
benchmarks/localise.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Candidate, Prompt, Request
from nl2fix.mutation import Mutation
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import at
from nl2fix.suggestion.setup import Setup, Unmeasured
from nl2fix.validation.jvm.bench import Bench, covers, program_of, trigger_items
from nl2fix.validation.jvm.worker import Build, Item, Limit, Phase, Report, WorkerLost
from nl2fix.validation.jvm.workers import Workers

METHODS, EDITS = 8, 30
"""Of the likeliest that failing tests run, and of each of these."""
SECONDS = 30.0
"""By the clock, after which no other edit is tried."""
_FIRST = Limit(cpu=2.0, wall=8.0)
"""For the failing test as it is; a method whose test takes longer is left out."""
_SLOWER, _LEAST = 2.0, 0.2
"""How many times what the test takes today an edit may take, and seconds more."""
_OTHERS = Limit(cpu=5.0, wall=20.0)
"""For the tests that pass today, together."""


def mended_first(setup: Setup, places: Sequence[Place], report: IssueReport) -> list[Place]:
    """The places, the first one in which an edit makes its failing test pass before all others.

    Only tests of one class tell: that of the likeliest method's, which leads before other failing ones.
    """
    run = [place for place in places if place.test and place.test not in setup.hung]
    run = [place for place in run if _owner(place) == _owner(run[0])][:METHODS]
    if len(run) < 2:
        return list(places)
    setup.say("looking in which of the likeliest methods an edit makes a failing test pass")
    end = time.monotonic() + SECONDS
    with closing(Workers(setup.environment)) as workers:
        for place in run:
            if _mends(setup, workers, place, report, end):
                why = f"{place.why}; an edit makes it pass"
                return [replace(place, why=why), *(other for other in places if other is not place)]
    return list(places)


def _owner(place: Place) -> str:
    return place.test.partition("::")[0]


def _mends(setup: Setup, workers: Workers, place: Place, report: IssueReport, end: float) -> bool:
    """Whether an edit of a method that is tried before the ``end`` makes its failing test pass."""
    if time.monotonic() >= end:
        return False
    try:
        given = setup.unmeasured(at(place.file.resolve(), place.entity), report, place.test)
        with closing(Bench(given.workspace, given.problem, workers)) as bench:
            probe = _Probe(bench, given, place.test)
            return any(probe.passes(edit) for edit in _edits(given) if time.monotonic() < end)
    except (DataError, UsageError, WorkerLost):
        return False


def _edits(given: Unmeasured) -> Iterator[Candidate]:
    asked = Request(given.problem, Prompt(()), tuple(range(EDITS)))
    return (Candidate(answer.code) for answer in Mutation().complete([asked]) if answer.code is not None)


class _Probe:
    """A failing test, and some that pass, on edits of one method in a warm worker."""

    def __init__(self, bench: Bench, given: Unmeasured, test: str) -> None:
        """Raises ``DataError`` where the test does not fail soon by itself today."""
        self._bench, self._given, self._test = bench, given, test
        self._limit = _FIRST
        today = self._run(bench.compile(bench.unedited), ())
        if today is None or today.timed_out or not today.failure:
            raise DataError(f"{test} does not fail by itself")
        spent = _SLOWER * sum(today.seconds) + _LEAST
        self._limit = Limit(cpu=spent, wall=4 * spent)

    def passes(self, edit: Candidate) -> bool:
        """Whether the failing test passes, and all that pass today."""
        build = self._bench.compile(program_of(self._given.problem, edit), warm=True)
        if not build.compiled or self._bench.duplicate(build):
            return False
        alone = self._run(build, ())
        return self._is_passed(alone) and self._is_passed(self._run(build, self._given.tests))

    def _is_passed(self, report: Report | None) -> bool:
        if report is None or report.timed_out or report.failure:
            return False
        return any(result.outcome == "P" and covers(self._test, result.id) for result in report.results)

    def _run(self, build: Build, others: Sequence[str]) -> Report | None:
        """The failing test, then other classes; ``None`` where the edit ends the worker."""
        tolerated = [test for test in self._given.failing if not covers(self._test, test)]
        first = trigger_items([self._test.partition("[")[0]], ())
        phases = (Phase(self._limit, first), Phase(_OTHERS, tuple(map(Item, others))))
        plan = self._bench.plan(build.classes, phases if others else phases[:1], tolerated)
        try:
            return self._bench.run_warm(plan)
        except WorkerLost:
            self._bench.drop_tester()
            return None
