"""What edits do when tests call them: the calls that tests make, and tests like those, heard in each program.

The tests that reach the units are found on the unedited program, with their assertions left out, and so are
copies of them in which constants are others. Which tests and calls these are is a matter of their number and
order, so that it is the same on every machine. Limits of time are for tests that are far slower than that
is worth, and whether one struck is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from struct import error as StructError
from typing import NamedTuple

from nl2fix.validation.calls.heard import COPY, MOST_HEARD, MOST_TESTS, SHARE, Take, copies
from nl2fix.validation.jvm.bench import Bench, items, trigger_items
from nl2fix.validation.jvm.classedit import ClassEdit
from nl2fix.validation.jvm.ids import covers, declared
from nl2fix.validation.jvm.tapping import Unit, quiet, tapped, varied
from nl2fix.validation.jvm.worker import Build, ClassFile, Item, Limit, Phase, Plan, Report
from nl2fix.validation.jvm.workspace import TestClass, Workspace

_REACHING = 1000
"""Calls by which tests that reach a unit are found, two of each."""
_MOST_CLASSES = 40
"""Test classes that are looked at, the nearest ones, besides those of the trigger tests."""
_LONG, _TOGETHER = 1.0, 4.0
"""Seconds of a test, no trigger test, and of all, beyond which none is heard."""
_FOUND, _TRIED, _ASKED = Limit(60.0, 240.0), Limit(20.0, 120.0), Limit(8.0, 40.0)
_COPY = Limit(_LONG, 10.0)
"""Of a copy while tests are tried: another constant makes many a loop endless."""
_ENDLESS, _PATIENCE = 2, 40.0
"""Tests that do not end, and seconds by the clock, after which no other is tried."""

Run = Callable[[Plan], Report | None]
"""Runs a plan; ``None`` where it ends the JVM."""


class Changes(NamedTuple):
    """How classes of tests are changed to be heard."""

    methods: Sequence[str]
    """Tests of which there are copies."""
    copies: int
    seed: str

    def of(self, content: bytes) -> ClassFile:
        """A class of the tests without assertions, with copies; as it is where it cannot be read."""
        with suppress(ValueError, LookupError, StructError):
            content = varied(quiet(content), self.methods, self.copies, self.seed)
        return ClassFile(1, content)


class Chosen(NamedTuple):
    """Tests that reach units."""

    classes: Mapping[str, ClassFile]
    """Of the tests, changed."""
    changes: Changes
    items: tuple[Item, ...]
    late: bool
    """Whether a limit of time left some out, or a JVM was lost."""


class Hearing:
    """The tests of one workspace. Not thread-safe."""

    def __init__(self, workspace: Workspace, bench: Bench, varies: bool) -> None:
        """``varies``: there are copies of tests; not where what they do to files would stay."""
        self._workspace, self._bench, self._varies = workspace, bench, varies

    def passes(self, test: str) -> bool:
        """Whether the unedited program always passes a test, with whatever parameters, and fails others.

        Where it fails none the fault may lie in what any test calls.
        """
        w = self._workspace
        others = (*w.trigger_tests, *w.failing, *w.flaky)
        return bool(w.trigger_tests or w.failing) and not any(
            covers(other, test) or other.startswith(f"{test}[") for other in others
        )

    def chosen(self, units: Sequence[Unit], unedited: Build, warm: Run, seed: str) -> Chosen:
        """The tests that reach units, by what they do on the unedited program."""
        asked = self._asked({unit.owner for unit in units})
        names = [item.name for item in asked]
        classes = self._changed(names, Changes((), 0, seed))
        phases = (Phase(_FOUND, tuple(asked)),)
        plan = replace(self._plan(unedited, units, classes, phases), hear=_REACHING, share=_REACHING)
        found = warm(plan)
        tests = _methods(call.test for call in found.heard) if found else {}
        changes = Changes(sorted({m for each in tests.values() for m in each}), _copies_of(tests), seed)
        classes = self._changed(names, changes)

        def run(items: Sequence[Item], seconds: float) -> Report | None:
            return warm(replace(self._plan(unedited, units, classes, _phases(items)), enough=seconds))

        kept, late = self._worth(_tried(run, tuple(self._each(tests))))
        late |= found is None or found.timed_out
        return Chosen(classes, changes, tuple(_together(kept)), late)

    def heard(self, chosen: Chosen, units: Sequence[Unit], build: Build, run: Run) -> Take:
        """What the chosen tests call in an edit; nothing where it ends its JVM."""
        if not chosen.items:
            return Take({})
        anew = {  # tests that the edit needs compiled against it
            name: chosen.changes.of(build.classes[name].content)
            for name in chosen.classes.keys() & build.classes.keys()
        }
        report = run(self._plan(build, units, {**chosen.classes, **anew}, (Phase(_ASKED, chosen.items),)))
        return Take({call.values: call for call in report.heard}, report.timed_out) if report else Take({})

    def _plan(
        self,
        build: Build,
        units: Sequence[Unit],
        tests: Mapping[str, ClassFile],
        phases: Sequence[Phase],
    ) -> Plan:
        classes = {**build.classes}
        for unit in units:
            if unit.owner in classes:
                content = tapped(classes[unit.owner].content, unit)
                classes[unit.owner] = replace(classes[unit.owner], content=content)
        plan = self._bench.plan({**classes, **tests}, phases, (), stop=False)
        return replace(plan, hear=MOST_HEARD, share=SHARE)

    def _asked(self, owners: Set[str]) -> list[Item]:
        """Test classes: the trigger tests', then what names an edited class, then its package's.

        Tests that take too long to judge, or hang on the unedited program, are none of theirs.
        """
        w = self._workspace
        ending = [test for test in w.trigger_tests if test not in w.hung]
        triggers = {item.name: item.methods for item in trigger_items(ending, ())}
        packages = {_package(owner) for owner in owners}
        regression = list(_but_for(w.hung, w.regression))
        others = [test for test in regression if test.name not in triggers]
        others.sort(key=lambda t: (not owners & self._refers(t.name), _package(t.name) not in packages))
        kept = {test.name: test.methods for test in regression}
        methods = {name: _with(kept.get(name, ()), only) for name, only in triggers.items()}
        own = [Item(name, only, name in w.isolated) for name, only in methods.items()]
        return [*own, *items(others[:_MOST_CLASSES], w.isolated)]

    def _refers(self, name: str) -> set[str]:
        """Classes that a test class names."""
        content = self._content(name)
        return set(_referred(content)) if content else set()

    def _changed(self, tests: Iterable[str], changes: Changes) -> dict[str, ClassFile]:
        """The test classes and those of the tests' folders that they refer to, directly or not."""
        waiting, changed = [*tests], dict[str, ClassFile]()
        while waiting:
            name = waiting.pop()
            content = b"" if name in changed else self._content(name)
            if content:
                changed[name] = changes.of(content)
                waiting += _referred(content)
        return changed

    def _content(self, name: str) -> bytes:
        for folder in self._workspace.test_classes:
            file = self._workspace.path(folder) / Path(*name.split(".")).with_suffix(".class")
            if file.is_file():
                return file.read_bytes()
        return b""

    def _each(self, tests: Mapping[str, Sequence[str]]) -> Iterator[Item]:
        """Each test by itself, then their copies."""
        for name, methods in tests.items():
            for method in methods:
                yield Item(name, () if method == "main" else (method,), name in self._workspace.isolated)
        for number in range(_copies_of(tests) if self._varies else 0):
            for name, methods in tests.items():
                for method in methods:
                    yield Item(name, (f"{method}{COPY}{number}",), name in self._workspace.isolated)

    def _worth(self, trial: _Trial) -> tuple[list[Item], bool]:
        """Those that made calls which none did before; and whether some of them take too long."""
        triggers = {_item(test) for test in self._workspace.trigger_tests}
        kept, spent, late = [], 0.0, trial.late
        for item, seconds in trial.ended:
            if _name(item) in trial.heard:
                soon = (seconds < _LONG or _name(item) in triggers) and spent + seconds < _TOGETHER
                late |= not soon
                kept += [item] * soon
                spent += seconds * soon
        return kept, late


