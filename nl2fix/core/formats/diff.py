"""Edit format ``diff``: search and replace blocks, as aider's study writes them.

    path/of/File            (optional, also inside a fence)
    <<<<<<< ORIGINAL        (or SEARCH)
    lines as they are
    =======
    lines as they should be
    >>>>>>> UPDATED         (or REPLACE)

Each block replaces the first place where its lines stand: exactly, else with blanks at line ends and
indentation ignored, the replacement moved to the indentation found; a place inside the edited unit goes
before others. Blocks apply one after the other, to the file as the model saw it (comments of the unit
removed), else to the file as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nl2fix.core.formats.blocks import NoEdit, answer, names_file, path_on
from nl2fix.core.protocols import Language
from nl2fix.core.records import Candidate, Problem, Span, candidate_from_file

_HEAD = re.compile(r"^\s*<{5,9}\s*(?:ORIGINAL|SEARCH)?\b.*$")
_DIVIDER = re.compile(r"^\s*={5,9}\s*$")
_TAIL = re.compile(r"^\s*>{5,9}\s*(?:UPDATED|REPLACE)?\b.*$")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})[^`]*$")


@dataclass(frozen=True, slots=True)
class Replacement:
    """One block: the lines to find, the lines to put there (both with line ends), and the path named."""

    search: str
    replace: str
    path: str | None = None


class Diff:
    """Applies search and replace blocks; satisfies ``EditFormat``."""

    name = "diff"

    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        """The candidate; raises ``NoEdit`` when a block is malformed or matches nothing."""
        return apply_all(replacements(completion), problem)


def replacements(completion: str) -> list[Replacement]:
    """All blocks of a completion; raises ``NoEdit`` when there is none or one is not finished."""
    lines = answer(completion).replace("\r\n", "\n").split("\n")
    found: list[Replacement] = []
    position = 0
    while position < len(lines):
        if _HEAD.match(lines[position]) is None:
            position += 1
            continue
        number = len(found) + 1
        middle = _next(_DIVIDER, lines, position + 1, f"block {number} has no ======= line")
        end = _next(_TAIL, lines, middle + 1, f"block {number} has no >>>>>>> line")
        found.append(
            Replacement(
                "".join(line + "\n" for line in lines[position + 1 : middle]),
                "".join(line + "\n" for line in lines[middle + 1 : end]),
                _path_above(lines, position),
            )
        )
        position = end + 1
    if not found:
        raise NoEdit("the answer has no <<<<<<< ORIGINAL block")
    return found


def apply_all(blocks: Sequence[Replacement], problem: Problem) -> Candidate:
    """The file with all blocks applied; blocks that name another file are left out."""
    ours = [block for block in blocks if block.path is None or names_file(block.path, problem.path)]
    if not ours:
        named = ", ".join(sorted({block.path or "" for block in blocks}))
        raise NoEdit(f"the answer edits {named or 'nothing'}, not {problem.path}")
    seen = Candidate(problem.visible).apply(problem)
    region = Span(problem.region.start, problem.region.start + len(problem.visible))
    try:
        edited = _apply(ours, seen, region, problem.path)
    except NoEdit:
        if seen == problem.text:
            raise
        edited = _apply(ours, problem.text, problem.region, problem.path)
    return candidate_from_file(problem, edited)


def _apply(blocks: Sequence[Replacement], text: str, region: Span, path: str) -> str:
    for number, block in enumerate(blocks, 1):
        if not block.search.strip():
            raise NoEdit(f"block {number} of {len(blocks)} has an empty ORIGINAL part")
        edit = _exact(text, block, region) or _tolerant(text, block, region)
        if edit is None:
            raise NoEdit(f"block {number} of {len(blocks)} matches nothing in {path}: {_why(text, block)}")
        span, replacement = edit
        text = text[: span.start] + replacement + text[span.end :]
        grown = len(replacement) - (span.end - span.start)
        if span.start < region.end:
            region = Span(region.start + (grown if span.end <= region.start else 0), region.end + grown)
    return text


def _exact(text: str, block: Replacement, region: Span) -> tuple[Span, str] | None:
    """Where the lines stand as they are, at the beginning of a line."""
    native = "\r\n" if "\r\n" in text else "\n"
    search, replace = (part.replace("\n", native) for part in (block.search, block.replace))
    if not text.endswith(native) and text.endswith(search.removesuffix(native)):
        text += native
    places = [m.start() for m in re.finditer(re.escape(search), text)]
    places = [place for place in places if place == 0 or text[place - 1] == "\n"]
    if not places:
        return None
    inside = [place for place in places if region.start <= place + len(search) and place < region.end]
    start = (inside or places)[0]
    return Span(start, start + len(search)), replace


def _tolerant(text: str, block: Replacement, region: Span) -> tuple[Span, str] | None:
    """Where the lines stand with other indentation or blanks at their ends."""
    lines = text.splitlines(keepends=True)
    bare = [line.strip() for line in lines]
    search = block.search.strip("\n").split("\n")
    wanted = [line.strip() for line in search]
    while wanted and not wanted[0]:
        wanted, search = wanted[1:], search[1:]
    count = len(wanted)
    places = [i for i in range(len(bare) - count + 1) if bare[i : i + count] == wanted]
    if not places:
        return None
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    inside = [i for i in places if region.start <= starts[i + count] and starts[i] < region.end]
    first = (inside or places)[0]
    replacement = _moved(block.replace, _indent(search[0]), _indent(lines[first]))
    if "\r\n" in text:
        replacement = replacement.replace("\n", "\r\n")
    return Span(starts[first], starts[first + count]), replacement


def _moved(code: str, old: str, new: str) -> str:
    """Lines with their common indentation exchanged."""
    moved = []
    for line in code.splitlines(keepends=True):
        if not line.strip():
            moved.append(line)
        elif line.startswith(old):
            moved.append(new + line[len(old) :])
        else:
            moved.append(new + line.lstrip())
    return "".join(moved)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _why(text: str, block: Replacement) -> str:
    """The nearest place, by equal lines, and its first difference."""
    lines = [line.strip() for line in text.splitlines()]
    wanted = [line.strip() for line in block.search.strip("\n").split("\n")]
    scores = [sum(a == b for a, b in zip(wanted, lines[i:], strict=False)) for i in range(max(len(lines), 1))]
    best = max(range(len(scores)), key=scores.__getitem__)
    if not scores[best]:
        return f"no line is {_short(next((line for line in wanted if line), ''))}"
    offset = next(i for i, line in enumerate(wanted) if best + i >= len(lines) or lines[best + i] != line)
    there = _short(lines[best + offset]) if best + offset < len(lines) else "past the end"
    return f"line {best + offset + 1} is {there}, not {_short(wanted[offset])}"


def _short(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "...")


def _next(pattern: re.Pattern[str], lines: Sequence[str], position: int, reason: str) -> int:
    for index in range(position, len(lines)):
        if pattern.match(lines[index]):
            return index
        if pattern is not _HEAD and _HEAD.match(lines[index]):
            break
    raise NoEdit(reason)


def _path_above(lines: Sequence[str], position: int) -> str | None:
    """A path on the line above the block, or above the fence that holds it."""
    above = [line for line in lines[:position] if line.strip()]
    if above and _FENCE.match(above[-1]):
        above = above[:-1]
    return path_on(above[-1]) if above and not _TAIL.match(above[-1]) else None
