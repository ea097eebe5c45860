"""Which lines of methods failing tests run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nl2fix.suggestion.localisation import reaching
from nl2fix.suggestion.localisation.localise import FailingRun, Place
from nl2fix.validation.jvm.worker import Reached, ReachedLine

TEST = "BookTest::t"


def place(folder: str, first: int, last: int, test: str = TEST) -> Place:
    return Place(Path(f"/repo/src/{folder}/Book.java"), "kind()", "Book", first, last, 1.0, "words", test)


REACHED = Reached(
    tests=3,
    lines=(
        ReachedLine("one/Book.java", 4, 3),
        ReachedLine("one/Book.java", 5, 0),
        ReachedLine("one/Book.java", 9, 0),
        ReachedLine("two/Book.java", 6, 0),
    ),
    failed={TEST: (0, 1, 3)},
)


def test_each_method_has_the_lines_that_its_failing_test_runs() -> None:
    [found] = reaching.with_runs([place("one", 3, 9)], REACHED, [TEST])
    assert found.run.lines == {4: 0.5, 5: 1.0}


def test_a_method_that_no_failing_test_is_known_to_run_has_none() -> None:
    [found] = reaching.with_runs([place("one", 3, 9, test="")], REACHED, [TEST])
    assert not found.run.lines


def test_what_the_jvm_threw_is_told_to_the_method_in_which_it_did() -> None:
    said = {TEST: 'java.lang.NullPointerException: Cannot invoke "String.length()"\nat once'}
    threw = REACHED._replace(objected={TEST: 1}, said=said)
    inside, outside = reaching.with_runs([place("one", 3, 7), place("two", 3, 9)], threw, [TEST])
    assert inside.run.threw == "NullPointer (Book.java:5)"
    assert outside.run == FailingRun({6: 1.0})


def test_others_of_the_class_that_fit_the_issue_stand_beside_its_failing_test() -> None:
    others = ["BookTest::u", "BookTest::v[1]", "ShelfTest::t", "other.BookTest::u"]
    [found] = reaching.with_runs([place("one", 3, 9)], REACHED, [TEST, *others])
    assert found.run.beside == ("BookTest::u", "BookTest::v[1]")


def test_lines_of_another_file_of_the_name_are_not_its_own() -> None:
    [found] = reaching.with_runs([place("two", 3, 9)], REACHED, [TEST])
    assert found.run.lines == {6: 1.0}


def test_a_method_of_which_failing_tests_run_more_lines_is_likelier() -> None:
    """Of two that only they run they pass through one."""
    long, short = place("one", 3, 9), place("two", 3, 9)
    first, second = reaching.run_at_length([short, long], REACHED, [TEST])
    assert 1.0 < first.score < second.score


def test_what_only_gives_a_value_gains_less_by_its_lines() -> None:
    plain, other = replace(place("one", 3, 9), plain=True), place("two", 3, 9)
    first, second = reaching.run_at_length([plain, other], REACHED, [TEST])
    assert first.score < second.score


def test_a_line_counts_for_the_innermost_method_around_it() -> None:
    outer, inner = place("one", 3, 9), place("one", 5, 5)
    assert [p.score for p in reaching.run_at_length([outer, inner], REACHED, [TEST])] == [1.1386, 1.1386]
