"""What failing tests run leads to the method, through a real build and real JVMs."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.suggestion import api, probing
from nl2fix.suggestion.building.testclasses import WantedTests
from nl2fix.suggestion.localisation import target
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.surefire import FailedTest
from nl2fix.suggestion.setup import Choices, Setup
from nl2fix.validation.jvm import spectrum
from nl2fix.validation.jvm.worker import Limit
from tests.suggestion.conftest import JARS, PAGER, commit, write


@pytest.fixture(autouse=True)
def without_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What edits of a method do is not asked here."""
    monkeypatch.setattr(probing, "SECONDS", 0.0)


FULL = """package examples.pages;

import static org.junit.Assert.*;
import java.util.Arrays;
import org.junit.Test;

public class FullTest {
    @Test public void lastPageIsFull() {
        assertEquals(2, new Pager<Integer>(Arrays.asList(1, 2, 3, 4), 2).pageCount());
    }
    @Test public void somethingElse() { assertTrue(Boolean.getBoolean("never")); }
}
"""
BOOK = """package examples.pages;

public class Book {
    public static String opened(String book) {
        String opened = book.trim();
        return opened + mark(opened);
    }

    private static char mark(String text) { return text.charAt(0); }
}
"""
BOOK_TEST = """package examples.pages;

import static org.junit.Assert.*;
import org.junit.Test;

public class BookTest {
    @Test public void nothing() { assertEquals("", Book.opened("")); }
}
"""
BUSY = """package examples.pages;

import org.junit.Test;

public class PagerTest {
    @Test public void pager() {
        for (long end = System.nanoTime() + 3_000_000_000L; System.nanoTime() < end; ) { }
    }
}
"""
MISLEADING = IssueReport("Navigation shows an empty page", "Pager#page(int) gives it")


def names(repo: Path, setup: Setup | None, *failed: FailedTest) -> list[str]:
    found = api.places(repo, MISLEADING, 10, failed, setup)
    return [place.entity.partition("(")[0] for place in found]


def test_what_a_failing_test_runs_stands_before_what_the_issue_names(repo: Path, cache: Path) -> None:
    write(repo, "src/test/java/examples/pages/FullTest.java", FULL)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    assert names(repo, None)[0] == "page"
    assert names(repo, setup)[0] == "pageCount"
    known = FailedTest("examples.pages.FullTest::lastPageIsFull")
    assert names(repo, setup, known)[0] == "pageCount"
    unrelated = FailedTest("examples.pages.FullTest::somethingElse")
    assert names(repo, setup, unrelated)[0] == names(repo, None, unrelated)[0] == "page"


def test_a_test_found_to_fail_leads_to_the_method_as_a_named_one_does(repo: Path, cache: Path) -> None:
    """What it is called and does counted only for tests that somebody had named."""
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    write(repo, "src/test/java/examples/pages/BookTest.java", BOOK_TEST)
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked = IssueReport("An empty book fails", "")
    named = api.places(repo, asked, 10, [FailedTest("examples.pages.BookTest::nothing")], setup)
    found = api.places(repo, asked, 10, (), setup)
    assert [(place.name, place.score) for place in found] == [(place.name, place.score) for place in named]


SIGNING = """package examples.pages;

public class Signing {
    /** The text signed with a key, its lines joined: what is signed is the whole signing string. */
    public static String signingString(String text, String key, boolean whole) {
        StringBuilder signed = new StringBuilder(key);
        for (String line : text.split("\\n")) {
            signed.append(whole ? line.trim() : line).append(key);
        }
        return signed.toString();
    }

    public static String signingString(String text, String key) {
        return %s;
    }
}
"""
SIGNING_TEST = """package examples.pages;

import static org.junit.Assert.*;
import org.junit.Test;

public class SigningTest {
    @Test public void signingString() {
        assertEquals("ka", Signing.signingString("a", "k"));
        assertEquals("kak", Signing.signingString("a", "k", true));
        assertEquals("k a k", Signing.signingString(" a ", "k", false));
    }
}
"""


