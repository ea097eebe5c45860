"""Tables as plain data; how they look is ``render``'s matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from markupsafe import Markup

from nl2fix.metrics.statistics import Estimate

Kind = Literal["text", "count", "share", "value", "setting", "p"]
"""``share``: 0 to 1, shown as per cent; ``value``: any number; ``setting``: a
number somebody chose; ``p``: probability of a test."""

Cell = str | int | float | Estimate | None
"""``None`` means undefined or not applicable, never 0."""


class Column(NamedTuple):
    name: str
    kind: Kind = "text"


class Published(NamedTuple):
    """A value that others reported for the same quantity."""

    what: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    """Stem of the files it is written to, e.g. ``table2``."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    published: tuple[Published, ...] = ()
    beside: tuple[tuple[Cell, ...], ...] = ()
    """Rows that a paper prints, under the same columns."""
    source: str = ""
    """Where those are printed."""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in (*self.rows, *self.beside)):
            raise ValueError(f"{self.name}: a row has not {len(self.columns)} cells")


class Section(NamedTuple):
    """A table and, where the study draws one, the figure of the same numbers."""

    table: Table
    figure: Markup | None = None
    drawn: Table | None = None
    """What the figure shows, for a file of its own, where those are other numbers than the table's."""
