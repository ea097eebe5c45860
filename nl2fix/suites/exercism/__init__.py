"""Practice exercises of an Exercism track, as aider's study edits them.

``--data`` is a clone of ``exercism/python`` or ``exercism/java``; without it, eight exercises of our own for
either in the same layout (option ``language``). A problem is an exercise's stubs: all of these files may be
changed. The model sees the track's texts (introduction, instructions, what the track appends), files that
stay as they are, and aider's last instruction; hidden are the tests, run as they are (Java's with every
test enabled), and the example solution that comes with the exercise.

``subset=study`` leaves out exercises of the Python track that joined it after May 2023. Then it had 133, the
study's number; today's clone lacks two of those (``nucleotide-count``, ``parallel-letter-frequency``).

Needs nothing for Python; for Java a JDK 17 and JUnit 5 with AssertJ (Debian: default-jdk-headless, junit5,
libassertj-core-java). ``--data`` is a clone of github.com/exercism/python or github.com/exercism/java.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Problem, Span, candidate_from_files
from nl2fix.suites.exercism import java
from nl2fix.suites.exercism.exercises import Exercise, read_track
from nl2fix.suites.plain_java import JavaProject, PlainJava
from nl2fix.suites.plain_python import PlainPython
from nl2fix.suites.spoken import check_language
from nl2fix.validation.python import Pytest, PythonProgram, Unittest

OWN = Path(__file__).with_name("tracks")
ADDENDUM = """\
####

Use the above instructions to modify the supplied files: {files}
Don't change the names of existing functions or classes, as they may be referenced from other code like \
unit tests, etc.
Only use standard libraries, don't suggest installing any packages.
"""
"""The last instruction of every prompt, as aider words it."""


@dataclass(frozen=True)
class ExercismConfig:
    """Options of the suite."""

    data: Path | None = None
    """A clone of a track, e.g. of ``github.com/exercism/python``; empty means our own eight exercises."""
    language: Literal["python", "java"] | None = None
    """Language of our own exercises, Python unless told otherwise; a clone says its own."""
    jars: Path | None = None
    """Java: a folder of jars, which go before those of Debian's packages."""
    subset: Literal["all", "study"] = "all"
    """``study``: without what joined the track after aider's study."""


class Exercism:
    """Satisfies ``core.protocols.Suite``."""

    name = "exercism"

    def __init__(self, config: ExercismConfig, environment: Environment) -> None:
        self._config, self._environment = config, environment

    def problems(self) -> Sequence[Problem]:
        """All practice exercises, by name."""
        return [_problem(exercise) for exercise in self._exercises.values()]

    def reference(self, problem: Problem) -> Candidate:
        return _reference(problem, self._exercises[problem.id])

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """Run every example solution once; id → why it does not pass its tests."""
        if self._is_java:
            return self._prepare_java(problems, jobs, progress)
        return self._python.prepare(problems, jobs, progress)

    def made(self, problems: Sequence[Problem]) -> dict[str, list[Path]]:
        """As ``core.protocols.Made``; only Java's problems are files."""
        if not self._is_java:
            return {problem.id: [] for problem in problems}
        return self._java.made(problems)

    def validator(self) -> Validator:
        return self._java.validator() if self._is_java else self._python.validator()

    def _prepare_java(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        lacking = {p.id: java.missing(self._exercises[p.id], self._libraries) for p in problems}
        whole = [p for p in problems if not lacking[p.id]]
        return {k: why for k, why in lacking.items() if why} | self._java.prepare(whole, jobs, progress)

    @property
    def _is_java(self) -> bool:
        return any(exercise.language == "java" for exercise in self._exercises.values())

    @cached_property
    def _libraries(self) -> dict[str, Path]:
        return java.libraries(self._config.jars)

    @cached_property
    def _java(self) -> PlainJava:
        def project(problem: Problem) -> JavaProject:
            exercise = self._exercises[problem.id]
            return java.project(problem, exercise, _reference(problem, exercise))

        return PlainJava(self.name, self._environment, project, tuple(self._libraries.values()))

    @cached_property
    def _python(self) -> PlainPython:
        programs: dict[str, PythonProgram] = {}

        def program(problem: Problem) -> PythonProgram:
            if problem.id not in programs:
                programs[problem.id] = _program(problem, self._exercises[problem.id])
            return programs[problem.id]

        return PlainPython(self._environment, program)

    @cached_property
    def _exercises(self) -> dict[str, Exercise]:
        track = self._config.data or OWN / (self._config.language or "python")
        exercises = read_track(track)
        check_language(self._config.language, exercises[0].language, track)
        study = self._config.subset == "study"
        return {e.slug: e for e in exercises if not (study and e.joined_later)}


def make(options: Mapping[str, Any], environment: Environment) -> Exercism:
    """The suite ``exercism``."""
    return Exercism(read(ExercismConfig, options, "suite exercism"), environment)


def _problem(exercise: Exercise) -> Problem:
    first, *others = exercise.solution
    files = " ".join(file.path for file in exercise.solution)
    return Problem(
        id=exercise.slug,
        suite=Exercism.name,
        project=exercise.group,
        language=exercise.language,
        path=first.path,
        text=first.text,
        region=Span(0, len(first.text)),
        entity="",
        visible=first.text,
        instructions={"descriptive": exercise.instructions + ADDENDUM.format(files=files)},
        metadata=exercise.metadata,
        editable=tuple(others),
        shown=exercise.shown,
    )


def _reference(problem: Problem, exercise: Exercise) -> Candidate:
    return candidate_from_files(problem, {file.path: file.text for file in exercise.example})


def _program(problem: Problem, exercise: Exercise) -> PythonProgram:
    modules = tuple(file.path for file in exercise.tests if file.path.endswith("_test.py"))
    if not modules:
        raise DataError(f"{exercise.slug}: no test file is named *_test.py in files.test")
    texts = [file.text for file in exercise.tests if file.path in modules]
    run = Pytest(modules) if _wants_pytest(texts) else Unittest(modules)
    libraries = ("pytest",) if isinstance(run, Pytest) else ()
    return PythonProgram(run, _reference(problem, exercise), dict(exercise.tests), libraries)


def _wants_pytest(modules: Sequence[str]) -> bool:
    """Whether one of them names pytest, or none has anything for unittest to run."""
    named = any("import pytest" in text or "from pytest" in text for text in modules)
    return named or not any("unittest" in text for text in modules)
