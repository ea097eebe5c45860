"""The unedited program as a control: what it does in a sound worker it must do in the same one later."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.ids import covers
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.worker import Phase, Plan, Report, WorkerLost

_SECONDS = 0.02
"""What regression tests of a control may take together, by their measured times."""

_FAILED = re.compile(r"^(\S.*) FAILED\n {4}([\w.$]+)", re.MULTILINE)


class Signature(NamedTuple):
    """What the control does."""

    outcomes: tuple[tuple[str, str], ...]
    """Sorted ids and outcomes."""
    thrown: Mapping[str, str]
    """Test → class of its failure's exception, of the failures that were told: the first ones of many."""

    def agrees(self, later: Signature | None) -> bool:
        """Whether a later one is the same, as far as both were told."""
        if later is None or later.outcomes != self.outcomes:
            return False
        both = self.thrown.keys() & later.thrown.keys()
        return all(self.thrown[test] == later.thrown[test] for test in both)


class Control:
    """Runs the trigger tests, which fail, and some cheap regression tests, most of which pass."""

    def __init__(self, bench: Bench, configured: float) -> None:
        """``configured`` is the time limit asked for, seconds; 0: none."""
        self._bench = bench
        self._limits = TimeLimits(configured)  # learned in a JVM that may have libraries left to load
        self._phases: tuple[Phase, ...] = ()
        self._signature: Signature | None = None
        self._learned = False

    @property
    def tells_the_bug(self) -> bool:
        """Whether a trigger test fails on the unedited program in a warm worker, as far as is known."""
        triggers = self._bench.workspace.trigger_tests
        told = self._signature.outcomes if self._signature else ()
        failed = [test for test, outcome in told if outcome in "FC"]
        return any(covers(declared, test) for declared in triggers for test in failed)

    def learn(self) -> None:
        """Note what the unedited program does; once, in a worker that nothing in doubt has run in."""
        if self._learned:
            return
        w = self._bench.workspace
        # A program that never ends by its triggers is asked by its other tests only.
        with_triggers = [] if w.hung else [(self._limits.triggers(w), *self._cheap())]
        for phases in (*with_triggers, self._cheap()):
            try:
                signature = self._run(phases, self._bench.run_warm) if phases else None
            except WorkerLost as lost:
                self._bench.drop_tester()
                if lost.killed:
                    return  # not the program's doing: learned another time
                continue
            if signature is None:
                # Its thread was stopped, perhaps while a library's class was set up: broken for good.
                self._bench.drop_tester()
            if signature:
                self._phases, self._signature = tuple(phases), signature
                break
        self._learned = True

    def sound(self) -> bool:
        """Whether the warm worker still does what it did; a worker that is gone does not."""
        if not self._bench.has_tester:
            return False
        try:
            now = self._run(self._phases, self._bench.run_there) if self._phases else None
            return self._signature is None or self._signature.agrees(now)
        except WorkerLost:
            self._bench.drop_tester()
            return False

    def warm_up(self) -> None:
        """Have the worker that runs tests next run some before, as far as the control has any."""
        if self._phases and not self._bench.warmed_up:
            try:
                self._run(self._phases, self._bench.run_warm)
            except WorkerLost:
                self._bench.drop_tester()

    def _cheap(self) -> tuple[Phase, ...]:
        w = self._bench.workspace
        owners = {test.partition("::")[0] for test in w.trigger_tests}
        chosen, left = [], _SECONDS
        for test in sorted(w.regression, key=lambda test: test.seconds):
            if test.name not in owners and test.name not in w.isolated and test.seconds <= left:
                chosen.append(test)
                left -= test.seconds
        return self._limits.classes(chosen, ()) if chosen else ()

    def _run(self, phases: Sequence[Phase], run: Callable[[Plan], Report]) -> Signature | None:
        classes = self._bench.compile(self._bench.unedited).classes
        wall = self._limits.whole(self._bench.workspace)
        report = run(self._bench.plan(classes, phases, (), stop=False, wall=wall))
        return None if report.timed_out else _signature(report)


def _signature(report: Report) -> Signature:
    told = sorted((result.id, result.outcome) for result in report.results)
    return Signature(tuple(told), dict(_FAILED.findall(report.output)))
