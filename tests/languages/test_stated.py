"""Examples that texts state: found in many ways of saying it, and nothing else taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages import values
from nl2fix.languages.stated import examples
from nl2fix.languages.values import Listed, Thrown, Value, tokens

LIST = st.lists(st.integers(-99, 99), max_size=4)


def told(text: str) -> list[tuple[str, tuple[Value, ...], Value]]:
    return [(each.name, each.arguments, each.outcome) for each in examples(text)]


@pytest.mark.parametrize(
    "text",
    [
        "f(2, 3) == 5",
        "f(2, 3) => 5.",
        "f(2, 3) ➞ 5",
        "f(2,3)->5",
        "f(2, 3)   # returns 5",
        "f(2, 3) should be 5, not 6",
        "f(2, 3) must return 5 because 2 + 3 is 5",
        "f(2, 3) == 1 + 4 = 5",
        "`f(2, 3)` returns `5`",
        ">>> f(2, 3)\n5",
        ">>> f(2, 3) 5",
        "assert f(2, 3) == 5",
        "assertEquals(5, f(2, 3));",
        'assertEquals("sum", 5, f(2, 3));',
        "assertEqual(f(2, 3), 5)",
        "f(2, 3) returns 6 instead of 5",
        "f(2, 3) instead of f(1)\nreturns nothing; f(2, 3) gives 6 but should give 5",
        "f(2,\n  3)\n  => 5",
    ],
)
def test_ways_to_say_it(text: str) -> None:
    assert [(arguments, outcome) for name, arguments, outcome in told(text) if name == "f"] == [((2, 3), 5)]


@pytest.mark.parametrize(
    "text",
    [
        "f(n) -> f(n-1) + f(n-2)",
        "f(3) is called 4 times",
        "f(3) returns 0 elements",
        "f(3) returns 4 if n is even",
        "f(3)\n4",
        "f(3), 4",
        "f(x) == 4",
        "call f(3). It should be 4",
        "f(3) = 1 + 2",
        "f(3) returns",
        "f(3",
        "f(3 4) == 5",
        "where x = 3 and y",
    ],
)
def test_what_is_not_plainly_an_example_is_none(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "f(0) throws IllegalArgumentException",
        "f(0) = IllegalArgumentException",
        "f(0) should throw an `java.lang.IllegalArgumentException`",
        "assertThrows(IllegalArgumentException.class, () -> f(0));",
    ],
)
def test_exceptions(text: str) -> None:
    assert told(text) == [("f", (0,), Thrown("IllegalArgumentException"))]


@pytest.mark.parametrize(
    "text",
    [
        "Input: arr = [3, 1], k = 2\nOutput: [1, 3] # sorted\n",
        "For arr = [3, 1] and k = 2 the output should be [1, 3]",
        "arr = [3, 1], k = 2\n -> sort arr\n return = (1, 3)",
    ],
)
def test_inputs_and_output(text: str) -> None:
    [example] = examples(text)
    assert example.names == ("arr", "k") and example.arguments == (Listed((3, 1)), 2)
    assert example.outcome == Listed((1, 3))
    assert told("Input: 3\nOutput: (1, 2)") == [("", (3,), Listed((1, 2)))]


def test_what_happens_is_told_from_what_is_wanted() -> None:
    assert [each.firm for each in examples("f(1) returns 2. f(1) should return 3. f(1) == 3")] == [
        False,
        True,
        True,
    ]


@given(LIST, st.text(max_size=6), st.one_of(LIST, st.booleans(), st.none(), st.floats(0, 9)))
def test_any_call_and_outcome_is_found_where_it_stands(numbers: list[int], text: str, wanted: object) -> None:
    if "\\U" in repr(text) or "\\ud" in repr(text):
        return
    [example] = examples(f"See g.h({numbers}, {text!r}) => {wanted}.\nMore.")
    assert example.name == "g.h" and example.arguments == (Listed(tuple(numbers)), text)
    assert example.said == str(wanted)


HOSTILE = ["f(", "f([", "f(1,", "f()=", "x = 1, ", "Input: 1, ", "f('", '"', "1 = ", "f() = 1 instead of "]
HOSTILE += [
    "assertEquals(1, ",
    "should be ",
    "f(1) == 1 should ",
    "List.of(1, ",
    "return ",
    ">>> f(1)\n",
    "{1:",
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_work_grows_with_the_text_and_no_faster(hostile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read, steps = values._Reader._next, [0]  # the one way to go on in a text

    def counted(self: values._Reader) -> values.Token:
        steps[0] += 1
        return read(self)

    monkeypatch.setattr(values._Reader, "_next", counted)
    examples(hostile * 3000)
    assert steps[0] < 60 * len(tokens(hostile * 3000))


@given(st.text(alphabet="f(1,)= ->\n'\"[]x{}:#assertInput", max_size=300))
def test_any_text_may_be_searched(text: str) -> None:
    for example in examples(text):
        assert "\n" not in example.said
