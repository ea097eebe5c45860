"""What a failing test is run by: it tells nothing of these, as it would judge its own judge.

An edit of a class that a test extends, or of the rule, runner or extension that runs it, makes it pass by
not running it, or by looking at less: of jmock-library such edits were offered for a scheduler's bug. Only
what builds on a test framework itself counts: tests extend what they test, too. Where the issue names the
class, or its stack trace does, that may be what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.localisation.target import by_class, read_source
from nl2fix.validation.jvm.worker import Reached

_FRAMEWORK = re.compile(r"\bimport\s+(?:static\s+)?(?:junit\.|org\.junit\b|org\.testng\.)")
_EXTENDS = r"\bclass\s+(?:{})\b(?:\s*<[^{{]*>)?\s+extends\s+(?:\w+\.)*(\w+)"
_RUN_BY = re.compile(
    r"@(?:\w+\.)*(?:RunWith|ExtendWith)\s*\(\s*(?:value\s*=\s*)?\{?\s*(?:\w+\.)*(\w+)\.class|"
    r"@(?:\w+\.)*(?:(?:Class)?Rule|RegisterExtension)\b(?:\s*\([^)]*\))?"
    r"(?:\s+(?:public|protected|private|static|final))*\s+(?:\w+\.)*(\w+)"
)


@dataclass(frozen=True)
class Judges:
    """Of a project's sources which run its tests."""

    files: Sequence[Path]
    """Sources of the program and its tests."""
    asked: Set[str]
    """Simple names of the classes that the issue is about."""

    def without(self, reached: Reached) -> Reached:
        """Without the lines of what each failing test is run by."""
        owners = {test.partition("::")[0] for test in reached.failed}
        sources = {owner: self._sources(owner) for owner in owners}

        def tells(test: str, place: int) -> bool:
            return reached.lines[place].source not in sources[test.partition("::")[0]]

        failed = {
            test: tuple(place for place in places if tells(test, place))
            for test, places in reached.failed.items()
        }
        objected = ((test, place) for test, place in reached.objected.items() if test in failed)
        thrown = {test: place for test, place in objected if tells(test, place)}
        return reached._replace(failed=failed, objected=thrown)

    def _sources(self, owner: str) -> set[str]:
        """Files, with the folders of their packages, of what the tests of a class are run by."""
        classes = owner.rpartition(".")[2].split("$")
        return set(self._above(classes, self._by_name.get(classes[0], ()), {classes[0]}))

    def _above(self, classes: Sequence[str], files: Iterable[Path], seen: set[str]) -> Iterator[str]:
        for file in files:
            code = JAVA.strip_comments(read_source(file))
            for name in _named(code, classes):
                if name in seen:
                    continue
                seen.add(name)
                above = list(_meant(code, self._by_name.get(name, ())))
                higher = list(self._above([name], above, seen))
                ours = (each for each in above if higher or _FRAMEWORK.search(read_source(each)))
                yield from (_source(each) for each in ours if name not in self.asked)
                yield from higher

    @cached_property
    def _by_name(self) -> Mapping[str, list[Path]]:
        return by_class(self.files)


def _named(code: str, classes: Sequence[str]) -> list[str]:
    """Simple names of what classes of a source extend or are run by."""
    names = re.findall(_EXTENDS.format("|".join(map(re.escape, classes))), code)
    return [*names, *(one or other for one, other in _RUN_BY.findall(code))]


def _meant(code: str, files: Sequence[Path]) -> Iterator[Path]:
    """Of files of the same name those that a source can mean."""
    for file in files:
        package = package_of(read_source(file))
        told = re.escape(package)
        if package == package_of(code) or re.search(rf"\bimport\s+{told}\.(?:{file.stem}|\*)\s*;", code):
            yield file


def _source(file: Path) -> str:
    package = package_of(read_source(file))
    return f"{package.replace('.', '/')}/{file.name}".lstrip("/")
