"""Each family of Java templates finds the classic fix it is for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.core.records import Span
from nl2fix.languages.java import JAVA
from tests.mutation.mutants import codes, java_problem, rank

ISSUE = "It is wrong"


def found(before: str, after: str, *, members: str = "", imports: str = "", issue: str = ISSUE) -> int | None:
    return rank(java_problem(before, issue, members, imports), after)


def expression(before: str, after: str, kind: str = "int") -> int | None:
    """A fix of one returned expression over usual parameters."""
    head = f"{kind} f(int a, int b, String s, String t, List<Integer> all, int[] xs, boolean ok, double d)"
    return found(
        f"{head} {{ return {before}; }}", f"{head} {{ return {after}; }}", imports="import java.util.*;"
    )


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("boolean", "a < b", "a <= b"),
        ("boolean", "a == b", "a != b"),
        ("boolean", "a > b", "a < b"),
        ("int", "a + b", "a - b"),
        ("int", "a / b", "a % b"),
        ("int", "a - b", "b - a"),
        ("boolean", "ok && a > 0", "ok || a > 0"),
        ("boolean", "ok && a > 0 && b > 0", "ok || a > 0 || b > 0"),
        ("int", "a >> b", "a >>> b"),
        ("int", "a & b", "a | b"),
        ("int", "a * b + a", "a * (b + a)"),
        ("int", "(a + b) / 2", "a + b / 2"),
        ("int", "a + b / 2", "(a + b) / 2"),
        ("int", "1", "0"),
        ("int", "0", "-1"),
        ("int", "7", "8"),
        ("int", "xs[20 - a]", "xs[xs.length - a]"),
        ("int", "xs[19]", "xs[xs.length - 1]"),
        ("boolean", "true", "false"),
        ("String", '"a"', '"A"'),
        ("String", '""', '" "'),
        ("String", '"ab "', '"ab"'),
        ("boolean", "s.charAt(0) == '('", "s.charAt(0) == ')'"),
        ("int", "a", "b"),
        ("int", "a - a", "a - b"),
        ("int", "Math.min(a, b)", "Math.max(a, b)"),
        ("int", "Integer.MIN_VALUE", "Integer.MAX_VALUE"),
        ("double", "Double.MIN_VALUE", "-Double.MAX_VALUE"),
        ("double", "d - Double.MIN_VALUE", "d - Double.NEGATIVE_INFINITY"),
        ("double", "Float.MIN_VALUE + d * Float.MIN_VALUE", "-Float.MAX_VALUE + d * -Float.MAX_VALUE"),
        ("int", "s.indexOf(t)", "s.lastIndexOf(t)"),
        ("String", "s.substring(a, b)", "s.substring(b, a)"),
        ("String", "s.substring(a, b)", "s.substring(a)"),
        ("boolean", "s.contains(t)", "t.contains(s)"),
        ("int", "all.get(a)", "all.get(a - 1)"),
        ("int", "all.size()", "all.size() - 1"),
        ("int", "xs[a]", "xs[a + 1]"),
        ("int", "a", "-a"),
        ("int", "a", "Math.abs(a)"),
        ("int", "a + b + 1", "a + b"),
        ("int", "a * b", "b"),
        ("String", "s.trim()", "s"),
        ("boolean", "!ok", "ok"),
        ("boolean", "ok", "!ok"),
        ("boolean", "s.isEmpty()", "!s.isEmpty()"),
        ("int", "ok ? a : b", "ok ? b : a"),
        ("int", "(int) d", "(int) Math.round(d)"),
        ("boolean", "a > 0", "ok && a > 0"),
        ("boolean", "ok && a > b", "ok"),
        ("boolean", "ok && !s.isEmpty()", "!(ok && s.isEmpty())"),
        ("boolean", "a > 0 && ok && !s.isEmpty()", "a > 0 && !(ok && s.isEmpty())"),
        ("boolean", "!ok || a > b", "!(ok || a > b)"),
        ("boolean", "!(ok && a > b)", "!ok && a > b"),
        ("boolean", "!(ok || a > b)", "ok || !(a > b)"),
        ("boolean", "ok && all.contains(s)", "t != null && ok && all.contains(s)"),
        ("boolean", "all.contains(s)", "s == null || all.contains(s)"),
        ("boolean", "xs[a] > b", "a < 0 || xs[a] > b"),
        ("boolean", "t.contains(s)", "s.isEmpty() || t.contains(s)"),
        ("String", "s.concat(t)", "null"),
        ("int", "Math.max(a, b)", "Math.max(a, 0)"),
        ("int", "s.indexOf(t) + s.indexOf(s)", "s.lastIndexOf(t) + s.lastIndexOf(s)"),
        ("boolean", "s == t", "s.equals(t)"),
        ("boolean", "s != t", "!s.equals(t)"),
        ("boolean", "s == t", "Objects.equals(s, t)"),
        ("boolean", "s.equals(t)", "Objects.equals(s, t)"),
        ("boolean", "s.equals(t)", "s.equalsIgnoreCase(t)"),
        ("boolean", "s.equals(t)", "s != null && s.equals(t)"),
        ("int", "s.length()", "s == null ? 0 : s.length()"),
        ("long", "a * b", "(long) a * b"),
        ("double", "a / b", "(double) a / b"),
        ("double", "(double) (a / b)", "(double) a / b"),
        ("int", "a * b", "Math.multiplyExact(a, b)"),
        ("int", "(a + b) / 2", "a + (b - a) / 2"),
        ("int", "a % b", "Math.floorMod(a, b)"),
        ("int", "a - b", "Integer.compare(a, b)"),
        ("String", "s.toLowerCase()", "s.toLowerCase(Locale.ROOT)"),
        ("String", 'String.format("%d", a)', 'String.format(Locale.ROOT, "%d", a)'),
        ("int[]", "xs", "xs.clone()"),
        ("List<Integer>", "all", "new ArrayList<>(all)"),
        ("boolean", "all.remove(a) != null", "all.remove(Integer.valueOf(a)) != null"),
        ("int", "all.size() / a", "(all.size() + a - 1) / a"),
        ("byte[]", "s.getBytes()", "s.getBytes(java.nio.charset.StandardCharsets.UTF_8)"),
        (
            "Object",
            'new java.text.SimpleDateFormat("YYYY-MM-dd")',
            'new java.text.SimpleDateFormat("yyyy-MM-dd")',
        ),
    ],
)
def test_expressions(kind: str, before: str, after: str) -> None:
    assert expression(before, after, kind) is not None


def body(
    before: str, after: str, head: str = "int f(int a, String s, List<String> all)", **more: str
) -> int | None:
    return found(f"{head} {{ {before} }}", f"{head} {{ {after} }}", imports="import java.util.*;", **more)


LOOP = "int n = 0; for (String one : all) { %s } return n;"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return s.length();", "if (s == null) { return 0; } return s.length();"),
        ("a++; return s.length();", "a++; if (s == null) { return 0; } return s.length();"),
        ("s.trim(); return 1;", "if (s != null) { s.trim(); } return 1;"),
        (LOOP % "n += one.length();", LOOP % "if (one == null) { continue; } n += one.length();"),
        ("return a;", "if (a < 0) { return 0; } return a;"),
        ("return a;", 'if (s == null) { throw new IllegalArgumentException("invalid argument"); } return a;'),
        ("return all.get(a).length();", "if (a >= all.size()) { return 0; } return all.get(a).length();"),
        (
            "if (all.get(a) == s) { return 1; } return 0;",
            "if (a < all.size() && all.get(a) == s) { return 1; } return 0;",
        ),
        ("a++; a--; return a;", "a--; return a;"),
        ("a += 2; a *= 3; return a;", "a *= 3; a += 2; return a;"),
        ("if (a > 0) { a = 1; } a = 2; return a;", "if (a > 0) { a = 1; } else { a = 2; } return a;"),
        (
            "if (a > 0) { a = 1; } if (a < 0) { a = 2; } return a;",
            "if (a > 0) { a = 1; } else if (a < 0) { a = 2; } return a;",
        ),
        (
            "if (a > 0) { a = 1; } else { a = 2; } return a;",
            "if (a > 0) { a = 2; } else { a = 1; } return a;",
        ),
        (
            "if (a > 0) { a = 1; } else { a--; } return a;",
            "if (a > 0) { a = 1; } else if (a < 0) { a--; } return a;",
        ),
        (
            "if (s.charAt(a) == '(') { a++; } else { a--; } return a;",
            "if (s.charAt(a) == '(') { a++; } else if (s.charAt(a) == ')') { a--; } return a;",
        ),
        ("if (a > 0) { a = 1; } return a;", "a = 1; return a;"),
        ("if (a > 0) { a--; } return a;", "while (a > 0) { a--; } return a;"),
        (LOOP % "if (one == s) { n = 1; }", LOOP % "if (one == s) { n = 1; break; }"),
        (LOOP % "if (one == s) { break; } n++;", LOOP % "if (one == s) { continue; } n++;"),
        (LOOP % "n++; all.clear();", "int n = 0; for (String one : all) { n++; } all.clear(); return n;"),
        ("while (a < 9) { s.trim(); } return a;", "while (a < 9) { s.trim(); a++; } return a;"),
        ("int n = 0; n = a * a; return n;", "long n = 0; n = a * a; return n;"),
        (
            "switch (a) { case 1: a = 5; case 2: a = 6; } return a;",
            "switch (a) { case 1: a = 5; break; case 2: a = 6; } return a;",
        ),
        (
            "for (String one : all) { all.remove(one); } return a;",
            "for (String one : new ArrayList<>(all)) { all.remove(one); } return a;",
        ),
        (
            "for (int i = 0; i < a; i++) { s.trim(); } return a;",
            "for (int i = a - 1; i >= 0; i--) { s.trim(); } return a;",
        ),
        ("int n = a; n = 4; return n;", "int n = a; n += 4; return n;"),
    ],
)
def test_statements(before: str, after: str) -> None:
    assert body(before, after) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int n = 1; n = a; return n;", "int n = 1; n = n; return n;"),
        ("return Math.max(a, 1 + a);", "return Math.max(a, a);"),
        ("if (a > 0) { a = 1; } return a;", "if (a > 0 && a > 0) { a = 1; } return a;"),
        ("return s == null ? 1 : 2;", "return s == null ? 2 : 2;"),
        ("return all.size() - a;", "return a - a;"),
        ("if (s.charAt(a) < '0') { a = 1; } return a;", "if (s.charAt(a) <= '0') { a = 1; } return a;"),
        ("if ('z' >= s.charAt(a)) { a = 1; } return a;", "if ('z' > s.charAt(a)) { a = 1; } return a;"),
    ],
)
def test_what_makes_no_sense_is_not_proposed(before: str, after: str) -> None:
    assert body(before, after) is None


def test_members_of_the_class_are_known() -> None:
    members = "private final int x, y; private static int made; Box(int x, int y) { this.x = x; this.y = y; }"
    head = "public boolean equals(Object o) { Box b = (Box) o; return "
    assert found(head + "x == b.x; }", head + "x == b.x && y == b.y; }", members=members) is not None
    code = "public int hashCode() { int r = 17; r = 31 * r + x; return r; }"
    more = "public int hashCode() { int r = 17; r = 31 * r + x; r = 31 * r + y; return r; }"
    assert found(code, more, members=members) is not None
    assert found("void f(int x) { x = x; }", "void f(int x) { this.x = x; }", members="int x;") in range(5)


def test_a_forgotten_field_is_assigned() -> None:
    after = "Box(int x, int y) { this.x = x; this.y = y; }"
    assert found("Box(int x, int y) { this.x = x; }", after, members="int x, y;") is not None


def test_overloads_and_methods_of_the_class_are_known() -> None:
    members = "int g(int a, int b) { return 1; } int g(int a) { return 2; } int first() { return 1; }"
    members += " int last() { return 2; }"
    assert (
        found(
            "int f(int a, int b) { return g(a); }", "int f(int a, int b) { return g(a, b); }", members=members
        )
        is not None
    )
    assert found("int f() { return first(); }", "int f() { return last(); }", members=members) in range(5)


def test_a_case_is_made_from_its_sibling_for_what_the_issue_names() -> None:
    before = 'int f(String s) { switch (s) { case "red": return 1; default: return 0; } }'
    after = 'int f(String s) { switch (s) { case "blue": case "red": return 1; default: return 0; } }'
    assert found(before, after, issue='A "blue" one is refused') is not None
    assert found(before, after) is None


@pytest.mark.parametrize(
    ("other", "before", "after"),
    [
        (
            "boolean g(String s) { return s.isEmpty() && !hidden(s) ? true : false; }",
            "int f(String s) { if (s.length() > 2) { return 1; } return 0; }",
            "int f(String s) { if (s.length() > 2 && !hidden(s)) { return 1; } return 0; }",
        ),
        (
            "int g(String s) { if (!isOpen()) { return -1; } return s.length(); }",
            "int f(int a) { return a / 2; }",
            "int f(int a) { if (!isOpen()) { return -1; } return a / 2; }",
        ),
        (
            "void g(String s) { if (s == null) { throw new IllegalStateException(s); } s.trim(); }",
            "boolean f(String s) { return s.length() > 3; }",
            "boolean f(String s) { if (s == null) { return false; } return s.length() > 3; }",
        ),
        (
            "void g(String s) { check(s, 3); }",
            "int f(String s) { return s.length(); }",
            "int f(String s) { check(s, 3); return s.length(); }",
        ),
        (
            "int g(String s, int limit) { return cut(s, limit); }",
            "int f(String s, int limit) { return cut(s); }",
            "int f(String s, int limit) { return cut(s, limit); }",
        ),
    ],
)
def test_what_other_methods_do_is_done_here_too(other: str, before: str, after: str) -> None:
    assert found(before, after, members=other) is not None


def test_what_other_methods_do_with_values_of_their_own_is_not_done_here() -> None:
    other = "void g(String own) { if (own == null) { return; } check(own); cut(own, 7); }"
    before = "int f(String s) { if (s.length() > 2) { cut(s, 3); return 1; } return 0; }"
    assert not any("own" in code for code in codes(java_problem(before, members=other)))


def test_a_state_that_the_class_tells_is_asked_first() -> None:
    before, guard = "int f(int a) { return a / 2; }", "if (closed) { return 0; }"
    after = before.replace("return", f"{guard} return")
    assert found(before, after, members="boolean closed;") is not None


def test_null_that_is_passed_becomes_a_value_in_scope() -> None:
    before = "Object f(String name, Map<String, String> options) { return find(name, null); }"
    assert found(before, before.replace("null", "options"), imports="import java.util.*;") is not None


@pytest.mark.parametrize(
    ("before", "after"), [("private", "protected"), ("private", "public"), ("protected", "public")]
)
def test_a_method_is_opened_to_others(before: str, after: str) -> None:
    assert found(f"{before} void f() {{ }}", f"{after} void f() {{ }}") is not None
    assert found("void f() { }", f"{after} void f() {{ }}") is not None
    assert found(f"{after} void f() {{ }}", f"{before} void f() {{ }}") is None, "no fix hides a method"


def test_exceptions_of_the_issue_are_caught_thrown_and_written_so_that_they_compile() -> None:
    before = "int f(String s) { return Integer.parseInt(s); }"
    after = before.replace("return", "try { return").replace(
        ";", "; } catch (NumberFormatException e) { return 0; }"
    )
    assert found(before, after, issue="It crashes with NumberFormatException") is not None
    issue = "throws IllegalStateException but a NoSuchElementException is documented"
    before = "int f() { throw new IllegalStateException(); }"
    assert found(before, "int f() { throw new java.util.NoSuchElementException(); }", issue=issue) is not None


def test_the_words_of_an_issue_change_the_order() -> None:
    code = "int f(String s, int a) { return a > 1 ? s.length() : a; }"
    guard = "int f(String s, int a) { if (s == null) { return 0; } return a > 1 ? s.length() : a; }"
    plain, told = found(code, guard), found(code, guard, issue="NullPointerException for a null text")
    assert plain is not None and told is not None and told < plain


def test_the_line_of_a_stack_trace_comes_first() -> None:
    code = "int f(int a, int b) {\n        a = a + 1;\n        b = b + 2;\n        return b;\n    }"
    for offset in (1, 2):
        one = java_problem(code, f"java.lang.Error\n\tat Box.f(Box.java:{4 + offset})")
        assert one.text.split("\n")[3 + offset] == code.split("\n")[offset]
        lines = [edited.split("\n") for edited in codes(one, 8)]
        changed = [len(now) != 5 or now[offset] != code.split("\n")[offset] for now in lines]
        assert sum(changed) >= 6


def test_arguments_of_overloads_that_do_not_exist_are_not_dropped() -> None:
    members = "int g(int a, int b) { return 1; }"
    assert found("int f(int a) { return g(a, 1); }", "int f(int a) { return g(a); }", members=members) is None


def test_statements_behind_a_return_are_never_proposed() -> None:
    for code in codes(java_problem("int f(int a) { if (a > 0) { a++; return a; } a--; return a; }")):
        assert "return a; a" not in " ".join(code.split())


def test_variables_out_of_scope_are_not_used() -> None:
    code = "int f(int a) { for (int inner = 0; inner < a; inner++) { a--; } return a; }"
    assert found(code, code.replace("return a", "return inner")) is None


def test_static_methods_do_not_read_instance_fields() -> None:
    members = "int x; static int y;"
    assert (
        found("static int f(int a) { return a; }", "static int f(int a) { return x; }", members=members)
        is None
    )
    assert (
        found("static int f(int a) { return a; }", "static int f(int a) { return y; }", members=members)
        is not None
    )


CONSTRUCTS = '''
String f() { return """
    a "b"
    """.trim(); }
---
int f(Object o) { return switch (o) {
    case String s when s.isEmpty() -> 1; case Integer i -> { yield i; } default -> 0; }; }
---
<T extends Comparable<T>> List<List<T>> f(Map<String, List<List<T>>> m) {
    return m.get("a") == null ? null : m.get("b"); }
---
int f(int... a) { Runnable r = () -> { return; };
    return (int) java.util.stream.IntStream.of(a).map(x -> x >> 2).sum(); }
---
int f() throws Exception {
    try (var in = open()) { synchronized (this) { return in.read(); } } finally { close(); } }
---
int f(int a) {
    outer: do { a--; if (a == 3) continue outer; else break outer; } while (a > 0); assert a > 1; return a; }
---
int f(int[][] a) { return new int[][] {{1}, a[0]}[0][a.length - 1]; }
'''


@pytest.mark.parametrize("code", CONSTRUCTS.strip().split("\n---\n"))
def test_every_construct_is_edited_without_fail(code: str) -> None:
    assert len(codes(java_problem(code))) > 5


def test_records_and_compact_constructors_are_edited() -> None:
    text = (
        "record P(int x, int y) {\n    P {\n        if (x > 0) { throw new RuntimeException(); }\n    }\n}\n"
    )
    start, end = text.index("P {"), text.rindex("}", 0, len(text) - 2) + 1
    one = replace(java_problem("void f() { }"), text=text, region=Span(start, end))
    found_codes = codes(one)
    assert any("if (x < 0)" in code for code in found_codes) and any(
        "if (y > 0)" in code for code in found_codes
    )
    assert not any("return" in code for code in found_codes)


@pytest.mark.parametrize(
    ("issue", "before", "after"),
    [
        (
            "Codes contain '0' for vowels",
            "void f(char c, char last) { if (c != last) add(c); }",
            "void f(char c, char last) { if (c != '0' && c != last) add(c); }",
        ),
        (
            "A line with `#` ends it",
            "boolean f(char c) { return c == ';' ? true : false; }",
            "boolean f(char c) { return c == ';' || c == '#' ? true : false; }",
        ),
        (
            'The unit "none" is printed',
            "void f(String unit, String other) { if (unit != other) add(unit); }",
            'void f(String unit, String other) { if (!"none".equals(unit) && unit != other) add(unit); }',
        ),
    ],
)
def test_a_value_that_the_issue_quotes_is_checked(issue: str, before: str, after: str) -> None:
    assert found(before, after, issue=issue) is not None
    assert found(before, after) is None, "nobody quotes it"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("String f(Thing t) { return t.getName(); }", 'String f(Thing t) { return "<init>"; }'),
        ("void f(Thing t) { add(t.getName(), 1); }", 'void f(Thing t) { add("<init>", 1); }'),
        ("String f() { String s = null; return s; }", 'String f() { String s = "<init>"; return s; }'),
    ],
)
def test_a_text_becomes_one_that_the_issue_quotes(before: str, after: str) -> None:
    assert found(before, after, issue='Its name should be "<init>", not the class') is not None
    assert found(before, after) is None, "nobody quotes it"


@pytest.mark.parametrize("quoted", ["'\\'", "'\"'", "`ab`"])
def test_what_is_no_character_is_not_checked(quoted: str) -> None:
    before = "void f(char c, char last) { if (c != last) add(c); }"
    assert all(code.count("'") in (0, 2) for code in codes(java_problem(before, f"It prints {quoted}")))


def test_what_is_wrapped_in_a_block_is_indented_deeper_to_its_last_line() -> None:
    """The inner closing brace of a wrapped ``if`` stood where the outer one does."""
    before = """List<String> f() {
        if (names.isEmpty()) {
            return null;
        }
        return names;
    }"""
    after = """List<String> f() {
        if (names != null) {
            if (names.isEmpty()) {
                return null;
            }
        }
        return names;
    }"""
    problem = java_problem(before, members="List<String> names;", imports="import java.util.List;")
    wrapped = [code for code in codes(problem) if JAVA.tokens(code) == JAVA.tokens(after)]
    assert wrapped == [after]


def test_an_else_that_hangs_on_the_inner_if_becomes_the_outer_ones() -> None:
    """``intersects`` of a bitmap compared nothing where the other one was the shorter."""
    before = """boolean f(boolean a, boolean b, boolean c) {
        if (a)
            if (b)
                return true;
        else
            if (c)
                return true;
        return false;
    }"""
    after = before.replace("if (a)", "if (a) {").replace("        else", "        }\n        else")
    place = found(before, after)
    assert place is not None and place < 20
    assert after in list(codes(java_problem(before)))


@pytest.mark.parametrize("step", ["  ", "\t", "   "])
def test_a_guard_is_indented_by_the_methods_own_steps(step: str) -> None:
    """Lines of a guard stood twice as deep in files with two blanks a step."""
    lines = ("int f(String s) {", "  for (;;) {", "    s.trim();", "  }", "}")
    guarded = (
        "int f(String s) {",
        "  for (;;) {",
        "    if (s != null) {",
        "      s.trim();",
        "    }",
        "  }",
        "}",
    )
    early = ("int f(String s) {", "  if (s == null) {", "    return 0;", "  }", *lines[1:])

    def written(lines: tuple[str, ...]) -> str:
        return "\n    ".join(line.replace("  ", step) for line in lines)

    made = list(codes(java_problem(written(lines), "NullPointerException")))
    assert written(guarded) in made and written(early) in made


def test_a_field_becomes_another_that_the_file_reads_from_the_same() -> None:
    """``nextRow`` of javadbf took all fields of a header, where the others take the user's."""
    before = "int f() { return count(this.header.fields); }"
    after = "int f() { return count(this.header.userFields); }"
    assert found(before, after, members="Header header; int g() { return header.userFields; }") == 0
    assert found(before, after) is None


