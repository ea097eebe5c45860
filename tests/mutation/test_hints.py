from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nl2fix.mutation.hints import hints_of
from tests.mutation.mutants import java_problem

CODE = "int f(int a) {\n        return a;\n    }"
ISSUE = """parseValue fails for "two words" with 42
java.lang.IllegalStateException: x
    at shop.Box.f(Box.java:5)
    at shop.Box.f(Box.java:500)
    at shop.Other.g(Other.java:4)
Caused by: NumberFormatException"""


def test_facts_are_found_as_they_are_written() -> None:
    hints = hints_of(java_problem(CODE, ISSUE))
    assert hints.exceptions == ("IllegalStateException", "NumberFormatException")
    assert hints.quoted == ("two words",)
    assert "42" in hints.numbers
    assert hints.names["parseValue"] == 2.0 and hints.names["fails"] == 1.0


def test_lines_count_only_in_the_edited_file_and_region() -> None:
    assert hints_of(java_problem(CODE, ISSUE)).lines == {5}


def test_cues_are_looked_for_without_regard_to_case() -> None:
    hints = hints_of(java_problem(CODE, "Crashes with NULL"))
    assert hints.says(r"\bnull\b") and not hints.says("overflow") and not hints.says("")


@given(st.text(max_size=200))
def test_any_issue_can_be_read(text: str) -> None:
    hints_of(java_problem(CODE, text))
