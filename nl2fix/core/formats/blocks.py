"""Fenced code blocks of an answer, and the error for an answer without an edit.

Blocks follow CommonMark with what models really write allowed besides: a closing fence at the end of
the last line of code, and a last block that is never closed (an answer cut at its token limit). What
stands before ``</think>`` is a model's reasoning, never its answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPENING = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*([^\s`{]*)[^\n`]*$")
_PATH = re.compile(r"(?:^|[\s`*#:(\"'])([\w.$+-]+(?:/[\w.$+-]+)*\.\w+)[`*:)\"']*\s*$")


class NoEdit(Exception):
    """A completion holds no edit that could be applied; the one-line message says why."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: info string (lower case), code, and the path on the line before, if any."""

    info: str
    code: str
    path: str | None
    closed: bool


def answer(completion: str) -> str:
    """The part of a completion after its reasoning."""
    return completion.rpartition("</think>")[2]


def blocks(completion: str) -> list[Block]:
    """All fenced blocks in order."""
    found: list[Block] = []
    lines = answer(completion).split("\n")
    position = 0
    while position < len(lines):
        opening = _OPENING.match(lines[position].rstrip("\r"))
        if opening is None:
            position += 1
            continue
        code, closed, after = _body(lines, position + 1, opening[1])
        found.append(Block(opening[2].lower(), code, path_on(_line_before(lines, position)), closed))
        position = after
    return found


def path_on(line: str) -> str | None:
    """A file's path at the end of a line, as ``**src/A.java**`` or ``File: `A.java` ``."""
    match = _PATH.search(line.strip())
    return None if match is None else match[1]


def names_file(path: str | None, wanted: str) -> bool:
    """Whether a path in an answer can mean the wanted file: equal, or one ends in the other."""
    if path is None:
        return False
    ours, theirs = wanted.split("/"), path.removeprefix("./").split("/")
    count = min(len(ours), len(theirs))
    return ours[-count:] == theirs[-count:]


def _body(lines: list[str], position: int, fence: str) -> tuple[str, bool, int]:
    """Code of a block from its first line on, whether it is closed, and the line after it."""
    code: list[str] = []
    while position < len(lines):
        line = lines[position]
        bare = line.strip(" \t\r>")
        position += 1
        if len(bare) >= len(fence) and not bare.strip(fence[0]):
            return "".join(part + "\n" for part in code), True, position
        if bare.endswith(fence) and "`" not in bare.rstrip("`"):
            code.append(line.rstrip()[: -len(fence)])
            return "".join(part + "\n" for part in code), True, position
        code.append(line)
    return "\n".join(code), False, position


def _line_before(lines: list[str], position: int) -> str:
    """The nearest line above that is not blank."""
    for line in reversed(lines[:position]):
        if line.strip():
            return line
    return ""