@pytest.mark.parametrize("body", ["signingString(text, key)", "key"])
def test_what_no_failing_test_runs_that_the_issue_is_about_stands_last(
    repo: Path, cache: Path, body: str
) -> None:
    """The longer of two overloads, which the test would have called next, stood before that which it ran."""
    write(repo, "src/main/java/examples/pages/Signing.java", SIGNING % body)
    write(repo, "src/test/java/examples/pages/SigningTest.java", SIGNING_TEST)
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked = IssueReport("The signing string of a whole signed text lacks lines: stack overflow", "")
    found = api.places(repo, asked, 10, (), setup)
    assert found[0].entity == "signingString(String, String)"
    assert found[0].test and not any(place.test for place in found[1:])


PARTS = """package examples.pages;

public class Parts {
    public static String opened(String book) {
        String opened = title(book);
        return mark(opened) + opened;
    }

    private static String title(String book) { return book == null ? null : book.trim(); }

    private static char mark(String parts) { return parts.charAt(0); }
}
"""


def test_the_method_in_which_a_null_was_met_stands_before_those_that_fit_the_words(
    repo: Path, cache: Path
) -> None:
    """java-object-diff's was fifth: three others, which only lead there, have more of the issue's words."""
    write(repo, "src/main/java/examples/pages/Parts.java", PARTS)
    test = BOOK_TEST.replace("Book", "Parts").replace('opened("")', "opened(null)")
    write(repo, "src/test/java/examples/pages/PartsTest.java", test)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked = IssueReport("NullPointerException where the title of an opened book is null", "")
    first = api.places(repo, asked, 10, (), setup)[0]
    assert first.entity == "mark(String)"
    assert first.why.endswith("run by PartsTest#nothing, which fails in it")
    assert api.places(repo, asked, 10)[0].entity != "mark(String)"


@pytest.mark.parametrize(
    ("title", "key"), [("An empty book fails", "407"), ("#407: an empty book fails", "")]
)
def test_the_failing_test_that_names_the_issue_decides_whatever_its_words(
    repo: Path, cache: Path, title: str, key: str
) -> None:
    """Those whose words fit did, though a comment said which one is about it."""
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    write(repo, "src/test/java/examples/pages/BookTest.java", BOOK_TEST)
    write(repo, "src/test/java/examples/pages/FullTest.java", FULL.replace("{\n", "{\n    // #407\n", 1))
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    [untold, *_] = api.places(repo, IssueReport("An empty book fails", ""), 10, (), setup)
    assert untold.test == "examples.pages.BookTest::nothing"
    [first, *_] = api.places(repo, IssueReport(title, "", key), 10, (), setup)
    assert first.test == "examples.pages.FullTest::lastPageIsFull"


def test_a_setter_that_only_the_failing_test_calls_stands_behind_what_works_with_it(
    repo: Path, cache: Path
) -> None:
    """Of spring-retry it was first, as no test that passes had called it."""
    code = """package examples.pages;

public class Book {
    private String end = ".";
    public Book setMark(String mark) { this.end = mark; return this; }
    public String opened(String book) {
        return book.isEmpty() ? end + end : book + end;
    }
}
"""
    test = """package examples.pages;

import static org.junit.Assert.*;
import org.junit.Test;

public class BookTest {
    @Test public void opened() { assertEquals("a.", new Book().opened("a")); }
    @Test public void longer() { assertEquals("ab.", new Book().opened("ab")); }
    @Test public void longest() { assertEquals("abc.", new Book().opened("abc")); }
    @Test public void marked() { assertEquals("!", new Book().setMark("!").opened("")); }
}
"""
    write(repo, "src/main/java/examples/pages/Book.java", code)
    write(repo, "src/test/java/examples/pages/BookTest.java", test)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked = IssueReport("The mark is set twice", "")
    [first, *_] = api.places(repo, asked, 10, (), setup)
    assert first.entity == "opened(String)"


def test_a_method_that_passes_on_what_was_thrown_stands_behind_what_threw_it(repo: Path, cache: Path) -> None:
    """Of yamlbeans it was first, as no test that passes had reached its ``catch`` clauses."""
    code = """package examples.pages;

public class Book {
    public static String opened(String book) {
        try {
            return marked(book);
        } catch (IllegalStateException empty) {
            throw new IllegalArgumentException("An empty book is not opened", empty);
        }
    }
    private static String marked(String text) {
        if (text.isEmpty()) {
            throw new IllegalStateException();
        }
        return text + ".";
    }
}
"""
    test = """package examples.pages;

import static org.junit.Assert.*;
import org.junit.Test;

public class BookTest {
    @Test public void opened() { assertEquals("a.", Book.opened("a")); }
    @Test public void longer() { assertEquals("ab.", Book.opened("ab")); }
    @Test public void longest() { assertEquals("abc.", Book.opened("abc")); }
    @Test public void emptyBook() { assertEquals(".", Book.opened("")); }
}
"""
    write(repo, "src/main/java/examples/pages/Book.java", code)
    write(repo, "src/test/java/examples/pages/BookTest.java", test)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    [first, second, *_] = api.places(repo, IssueReport("An empty book is not opened", ""), 10, (), setup)
    assert (first.entity, second.entity) == ("marked(String)", "opened(String)")


