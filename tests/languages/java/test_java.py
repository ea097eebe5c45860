from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages.java import JAVA, lexemes
from nl2fix.languages.java.units import package_of, top_level_types
from nl2fix.languages.lexing import without

SHAPES = """\
package p;

import java.util.*;

public class Outer<T> {
    private int size;   // grows

    /** Makes one. */
    public Outer(final int size, @Deprecated java.util.List<? extends Map<String, int[]>> all) { }

    /**
     * Adds.
     */
    @Override
    @SuppressWarnings("unused")
    public <X extends Comparable<X>> int add(X one, String... more) throws Exception {
        Runnable r = new Runnable() {
            public void run() { add(); }
        };
        return 1;
    }

    int add() { return 0; }

    abstract static class Inner {
        int add() { return 1; }
        abstract void none(int a[], int[] b[]);
        class Deep { int add() { return 2; } }
    }

    record Point(int x, int y) {
        Point { if (x < 0) throw new IllegalArgumentException(); }
        int add() { return x; }
    }

    enum Kind {
        ONE { int cost() { return 1; } };
        int cost() { return 0; }
    }
}
"""


def entities() -> dict[str, str]:
    return {name: SHAPES[span.start : span.end] for name, span in JAVA.entities(SHAPES).items()}


def test_entities_name_constructors_overloads_and_nested_methods_as_briefly_as_can_be() -> None:
    assert list(entities()) == [
        "Outer(int, java.util.List)",
        "add(X, String...)",
        "run()",
        "Outer#add()",
        "Inner#add()",
        "Deep#add()",
        "Point",
        "Point#add()",
        "1#cost()",
        "Kind#cost()",
    ]


def test_a_region_goes_from_the_first_modifier_to_the_closing_brace_without_javadoc() -> None:
    region = entities()["add(X, String...)"]
    assert region.startswith("@Override\n") and region.endswith("return 1;\n    }")
    assert entities()["Outer#add()"] == "int add() { return 0; }"


def test_dimensions_after_a_name_belong_to_the_type() -> None:
    unit = next(unit for unit in JAVA.units(SHAPES) if unit.name == "none")
    assert unit.signature == "none(int[], int[][])" and unit.body is None and unit.owner == "Outer.Inner"


@pytest.mark.parametrize(
    "entity",
    [
        "Outer(int, List)",
        "Outer(int,List<? extends Map<String,int[]>>)",
        "Outer(final int size, java.util.List all)",
        "Outer#Outer(int, List)",
    ],
)
def test_a_lookup_takes_simple_names_type_arguments_and_parameter_names(entity: str) -> None:
    span = JAVA.locate(SHAPES, entity)
    assert span is not None and SHAPES[span.start :].startswith("public Outer(final")


@pytest.mark.parametrize(
    "entity", ["add", "add()", "cost()", "gone()", "Inner#gone()", "Outer(long)", "", "(", "#"]
)
def test_a_lookup_that_fits_none_or_several_finds_nothing(entity: str) -> None:
    assert JAVA.locate(SHAPES, entity) is None


def test_every_entity_leads_back_to_its_region() -> None:
    for name, span in JAVA.entities(SHAPES).items():
        assert JAVA.locate(SHAPES, name) == span


def test_spans_count_characters_not_bytes() -> None:
    text = 'class Ä { String s = "𝄞𝄞€"; /* ü */ int größe() { return 1; } }'
    span = JAVA.locate(text, "größe()")
    assert span is not None and text[span.start : span.end] == "int größe() { return 1; }"


def test_the_innermost_unit_of_a_line() -> None:
    line = SHAPES[: SHAPES.index("public void run")].count("\n") + 1
    unit = JAVA.unit_at_line(SHAPES, line)
    assert unit is not None and unit.name == "run"
    assert JAVA.unit_at_line(SHAPES, 1) is None


def test_signatures_end_with_the_opening_brace() -> None:
    assert JAVA.signature(SHAPES, "Deep#add()") == "int add() {"
    assert JAVA.signature(SHAPES, "none(int[], int[][])") is None


# -- tokens -----------------------------------------------------------------------------------------


def test_closing_type_arguments_are_tokens_of_their_own_and_shifts_are_not() -> None:
    assert JAVA.tokens("Map<String, List<X>> m = a >> b;")[:9] == [
        "Map",
        "<",
        "String",
        ",",
        "List",
        "<",
        "X",
        ">",
        ">",
    ]
    assert ">>" in JAVA.tokens("if (a < b >> c) f(x >> 2, y >>> 3);")
    assert JAVA.tokens("Class<? extends List<int[]>>[] a")[-5:] == [">", ">", "[", "]", "a"]
    assert JAVA.tokens("x >>>= 1; y >>= 2") == ["x", ">>>=", "1", ";", "y", ">>=", "2"]


