"""Tests of edits that hardly ever mend anything."""

from __future__ import annotations

import pytest

from nl2fix.suggestion.antipatterns import odd

METHOD = """int find(List<Item> items, String name) {
    int place = start(name, 0);
    if (items == null) {
        throw new IllegalStateException();
    }
    while (place < items.size()) {
        if (items.get(place).matches(name)) {
            return place;
        }
        count(place);
        place++;
    }
    place = last(items);
    if (place < 0) {
        log(name);
    }
    return place;
}"""


@pytest.mark.parametrize(
    "code",
    [
        "try { a(); } catch (NullPointerException e) { }",
        "if (x != -0) a();",
        "if (x || serialVersionUID > 0) a();",
        "return values.clone();",
        "if (x && true) a();",
        "return x + 0;",
        "return x * 1;",
    ],
)
def test_what_hardly_ever_mends_anything_is_odd(code: str) -> None:
    assert odd("void f() { }", f"void f() {{ {code} }}")
    assert not odd(f"void f() {{ {code} }}", f"void f() {{ {code} b(); }}")


@pytest.mark.parametrize(
    "code", ["return x + 0.5;", "return x * 10;", "x.f(true);", "while (true) a();", "f(a, 0);"]
)
def test_what_is_common_is_not_odd(code: str) -> None:
    assert not odd("void f() { }", f"void f() {{ {code} }}")


def test_a_constant_instead_of_all_that_is_worked_out_is_odd() -> None:
    """``return false`` stood first, before ``>`` for ``>=``."""
    method = "boolean f(int a) {{ return {}; }}"
    before = method.format("values.get(a) >= limit")
    assert odd(before, method.format("false"))
    assert not odd(before, method.format("values.get(a) > limit"))
    assert not odd(method.format("found"), method.format("true"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("throw new IllegalStateException();", ""),
        ("if (items == null) {\n        throw new IllegalStateException();\n    }", ""),
        ("if (items.get(place).matches(name)) {\n            return place;\n        }", "{ return place; }"),
        ("log(name);", ""),
        ("place++;", ""),
        ("place = last(items);", ""),
        ("items == null", "false"),
    ],
)
def test_what_only_takes_away_is_odd(old: str, new: str) -> None:
    assert old in METHOD
    assert odd(METHOD, METHOD.replace(old, new))
    assert not odd(METHOD.replace(old, new), METHOD)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count(place);", ""),
        ("throw new IllegalStateException();", "return -1;"),
        ("place++;", "place += 2;"),
        ("if (place < 0) {", "if (place < 1) {"),
        ("    if (place < 0) {\n        log(name);\n    }", "    log(name.isEmpty() ? place : name);"),
        ("return place;\n}", "return Math.max(place, 0);\n}"),
    ],
)
def test_what_fixes_do_is_not_odd(old: str, new: str) -> None:
    assert old in METHOD
    assert not odd(METHOD, METHOD.replace(old, new))


def test_what_is_no_java_is_not_odd() -> None:
    assert not odd("int f( {", "int f( { return )")
    assert not odd("", "")