@pytest.mark.parametrize("after", ["!t.isCancelled() && t.repeats()", "t.isCancelled() || t.repeats()"])
def test_a_condition_asks_another_state_of_the_same_object(after: str) -> None:
    """A cancelled task of jmock's scheduler was run again, as only ``repeats`` was asked."""
    task = "class Task { boolean repeats() { return true; } boolean isCancelled() { return false; } }"
    before = "void f(Task t) { if (t.repeats()) { add(t); } }"
    mended = f"void f(Task t) {{ if ({after}) {{ add(t); }} }}"
    assert found(before, mended, members=task) is not None
    assert found(before, mended) is None


def test_a_case_too_many_is_taken_out() -> None:
    """A printer escaped what needs no escape, in a case of its own."""
    lines = ["void f(char c) {", "    switch (c) {", "        case 'a': one(); break;"]
    lines += ["        case 'b': two(); break;", "        default: three();", "    }", "}"]
    before, after = ("\n    ".join(each) for each in (lines, [*lines[:3], *lines[4:]]))
    assert after in list(codes(java_problem(before)))


def test_a_call_is_given_what_another_is_that_differs_in_one_argument() -> None:
    """pushy's fix was the 852nd edit: all that the file's exceptions say came first, each for each."""
    thrown = [f'if (at > {n}) {{ throw new Bad("no {n}", at); }}' for n in range(6)]
    members = f"int at; String text; StringBuilder out; void g(int first) {{ {' '.join(thrown)} }}"
    copied = 'out.append(text, first, at); if (at > 9) { throw new Bad("end", at); }'
    before = f"void f(int first) {{ {copied} out.append(text, first, text.length() - 1); }}"
    place = found(before, before.replace("text.length() - 1", "at"), members=members)
    assert place is not None and place <= 60
    assert found(before, before.replace('"end"', '"no 1"'), members=members) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("void f(Labels labels) { g(Labels.EMPTY, 0); }", "void f(Labels labels) { g(labels, 0); }"),
        ("void f(int size) { this.size = size(); }", "void f(int size) { this.size = size; }"),
        (
            'String f(String a) { String b = a.trim(); return "0" + a; }',
            'String f(String a) { String b = a.trim(); return "0" + b + a; }',
        ),
        (
            "String f(String a, String b) { if (b == null) { return a; } return 0 + a; }",
            "String f(String a, String b) { if (b == null) { return a; } return 0 + b + a; }",
        ),
        ("int f(int a, int b) { return a + 1; }", "int f(int a, int b) { return b + a + 1; }"),
        ("int f(int a, int b) { return a + 1; }", "int f(int a, int b) { return a + 1 + b; }"),
    ],
)
def test_what_is_never_read_is_read(before: str, after: str) -> None:
    """A constructor handed on ``Labels.EMPTY`` where it was given labels."""
    assert (found(before, after, members="int size;") or 99) <= 30


def test_what_is_read_elsewhere_takes_no_constants_place() -> None:
    before, after = "g(Labels.EMPTY); h(labels);", "g(labels); h(labels);"
    assert found(f"void f(Labels labels) {{ {before} }}", f"void f(Labels labels) {{ {after} }}") is None


def test_math_is_not_asked_for_what_only_big_numbers_have() -> None:
    problem = java_problem("int f(int a, int b) { return Math.abs(a) + Math.min(a, b); }")
    drawn = codes(problem)
    assert any("Math.max(a, b)" in code for code in drawn)
    assert not any("Math.negate(" in code for code in drawn)
