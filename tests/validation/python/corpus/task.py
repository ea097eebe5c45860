"""The task that the corpus is about: double a number. Judged by a script, by unittest and by pytest."""

from __future__ import annotations

import sys
from typing import Any

from nl2fix.core.records import Candidate, Problem, Span
from nl2fix.validation.python import Pytest, PythonProgram, Script, Unittest

BUGGY = "def answer(x):\n    return x + 2\n"
FIXED = "def answer(x):\n    return x * 2\n"
SCRIPT = """
def check(answer):
    assert answer(3) == 6
    assert answer(10) == 20
    assert answer(-4) == -8, "negative"
    assert answer("ab") == "abab"
    assert answer([1]) == [1, 1]
    try:
        answer(None)
    except TypeError:
        pass
    else:
        raise AssertionError("None has no double")

check(answer)
"""
MODULE = """
import unittest

from answer import answer


class AnswerTest(unittest.TestCase):
    def test_small(self):
        self.assertEqual(answer(3), 6)

    def test_large(self):
        expected = 20
        self.assertEqual(answer(10), expected)

    def test_negative(self):
        self.assertEqual(answer(-4), -8)

    def test_text(self):
        self.assertEqual(answer("ab"), "abab")

    def test_list(self):
        self.assertTrue(answer([1]) == [1, 1])

    def test_none(self):
        with self.assertRaises(TypeError):
            answer(None)


if __name__ == "__main__":
    unittest.main()
"""

FUNCTIONS = """
import pytest

from answer import answer


@pytest.mark.parametrize("x, y", [(3, 6), (10, 20)])
def test_numbers(x, y):
    assert answer(x) == y


def test_negative():
    assert answer(-4) == -8


def test_text():
    assert answer("ab") == "abab"
    assert answer([1]) == [1, 1]


def test_none():
    with pytest.raises(TypeError):
        answer(None)
"""

PROBLEM = Problem(
    "T/0", "corpus", "corpus", "python", "answer.py", BUGGY, Span(0, len(BUGGY)), "answer", BUGGY, {}
)
PROGRAMS = {
    "script": PythonProgram(Script(SCRIPT), Candidate(FIXED)),
    "unittest": PythonProgram(Unittest(("answer_test.py",)), Candidate(FIXED), {"answer_test.py": MODULE}),
    "pytest": PythonProgram(
        Pytest(("answer_test.py",)), Candidate(FIXED), {"answer_test.py": FUNCTIONS}, ("pytest",)
    ),
}


def settings(kind: str) -> dict[str, Any]:
    """What the sandbox of a program needs; pytest is there where this interpreter's libraries are."""
    more = {"python": sys.executable, "timeout": 1.0} if kind == "pytest" else {}
    return {"memory": 256, "timeout": 0.5, **more}


def right(number: int) -> Candidate:
    """An innocent fix, of which there are many."""
    return Candidate(f"def answer(x):\n    number = {number}\n    return x * 2\n")


def wrong(number: int) -> Candidate:
    """An innocent failure, of which there are many."""
    return Candidate(f"def answer(x):\n    number = {number}\n    return x * 3\n")
