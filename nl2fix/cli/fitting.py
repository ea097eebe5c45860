"""How wide a table's columns are, so that no word and no number of it is broken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

FRAME, BETWEEN = 1, 3
"""Characters of a table's frame, and of each column's lines and space."""
_NUMBER = re.compile(r"[-+–(\[]?\d|–")


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
