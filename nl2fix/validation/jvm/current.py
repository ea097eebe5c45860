"""A baseline without a reference fix: what the tests of a project say of the program as it is.

Tests that pass today must go on passing; tests that fail today are tolerated unless they are named
as triggers.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Problem
from nl2fix.validation.jvm.baseline import ALL_BOUNDED, Bounds, Endless, JvmBaseline, Outcomes, covered
from nl2fix.validation.jvm.bench import Bench, items, trigger_items
from nl2fix.validation.jvm.ids import covers, declared, is_test
from nl2fix.validation.jvm.worker import WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import TestClass, Workspace

_TRIGGER_SECONDS = 0.25
"""Least time that trigger tests are taken to need: they end early today, as they fail."""
_ALIKE_SECONDS = 1.5
"""Most that a trigger test which hangs is taken to need once it is mended: each edit that leaves it so costs
some times as much.
"""
_AGAIN = 4
"""Times that classes with failing tests run again, to find those that fail only at times."""
_BRIEF = 0.5
"""Seconds."""


@dataclass(frozen=True)
class Current:
    """A workspace whose baseline is the unedited program, and what was found on the way."""

    workspace: Workspace
    build_sha256: str
    """Hash of the unedited file's classes; an edit with this hash changes nothing."""
    slow: tuple[str, ...]
    """Test classes left out because their tests take too long."""
    ending: tuple[str, ...]
    """Test classes left out because they end their JVM behind others."""
    some: Mapping[str, int]
    """Of classes whose slow tests are left out: how many were kept."""
    output: str
    """What tests print that fail today."""
    found: tuple[Outcomes, ...]
    """What the test classes did, one after another, with those of ``Bounds.known``."""


class TriggerError(UsageError):
    """A test that must pass does not exist, or does not fail today."""


class NoSuchTest(TriggerError):
    """None that ran is meant by ``test``."""

    def __init__(self, test: str, hint: str) -> None:
        super().__init__(f"no test {_said(test)!r} ran; {hint}")
        self.test = test


def measure_current(
    workers: Workers,
    workspace: Workspace,
    problem: Problem,
    tests: Sequence[str],
    *,
    triggers: Iterable[str] = (),
    bounds: Bounds = ALL_BOUNDED,
) -> Current:
    """Run the test classes on the unedited program and fill in the workspace's baseline.

    ``bounds`` leave out slow tests, but for those of a class with a trigger test, which may hang. Raises
    ``UsageError`` for a trigger test that does not exist or passes, already or at times, ``DataError`` when
    the program or its tests cannot be run. Nothing is saved.
    """
    bench = Bench(workspace, problem, workers)
    bench.trusts = True
    try:
        return _measure(bench, tuple(tests), tuple(triggers), bounds)
    except Endless as endless:
        owner = endless.test.partition("::")[0]
        raise DataError(f"the tests of {owner} did not end in time; choose others with --tests") from endless
    except WorkerLost as lost:
        bench.drop()
        tests = "the project's tests" + (f" ({lost.test})" if lost.test else "")
        if lost.timed_out:
            raise DataError(f"{tests} did not end in time; choose some with --tests") from lost
        raise DataError(f"{tests} end their JVM before any edit; choose some with --tests: {lost}") from lost
    finally:
        bench.close()


def insisting(
    workers: Workers, workspace: Workspace, problem: Problem, triggers: Sequence[str]
) -> Workspace | None:
    """The same baseline with tests that fail today as triggers; ``None`` where that has to be measured.

    Only these run again, and where their classes take less time than trigger tests are taken to need not even
    they. Raises ``UsageError`` for a test that fails only at times.
    """
    _refuse_chance(triggers, workspace.flaky)
    if not all(covered(trigger, workspace.failing) for trigger in triggers):
        return None
    seconds = {test.name: test.seconds for test in workspace.regression}
    owners = {trigger.partition("::")[0] for trigger in triggers}
    needed = _TRIGGER_SECONDS
    if any(seconds.get(owner, math.inf) > _TRIGGER_SECONDS for owner in owners):
        alone = _alone(workers, workspace, problem, triggers)
        if alone is None:
            return None
        needed = max(alone, _TRIGGER_SECONDS)
    failing = tuple(t for t in workspace.failing if not _insisted(triggers, t))
    return replace(workspace, failing=failing, trigger_tests=tuple(triggers), trigger_seconds=needed)


