"""Tables in four forms: Markdown, LaTeX, CSV and HTML. Every form shows the same rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

import nl2fix
from nl2fix.core.errors import DataError
from nl2fix.core.files import write_together
from nl2fix.core.visible import visible
from nl2fix.metrics.statistics import Estimate
from nl2fix.report import html
from nl2fix.study import drawings
from nl2fix.study.loading import StudyRun, told_apart
from nl2fix.study.table import Cell, Column, Kind, Section, Table

EMPTY = "–"


def shown(cell: Cell, kind: Kind) -> str:
    """A cell as people read it: per cent with one decimal, other numbers with three."""
    if cell is None:
        return EMPTY
    if isinstance(cell, Estimate):
        interval = f" [{_number(cell.low, kind)}, {_number(cell.high, kind)}]" if cell.bounded else ""
        return _number(cell.value, kind) + interval
    return cell if isinstance(cell, str) else _number(cell, kind)


def _number(value: float, kind: Kind) -> str:
    if kind == "share":
        return f"{value * 100:.1f}"
    if kind == "p":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if isinstance(value, int):
        return str(value)
    return f"{value:g}" if kind == "setting" else f"{value:.3f}"


def cells(table: Table, rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Rows of a table as people read them."""
    kinds = [column.kind for column in table.columns]
    return [[shown(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in rows]


def heading(column: Column) -> str:
    """The column's name with its unit."""
    return f"{column.name} %" if column.kind == "share" else column.name


def markdown(table: Table) -> str:
    """A pipe table with title, note and published values."""
    lines = [f"### {_plain(table.title)}", ""]
    lines.append("| " + " | ".join(_pipe(heading(c)) for c in table.columns) + " |")
    lines.append("|" + "|".join("---" if c.kind == "text" else "---:" for c in table.columns) + "|")
    lines += ["| " + " | ".join(map(_pipe, row)) + " |" for row in cells(table, table.rows)]
    lines += [f"| *{'* | *'.join(map(_pipe, row))}* |" for row in cells(table, table.beside)]
    if table.note:
        lines += ["", _plain(table.note)]
    if table.beside:
        lines += ["", f"In italics: published ({table.source})."]
    if table.published:
        lines += ["", "Published:", ""]
        lines += [f"- {p.what}: {p.value} ({p.source})" for p in table.published]
    return "\n".join(lines) + "\n"


PREAMBLE = """\
% Needs, in the preamble: \\usepackage{booktabs} \\usepackage{rotating}
"""


def latex(table: Table) -> str:
    """A table no wider than the text, turned where it has many columns; ``PREAMBLE`` names the packages."""
    kind = "sidewaystable" if len(table.columns) > _UPRIGHT else "table"
    layout = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    lines = [rf"\begin{{{kind}}}", r"\centering", rf"\caption{{{_tex(_unnumbered(table.title))}}}"]
    lines += [rf"\label{{tab:{table.name}}}", _FITTED, rf"\begin{{tabular}}{{{layout}}}", r"\toprule"]
    lines.append(" & ".join(_tex(heading(column)) for column in table.columns) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(map(_tex, row)) + r" \\" for row in cells(table, table.rows)]
    if table.beside:
        lines.append(r"\midrule")
    for row in cells(table, table.beside):
        lines.append(" & ".join(rf"\textit{{{_tex(cell)}}}" for cell in row) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}}"]
    source = f"In italics: published ({table.source})." if table.beside else ""
    values = (f"Published: {p.what}: {p.value} ({p.source})." for p in table.published)
    remarks = [table.note, source, *values]
    lines += [rf"\par\footnotesize {_tex(remark)}" for remark in remarks if remark]
    return "\n".join([*lines, rf"\end{{{kind}}}"]) + "\n"


_UPRIGHT = 10
"""Most columns that can be read at the width of an upright page."""
_FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Scales what follows down to the width of the text, never up."""


def _unnumbered(title: str) -> str:
    """LaTeX numbers the tables of a document itself; the label keeps which one of the study it is."""
    text = re.sub(r"^(Table|Figure) \d+: ", "", title)
    return text[:1].upper() + text[1:]


def table_csv(table: Table) -> str:
    """Full precision; shares from 0 to 1; an interval takes two more columns."""
    wide = [any(isinstance(row[i], Estimate) for row in table.rows) for i in range(len(table.columns))]
    names = [
        name
        for column, ends in zip(table.columns, wide, strict=True)
        for name in ((column.name, f"{column.name} low", f"{column.name} high") if ends else (column.name,))
    ]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(_no_formula, names))
    for row in table.rows:
        parts = (part for cell, ends in zip(row, wide, strict=True) for part in _spread(cell, ends))
        writer.writerow(map(_no_formula, parts))
    return stream.getvalue()


def _no_formula(part: str | float | None) -> str | float | None:
    """A text that no spreadsheet takes for a formula, as OWASP has it, and that steers no terminal."""
    if not isinstance(part, str):
        return part
    return visible(f"'{part}" if part.startswith(("=", "+", "-", "@", "\t", "\r")) else part)


def _spread(cell: Cell, ends: bool) -> tuple[str | float | None, ...]:
    if isinstance(cell, Estimate):
        return tuple(cell.plain)
    return (cell, None, None) if ends else (cell,)


def as_data(table: Table) -> dict[str, Any]:
    """For JSON: rows as objects, intervals as lists of value, low and high."""
    return {
        "name": table.name,
        "title": table.title,
        "rows": _objects(table, table.rows),
        "note": table.note,
        "published": [p._asdict() for p in table.published],
        "published_rows": _objects(table, table.beside),
        "published_rows_source": table.source,
    }


def _objects(table: Table, rows: Sequence[Sequence[Cell]]) -> list[dict[str, Any]]:
    return [{c.name: _json(cell) for c, cell in zip(table.columns, row, strict=True)} for row in rows]


def _json(cell: Cell) -> Any:
    return cell.plain if isinstance(cell, Estimate) else cell


def page(sections: Sequence[Section], runs: Sequence[StudyRun]) -> str:
    """All tables and figures as one HTML page."""
    return html.render(
        "study.html",
        sections=sections,
        runs=told_apart(runs),
        shown=_breakable,
        heading=heading,
        sort_key=_sort_key,
        version=nl2fix.__version__,
    )


_WORD = 12
"""Characters that stand in one line."""


def _breakable(cell: Cell, kind: Kind) -> Markup:
    """``shown``; names may go on in the next line behind their signs, not in the middle of a word."""
    text = str(escape(shown(cell, kind)))
    long = kind == "text" and len(text) > _WORD
    return Markup(re.sub(r"[_:](?=\S)", r"\g<0><wbr>", text) if long else text)


def _sort_key(cell: Cell) -> str:
    value = cell.value if isinstance(cell, Estimate) else cell
    return "" if value is None else str(value)


def write_all(sections: Sequence[Section], runs: Sequence[StudyRun], folder: Path) -> list[Path]:
    """``study.html``, ``study.md`` and ``study.tex``, and per table a CSV file and figure; all or none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot make {folder}: {error.strerror}; choose another --out") from error
    texts = {"study.html": page(sections, runs)}
    parts = []
    for table, figure, plotted in sections:
        texts.update({f"{each.name}.csv": table_csv(each) for each in (table, plotted) if each})
        drawn = drawings.standalone(figure) if figure is not None else None
        parts.append(markdown(table))
        if drawn is not None:
            texts[f"{table.name}.svg"] = drawn
            parts.append(f"![{_plain(table.title)}]({table.name}.svg)\n")
    texts["study.md"] = "\n".join(parts)
    texts["study.tex"] = "\n".join([PREAMBLE, *(latex(section.table) for section in sections)])
    write_together((folder / name, text) for name, text in texts.items())
    return [folder / name for name in texts]


def _plain(text: str) -> str:
    return visible(" ".join(text.split()))


def _pipe(text: str) -> str:
    """Text inside a cell of a pipe table."""
    text = _plain(text)
    for sign in "\\`*_[]<>|":
        text = text.replace(sign, "\\" + sign)
    return text


_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "–": "--",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    **{sign: f"{{{sign}}}" for sign in "[*"},  # which belong to the end of the row before, where one begins
}


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in _plain(text))
