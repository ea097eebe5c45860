from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages.java import JAVA
from nl2fix.suggestion.describing.minimal import minimise

BEFORE = """int find(int[] values, int wanted) {
        // look at each
        for (int i = 0; i <= values.length; i++) {
            if (values[i] == wanted) {
                return i;   // found
            }
        }
        return -1;
    }"""


def changed_lines(before: str, after: str) -> list[str]:
    old = before.split("\n")
    return [line for line in after.split("\n") if line not in old]


def test_a_one_token_fix_in_a_reformatted_answer_changes_one_line() -> None:
    answer = (
        "int find(int[] values, int wanted)\n{\n  for (int i=0; i < values.length; i++) {\n"
        "    if (values[i]==wanted) { return i; }\n  }\n  return -1;\n}"
    )
    fixed = minimise(BEFORE, answer)
    assert fixed == BEFORE.replace("<=", "<")


def test_an_inserted_statement_is_indented_as_the_file_is() -> None:
    answer = """int find(int[] values, int wanted) {
  if (values == null) {
    return -1;
  }
  for (int i = 0; i <= values.length; i++) {
    if (values[i] == wanted) {
      return i;
    }
  }
  return -1;
}"""
    fixed = minimise(BEFORE, answer)
    assert changed_lines(BEFORE, fixed) == ["        if (values == null) {", "            return -1;"]
    assert "// look at each" in fixed
    assert "// found" in fixed


def test_a_deleted_statement_leaves_no_trace() -> None:
    before = "void f() {\n    a();\n    b();\n    c();\n}"
    assert minimise(before, "void f() { a(); c(); }") == "void f() {\n    a();\n    c();\n}"


def test_tabs_are_kept() -> None:
    before = "void f() {\n\ta();\n\tb();\n}"
    answer = "void f() {\n    a();\n    if (x) {\n        c();\n    }\n    b();\n}"
    assert minimise(before, answer) == "void f() {\n\ta();\n\tif (x) {\n\t\tc();\n\t}\n\tb();\n}"


def test_an_unchanged_answer_gives_the_original_back() -> None:
    assert minimise(BEFORE, " ".join(JAVA.tokens(BEFORE))) == BEFORE


def test_a_model_s_own_formatting_is_kept_where_it_changes_something() -> None:
    """Blanks before replaced tokens were the original's: ``…area) ).orElse(null);``."""
    before = "Shape find(Area area) {\n    return shapes.isEmpty() ? null : shapes.get( area );\n}"
    call = "return shapes.stream().filter(s -> s.in(area)).findFirst().orElse(null);"
    after = f"Shape find(Area area) {{\n    {call}\n}}"
    assert call in minimise(before, after)
    before = "int f(List<Integer> list) {\n    return list == null ? 0 : sum(list) + 1;\n}"
    after = "int f(List<Integer> list) {\n    return Optional.of(list).map(this::sum).orElse(0);\n}"
    assert minimise(before, after) == after


def test_wrapped_statements_are_indented_deeper() -> None:
    before = "void f() {\n    a();\n    // about b\n    b(1,\n      2);\n    c();\n}"
    after = "void f() {\n  a();\n  if (x) {\n    b(1, 2);\n  }\n  c();\n}"
    wrapped = "    if (x) {\n        // about b\n        b(1,\n          2);\n    }\n"
    assert minimise(before, after) == f"void f() {{\n    a();\n{wrapped}    c();\n}}"


def test_a_brace_stays_on_the_line_of_what_it_opens() -> None:
    before = "int f(boolean a) {\n  if (a)\n    if (b)\n      return 1;\n  else\n    return 2;\n}"
    after = "int f(boolean a) {\n  if (a) {\n    if (b)\n      return 1;\n  }\n  else\n    return 2;\n}"
    assert minimise(before, after) == after.replace("\n    if (b)\n      ", "\n      if (b)\n        ")


def test_unwrapped_statements_are_indented_less() -> None:
    before = "void f() {\n\tif (x) {\n\t\tb();\n\t\tc();\n\t}\n}"
    after = "void f() {\n    b();\n    c();\n}"
    assert minimise(before, after) == "void f() {\n\tb();\n\tc();\n}"


code = st.lists(
    st.sampled_from(
        ["a();", "b(1);", "if (x) {", "}", "return y;", "\n", "\n    ", " ", "// note\n", "int z = 0;"]
    ),
    max_size=25,
).map("".join)


@given(code, code)
def test_tokens_are_always_those_of_the_answer(before: str, after: str) -> None:
    assert JAVA.tokens(minimise(before, after)) == JAVA.tokens(after)


@given(code)
def test_nothing_changed_means_nothing_changes(before: str) -> None:
    assert minimise(before, before) == before


GUARD = "if (x) {\n        return;\n    }\n    "


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("\n    // tells\n    // why\n    ", f"\n    {GUARD}// tells\n    // why\n    "),
        (" // of a\n    ", f" // of a\n    {GUARD}"),
        (" // of a\n    // of b\n    ", f" // of a\n    // of b\n    {GUARD}"),
    ],
    ids=["above", "behind", "both"],
)
def test_a_comment_beside_an_inserted_statement_stands_once(comment: str, expected: str) -> None:
    """The offline model's null checks had the comment above and below."""
    before = f"void f() {{\n    a();{comment}b();\n}}"
    answer = f"void f() {{\n    a();{comment}{GUARD}b();\n}}"
    assert minimise(before, answer) == f"void f() {{\n    a();{expected}b();\n}}"


@given(st.lists(st.sampled_from(["// one", "/* two */", "\n", "    ", "\n    // three\n"]), max_size=5))
def test_no_comment_comes_or_goes_by_an_insertion_behind_it(gap: list[str]) -> None:
    between = "\n".join(gap) + "\n    "
    before = f"void f() {{\n    a();{between}b();\n}}"
    answer = f"void f() {{\n    a();{between}{GUARD}b();\n}}"
    merged = minimise(before, answer)
    for comment in ("// one", "/* two */", "// three"):
        assert merged.count(comment) == before.count(comment)
