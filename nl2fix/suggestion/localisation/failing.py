"""What failing tests say of a bug's place: their own code, and the class that they are named for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import documentation
from nl2fix.suggestion.localisation.surefire import FailedTest, method_of
from nl2fix.suggestion.localisation.target import read_source, test_files

_MENTION = re.compile(r"\b(?:[\w$]+\.)*([A-Z]\w*)(?:\$\w+)*(?:#|::|\.)([a-z_]\w*)")
_ANNOTATED = re.compile(r"@(?:\w+\.)*(?:\w*Test(?:Factory|Template)?|Theory|Property)\b")
_NUMBERED = re.compile(r"^\[\d+\]\s*|^\d+:\s*")
"""What JUnit shows before the parameters of a test, unless it is told otherwise."""
_MARK = re.compile(r"^Test(?=[A-Z])|(?<=\w)(?:TestCase|Tests|Test|IT)$")


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A failing test as it stands in the sources."""

    name: str
    """``FooTest#bar``, or ``FooTest`` where no method is known."""
    code: str
    """With its Javadoc; empty where it is not found."""

    @property
    def owner(self) -> str:
        """Simple name of its outermost class."""
        return self.name.partition("#")[0]

    @property
    def tested(self) -> str:
        """Simple name of the class that it is named for."""
        return tested(self.owner)

    def is_meant(self, test: str) -> bool:
        """Whether an id, ``org.acme.FooTest::bar[1]``, is this one's."""
        owner, method = parts_of(test)
        return self.name in (owner, f"{owner}#{method}")


def tested(name: str) -> str:
    """Simple name of the class that a test class is named for."""
    return _MARK.sub("", name)


def parts_of(test: str) -> tuple[str, str]:
    """Simple name of the outermost class, and the method, of ``org.acme.FooTest$Inner::bar[1]``."""
    owner, _, method = test.replace("#", "::").partition("::")
    return owner.rpartition(".")[2].partition("$")[0], method_of(method)


def names_at_run_time(test: str, called: str) -> list[str]:
    """What a test is called only when it runs: what its id has beside a method's name, and what its framework
    called it, a line each.
    """
    method = test.partition("::")[2]
    made = method.partition("[")[2].rpartition("]")[0] if method_of(method).isidentifier() else method
    names = (_NUMBERED.sub("", name).strip() for name in (made, *called.splitlines()))
    return [name for name in names if name and not name.isdigit()]


def is_test_method(head: str, name: str, takes_nothing: bool) -> bool:
    """Whether a method is a test, by its modifiers and annotations, or as JUnit 3 knows tests."""
    return _ANNOTATED.search(head) is not None or (name.startswith("test") and takes_nothing)


def tests_in(text: str) -> list[str]:
    """Names of the test methods of a source, in its order."""
    return [
        unit.name
        for unit in JAVA.units(text)
        if unit.body is not None
        and is_test_method(text[unit.span.start : unit.body.start], unit.name, unit.parameters == ())
    ]


def owner_of(test: str) -> str:
    """Simple name of a test's outermost class, of an id or a name."""
    return parts_of(test)[0]


def failing_tests(root: Path, failed: Iterable[FailedTest], text: str) -> list[FailingTest]:
    """The failing tests, given or named in a text (``FooTest#bar``, stack traces), each once.

    What a text names is a test only where the repository has it.
    """
    files: dict[str, list[Path]] = {}
    for file in test_files(root):
        files.setdefault(file.stem, []).append(file)
    given = (parts_of(item.test) for item in failed)
    found = {pair: _code(files.get(pair[0], []), pair[1]) for pair in given}
    for pair in _MENTION.findall(text):
        if pair[0] in files and pair not in found and (code := _code(files[pair[0]], pair[1])):
            found[pair] = code
    return [FailingTest("#".join(filter(None, pair)), code) for pair, code in found.items()]


def _code(files: Iterable[Path], method: str) -> str:
    return "\n".join(code for file in files for code in _methods(read_source(file), method))


def _methods(text: str, name: str) -> Iterator[str]:
    for unit in JAVA.units(text):
        if unit.name == name and unit.body is not None:
            yield documentation(text, unit.span.start) + text[unit.span.start : unit.span.end]
