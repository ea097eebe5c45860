"""What test classes do on one build of an edited file, measured: the baseline of later verdicts."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from nl2fix.core.errors import DataError
from nl2fix.validation.jvm.bench import Bench, covers
from nl2fix.validation.jvm.reach import SLOW
from nl2fix.validation.jvm.worker import ClassFile, Item, Limit, Phase, Plan, Report
from nl2fix.validation.jvm.workspace import TestClass, Workspace

BASELINE = Limit(900.0, 900.0)
"""Longest time all tests of a problem may take."""

_BRIEF = 0.2
"""Seconds."""
_BUSY = 10
"""Seconds of processor time that a loop beside tests takes at most: some classes compute for a minute."""
_VARYING = re.compile(
    rb"java/lang/(?:Thread|Process|ref/)|java/util/(?:concurrent/|Timer|Random|UUID|Date|Calendar)|java/net/|"
    rb"java/security/SecureRandom|currentTimeMillis|nanoTime|identityHashCode|parallelStream|"
    rb"\x00\x03now|\x00\x06random|\x00\x07timeout|/Timeout;"
)
"""Names of threads, clocks, chance and the world outside, as constant pools hold them."""

Run = Callable[[Plan], Report]


@dataclass(frozen=True)
class Outcomes:
    """What test classes did."""

    ran: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Class → ids of its tests that ran, sorted."""
    failed: frozenset[str] = frozenset()
    seconds: dict[str, float] = field(default_factory=dict)
    """Of each class that ended."""
    first_seconds: float = 0.0
    """Of tests that ran before the whole classes."""
    endless: str = ""
    """The class that was not waited for; those behind it did not run."""
    isolated: tuple[str, ...] = ()
    """Classes that some of these outcomes need a loader of their own for."""
    slow: tuple[str, ...] = ()
    """Classes left out because they take too long."""
    output: str = ""
    """The failures as a build tells them, the first ones of many."""

    @property
    def tests(self) -> set[str]:
        """Ids of all that ran."""
        return {test for tests in self.ran.values() for test in tests}

    @property
    def regression(self) -> tuple[TestClass, ...]:
        """The classes with tests, as a workspace lists them."""
        return tuple(
            TestClass(name, tests, round(self.seconds[name], 4)) for name, tests in self.ran.items() if tests
        )


class Endless(DataError):
    """A test or class that did not end, on the program that must pass it."""

    def __init__(self, problem: str, test: str) -> None:
        super().__init__(f"{problem}: {test} did not end within {BASELINE.wall:.0f} s")
        self.test = test


@dataclass(frozen=True)
class Otherwise:
    """Tests that do not always do what they did in the baseline."""

    warm: frozenset[str] = frozenset()
    """Those that passed and fail in a warm worker, in some order."""
    flaky: frozenset[str] = frozenset()
    """Those that do otherwise in an equal JVM."""


