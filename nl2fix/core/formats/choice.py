"""Which of several blocks counts: of those that can be the edit and that change something, the last one.

What comes after the answer proper is told apart by what it lacks: an example, a test or an excerpt does not
hold the unit, is far shorter than the file, or shares few lines with it. Where all lack that, the file as it
was counts when it is quoted, else all of them: an answer that has code is never without an edit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from nl2fix.core.formats.blocks import Block, code_lines
from nl2fix.core.protocols import Language
from nl2fix.core.records import Candidate, Problem

_MOST = 40
"""Blocks, from the last one back, of which one is chosen."""
_LONGEST = 20_000
"""Characters of code in which the unit is looked for, besides three times the file."""
_FRAGMENT = 1 / 3
"""Share of the file's length below which code without the unit is none."""
_ALIKE = 1 / 2
"""Share of the file's lines from which code without the unit is that file."""
_NEAREST = 3 / 4
"""Share of the lines that the block with most of them has in common with the file which one must have."""
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
    unedited = unedited_test(path, problem, language)
    edited = [code for code in codes if not unedited(code)]
    left = _files(edited, path, problem, language) or narrowed(codes, unedited)
    lines = _telling(path, problem)
    shared = [len(lines & code_lines(code)) for code in left]
    sizes = shared if any(shared) else [len(code) for code in left]
    return [code for code, size in zip(left, sizes, strict=True) if size >= _NEAREST * max(sizes)][-1]


def _files(edited: Sequence[str], path: str, problem: Problem, language: Language) -> list[str]:
    """Those that may be the whole file: with its unit, or no fragment and with most lines around the unit."""
    of_unit = bool(problem.entity) and path == problem.path
    holding = set(_holding(edited, problem, language)) if of_unit else set()
    lines = _telling(path, problem)
    least = _FRAGMENT * len(problem.files[path])
    return [
        code
        for code in edited
        if code in holding
        or (len(code) >= least and (not of_unit or len(lines & code_lines(code)) >= _ALIKE * len(lines)))
    ]


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
    lines = code_lines(problem.text)
    return len(lines & code_lines(code)) >= _ALIKE * len(lines)


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


def _telling(path: str, problem: Problem) -> set[str]:
    """Lines that a file has after any edit: those around the unit, where there is one."""
    if path != problem.path:
        return code_lines(problem.files[path])
    around = problem.text[: problem.region.start] + problem.text[problem.region.end :]
    return code_lines(around) or code_lines(problem.text)
