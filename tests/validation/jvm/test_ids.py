"""Ids of tests, and of what is told in place of tests."""

from __future__ import annotations

from nl2fix.validation.jvm.ids import covers, declared, is_made, is_test

TEST = "a.PagerTest::counts"


def test_runs_with_parameters_are_of_one_declared_test() -> None:
    assert declared(f"{TEST}[2: x[0]]") == declared(TEST) == TEST


def test_a_trigger_covers_its_runs_and_a_class_all_its_tests() -> None:
    assert covers(TEST, f"{TEST}[1]") and covers("a.PagerTest", TEST) and covers("a.PagerTest", "a.PagerTest")
    assert not covers(TEST, f"{TEST}Up") and not covers("a.Pager", TEST)


def test_what_is_told_in_place_of_tests_is_none_and_made_once_they_run() -> None:
    told = "a.PagerTest::initializationError"
    assert is_test(TEST) and not is_test(told) and not is_test("a.PagerTest")
    assert is_made(told, [TEST]) and is_made(TEST, [f"{TEST}[1]"])
    assert not is_made(TEST, ["a.PagerTest::other"])
