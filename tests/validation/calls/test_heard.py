"""What calls of tests show of an edit, by itself and beside the tests that the unedited program passes."""

from __future__ import annotations

import pytest

from nl2fix.validation.calls.heard import COPY, NOT_CALLED, Heard, Take, ear

PASSING, FAILING = "PagerTest::counts", "PagerTest::countsHalves"


def take(told: str, test: str) -> Take:
    """One call of ``pages(3)`` by a test, and what came of it."""
    return Take({"3": Heard("3", True, f"digest of {told}", told, "pages(3)", test)})


@pytest.mark.parametrize(
    ("test", "before", "after", "counts"),
    [
        (PASSING, "2", "3", True),
        (PASSING, "2", "2", False),
        (PASSING, "throws java.lang.ArithmeticException", "3", True),
        (PASSING, "null", "Iterator", True),
        (PASSING, "true", "false", True),
        (PASSING, "Itr", "Iterator", False),
        (FAILING, "2", "3", False),
        (f"{FAILING}{COPY}1", "2", "3", False),
        (f"{PASSING}{COPY}1", "2", "3", False),
    ],
)
def test_what_a_passing_test_calls_is_no_fixs_to_change(
    test: str, before: str, after: str, counts: bool
) -> None:
    """Copies of it may meet the fault; of iterators only the class is known."""
    unedited = take(before, test)
    told = ear((unedited, unedited), None, passes=PASSING.__eq__).told(take(after, test))
    assert (str(told.against) if told.against else "") == counts * f"pages(3): {before} → {after}"
    assert bool(told.changes) is (before != after)


@pytest.mark.parametrize(("others", "counts"), [(("4", "5"), True), (("4",), False), ((), False)])
def test_a_call_that_a_passing_test_makes_no_more_counts_unless_it_was_not_waited_for(
    others: tuple[str, ...], counts: bool
) -> None:
    """What a test may add to all calls is limited: fewer than before may be those that were heard."""
    calls = {key: Heard(key, True, key, "2", f"pages({key})", PASSING) for key in ("3", "4", "5")}
    unedited = Take({key: calls[key] for key in ("3", "4")})
    told = ear((unedited, unedited), None, passes=PASSING.__eq__).told(
        Take({key: calls[key] for key in others})
    )
    assert (str(told.against) if told.against else "") == counts * f"pages(3): 2 → {NOT_CALLED}"


def test_where_nobody_knows_which_tests_pass_nothing_is_told_against_an_edit() -> None:
    unedited = take("2", PASSING)
    assert ear((unedited, unedited), None).told(take("3", PASSING)).against is None
