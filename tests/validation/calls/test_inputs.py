"""What units are called with: drawn from types and from what texts mention, the same every time."""

from __future__ import annotations

from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.validation.calls.inputs import Mentions, calls, mentions
from nl2fix.validation.calls.sketches import NULL, Recipe, Signature, Sketch

INT, TEXT = Sketch("v", "int"), Sketch("v", "java.lang.String")
NOTHING = Mentions((), (), (), ())
COLOUR = Sketch("e", "acme.Colour", ("RED", "BLUE"))
LISTED = Sketch("l", "java.util.ArrayList", (), (Sketch("v", "java.lang.Integer"),))
POINT = Sketch("o", "acme.Point", (), (Sketch("c", "acme.Point", ("int", "int"), (INT, INT)),))
CURVE = Sketch("i", "acme.Curve", ("double", "double"))
LEAVES = st.sampled_from(
    [INT, TEXT, COLOUR, Sketch("v", "java.lang.Object"), Sketch("?", "acme.Face"), POINT, CURVE]
)
SKETCHES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda part: Sketch("a", "x", (), (part,))),
        inner.map(lambda part: Sketch("l", "java.util.ArrayList", (), (part,))),
        st.tuples(inner, inner).map(lambda pair: Sketch("m", "java.util.HashMap", (), pair)),
    ),
    max_leaves=4,
)


def unit(*parameters: Sketch) -> Signature:
    return Signature("acme.Calc", "f", (), None, parameters, INT)


def test_texts_mention_numbers_texts_and_lists() -> None:
    known = mentions(['/* >>> f([4, 2, 6], "a b", 3.5) gives -7; f("x\\n") */ return x1 + 20;'])
    assert set(known.integers) >= {4, 2, 6, -7, 20} and 1 not in known.integers
    assert known.reals == (3.5,)
    assert known.texts == ("a b", "x\n")
    assert ("4", "2", "6") in known.lists


@settings(deadline=None, max_examples=50)
@given(st.lists(SKETCHES, min_size=1, max_size=3), st.text(max_size=5))
def test_equal_seeds_draw_equal_calls_and_none_twice(sketches: list[Sketch], seed: str) -> None:
    known = mentions(["f([1, 2], 'ab') -> 7"])
    first = list(islice(calls(unit(*sketches), known, seed), 30))
    assert first == list(islice(calls(unit(*sketches), known, seed), 30))
    assert len(set(first)) == len(first) > 0
    assert all(len(call.arguments) == len(sketches) for call in first)


def test_integers_fit_their_type() -> None:
    for name, bits in (("byte", 7), ("short", 15), ("int", 31), ("long", 63)):
        drawn = [call.arguments[0] for call in islice(calls(unit(Sketch("v", name)), NOTHING, "x"), 60)]
        values = [int(recipe.words[0]) for recipe in drawn]
        assert all(-(1 << bits) <= value < 1 << bits for value in values)
        assert any(value < 0 for value in values) and 0 in values


def test_real_numbers_are_written_as_java_reads_them() -> None:
    drawn = islice(calls(unit(Sketch("v", "double")), NOTHING, "x"), 400)
    words = {call.arguments[0].words[0] for call in drawn}
    assert {"NaN", "Infinity", "-Infinity"} <= words and not words & {"nan", "inf", "-inf"}


def test_what_is_mentioned_is_called_with() -> None:
    known = mentions(["is_nested('[[][]]')", "total([40, 50, 60])"])
    texts = [call.arguments[0] for call in islice(calls(unit(TEXT), known, "x"), 60)]
    assert Recipe("v", "String", ("[[][]]",)) in texts
    lists = [call.arguments[0] for call in islice(calls(unit(LISTED), known, "x"), 60)]
    assert tuple(Recipe("v", "int", (str(n),)) for n in (40, 50, 60)) in {recipe.parts for recipe in lists}


def test_enumerations_and_objects_are_made_of_what_they_have() -> None:
    drawn = list(islice(calls(unit(COLOUR, POINT), NOTHING, "x"), 40))
    assert {call.arguments[0] for call in drawn} <= {
        Recipe("f", "acme.Colour", ("RED",)),
        Recipe("f", "acme.Colour", ("BLUE",)),
        NULL,
    }
    points = [call.arguments[1] for call in drawn]
    assert all(p.kind == "o" and p.words == ("int", "int") and len(p.parts) == 2 for p in points)


def test_a_unit_without_parameters_has_one_call() -> None:
    assert len(list(calls(unit(), NOTHING, "x"))) == 1