@given(st.lists(st.sampled_from(["<", "<", "<", ">", ">>", ">>>", "a", ",", "?", "+", ";"]), max_size=16))
def test_what_closes_type_arguments_comes_out_even_with_one_that_opens(code: list[str]) -> None:
    def even(opening: int, closer: int) -> bool:
        depths = [0]
        for token in code[opening : closer + 1]:
            depths.append(depths[-1] + ("<" in token) - token.count(">"))
        between = code[opening : closer + 1]
        return not {"+", ";"} & {*between} and min(depths[1:-1], default=0) > 0 == depths[-1]

    opens = [index for index, token in enumerate(code) if token == "<"]
    pairs = [(one, end) for one in opens for end in range(one + 1, len(code)) if even(one, end)]
    split = [
        part
        for index, token in enumerate(code)
        for part in (token if any(a < index <= b for a, b in pairs) and ">>" in token else [token])
    ]
    assert JAVA.tokens(" ".join(code)) == split


def test_the_tokens_of_type_arguments_nested_without_end_are_had_at_once() -> None:
    nested = "List<" * 40_000 + "X" + ">" * 40_000
    assert JAVA.tokens(nested + " x;")[-3:] == [">", "x", ";"]


def test_literals_are_one_token_each() -> None:
    code = r"""f("a \" // b", 'x', '\'', 1_000L, 0xFF, .5e-3f, 0x1.8p1, 1., 07, "\\", "")"""
    assert JAVA.tokens(code)[2::2] == [
        r'"a \" // b"',
        "'x'",
        r"'\''",
        "1_000L",
        "0xFF",
        ".5e-3f",
        "0x1.8p1",
        "1.",
        "07",
        r'"\\"',
        '""',
    ]


def test_a_text_block_is_one_token() -> None:
    block = '"""\n  /* no comment */ "quoted" \\""" // none\n  """'
    assert JAVA.tokens(f"String s = {block};") == ["String", "s", "=", block, ";"]
    assert JAVA.strip_comments(f"s = {block}; // end") == f"s = {block};"


def test_operators_are_read_greedily() -> None:
    assert JAVA.tokens("a+++b->c::d...&&=!~") == [
        "a",
        "++",
        "+",
        "b",
        "->",
        "c",
        "::",
        "d",
        "...",
        "&&",
        "=",
        "!",
        "~",
    ]


@pytest.mark.parametrize("code", ['"open', "'", "/* open", '"""\nopen', "\\", "\x00", "#", "\ud800", "“x”"])
def test_malformed_code_has_tokens_that_hold_all_of_it(code: str) -> None:
    assert "".join(JAVA.tokens(code)) == "".join(code.split()) or JAVA.tokens(code) == [code]


def test_an_open_comment_counts_so_that_broken_code_never_equals_sound_code() -> None:
    assert JAVA.tokens("a /* b") != JAVA.tokens("a")


@given(st.text(alphabet="ab1.<>+-=&|/*\"'\\\n \r@(){};ü", max_size=60))
def test_tokens_and_comment_removal_never_fail_and_agree(code: str) -> None:
    stripped = JAVA.strip_comments(code)
    assert JAVA.tokens(stripped) == JAVA.tokens(code)
    assert JAVA.strip_comments(stripped) == stripped


SIGNS = [
    "/",
    "*",
    '"',
    "'",
    "\\",
    "\n",
    " ",
    "//",
    "/*",
    "*/",
    '"""\n',
    ">>",
    "<",
    "=",
    "a1",
    ".5",
    "\\u0041",
    "é",
]


@given(st.lists(st.sampled_from(SIGNS), max_size=14).map("".join))
def test_tokens_and_comments_are_those_of_the_lexemes(code: str) -> None:
    comments = [lexeme for lexeme in lexemes.scan(code) if lexeme.kind == "comment"]
    assert JAVA.strip_comments(code) == without(code, comments, lambda pair: bool(lexemes._GLUE.match(pair)))
    assert JAVA.tokens(code) == [code[lexeme.start : lexeme.end] for lexeme in JAVA.lexemes(code)]
    aside = ("comment", "broken", "string", "unclosed")
    asides = [(one.start, one.end) for one in lexemes.scan(code) if one.kind in aside]
    assert [(one.start, one.end) for one in JAVA.asides(code)] == asides


# -- comments ---------------------------------------------------------------------------------------


