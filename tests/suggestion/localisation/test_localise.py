from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.suggestion.localisation.failing import FailingTest
from nl2fix.suggestion.localisation.localise import likeliest, methods_of, telling, words
from nl2fix.suggestion.localisation.report import IssueReport

PARSER = """package org.acme;

class Parser {
    private final String text;

    Parser(String text) {
        this.text = text.trim();
    }

    int parseNumber(String digits) {
        return Integer.parseInt(digits);
    }

    static class Token {
        char first() {
            return 'x';
        }
    }

    void closeQuietly(java.io.Closeable resource) {
    }
}
"""
INVOICE = """package org.acme;

class Invoice {
    long totalInCents(long price, int quantity) {
        return price * quantity;
    }
}
"""


PRINTER = """package org.acme;

class Printer {
    void print(String value) {
        out.append(value);
    }

    /** Encloses a value in quotation marks where a blank at its end would get lost. */
    void enclose(CharSequence chars, int from) {
        for (int i = from; i < chars.length(); i++) {
            mark = mark || chars.charAt(i) < 32;
        }
        emit(mark, chars);
    }

    /** Unrelated: closes the streams. */
    void finish() {
        out.close();
    }
}
"""


def files(tmp_path: Path) -> list[Path]:
    made = []
    for name, text in (("Parser", PARSER), ("Invoice", INVOICE)):
        file = tmp_path / f"{name}.java"
        file.write_text(text)
        made.append(file)
    return made


def test_the_innermost_own_frame_of_a_trace_comes_first(tmp_path: Path) -> None:
    trace = "\tat java.lang.X.y(X.java:1)\n\tat org.acme.Parser$Token.first(Parser.java:16)\n"
    trace += "\tat org.acme.Parser.<init>(Parser.java:7)\n"
    places = likeliest(IssueReport("Invoice is wrong", trace), files(tmp_path))
    assert [p.name for p in places[:2]] == ["org.acme.Parser.Token#first()", "org.acme.Parser#Parser(String)"]
    assert places[0].why == "stack trace, frame 2"


def test_an_overload_on_another_line_is_not_called_the_next_frame(tmp_path: Path) -> None:
    """JavaPoet's ``add(CodeBlock)`` was "frame 2" of a trace that has one."""
    file = tmp_path / "Adder.java"
    file.write_text("class Adder {\n\n  void add(int x) {\n    x++;\n  }\n\n\n\n  void add(long y) { }\n}\n")
    places = likeliest(IssueReport("Overflow", "\tat Adder.add(Adder.java:4)\n"), [file])
    assert [(place.entity, place.why) for place in places] == [
        ("add(int)", "stack trace, frame 1"),
        ("add(long)", "stack trace, frame 1, another line"),
    ]
    both = "\tat Adder.add(Adder.java:4)\n\tat Adder.add(Adder.java:9)\n"
    assert likeliest(IssueReport("Overflow", both), [file])[1].why == "stack trace, frame 2"


def test_a_method_that_the_issue_calls_by_name_beats_similar_words(tmp_path: Path) -> None:
    places = likeliest(IssueReport("parseNumber() throws", "for invoice totals"), files(tmp_path))
    assert places[0].entity == "parseNumber(String)"
    assert places[0].why == "named in the issue"


def test_the_method_that_title_and_failing_test_name_leads_before_the_class_that_is_tested(
    tmp_path: Path,
) -> None:
    """A setter of the tested class, and of the same words, stood before it."""
    for name, method in (("Line", "setShellVariables"), ("Request", "addShellVariables")):
        body = "for (Object one : shell) { all.put(one); }"
        (tmp_path / f"{name}.java").write_text(f"class {name} {{ void {method}(Map shell) {{ {body} }} }}")
    asked = IssueReport("line - addShellVariables forgets what was set before", "")
    test = FailingTest("LineTest#testAddShellVariables", "line.setShellVariables(shell);")
    paths = [tmp_path / "Line.java", tmp_path / "Request.java"]
    assert likeliest(asked, paths, tests=[test])[0].entity == "addShellVariables(Map)"


def test_words_lead_to_the_method_when_nothing_is_named(tmp_path: Path) -> None:
    places = likeliest(IssueReport("total wrong", "price times quantity in cents overflows"), files(tmp_path))
    assert places[0].entity == "totalInCents(long, int)"
    assert places[0].line == 4