@pytest.mark.parametrize(
    ("title", "decided"), [("The last page is wrong", 1), ("The last page of a book is not equal", 2)]
)
def test_what_assertions_call_of_any_value_is_no_likelier_for_that(
    repo: Path, cache: Path, title: str, decided: int
) -> None:
    """Of rtree ``toString`` was tried second, and ``y2 < 0 ||`` in ``equals`` made the failing test pass."""
    code = """package examples.pages;

public class Book {
    private final int page;
    public Book(int page) { this.page = page; }
    public Book last() { return new Book(page + page); }
    public boolean isLong() { return last().page > 100; }
    @Override public boolean equals(final Object other) {
        return other instanceof Book && ((Book) other).page == page;
    }
    @Override public int hashCode() { return page; }
    @Override public String toString() { return "page " + page; }
}
"""
    test = """package examples.pages;

import static org.junit.Assert.*;
import org.junit.Test;

public class BookTest {
    @Test public void shortOne() { assertFalse(new Book(3).isLong()); }
    @Test public void longOne() { assertTrue(new Book(300).isLong()); }
    @Test public void last() { assertEquals(new Book(9), new Book(3).last()); }
}
"""
    write(repo, "src/main/java/examples/pages/Book.java", code)
    write(repo, "src/test/java/examples/pages/BookTest.java", test)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    places = api.places(repo, IssueReport(title, ""), 50, (), setup)
    tried = {place.entity for place in places if place.test} & {"last()", "equals(Object)", "toString()"}
    assert tried == set(["last()", "equals(Object)"][:decided])