class _Trial(NamedTuple):
    """What became of tests that were run one by one."""

    ended: Sequence[tuple[Item, float]]
    """With the seconds of each."""
    heard: Set[tuple[str, str]]
    """Class and method of those that made calls which none did before."""
    late: bool
    """Whether one did not end, or the JVM was lost."""


def _tried(run: Callable[[Sequence[Item], float], Report | None], items: Sequence[Item]) -> _Trial:
    """Run tests; one that does not end is left out, and those behind it run in the time that is left."""
    ended, heard, values = list[tuple[Item, float]](), set[tuple[str, str]](), set[str]()
    end = time.monotonic() + _PATIENCE
    for attempt in range(_ENDLESS):
        left = end - time.monotonic()
        report = run(items, left) if items and left > 0 else None
        if report is None:
            break
        ended += zip(items, report.seconds, strict=False)
        heard |= {_item(call.test) for call in report.heard if call.values not in values}
        values |= {call.values for call in report.heard}
        if not report.timed_out:
            return _Trial(ended, heard, late=attempt > 0)
        items = items[len(report.seconds) + 1 :]
    return _Trial(ended, heard, late=True)


def _but_for(hung: Collection[str], regression: Iterable[TestClass]) -> Iterator[TestClass]:
    """The classes without tests that hang; of those that have one the methods that run are known."""
    for test in regression:
        methods = tuple(method for method in test.methods if f"{test.name}::{method}" not in hung)
        if methods or not test.methods:
            yield replace(test, methods=methods)


