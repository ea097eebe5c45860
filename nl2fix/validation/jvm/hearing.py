"""What edits do when tests call them: the calls that tests make, and tests like those, heard in each program.

The tests that reach the units are found on the unedited program, with their assertions left out, and so are
copies of them in which constants are others. A call is known by its values: programs are compared on calls
with equal ones. What differs between a fresh JVM and a used one, or between two calls with equal values,
counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from struct import error as StructError
from typing import NamedTuple

from nl2fix.core.apart import MOST_SHOWN
from nl2fix.core.records import Change, OnTests
from nl2fix.validation.jvm.bench import Bench, trigger_items
from nl2fix.validation.jvm.classedit import ClassEdit
from nl2fix.validation.jvm.tapping import COPY, Unit, quiet, tapped, varied
from nl2fix.validation.jvm.worker import Build, ClassFile, Heard, Item, Limit, Phase, Plan, Report
from nl2fix.validation.jvm.workspace import Workspace

_FEWEST, _MOST, _WANTED = 4, 24, 120
"""Copies of a test with other constants: so many that there are ``_WANTED`` in all."""
_REACHING = 1000
"""Calls by which tests that reach a unit are found, two of each."""
_MOST_TESTS = 40
"""That are tried, without their copies."""
_FINDING = 5.0
"""Seconds, as measured when they were prepared, of the test classes that are looked at."""
_COSTLY = 0.25
"""Seconds of a test, no trigger test, that is not worth its time."""
_TOGETHER = 1.0
"""Seconds that the chosen tests may take together."""
_FOUND, _TRIED, _ASKED = Limit(30.0, 120.0), Limit(20.0, 90.0), Limit(3.0, 20.0)

Calls = Mapping[str, Heard]
"""By their values, in the order in which they were first made."""
Run = Callable[[Plan], Report | None]
"""Runs a plan; ``None`` where it ends the JVM."""


class Chosen(NamedTuple):
    """Tests that reach units, and what they call there in the unedited program."""

    classes: Mapping[str, ClassFile]
    """Of the tests, changed."""
    items: tuple[Item, ...]
    calls: Calls
    unsteady: frozenset[str]


class Ear(NamedTuple):
    """What to compare edits with."""

    chosen: Chosen
    reference: Calls | None
    unsteady: frozenset[str]
    """Calls on which two runs of the reference did not do the same."""

    def told(self, calls: Calls) -> OnTests:
        """What an edit's calls show."""
        before, doubted = self.chosen.calls, self.chosen.unsteady | self.unsteady
        steady = {key: call for key, call in calls.items() if call.steady and key not in doubted}
        reference = self.reference or {}
        apart = _different(reference, steady, 1)
        return OnTests(
            dropped=len(doubted),
            changes=_different(before, steady, MOST_SHOWN),
            beside=len(reference.keys() & steady.keys()),
            apart=apart[0] if apart else None,
        )


def _different(before: Calls, after: Calls, most: int) -> tuple[Change, ...]:
    """Calls with equal values on which two programs do other things, those of the tests as they are first."""
    both = [key for key, call in before.items() if key in after and after[key].digest != call.digest]
    both.sort(key=lambda key: COPY in before[key].test)
    return tuple(Change(before[k].call, before[k].told, after[k].told) for k in both[:most])