def test_tests_of_the_issues_words_run_before_slow_ones_of_the_likeliest_class(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow one that stood before it took the time there is, and the test that fails was not met."""
    monkeypatch.setattr(spectrum, "_OTHERS", Limit(1.0, 20.0))
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    write(repo, "src/test/java/examples/pages/OpenedTest.java", BOOK_TEST.replace("BookTest", "OpenedTest"))
    write(repo, "src/test/java/examples/pages/PagerTest.java", BUSY)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked = IssueReport("Nothing can be opened", "Pager#page(int) is what I call")
    [first, *_] = api.places(repo, asked, 10, (), setup)
    assert first.test == "examples.pages.OpenedTest::nothing"


def test_the_failing_test_that_points_at_a_method_most_decides_on_it(repo: Path, cache: Path) -> None:
    """The first that ran it did, which often failed for another reason."""
    mark = """if (text.length() == 0) {
            return text.charAt(0);
        }
        return '.';"""
    others = """@Test public void anEmptyBookFails() { assertEquals("", Book.opened("a")); }
    @Test public void open() { assertEquals("a.", Book.opened("a")); }
    @Test"""
    write(repo, "src/main/java/examples/pages/Book.java", BOOK.replace("return text.charAt(0);", mark))
    write(repo, "src/test/java/examples/pages/BookTest.java", BOOK_TEST.replace("@Test", others, 1))
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    places = api.places(repo, IssueReport("An empty book fails", "BookTest shows it"), setup=setup)
    assert {place.entity: place.test for place in places}[
        "mark(String)"
    ] == "examples.pages.BookTest::nothing"


def test_tests_run_once_until_something_changes(repo: Path, cache: Path) -> None:
    """Each command ran them again, which took longer than the first suggestion may."""
    said: list[str] = []

    def places() -> list[str]:
        setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
        return names(repo, setup)

    first = places()
    assert places() == first
    assert said.count("looking what the tests run") == 1
    write(repo, PAGER, (repo / PAGER).read_text() + "\n")
    places()
    assert said.count("looking what the tests run") == 2


def test_a_failing_test_that_the_issue_is_not_about_does_not_outweigh_it(repo: Path, cache: Path) -> None:
    """Most projects have one that fails on this machine for reasons of its own."""
    about = (
        "assertNotNull(new Pager<Integer>(Arrays.asList(1, 2, 3, 4), 2)); // navigation shows an empty page"
    )
    tests = "\n".join(f"@Test public void emptyPageOfNavigation{n}() {{ {about}\n }}" for n in range(20))
    full = FULL.replace("lastPageIsFull", "clock").replace(
        "@Test public void somethingElse", f"{tests}\nvoid other"
    )
    write(repo, "src/test/java/examples/pages/FullTest.java", full)
    commit(repo)
    said: list[str] = []
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    assert names(repo, setup)[0] == "page"
    told = "the issue seems to be about no failing test; if it is, name it with --trigger: "
    assert said[-1].startswith(f"{told}examples.pages.PagerTest#navigation"), "which fits its words best"
    assert names(repo, setup, FailedTest("examples.pages.FullTest::clock"))[0] == "pageCount"


def test_where_few_tests_fail_the_one_whose_words_fit_best_does_not_hide_the_others(
    repo: Path, cache: Path
) -> None:
    """jmustache's right method fell from the first place to the eighth for a test with the issue's words."""
    passes = "assertNotNull(new Book()); // navigation shows an empty page"
    others = "\n".join(f"@Test public void emptyPageOfNavigation{n}() {{ {passes}\n }}" for n in range(20))
    fails = '@Test public void navigationShowsAnEmptyPage() { assertEquals("a", Book.opened("a")); }'
    tests = BOOK_TEST.replace("@Test public void nothing", f"{fails}\n{others}\nvoid nothing")
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    write(repo, "src/test/java/examples/pages/BookTest.java", tests)
    full = FULL.replace("@Test public void somethingElse", "void other")
    write(repo, "src/test/java/examples/pages/FullTest.java", full)
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked = IssueReport("Navigation shows an empty page", "")
    found = {place.entity: place.test for place in api.places(repo, asked, 10, (), setup)}
    assert found["opened(String)"] == "examples.pages.BookTest::navigationShowsAnEmptyPage"
    assert found["pageCount()"] == "examples.pages.FullTest::lastPageIsFull"


def test_a_test_that_fits_the_words_leads_before_one_that_hardly_does(repo: Path, cache: Path) -> None:
    """zt-zip: one that fails on this machine anyway was worked on first, and its "fix" ended the search."""
    opens = '@Test public void aBookThatIsEmptyOpens() { assertEquals("", Book.opened("")); }\n    @Test'
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    write(repo, "src/test/java/examples/pages/BookTest.java", BOOK_TEST.replace("@Test", opens, 1))
    write(
        repo, "src/test/java/examples/pages/FullTest.java", FULL.replace("@Test public void som", "void som")
    )
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked = IssueReport("Pager that is empty cannot be opened as a book: IndexOutOfBounds on empty", "")
    found = [place for place in api.places(repo, asked, 10, (), setup) if place.test]
    tests = [place.test.partition("::")[0].rpartition(".")[2] for place in found]
    assert tests == sorted(tests) and set(tests) == {"BookTest", "FullTest"}


def test_a_failing_test_that_runs_where_the_trace_begins_decides(repo: Path, cache: Path) -> None:
    """commons-pool's issue is a stack trace; its failing tests were not taken for what it is about."""
    throws = "assertNotNull(new Book()); // String index out of bounds exception"
    others = "\n".join(f"@Test public void stringIndexOutOfBounds{n}() {{ {throws}\n }}" for n in range(20))
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    tests = BOOK_TEST.replace("@Test", f"{others}\n    @Test", 1).replace('""', "help()")
    tests = tests.replace(
        "    @Test public void nothing", '    String help() { return ""; }\n    @Test public void nothing'
    )
    write(repo, "src/test/java/examples/pages/BookTest.java", tests)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    trace = "java.lang.StringIndexOutOfBoundsException\n\tat java.lang.String.charAt(String.java:1)\n"
    asked = IssueReport("Crash", f"{trace}\tat examples.pages.Book.mark(Book.java:9)\n")
    [first, *_] = api.places(repo, asked, 10, (), setup)
    assert (first.entity, first.test) == ("mark(String)", "examples.pages.BookTest::nothing")


FAST = """package examples.pages;
import org.fast.Parser;
public class Fast {
    public static int parse(String s) {
        return Parser.parse(s);
    }
}
"""
FAST_TEST = BOOK_TEST.replace("BookTest", "FastTest").replace('"", Book.opened("")', '1, Fast.parse("1")')


def test_tests_that_need_what_is_left_out_decide_nothing(repo: Path, cache: Path) -> None:
    """Of jackson-core 25 of 28 failing tests ask for the version, whose class its build makes."""
    write(repo, "src/main/java/examples/pages/Fast.java", FAST)
    write(repo, "src/test/java/examples/pages/FastTest.java", FAST_TEST)
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    commit(repo)
    said: list[str] = []
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    found = api.places(repo, IssueReport("A Book with nothing cannot be opened", ""), 10, (), setup)
    assert "examples.pages.FastTest::nothing" not in {place.test for place in found}
    [told] = [line for line in said if " fail, and 1 for want of what is left out, most often as " in line]
    assert told.endswith(
        "Fast.java does not compile: package org.fast does not exist; a jar with org.fast "
        "seems missing, name it with --classpath"
    )


def test_where_all_tests_need_what_is_left_out_that_is_why_none_passes(tmp_path: Path, cache: Path) -> None:
    """Of commons-geometry: "no tests ran: NoClassDefFoundError …, and 21 for want of what is left out"."""
    write(tmp_path, "src/main/java/examples/pages/Fast.java", FAST)
    write(tmp_path, "src/test/java/examples/pages/FastTest.java", FAST_TEST)
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    api.places(tmp_path, IssueReport("Fast parses slowly", ""), setup=setup)
    told = "tests today: none passes, 1 for want of what is left out, most often as examples/pages/Fast.java"
    assert [line for line in said if line.startswith(told)], said


def test_without_a_failing_test_or_a_build_the_words_decide(repo: Path, cache: Path) -> None:
    pager = (repo / PAGER).read_text()
    mended = pager.replace("items.size() / pageSize + 1", "(items.size() + pageSize - 1) / pageSize")
    assert mended != pager
    (repo / PAGER).write_text(mended)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    assert names(repo, setup) == names(repo, None)
    (repo / PAGER).write_text("package examples.pages; public class Pager { int page(int i) { return x; } }")
    commit(repo)
    broken = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    assert names(repo, broken) == names(repo, None)


def test_why_no_test_class_starts_is_told_once(tmp_path: Path, cache: Path) -> None:
    """Of commons-io "no tests ran" was followed by its reason, that they were many, and the reason again."""
    write(tmp_path, "src/main/java/examples/pages/Book.java", BOOK)
    starts = "@BeforeClass public static void start() { throw new IllegalStateException(); }\n@Test"
    for number in range(51):
        code = BOOK_TEST.replace("@Test", starts).replace("BookTest", f"B{number}")
        write(tmp_path, f"src/test/java/examples/pages/B{number}.java", code.replace("junit.Test", "junit.*"))
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    api.places(tmp_path, IssueReport("Book is closed", ""), setup=setup)
    assert "no tests ran: java.lang.IllegalStateException" in said, said


def test_tests_in_other_languages_are_said_not_to_run(tmp_path: Path, cache: Path) -> None:
    """Of jjwt, whose hundreds of tests are in Groovy, "no tests ran" was all that was said."""
    write(tmp_path, "src/main/java/examples/pages/Book.java", BOOK)
    write(
        tmp_path,
        "src/test/groovy/examples/pages/BookTest.groovy",
        "class BookTest { @Test void closes() {} }",
    )
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    [book, *_] = api.places(tmp_path, IssueReport("Book is closed", ""), setup=setup)
    assert "only tests in Java judge; those of 1 file in Groovy are not run" in said
    with pytest.raises(UsageError, match="no tests were found: "):
        setup.prepare(target.at(book.file, book.entity), IssueReport("Book is closed", ""))


def test_where_the_likeliest_methods_module_has_no_failing_test_others_are_looked_at(
    tmp_path: Path, cache: Path
) -> None:
    """Of flexmark and HdrHistogram the failing test, in another module, was not met, and nothing said so."""
    shelf = BOOK.replace("Book", "Shelf").replace("opened", "empty").replace("examples.pages", "shelves")
    write(tmp_path, "shelves/src/main/java/shelves/Shelf.java", shelf)
    write(tmp_path, "books/src/main/java/examples/pages/Book.java", BOOK)
    write(tmp_path, "books/src/test/java/examples/pages/BookTest.java", BOOK_TEST)
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    asked = IssueReport("Shelf is empty, nothing on it", "")
    assert api.places(tmp_path, asked)[0].name == "shelves.Shelf#empty(String)"
    [first, *_] = api.places(tmp_path, asked, setup=setup)
    assert first.test == "examples.pages.BookTest::nothing"
    assert first.why.endswith("run by BookTest#nothing, which fails in it")
    assert "shelves: no tests ran" in said
    assert "books: tests today: 0 pass, 1 fail" in said


def test_a_module_that_has_nothing_but_tests_is_looked_at(tmp_path: Path, cache: Path) -> None:
    """Most tests of janino stand in one, of which none was run."""
    write(tmp_path, "books/src/main/java/examples/pages/Book.java", BOOK)
    own = BOOK_TEST.replace('opened("")', 'opened("a").substring(2)').replace("BookTest", "OwnTest")
    write(tmp_path, "books/src/test/java/examples/pages/OwnTest.java", own)
    test = BOOK_TEST.replace("package examples.pages;", "package checks;\nimport examples.pages.Book;")
    write(tmp_path, "checks/src/test/java/checks/BookTest.java", test)
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    [first, *_] = api.places(tmp_path, IssueReport("Nothing is opened", ""), setup=setup)
    assert first.test == "checks.BookTest::nothing", said


def test_modules_of_which_no_test_can_run_leave_others_their_turn(tmp_path: Path, cache: Path) -> None:
    """Three of shiro's, whose tests lack a jar, were all that were looked at."""
    lacking = BOOK.replace("book.trim()", "org.lack.ing.Jar.trim(book)")
    nothing = BOOK_TEST.replace("assert", "if (false) assert")
    modules = {
        "a": (lacking, BOOK_TEST),
        "b": (lacking, BOOK_TEST),
        "c": (BOOK.replace("opened", "jar"), nothing.replace("opened", "jar")),
        "d": (BOOK, BOOK_TEST),
    }
    for name, (code, test) in modules.items():
        write(tmp_path, f"{name}/src/main/java/{name}/Book.java", code.replace("examples.pages", name))
        write(tmp_path, f"{name}/src/test/java/{name}/BookTest.java", test.replace("examples.pages", name))
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    api.places(tmp_path, IssueReport("A jar is empty", ""), setup=setup)
    assert "c: tests today: 1 pass, 0 fail" in said
    assert "d: tests today: 0 pass, 1 fail" in said


def test_the_module_with_the_test_that_is_closest_to_the_issue_comes_second(
    tmp_path: Path, cache: Path
) -> None:
    """Of wire the fourth module's ``unknownArgumentFails`` said it, and three were looked at."""
    nothing = BOOK_TEST.replace("assert", "if (false) assert")
    for name in ("paper", "tears", "wet"):
        code = BOOK.replace("examples.pages", name).replace("opened", name)
        write(tmp_path, f"{name}/src/main/java/{name}/Book.java", code)
        test = nothing.replace("examples.pages", name).replace("opened", name)
        write(tmp_path, f"{name}/src/test/java/{name}/BookTest.java", test)
    write(tmp_path, "shelf/src/main/java/examples/pages/Book.java", BOOK)
    closest = BOOK_TEST.replace("nothing", "paperTearsWhenWet").replace("BookTest", "HoldTest")
    write(tmp_path, "shelf/src/test/java/examples/pages/HoldTest.java", closest)
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    [first, *_] = api.places(tmp_path, IssueReport("The paper tears when it is wet", ""), setup=setup)
    assert first.test == "examples.pages.HoldTest::paperTearsWhenWet", said


def test_a_likely_methods_tests_that_are_left_out_are_named(tmp_path: Path, cache: Path) -> None:
    """commons-email's, for want of a jar, were one of "…", and an issue of their bug had only a list."""
    write(tmp_path, "src/main/java/examples/pages/Book.java", BOOK)
    lacking = BOOK_TEST.replace("BookTest", "BookTest extends org.lack.ing.Base")
    write(tmp_path, "src/test/java/examples/pages/BookTest.java", lacking)
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), build="plain")
    setup = Setup(tmp_path, choices, Environment(cache=cache), said.append)
    api.places(tmp_path, IssueReport("A book is empty", ""), setup=setup)
    assert (
        "the issue may be about tests that do not run: BookTest is left out for want of what it needs" in said
    ), said