def named(tmp_path: Path, title: str, description: str = "") -> list[str]:
    (tmp_path / "Printer.java").write_text(PRINTER)
    places = likeliest(IssueReport(title, description), [*files(tmp_path), tmp_path / "Printer.java"])
    return [place.name.partition("#")[2] for place in places]


def test_what_the_issue_says_leads_rather_than_the_code_in_it(tmp_path: Path) -> None:
    """That is its user's, and of google-java-format only what is formatted."""
    [first, *_] = named(tmp_path, "Wrong", "A blank at its end is lost:\n\nout.close(unrelated);")
    assert first == "enclose(CharSequence, int)"


def test_what_its_documentation_says_leads_to_a_method(tmp_path: Path) -> None:
    assert named(tmp_path, "Blanks are lost", "A value that ends with a blank gets no quotation marks.")[
        0
    ] == ("enclose(CharSequence, int)")


def test_a_plain_word_names_a_method_only_where_it_is_called(tmp_path: Path) -> None:
    text = "When I print a value that ends with a blank, quotation marks are missing."
    assert named(tmp_path, "Blanks are lost", text)[0] == "enclose(CharSequence, int)"
    assert named(tmp_path, "Blanks are lost", text.replace("print a", "call print(x) with a"))[0] == (
        "print(String)"
    )
    assert named(tmp_path, "Blanks are lost", text.replace("print a", "`print` a"))[0] == "print(String)"


def test_a_method_that_is_named_with_its_class_comes_first(tmp_path: Path) -> None:
    """vavr's ``Multimap#isDistinct()``, which returns true, stood behind another class's ``distinct()``."""
    code = """package acme;
interface Shelf { default boolean isSorted() { return true; } }
class AbstractShelf {
    /** The books, sorted for good: true for each kind of shelf. */
    AbstractShelf sorted() { books.sort(order); for (Book book : books) { book.put(this); } return this; }
}
"""
    (tmp_path / "Shelf.java").write_text(code)
    for title, description in (
        ("Shelf#isSorted() returning true for each kind of shelf of sorted books", ""),
        ("Shelf.isSorted returning true for each kind of shelf of sorted books", ""),
        ("books are said to be sorted, for each kind of shelf", "It is Shelf#isSorted."),
    ):
        found = likeliest(IssueReport(title, description), [tmp_path / "Shelf.java"])
        assert found[0].name == "acme.Shelf#isSorted()"


@pytest.mark.parametrize(
    "told",
    [
        "See https://github.com/acme/pages/blob/4fe1c0a/src/main/java/org/acme/Parser.java#L15-L16",
        "Parser.java:16 looks odd",
        "In `Parser.java`, line 16 looks odd",
        "Parser (lines 15 to 16) looks odd",
        "Line 16 of the class Parser looks odd",
    ],
)
def test_a_line_that_the_issue_names_leads_to_its_method(tmp_path: Path, told: str) -> None:
    """Of moneta "Line 122 in Money.java" left the method at place 51."""
    [first, *_] = likeliest(IssueReport("Totals of prices in cents are wrong", told), files(tmp_path))
    assert (first.entity, first.why) == ("first()", "named in the issue")


def test_a_line_near_a_method_leads_there_unless_more_speaks_for_another(tmp_path: Path) -> None:
    """Issues name lines as they were when they were written."""
    assert named(tmp_path, "It is wrong", "See Invoice.java:8")[0] == "totalInCents(long, int)"
    assert named(tmp_path, "Streams are not closed", "See Invoice.java:22")[0] == "finish()"
    assert named(tmp_path, "Streams are not closed", "See Invoice.java:5")[0] == "totalInCents(long, int)"


def test_a_name_that_only_code_has_needs_no_call(tmp_path: Path) -> None:
    assert named(tmp_path, "parseNumber and blanks", "quotation marks are lost")[0] == "parseNumber(String)"


def test_of_equal_methods_the_one_in_the_file_that_fits_comes_first(tmp_path: Path) -> None:
    made = files(tmp_path)
    for name, word in (("Ledger", "currency"), ("Album", "picture")):
        body = f"void {word}() {{ use({word}); }} void store(int x) {{ use(x); }}"
        file = tmp_path / f"{name}.java"
        file.write_text(f"class {name} {{ {body} }}")
        made.append(file)
    places = likeliest(IssueReport("store pictures", ""), made)
    assert [p.name for p in places[:3]].index("Album#store(int)") < [p.name for p in places].index(
        "Ledger#store(int)"
    )


