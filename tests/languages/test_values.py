"""Values as texts write them: read in many notations, alike but for what holds them, never evaluated."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages.values import (
    Listed,
    Mapped,
    Other,
    Thrown,
    Unreadable,
    Value,
    alike,
    outcome,
    tokens,
    value_at,
)

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(max_size=8),
)
NESTED = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4), max_leaves=8)


def read(text: str) -> Value:
    pieces = tokens(text)
    value, end = value_at(pieces, 0)
    assert end == len(pieces)
    return value


def listed(value: object) -> Value:
    """As it is read: lists of any notation are ``Listed``."""
    if isinstance(value, list | tuple):
        return Listed(tuple(map(listed, value)))
    assert value is None or isinstance(value, bool | int | float | str)
    return value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("-3", -3),
        ("3L", 3),
        ("2f", 2.0),
        ("1.5e-3", 0.0015),
        (".5", 0.5),
        ("'xix'", "xix"),
        (r'"a\"b\n\u00e9"', 'a"b\né'),
        ("True", True),
        ("null", None),
        ("Integer.MIN_VALUE", -(2**31)),
        ("-inf", -math.inf),
        ("[1, [2], ]", Listed((1, Listed((2,))))),
        ("(3)", 3),
        ("(3,)", Listed((3,))),
        ("()", Listed(())),
        ("new int[][] {{1}, {}}", Listed((Listed((1,)), Listed(())))),
        ("Arrays.asList('a',\n  'b')", Listed(("a", "b"))),
        ("set([2, 1])", Listed((2, 1), ordered=False)),
        ("{'a': 1, 'b': [2]}", Mapped((("a", 1), ("b", Listed((2,)))))),
        ('Map.of("a", 1)', Mapped((("a", 1),))),
    ],
)
def test_notations(written: str, value: Value) -> None:
    assert read(written) == value


@pytest.mark.parametrize(
    "written", ["", "x", "f(3)", "[1 2]", "[1", "{1: 2, 3}", "'open", "1st", "new int[3]", "-"]
)
def test_what_is_no_plain_value_is_not_guessed_at(written: str) -> None:
    with pytest.raises(Unreadable):
        read(written)


@given(NESTED)
def test_what_python_and_json_write_is_read_as_it_was(value: object) -> None:
    for written in (repr(value), json.dumps(value)):
        if "\\U" not in written and "\\ud" not in written:
            assert alike(read(written), listed(value))


@given(NESTED, NESTED)
def test_alike_goes_both_ways(one: object, other: object) -> None:
    assert alike(listed(one), listed(one))
    assert alike(listed(one), listed(other)) == alike(listed(other), listed(one))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("3", "3.0000001", True),
        ("3", "3.001", False),
        ("1e12", "1000000000001.0", True),
        ("1000000000000", "1000000000001", False),
        ("NaN", "Double.NaN", True),
        ("1", "True", False),
        ("null", "False", False),
        ("'1'", "1", False),
        ("[1, 2]", "{1, 2}", True),
        ("[1, 2]", "List.of(2, 1)", False),
        ("[1, 2]", "Set.of(2, 1)", True),
        ("[1, 1]", "Set.of(1, 2)", False),
        ("{'a': 1, 'b': 2}", 'Map.of("b", 2L, "a", 1.0)', True),
        ("{}", "Map.of()", True),
        ("{}", "{1}", False),
    ],
)
def test_the_same_but_for_what_holds_it(one: str, other: str, same: bool) -> None:
    assert alike(read(one), read(other)) is same


def test_outcomes_as_observers_tell_them() -> None:
    assert outcome("3; argument 1 becomes {1, 2}") == 3
    assert outcome("throws java.lang.ArithmeticException") == Thrown("ArithmeticException")
    assert outcome("Point(x=1)") == Other("Point(x=1)")
    assert outcome("{1, 2, …") == Other("{1, 2, …")


@given(st.text(alphabet="[({'\"\\,:x1-\n…", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    outcome(text)
