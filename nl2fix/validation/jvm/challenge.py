"""Tests that nobody can foresee, for the JVM that confirms a candidate, after it has passed everything.

Code under test may have changed what its JVM takes for equal, or how failures are told. So that JVM is
given tests with random names of which we alone know which must fail, and tests of a program that is known
to be wrong, as a rule the trigger tests of the unedited one, which must still tell so.
"""

from __future__ import annotations

import random
import secrets
import string
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.classpath import ClassFinder
from nl2fix.validation.jvm.worker import ClassFile, Item, Limit, Phase, Plan, Report
from nl2fix.validation.jvm.workspace import Workspace

_SECONDS = Limit(10.0, 60.0)
_PLACE = ("qqqqqqqq", "Qqqqqqqq")
"""Package and class. Methods are ``testm0aaaaaa`` and so on, each compares ``x0xxxxxx`` to ``y0yyyyyy``."""
_CHECKS = (
    # No variable arguments, generics or boxing: programs of Java 1.3 meet this one.
    "if (!java.util.Collections.singletonList({x}).equals(java.util.Collections.singletonList({y})))"
    " {{ throw new AssertionError(); }}",
    "{a}.assertTrue({x}.equals({y}));",
    "{a}.assertEquals(Boolean.TRUE, Boolean.valueOf({x}.equals({y})));",
    "{a}.assertEquals((Object) {x}, {y});",
)
_KINDS = {
    "jupiter": (
        "",
        "@org.junit.jupiter.api.Test ",
        "org.junit.jupiter.api.Assertions",
        b"org/junit/jupiter/api/Test",
    ),
    "junit4": ("", "@org.junit.Test ", "org.junit.Assert", b"org/junit/Test"),
    "junit3": (
        " extends junit.framework.TestCase",
        "",
        "junit.framework.Assert",
        b"junit/framework/TestCase",
    ),
    "testng": ("", "@org.testng.annotations.Test ", "org.testng.Assert", b"org/testng/annotations/Test"),
}
"""Kind → superclass, annotation, class of assertions, and what a test class of the kind names."""
_FRAMEWORKS = ("org/junit", "junit", "org/testng")
"""Folders of their classes."""


class Telling(NamedTuple):
    """A program that is wrong, and tests that tell so; none: nothing is known."""

    classes: Mapping[str, ClassFile] = {}
    items: tuple[Item, ...] = ()


class JvmChallenge(NamedTuple):
    """What to run, and what must come of it."""

    plan: Plan
    expected: dict[str, str]
    """Test id → ``P`` or ``F``."""
    told: int
    """Items whose tests tell that a program is wrong, of which one must fail; 0: none is run."""

    def unmet(self, report: Report) -> Literal["", "tests", "told"]:
        """What did not come as it must."""
        told = {result.id: result.outcome for result in report.results}
        if report.timed_out or any(told.get(test) != outcome for test, outcome in self.expected.items()):
            return "tests"
        failed = any(test not in self.expected and told[test] in "FC" for test in told)
        return "" if failed or not self.told else "told"


