"""The likeliest methods by what edits of them do, on a real project with real JVMs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.records import Problem
from nl2fix.mutation.proposals import Scored, Splice
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


UNREAD = """        if (text.isEmpty()) {
            boolean none = text.length() < 1 ? 2 > 1 : 3 > 4;
            return none && !(count != 5) ? count + 6 : count - 7;
        }
"""
"""What no test runs."""


def book(repo: Path, *tests: str, text: str = BOOK) -> None:
    """A project in which two letters are no short book."""
    methods = "".join(f"    @Test public void t{i}() {{ {test} }}\n" for i, test in enumerate(tests))
    head = "package examples.pages;\n\nimport static org.junit.Assert.*;\nimport org.junit.Test;\n\n"
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    write(repo, "src/main/java/examples/pages/Book.java", text)
    test = f"{head}public class BookTest {{\n{methods}}}\n"
    write(repo, "src/test/java/examples/pages/BookTest.java", test)
    commit(repo)


FAILING = 'assertEquals("short", Book.kind("ab"));'
PASSING = 'assertEquals("short", Book.kind("a")); assertEquals("long", Book.kind("abc"));'
MARKED = 'assertEquals("long", Book.kind("#ab"));'


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many edits are tried is no matter of the machine's load."""
    monkeypatch.setattr(probing, "SECONDS", 600.0)


def found(repo: Path, cache: Path, jobs: int = 2, issue: IssueReport = ISSUE) -> list[Place]:
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache, jobs=jobs), lambda _: None)
    return api.places(repo, issue, 10, (), setup)


def test_a_method_that_an_edit_mends_stands_before_one_that_calls_it(repo: Path, cache: Path) -> None:
    """Of eleven of nineteen projects a caller was first, which has the issue's words and runs as often."""
    book(repo, FAILING, PASSING, MARKED)
    assert api.places(repo, ISSUE, 10)[0].entity == "kind(String)"
    first, second = found(repo, cache)[:2]
    assert (first.entity, second.entity) == ("letters(String)", "kind(String)")
    assert first.why.endswith("run by BookTest#t0, which fails; an edit makes it pass")


def test_what_the_failing_test_does_not_run_is_not_edited(repo: Path, cache: Path) -> None:
    """Of a method of many branches the first edits were of others than the test runs."""
    loop = "        for (int i"
    book(repo, FAILING, PASSING, MARKED, text=BOOK.replace(loop, 3 * UNREAD + loop))
    first = found(repo, cache)[0]
    assert (first.entity, first.why[-21:]) == ("letters(String)", "an edit makes it pass")


def test_a_method_of_another_file_is_edited_in_the_project_as_it_is(repo: Path, cache: Path) -> None:
    """The class whose edits ran before was gone, so that no edit of another file's passed."""
    at = BOOK.index("    static int letters")
    letters = "package examples.pages;\n\nclass Letters {\n" + BOOK[at:]
    write(repo, "src/main/java/examples/pages/Letters.java", letters)
    text = BOOK[:at].replace("letters(", "Letters.letters(") + "}\n"
    book(repo, FAILING, PASSING, MARKED, text=text)
    first = found(repo, cache, jobs=1)[0]
    assert (first.owner, first.why[-21:]) == ("examples.pages.Letters", "an edit makes it pass")


def test_an_edit_of_another_class_does_not_lead_past_the_one_that_the_title_names(
    repo: Path, cache: Path
) -> None:
    """Of geogson "Improve the FeatureCollectionAdapter" an edit of what makes such adapters was first."""
    at = BOOK.index("    static int letters")
    letters = "package examples.pages;\n\nclass BookLetters {\n" + BOOK[at:]
    write(repo, "src/main/java/examples/pages/BookLetters.java", letters)
    kind = (
        BOOK[:at].replace("letters(", "BookLetters.letters(").replace("class Book", "class BookKind") + "}\n"
    )
    write(repo, "src/main/java/examples/pages/BookKind.java", kind)
    tests = (test.replace("Book.", "BookKind.") for test in (FAILING, PASSING, MARKED))
    book(repo, *tests, text="package examples.pages;\n\nclass Book { }\n")
    assert found(repo, cache)[0].owner == "examples.pages.BookLetters"
    named = IssueReport("The BookKind of a short book is long", "")
    assert found(repo, cache, issue=named)[0].owner == "examples.pages.BookKind"


