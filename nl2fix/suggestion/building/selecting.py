"""Which test classes Maven runs of itself: those that surefire's patterns, or its usual ones, name.

What a project keeps among its tests and never runs (a benchmark, a test that needs much memory) takes long or
fails, and tells nothing of an edit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from nl2fix.suggestion.building.surroundings import surefires

_USUAL = ("**/Test*", "**/*Test", "**/*Tests", "**/*TestCase")
_OTHER_TOOLS = ("build.gradle", "build.gradle.kts")
_CHOSEN_OTHERWISE = (
    "configuration/suiteXmlFiles",
    "configuration/test",
    "configuration/includesFile",
    "executions/execution/configuration/includes",
)
_BETWEEN = re.compile(r"[\s,]+")
_ENDING = re.compile(r"\.(?:java|class|\*)$")
_PATH = re.compile(r"[\w.*?/$-]+")
"""A pattern that says no more than which path."""
_WILD = re.compile(r"\*\*/|\*\*|\*|\?")
_MEANS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def run_of(root: Path, names: Sequence[str]) -> list[str]:
    """The test classes of a source folder, by binary name, that Maven runs.

    All where no pom says it alone, where one says more than paths, or where none would be left.
    """
    module = next((folder for folder in root.parents if (folder / "pom.xml").is_file()), None)
    if module is None or any((module / name).is_file() for name in _OTHER_TOOLS):
        return list(names)
    patterns = _patterns_of(module)
    if patterns is None:
        return list(names)
    wanted, unwanted = ("|".join(map(_regex, each)) for each in patterns)
    paths = {name: name.replace(".", "/") for name in names}
    kept = [n for n, path in paths.items() if re.fullmatch(wanted, path) and not re.fullmatch(unwanted, path)]
    return kept or list(names)


def _patterns_of(module: Path) -> tuple[Sequence[str], Sequence[str]] | None:
    """What the poms include, the usual where they are silent, and exclude; ``None`` for more than paths."""
    told: dict[str, list[str]] = {"includes": [*_USUAL], "excludes": []}
    for surefire in surefires(module):
        if any(surefire.find(path) is not None for path in _CHOSEN_OTHERWISE):
            return None
        for name in told:
            if (listed := surefire.find(f"configuration/{name}")) is not None:
                said = " ".join(part.text or "" for part in listed)
                told[name] = [word for word in _BETWEEN.split(said) if word]
    patterns = told["includes"] or _USUAL, told["excludes"]
    return patterns if all(map(_PATH.fullmatch, (*patterns[0], *patterns[1]))) else None


def _regex(pattern: str) -> str:
    """A pattern of paths, or a class's name, as a regular expression of paths without an ending."""
    path = _ENDING.sub("", pattern)
    if "/" not in path:
        path = "**/" + path if "." not in path else path.replace(".", "/")
    path += "**" * path.endswith("/")
    parts = zip(_WILD.split(path), [*_WILD.findall(path), ""], strict=True)
    return "".join(re.escape(literal) + _MEANS.get(wild, "") for literal, wild in parts)
