"""Classes that were made of some sources, and hold while others are changed or left out.

Whatever a class sees of another it reaches through names: of a class, or of one outside whose methods'
bodies that one stands. So where a source changes, those are compiled again that name it, or what names it so.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from pathlib import Path
from sys import intern

from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.building import cutting
from nl2fix.validation.jvm.worker import ClassFile

_DECLARED = re.compile(r"\b(?:class|interface|enum|record)\s+(\w+)")

_WORD = re.compile(r"\w+")


class Made:
    """The class files of a folder, by the source that each was made of; none to begin with."""

    def __init__(self, into: Path) -> None:
        self._into = into
        self._seen: Mapping[str, str] = {}
        """Path → text of all sources, as they were when the last were compiled."""
        self._files: dict[str, list[Path]] = {}
        """Path → what was made of that source."""
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir(parents=True)

    def lacking(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Of sources (path → text) those to be compiled; what was made of them before is gone."""
        for path in self._outdated(texts) if self._files else ():
            for file in self._files.pop(path, ()):
                file.unlink()
        self._seen = dict(texts)
        return {path: text for path, text in texts.items() if path not in self._files}

    def add(self, classes: Mapping[str, ClassFile]) -> None:
        """Note what was made, by name, and written to the folder."""
        for name, item in classes.items():
            file = self._into / f"{name.replace('.', '/')}.class"
            self._files.setdefault(item.source, []).append(file)

    def _outdated(self, texts: Mapping[str, str]) -> set[str]:
        """Sources that have changed, or may come out otherwise as others have."""
        before = self._seen
        changed = {path for path in before.keys() | texts.keys() if before.get(path) != texts.get(path)}
        outside = {
            path: [_outside(all_[path]) for all_ in (before, texts) if path in all_] for path in changed
        }
        seen = {path for path, codes in outside.items() if len(codes) < 2 or codes[0] != codes[1]}
        names = _declared(code for path in seen for code in outside[path])
        gone = _packages(before) - _packages(texts) if before.keys() - texts.keys() else set[str]()
        while more := {path for path in texts.keys() - seen if _shows(texts[path], names, gone)}:
            seen |= more
            names |= _declared(_outside(texts[path]) for path in more)
        return changed | {path for path in self._files if _names(texts.get(path, ""), names, gone)}


def _shows(text: str, names: Set[str], packages: Set[str]) -> bool:
    """Whether a source has a name of one of these classes or packages outside what its methods do."""
    return _names(text, names, packages) and _names(_outside(text), names, packages)


def _names(text: str, names: Set[str], packages: Set[str]) -> bool:
    if not _words(text).isdisjoint(names):
        return True
    return any(name in text and re.search(rf"\b{re.escape(name)}\b", text) for name in packages)


@lru_cache(maxsize=1 << 13)
def _words(text: str) -> frozenset[str]:
    return frozenset(map(intern, _WORD.findall(text)))


@lru_cache(maxsize=1 << 12)
def _outside(text: str) -> str:
    return JAVA.strip_comments(cutting.outside_bodies(text))


def _declared(codes: Iterable[str]) -> set[str]:
    """Names of the classes that are declared there, nested ones as well."""
    return {name for code in codes for name in _DECLARED.findall(code)}


def _packages(texts: Mapping[str, str]) -> set[str]:
    return set(filter(None, map(package_of, texts.values())))