def _alone(workers: Workers, workspace: Workspace, problem: Problem, triggers: Sequence[str]) -> float | None:
    """Seconds that trigger tests take today by themselves; ``None`` where they do not fail so, or not end."""
    bench = Bench(workspace, problem, workers)
    bench.trusts = True
    try:
        baseline = JvmBaseline(bench, bench.compile(bench.unedited).classes)
        tests = trigger_items(triggers, workspace.isolated)
        ran = baseline.run(bench.run_warm, tests, first=len(tests))
        return ran.first_seconds if all(covered(trigger, ran.failed) for trigger in triggers) else None
    except Endless:
        return None
    except WorkerLost:
        bench.drop()
        return None
    finally:
        bench.close()


def _measure(bench: Bench, names: tuple[str, ...], triggers: tuple[str, ...], bounds: Bounds) -> Current:
    unedited = bench.compile(bench.unedited)
    hung = {test for test in bounds.hung if _insisted(triggers, test)}
    hung = hung or _hanging(JvmBaseline(bench, unedited.classes, ALL_BOUNDED), bench, triggers)
    bounds = replace(bounds, hung=hung.union(bounds.hung))
    owners = {trigger.partition("::")[0] for trigger in triggers if not covered(trigger, hung)}
    baseline = JvmBaseline(bench, unedited.classes, _but_for(owners, bounds))
    today = baseline.measure(names)
    today = replace(today, failed=today.failed | hung)
    _check(triggers, today)
    triggers = tuple(dict.fromkeys(test for each in triggers for test in _each(each, hung, today.failed)))
    ending = [trigger for trigger in triggers if trigger not in hung]
    workspace = replace(
        bench.workspace,
        regression=today.regression,
        failing=tuple(sorted(t for t in today.failed if not _insisted(triggers, t))),
        isolated=today.isolated,
        trigger_tests=triggers,
        unmended=True,
        hung=tuple(sorted(hung)),
    )
    alone = trigger_items(ending, today.isolated)
    warm = baseline.run(bench.run_warm, alone + items(workspace.regression, today.isolated), first=len(alone))
    workspace = replace(
        workspace,
        trigger_seconds=max(warm.first_seconds, _TRIGGER_SECONDS, _alike(hung, warm)) if triggers else 0.0,
        regression=tuple(_timed(test, warm.seconds.get(test.name)) for test in workspace.regression),
        # Trigger tests fail in any JVM; tolerating them warm would cost every candidate a fresh one.
        fresh_only=tuple(sorted(warm.failed - today.failed)),
    )
    runs = [warm, *_again(baseline, bench, workspace, today.failed)]
    at_times = frozenset[str]().union(*(today.failed & run.tests - run.failed for run in runs))
    _refuse_chance(triggers, {test for run in runs for test in at_times & run.failed})
    flaky = tuple(sorted(t for t in at_times if not _insisted(triggers, t)))
    workspace = replace(workspace, flaky=flaky, regression=_with_hung(workspace.regression, hung))
    whole = {test.partition("::")[0] for test in hung}  # but for what hangs
    some = {name: len(today.ran[name]) for name in today.methods.keys() - whole}
    slow = tuple(name for name in today.slow if name not in whole)
    found = tuple(baseline.found)
    return Current(workspace, unedited.sha256, slow, today.ending, some, today.output, found)


def _insisted(triggers: Iterable[str], test: str) -> bool:
    return any(covers(trigger, test) for trigger in triggers)


