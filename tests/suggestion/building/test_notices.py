"""What is told of a project's build and tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nl2fix.core.records import Evidence
from nl2fix.suggestion.building import notices
from nl2fix.suggestion.building.builds import Project
from nl2fix.suggestion.output.result import Suggestion

HERE = Path("here")
ONE = Project(
    root=HERE,
    module=HERE,
    tool="plain",
    sources=(),
    tests=(),
    classes=(),
    test_classes=(),
    libraries=(),
    level="17",
    encoding="UTF-8",
    left_out=("a.B",),
    broken=("a/B.java:1: x",),
)


def test_one_class_that_does_not_compile_is_told_in_the_singular() -> None:
    """Of java-uuid-generator it said "left out 1 class that do not compile"."""
    assert notices.left_out(ONE).startswith(
        "left out 1 class (B) that does not compile, or needs what does not:"
    )


def test_one_class_that_lacks_a_jar_and_does_not_compile_is_told_in_the_singular() -> None:
    """It said "others does not compile"."""
    lacking = replace(ONE, missing=("org.x",))
    assert "; it does not compile, or needs what does not:" in notices.left_out(lacking)
    several = replace(lacking, left_out=("a.B", "a.C"))
    assert "; others do not compile, or need what does not:" in notices.left_out(several)


def test_single_tests_that_are_left_out_are_told() -> None:
    some = replace(ONE, left_out=(), broken=(), missing=("org.x",), methods_left_out=("a.BTest::one",))
    assert notices.left_out(some) == (
        "left out 1 method (BTest#one) that needs org.x; name the jars with --classpath to have them in"
    )
    more = replace(ONE, methods_left_out=("a.BTest::one", "a.BTest::two"))
    assert notices.left_out(more).startswith(
        "left out 1 class (B) and 2 methods of others (BTest#one, BTest#two) that do not compile"
    )


def test_of_a_test_with_parameters_the_first_failing_cases_are_told() -> None:
    """Of joda-money all 79 cases of one test stood there, one a line."""
    tests = (*(f"a.MoneyTest::plus[{n}]" for n in range(1, 80)), "a.MoneyTest::minus")
    told = notices.failing(tests, (), ONE).splitlines()
    assert told[0].startswith("80 tests fail today (some may only for want of what is left out)")
    assert told[1:] == [
        "  a.MoneyTest#plus[1]",
        "  a.MoneyTest#plus[2]",
        "  a.MoneyTest#plus[3]",
        "  and 76 more cases of it",
        "  a.MoneyTest#minus",
    ]


def test_of_many_failing_tests_the_first_are_named() -> None:
    """Of dnsjava 291 failed for want of something on the machine, each of which had a line."""
    tests = [f"a.ATest::test{n:03}[{case}]" for n in range(100) for case in (1, 2)]
    told = notices.failing(tests, (), ONE).splitlines()
    assert told[0].startswith("200 tests fail today")
    assert told[1] == "  a.ATest#test000[1]"
    assert told[-1] == "  and 176 more"
    assert len(told) < 30


def test_one_failing_test_is_told_in_the_singular() -> None:
    """Of failsafe it said "1 test fails today (some may only for want of what is left out)"."""
    told = notices.failing(("a.ATest::one",), (), ONE)
    assert told.startswith(
        "1 test fails today (it may only for want of what is left out); edits that make it pass"
    )


def test_fixed_tests_of_classes_that_are_called_alike_are_told_apart() -> None:
    """Of unirest: "fixes JSONObjectTest#stringToValue, JSONObjectTest#stringToValue", of two modules."""
    fixes = ("json.gson.JSONTest::value", "json.jackson.JSONTest::value", "json.gson.JSONTest::name")
    suggestion = Suggestion(1, "", "", "", "", Evidence(), "", 1, fixes, (), 3, 3)
    wanted = "fixes json.gson.JSONTest#value, json.jackson.JSONTest#value, JSONTest#name"
    assert suggestion.label == wanted


def test_tests_that_run_into_what_is_left_out_are_counted_and_no_edit_is_said_to_mend_them() -> None:
    """Of jackson-core 133 were listed, as if edits could make them pass."""
    tests = ("a.ATest::one", "a.ATest::two", "a.BTest::three")
    assert notices.failing(tests, tests, ONE) == "3 tests fail for want of what is left out"
    assert notices.failing(tests, tests[:1], ONE).splitlines() == [
        "1 test fails for want of what is left out",
        "2 tests fail today; edits that make them pass come first (--trigger TEST insists on one):",
        "  a.ATest#two",
        "  a.BTest#three",
    ]


def test_the_reason_why_no_test_can_be_run_is_the_first_that_was_thrown() -> None:
    output = "some noise\njava.lang.NoClassDefFoundError: org/x/Y\n\tat a.B\n"
    assert "can be run: java.lang.NoClassDefFoundError: org/x/Y; a jar" in notices.cannot_run(
        "a/B.java", output
    )
    assert "JUnit makes none" in notices.cannot_run("a/B.java", "")
    testng = "x\norg.testng.TestNGException: \n\nCannot instantiate class a.BTest\n    at x"
    told = "can be run: org.testng.TestNGException: Cannot instantiate class a.BTest; a jar"
    assert told in notices.cannot_run("a/B.java", testng)


def test_what_two_modules_lack_is_told_once() -> None:
    """Of a parser that both are compiled with, each class and the grammar it is made of were told twice."""
    first = replace(ONE, missing=("org.x",))
    assert not notices.untold(first, [first]).lacks_some
    broken = (*ONE.broken, "b/C.java:1: y")
    second = replace(ONE, left_out=("a.B", "b.C", "b.D"), missing=("org.x (3)", "org.y (1)"), broken=broken)
    assert notices.left_out(notices.untold(second, [first])) == (
        "left out 2 classes (C, D) that need org.y (1); name the jars with --classpath to have them in; "
        "others do not compile, or need what does not:\n  b/C.java:1: y"
    )
    third = notices.untold(replace(first, left_out=("a.B", "b.D")), [first])
    assert notices.left_out(third) == "left out 1 class (D) that needs what was left out before"
