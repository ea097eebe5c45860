"""What models answer, and what of it replaces the method."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages.java import JAVA

FILE = """\
package p;

import java.util.List;

public class Shop {
    private int total;

    public int sum(List<Integer> prices) {
        return 0;
    }

    public int sum(int a, int b) {
        return a - b;
    }

    static class Item {
        Item(String name) { }
    }
}
"""
ENTITY = "sum(int, int)"
FIXED = """public int sum(int a, int b) {
        return a + b;
    }"""


def extract(text: str, entity: str = ENTITY, context: str | None = FILE) -> str | None:
    return JAVA.extract(text, entity, context)


def same(code: str | None, wanted: str) -> bool:
    return code is not None and JAVA.tokens(code) == JAVA.tokens(wanted)


@pytest.mark.parametrize(
    "answer",
    [
        FIXED,
        "  \n" + FIXED + "\n\n",
        f"class Shop {{\n{FIXED}\n}}",
        FILE.replace("a - b", "a + b"),
        FIXED + "\n}\n}\n",
        FIXED.removesuffix("}"),
        f"public class Shop {{\n{FIXED.removesuffix('}')}",
        f"Sure, here's the fixed method:\n\n{FIXED}\n\nIt's now adding instead of subtracting; done!",
        f"{FILE}\n{FIXED}",
        f"/** Adds {{both}}. */\n{FIXED}",
        f"// before: {{\n{FIXED}",
    ],
)
def test_the_method_is_found_in_all_that_models_write(answer: str) -> None:
    assert same(extract(answer), FIXED)


def test_of_two_versions_the_last_one_counts() -> None:
    assert same(extract(FIXED.replace("+", "-") + "\n" + FIXED), FIXED)


def test_a_changed_parameter_list_is_taken_when_it_is_no_other_overload() -> None:
    wider = FIXED.replace("int a", "long a")
    assert same(extract(wider), wider)
    assert extract("public int sum(List<Integer> prices) { return 1; }") is None
    assert extract(wider + "\n" + FIXED.replace("int a", "char a")) is None


@pytest.mark.parametrize(
    "answer", ["", "I cannot do that.", "int other() { return 1; }", "sum(a, b);", "int sum;"]
)
def test_nothing_is_made_up(answer: str) -> None:
    assert extract(answer) is None


def test_new_helpers_and_fields_come_along_in_order() -> None:
    answer = (
        f"private static final int LIMIT = 3;\n\n{FIXED}\n\n/** Helps. */\nint help() {{ return LIMIT; }}"
    )
    code = extract(answer)
    assert code is not None
    assert [line.strip() for line in code.split("\n") if line.strip()] == [
        "private static final int LIMIT = 3;",
        "public int sum(int a, int b) {",
        "return a + b;",
        "}",
        "/** Helps. */",
        "int help() { return LIMIT; }",
    ]


def test_what_the_file_has_already_stays_out() -> None:
    answer = FILE.replace("a - b", "clamp(a + b)").replace(
        "    static class Item", "    private int clamp(int x) { return x; }\n\n    static class Item"
    )
    code = extract(answer)
    assert code is not None and "clamp(int x)" in code
    assert "prices" not in code and "Item" not in code and "total" not in code


def test_without_a_file_only_a_bare_fragment_brings_helpers() -> None:
    assert "help" in (extract(FIXED + "\nint help() { return 1; }", context=None) or "")
    assert "prices" not in (extract(FILE, context=None) or "")


def test_constructors_and_nested_units_are_found() -> None:
    assert same(extract("Item(String name) { this(); }", "Item(String)"), "Item(String name) { this(); }")
    whole = "class A { int f() { return 1; } class B { int f() { return 2; } } }"
    assert same(extract(whole, "B#f()", whole), "int f() { return 2; }")
    assert same(extract(whole, "A#f()", whole), "int f() { return 1; }")


def test_compact_constructors_are_found() -> None:
    file = "record P(int x) { P { } }"
    assert same(extract("P { if (x < 0) throw null; }", "P", file), "P { if (x < 0) throw null; }")


def test_an_answer_cut_in_the_middle_still_counts_as_an_attempt() -> None:
    cut = "public int sum(int a, int b) {\n  int c = a +"
    assert (extract(cut) or "").startswith("public int sum(int a, int b) {")


def test_headers_over_several_lines_are_found_in_prose() -> None:
    header = "static <T extends Comparable<T>> List<T>\n    sorted(final List<T> in, int n) {\n return in; }"
    assert same(extract(f"It's broken.\n{header}\nthat's all", "sorted(List, int)", None), header)


def test_imports_that_are_used_and_missing_are_adopted() -> None:
    text = FILE.replace("a - b", "Objects.hash(a, b)")
    answer = "import java.util.List;\nimport java.util.Objects;\nimport java.util.Map;\nclass Shop { }"
    assert "import java.util.List;\nimport java.util.Objects;\n\npublic" in JAVA.adopt_imports(text, answer)
    assert "Map" not in JAVA.adopt_imports(text, answer)
    assert JAVA.adopt_imports(FILE, FIXED) == FILE
    assert JAVA.adopt_imports("class A { Map m; }", "import java.util.*;").startswith(
        "import java.util.*;\nclass"
    )


@given(st.text(alphabet="sum(int a,b){}return +-;\n\"'/* classS@<>", max_size=80), st.booleans())
def test_extraction_never_fails(noise: str, before: bool) -> None:
    extract(noise + FIXED if before else FIXED + noise)
    extract(noise)
