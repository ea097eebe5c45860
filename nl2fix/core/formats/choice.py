"""Which of several blocks counts: of those that can be the edit and that change something, the last one.

What comes after the answer proper is told apart by what it lacks: an example, a test or an excerpt does not
hold the unit, is far shorter than the file, or shares few lines with it. Each of these only narrows the
choice; what would leave nothing is not asked.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from nl2fix.core.formats.blocks import Block
from nl2fix.core.protocols import Language
from nl2fix.core.records import Candidate, Problem

_MOST = 40
"""Blocks, from the last one back, of which one is chosen."""
_LONGEST = 20_000
"""Characters of code in which the unit is looked for, besides three times the file."""
_FRAGMENT = 1 / 3
"""Share of the file's length below which code without the unit is none."""
_ALIKE = 1 / 2
"""Share of the most lines of the file that any block has which a block must have."""
_COMMENTS = 1_000
"""Characters, besides twice the file, of code that may be the unedited file with comments."""

T = TypeVar("T")


def in_language(written: Sequence[Block], language: Language) -> list[Block]:
    """Those blocks whose info string is the language's or empty; all, where there are none."""
    return narrowed(written, lambda block: not block.info or block.info in language.fences)


def narrowed(things: Sequence[T], fits: Callable[[T], bool]) -> list[T]:
    """Those that fit; all of them when none does."""
    return [thing for thing in things if fits(thing)] or list(things)


def last_edit(newest_first: Iterator[T], unedited: Callable[[T], bool]) -> T | None:
    """The last that changes something, else the last; looks no further back than it must."""
    last: T | None = None
    for thing in newest_first:
        if not unedited(thing):
            return thing
        last = thing if last is None else last
    return last


def chosen_file(codes: Sequence[str], path: str, problem: Problem, language: Language) -> str:
    """The code that is the edited file, of one or more in the order of the answer."""
    if len(codes) == 1:
        return codes[0]
    before = problem.files[path]
    own = path == problem.path
    holding = set(_holding(codes, problem, language)) if own else set()
    left = narrowed(codes, lambda code: code in holding)
    left = narrowed(left, lambda code: code in holding or len(code) >= _FRAGMENT * len(before))
    unedited = unedited_test(path, problem, language)
    left = narrowed(left, lambda code: not unedited(code))
    lines = _lines(_around(problem)) if own else set()
    shared = [_alike(code, lines or _lines(before)) for code in left]
    sizes = shared if any(shared) else [len(code) for code in left]
    return [code for code, size in zip(left, sizes, strict=True) if size >= _ALIKE * max(sizes)][-1]


def unedited_test(path: str, problem: Problem, language: Language) -> Callable[[str], bool]:
    """Tells code that is the file as it is, or as the model saw it; as for a unit, by tokens.

    Where white space is part of the task, by its very characters.
    """
    text = problem.files[path]
    seen = Candidate(problem.visible).apply(problem) if path == problem.path else text
    if problem.layout:
        return lambda code: code.removesuffix("\n") in (text.removesuffix("\n"), seen.removesuffix("\n"))
    tokens = functools.cache(lambda: language.tokens(text))
    most = 2 * len(text) + _COMMENTS
    return lambda code: len(code) <= most and language.tokens(code) == tokens()


def looks_like_file(code: str, problem: Problem, language: Language) -> bool:
    """Whether code without a name must be the problem's file: it has the unit, or half of the lines."""
    if problem.entity:
        return bool(_holding([code], problem, language))
    lines = _lines(problem.text)
    return _alike(code, lines) >= _ALIKE * len(lines)


def _holding(codes: Sequence[str], problem: Problem, language: Language) -> list[str]:
    """Those that hold the unit, looked for in the last ones and in so much code at most."""
    if not problem.entity:
        return []
    left = _LONGEST + 3 * len(problem.text)
    found = []
    for code in codes[: -_MOST - 1 : -1]:
        left -= len(code)
        if left < 0:
            break
        if language.extract(code, problem.entity, problem.text) is not None:
            found.append(code)
    return found


def _around(problem: Problem) -> str:
    return problem.text[: problem.region.start] + problem.text[problem.region.end :]


def _alike(code: str, lines: set[str]) -> int:
    return len(lines & _lines(code))


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if len(line.strip()) > 1}