def test_the_tests_of_another_module_run_once(tmp_path: Path, cache: Path) -> None:
    """RoaringBitmap's tests ran a second time as those of its examples, which have none."""
    write(tmp_path, "books/src/main/java/examples/pages/Book.java", BOOK)
    nothing = BOOK_TEST.replace("assert", "if (false) assert")
    write(tmp_path, "books/src/test/java/examples/pages/BookTest.java", nothing)
    shelf = BOOK.replace("Book", "Shelf").replace("opened", "empty")
    shelf = shelf.replace("pages;", "pages;\nimport examples.pages.Book;")
    write(tmp_path, "shelves/src/main/java/examples/pages/Shelf.java", shelf)
    said: list[str] = []
    setup = Setup(
        tmp_path, Choices(classpath=tuple(JARS), build="plain"), Environment(cache=cache), said.append
    )
    api.places(tmp_path, IssueReport("Shelf#empty: nothing on it", ""), setup=setup)
    assert "shelves: tests today: 1 pass, 0 fail" in said
    assert not [line for line in said if line.startswith("books:")]


def test_a_program_of_a_test_classs_name_is_no_test(repo: Path, cache: Path) -> None:
    """commons-csv has two classes PerformanceTest; the one without tests was said to fail."""
    main = "package examples; public class PagerTest { public static void main(String[] a) { throw null; } }"
    write(repo, "src/test/java/examples/PagerTest.java", main)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    reached = setup.reached(repo / PAGER, WantedTests({"PagerTest"}, [], []), bool)
    assert "examples.pages.PagerTest::fullLastPage" in reached.failed
    assert not [test for test in reached.failed if test.startswith("examples.PagerTest")]


