"""The likeliest methods once more: in which does an edit make the failing test pass?

Of each the mutation baseline's likeliest edits run the test that points at it, some of all methods before
the next ones of any. The first method in which one passes, as do quick tests that pass today, comes before
all others: each caller of a method is run, too, and often has the same words, but seldom can be edited so
(Moon et al., Ask the Mutants, ICST 2014). The failing test alone would not do, which wrong edits of other
methods make pass as often; where several of its class fit the issue most of them must. What it does not run
is not edited, what few other tests run is edited first; no check of what a method is given is taken away,
and nothing is tried that hardly ever mends anything (``antipatterns``). How much better that is:
benchmarks/localise.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import islice
from threading import Event, Lock

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Candidate
from nl2fix.mutation import region_after
from nl2fix.suggestion.aiming import aimed
from nl2fix.suggestion.describing.antipatterns import HARDLY_EVER, lacks_check, odd
from nl2fix.suggestion.localisation.localise import Place, of_named
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import at
from nl2fix.suggestion.setup import Setup, Unmeasured
from nl2fix.validation.jvm.bench import Bench, program_of, trigger_items
from nl2fix.validation.jvm.ids import covers, declared
from nl2fix.validation.jvm.worker import Build, Item, Limit, Phase, Report, WorkerLost
from nl2fix.validation.jvm.workers import Workers

METHODS, EDITS, AT_ONCE = 8, 40, 10
"""Of the likeliest that failing tests run, of each of these, and of each before the next ones of all."""
SECONDS = 30.0
"""By the clock, after which no other edit is tried."""
_FIRST = Limit(cpu=5.0, wall=20.0)
"""For the failing tests as they are, in a JVM that has loaded nothing yet."""
_SLOW = 2.0
"""Seconds that tests may take today; those that take longer are left out."""
_TOGETHER = 8
"""Failing tests of a class, most of which an edit must make pass."""
_SLOWER, _LEAST = 2.0, 0.2
"""How many times what the tests take today an edit may take, and seconds more."""
_OTHERS = Limit(cpu=5.0, wall=20.0)
"""For the tests that pass today, together."""


def mended_first(setup: Setup, places: Sequence[Place], report: IssueReport) -> list[Place]:
    """The places, the first one in which an edit makes its failing test pass before all others.

    Only tests of one class tell: that of the likeliest method's, which leads before other failing ones. Where
    the title names that method or its class, only what it names is looked at.
    """
    run = [place for place in places if place.test and place.test not in setup.hung]
    run = [place for place in run if _owner(place) == _owner(run[0])]
    run = (_told(run) if run and run[0].named else run)[:METHODS]
    if len(run) < 2:
        return list(places)
    setup.say("looking in which of the likeliest methods an edit makes a failing test pass")
    with closing(Workers(setup.environment)) as workers:
        mended = _Look(setup, workers, report).first(run)
    if mended is None:
        return list(places)
    first = replace(mended, why=f"{mended.why}; an edit makes it pass")
    return [first, *(other for other in places if other is not mended)]


def _told(places: Sequence[Place]) -> list[Place]:
    """Those that the title names as it names the first: itself, or its class."""
    named = [place for place in places if place.named == "method"]
    return named if places[0].named == "method" else of_named(places)


def _owner(place: Place) -> str:
    return place.test.partition("::")[0]


class _Look:
    """Into methods side by side, at some edits of each in turn, until in one of them an edit passes."""

    def __init__(self, setup: Setup, workers: Workers, report: IssueReport) -> None:
        self.setup, self.workers, self.report = setup, workers, report
        self.building = Lock()
        self._end = time.monotonic() + SECONDS
        self._done = Event()

    @property
    def is_over(self) -> bool:
        return self._done.is_set() or time.monotonic() >= self._end

    def first(self, places: Sequence[Place]) -> Place | None:
        """That in which an edit makes most tests pass, of those with one that passes among as many edits; one
        that only gives or takes a value where there is no other, as any wrong value is made right there.
        """
        methods = [_Method(self, place) for place in places]
        plain = list[Place]()
        with ThreadPoolExecutor(self.setup.environment.jobs) as pool:
            try:
                for _ in range(0, EDITS, AT_ONCE):
                    mended = dict[Place, float]()
                    for place, share in zip(places, pool.map(_Method.mended, methods), strict=True):
                        if place.plain:
                            plain += [place] * bool(share)
                        elif share == 1:
                            return place
                        elif share:
                            mended[place] = share
                    if mended:
                        return max(mended, key=lambda place: mended[place])
            finally:
                self._done.set()
        return plain[0] if plain else None


class _Method:
    """One of the methods, and which of its edits are still to be tried."""

    def __init__(self, look: _Look, place: Place) -> None:
        self._look, self._place = look, place
        self._bench: Bench | None = None
        self._probe: _Probe | None = None
        self._edits: Iterator[Candidate] = iter(())

    def mended(self) -> float:
        """The share of the failing tests that one of the next edits makes pass: above a half, or 0."""
        if self._look.is_over:
            return 0.0
        try:
            probe = self._probe = self._probe or self._begun()
            most = 0.0
            for edit in islice(self._edits, AT_ONCE):
                if self._look.is_over:
                    break
                most = max(most, probe.mended(edit))
                if most == 1:
                    break
            return most
        except (DataError, UsageError, WorkerLost):
            self._edits = iter(())
            return 0.0
        finally:
            if self._bench:
                self._bench.close()

    def _begun(self) -> _Probe:
        look, place = self._look, self._place
        with look.building:
            target = at(place.file.resolve(), place.entity)
            given = look.setup.unmeasured(target, look.report, place.test)
        self._bench = Bench(given.workspace, given.problem, look.workers)
        probe = _Probe(self._bench, given, (place.test, *place.run.beside[: _TOGETHER - 1]))
        likeliest = islice(aimed(given.problem, place.run), EDITS)
        edits = (Candidate(region_after(given.problem, each)) for each in likeliest)
        self._edits = (edit for edit in edits if not _misleads(given.problem.before, edit.code))
        return probe


class _Probe:
    """Failing tests of one class, and some that pass, on edits of one method in a warm worker."""

    def __init__(self, bench: Bench, given: Unmeasured, tests: Sequence[str]) -> None:
        """Raises ``DataError`` where none of the failing tests fails soon by itself today."""
        self._bench, self._given, self._tests = bench, given, tests
        self._limit = _FIRST
        today = self._run(bench.compile(bench.unedited), ())
        if today is None or today.timed_out:
            raise DataError(f"{tests[0]} does not end soon by itself")
        self._tests = _quick([test for test in tests if _all(today, test, "FC")], today)
        if not self._tests:
            raise DataError(f"{tests[0]} does not fail soon by itself")
        spent = _SLOWER * sum(today.seconds) + _LEAST
        self._limit = Limit(cpu=spent, wall=10 * spent)

    def mended(self, edit: Candidate) -> float:
        """The share of the failing tests that pass, if most do, and all that pass today; else 0."""
        build = self._bench.compile(program_of(self._given.problem, edit), warm=True)
        if not build.compiled or self._bench.duplicate(build):
            return 0.0
        return self._share(self._run(build, ())) and self._share(self._run(build, self._given.tests))

    def _share(self, report: Report | None) -> float:
        if report is None or report.timed_out or report.failure:
            return 0.0
        share = sum(_all(report, test, "P") for test in self._tests) / len(self._tests)
        return share if share > 0.5 else 0.0

    def _run(self, build: Build, others: Sequence[str]) -> Report | None:
        """The failing tests, then other classes; ``None`` where the edit ends the worker."""
        first = trigger_items(dict.fromkeys(declared(test) for test in self._tests), ())
        phases = (Phase(self._limit, first), Phase(_OTHERS, tuple(map(Item, others))))
        plan = self._bench.plan(build.classes, phases if others else phases[:1], self._given.failing)
        try:
            return self._bench.run_warm(plan)
        except WorkerLost:
            self._bench.drop_tester()
            return None


def _misleads(before: str, after: str) -> bool:
    """Whether an edit may pass for nothing: who only returns ``true`` calls nothing that is wrong."""
    return lacks_check(before, after) or odd(before, after) == HARDLY_EVER


def _quick(tests: Sequence[str], today: Report) -> list[str]:
    """The first of the tests that take no longer than they may together."""
    quick, left = [], _SLOW
    for test in tests:
        seconds = sum(result.seconds for result in today.results if covers(test, result.id))
        if seconds <= left:
            quick.append(test)
            left -= seconds
    return quick


def _all(report: Report, test: str, outcomes: str) -> bool:
    """Whether a test ran, and each time with one of these outcomes."""
    told = [result.outcome for result in report.results if covers(test, result.id)]
    return bool(told) and all(outcome in outcomes for outcome in told)