def test_comments_go_and_the_rest_stays_as_it_is() -> None:
    code = """\
/**
 * Doc.
 */
int f(int a /* first */, /* second */ int b) { // why
    // only this
    /* and
       this */ int c = a/**/+/**/b;
    String url = "http://x"; char q = '"'; // not a text

    return c; /* done */
}
"""
    assert (
        JAVA.strip_comments(code)
        == """\
int f(int a, int b) {
    int c = a+b;
    String url = "http://x"; char q = '"';

    return c;
}
"""
    )


@pytest.mark.parametrize(
    ("code", "stripped"),
    [
        ("int/**/x", "int x"),
        ("a+/**/+b", "a+ +b"),
        ("a>/**/>b", "a> >b"),
        ("f(/* x */a)", "f(a)"),
        ("1/**/.e", "1 .e"),
        ("a/**//b", "a/b"),
        ("x;/*1*//*2*/y;", "x;y;"),
    ],
)
def test_tokens_never_grow_together(code: str, stripped: str) -> None:
    assert JAVA.strip_comments(code) == stripped


def test_names_leave_keywords_and_literals_out() -> None:
    assert JAVA.identifiers("return a.b(true, null, \"c\", 'd', var, a);") == ["a", "b", "var", "a"]


# -- syntax -----------------------------------------------------------------------------------------


def test_syntax_errors_are_told_with_their_line() -> None:
    assert JAVA.syntax_error(SHAPES) is None
    assert JAVA.syntax_error("class A {\n  int f() { return 1 }\n}") == "line 2: missing ';'"
    assert "line 2" in (JAVA.syntax_error("class A {\n  int = 3;\n}") or "")


MODERN = """\
sealed interface Shape permits Circle, Square { }
record Circle(double r) implements Shape { Circle { if (r < 0) throw new IllegalArgumentException(); } }
record Square(double side) implements Shape { static <T> Square of(T t) { return new Square(1); } }
class Use {
    double area(Shape s) {
        return switch (s) {
            case Circle c when c.r() > 1 -> { var x = c.r(); yield x; }
            case Circle(double r) -> r;
            case Square q -> q.side();
        };
    }
    String text() { return \"""
        { "a": 1 } // kept
        \"""; }
    int label() { outer: for (;;) { if (text() instanceof String t && !t.isEmpty()) break outer; } return 1; }
}
"""


def test_modern_java_is_read() -> None:
    assert list(JAVA.entities(MODERN)) == ["Circle", "of(T)", "area(Shape)", "text()", "label()"]
    assert all(unit.clean for unit in JAVA.units(MODERN))


def test_flattened_code_is_as_long_and_reads_the_same() -> None:
    code = 'int f() { // "x"\n  return "a\\"b".length() /* \n */ + \'"\'; }'
    flat = JAVA.flattened(code)
    assert len(flat) == len(code) and "\n" not in flat
    assert JAVA.tree(f"class A {{{flat}}}").root_node.has_error is False


@pytest.mark.parametrize(
    ("code", "read", "plain"),
    [
        (r'"\u0041\uu0042"', '"AB"', '"AB"'),
        (r'"\\u0041"', r'"\\u0041"', r'"\\u0041"'),
        (r'"\u005cn"', r'"\n"', r'"\u005cn"'),
        (r'"\u00e9"', '"é"', r'"\u00e9"'),
        (r"x\u004\u0031", r"x\u0041", r"x\u004\u0031"),
        ("\\", "\\", "\\"),
    ],
)
def test_unicode_escapes_are_read_as_javac_reads_them(code: str, read: str, plain: str) -> None:
    assert (JAVA.unescaped(code), JAVA.plain(code)) == (read, plain)


@given(st.text(st.sampled_from(["\\", "u", "0", "4", "1", "5", "c", "a", '"', "\n"])))
def test_plain_code_is_the_same_program(code: str) -> None:
    assert JAVA.unescaped(JAVA.plain(code)) == JAVA.unescaped(code)


def test_outermost_classes_that_have_methods() -> None:
    assert top_level_types(
        "package p; enum E { A } class C { class D { void d() {} } } interface I { int i(); }"
    ) == {
        "C",
        "I",
    }


def test_package_is_not_read_from_comments() -> None:
    assert package_of("/* package no.pe; */\npackage org.acme ;\nclass A {}") == "org.acme"
    assert package_of("/*\npackage no.pe;\n*/ package org.acme;\nclass A {}") == "org.acme"
    assert package_of("// package no.pe;\n/** Text. */ package org.acme;") == "org.acme"
    assert package_of("/*\npackage no.pe;\n*/\nclass A {}") == ""
    assert package_of("class A {}") == ""
