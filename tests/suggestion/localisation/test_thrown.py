"""What failing tests say is compared with what issues say is thrown."""

from __future__ import annotations

import pytest

from nl2fix.suggestion.localisation.thrown import cause, is_told, lacks, still

NPE = 'java.lang.NullPointerException: Cannot invoke "String.length()" because "text" is null'
BOUNDS = "java.lang.StringIndexOutOfBoundsException: index 0, length 0"
DEEP = "java.lang.StackOverflowError"
LATE = "org.junit.runners.model.TestTimedOutException: test timed out after 1000 milliseconds"
INSTEAD = (
    "org.opentest4j.AssertionFailedError: Unexpected exception type thrown, "
    "expected: <acme.CartException> but was: <java.lang.NullPointerException>"
)


@pytest.mark.parametrize(
    ("issue", "said"),
    [
        ("NullPointerException in Cart", NPE),
        ("NPE when the cart is empty", NPE),
        ("Fix the null pointer exception on the replace filter", NPE),
        ("Cart#total throws IndexOutOfBounds for no prices", BOUNDS),
        ("to prevent ArrayOutOfBoundsException when", BOUNDS),
        ("Fix OOBE, update README", BOUNDS),
        ("an SIOOBE", BOUNDS),
        ("an IOOBE", "java.lang.IndexOutOfBoundsException"),
        ("it causes stack overflow in j.u.r.Pattern", DEEP),
        ("Infinite recursion in equals", DEEP),
        ("Infinite loop in Cart.total", LATE),
        ("Parsing hangs", "java.util.concurrent.TimeoutException"),
        ("Division by zero without prices", "java.lang.ArithmeticException: / by zero"),
        ("an NPE instead of a CartException", INSTEAD),
        ("total throws CartException", INSTEAD),
        ("next() now throws NoSuchElementException", "Expected exception: java.util.NoSuchElementException"),
    ],
)
def test_an_exception_is_told_by_any_of_its_names(issue: str, said: str) -> None:
    assert is_told(issue, said)


@pytest.mark.parametrize(
    ("issue", "said"),
    [
        ("NullPointerException in Cart", BOUNDS),
        ("The cart is wrong", NPE),
        ("null points nowhere", NPE),
        ("Carts are wrong", "acme.CartsException: wrong"),
        ("AssertionError in the log", "java.lang.AssertionError: expected:<1> but was:<2>"),
        ("change the price", LATE),
        ("Infinite loop in Cart.total", NPE),
        ("Division by zero", "java.lang.ArithmeticException: integer overflow"),
        ("NullPointerException in Cart", ""),
    ],
)
def test_other_words_tell_of_none(issue: str, said: str) -> None:
    assert not is_told(issue, said)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("java.lang.ClassNotFoundException: org.acme.Cart", True),
        (
            "java.lang.RuntimeException: no type\nCaused by: java.lang.ClassNotFoundException: org.acme.Cart",
            True,
        ),
        ("java.lang.RuntimeException: no type\nCaused by: java.lang.ClassNotFoundException: [B", False),
        ("java.lang.ClassNotFoundException: RUBBISH\n", False),
        ("java.net.ConnectException: Connection refused", True),
        ("java.io.IOException: Cannot find dictionary in class path: /words.ser", True),
        ("java.lang.IllegalArgumentException: resource META-INF/cart.properties not found.", True),
        ("java.io.FileNotFoundException: data/input.xsl (No such file or directory)", True),
        ("java.io.IOException: Cannot find the end of a list", False),
        ("java.lang.IllegalArgumentException: Script file is not found: classpath:/all.txt", True),
        ("java.lang.AssertionError: what it depends on has failed", True),
        ("java.io.FileNotFoundException: core/target/work/one.iso (No such file or directory)", False),
        ("java.io.FileNotFoundException: target/one.iso (No such file or directory)", False),
        ("java.io.FileNotFoundException: /a b/target/one.iso (No such file or directory)", False),
        ("java.nio.file.NoSuchFileException: /tmp/junit7/one.iso", False),
        ("java.nio.file.NoSuchFileException: core/target/test-classes/one.iso", True),
        ("java.lang.IllegalArgumentException: Unsupported class file major version 61", True),
        ("java.lang.IllegalArgumentException: Unsupported class file major version 1025", False),
    ],
)
def test_a_class_that_no_jar_can_have_is_not_lacking(said: str, expected: bool) -> None:
    """joda-convert's only failing test loads the class of an array, and decided nothing."""
    assert lacks(said) == expected


def test_calls_are_counted_that_go_wrong_as_an_issue_says() -> None:
    bounds = "throws java.lang.StringIndexOutOfBoundsException"
    told = ["3", bounds, bounds, "throws java.lang.ArithmeticException"]
    assert still("SIOOBE in tail", told) == 2
    assert still("It ends in an ArithmeticException", told) == 1
    assert still("Division by zero for no prices", told) == 1
    assert still("A page too many", told) == 0


def test_no_call_counts_that_a_program_may_refuse_so() -> None:
    assert still("NullPointerException in Cart", ["throws java.lang.NullPointerException"]) == 0
    assert still("IllegalArgumentException", ["throws java.lang.IllegalArgumentException"]) == 0


def test_tests_that_throw_the_same_but_for_names_and_numbers_fail_of_one_cause() -> None:
    gone = "java.io.FileNotFoundException: {} (No such file or directory)\nCaused by: a disk"
    first, second = (cause(gone.format(name)) for name in ("data/keys/input.xsl", "axes62.xsl"))
    assert first == second != ""
    assert cause('java.lang.IllegalStateException: no cart "7" of 9') == cause(
        "java.lang.IllegalStateException: no cart 'a' of 12"
    )
    assert cause("java.lang.IllegalStateException: no cart") != cause("java.lang.IllegalStateException: no")
    assert cause("java.lang.IllegalStateException") != cause("java.lang.NullPointerException")


@pytest.mark.parametrize(
    "said",
    [
        "",
        "org.opentest4j.AssertionFailedError: expected: <1> but was: <2>",
        "org.junit.ComparisonFailure: expected:<[a]> but was:<[b]>",
        "timed out",
    ],
)
def test_what_only_compares_has_no_cause_in_common(said: str) -> None:
    assert cause(said) == ""
