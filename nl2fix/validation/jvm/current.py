"""A baseline without a reference fix: what the tests of a project say of the program as it is.

Tests that pass today must go on passing; tests that fail today are tolerated unless they are named
as triggers. Only test classes that reach the edited file are kept: those with failures, and those
whose results change when the file's classes are taken away.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Problem
from nl2fix.validation.jvm.bench import Bench, stable
from nl2fix.validation.jvm.prepare import BASELINE, BASELINE_SECONDS, Measuring, Outcomes, covers
from nl2fix.validation.jvm.reach import can_reach
from nl2fix.validation.jvm.worker import Item, Phase, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.workspace import TestClass, Workspace

_TRIGGER_SECONDS = 0.25
"""Least time that trigger tests are taken to need: they end early today, as they fail."""


@dataclass(frozen=True)
class Current:
    """A workspace whose baseline is the unedited program, and what was found on the way."""

    workspace: Workspace
    reaching: int
    """Test classes that reach the edited file."""
    known: int
    """Test classes looked at."""
    build_sha256: str
    """Hash of the unedited file's classes; an edit with this hash changes nothing."""


def measure_current(
    workers: Workers,
    workspace: Workspace,
    problem: Problem,
    tests: Sequence[str],
    *,
    triggers: Iterable[str] = (),
    select: bool = True,
) -> Current:
    """Run the test classes on the unedited program and fill in the workspace's baseline.

    With ``select`` only classes that reach the edited file are kept. Raises ``UsageError`` for a
    trigger test that does not exist or passes already, ``DataError`` when the program or its tests
    cannot be run. Nothing is saved.
    """
    bench = Bench(workspace, problem, workers)
    try:
        return _measure(bench, tuple(tests), tuple(triggers), select)
    except WorkerLost as lost:
        bench.drop()
        raise DataError(f"the project's tests end their JVM before any edit: {lost}") from lost
    finally:
        bench.close()


def _measure(bench: Bench, names: tuple[str, ...], triggers: tuple[str, ...], select: bool) -> Current:
    bench.original()
    unedited = bench.compile(bench.unedited_text)
    classes = unedited.classes
    reached = _reaching(bench, names) if select else names
    owners = {trigger.partition("::")[0] for trigger in triggers}
    kept = tuple(name for name in names if name in reached or name in owners)
    measuring = Measuring(bench, kept)
    baseline, isolated = measuring.baseline(classes)
    declared = _declared(triggers, baseline)
    workspace = replace(
        bench.workspace,
        regression=tuple(
            TestClass(name, tuple(sorted(map(stable, baseline.ran[name]))), baseline.seconds[name])
            for name in kept
            if baseline.ran[name]
        ),
        failing=tuple(sorted(t for t in baseline.failed if not any(covers(d, t) for d in declared))),
        isolated=isolated,
        trigger_tests=declared,
    )
    warm = measuring.warm(workspace, classes)
    workspace = replace(
        workspace,
        trigger_seconds=max(warm.trigger_seconds, _TRIGGER_SECONDS) if declared else 0.0,
        regression=tuple(_timed(test, warm.seconds[test.name]) for test in workspace.regression),
        # Trigger tests fail in any JVM; tolerating them warm would cost every candidate a fresh one.
        fresh_only=tuple(sorted(warm.failed - baseline.failed)),
    )
    return Current(workspace, len(reached), len(names), unedited.sha256)


def _timed(test: TestClass, warm: float) -> TestClass:
    """The shorter of two times, which a busy machine or loading classes lengthened less."""
    return replace(test, seconds=round(min(test.seconds, warm), 4))


def _declared(triggers: tuple[str, ...], baseline: Outcomes) -> tuple[str, ...]:
    """The trigger tests, each of which must exist and fail today."""
    ran = {stable(test) for tests in baseline.ran.values() for test in tests}
    for trigger in triggers:
        if not any(covers(trigger, test) for test in ran | baseline.failed):
            close = difflib.get_close_matches(trigger, ran, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"write it like {min(ran, default='A::b')}"
            raise UsageError(f"no test {trigger!r} ran; {hint}")
        if not any(covers(trigger, test) for test in baseline.failed):
            raise UsageError(f"trigger test {trigger} passes already; name one that fails because of the bug")
    return triggers


def _reaching(bench: Bench, names: tuple[str, ...]) -> set[str]:
    """Test classes that come out differently without the edited file's classes, each run on its own.

    Run are those that refer to these classes at all. A test that fails today may fail without them,
    too, so classes with failures are kept.
    """
    folders = [Path(folder) for folder in (*bench.classes.project, *bench.classes.tests)]
    names = tuple(sorted(can_reach(folders, names, bench.original()), key=names.index))
    items = tuple(Item(name, isolated=True) for name in names)
    whole = _outcomes(bench, items, with_file=True)
    without = _outcomes(bench, items, with_file=False)
    fails = {name for name in names if any(outcome in "FC" for _, outcome in whole[name])}
    return {name for name in names if name in fails or whole[name] != without[name]}


def _outcomes(bench: Bench, items: tuple[Item, ...], *, with_file: bool) -> dict[str, list[tuple[str, str]]]:
    """Test class → sorted results of its tests."""
    classes = bench.compile(bench.unedited_text).classes if with_file else {}
    plan = bench.plan(classes, [Phase(BASELINE, items)], (), stop=False)
    report = bench.run_warm(plan)
    if report.timed_out:
        raise DataError(
            f"the project's tests did not end within {BASELINE_SECONDS:.0f} s; choose some with --tests"
        )
    found: dict[str, list[tuple[str, str]]] = {item.name: [] for item in items}
    for result in report.results:
        found[items[result.item].name].append((stable(result.id), result.outcome))
    return {name: sorted(results) for name, results in found.items()}
