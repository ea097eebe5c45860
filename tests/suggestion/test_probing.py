"""The likeliest methods by what edits of them do, on a real project with real JVMs."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.suggestion import api, probing
from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.setup import Choices, Setup

from .conftest import JARS, commit, write

BOOK = """package examples.pages;

public class Book {
    /** The kind of a book, which is short or long. */
    public static String kind(String book) {
        return letters(book) < 3 ? "short" : "long";
    }

    static int letters(String text) {
        int count = text.startsWith("#") ? 0 : 1;
        for (int i = 0; i < text.length(); i++) {
            count++;
        }
        return count;
    }
}
"""
ISSUE = IssueReport("The kind of a short book is long", "")


def book(repo: Path, *tests: str) -> None:
    """A project in which two letters are no short book."""
    methods = "".join(f"    @Test public void t{i}() {{ {test} }}\n" for i, test in enumerate(tests))
    head = "package examples.pages;\n\nimport static org.junit.Assert.*;\nimport org.junit.Test;\n\n"
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    test = f"{head}public class BookTest {{\n{methods}}}\n"
    write(repo, "src/test/java/examples/pages/BookTest.java", test)
    commit(repo)


FAILING = 'assertEquals("short", Book.kind("ab"));'
PASSING = 'assertEquals("short", Book.kind("a")); assertEquals("long", Book.kind("abc"));'
MARKED = 'assertEquals("long", Book.kind("#ab"));'


def found(repo: Path, cache: Path) -> list[Place]:
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    return api.places(repo, ISSUE, 10, (), setup)


def test_a_method_that_an_edit_mends_stands_before_one_that_calls_it(repo: Path, cache: Path) -> None:
    """Of eleven of nineteen projects a caller was first, which has the issue's words and runs as often."""
    book(repo, FAILING, PASSING, MARKED)
    assert api.places(repo, ISSUE, 10)[0].entity == "kind(String)"
    first, second = found(repo, cache)[:2]
    assert (first.entity, second.entity) == ("letters(String)", "kind(String)")
    assert first.why.endswith("run by BookTest#t0, which fails; an edit makes it pass")


def test_an_edit_after_which_other_tests_fail_is_no_reason(repo: Path, cache: Path) -> None:
    """``<=`` makes the failing test pass, too; only the marked book tells that it is not meant."""
    book(repo, FAILING, PASSING)
    assert found(repo, cache)[0].entity == "kind(String)"


def test_without_an_edit_that_passes_all_stay_where_they_are(repo: Path, cache: Path) -> None:
    book(repo, FAILING.replace("short", "neither"), PASSING, MARKED)
    places = found(repo, cache)
    assert places[0].entity == "kind(String)"
    assert not any("an edit" in place.why for place in places)


def test_when_time_is_up_no_edit_is_tried(repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book(repo, FAILING, PASSING, MARKED)
    monkeypatch.setattr(probing, "SECONDS", 0.0)
    assert found(repo, cache)[0].entity == "kind(String)"
