"""What test classes do on one build of an edited file, measured: the baseline of later verdicts."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nl2fix.core.errors import DataError
from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.busy import busy
from nl2fix.validation.jvm.ids import covers, declared
from nl2fix.validation.jvm.reach import SLOW
from nl2fix.validation.jvm.worker import ClassFile, Item, Limit, Phase, Plan, Report, WorkerLost
from nl2fix.validation.jvm.workspace import TestClass, Workspace

BASELINE = Limit(900.0, 900.0)
"""Longest time all tests of a problem may take."""

BUDGET = 10.0
"""Seconds by the clock that tests take together at most where classes are bounded."""

PATIENCE = 60.0
"""Seconds by the clock after which no other class that is bounded is begun."""

_ALONE = 10.0
"""Seconds by the clock for single tests of a class that takes too long."""

_BRIEF = 0.2
"""Seconds."""
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
    cut: str = ""
    """The test of it that ran then."""
    isolated: tuple[str, ...] = ()
    """Classes that some of these outcomes need a loader of their own for."""
    slow: tuple[str, ...] = ()
    """Classes left out because their tests take too long."""
    ending: tuple[str, ...] = ()
    """Classes left out because they end their JVM behind others."""
    methods: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of classes of which only some tests ran, as the others take too long: those."""
    times: Mapping[str, float] = field(default_factory=dict)
    """Seconds of each test that ended, by its id."""
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
            TestClass(name, tests, round(self.seconds[name], 4), self.methods.get(name, ()))
            for name, tests in self.ran.items()
            if tests
        )

    def of(self, tests: Collection[str]) -> Outcomes:
        """Those of the classes in which some of these tests ran."""
        ran = {name: ids for name, ids in self.ran.items() if not {name, *ids}.isdisjoint(tests)}
        seconds = {name: self.seconds[name] for name in ran}
        part = replace(self, ran=ran, seconds=seconds)
        return replace(part, failed=self.failed & (part.tests | set(ran)))

    def items(self, names: Iterable[str], isolated: Container[str]) -> list[Item]:
        """Some of these classes, with the tests of theirs that ran."""
        return [Item(name, self.methods.get(name, ()), name in isolated) for name in names]


@dataclass(frozen=True)
class Bounds:
    """What need not run whole."""

    bounded: Callable[[str], bool] = lambda _: False
    """Whether the slowest tests of a class are left out.

    What is left takes ``BUDGET``, or ``budget``, together; a class is not waited for longer than
    ``reach.SLOW``, and all of them not longer than ``PATIENCE``.
    """
    slow: Collection[str] = ()
    """Bounded classes that are known to take too long: they are not begun as a whole."""
    tests_of: Callable[[str], Sequence[str]] = lambda _: ()
    """Methods of a bounded class that takes too long; they run by themselves while there is time."""
    known: Sequence[Outcomes] = ()
    """What bounded classes did on the same program: which of their tests are quick is known by that."""
    hung: Collection[str] = ()
    """Ids of tests that do not end: they are not begun, and the others of their classes run by themselves."""
    budget: float = math.inf
    """Seconds by the clock, where less than ``BUDGET``."""
    needed: str = ""
    """Id of a test that is kept however long it takes, which is not counted."""


