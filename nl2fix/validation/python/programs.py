"""What a suite must know of one problem so that Python code can be judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nl2fix.core import outside
from nl2fix.core.changes import edited_files
from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Problem


@dataclass(frozen=True)
class Script:
    """Code that is executed behind the edited file in the same name space, as if it stood at its end.

    It ends normally when, and only when, the file is right.
    """

    text: str
    main: bool = False
    """Whether the file is run as a program (``__name__`` is ``__main__``)."""


@dataclass(frozen=True)
class Unittest:
    """Hidden modules of ``unittest`` classes, run as ``python -m unittest`` runs them."""

    modules: tuple[str, ...]
    """Their paths, among ``Program.tests``."""


@dataclass(frozen=True)
class Pytest:
    """Hidden modules that pytest collects and runs; pytest must be among the interpreter's libraries."""

    modules: tuple[str, ...]
    """Their paths, among ``Program.tests``."""


@dataclass(frozen=True)
class Calls:
    """Nothing is judged: what the edited file defines is called, and what that does is told."""

    main: bool = False
    """Whether the file is run as a program."""


@dataclass(frozen=True)
class Listen:
    """Nothing is judged: tests run, and what they call of the edited file is told."""

    way: str
    """How they run: ``script``, ``unittest`` or ``pytest``."""
    main: bool = False
    """Whether the file is run as a program."""


Run = Script | Unittest | Pytest


@dataclass(frozen=True)
class PythonProgram:
    """Files that import each other by name, and the tests that judge them.

    The problem's own file is loaded first, under its name; the hidden files appear after that.
    """

    run: Run
    reference: Candidate
    tests: Mapping[str, str] = field(default_factory=dict)
    """Hidden files by path: test modules and what lies beside them."""
    libraries: tuple[str, ...] = ()
    """Modules that must be importable; loaded once for all candidates."""


Programs = Callable[[Problem], PythonProgram]


def checked(programs: Programs) -> Programs:
    """What a suite gives; ``DataError`` names the problem and what of it is not as it should be."""
    given = outside.giving(PythonProgram, programs)

    def program(problem: Problem) -> PythonProgram:
        made = given(problem)
        if fault := _fault(made):
            raise DataError(f"tests of {problem.id}: {fault}")
        return made

    return program


def _fault(program: PythonProgram) -> str:
    run, libraries = program.run, program.libraries
    if not isinstance(run, Run):
        return f"run is {run!r}, not a Script, Unittest or Pytest"
    if not isinstance(run, Script) and isinstance(run.modules, str):
        return f"modules is {run.modules!r}, not a tuple of paths"
    if isinstance(libraries, str):
        return f"libraries is {libraries!r}, not a tuple of names"
    for path, text in program.tests.items():
        if not isinstance(text, str):
            return f"{path} holds {type(text).__name__}; files are texts by path"
        if path.startswith("/") or ".." in PurePosixPath(path).parts:
            return f"{path} lies outside of the program's folder"
    return ""


def files_after(problem: Problem, candidate: Candidate) -> dict[str, str]:
    """Path → text of all visible files after an edit, the problem's own first."""
    return {**problem.files, **edited_files(problem, candidate), **dict(problem.shown)}
