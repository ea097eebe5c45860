"""Stated examples: which a program keeps, and which can tell."""

from __future__ import annotations

from nl2fix.core.records import Behaviour, Stated
from nl2fix.ranking.examples import count_kept, kept, telling, told_keeping

COMMENT = Stated(0, "[1, 2]", "comment")
ISSUE = Stated(1, "4", "issue")
ERROR = Stated(2, "throws IllegalArgumentException", "issue")


def doing(*words: str) -> Behaviour:
    return Behaviour(words, words)


def test_kept_broken_and_not_known() -> None:
    assert kept(COMMENT, doing("List.of(1, 2); argument 1 becomes {}", "", "")) is True
    assert kept(COMMENT, doing("{1, 2, 3}", "", "")) is False
    assert kept(COMMENT, doing("does not end", "", "")) is False
    assert kept(COMMENT, doing("throws java.lang.Error", "", "")) is False
    assert kept(COMMENT, doing("{1, 2, 3, 4, …", "", "")) is False
    assert kept(COMMENT, doing("Point(x=1)", "", "")) is None
    assert kept(ISSUE, doing("4", "", "")) is None
    assert kept(ERROR, doing("", "", "throws java.lang.IllegalArgumentException")) is True
    assert kept(ERROR, doing("", "", "throws java.lang.NumberFormatException")) is None
    assert kept(ERROR, doing("", "", "7")) is False


def test_an_issue_that_tells_the_fault_says_nothing() -> None:
    stated = (COMMENT, ISSUE, ERROR)
    assert telling(stated, doing("{1, 2}", "4", "7")) == (COMMENT, ERROR)
    assert telling(stated, doing("0", "5", "7")) == stated


def test_in_words() -> None:
    before, after = doing("{1}", "4", "7"), doing("{1, 2}", "4", "throws java.lang.IllegalArgumentException")
    assert count_kept((COMMENT, ERROR), after) == 2
    assert told_keeping((COMMENT,), before, after) == "keeps 1 of 1 example in the comment; before: 0 of 1"
    both = told_keeping((COMMENT, ISSUE), before, after)
    assert both == "keeps 2 of 2 examples in the comment and issue; before: 1 of 2"
    assert told_keeping((), before, after) == ""
