"""Which test classes Maven runs of itself: those that surefire's patterns, or its usual ones, name.

What a project keeps among its tests and never runs (a benchmark, a test that needs much memory) takes long or
fails, and tells nothing of an edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.building.surroundings import surefires
from nl2fix.suggestion.localisation.failing import tests_in

_USUAL = ("**/Test*", "**/*Test", "**/*Tests", "**/*TestCase")
_OTHER_TOOLS = ("build.gradle", "build.gradle.kts")
_CHOSEN_OTHERWISE = (
    "configuration/suiteXmlFiles",
    "configuration/includesFile",
    "executions/execution/configuration/includes",
)
_BETWEEN = re.compile(r"[\s,]+")
_ENDING = re.compile(r"\.(?:java|class|\*)$")
_PATH = re.compile(r"[\w.*?/$-]+")
"""A pattern that says no more than which path."""
_WILD = re.compile(r"\*\*/|\*\*|\*|\?")
_MEANS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_SUITE = re.compile(r"@(?:\w+\.)*(?:SuiteClasses|SelectClasses)\b|\bTest(?:Suite)?\s+suite\s*\(")
_MEMBER = re.compile(r"\b((?:\w+\.)*[A-Z]\w*)\s*\.\s*(?:class\b|suite\s*\()")
_IMPORT = re.compile(r"\bimport\s+((?:\w+\.)*(\w+))\s*;")


def run_of(root: Path, tests: Mapping[str, str]) -> list[str]:
    """The test classes of a source folder, binary name → code, that Maven runs; of suites what these name.

    All where no pom says it alone, where one says more than paths, or where none would be left.
    """
    module = next((folder for folder in root.parents if (folder / "pom.xml").is_file()), None)
    if module is None or any((module / name).is_file() for name in _OTHER_TOOLS):
        return list(tests)
    patterns = _patterns_of(module)
    if patterns is None:
        return list(tests)
    wanted, unwanted = ("|".join(map(_regex, each)) for each in patterns)
    paths = {name: name.replace(".", "/") for name in tests}
    kept = [n for n, path in paths.items() if re.fullmatch(wanted, path) and not re.fullmatch(unwanted, path)]
    return _of_suites(kept, tests) or list(tests)


def _of_suites(names: Iterable[str], tests: Mapping[str, str]) -> list[str]:
    """Test classes with those that suites among them name, in place of these."""
    waiting, seen, run = list(names), set[str](), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            if members := list(_members(name, tests)):
                waiting += members
            else:
                run.add(name)
    return [name for name in tests if name in run]


def _members(name: str, tests: Mapping[str, str]) -> Iterator[str]:
    """The other test classes that a suite names; none of a class with tests of its own."""
    code = tests[name]
    if not _SUITE.search(code) or tests_in(code):
        return
    package, imported = package_of(code), {simple: full for full, simple in _IMPORT.findall(code)}
    for member in _MEMBER.findall(code):
        full = (imported.get(member, ""), f"{package}.{member}".lstrip("."), member)
        yield from (each for each in full if each in tests and each != name)


def _patterns_of(module: Path) -> tuple[Sequence[str], Sequence[str]] | None:
    """What the poms include, the usual where they are silent, and exclude; ``None`` for more than paths."""
    told: dict[str, list[str]] = {"includes": [*_USUAL], "excludes": []}
    alone: list[str] = []
    for surefire in surefires(module):
        if any(surefire.find(path) is not None for path in _CHOSEN_OTHERWISE):
            return None
        for name in told:
            if (listed := surefire.find(f"configuration/{name}")) is not None:
                told[name] = _words(" ".join(part.text or "" for part in listed))
        alone = _words(surefire.findtext("configuration/test", "")) or alone
    patterns = (alone, ()) if alone else (told["includes"] or _USUAL, told["excludes"])
    return patterns if all(map(_PATH.fullmatch, (*patterns[0], *patterns[1]))) else None


def _words(said: str) -> list[str]:
    return [word for word in _BETWEEN.split(said) if word]


def _regex(pattern: str) -> str:
    """A pattern of paths, or a class's name, as a regular expression of paths without an ending."""
    path = _ENDING.sub("", pattern)
    if "/" not in path:
        path = "**/" + path if "." not in path else path.replace(".", "/")
    path += "**" * path.endswith("/")
    parts = zip(_WILD.split(path), [*_WILD.findall(path), ""], strict=True)
    return "".join(re.escape(literal) + _MEANS.get(wild, "") for literal, wild in parts)
