"""Lexemes of a text and the removal of comments, shared by the languages.

A language gives one regular expression whose named groups are the kinds of lexemes. It must match
at every position of every text, so malformed code gives lexemes too: nothing here ever fails.
All offsets count characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Lexeme(NamedTuple):
    """One lexeme: its kind (a group's name in the language's pattern) and where it stands."""

    kind: str
    start: int
    end: int


def lexemes(pattern: re.Pattern[str], code: str) -> list[Lexeme]:
    """All lexemes of ``code`` in order, without those of kind ``space``; comments included."""
    return [
        Lexeme(match.lastgroup or "", match.start(), match.end())
        for match in pattern.finditer(code)
        if match.lastgroup != "space"
    ]


def without(code: str, comments: Iterable[Lexeme], apart: Callable[[str], bool]) -> str:
    """``code`` without the given comments, formatting kept.

    Lines that held nothing but a comment go; no blanks are left where a comment stood at the end of
    a line. ``apart(pair)`` says whether the two characters on either side of a removed comment must
    be kept apart by a blank.
    """
    kept: list[str] = []
    position = 0
    for comment in comments:
        kept.append(code[position : comment.start])
        position = comment.end
        head = _tail(kept)
        blank_before = not head or head[-1] in " \t\f\r\n"
        if _ends_line(code, position):
            position = _close_line(code, kept, position, head)
        elif code[position] in ",;)]" and head.strip(" \t\f"):
            _rstrip(kept)
        elif blank_before or head[-1] in "([":
            position = _skip_blanks(code, position)
        elif code[position] not in " \t\f" and apart(head[-1] + code[position]):
            kept.append(" ")
    kept.append(code[position:])
    return "".join(kept)


def _close_line(code: str, kept: list[str], position: int, head: str) -> int:
    """End a line whose rest was a comment; returns where the text goes on."""
    _rstrip(kept)
    end = _skip_blanks(code, position)
    return end if head.strip(" \t\f") else end + len(_line_break(code, end))


def _tail(kept: list[str]) -> str:
    """The current line as kept so far."""
    parts: list[str] = []
    for part in reversed(kept):
        cut = max(part.rfind("\n"), part.rfind("\r"))
        parts.append(part[cut + 1 :])
        if cut >= 0:
            break
    return "".join(reversed(parts))


def _rstrip(kept: list[str]) -> None:
    """Drop blanks (not line breaks) from the end of what is kept."""
    while kept:
        kept[-1] = kept[-1].rstrip(" \t\f")
        if kept[-1]:
            return
        kept.pop()


def _skip_blanks(code: str, position: int) -> int:
    while position < len(code) and code[position] in " \t\f":
        position += 1
    return position


def _ends_line(code: str, position: int) -> bool:
    end = _skip_blanks(code, position)
    return end == len(code) or code[end] in "\r\n"


def _line_break(code: str, position: int) -> str:
    return "\r\n" if code.startswith("\r\n", position) else code[position : position + 1]
