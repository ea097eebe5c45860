"""The test classes of a project: which there are, which a name means, which come first."""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.building.builds import Project
from nl2fix.suggestion.building.selecting import run_of
from nl2fix.suggestion.localisation.failing import tested, tests_in
from nl2fix.suggestion.localisation.surefire import method_of
from nl2fix.suggestion.localisation.target import is_test, read_source

_TEST_MARK = re.compile(
    r"@(?:\w+\.)*(?:\w*Test|TestFactory|TestTemplate|RunWith)\b|"
    r"\bextends\s+(?:\w+\.)*\w*TestCase\b|\bsuite\s*\("
)
_FOREIGN = {".kt": "Kotlin", ".groovy": "Groovy", ".scala": "Scala"}
_FOREIGN_MARK = re.compile(
    r"@(?:\w+\.)*(?:Test|ParameterizedTest)\b|\w*(?:Spec|Specification|Suite|TestCase)\b"
)
_INTEGRATION = re.compile(r"IT[A-Z]\w*|\w*(?:IT|ITCase)")
"""Names of integration tests in Maven's convention; they run only when asked for."""
_PARENT = re.compile(r"\bclass\s+\w+(?:<[^{]*>)?\s+extends\s+(?:\w+\.)*(\w+)")
_ABSTRACT = re.compile(r"\babstract\s+class\s+")


def of(project: Project, pattern: str, named: Set[str] = frozenset()) -> list[str]:
    """Binary names of the test classes: of those that a pattern names when one is given, else of those that
    the build runs, and those ``named`` by their simple names.
    """
    roots = {root: dict(_codes_of(root)) for root in project.tests}
    codes = {name: code for own in roots.values() for name, code in own.items()}
    tests = _tests(codes)
    chosen = {name for name in codes if _named(name, pattern)}
    if not pattern:
        of_root = ({n: code for n, code in own.items() if n in tests} for own in roots.values())
        chosen &= {n for root, own in zip(roots, of_root, strict=True) for n in run_of(root, own)}
        chosen |= {name for name in codes if name.rpartition(".")[2] in named}
    return [name for name in codes if name in chosen & tests and name not in project.left_out]


def foreign(project: Project) -> Counter[str]:
    """How many files of a project have tests in other languages of the JVM, by language."""
    around = {root.parent if root.name == "java" else root for root in project.tests}
    around.add(project.module / "src/test")
    files = {file for root in around for suffix in _FOREIGN for file in root.rglob(f"*{suffix}")}
    tests = sorted(file for file in files if is_test(project.root, file))
    return Counter(_FOREIGN[file.suffix] for file in tests if _FOREIGN_MARK.search(read_source(file)))


def _codes_of(root: Path) -> Iterator[tuple[str, str]]:
    """Binary name and code without comments of each class of a source folder."""
    for file in sorted(root.rglob("*.java")):
        code = JAVA.strip_comments(read_source(file))
        yield f"{package_of(code)}.{file.stem}".lstrip("."), code


@dataclass(frozen=True)
class WantedTests:
    """Which tests are to run first where time may be short."""

    named: Set[str]
    """Simple names of classes that come before all others."""
    fitting: Sequence[str]
    """Simple names of classes that follow."""
    near: Sequence[str]
    """Qualified names of classes: what is left follows by how near it is to these."""
    methods: Sequence[tuple[str, str]] = ()
    """Simple names of classes and of methods, the most wanted first: of a slow class only some are run."""

    def of(self, project: Project) -> tuple[list[str], list[str]]:
        """Binary names of a project's test classes: those named, and the others in their order."""
        first = [name for name in of(project, "all") if name.rpartition(".")[2] in self.named]
        others = [name for name in of(project, "") if name not in first]
        order = {name: place for place, name in enumerate(self.fitting)}
        others.sort(
            key=lambda name: (order.get(name.rpartition(".")[2], len(order)), distance(name, self.near))
        )
        return first, others

    def methods_of(self, project: Project, name: str) -> list[str]:
        """The test methods of a class itself, by its binary name, the most wanted first."""
        files = (root.joinpath(*name.split(".")).with_suffix(".java") for root in project.tests)
        tests = dict.fromkeys(
            test for file in files if file.is_file() for test in tests_in(read_source(file))
        )
        owner = name.rpartition(".")[2]
        fitting = [method for other, method in self.methods if other == owner and method in tests]
        return list(dict.fromkeys((*fitting, *tests)))


def _named(name: str, pattern: str) -> bool:
    stem = name.rpartition(".")[2]
    if not pattern:
        return not _INTEGRATION.fullmatch(stem)
    return pattern == "all" or any(fnmatch.fnmatchcase(n, pattern) for n in (name, stem))


def distance(test: str, near: Sequence[str]) -> tuple[int, int]:
    """How far a test class is from the first of some classes that it is near to."""
    package, _, stem = test.rpartition(".")
    parts = package.split(".")

    def steps(name: str) -> int:
        others = name.split(".")[:-1]
        same = takewhile(lambda pair: pair[0] == pair[1], zip(parts, others, strict=False))
        return len(parts) + len(others) - 2 * sum(1 for _ in same)

    own = (place for place, name in enumerate(near) if tested(stem) == name.rpartition(".")[2])
    return next(own, len(near)), min(map(steps, near), default=0)


def _tests(codes: Mapping[str, str]) -> set[str]:
    """Names of the classes that have tests of their own or inherit some, abstract ones left out."""
    tests = {name for name, code in codes.items() if _TEST_MARK.search(code)}
    stems = {name.rpartition(".")[2] for name in tests}
    while True:
        heirs = {
            name
            for name, code in codes.items()
            if name not in tests and any(parent in stems for parent in _PARENT.findall(code))
        }
        if not heirs:
            return {name for name in tests if not _ABSTRACT.search(codes[name].partition("{")[0])}
        tests |= heirs
        stems |= {name.rpartition(".")[2] for name in heirs}


def trigger(told: str) -> str:
    """``Class::method`` however it is written; of a test with parameters (``bar[2]``) all of its runs."""
    owner, mark, method = told.replace("#", "::").partition("::")
    return owner + mark + method_of(method)


def qualified(test: str, names: Sequence[str]) -> str:
    """A trigger with its class's package, which labels (``fixes FooTest#bar``) leave out, if one fits."""
    owner, mark, method = test.partition("::")
    outer, dollar, inner = owner.partition("$")
    fits = [name for name in names if name.rpartition(".")[2] == outer]
    return f"{fits[0] if len(fits) == 1 else outer}{dollar}{inner}{mark}{method}"


def meant(project: Project, test: str) -> list[str]:
    """Tests, as users write them, with the class's name of a trigger; of one word, with it as method, too."""
    owner, _, method = test.partition("::")
    word, found, known = owner.rpartition(".")[2], [], of(project, "all")
    for name, code in (each for root in project.tests for each in _codes_of(root)):
        tests = tests_in(code) if name in known else []
        if tests and name.rpartition(".")[2] == word and method in ("", *tests):
            found.append(f"{name}#{method}" if method else name)
        elif not method and word in tests:
            found.append(f"{name}#{word}")
    return [each for each in found if each.replace("#", "::") != test]