class JvmBaseline:
    """Measures test classes, given by name, on one build."""

    def __init__(
        self, bench: Bench, classes: dict[str, ClassFile], bounded: Callable[[str], bool] = lambda _: False
    ) -> None:
        """Classes that are ``bounded`` are left out where they take longer than ``reach.SLOW``."""
        self._bench = bench
        self._classes = classes
        self._bounded = bounded

    def measure(self, names: Sequence[str]) -> Outcomes:
        """All classes in one fresh JVM.

        Those with failures run again, each with its own loader, and all once more if that helps some.
        Raises ``Endless`` for a class that does not end and may not be left out.
        """
        together = self._together(names)
        left = [name for name in names if name not in together.slow]
        suspects = [name for name in left if together.failed & {name, *together.ran[name]}]
        if not suspects or len(left) == 1:  # a class that runs alone has a loader of its own
            return together
        apart = self.run(self._bench.run_fresh, [Item(name, isolated=True) for name in suspects])
        if apart.endless:  # it ended among the others: what it does by itself does not matter
            return together
        mended = together.failed - apart.failed
        isolated = tuple(name for name in suspects if mended & {name, *together.ran[name]})
        if not isolated:
            return together
        again = self._whole([Item(name, isolated=name in isolated) for name in left])
        return replace(again, isolated=isolated, slow=together.slow)

    def otherwise(self, outcomes: Outcomes, warm: frozenset[str]) -> Otherwise:
        """What tests do in a warm worker in the opposite order, and beside a busy machine.

        ``warm``: what fails in a warm worker in the given order. One run that is both says whether anything
        else differs from ``outcomes``; only then each has a run of its own.
        """
        known = outcomes.failed | warm
        busy = self._may_be_flaky(outcomes)
        if busy:
            with _busy():
                both = self._backwards(outcomes)
            if both == known:
                return Otherwise(warm - outcomes.failed)
        if len(outcomes.seconds) > 1:
            warm |= self._backwards(outcomes)
        return Otherwise(warm - outcomes.failed, self._flaky(outcomes) if busy else frozenset())

    def _may_be_flaky(self, outcomes: Outcomes) -> bool:
        """Not where all tests together take no time in which something could happen.

        Nor where neither program nor tests know threads, clocks or chance.
        """
        brief = sum(outcomes.seconds.values()) < _BRIEF
        return not brief and may_vary(self._bench.workspace, self._classes)

    def _flaky(self, outcomes: Outcomes) -> frozenset[str]:
        """Tests that passed, or failed, in ``outcomes`` but not in an equal JVM beside a busy machine."""
        wanted = [Item(name, isolated=name in outcomes.isolated) for name in outcomes.seconds]
        with _busy():
            return outcomes.failed ^ self._whole(wanted).failed

    def _backwards(self, outcomes: Outcomes) -> frozenset[str]:
        """Tests that fail in a warm worker where the classes run in the opposite order."""
        wanted = [Item(name, isolated=name in outcomes.isolated) for name in reversed(outcomes.seconds)]
        return self.run(self._bench.run_warm, wanted).failed

    def run(self, run: Run, wanted: Sequence[Item], first: int = 0) -> Outcomes:
        """Run items without a stop at failures, up to a class that takes too long.

        The ``first`` ones are tests that also run later with their classes.
        """
        phases = [Phase(SLOW if self._bounded(item.name) else BASELINE, (item,)) for item in wanted]
        report = run(self._bench.plan(self._classes, phases, (), stop=False, wall=BASELINE.wall))
        outcomes = collect(report, wanted, first)
        if outcomes.endless and not self._bounded(outcomes.endless):
            raise Endless(self._bench.workspace.problem, report.running or outcomes.endless)
        return outcomes

    def _together(self, names: Sequence[str]) -> Outcomes:
        """All classes that end in time, in one JVM that ran no other; the others are named."""
        slow: tuple[str, ...] = ()
        rest = list(names)
        while rest:
            outcomes = self.run(self._bench.run_fresh, [Item(name) for name in rest])
            if not outcomes.endless:
                break
            slow = (*slow, outcomes.endless)
            rest = rest[rest.index(outcomes.endless) + 1 :]
        if not slow:
            return outcomes
        kept = [Item(name) for name in names if name not in slow]
        return replace(self._whole(kept) if kept else Outcomes(), slow=slow)

    def _whole(self, wanted: Sequence[Item]) -> Outcomes:
        """Run classes that have all ended in time before."""
        outcomes = self.run(self._bench.run_fresh, wanted)
        if outcomes.endless:
            raise Endless(self._bench.workspace.problem, outcomes.endless)
        return outcomes


def may_vary(workspace: Workspace, edited: Mapping[str, ClassFile]) -> bool:
    """Whether some class of a program or its tests names what differs from run to run: see ``_VARYING``."""
    if any(_VARYING.search(file.content) for file in edited.values()):
        return True
    folders = (workspace.path(folder) for folder in (*workspace.classes, *workspace.test_classes))
    files = (file for folder in folders for file in folder.rglob("*.class"))
    return any(_VARYING.search(file.read_bytes()) for file in files)


@contextmanager
def _busy() -> Iterator[None]:
    """Something to do for every core of this machine, for a while."""
    command = ["/bin/sh", "-c", f"ulimit -t {_BUSY}; while :; do :; done"]
    loops = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def collect(report: Report, wanted: Sequence[Item], first: int = 0) -> Outcomes:
    """What a report says of its items; the ``first`` ones are counted by their time only."""
    ran: dict[str, list[str]] = {item.name: [] for item in wanted}
    for result in report.results:
        if result.outcome != "S" and result.item >= first:
            ran[wanted[result.item].name].append(result.id)
    timed = zip(wanted[first:], report.seconds[first:], strict=False)
    return Outcomes(
        {name: tuple(sorted(tests)) for name, tests in ran.items()},
        frozenset(result.id for result in report.results if result.outcome in "FC"),
        {item.name: seconds for item, seconds in timed},
        round(sum(report.seconds[:first]), 4),
        wanted[len(report.seconds)].name if report.timed_out else "",
        output=report.output,
    )


def covered(declared: str, tests: Iterable[str]) -> bool:
    """Whether a declared trigger test names one of these tests."""
    return any(covers(declared, test) for test in tests)