ALL_BOUNDED = Bounds(lambda _: True)


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

    def __init__(self, bench: Bench, classes: dict[str, ClassFile], bounds: Bounds = Bounds()) -> None:
        self._bench = bench
        self._classes = classes
        self._bounds = bounds
        self._hanging = {test.partition("::")[0] for test in bounds.hung}
        self.found = list(bounds.known)
        """What classes did that were run to find which are quick."""

    def _bounded(self, name: str) -> bool:
        return name in self._hanging or self._bounds.bounded(name)

    def measure(self, names: Sequence[str]) -> Outcomes:
        """All classes in one fresh JVM.

        Those with failures run again, each with its own loader, and all once more if that helps some.
        Raises ``Endless`` for a class that does not end and may not be left out.
        """
        together = self._together(names)
        left = list(together.ran)
        suspects = [name for name in left if together.failed & {name, *together.ran[name]}]
        if not suspects or len(left) == 1:  # a class that runs alone has a loader of its own
            return together
        apart = self.run(self._bench.run_fresh, together.items(suspects, suspects))
        if apart.endless:  # it ended among the others: what it does by itself does not matter
            return together
        mended = together.failed - apart.failed
        isolated = tuple(name for name in suspects if mended & {name, *together.ran[name]})
        if not isolated:
            return together
        again = self._whole(together.items(left, isolated))
        again = replace(again, isolated=isolated, methods=together.methods)
        return replace(again, slow=together.slow, ending=together.ending)

    def otherwise(self, outcomes: Outcomes, warm: frozenset[str], varies: bool) -> Otherwise:
        """What tests do in a warm worker in the opposite order, where it ``varies`` beside a busy machine.

        ``warm``: what fails in a warm worker where it runs first. One run in the opposite order beside a busy
        machine says whether anything else differs from ``outcomes``; only then each has a run of its own.
        """
        known = outcomes.failed | warm
        if varies:
            with busy():
                both = self._backwards(outcomes)
            if both == known:
                return Otherwise(warm - outcomes.failed)
        warm |= self._backwards(outcomes)
        return Otherwise(warm - outcomes.failed, self._flaky(outcomes) if varies else frozenset())

    def may_be_flaky(self, outcomes: Outcomes) -> bool:
        """Not where all tests together take no time in which something could happen.

        Nor where neither program nor tests know threads, clocks or chance.
        """
        brief = sum(outcomes.seconds.values()) < _BRIEF
        return not brief and may_vary(self._bench.workspace, self._classes)

    def _flaky(self, outcomes: Outcomes) -> frozenset[str]:
        """Tests that passed, or failed, in ``outcomes`` but not in an equal JVM beside a busy machine."""
        wanted = outcomes.items(outcomes.seconds, outcomes.isolated)
        with busy():
            return outcomes.failed ^ self._whole(wanted).failed

    def _backwards(self, outcomes: Outcomes) -> frozenset[str]:
        """Tests that fail in a warm worker where the classes run in the opposite order."""
        wanted = outcomes.items(reversed(outcomes.seconds), outcomes.isolated)
        return self.run(self._bench.run_warm, wanted).failed

    def run(self, run: Run, wanted: Sequence[Item], first: int = 0, enough: float = 0.0) -> Outcomes:
        """Run items without a stop at failures, up to a class that takes too long.

        The ``first`` ones are tests that also run later with their classes; ``enough``: seconds for all.
        """
        if not wanted:  # all that there was may be too slow
            return Outcomes()
        phases = [Phase(SLOW if self._bounded(item.name) else BASELINE, (item,)) for item in wanted]
        plan = self._bench.plan(self._classes, phases, (), stop=False, wall=BASELINE.wall)
        report = run(replace(plan, enough=enough))
        outcomes = collect(report, wanted, first)
        if outcomes.endless and not self._bounded(outcomes.endless):
            raise Endless(self._bench.workspace.problem, report.running or outcomes.endless)
        return outcomes

    def _together(self, names: Sequence[str]) -> Outcomes:
        """All classes that end in time, in one JVM that ran no other; of slow ones the quick tests.

        Where each may be left out no other is begun after a minute: those that judge are quicker by far. A
        class that ends the JVM of others is left out, too, and those before it run again.
        """
        found, own = self.found, len(self.found)
        ending: list[str] = []
        ran = {name for outcomes in found for name in (*outcomes.seconds, outcomes.endless)}
        known = {*self._bounds.slow, *self._hanging}
        slow = [name for name in names if name in known and name not in ran]
        rest = [name for name in names if name not in slow and not (name in ran and self._bounded(name))]
        end = time.monotonic() + (PATIENCE if all(map(self._bounded, names)) else BASELINE.wall)
        while rest and (left := end - time.monotonic()) > 0:
            try:
                found.append(self.run(self._bench.run_first, [Item(name) for name in rest], enough=left))
            except WorkerLost as lost:
                ending.append(self._ending(lost, rest))
                rest.remove(ending[-1])
                continue
            endless = found[-1].endless
            rest = rest[rest.index(endless) + 1 :] if endless else []
        cut = [outcomes.endless for outcomes in found if outcomes.endless in names]
        found += [alone for name in (*slow, *cut) for alone in self._one_by_one(name, found)]
        kept = self._affordable(names, found)
        if not own and len(found) == 1 and len(kept) == len(names) and not any(kept.values()):
            return found[0]
        some = {name: methods for name, methods in kept.items() if methods}
        slow = [name for name in names if name not in kept and name not in ending]
        again = self._whole(Outcomes(methods=some).items(kept, ())) if kept else Outcomes()
        return replace(again, slow=tuple(slow), ending=tuple(ending), methods=some)

    def _ending(self, lost: WorkerLost, among: Sequence[str]) -> str:
        """The bounded class that ended the JVM of these: a build may start one for each, as spark's does."""
        owner = lost.test.partition("::")[0]
        by_itself = not (lost.timed_out or lost.killed)
        if by_itself and len(among) > 1 and owner in among and self._bounded(owner):
            return owner
        raise lost

    def _one_by_one(self, name: str, found: Sequence[Outcomes]) -> Iterator[Outcomes]:
        """What some tests do of a class that takes too long, those left out that were begun with it."""
        begun = {test for outcomes in found for test in outcomes.ran.get(name, ())}
        begun.update(declared(test) for test in self._bounds.hung)
        left = [test for test in self._bounds.tests_of(name) if f"{name}::{test}" not in begun]
        end = time.monotonic() + _ALONE
        for test in left:
            if (seconds := end - time.monotonic()) <= 0:
                return
            alone = self.run(self._bench.run_first, [Item(name, (test,))], enough=seconds)
            yield replace(alone, seconds={})  # the class did not end

    def _affordable(self, names: Sequence[str], found: Sequence[Outcomes]) -> dict[str, tuple[str, ...]]:
        """Class → the methods worth their time, the quickest first but behind those that fail; none: all.

        Whole are those that are not bounded, and all where all end in time.
        """
        seconds = {name: spent for outcomes in found for name, spent in outcomes.seconds.items()}
        bounded = [name for name in names if self._bounded(name)]
        left = min(BUDGET, self._bounds.budget)
        if sum(seconds.get(name, math.inf) for name in bounded) <= left:
            return dict.fromkeys(names, ())
        tests = _methods(bounded, found)
        chosen: dict[str, list[str]] = {}
        for (name, method), (_, spent) in sorted(tests.items(), key=lambda item: item[1]):
            is_needed = covers(self._bounds.needed, f"{name}::{method}")
            if is_needed or spent <= left:
                chosen.setdefault(name, []).append(method)
                left -= 0.0 if is_needed else spent
        counts = Counter(name for name, _ in tests)
        kept: dict[str, tuple[str, ...]] = {}
        for name in names:
            methods = chosen.get(name, [])
            if name not in bounded or (name in seconds and len(methods) == counts[name]):
                kept[name] = ()
            elif methods:
                kept[name] = tuple(sorted(methods))
        return kept

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
        report.running if report.timed_out else "",
        times={r.id: r.seconds for r in report.results if r.seconds >= 0 and r.item >= first},
        output=report.output,
    )


def _methods(names: Sequence[str], found: Sequence[Outcomes]) -> dict[tuple[str, str], tuple[bool, float]]:
    """Class and method of each test → whether all its runs passed, and their seconds; endless if one is."""
    runs = {  # of what ran again, the last time counts
        (name, test): (test not in outcomes.failed, outcomes.times.get(test, math.inf))
        for outcomes in found
        for name in names
        for test in outcomes.ran.get(name, ())
    }
    methods: dict[tuple[str, str], tuple[bool, float]] = {}
    for (name, test), (passed, took) in runs.items():
        key = name, declared(test).partition("::")[2]
        if key[1]:
            passes, spent = methods.get(key, (True, 0.0))
            methods[key] = passes and passed, spent + took
    return methods


def covered(declared: str, tests: Iterable[str]) -> bool:
    """Whether a declared trigger test names one of these tests."""
    return any(covers(declared, test) for test in tests)
