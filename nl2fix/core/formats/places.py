"""Where lines of an answer stand in a file, and the file with others in their place. Never at a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from nl2fix.core.formats.blocks import NoEdit
from nl2fix.core.records import Span

MOST = 300
"""Places that one answer may edit."""
_LOOKED_AT = 100
"""Lines of a block that matches nothing which are compared to find the nearest place."""


Form = Literal["block", "edit", "hunk", "file"]
"""What an edit is in its answer: a search and replace block, one of a call, a hunk, all of a new file."""
_UNPLACED: Mapping[Form, str] = {
    "block": "has an empty ORIGINAL part",
    "edit": "has no original_lines",
    "hunk": "only adds lines, and its header is not @@ -LINE,0 +LINE @@",
    "file": "is empty",
}


@dataclass(frozen=True, slots=True)
class Replacement:
    """Lines to find, lines to put there (both with line ends), the path named, the line where a hunk says
    that the new lines begin, from 1, and the old one after which it adds lines."""

    search: str
    replace: str
    path: str | None = None
    line: int | None = None
    after: int | None = None
    form: Form = "block"


def replaced(edits: Sequence[Replacement], text: str, region: Span | None, path: str) -> str:
    """The text with all edits applied in order; ``NoEdit`` names the first that has not one place."""
    added: list[tuple[int, int]] = []
    for number, edit in enumerate(edits, 1):
        which = f"{'hunk' if edit.form == 'file' else edit.form} {number} of {len(edits)}"
        span, replacement = _found(_shifted(edit, added), text, region, which, path)
        lines = replacement.count("\n") - text.count("\n", span.start, span.end)
        added.append((text.count("\n", 0, span.start) + (span.start < span.end), lines))
        text = text[: span.start] + replacement + text[span.end :]
        grown = len(replacement) - (span.end - span.start)
        if region is not None and span.start < region.end:
            region = Span(region.start + (grown if span.end <= region.start else 0), region.end + grown)
    return text


def _shifted(edit: Replacement, added: Sequence[tuple[int, int]]) -> Replacement:
    """An edit whose old line number counts the lines that edits before it added, each from some line on."""
    if edit.after is None:
        return edit
    line = edit.after
    for start, count in added:
        line += count if start <= line else 0
    return replace(edit, after=line)


def _found(edit: Replacement, text: str, region: Span | None, which: str, path: str) -> tuple[Span, str]:
    """The part of the text that an edit replaces, and what stands there afterwards."""
    if edit.search.strip():
        return _place(edit, text, region, f"{which} matches", path)
    new = edit.replace.replace("\n", "\r\n") if "\r\n" in text else edit.replace
    if edit.form == "file":
        return Span(0, len(text)), new
    if edit.after is None:
        raise NoEdit("ambiguous", f"{which} {_UNPLACED[edit.form]}: no line says where it belongs")
    if edit.after > text.count("\n") + (text[-1:] not in ("", "\n")):
        raise NoEdit("no_match", f"{which} adds lines after line {edit.after}, past the end of {path}")
    return _insertion(edit.after, text, new)


def _insertion(line: int, text: str, new: str) -> tuple[Span, str]:
    """New lines after so many of a text; the last of them may lack its end."""
    start = 0
    for _ in range(line):
        start = text.find("\n", start) + 1 or len(text)
    if start == len(text) and text[-1:] not in ("", "\n"):
        end = "\r\n" if "\r\n" in text else "\n"
        new = end + new.removesuffix(end)
    return Span(start, start), new


def _place(edit: Replacement, text: str, region: Span | None, what: str, path: str) -> tuple[Span, str]:
    """The lines that an edit replaces, and what stands there afterwards."""
    lines = text.split("\n")
    wanted = edit.search.removesuffix("\n").split("\n")
    exact = _matches(lines, wanted, _without_return)
    if not exact:
        while not wanted[0].strip():
            wanted = wanted[1:]
        while not wanted[-1].strip():
            wanted = wanted[:-1]
    places = exact or _matches(lines, wanted, str.strip)
    if not places:
        raise NoEdit("no_match", f"{what} nothing in {path}: {_why(lines, wanted)}")
    first = _one(places, lines, len(wanted), region, edit.line)
    if first is None:
        numbers = ", ".join(str(place + 1) for place in places[:5])
        raise NoEdit("ambiguous", f"{what} {len(places)} places in {path}: lines {numbers}")
    replacement = edit.replace if exact else _moved(edit.replace, _indent(wanted[0]), _indent(lines[first]))
    if "\r\n" in text:
        replacement = replacement.replace("\n", "\r\n")
    start = sum(map(len, lines[:first])) + first
    size = sum(map(len, lines[first : first + len(wanted)])) + len(wanted)
    return Span(start, min(start + size, len(text))), replacement


def _matches(lines: Sequence[str], wanted: Sequence[str], plain: Callable[[str], str]) -> list[int]:
    """Indices where the wanted lines stand, told apart as ``plain`` shows them."""
    text = "\n".join(["", *map(plain, lines), ""])
    part = "\n".join(["", *map(plain, wanted), ""])
    places: list[int] = []
    at, index, counted = text.find(part), 0, 0
    while at >= 0:
        index += text.count("\n", counted, at)
        counted = at
        places.append(index)
        at = text.find(part, at + 1)
    return places


def _one(
    places: Sequence[int], lines: Sequence[str], count: int, region: Span | None, line: int | None
) -> int | None:
    """The place that is meant: the only one, the only one in the region, or the one a hunk's number names."""
    if region is not None and len(places) > 1:
        first, last = _line_at(lines, region.start), _line_at(lines, region.end)
        places = [place for place in places if first < place + count and place <= last] or places
    if len(places) == 1:
        return places[0]
    return line - 1 if line is not None and line - 1 in places else None


def _line_at(lines: Sequence[str], offset: int) -> int:
    """Index of the line that holds a character."""
    for index, line in enumerate(lines):
        offset -= len(line) + 1
        if offset < 0:
            return index
    return len(lines)


def _moved(code: str, old: str, new: str) -> str:
    """Lines with their common indentation exchanged."""
    moved = []
    for line in code.split("\n"):
        if not line.strip():
            moved.append(line)
        elif line.startswith(old):
            moved.append(new + line[len(old) :])
        else:
            moved.append(new + line.lstrip())
    return "\n".join(moved)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _without_return(line: str) -> str:
    return line.removesuffix("\r")


def _why(lines: Sequence[str], wanted: Sequence[str]) -> str:
    """The nearest place, by equal lines, and its first difference."""
    bare, sought = [line.strip() for line in lines], [line.strip() for line in wanted]
    places: dict[str, list[int]] = {}
    for index, line in enumerate(bare):
        places.setdefault(line, []).append(index)
    votes = Counter(
        place - offset
        for offset, line in enumerate(sought[:_LOOKED_AT])
        if line
        for place in places.get(line, ())[:_LOOKED_AT]
        if place >= offset
    )
    if not votes:
        return f"no line is {_short(next((line for line in sought if line), ''))}"
    best = min(votes, key=lambda place: (-votes[place], place))
    differing = (i for i, line in enumerate(sought) if best + i >= len(bare) or bare[best + i] != line)
    offset = next(differing, len(sought) - 1)
    there = _short(bare[best + offset]) if best + offset < len(bare) else "past the end"
    return f"line {best + offset + 1} is {there}, not {_short(sought[offset])}"


def _short(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "...")
