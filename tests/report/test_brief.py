"""Long lines on what a call does: what tells them apart is shown."""

from __future__ import annotations

from nl2fix.report.brief import brief

FILLED = ", ".join(f"field{i}=0" for i in range(9))


def test_what_changes_is_shown_of_a_call_that_was_cut_when_it_was_written() -> None:
    """xmlunit: a long receiver ends in "…", and the arrow was cut away."""
    call = (
        f"asBoolean() on ValueAssert(actual={'x' * 300}…: throws java.lang.AssertionError → BooleanAssert()"
    )
    assert brief(call).endswith("…: throws java.lang.AssertionError → BooleanAssert()")


def test_the_field_of_an_argument_that_changes_is_shown() -> None:
    """``argument 5 becomes Cart(field0=…`` was cut before the field that differs from what was passed."""
    call = f"fill(1, 2, 3, 4, Cart({FILLED}, total=0)): returns → argument 5 becomes Cart({FILLED}, total=7)"
    told = brief(call)
    assert "returns → argument 5 becomes …" in told and told.endswith("total=7)")
    assert len(told) < len(call)


def test_only_the_argument_that_becomes_something_else_is_shown() -> None:
    same = f"argument 1 becomes Cart({FILLED})"
    call = (
        f"fill(…): 3; {same}; argument 2 becomes Box({FILLED}, total=0)"
        f" → 3; {same}; argument 2 becomes Box({FILLED}, total=7)"
    )
    told = brief(call)
    assert "argument 1" not in told
    assert told.count("3; argument 2 becomes …") == 2
    assert "total=0) → 3; " in told and told.endswith("total=7)")