def test_the_list_is_as_long_as_asked_and_stable(tmp_path: Path) -> None:
    made = files(tmp_path)
    again = [likeliest(IssueReport("nothing known", ""), made, 3) for _ in range(2)]
    assert len(again[0]) == 3
    assert again[0] == again[1]


def test_words_are_split_at_humps_digits_and_underscores() -> None:
    assert words("parseXMLFile2_fast HTTPServer") == ["parse", "xml", "file", "fast", "http", "server"]
    assert words("classes addresses marks") == ["class", "address", "mark"]
    assert words("class status gas as") == ["class", "status", "gas"]


def test_a_method_that_only_gives_or_takes_a_value_comes_behind(tmp_path: Path) -> None:
    """``setQuoteDetectionEnabled`` stood before the method that detects quotes: it is all name."""
    bodies = (
        "boolean quoteDetection; void setQuoteDetection(boolean quoteDetection) "
        "{ this.quoteDetection = quoteDetection; }",
        "boolean isQuoteDetection() { return quoteDetection; }",
        "/** Quote detection in a text. */ char detect(char[] text) "
        "{ for (char c : text) { if (c == quote) { count++; } } return quote; }",
    )
    file = tmp_path / "Csv.java"
    file.write_text(f"class Csv {{ {' '.join(bodies)} }}")
    places = likeliest(IssueReport("quote detection is wrong", ""), [file])
    assert places[0].entity == "detect(char[])"


def test_a_method_that_only_gives_a_text_comes_behind(tmp_path: Path) -> None:
    """``getText() { return "cdata-section()"; }`` stood before what works a text out."""
    file = tmp_path / "Node.java"
    file.write_text(
        'class Node { String nodeText() { return "the \\"node\\" text"; } '
        "/** Node text. */ String text(char[] all) { for (char c : all) { count++; } return got(all); } }"
    )
    places = likeliest(IssueReport("node text is wrong", ""), [file])
    found = [(place.entity, place.plain) for place in places]
    assert found == [("text(char[])", False), ("nodeText()", True)]


def test_what_only_makes_an_object_comes_behind_the_objects_methods(tmp_path: Path) -> None:
    """Of a printer, that escaped too much, nine methods that make one for each type stood before it."""
    file = tmp_path / "Printers.java"
    file.write_text(
        "class Printers { Fn<String> escapedText(int all) { return new Fn<String>() { "
        "void eval(String text) { for (char c : text.toCharArray()) { escape(c); } } }; } }"
    )
    places = likeliest(IssueReport("escaped text is wrong", ""), [file])
    assert [(place.entity.rpartition("#")[2], place.plain) for place in places] == [
        ("eval(String)", False),
        ("escapedText(int)", True),
    ]


HANDED_ON = {
    "constructor": (
        "class Failure { Failure(String text) { this(text, null); } "
        'Failure(String text, Object cause) { super("(" + text + ");", cause); } '
        "Failure(int text) { super(null); this.text = shown(text); } }",
        ["Failure(int)", "Failure(String)", "Failure(String, Object)"],
    ),
    "overload": (
        "class Windows { int windowed(int[] all, int size) { return windowed(all, size, 1); } "
        "int windowed(int[] all, int size, int skip) { return sized(all, size, skip); } "
        "void shut(int[] windowed) { this.shut(windowed, false); } }",
        ["windowed(int[], int, int)", "windowed(int[], int)", "shut(int[])"],
    ),
    "delegate": (
        "class Windows { int windowed(int[] all, int size) { return this.shown().all.windowed(all, size); } "
        "int windowed(int[] all) { if (all == null) { return 0; } return other.sized(all); } "
        "void text(int x) { other.text(x); } }",
        ["windowed(int[])", "windowed(int[], int)", "text(int)"],
    ),
    "default": (
        "class Windows { int windowed(int[] all) { return windowed(all, defaultSize(), 1); } "
        "int windowed(int[] all, int size, int skip) { return sized(all, size, skip); } }",
        ["windowed(int[], int, int)", "windowed(int[])"],
    ),
}


