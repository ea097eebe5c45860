from __future__ import annotations

import re

from nl2fix.languages.lexing import Lexeme, lexemes, without

PATTERN = re.compile(r"(?P<space>\s+)|(?P<comment>#[^\r\n]*)|(?P<word>\w+)|(?P<other>.)")


def strip(code: str, apart: bool = False) -> str:
    comments = [one for one in lexemes(PATTERN, code) if one.kind == "comment"]
    return without(code, comments, lambda pair: apart)


def test_lexemes_leave_blanks_out_and_keep_comments_with_their_places() -> None:
    assert lexemes(PATTERN, "ab #c") == [Lexeme("word", 0, 2), Lexeme("comment", 3, 5)]


def test_a_line_with_only_a_comment_goes() -> None:
    assert strip("a\n  # one\n  # two\nb\n") == "a\nb\n"


def test_no_blanks_are_left_before_a_removed_comment() -> None:
    assert strip("a   # one\nb") == "a\nb"


def test_lines_without_comments_keep_their_blanks_at_the_end() -> None:
    assert strip("a  \nb # x\nc\t\n") == "a  \nb\nc\t\n"


def test_every_kind_of_line_end_is_kept() -> None:
    assert strip("a # x\r\n# y\r\nb\r\n") == "a\r\nb\r\n"


def test_a_comment_may_be_the_whole_text() -> None:
    assert strip("# only") == ""
    assert strip("") == ""


def test_characters_that_would_join_are_kept_apart() -> None:
    inner = [Lexeme("comment", 1, 6)]
    assert without("a/*x*/b", inner, lambda pair: pair == "ab") == "a b"
    assert without("a/*x*/b", inner, lambda pair: pair != "ab") == "ab"