def _phases(tried: Sequence[Item]) -> list[Phase]:
    """The tests share a limit, each copy has one of its own."""
    own = tuple(item for item in tried if not _is_copy(item))
    return [*([Phase(_TRIED, own)] if own else []), *(Phase(_COPY, (i,)) for i in tried if _is_copy(i))]


def _is_copy(item: Item) -> bool:
    return any(COPY in method for method in item.methods)


def _with(kept: Sequence[str], triggers: Sequence[str]) -> tuple[str, ...]:
    """The methods of a class that are run: all, or those that judge and the trigger tests."""
    return tuple(dict.fromkeys((*triggers, *kept))) if kept and triggers else ()


def _methods(tests: Iterable[str]) -> dict[str, list[str]]:
    """Class → methods of the first tests, in their order; of a repeated test its method."""
    found: dict[str, list[str]] = {}
    for test in [*dict.fromkeys(declared(test) for test in tests)][:MOST_TESTS]:
        name, _, method = test.partition("::")
        if method:
            found.setdefault(name, []).append(method)
    return found


def _copies_of(tests: Mapping[str, Sequence[str]]) -> int:
    return copies(sum(map(len, tests.values())))


def _referred(content: bytes) -> list[str]:
    """Names of the classes that a class refers to; none where it cannot be read."""
    try:
        return [*ClassEdit(content).refers()]
    except (ValueError, LookupError, StructError):
        return []


def _package(name: str) -> str:
    return name.rpartition(".")[0]


def _item(test: str) -> tuple[str, str]:
    """Class and method of a test, none of a program."""
    name, _, method = declared(test).partition("::")
    return name, "" if method == "main" else method


def _name(item: Item) -> tuple[str, str]:
    return item.name, "".join(item.methods)


def _together(kept: Iterable[Item]) -> Iterator[Item]:
    """The tests of a class as one item, and the copies as another, behind them."""
    methods: dict[tuple[bool, str, bool], list[str]] = {}
    for item in kept:
        methods.setdefault((_is_copy(item), item.name, item.isolated), []).extend(item.methods)
    for (_, name, isolated), wanted in methods.items():
        yield Item(name, tuple(wanted), isolated)