@pytest.mark.parametrize("kind", HANDED_ON)
def test_what_only_calls_another_of_its_name_comes_behind(tmp_path: Path, kind: str) -> None:
    """``TokenizerException(String)`` stood before what works the message out, two overloads of
    ``windowed`` before what seeds a window, and two that take a default before what prints."""
    text, (leads, *behind) = HANDED_ON[kind]
    file = tmp_path / "Any.java"
    file.write_text(text)
    places = likeliest(IssueReport("text windowed is wrong", ""), [file])
    assert {place.entity: place.plain for place in places} == {leads: False, **dict.fromkeys(behind, True)}
    assert places[0].entity == leads


def test_what_hands_on_less_than_it_is_given_may_hold_a_bug(tmp_path: Path) -> None:
    """A constructor that handed on ``Labels.EMPTY`` for its labels stood behind the one that it called."""
    file = tmp_path / "Point.java"
    file.write_text(
        "class Point { Point(double value, Labels<A, B> labels) { this(value, Labels.EMPTY, 0); } "
        "Point(double value) { this(value, null); } "
        "int at(Labels labels, int[] size) { return at(labels, 0, 1); } "
        "int at(Labels labels) { return at(labels, 0, 1); } }"
    )
    places = likeliest(IssueReport("point", ""), [file])
    assert {place.entity for place in places if place.plain} == {"Point(double)", "at(Labels)"}


def test_what_calls_itself_with_all_that_it_is_given_hands_nothing_on(tmp_path: Path) -> None:
    """An overload that never ended was taken for one that only calls another."""
    file = tmp_path / "Signing.java"
    file.write_text(
        "class Signing { String signed(final List<String> all, String key) { return signed(all, key); } "
        "String signed(String key) { return this.signed(key); } "
        "String signed(int key) { return other.signed(key); } "
        "String signed(List<String> all) { return signed(all, null); } }"
    )
    places = likeliest(IssueReport("signed", ""), [file])
    plain = {place.entity for place in places if place.plain}
    assert plain == {"signed(String)", "signed(int)", "signed(List)"}


def test_what_any_issue_says_leads_nowhere(tmp_path: Path) -> None:
    """``Fix …, add … tests`` led to ``testConnection`` and ``addFix``."""
    file = tmp_path / "Link.java"
    file.write_text(
        "class Link { void testFix(int x) { use(x); } void monitor(int x) { if (x == EOF) { stop(x); } } }"
    )
    places = likeliest(
        IssueReport("Fix EOF handling, add tests", "Signed-off-by: Test Fix <test@fix.org>"), [file]
    )
    assert places[0].entity == "monitor(int)"
    assert telling("ABC-12: Fixed quotes, see https://issues.org/test and a@b.org") == {"quote", "see"}


def test_an_issue_that_is_one_long_word_is_read_once() -> None:
    """Two hundred thousand brackets were read from each of them on, for minutes."""
    assert telling("round the price by me@example.org " + "(" * 200_000) == {"round", "price"}


def test_the_test_of_a_class_names_it(tmp_path: Path) -> None:
    made = files(tmp_path)
    for name in ("Ledger", "Album"):
        made.append(tmp_path / f"{name}.java")
        made[-1].write_text(f"class {name} {{ void store(int x) {{ use(x); }} }}")
    for test in ("LedgerTest", "TestLedger", "org.acme.LedgerTests"):
        assert likeliest(IssueReport("store is wrong", f"{test} fails"), made)[0].owner == "Ledger"


def test_a_class_that_the_title_names_comes_before_what_has_its_words(tmp_path: Path) -> None:
    """JXPATH-113 names ChildContext; sixteen methods with other words of its sentence came first."""
    document, context = tmp_path / "Document.java", tmp_path / "ChildContext.java"
    document.write_text("class Document { void root(Node at) { if (at == null) { at.fails(); } } }")
    context.write_text("class ChildContext { void prepare(Node at) { next = at.children(reverse); } }")
    issue = IssueReport("ChildContext is wrong where an empty document has a root", "")
    assert likeliest(issue, [document, context])[0].owner == "ChildContext"


