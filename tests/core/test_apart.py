"""Telling programs apart by what they did."""

from __future__ import annotations

from nl2fix.core.apart import FEWEST, compared, differences
from nl2fix.core.records import NO_END, Behaviour, Change

CALLS = tuple(f"f({i})" for i in range(12))


def doing(digests: str) -> Behaviour:
    """A behaviour with one letter a call, ``-`` for one that was not made."""
    return Behaviour(tuple("" if d == "-" else d for d in digests), tuple(digests.upper()))


def test_the_first_differences_read_from_before_to_after() -> None:
    found = differences(CALLS, doing("aaaaaaaaaaaa"), doing("ab-bbbbbbbbb"))
    assert [each.call for each in found] == ["f(1)", "f(3)", "f(4)", "f(5)", "f(6)"]
    assert str(found[0]) == "f(1): A → B"


def test_one_differing_call_tells_apart_however_few_were_made() -> None:
    comparison = compared(CALLS, doing("a" * 12), doing("b" + "-" * 11))
    assert (comparison.answer, comparison.calls) == ("differs", 1)
    assert comparison.first == Change("f(0)", "A", "B")


def test_equal_on_too_few_calls_says_nothing() -> None:
    few = FEWEST - 1
    assert compared(CALLS, doing("a" * 12), doing("a" * few + "-" * (12 - few))).answer == "too few"
    assert compared(CALLS, doing("a" * 12), doing("a" * FEWEST + "-" * (12 - FEWEST))).answer == "same"


def test_who_ends_where_the_reference_was_stopped_is_not_told_apart() -> None:
    """Dividing up to the root was "told apart" from a reference that tries every number."""
    slow, fast = doing("a" * 11 + "e"), doing("a" * 11 + "b")
    slow = Behaviour(slow.digests, (*slow.told[:-1], NO_END))
    assert (compared(CALLS, slow, fast).answer, compared(CALLS, slow, fast).calls) == ("same", 11)
    assert compared(CALLS, slow, slow).calls == 12
    assert compared(CALLS, fast, slow).first == Change("f(11)", "B", NO_END)
