"""Which worked example is chosen, and which never is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from nl2fix.prompting.nearest import Nearest
from tests.prompting.suite import SmallSuite


def method(body: str) -> str:
    return f"int f(int a) {{\n    {body}\n}}"


def pair(before: str, after: str) -> tuple[str, str]:
    return method(before), method(after)


def test_the_nearest_other_problem_is_chosen() -> None:
    suite = SmallSuite(
        {
            "A-1": pair("return a + 1;", "return a - 1;"),
            "A-2": pair("while (a < 1000) { a = a * a; } return a;", "return a;"),
            "A-3": pair("return a + 2;", "return a + 3;"),
        }
    )
    (example,) = Nearest(suite, 1)(suite.problems()[0])
    assert example.problem.id == "A-3"
    assert example.code == method("return a + 3;")


def test_the_fix_of_the_example_is_shown_without_comments() -> None:
    suite = SmallSuite(
        {
            "A-1": pair("return a + 1;", "return a - 1;"),
            "A-2": pair("return a + 2;", "return a + 9; // was 2"),
        }
    )
    (example,) = Nearest(suite, 1)(suite.problems()[0])
    assert "//" not in example.code
    assert "return a + 9;" in example.code


def test_a_problem_with_the_same_fixed_code_is_left_out() -> None:
    suite = SmallSuite(
        {
            "A-1": pair("return a + 1;", "return a - 1;"),
            "A-2": pair("return a + 1 ;", "return   a - 1;"),
            "A-3": pair("return a * 100;", "return a;"),
        }
    )
    assert [e.problem.id for e in Nearest(suite, 1)(suite.problems()[0])] == ["A-3"]


def test_a_problem_with_the_same_change_in_other_code_is_left_out() -> None:
    suite = SmallSuite(
        {
            "A-1": pair("int b = 1;\n    return a + b;", "int b = 1;\n    return a - b;"),
            "A-2": pair("int b = 2;\n    return a + b;", "int b = 2;\n    return a - b;"),
            "A-3": pair("return a * 100;", "return a;"),
        }
    )
    assert [e.problem.id for e in Nearest(suite, 1)(suite.problems()[0])] == ["A-3"]


OLD = "int b = 0;\n    if (a > 9) {\n        b = a;\n    }\n    return b;"
FIXED = OLD.replace("a > 9", "a > 8")
SHORT = OLD.replace("    return b;", "    b++;\n    return b;")
LATER = FIXED.replace("return b;", "return b + 1;")


@pytest.mark.parametrize(
    ("asked", "later"),
    [
        ((OLD, FIXED), (FIXED, LATER)),
        ((OLD, FIXED), (f"{FIXED} // since the fix", LATER)),
        ((OLD, FIXED), (f"int c = 1;\n    {FIXED}", f"int c = 1;\n    {LATER}")),
        ((OLD, FIXED), (FIXED.replace("a > 8", "\n a\n > 8"), LATER)),
        ((SHORT, OLD), (OLD, FIXED)),
    ],
)
def test_a_later_version_of_the_method_shows_its_fix_and_is_left_out(
    asked: tuple[str, str], later: tuple[str, str]
) -> None:
    """Csv-9 is about the method that Csv-6 is about, as the fix of Csv-6 left it."""
    suite = SmallSuite(
        {"A-1": pair(*asked), "A-2": pair(*later), "A-3": pair("return a * 100 + 7;", "return a;")}
    )
    assert [e.problem.id for e in Nearest(suite, 1)(suite.problems()[0])] == ["A-3"]


def test_an_earlier_version_of_the_method_may_be_shown() -> None:
    suite = SmallSuite(
        {"A-1": pair(FIXED, LATER), "A-2": pair(OLD, FIXED), "A-3": pair("return a * 100 + 7;", "return a;")}
    )
    assert [e.problem.id for e in Nearest(suite, 1)(suite.problems()[0])] == ["A-2"]


def test_a_suite_with_nothing_to_offer_gives_no_example() -> None:
    suite = SmallSuite({"A-1": pair("return a + 1;", "return a - 1;")})
    assert not Nearest(suite, 1)(suite.problems()[0])


def test_a_choice_is_made_once() -> None:
    suite = SmallSuite({f"A-{i}": pair(f"return a + {i};", f"return {i};") for i in range(5)})
    nearest = Nearest(suite, 2)
    first = nearest(suite.problems()[0])
    asked = list(suite.asked)
    assert nearest(suite.problems()[0]) is first
    assert suite.asked == asked
    assert len(set(asked)) == len(asked)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab; ", max_size=30), min_size=2, max_size=9), st.integers(1, 4))
def test_it_is_what_comparing_with_every_problem_gives(bodies: list[str], k: int) -> None:
    suite = SmallSuite(
        {f"P-{i}": (method(body), method(f"return {i} + {body!r};")) for i, body in enumerate(bodies)}
    )
    first, *others = suite.problems()
    far = sorted(others, key=lambda other: Levenshtein.distance(first.visible, other.visible))
    assert [e.problem.id for e in Nearest(suite, k)(first)] == [other.id for other in far[:k]]
