"""Suites of one's own that have no problems, one twice, or one without a reference."""

from __future__ import annotations

import pytest

from nl2fix.core.records import Candidate
from nl2fix.validation.python.baseline import measure
from nl2fix.validation.python.client import Hidden, ProgramResult
from nl2fix.validation.python.programs import PythonProgram, Unittest
from tests.pipeline.conftest import Place

MINE = '''"""Suites that go wrong."""
from dataclasses import replace
from pathlib import Path

from nl2fix import CommandValidator, PlainJava, PlainPython
from nl2fix.core.config import Environment
from outside import Outside, problem

HERE = Environment(Path("cache"))

class Empty(Outside):
    def problems(self):
        return []

class Twice(Outside):
    def problems(self):
        return [problem("O-1"), problem("O-1")]

class Beyond(Outside):
    def problems(self):
        return [replace(problem("O-1"), region=(5, 9999))]

class Above(Outside):
    def problems(self):
        return [replace(problem("O-1"), path="../tally.py")]

class Void(Outside):
    def problems(self):
        return None

class Numbers(Outside):
    def problems(self):
        return [1]

class Wordless(Outside):
    def problems(self):
        return [replace(problem("O-1"), instructions={"title": 5})]

class Torn(Outside):
    def problems(self):
        return [problem("O-\\udce9")]

class Raising(Outside):
    def reference(self, problem):
        return super().reference(problem) if problem.id == "O-2" else {}[problem.id]

class Asking(Raising):
    def prepare(self, problems, jobs, progress):
        return {} if list(map(self.reference, problems)) else {}

class Nothing(Outside):
    def reference(self, problem):
        return super().reference(problem) if problem.id == "O-2" else None

class Unready(Outside):
    def prepare(self, problems, jobs, progress):
        pass

class Unjudged(Outside):
    def validator(self):
        pass

class Untested(Outside):
    def __init__(self):
        python = PlainPython(HERE, lambda problem: None)
        self.prepare, self.validator = python.prepare, python.validator

class Unbuilt(Outside):
    def validator(self):
        return CommandValidator(HERE, lambda problem: None)

class Unwritten(Outside):
    def __init__(self):
        java = PlainJava("outside", HERE, lambda problem: None, [])
        self.prepare, self.validator = java.prepare, java.validator
'''


@pytest.mark.parametrize(
    ("suite", "reason"),
    [
        ("Empty", "suite 'outside' has no problem"),
        ("Twice", "has problem 'O-1' twice; each needs an id of its own"),
        ("Beyond", "the region of problem 'O-1' is (5, 9999), no Span inside its text"),
        ("Void", "suite 'outside' gives None, not one Problem after the other"),
        ("Numbers", "suite 'outside' gives 1, which is no Problem"),
        ("Wordless", "gives 5 as title of problem 'O-1', which is no text"),
        ("Torn", r"gives problem 'O-\udce9', of which the id is no UTF-8"),
        ("Above", "a path of problem 'O-1' is '../tally.py'; it must be relative to the project and stay"),
    ],
)
def test_problems_that_cannot_be_told_apart_or_edited_are_refused(
    place: Place, suite: str, reason: str
) -> None:
    """The second of two problems with one id vanished; a suite without any looked like a finished run.

    A path that leads out of the project was an internal error in C++, and an import that fails in Python.
    """
    place.say("mine.py", MINE)
    code, line = place.run("--suite", f"mine:{suite}")
    assert (code, reason in line) == (2, True), line


@pytest.mark.parametrize(
    ("suite", "reason"),
    [
        ("Raising", "suite mine:Raising: KeyError: 'O-1' (mine.py, line "),
        ("Asking", "suite mine:Asking: KeyError: 'O-1' (mine.py, line "),
        ("Nothing", "suite 'outside' gives as its reference a NoneType, not a Candidate"),
    ],
)
def test_a_reference_that_fails_takes_its_own_problem_only(place: Place, suite: str, reason: str) -> None:
    """The whole run ended with an internal error."""
    place.say("mine.py", MINE)
    done = place.told("--suite", f"mine:{suite}")
    assert done.returncode == 0, done.stderr
    assert f"left out: O-1: {reason}" in done.stderr
    assert "O-2" in place.noted("asked")[0]


def test_a_module_of_tests_that_is_no_file_is_said_so() -> None:
    """The reference was said to have written to the channel of the tests."""

    def never(hidden: Hidden) -> ProgramResult:
        pytest.fail("nothing can run")

    program = PythonProgram(Unittest(("nope.py",)), Candidate(""), {"leap_test.py": "import leap"})
    assert measure(program, never).error == "no file of its tests is nope.py; there are: leap_test.py"


@pytest.mark.parametrize(
    ("suite", "reason"),
    [
        ("Unready", "suite 'outside' gives None from prepare, not reasons by problem id"),
        ("Unjudged", "suite 'outside' gives None, which is no validator"),
        ("Untested", "the suite gives None as tests of O-1, not a PythonProgram"),
        ("Unbuilt", "the suite gives None as tests of O-1, not a CommandProgram"),
        ("Unwritten", "the suite gives None as tests of O-1, not a JavaProject"),
    ],
)
def test_a_suite_that_forgets_to_return_is_told_what(place: Place, suite: str, reason: str) -> None:
    """It was an internal error of nl2fix."""
    place.say("mine.py", MINE)
    code, line = place.run("--suite", f"mine:{suite}")
    assert (code, reason in line) == (1, True), line