class Hearing:
    """The tests of one workspace. Not thread-safe."""

    def __init__(self, workspace: Workspace, bench: Bench, most: int) -> None:
        """``most`` calls are heard of each program."""
        self._workspace, self._bench, self._most = workspace, bench, most

    def chosen(self, units: Sequence[Unit], unedited: Build, *, fresh: Run, warm: Run, seed: str) -> Chosen:
        """The tests that reach units, by what they do on the unedited program."""
        asked = self._asked()
        classes = self._changed([item.name for item in asked], {}, seed)
        plan = replace(self._plan(unedited, units, classes, asked, _FOUND), hear=_REACHING, share=_REACHING)
        found = _calls(warm(plan))
        tests = _methods(call.test for call in found.values())
        classes = self._changed([item.name for item in asked], tests, seed)
        tried = tuple(self._each(tests))
        report = warm(self._plan(unedited, units, classes, tried, _TRIED))
        kept = self._worth(tried, report)
        chosen = Chosen(classes, tuple(_together(kept)), {}, frozenset())
        one, other = (self.heard(chosen, units, unedited, run) for run in (fresh, warm))
        return chosen._replace(calls=other, unsteady=unsteady(one, other))

    def heard(self, chosen: Chosen, units: Sequence[Unit], build: Build, run: Run) -> Calls:
        """What the chosen tests call in an edit; nothing where it ends its JVM."""
        if not chosen.items:
            return {}
        return _calls(run(self._plan(build, units, chosen.classes, chosen.items, _ASKED)))

    def _plan(
        self,
        build: Build,
        units: Sequence[Unit],
        tests: Mapping[str, ClassFile],
        asked: Sequence[Item],
        limit: Limit,
    ) -> Plan:
        classes = {**build.classes}
        for unit in units:
            if unit.owner in classes:
                content = tapped(classes[unit.owner].content, unit)
                classes[unit.owner] = replace(classes[unit.owner], content=content)
        plan = self._bench.plan({**classes, **tests}, (Phase(limit, tuple(asked)),), (), stop=False)
        return replace(plan, hear=self._most)

    def _asked(self) -> list[Item]:
        """Whole test classes, those of the trigger tests first."""
        w, seconds = self._workspace, 0.0
        names = [item.name for item in trigger_items(w.trigger_tests, ())]
        for test in sorted(w.regression, key=lambda test: test.seconds):
            seconds += test.seconds
            if seconds < _FINDING:
                names.append(test.name)
        return [Item(name, isolated=name in w.isolated) for name in dict.fromkeys(names)]

    def _changed(
        self, tests: Iterable[str], wanted: Mapping[str, Sequence[str]], seed: str
    ) -> dict[str, ClassFile]:
        """The test classes and those of the tests' folders that they refer to, directly or not."""
        waiting, changed = [*tests], dict[str, ClassFile]()
        methods = sorted({method for each in wanted.values() for method in each})
        while waiting:
            name = waiting.pop()
            content = b"" if name in changed else self._content(name)
            if content:
                try:
                    changed[name] = ClassFile(1, varied(quiet(content), methods, _copies(wanted), seed))
                    waiting += ClassEdit(content).refers()
                except (ValueError, LookupError, StructError):
                    changed[name] = ClassFile(1, content)
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
        for number in range(_copies(tests)):
            for name, methods in tests.items():
                for method in methods:
                    yield Item(name, (f"{method}{COPY}{number}",), name in self._workspace.isolated)

    def _worth(self, tried: Sequence[Item], report: Report | None) -> list[Item]:
        """Those that made calls which none did before, and soon enough."""
        if report is None:
            return []
        heard = {_item(call.test) for call in report.heard}
        triggers = {_item(test) for test in self._workspace.trigger_tests}
        kept, spent = [], 0.0
        for item, seconds in zip(tried, report.seconds, strict=False):
            soon = seconds < _COSTLY or _name(item) in triggers
            if _name(item) in heard and soon and spent + seconds < _TOGETHER:
                kept.append(item)
                spent += seconds
        return kept


def unsteady(one: Calls, other: Calls) -> frozenset[str]:
    """Calls on which two runs of one program did not do the same."""
    return frozenset(
        key
        for calls, others in ((one, other), (other, one))
        for key, call in calls.items()
        if not call.steady or (key in others and others[key].digest != call.digest)
    )


def _calls(report: Report | None) -> dict[str, Heard]:
    return {call.values: call for call in report.heard} if report else {}


def _methods(tests: Iterable[str]) -> dict[str, list[str]]:
    """Class → methods of the first tests, in their order; of a repeated test its method."""
    found: dict[str, list[str]] = {}
    for test in [*dict.fromkeys(_plain(test) for test in tests)][:_MOST_TESTS]:
        name, _, method = test.partition("::")
        if method:
            found.setdefault(name, []).append(method)
    return found


def _copies(tests: Mapping[str, Sequence[str]]) -> int:
    """Of each test."""
    return max(_FEWEST, min(_MOST, _WANTED // max(1, sum(map(len, tests.values())))))


def _plain(test: str) -> str:
    return test.partition("[")[0]


def _item(test: str) -> tuple[str, str]:
    """Class and method of a test, none of a program."""
    name, _, method = _plain(test).partition("::")
    return name, "" if method == "main" else method


def _name(item: Item) -> tuple[str, str]:
    return item.name, "".join(item.methods)


def _together(kept: Iterable[Item]) -> Iterator[Item]:
    """The tests of a class as one item, and the copies as another, behind them."""
    methods: dict[tuple[bool, str, bool], list[str]] = {}
    for item in kept:
        copied = any(COPY in method for method in item.methods)
        methods.setdefault((copied, item.name, item.isolated), []).extend(item.methods)
    for (_, name, isolated), wanted in methods.items():
        yield Item(name, tuple(wanted), isolated)