def _each(trigger: str, hung: Collection[str], failed: Collection[str]) -> list[str]:
    """A trigger test as it is; of a class with one that hangs those that fail today, which then run alone."""
    if trigger in hung or not covered(trigger, hung):
        return [trigger]
    return sorted(declared(test) for test in failed if covers(trigger, test) and is_test(test))


def _hanging(baseline: JvmBaseline, bench: Bench, triggers: Sequence[str]) -> set[str]:
    """The trigger test that hangs today, if one does: they are waited for as long as slow classes."""
    try:
        ran = baseline.run(bench.run_warm, trigger_items(triggers, ()))
    except WorkerLost:
        bench.drop()
        return set()
    hung = declared(ran.cut)  # of one with parameters nobody knows which runs hang
    return {hung} if is_test(hung) and _insisted(triggers, hung) else set()


def _alike(hung: Collection[str], ran: Outcomes) -> float:
    """Seconds that tests which hang may need once they are mended: those of the slowest of their classes."""
    owners = {test.partition("::")[0] for test in hung}
    near = (seconds for test, seconds in ran.times.items() if test.partition("::")[0] in owners)
    return min(max(near, default=0.0), _ALIKE_SECONDS)


def _with_hung(regression: Iterable[TestClass], hung: Iterable[str]) -> tuple[TestClass, ...]:
    """The classes with trigger tests that hang today, which then run in them as others do."""
    classes = {item.name: item for item in regression}
    for test in hung:
        owner, _, method = test.partition("::")
        item = classes.get(owner, TestClass(owner, ()))
        tests, methods = sorted({*item.tests, test}), sorted({*item.methods, method})
        seconds = max(item.seconds, _TRIGGER_SECONDS)
        classes[owner] = TestClass(owner, tuple(tests), seconds, tuple(methods))
    return tuple(classes.values())


def _but_for(owners: Collection[str], bounds: Bounds) -> Bounds:
    """The same, with classes of trigger tests whole, but for those that are known to take too long."""
    whole = {owner for owner in owners if owner not in bounds.slow}
    return replace(bounds, bounded=lambda name: bounds.bounded(name) and name not in whole)


def _again(
    baseline: JvmBaseline, bench: Bench, workspace: Workspace, failed: frozenset[str]
) -> list[Outcomes]:
    """What brief classes with tests that failed do when they run again: some tests fail only at times."""
    brief = (
        test for test in workspace.regression if test.seconds < _BRIEF and failed.intersection(test.tests)
    )
    wanted = items(brief, workspace.isolated)
    return [baseline.run(bench.run_warm, wanted) for _ in range(_AGAIN if wanted else 0)]


def _refuse_chance(triggers: Iterable[str], flaky: Collection[str]) -> None:
    """Refuse trigger tests that any edit makes pass at times."""
    for trigger in triggers:
        if covered(trigger, flaky):
            raise UsageError(
                f"trigger test {_said(trigger)} fails only at times: any edit may pass it by chance"
            )


def _timed(test: TestClass, warm: float | None) -> TestClass:
    """The shorter of two times, which a busy machine or loading classes lengthened less."""
    return replace(test, seconds=round(min(test.seconds, test.seconds if warm is None else warm), 4))


def _said(test: str) -> str:
    """A test as users write it."""
    return test.replace("::", "#")


def _check(triggers: tuple[str, ...], today: Outcomes) -> None:
    """Each trigger test must exist and fail today."""
    ran = today.tests
    for trigger in triggers:
        if not covered(trigger, ran | today.failed):
            close = difflib.get_close_matches(trigger, ran, n=1)
            like = _said(close[0] if close else min(ran, default="A::b"))
            hint = f"did you mean {like!r}?" if close else f"write it like {like}"
            raise NoSuchTest(trigger, hint)
        if not covered(trigger, today.failed):
            raise TriggerError(
                f"trigger test {_said(trigger)} passes already; name one that fails because of the bug"
            )