def test_tests_of_a_class_that_the_issue_names_have_the_time_of_named_ones(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HdrHistogram's DoubleHistogramTest was not run to its end though the issue named the class."""
    monkeypatch.setattr(spectrum, "_OTHERS", Limit(0.001, 0.001))
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    write(repo, "src/test/java/examples/pages/BookTest.java", BOOK_TEST)
    (repo / "src/test/java/examples/pages/PagerTest.java").write_text(BUSY)
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    [first, *_] = api.places(repo, IssueReport("A Book cannot be empty", ""), 10, (), setup)
    assert first.test == "examples.pages.BookTest::nothing"


def test_time_that_was_too_short_is_told_and_gives_the_others_more(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RoaringBitmap: "tests today: 25 pass, 0 fail", of which one class of 118 had used up all time."""
    monkeypatch.setattr(spectrum, "_OTHERS", Limit(0.001, 0.001))
    (repo / "src/test/java/examples/pages/PagerTest.java").write_text(BUSY)
    write(repo, "src/main/java/examples/pages/Book.java", BOOK)
    write(repo, "src/test/java/examples/pages/BookTest.java", BOOK_TEST)
    commit(repo)
    said: list[str] = []
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    found = api.places(repo, IssueReport("The pager is busy", ""), setup=setup)
    assert "examples.pages.BookTest::nothing" in {place.test for place in found}
    [told] = [line for line in said if line.startswith("tests today:")]
    assert told.endswith("1 fail; time was too short for 1 test class (PagerTest)")


CASES = """package examples.pages;

import java.util.*;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class EveryTest {
    @Parameterized.Parameters
    public static List<Object[]> all() { return Collections.nCopies(60, new Object[] {1}); }
    public EveryTest(int i) { }
    @Test public void works() {
        new Pager<>(new ArrayList<Integer>(), 1).page(0);
        throw new IllegalStateException("no mock maker");
    }
}
"""


def test_where_most_tests_fail_that_is_told_and_words_decide(repo: Path, cache: Path) -> None:
    """1,816 of mockito's fail for want of a file that its build makes, and outweighed what the text names."""
    write(repo, "src/test/java/examples/pages/EveryTest.java", CASES)
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    commit(repo)
    said: list[str] = []
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    asked = IssueReport("pageCount() counts every page that works", "")
    found = api.places(repo, asked, setup=setup)
    assert [(p.name, p.score, p.test) for p in found] == [
        (p.name, p.score, "") for p in api.places(repo, asked)
    ]
    [told] = [line for line in said if line.startswith("tests today: 0 pass, 60 fail")]
    assert told.endswith("not of a fix: java.lang.IllegalStateException: no mock maker")
