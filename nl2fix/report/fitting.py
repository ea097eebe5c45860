"""Tables for a terminal of any width, of which no word and no number is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple

from nl2fix.core.visible import visible

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table

FRAME, BETWEEN = 1, 3
"""Characters of a table's frame, and of each column's lines and space."""
_NUMBER = re.compile(r"[-+–(\[]?\d|–")


class Share(float):
    """A number that people are shown as per cent."""


@dataclass(frozen=True)
class Fitted:
    """A table as rich prints it; numbers are right-aligned.

    One that is too wide is turned, its columns printed as rows, where that fits; otherwise some of its
    columns are printed below the others.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    sums: bool = False
    """Whether the last row sums up the others."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        cells = _cells(self.columns, self.rows)
        shown = parts(cells, options.max_width)
        if len(shown) > 1 and len(self.columns) > len(self.rows) + 1:
            turned = [list(row) for row in zip(*cells, strict=True)]
            if len(once := parts(turned, options.max_width)) == 1:
                yield _made(self.title, turned, once[0], [False] * len(turned))
                return
        numeric = [_numeric([row[i] for row in self.rows]) for i in range(len(self.columns))]
        for part in shown:
            title = self.title if part is shown[0] else f"{self.title}, continued"
            yield _made(title, cells, part, numeric, self.sums)


class Part(NamedTuple):
    """Columns of a table that are shown side by side."""

    columns: list[int]
    widths: list[int]


def parts(columns: Sequence[Sequence[str]], width: int) -> list[Part]:
    """The table in as few parts as ``width`` allows; those behind the first begin with what names the rows.

    ``columns`` are cells, header first. Only a word wider than half of all is broken.
    """
    least = [min(max(map(_unbroken, cells)), width // 2) + BETWEEN for cells in columns]
    room, names = width - FRAME, _names(columns, least, width - FRAME)
    found = [list(range(len(names)))]
    for place in range(len(names), len(columns)):
        if sum(least[column] for column in found[-1]) + least[place] > room and len(found[-1]) > len(names):
            found.append(list(range(len(names))))
        found[-1].append(place)
    most = [max(map(_length, cells)) + BETWEEN for cells in columns]
    return [Part(part, _widths([least[i] for i in part], [most[i] for i in part], room)) for part in found]


def _names(columns: Sequence[Sequence[str]], least: Sequence[int], room: int) -> Sequence[int]:
    """The first columns that are no numbers, as many as leave room for any other: at least one."""
    words = [any(cell and not _NUMBER.match(cell) for cell in cells[1:]) for cells in columns]
    leading = words.index(False) if False in words else 1
    fits = [total + max(least[place:], default=0) <= room for place, total in enumerate(accumulate(least), 1)]
    return range(max(1, sum(fits[:leading])))


def _widths(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Of each column: what it needs, and of what is left as much as the others, or all it can use."""
    shared = max((cap for cap in range(room + 1) if sum(_capped(least, most, cap)) <= room), default=0)
    return [each - BETWEEN for each in _capped(least, most, shared)]


def _capped(least: Sequence[int], most: Sequence[int], cap: int) -> list[int]:
    return [max(low, min(high, cap)) for low, high in zip(least, most, strict=True)]


def _unbroken(cell: str) -> int:
    """Length of the longest part of a cell that stays on one line."""
    if _NUMBER.match(cell):
        return _length(cell)
    return max(map(_length, cell.split()), default=0)


def _length(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _cells(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[list[str]]:
    """Column by column, the header first."""
    return [
        [visible(name), *(visible(_worded(row[index])) for row in rows)] for index, name in enumerate(columns)
    ]


def _numeric(values: Sequence[object]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(isinstance(value, int | float) for value in there)


def _made(
    title: str, cells: Sequence[Sequence[str]], part: Part, numeric: Sequence[bool], sums: bool = False
) -> Table:
    from rich.markup import escape
    from rich.table import Table

    made = Table(title=title, title_justify="left", header_style="bold")
    for index, width in zip(part.columns, part.widths, strict=True):
        justify: Literal["right", "left"] = "right" if numeric[index] else "left"
        made.add_column(escape(cells[index][0]), justify=justify, overflow="fold", width=width)
    last = len(cells[0]) - 1 if sums else 0
    for row in range(1, len(cells[0])):
        if row == last:
            made.add_section()
        style = "bold" if row == last else None
        made.add_row(*(escape(cells[index][row]) for index in part.columns), style=style)
    return made


def _worded(value: object) -> str:
    if isinstance(value, Share):
        return f"{value * 100:.1f} %"
    if isinstance(value, float):
        return f"{value:.3f}"
    return "–" if value is None else str(value)
