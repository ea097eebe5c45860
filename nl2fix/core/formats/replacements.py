"""Search and replace blocks and unified diffs, read out of an answer in one pass."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from nl2fix.core.formats.blocks import NoEdit, answer, blocks
from nl2fix.core.formats.names import is_file, path_in_info, path_on
from nl2fix.core.formats.places import MOST, Form, Replacement

_HEAD = re.compile(r"\s*+<{5,9}+\s*+(?:ORIGINAL|SEARCH)?\b.*")
_DIVIDER = re.compile(r"\s*+={5,9}+\s*+")
_TAIL = re.compile(r"\s*+>{5,9}+\s*+(?:UPDATED|REPLACE)?\b.*")
_FENCE = re.compile(r"\s*+(?:`{3,}+|~{3,}+)([^`]*+)")
_HUNK = re.compile(r"@@(?:[^\n@]*?\+(\d{1,9})\b(,0\b)?)?")
_ADDS = re.compile(r"@@[ \t]*+-(\d{1,9}),0\b")
_MARKS = frozenset({"", " ", "+", "-", "\\"})
_HUNK_LINE = re.compile(r"^@@", re.MULTILINE)
_FILE = re.compile(r"(?:---|\+\+\+)[ \t]+(\S[^\t\n]*+)")


def replacements(completion: str, files: Collection[str] = ()) -> list[Replacement]:
    """All search and replace blocks; raises ``NoEdit`` when one is not finished.

    ``files`` are paths that the answer may name; they tell a path from other words with a dot in them.
    """
    text = answer(completion)
    if "<<<<<" not in text:
        return []
    lines = text.replace("\r\n", "\n").split("\n")
    marks = [i for i, line in enumerate(lines) if _mark(line)]
    result: list[Replacement] = []
    at = 0
    while at < len(marks):
        head, number = marks[at], len(result) + 1
        at += 1
        if not _HEAD.fullmatch(lines[head]):
            continue
        at, middle = _next(_DIVIDER, lines, marks, at, f"block {number} has no ======= line")
        at, end = _next(_TAIL, lines, marks, at, f"block {number} has no >>>>>>> line")
        search, replace = _joined(lines[head + 1 : middle]), _joined(lines[middle + 1 : end])
        result.append(Replacement(search, replace, _above(lines, head, files)))
        if len(result) > MOST:
            raise NoEdit("malformed", f"the answer has more than {MOST} blocks")
    return result


def hunks(completion: str, files: Collection[str] = ()) -> list[Replacement]:
    """All hunks of the unified diffs in an answer: those in fenced blocks, else in all of it."""
    text = answer(completion)
    if not _HUNK_LINE.search(text):
        return []
    fenced = [
        (block.code, block.path if is_file(block.path, files) else None)
        for block in blocks(text)
        if _HUNK_LINE.search(block.code)
    ]
    every = (hunk for code, path in fenced or [(text, None)] for hunk in _hunks(code, path, bool(fenced)))
    result = list(islice(every, MOST + 1))
    if len(result) > MOST:
        raise NoEdit("malformed", f"the answer has more than {MOST} hunks")
    return result


def _hunks(code: str, path: str | None, fenced: bool) -> Iterator[Replacement]:
    """The hunks of one diff. In a fence a line without its mark is one that stays; models drop the blank."""
    lines = code.replace("\r\n", "\n").removesuffix("\n").split("\n")
    body: list[str] | None = None
    head = ""
    created = False
    for index, line in enumerate([*lines, "@@"]):
        begins = line.startswith("@@")
        named = _FILE.match(line) if _heads_file(lines, index) else None
        over = line.startswith(("diff --git ", "index ")) or not (fenced or line[:1] in _MARKS)
        if body is not None and not (begins or named or over):
            body.append(line)
            continue
        if body is not None:
            yield _hunk(body, path, head, created)
        body, head = ([], line) if begins else (None, "")
        if named and line.startswith("---"):
            created = named[1].strip() == "/dev/null"
        if named and named[1].strip() != "/dev/null":
            path = re.sub(r"^[ab]/", "", named[1].strip())


def _heads_file(lines: Sequence[str], index: int) -> bool:
    """Whether a line is one of the two that name a diff's file, not a removed ``-- …`` or added ``++ …``."""
    line = lines[index] if index < len(lines) else ""
    if line.startswith("--- "):
        return index + 1 < len(lines) and lines[index + 1].startswith("+++ ")
    return line.startswith("+++ ") and index > 0 and lines[index - 1].startswith("--- ")


def _hunk(body: list[str], path: str | None, head: str, created: bool) -> Replacement:
    while body and not body[-1].strip():
        body.pop()
    kept = [one for one in body if not one.startswith("\\")]
    search = [_content(one) for one in kept if not one.startswith("+")]
    replace = [_content(one) for one in kept if not one.startswith("-")]
    number, adds = _HUNK.match(head), _ADDS.match(head)
    line = int(number[1]) if number and number[1] else None
    if line is not None and number and number[2] and not replace:
        line += 1  # nothing is left of it: the header has the line before
    after = int(adds[1]) if adds and replace and not search else None
    form: Form = "file" if created and not search else "hunk"
    return Replacement(_joined(search), _joined(replace), path, line, after, form)


def _content(line: str) -> str:
    return line[1:] if line[:1] in (" ", "+", "-") else line


def _joined(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _mark(line: str) -> bool:
    return line.lstrip()[:5] in ("<<<<<", "=====", ">>>>>")


def _next(
    pattern: re.Pattern[str], lines: Sequence[str], marks: Sequence[int], at: int, reason: str
) -> tuple[int, int]:
    """The place behind the next line that fits, among the marked ones, and that line."""
    while at < len(marks) and not _HEAD.fullmatch(lines[marks[at]]):
        if pattern.fullmatch(lines[marks[at]]):
            return at + 1, marks[at]
        at += 1
    raise NoEdit("malformed", reason)


def _above(lines: Sequence[str], position: int, files: Collection[str]) -> str | None:
    """A path on the line above the block, in the fence that holds it, or above that."""
    above = [line for line in lines[max(0, position - 6) : position] if line.strip()]
    fence = _FENCE.fullmatch(above[-1]) if above else None
    if fence:
        told = path_in_info(fence[1])[1]
        if told is not None:
            return told
        above = above[:-1]
    path = path_on(above[-1]) if above and not _TAIL.fullmatch(above[-1]) else None
    return path if is_file(path, files) else None