@dataclass
class Challenges:
    """Draws the challenges of one workspace."""

    bench: Bench

    def __post_init__(self) -> None:
        self._template: tuple[str, bytes] | None = None
        self._random = random.Random(secrets.token_bytes(16))

    def draw(self, telling: Telling) -> JvmChallenge:
        """Two test classes of which some tests fail, with tests that tell that a program is wrong."""
        kind, content = self._compiled()
        classes = dict(telling.classes)
        count = 1 if kind == "main" else len(_CHECKS)
        equal = [True, False] * count
        self._random.shuffle(equal)
        items = []
        expected: dict[str, str] = {}
        for part in (equal[:count], equal[count:]):
            name, made, told = self._drawn(kind, content, part)
            classes[name] = ClassFile(-1, made)
            items.append(Item(name))
            expected |= told
        items += telling.items
        self._random.shuffle(items)
        phases = [Phase(_SECONDS, (item,)) for item in items]
        plan = self.bench.plan(classes, phases, (), stop=False, wall=_SECONDS.wall)
        return JvmChallenge(plan, expected, len(telling.items))

    def _drawn(self, kind: str, content: bytes, equal: list[bool]) -> tuple[str, bytes, dict[str, str]]:
        """A test class with names and texts of its own: its name, class file, and expected outcomes."""
        package, name = self._word().lower(), self._word().capitalize()
        content = content.replace(_PLACE[0].encode(), package.encode())
        content = content.replace(_PLACE[1].encode(), name.encode())
        expected = {}
        for i, same in enumerate(equal):
            left, right, method = self._word(), self._word(), f"test{self._word()}"
            content = content.replace(_text("x", i).encode(), left.encode())
            content = content.replace(_text("y", i).encode(), (left if same else right).encode())
            content = content.replace(_method(i).encode(), method.encode())
            expected[f"{package}.{name}::{'main' if kind == 'main' else method}"] = "P" if same else "F"
        return f"{package}.{name}", content, expected

    def _word(self) -> str:
        return "".join(self._random.choices(string.ascii_letters, k=8))

    def _compiled(self) -> tuple[str, bytes]:
        """The kind of tests that this workspace has, and the class all challenges are made from."""
        shared, key = self.bench.templates, self._shared_by()
        if self._template is None:
            self._template = shared.get(key)
        if self._template is None:
            for kind, source in _sources(self.bench):
                build = self.bench.compile_apart({f"{_PLACE[0]}/{_PLACE[1]}.java": source})
                if build.compiled:
                    (made,) = build.classes.values()
                    self._template = (kind, made.content)
                    break
        assert self._template is not None, "a plain program always compiles"
        if key:
            shared[key] = self._template
        return self._template

    def _shared_by(self) -> Hashable:
        """What a template depends on; ``None`` where the project might bring a test framework itself."""
        w, path = self.bench.workspace, self.bench.classes
        folders = [Path(folder) for folder in (*path.project, *path.tests)]
        if any(not folder.is_dir() or (folder / name).exists() for folder in folders for name in _FRAMEWORKS):
            return None
        return w.jdk, w.source_level, tuple(w.javac_options), path.libraries, _are_programs(w)


def _sources(bench: Bench) -> Iterator[tuple[str, str]]:
    """Sources of challenges, the likeliest to compile first: of the kind that the trigger tests are."""
    head = f"package {_PLACE[0]}; public class {_PLACE[1]}"
    tests = {test.partition("::")[0] for test in bench.workspace.trigger_tests}
    contents = [ClassFinder(bench.classes)(name.replace(".", "/")) or b"" for name in tests]
    kinds = sorted(_KINDS.items(), key=lambda kind: not any(kind[1][3] in content for content in contents))
    for kind, (parent, mark, asserts, _) in [] if _are_programs(bench.workspace) else kinds:
        checks = (c.format(a=asserts, x=_quoted("x", i), y=_quoted("y", i)) for i, c in enumerate(_CHECKS))
        body = " ".join(f"{mark}public void {_method(i)}() {{ {c} }}" for i, c in enumerate(checks))
        yield kind, f"{head}{parent} {{ {body} }}"
    check = _CHECKS[0].format(x=_quoted("x", 0), y=_quoted("y", 0))
    yield "main", f"{head} {{ public static void main(String[] words) {{ {check} }} }}"


def _are_programs(workspace: Workspace) -> bool:
    return all(test.tests == (f"{test.name}::main",) for test in workspace.regression)


def _text(letter: str, i: int) -> str:
    return f"{letter}{i}{letter * 6}"


def _quoted(letter: str, i: int) -> str:
    return f'"{_text(letter, i)}"'


def _method(i: int) -> str:
    return f"testm{i}aaaaaa"
