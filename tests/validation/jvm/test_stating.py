"""Stated examples as calls: of the unit itself, of its types, from comments beside it and from the issue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from nl2fix.core.records import Problem, Span
from nl2fix.languages.java import JAVA
from nl2fix.languages.values import Listed, Mapped, Value
from nl2fix.validation.calls.sketches import NULL, Recipe, Signature, Sketch
from nl2fix.validation.jvm.stating import StatedCall, fitted, stated_calls

INT, LONG, TEXT, REAL = (Sketch("v", name) for name in ("int", "long", "java.lang.String", "double"))
ANY, BOXED = Sketch("v", "java.lang.Object"), Sketch("v", "java.lang.Integer")
INTS = Sketch("a", "int", (), (INT,))
LIST = Sketch("l", "java.util.ArrayList", (), (ANY,))
MAP = Sketch("m", "java.util.HashMap", (), (TEXT, INT))
BARE = Sketch("o", "acme.Calc", (), (Sketch("c", "acme.Calc"),))
FULL = Sketch("o", "acme.Calc", (), (Sketch("c", "acme.Calc", ("int",), (INT,)),))
FILE = """package acme;
/* Sums. sum(1, 1) == 2, other(1, 1) == 3 */
public class Calc {
    /** Elsewhere: sum(9, 9) == 18. */
    int other(int a, int b) { return a - b; }
    /**
     * Adds.
     * <pre>
     * sum(2, 3)     = 5
     * Calc.sum(2, -3) = -1
     * Math.sum(2, 4) = 6
     * </pre>
     * {@code sum(0, 0)} returns {@code 0}, sum("a", "b") = "ab", sum(1, 2) = "3", sum(7) = 7
     */
    int sum(int a, int b) { /* sum(4, 4) == 8 */ return a * b; }
}
"""


def made(text: str, entity: str = "sum(int, int)", **issue: str) -> Problem:
    unit = JAVA.find(text, entity)
    assert unit is not None
    before = text[slice(*unit.span)]
    return Problem("P", "test", "P", "java", "Calc.java", text, Span(*unit.span), entity, before, issue)


def found(
    problem: Problem,
    parameters: Sequence[Sketch] = (INT, INT),
    result: Sketch = INT,
    receiver: Sketch | None = BARE,
) -> list[StatedCall]:
    unit = JAVA.find(problem.text, problem.entity)
    assert unit is not None
    signature = Signature("acme.Calc", unit.name, (), receiver, tuple(parameters), result)
    return stated_calls(problem, unit, signature)


def said(calls: list[StatedCall]) -> list[tuple[tuple[str, ...], str]]:
    return [(tuple(recipe.words[0] for recipe in each.call.arguments), each.outcome) for each in calls]


def test_the_comments_beside_a_method_tell_what_fits_it() -> None:
    calls = found(made(FILE))
    assert said(calls) == [(("1", "1"), "2"), (("2", "3"), "5"), (("2", "-3"), "-1"), (("0", "0"), "0")]
    assert {each.source for each in calls} == {"comment"}
    assert {each.call.receiver for each in calls} == {Recipe("o", "acme.Calc")}


def test_an_issue_tells_what_is_wanted_and_a_comment_goes_before_it() -> None:
    issue = "sum(2, 3) should be 6. sum(5, 5) should return 10 but sum(6, 6) returns 36"
    calls = found(made(FILE, description=issue))
    assert said(calls)[-1] == (("5", "5"), "10") and calls[-1].source == "issue"
    assert [outcome for arguments, outcome in said(calls) if arguments == ("2", "3")] == ["5"]
    assert len(calls) == 5


def test_hidden_tests_that_models_are_shown_state_nothing() -> None:
    problem = made("class Calc { int sum(int a, int b) { return a * b; } }", description="sum(2, 3) == 5")
    assert said(found(problem)) == [(("2", "3"), "5")]
    assert found(replace(problem, metadata={"tests": "description"})) == []


def test_a_method_whose_object_needs_more_has_no_examples() -> None:
    assert found(made(FILE), receiver=FULL) == []
    assert len(found(made(FILE), receiver=None)) == 4


@pytest.mark.parametrize(
    ("comment", "arguments"),
    [
        ("f(2, 3) == 5, f(2, 4) == 6", [("2", "3"), ("2", "4")]),
        ("s_um(2, 3) == 5, f(2, 4) == 6", [("2", "3")]),
        ("minus(2, 3) == 5", []),
        ("Input: b = 2, a = 3\nOutput: 5", [("3", "2")]),
        ("Input: x = 2, y = 3\nOutput: 5", [("2", "3")]),
        ("Input: minus = 2, y = 3\nOutput: 5", []),
    ],
)
def test_names_that_the_file_does_not_know_stand_for_the_method(
    comment: str, arguments: list[object]
) -> None:
    lines = comment.replace("\n", "\n// ")
    text = f"class A {{ int minus; // {lines}\n int sum(int a, int b) {{ return 1; }} }}"
    assert [values for values, _ in said(found(made(text)))] == arguments


def test_what_is_left_over_goes_into_the_last_of_any_number() -> None:
    text = (
        "class A { /* sum(1, 2, 3) = 6, sum(1) = 1, sum() = 0 */ int sum(int a, int... more) { return a; } }"
    )
    calls = found(made(text, "sum(int, int[])"), (INT, INTS))
    assert [each.call.arguments[1].parts for each in calls] == [
        (Recipe("v", "int", ("2",)), Recipe("v", "int", ("3",))),
        (),
    ]


def test_a_constructor_returns_nothing_that_could_be_stated() -> None:
    text = "class A { /* A(1, 2) == 6 */ A(int a, int b) { } }"
    assert found(made(text, "A(int, int)")) == []


@pytest.mark.parametrize(
    ("value", "sketch", "recipe"),
    [
        (3, INT, Recipe("v", "int", ("3",))),
        (1 << 31, INT, None),
        (1 << 31, LONG, Recipe("v", "long", (str(1 << 31),))),
        (3, REAL, Recipe("v", "double", ("3.0",))),
        (float("-inf"), REAL, Recipe("v", "double", ("-Infinity",))),
        (3.0, INT, None),
        (True, INT, None),
        (True, ANY, Recipe("v", "boolean", ("true",))),
        ("a", Sketch("v", "char"), Recipe("v", "char", ("97",))),
        ("ab", Sketch("v", "char"), None),
        (None, INT, None),
        (None, BOXED, NULL),
        (None, LIST, NULL),
        (
            Listed((1, "a")),
            LIST,
            Recipe(
                "l", "java.util.ArrayList", (), (Recipe("v", "int", ("1",)), Recipe("v", "String", ("a",)))
            ),
        ),
        (Listed((1, None)), INTS, None),
        (Listed(()), MAP, Recipe("m", "java.util.HashMap")),
        (
            Mapped((("a", 1), ("a", 2))),
            MAP,
            Recipe("m", "java.util.HashMap", (), (Recipe("v", "String", ("a",)), Recipe("v", "int", ("2",)))),
        ),
        (Mapped(((1, 1),)), MAP, None),
        (Listed((1,)), INT, None),
        ("a", Sketch("?", "acme.Face"), None),
    ],
)
def test_values_fit_types_or_are_left_out(value: Value, sketch: Sketch, recipe: Recipe | None) -> None:
    assert fitted(value, sketch) == recipe


def test_texts_of_another_line_end_state_the_same() -> None:
    windows = replace(made(FILE.replace("\n", "\r\n")))
    assert said(found(windows)) == said(found(made(FILE)))
