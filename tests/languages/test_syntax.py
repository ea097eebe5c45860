from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages.go import GO
from nl2fix.languages.java import JAVA
from nl2fix.languages.syntax import first_error, line_of, masked


@given(st.text())
def test_a_masked_text_has_one_byte_per_character(text: str) -> None:
    assert len(masked(text)) == len(text)


def test_names_and_other_characters_keep_their_kind() -> None:
    assert masked("größe = 1;") == b"grxxe = 1;"
    assert masked("\ufeffint") == b" int"
    assert masked("“") == b"\x01"


def test_lines_end_as_in_an_editor() -> None:
    text = "a\nb\r\nc\rd"
    assert [line_of(text, text.index(c)) for c in "abcd"] == [1, 2, 3, 4]


def test_the_first_error_is_found_in_text_order() -> None:
    assert first_error(JAVA.tree("class A { }").root_node) is None
    error = first_error(JAVA.tree("class A { int = ; }\nclass { }").root_node)
    assert error is not None and error.start_byte < 19


def test_an_error_below_thousands_of_operators_is_found() -> None:
    """An answer that ended in a heap of plus signs was an internal error."""
    signs = "+ " * 4_000
    assert "line 1: " in (GO.syntax_error(f"func f() int {{ x := a {signs}}}") or "")
    assert "line 1: " in (JAVA.syntax_error(f"class A {{ int f() {{ return a {signs}; }} }}") or "")
