"""Who is late: once more, alone; and in tests that fail today and take long once they pass.

Without a reference fix nobody knows how long a failing test takes when it is mended: javaewah's fuzzer ends
at once with the bug and computes for twenty seconds without. Such a test is left out, as slow tests are; it
is not held against the edit that mends it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from nl2fix.core.records import Outcome, Verdict
from nl2fix.validation.jvm.bench import Bench, trigger_items
from nl2fix.validation.jvm.ids import covers, declared
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.worker import Build, Limit, Phase, WorkerLost
from nl2fix.validation.jvm.workspace import TestClass, Workspace

_LONGER = Limit(40.0, 120.0)
"""Seconds of CPU and clock in which a test must end to be taken for a slow one."""
_PATIENT = 5
"""How much longer by the clock a program may take alone in the time that is asked for."""
_ENDLESS = 2
"""Edits with which a test does not end even then before no other is waited for so long."""


class Late:
    """Tells slow tests and busy machines from endless edits, for one session."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._endless = Counter[str]()

    def slow_in(self, verdict: Verdict, build: Build, workspace: Workspace) -> str:
        """The test that an edit was late in, if it fails today and ends when it has time; empty if not."""
        test = declared(verdict.evidence.failing_test or "")
        if (
            not workspace.unmended
            or verdict.outcome is not Outcome.TIMEOUT
            or not _fails_today(test, workspace)
        ):
            return ""
        if self._endless[test] == _ENDLESS:
            return ""
        if self._ends(test, build, workspace):
            return test
        self._endless[test] += 1
        return ""

    def again(self, test: str, build: Build, workspace: Workspace, limits: TimeLimits) -> bool:
        """Whether an edit is late again in a test's class, or the trigger tests, while nobody else runs."""
        if any(covers(trigger, test) for trigger in workspace.trigger_tests):
            phases: tuple[Phase, ...] = (limits.triggers(workspace),)
        else:
            own = [item for item in workspace.regression if item.name == test.partition("::")[0]]
            phases = limits.classes(own, workspace.isolated)
        if not phases:
            return False
        wall = _PATIENT * sum(phase.limit.wall for phase in phases)
        if limits.configured > 0:  # few seconds of the clock may be asked for: a busy machine has no more
            phases = tuple(replace(p, limit=replace(p.limit, wall=_PATIENT * p.limit.wall)) for p in phases)
        plan = self._bench.plan(build.classes, phases, (), stop=False, wall=wall)
        try:
            with self._bench.alone():
                return self._bench.run_fresh(plan).timed_out
        except WorkerLost as lost:
            return lost.timed_out

    def _ends(self, test: str, build: Build, workspace: Workspace) -> bool:
        phase = Phase(_LONGER, trigger_items([test], workspace.isolated))
        plan = self._bench.plan(build.classes, (phase,), (), stop=False, wall=_LONGER.wall)
        try:
            return not self._bench.run_fresh(plan).timed_out
        except WorkerLost:
            return False


def _fails_today(test: str, workspace: Workspace) -> bool:
    """Whether a test fails without any edit, and need not pass."""
    must = any(covers(trigger, test) for trigger in workspace.trigger_tests)
    return "::" in test and not must and any(covers(test, failing) for failing in workspace.failing)


def without(workspace: Workspace, test: str) -> Workspace:
    """A workspace of which a test, with whatever parameters, judges no edit."""
    kept = (_kept(item, test) for item in workspace.regression)
    failing = tuple(failing for failing in workspace.failing if not covers(test, failing))
    return replace(workspace, regression=tuple(item for item in kept if item.tests), failing=failing)


def _kept(item: TestClass, test: str) -> TestClass:
    tests = tuple(each for each in item.tests if not covers(test, each))
    if tests == item.tests:
        return item
    if any(
        each.partition("::")[0] != item.name for each in tests
    ):  # classes within, whose tests are not chosen
        return replace(item, tests=())
    names = {declared(each).partition("::")[2] for each in tests}
    return replace(item, tests=tests, methods=tuple(sorted(names)))
