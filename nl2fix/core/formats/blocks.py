"""Fenced code blocks of an answer, read in one pass, and the error for an answer without an edit.

Blocks follow CommonMark with what models really write allowed besides: a closing fence at the end of
the last line of code, and a last block that is never closed (an answer cut at its token limit). A fence
that stands in a comment of the code is code. The marks of a quotation (``> ``) are no code; without any
fence, ``<pre>`` is what holds it. What stands before ``</think>``, or behind a ``<think>`` that begins
the answer and never ends, is a model's reasoning, never its answer. Every pattern here is possessive or
works on one line, so that reading takes time in proportion to the answer.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, ParamSpec, TypeVar

from nl2fix.core.formats.names import names_file, path_in_comment, path_in_info, path_on
from nl2fix.core.records import Problem

LIMIT = 1_000_000
"""Characters of an answer that are read."""
MOST_BLOCKS = 1_000
"""Fenced blocks of an answer that are read."""

NoEditKind = Literal[
    "no_answer",
    "empty",
    "no_code",
    "no_unit",
    "other_file",
    "malformed",
    "no_match",
    "ambiguous",
    "unchanged",
]
"""Why there is no edit: the model gave no answer; it is empty; holds no code; its code is not the unit or
file asked for; it edits files that are not the problem's; it breaks the format; its lines stand nowhere, or
in several places; it changes nothing."""

_NEAR = 2_000
"""Characters before a block in which the line that names its file is looked for."""
_FENCE = re.compile(r"```|~~~")
_OPENING = re.compile(r"([ \t>]*+)(`{3,}+|~{3,}+)[ \t]*+([^\n`]*+)")
_IN_COMMENT = re.compile(r"(?:\*|/\*\*?|//[/!]?|#+|--|;+|%+)[ \t]*+[`~]++")
_HTML = re.compile(r"^[ \t]*+<pre\b[^>\n]*+>\s*?(?:<code\b[^>\n]*+>)?", re.MULTILINE | re.IGNORECASE)
_HTML_END = re.compile(r"(?:</code>)?\s*+</pre>", re.IGNORECASE)
_CODE = ("{", ";", "=", "/*", '"""', "'''")
"""Marks of code, which may itself speak of ``<pre>``."""
_HTML_LANGUAGE = re.compile(r"\blang(?:uage)?-(\w++)")

P = ParamSpec("P")
R = TypeVar("R")


class NoEdit(Exception):
    """A completion holds no edit that could be applied; the one-line message says why."""

    def __init__(self, kind: NoEditKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: the language of its info string (lower case), and its code."""

    info: str
    code: str
    closed: bool
    told: str | None = None
    """The path in its info string."""
    above: str | None = None
    """The path on the line before, if any."""

    @property
    def path(self) -> str | None:
        """The file that its info string names, else its first line, else the line above."""
        return self.told or path_in_comment(self.code) or self.above


def answer(completion: str) -> str:
    """The part of a completion after its reasoning, no more than ``LIMIT`` characters of it."""
    said = completion.rpartition("</think>")[2]
    return "" if said.lstrip().startswith("<think>") else said[:LIMIT]


def telling_cuts(extract: Callable[P, R]) -> Callable[P, R]:
    """An ``extract(self, completion, …)`` whose reasons say so when only a part of the answer was read."""

    @functools.wraps(extract)
    def reading(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return extract(*args, **kwargs)
        except NoEdit as reason:
            size = max((len(arg) for arg in args if isinstance(arg, str)), default=0)
            if size <= LIMIT:
                raise
            cut = f"{reason}; only {LIMIT:,} of the answer's {size:,} characters are read"
            raise NoEdit(reason.kind, cut) from None

    return reading


def blocks(completion: str) -> list[Block]:
    """The fenced blocks in order, the first ``MOST_BLOCKS`` of them."""
    text = answer(completion)
    result: list[Block] = []
    position = since = 0
    while len(result) < MOST_BLOCKS and (line := _fence_line(text, position)):
        start, end = line
        opening = _OPENING.fullmatch(text[start:end].rstrip("\r"))
        if opening is None:
            position = end
            continue
        above = path_on(_last_line(text, max(since, start - _NEAR), start))
        code, closed, position = _body(text, end + 1, opening[2])
        since = position
        info, told = path_in_info(opening[3])
        code = _unquoted(code, opening[1].count(">"))
        result.append(Block(info.partition("{")[0].lower(), code, closed, told, above))
    return result or list(islice(_html_blocks(text), MOST_BLOCKS))


def _unquoted(code: str, depth: int) -> str:
    """Code of a block in a quotation, without the marks of that quotation."""
    if not depth or not code:
        return code
    marks = re.compile(rf"(?:[ \t]{{0,3}}> ?){{1,{min(depth, 9)}}}+")
    lines = code.split("\n")
    return "\n".join(line[found.end() :] if (found := marks.match(line)) else line for line in lines)


def _html_blocks(text: str) -> Iterator[Block]:
    """What stands in ``<pre>`` at the beginning of a line; not behind code, which may speak of it."""
    position = 0
    while opening := _HTML.search(text, position):
        if not position and any(mark in text[: opening.start()] for mark in _CODE):
            return
        above = path_on(_last_line(text, max(position, opening.start() - _NEAR), opening.start()))
        ending = _HTML_END.search(text, opening.end())
        code = html.unescape(text[opening.end() : ending.start() if ending else len(text)])
        language = _HTML_LANGUAGE.search(opening[0].lower())
        info = language[1] if language else ""
        yield Block(info, code.strip("\r\n") + "\n", ending is not None, None, above)
        position = ending.end() if ending else len(text)


def file_named(path: str | None, problem: Problem) -> str | None:
    """The editable file of a problem that a path in an answer means; ``None`` when there is none.

    ``NoEdit`` when it may be any of several.
    """
    if path is None or path.removeprefix("./") in problem.files:
        return path and path.removeprefix("./")
    meant = [wanted for wanted in problem.files if names_file(path, wanted)]
    if len(meant) > 1:
        raise NoEdit("ambiguous", f"{path} may be any of {', '.join(meant)}")
    return meant[0] if meant else None


def _fence_line(text: str, position: int) -> tuple[int, int] | None:
    """Start and end of the next line with a fence's mark in it, from a position on."""
    mark = _FENCE.search(text, position)
    if mark is None:
        return None
    end = text.find("\n", mark.end())
    return text.rfind("\n", position, mark.start()) + 1 or position, len(text) if end < 0 else end


def _body(text: str, position: int, fence: str) -> tuple[str, bool, int]:
    """Code of a block that begins at a position, whether it is closed, and where the text goes on."""
    at = position
    while line := _fence_line(text, at):
        start, end = line
        bare = text[start:end].strip(" \t\r>")
        if len(bare) >= len(fence) and not bare.strip(fence[0]):
            return text[position:start], True, end
        if bare.endswith(fence) and "`" not in bare.rstrip("`") and not _IN_COMMENT.fullmatch(bare):
            return text[position:end].rstrip()[: -len(fence)] + "\n", True, end
        at = end
    return text[position:], False, len(text)


def _last_line(text: str, start: int, end: int) -> str:
    """The last line of a part of a text that is not blank."""
    part = text[start:end].rstrip()
    return part[part.rfind("\n") + 1 :]


def code_lines(text: str) -> set[str]:
    """The lines without their indentation; those of one mark, as a brace, tell nothing."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) > 1}
