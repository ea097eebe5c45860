"""Tests of edits that hardly ever mend anything."""

from __future__ import annotations

import pytest

from nl2fix.suggestion.describing.antipatterns import odd

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
        "if (points[i].equals(points[i])) a();",
        "while (x < x) a();",
        "size = (size - size) % BLOCK;",
        "return x[i] / x[i];",
        "if (x.length() == -1 || x.size() < 0) a();",
        "assertEquals(expected, expected);",
        "this.size = this.size;",
        "if (x.ok() || !x.ok()) a();",
        "return x > 0 ? y : y;",
        "if (x > '0' && x <= '9') a();",
    ],
)
def test_what_hardly_ever_mends_anything_is_odd(code: str) -> None:
    assert odd("void f() { }", f"void f() {{ {code} }}")
    assert not odd(f"void f() {{ {code} }}", f"void f() {{ {code} b(); }}")


@pytest.mark.parametrize(
    "code",
    [
        "return x + 0.5;",
        "return x * 10;",
        "x.f(true);",
        "while (true) a();",
        "f(a, 0);",
        "return a.x == x || x == x.y;",
        "size = size - size % BLOCK;",
        "return a - x - x;",
        "return x + y == y && y.equals(y - 1);",
        "this.size = size;",
        "f(0, 0, a, a.a, a());",
        "if (x.ok() || !y.ok() && x.is()) a();",
        "if (x < '0' || 'Z' < x) a();",
    ],
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


HASH = """int hash(int place) {
    int hash = 5;
    if (place < 0) {
        return place;
    }
    hash = 97 * hash + place;
    return hash;
}"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return hash;", "return 0;"),
        ("return hash;", "return -1;"),
        ("return place;", "throw new IllegalArgumentException();"),
    ],
)
def test_what_makes_all_work_dead_is_odd(old: str, new: str) -> None:
    """``return 0`` of a hash code stood first, before its fix; ``throw`` for ``return this`` likewise."""
    assert odd(HASH, HASH.replace(old, new))
    assert not odd(HASH, HASH.replace("hash = 97 * hash + place;", ""))


def test_a_literal_for_what_is_no_work_of_the_method_is_not_odd() -> None:
    assert not odd(HASH, HASH.replace("return place;", "return 0;"))
    assert not odd("int f(int a) { g(); return a; }", "int f(int a) { g(); return 0; }")
    assert not odd("int f() { int a = 1; g(); return a; }", "int f() { int a = 1; g(); return 2; }")


def test_null_for_this_is_odd_and_an_exception_for_null_is_not() -> None:
    method = "Builder add(String name) {{ names.add(name); {} }}"
    before = method.format("return this;")
    assert odd(before, method.format("return null;"))
    assert odd(before, method.format("throw new IllegalStateException();"))
    assert not odd(method.format("return null;"), method.format("throw new IllegalStateException();"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('throw new IllegalStateException("no name");', 'throw new IllegalStateException("o name");'),
        ('throw new IllegalStateException("no " + name);', 'throw new IllegalStateException("" + name);'),
        ('LOG.warn("no name");', 'LOG.warn("no nam");'),
        ('this.logger.warn("no " + name, e);', 'this.logger.warn("" + name, e);'),
        ('InternalLogger.log(ERROR, "no \'" + name + "\'");', 'InternalLogger.log(ERROR, "no \'" + name);'),
        ("logger.warn(name);", "logger.warn(other);"),
        ("if (State.AT_END.equals(state)) a();", "if (java.util.Objects.equals(State.AT_END, state)) a();"),
        ('if ("end".equals(name)) a();', 'if (Objects.equals("end", name)) a();'),
        ("made = new StringBuilder(100);", "made = new StringBuilder(99);"),
        ("made = new HashMap<>(8);", "made = new HashMap<>();"),
        ("if (made.length() == 0) a();", "if (made.length() <= 0) a();"),
        ("if (made.size() > 0) a();", "if (made.size() != 0) a();"),
    ],
)
def test_what_only_says_it_in_other_words_is_odd(old: str, new: str) -> None:
    """Such edits were offered where no edit made the failing test pass."""
    method = "void f(String name) {{ {} b({}); }}"
    assert odd(method.format(old, 1), method.format(new, 1))
    assert not odd(method.format(old, 1), method.format(new, 2))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('out.print("a");', 'out.print("b");'),
        ("logger.log(made());", "logger.log(other.made());"),
        ("logger.log(made(name));", "logger.log(made(null));"),
        ("logger.setLevel(a);", "logger.setLevel(b);"),
        ("logger.log(a);", "logger.clear(a);"),
        ("if (name.equals(other)) a();", "if (Objects.equals(name, other)) a();"),
        ("if (State.AT_END.equals(state)) a();", "if (Objects.equals(State.AT_END, other)) a();"),
        ("throw new IllegalStateException(name);", "throw new IllegalStateException(other);"),
        ("made = new Page(100);", "made = new Page(99);"),
        ("if (made.size() > 0) a();", "if (made.size() >= 1 + 0.5) a();"),
    ],
)
def test_other_texts_and_a_comparison_that_allows_null_are_not_odd(old: str, new: str) -> None:
    method = "void f(String name) {{ {} }}"
    assert not odd(method.format(old), method.format(new))


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


def test_taking_a_condition_away_is_less_odd_than_to_leave_it_empty() -> None:
    """So do the fixes of Compress-27 and Compress-31, and ``{ }`` stood before them."""
    leaves = "throw new IllegalStateException();"
    guard = f"if (items == null) {{\n        {leaves}\n    }}"
    assert 0 < odd(METHOD, METHOD.replace(guard, "")) < odd(METHOD, METHOD.replace(leaves, ""))


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


def test_a_check_of_what_is_given_that_goes_is_as_odd_as_a_condition() -> None:
    """Of geantyref a constructor that takes ``null`` makes the test pass, which wants none made."""
    checked = "Cart(Object owner) { this.owner = Objects.requireNonNull(owner); count = 1; }"
    assert odd(checked, checked.replace("Objects.requireNonNull(owner)", "owner")) == 1
    spared = checked.replace("this.owner =", "if (owner != null) this.owner =")
    assert odd(checked, spared) == 1
    assert odd(checked, checked.replace("count = 1;", "if (count != 0) count = 1;")) == 0
    assert odd(checked, checked.replace("1", "2")) == 0


def test_what_is_no_java_is_not_odd() -> None:
    assert not odd("int f( {", "int f( { return )")
    assert not odd("", "")


@pytest.mark.parametrize(
    ("now", "then", "is_odd"),
    [
        ("public", "private", True),
        ("public", "protected", True),
        ("protected", "", True),
        ("", "private", True),
        ("private", "public", False),
        ("private", "", False),
    ],
)
def test_a_method_that_is_only_less_visible_is_odd(now: str, then: str, is_odd: bool) -> None:
    """Tests of its package pass with it, and no real fix was seen to do it."""
    assert bool(odd(f"@Deprecated {now} {METHOD}", f"@Deprecated {then} {METHOD}")) is is_odd
    mended = METHOD.replace("name, 0", "name, 1")
    assert not odd(f"@Deprecated {now} {METHOD}", f"@Deprecated {then} {mended}")


@pytest.mark.parametrize(
    ("issue", "is_odd"),
    [
        ("A cancelled task runs again", True),
        ("A negative place should be refused", False),
        ("IllegalArgumentException expected", False),
        ("", False),
    ],
)
def test_what_throws_where_no_issue_speaks_of_it_is_odd(issue: str, is_odd: bool) -> None:
    """``throw new IllegalArgumentException()`` in a scheduler's ``cancel`` stood first."""
    refusing = METHOD.replace("count(place);", "if (place > 9) { throw new IllegalArgumentException(); }")
    assert odd(METHOD, refusing, issue) == is_odd