@pytest.mark.parametrize("name", ["Book kind", "Book.kind()"])
def test_an_edit_does_not_lead_past_the_method_that_the_title_names_with_its_class(
    repo: Path, cache: Path, name: str
) -> None:
    """Of "fix Path relativize" an edit of ``Path#isEmpty``, which that calls, was first."""
    book(repo, FAILING, PASSING, MARKED)
    assert found(repo, cache)[0].entity == "letters(String)"
    asked = IssueReport(f"fix {name} of a short book", "")
    first = found(repo, cache, issue=asked)[0]
    assert (first.entity, first.named) == ("kind(String)", "method")


def test_likely_edits_of_all_methods_come_before_unlikely_ones_of_the_first(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller of a project's method had its fortieth edit pass, the method its thirteenth."""

    def edits(problem: Problem, lines: Mapping[int, float]) -> Iterator[Scored]:
        code = problem.text[problem.region.start : problem.region.end]
        vain = 0 if "letters(String" in code else probing.AT_ONCE
        yield from [Scored(1.0, "", ())] * vain
        mended = code.replace("< 3", "<= 3").replace('text.startsWith("#") ? 0 : 1', "0")
        yield Scored(1.0, "", (Splice(problem.region.start, problem.region.end, mended),))

    book(repo, FAILING, PASSING)
    monkeypatch.setattr(probing, "aimed", edits)
    assert found(repo, cache)[0].entity == "letters(String)"


def test_an_edit_after_which_other_tests_fail_is_no_reason(repo: Path, cache: Path) -> None:
    """``<=`` makes the failing test pass, too; only the marked book tells that it is not meant."""
    book(repo, FAILING, PASSING)
    assert found(repo, cache)[0].entity == "kind(String)"


def test_a_getter_whose_edit_passes_does_not_stand_before_what_sets_its_value(
    repo: Path, cache: Path
) -> None:
    """Of marine-api the first was ``isAccurate()`` with its field negated, which the constructor sets."""
    text = """package examples.pages;

public class Book {
    private final boolean isShort;

    public Book(String pages) {
        boolean none = pages.length() < 1 ? 2 > 1 : 3 > 4;
        int count = none && !(pages.length() != 5) ? 6 + pages.length() : 7 - pages.length();
        isShort = pages.length() < (count > 8 ? 3 : 2);
    }

    /** Whether a book is short or long: its kind. */
    public boolean isShort() {
        return isShort;
    }
}
"""
    book(repo, 'assertTrue(new Book("ab").isShort());', 'new Book("abc");', text=text)
    first, second = found(repo, cache)[:2]
    assert (first.entity, second.entity) == ("Book(String)", "isShort()")
    assert first.why.endswith("an edit makes it pass")


def test_a_check_of_what_is_given_is_not_taken_away(repo: Path, cache: Path) -> None:
    """Of geantyref a constructor that takes any ``null`` came before the method that gives it one."""
    text = """package examples.pages;

public class Book {
    private final String kind;

    private Book(String kind) {
        this.kind = java.util.Objects.requireNonNull(kind);
    }

    /** The kind of a short book, which is none where it is long. */
    public static Book kind(String book) {
        return new Book(book.length() > 3 ? null : "short");
    }
}
"""
    book(repo, 'assertNotNull(Book.kind("long"));', 'assertNotNull(Book.kind("a"));', text=text)
    places = found(repo, cache)
    assert [place.entity for place in places[:2]] == ["kind(String)", "Book(String)"]
    assert not any("Book(String)" in place.entity and "an edit" in place.why for place in places)


THROWING = """package examples.pages;

public class Book {
    /** Whether a book is short. */
    public static boolean isShort(String book) {
        return pages(book) < 3;
    }

    static int pages(String text) {
        int count = 0;
        for (String part : text.split("-")) {
            count += part.charAt(3) + Integer.parseInt(part.substring(9)) * part.charAt(7);
        }
        return count;
    }
}
"""


def test_a_caller_does_not_come_first_because_it_may_return_a_constant(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """maven-gpg-plugin's ``isAtLeast`` did, which calls what throws: ``return true`` passed its test."""

    def edits(problem: Problem, lines: Mapping[int, float]) -> Iterator[Scored]:
        code = problem.text[problem.region.start : problem.region.end]
        made = code.replace("pages(book) < 3", "true")
        if made != code:
            yield Scored(1.0, "", (Splice(problem.region.start, problem.region.end, made),))

    book(repo, 'assertTrue(Book.isShort("ab"));', "assertNotNull(new Book());", text=THROWING)
    monkeypatch.setattr(probing, "aimed", edits)
    issue = IssueReport("An exception is thrown where it is asked whether a book is short", "")
    first, second = found(repo, cache, issue=issue)[:2]
    assert (first.entity, second.entity) == ("pages(String)", "isShort(String)")


def test_without_an_edit_that_passes_all_stay_where_they_are(repo: Path, cache: Path) -> None:
    book(repo, FAILING.replace("short", "neither"), PASSING, MARKED)
    places = found(repo, cache)
    assert places[0].entity == "kind(String)"
    assert not any("an edit" in place.why for place in places)


def test_an_edit_that_mends_one_of_several_tests_does_not_lead_past_the_likeliest(
    repo: Path, cache: Path
) -> None:
    """Of sling-api "Multiple puts with same key" an edit of get() made one of two tests pass: get() led."""
    other = 'assertEquals("short?", Book.kind("bcd", 2));'
    another = "    public static String kind(String book, int least) { return kind(book); }\n\n    static int"
    book(repo, FAILING, other, PASSING, MARKED, text=BOOK.replace("    static int", another))
    issue = IssueReport("The kind of a short book is long, also a short book of its kind", "")
    places = found(repo, cache, issue=issue)
    assert not any("an edit" in place.why for place in places)


def test_a_test_that_fails_of_something_else_hinders_no_edit(repo: Path, cache: Path) -> None:
    """Of java-totp's five failing tests the first was of the machine, and no edit made it pass."""
    machine = 'assertEquals("short book kind, long kind", Book.kind("ab") + System.getProperty("book.kind"));'
    book(repo, machine, FAILING, FAILING.replace("ab", "cd"), PASSING, MARKED)
    first = found(repo, cache)[0]
    assert (first.entity, first.why[-21:]) == ("letters(String)", "an edit makes it pass")


def test_a_slow_test_beside_the_one_that_points_at_a_method_is_left_out(repo: Path, cache: Path) -> None:
    slow = "java.util.concurrent.locks.LockSupport.parkNanos(3000000000L); "
    book(repo, FAILING, slow + FAILING, PASSING, MARKED)
    first = found(repo, cache)[0]
    assert (first.entity, first.why[-21:]) == ("letters(String)", "an edit makes it pass")


@pytest.mark.parametrize(("seconds", "mends"), [(0.2, True), (3, False)])
def test_a_test_that_takes_long_is_not_run_for_every_edit(
    repo: Path, cache: Path, seconds: float, mends: bool
) -> None:
    pause = f"java.util.concurrent.locks.LockSupport.parkNanos({int(seconds * 1e9)}L); "
    book(repo, pause + FAILING, PASSING, MARKED)
    assert found(repo, cache)[0].why.endswith("an edit makes it pass") is mends


def test_when_time_is_up_no_edit_is_tried(repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book(repo, FAILING, PASSING, MARKED)
    monkeypatch.setattr(probing, "SECONDS", 0.0)
    assert found(repo, cache)[0].entity == "kind(String)"