@pytest.mark.parametrize("subject", ["Document:", "[Document]", "SHOP-12 Document:", "Document -"])
def test_the_class_that_a_title_begins_with_as_its_subject_is_meant(tmp_path: Path, subject: str) -> None:
    """Of jcpp's "LexerSource: Fix handling of numeric values" the methods of NumericValue came first."""
    document, number = tmp_path / "Document.java", tmp_path / "NumericValue.java"
    document.write_text("class Document { void root(Node at) { if (at == null) { at.fails(); } } }")
    number.write_text(
        "class NumericValue { int exponent(String value) { return explicit(value) + positive(value); } }"
    )
    title = "Fix handling of numeric values with explicit positive exponents"
    assert likeliest(IssueReport(title, ""), [document, number])[0].owner == "NumericValue"
    assert likeliest(IssueReport(f"{subject} {title}", ""), [document, number])[0].owner == "Document"


def test_a_subject_that_is_a_package_names_no_class(tmp_path: Path) -> None:
    numbers, other = tmp_path / "Numbers.java", tmp_path / "Other.java"
    numbers.write_text("package acme.core; class Numbers { int last(int number) { return number - 1; } }")
    other.write_text("package acme; class Other { int last(int index) { return index - 1; } }")
    title = "The last index is wrong"
    assert likeliest(IssueReport(f"core: {title}", ""), [numbers, other])[0].owner == "acme.Other"


def test_what_a_title_calls_comes_before_what_has_as_many_of_its_words(tmp_path: Path) -> None:
    """Of commons-functor's "… verification in the then() method of …" ``equals`` came first."""
    code = (
        "class Sequence { void then(Node node) { list.add(node); } void add(Node node, Sequence verified) {"
    )
    file = tmp_path / "Sequence.java"
    file.write_text(f"{code} {'verify(extra(node)); ' * 10}}} }}")
    title = "An extra verification of a node in {} verifies what to add"
    assert likeliest(IssueReport(title.format("then()"), ""), [file])[0].entity == "then(Node)"
    assert likeliest(IssueReport(title.format("it"), ""), [file])[0].entity == "add(Node, Sequence)"


CACHE = """package acme;
class Cache {
    private long time;
    Cache(long start) { this.time = 0; reload(start); }
    boolean shouldReload(long tick) { long before = time; return tick - before >= 0 && tick > 0; }
    void reload(long tick) { time = tick; }
}
"""


@pytest.mark.parametrize(
    "title",
    ["The constructor of `Cache` assumes that a tick is > 0", "Cache's constructor fails below tick 0"],
)
def test_a_constructor_may_be_named_by_the_word(tmp_path: Path, title: str) -> None:
    """In metrics the constructor was weighed down though the issue begins with it."""
    file = tmp_path / "Cache.java"
    file.write_text(CACHE)
    first = likeliest(IssueReport(title, ""), [file])[0]
    assert (first.entity, first.why) == ("Cache(long)", "named in the issue")
    assert likeliest(IssueReport("Cache reloads at a tick < 0", ""), [file])[0].entity != "Cache(long)"


def test_modules_that_show_or_measure_come_behind_what_they_use(tmp_path: Path) -> None:
    """Of commons-rng nine of ten places were benchmarks, and their modules' tests ran."""
    code = "class {} {{ int convert(int[] seed) {{ int converted = seed[0]; return converted; }} }}"
    for module in ("rng-simple", "rng-examples/examples-jmh", "rng-benchmarks", "demo", "rng-sampling"):
        file = tmp_path / module / "src/main/java/Seed.java"
        file.parent.mkdir(parents=True)
        file.write_text(code.format("Seed"))
    found = methods_of(sorted(tmp_path.rglob("*.java")), tmp_path)
    behind = {m.file.relative_to(tmp_path).parts[0] for m in found if m.weight < 1}
    assert behind == {"rng-examples", "rng-benchmarks", "demo"}
    assert all(m.weight == 1 for m in methods_of(sorted(tmp_path.rglob("*.java"))))


def test_a_frame_in_a_lambda_is_its_methods(tmp_path: Path) -> None:
    file = tmp_path / "Cache.java"
    file.write_text(CACHE)
    trace = (
        "\tat acme.Cache.lambda$shouldReload$0(Cache.java:5)\n\tat acme.Cache.lambda$new$1(Cache.java:4)\n"
    )
    found = {place.entity: place.why for place in likeliest(IssueReport("It fails", trace), [file])}
    assert found["shouldReload(long)"] == "stack trace, frame 1"
    assert found["Cache(long)"] == "stack trace, frame 2"
