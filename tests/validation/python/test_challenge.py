"""Challenges: what is changed, and that honest programs give away exactly the changed assertions."""

from __future__ import annotations

import ast
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.records import Candidate
from nl2fix.validation.python.challenge import CANARIES, changed, draw, draw_opposite, draw_telling
from nl2fix.validation.python.programs import PythonProgram, Script, Unittest
from tests.validation.python.corpus.task import FIXED, MODULE, SCRIPT

floats = st.floats(allow_nan=False, allow_infinity=False)
simple = st.booleans() | st.integers() | st.text(max_size=8) | st.none() | floats


def nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner)


literals = st.recursive(simple, nested, max_leaves=8)


@given(literals, st.integers(0, 1000))
def test_a_changed_literal_is_unequal_and_a_literal(value: object, seed: int) -> None:
    other = changed(value, random.Random(seed))
    assert other != value
    assert ast.literal_eval(repr(other)) == other


def run(script: str, mark: str, answer: str = FIXED) -> dict[str, tuple[int, int]]:
    marks: dict[str, list[int]] = {}

    def note(site: int, held: bool) -> None:
        marks.setdefault(str(site), [0, 0])[held] += 1

    exec(answer + script, {mark: note})
    return {site: (failed, held) for site, (failed, held) in marks.items()}


@given(st.integers(0, 50))
def test_an_honest_script_fails_exactly_what_was_changed(_: int) -> None:
    challenge = draw(PythonProgram(Script(SCRIPT), Candidate(FIXED)))
    assert len(challenge.expected) == 5 + 1 + CANARIES - 1
    marks = run(challenge.hidden.script, challenge.hidden.mark)
    assert challenge.met(marks, frozenset(marks))


def test_objects_equal_to_everything_do_not_meet_a_challenge() -> None:
    challenge = draw(PythonProgram(Script("assert answer(3) == 6\n"), Candidate(FIXED)), lambda: True)
    code = "class A:\n    def __eq__(self, other): return True\ndef answer(x): return A()\n"
    marks = run(challenge.hidden.script, challenge.hidden.mark, code)
    assert not challenge.met(marks, frozenset(marks))


def test_a_site_that_is_not_reached_is_not_met() -> None:
    challenge = draw(PythonProgram(Script(SCRIPT), Candidate(FIXED)))
    assert not challenge.met({}, frozenset({"0"}))
    assert challenge.met({}, frozenset())


def test_unittest_assertions_expect_something_else_or_the_opposite() -> None:
    program = PythonProgram(Unittest(("t.py",)), Candidate(FIXED), {"t.py": MODULE})
    text = draw(program, lambda: True).hidden.tests["t.py"]
    assert "self.assertFalse(answer([1]) == [1, 1])" in text
    assert "assertEqual(answer(3), 6)" not in text and "assertEqual(answer(3), " in text
    assert "assertEqual(answer(10), expected)" not in text
    assert "with self.assertRaises(TypeError):" in text
    unchanged = draw(program, lambda: False).hidden.tests["t.py"]
    assert "self.assertEqual(answer(10), expected)" in unchanged


DOUBLE = PythonProgram(Script(SCRIPT), Candidate(FIXED))


@pytest.mark.parametrize("_", range(50))
def test_a_challenge_never_leaves_all_assertions_as_they_are(_: int) -> None:
    """By chance it would, once in 2^n: then objects that equal everything passed."""
    sites = draw(DOUBLE).own
    challenge = draw_telling(DOUBLE, sites)
    drawn = {challenge.expected[site] for site in sites}
    assert drawn == ({True, False} if len(sites) > 1 else {False})


@pytest.mark.parametrize("_", range(20))
def test_an_opposite_challenge_changes_what_the_first_left(_: int) -> None:
    first = draw(DOUBLE)
    opposite = draw_opposite(DOUBLE, first)
    assert opposite.expected == {site: not held for site, held in first.expected.items()}
    assert run(opposite.hidden.script, opposite.hidden.mark) == {
        site: (0, 1) if held else (1, 0) for site, held in opposite.expected.items()
    }


def test_a_lone_assertion_is_changed() -> None:
    site = min(draw(DOUBLE).own)
    assert draw_telling(DOUBLE, frozenset({site})).expected[site] is False


def test_what_equals_everything_never_meets_a_challenge_by_failing_what_is_negated() -> None:
    text = (
        "class T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), 2)\n"
        "        self.assertEqual(f(2), 4)\n        self.assertTrue(f([1]) == [1, 1])\n"
    )
    program = PythonProgram(Unittest(("t.py",)), Candidate(""), {"t.py": text})
    sites = frozenset("012")
    for _ in range(200):
        challenge = draw_telling(program, sites)
        assert challenge.firm == {"0", "1"}
        assert challenge.expected["0"] != challenge.expected["1"]


def test_what_is_not_reached_is_missed_and_not_denied() -> None:
    challenge = draw(DOUBLE, lambda: False)
    assert challenge.missed({}, challenge.own) == challenge.own
    expected = {site: (0, 1) if held else (1, 0) for site, held in challenge.expected.items()}
    assert challenge.missed(expected, challenge.own) == frozenset()
    assert not challenge.denied({}, challenge.own)
    assert not challenge.denied({"0": (0, 2)}, challenge.own)
    assert challenge.denied({"0": (1, 1)}, challenge.own)
    assert not challenge.denied({"0": (1, 1)}, challenge.own - {"0"})
