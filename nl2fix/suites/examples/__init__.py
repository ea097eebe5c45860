"""Thirty-one small Java bugs, shipped with nl2fix: single methods of libraries one might know.

Each folder of ``bugs`` is one bug: ``bug.toml`` (kind, project, source level, the buggy method, trigger
tests), ``issue.md`` (title and description as a user filed them), ``src`` with the buggy program and its
JUnit 4 tests, and ``fix.java``, the method as it should be. Tests and fix never become part of a
``Problem``.

JUnit comes with the package (``nl2fix/suites/junit``, half a megabyte, with its licences) rather than
from the machine: so the suite works without a network, gives the same verdicts everywhere, and also
where the JDK was not installed by a package manager. Bugs in modern Java (level 17) cannot be prepared
with an older JDK; preparation says so, and they are left out of what is run.

Needs a JDK (Debian: default-jdk-headless).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Problem
from nl2fix.languages import language
from nl2fix.languages.java.units import class_named
from nl2fix.suites.plain_java import JavaProject, PlainJava

BUGS = Path(__file__).with_name("bugs")
JUNIT = Path(__file__).parent.with_name("junit")
MAIN = "src/main/java/"
TEST = "src/test/java/"


@dataclass(frozen=True)
class Bug:
    """The content of a ``bug.toml``."""

    project: str
    """Area the bug belongs to; groups bugs in tables."""
    kind: str
    """Kind of mistake."""
    level: str
    """Java version the sources need."""
    file: str
    """The buggy file, relative to the bug's folder."""
    entity: str
    """The buggy method."""
    trigger: tuple[str, ...]
    """``Class::method`` of the tests that fail with the bug and pass with the fix."""


@dataclass(frozen=True)
class ExamplesConfig:
    """The suite has no options."""


class Examples:
    """Satisfies ``core.protocols.Suite``."""

    name = "examples"

    def __init__(self, environment: Environment) -> None:
        self._java = PlainJava(self.name, environment, _project, sorted(JUNIT.glob("*.jar")))

    def problems(self) -> Sequence[Problem]:
        """All bugs, by name."""
        return all_problems()

    def reference(self, problem: Problem) -> Candidate:
        return Candidate((BUGS / problem.id / "fix.java").read_text(encoding="utf-8").strip())

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        return self._java.prepare(problems, jobs, progress)

    def made(self, problems: Sequence[Problem]) -> dict[str, list[Path]]:
        return self._java.made(problems)

    def validator(self) -> Validator:
        return self._java.validator()


def make(options: Mapping[str, Any], environment: Environment) -> Examples:
    """The suite ``examples``."""
    read(ExamplesConfig, options, "suite examples")
    return Examples(environment)


@cache
def all_problems() -> tuple[Problem, ...]:
    """All shipped bugs, by name."""
    return tuple(_problem(folder) for folder in sorted(BUGS.iterdir()) if (folder / "bug.toml").is_file())


def _bug(name: str) -> Bug:
    text = (BUGS / name / "bug.toml").read_text(encoding="utf-8")
    return read(Bug, tomllib.loads(text), f"{name}/bug.toml")


def _problem(folder: Path) -> Problem:
    bug = _bug(folder.name)
    text = (folder / bug.file).read_text(encoding="utf-8")
    java = language("java")
    region = java.locate(text, bug.entity)
    if region is None:
        raise DataError(f"cannot find {bug.entity} in {folder.name}/{bug.file}; install nl2fix again")
    title, _, description = (folder / "issue.md").read_text(encoding="utf-8").partition("\n")
    return Problem(
        id=folder.name,
        suite=Examples.name,
        project=bug.project,
        language="java",
        path=bug.file,
        text=text,
        region=region,
        entity=bug.entity,
        visible=java.strip_comments(text[region.start : region.end]),
        instructions={"title": title.removeprefix("# "), "description": description.strip()},
        metadata={"kind": bug.kind, "level": bug.level},
    )


def _project(problem: Problem) -> JavaProject:
    folder, bug = BUGS / problem.id, _bug(problem.id)
    sources, tests = _sources(folder / MAIN), _sources(folder / TEST)
    edited = bug.file.removeprefix(MAIN)
    del sources[edited]
    return JavaProject(
        problem=problem,
        reference=Candidate((folder / "fix.java").read_text(encoding="utf-8").strip()),
        source_file=edited,
        sources=sources,
        tests=tests,
        test_classes=tuple(class_named(file) for file in tests if file.endswith("Test.java")),
        levels=(bug.level,),
        trigger_tests=bug.trigger,
    )


def _sources(root: Path) -> dict[str, str]:
    """Path below the root → text of every Java file."""
    return {
        f.relative_to(root).as_posix(): f.read_text(encoding="utf-8") for f in sorted(root.rglob("*.java"))
    }
