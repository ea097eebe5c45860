"""Figures of the study as inline SVG in the report's colours: Venn, UpSet, boxes, bars, intervals."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from nl2fix.core.visible import visible
from nl2fix.metrics.statistics import Estimate
from nl2fix.report import figures

WIDTH = 560
ROW = 32
LINE = 12
LABEL = 210
"""Width of the column of labels left of horizontal drawings."""

Regions = Mapping[tuple[int, ...], int]
"""Indices of sets → number of items in exactly these."""


class Box(NamedTuple):
    """Five numbers of a distribution."""

    label: str
    least: float
    first: float
    median: float
    third: float
    most: float


class Bar(NamedTuple):
    """A value with its bar, and one beside it; ``None`` where there is none."""

    label: str
    value: Estimate | None
    other: Estimate | None = None
    hatched: bool = False


_NARROW = 4.0
"""Width below which a box is drawn so wide, and without its median."""
EMPTY = Markup('<p class="empty">Nothing to draw.</p>')
_HATCH = Markup(
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M1 0v6" stroke="#fff" stroke-width="1.5"/></pattern></defs>'
)
"""Slanted lines, for what ``hatched`` marks."""

_CIRCLES: Mapping[int, Sequence[tuple[float, float]]] = {
    1: ((280, 150),),
    2: ((225, 150), (335, 150)),
    3: ((225, 130), (335, 130), (280, 220)),
}
_PLACES: Mapping[int, Mapping[tuple[int, ...], tuple[float, float]]] = {
    1: {(0,): (280, 150)},
    2: {(0,): (180, 150), (1,): (380, 150), (0, 1): (280, 150)},
    3: {
        (0,): (175, 110),
        (1,): (385, 110),
        (2,): (280, 280),
        (0, 1): (280, 95),
        (0, 2): (212, 197),
        (1, 2): (348, 197),
        (0, 1, 2): (280, 158),
    },
}
_NAMES: Mapping[int, Sequence[tuple[float, float]]] = {
    1: ((280, 20),),
    2: ((180, 20), (380, 20)),
    3: ((150, 12), (410, 12), (280, 338)),
}


def venn(names: Sequence[str], regions: Regions) -> Markup:
    """Up to three circles with the number of items in each part; areas say nothing."""
    count = len(names)
    if not count:
        return EMPTY
    parts = [
        Markup('<circle class="set series-{}" cx="{}" cy="{}" r="100"/>').format(i, x, y)
        for i, (x, y) in enumerate(_CIRCLES[count])
    ]
    parts += [_text(x, y + 5, regions.get(members, 0)) for members, (x, y) in _PLACES[count].items()]
    parts += [_text(x, y, name) for name, (x, y) in zip(names, _NAMES[count], strict=True)]
    return _svg(WIDTH, 350 if count == 3 else 260, "Venn diagram", parts)


def upset(names: Sequence[str], regions: Regions) -> Markup:
    """One column per combination, most items first, over a grid of the sets it is made of."""
    ordered = sorted(regions.items(), key=lambda item: (-item[1], item[0]))[:20]
    if not ordered:
        return EMPTY
    top, most = 140, max(count for _, count in ordered)
    step = (WIDTH - LABEL) / len(ordered)
    parts = [
        _text(LABEL - 10, top + 36 + ROW * i, name, anchor="end", room=LABEL - 16)
        for i, name in enumerate(names)
    ]
    for column, (members, count) in enumerate(ordered):
        x = LABEL + step * (column + 0.5)
        height, told = count / most * (top - 20), f"{count} bug{'s' * (count != 1)}"
        parts.append(_rect(x - step * 0.3, top - height, step * 0.6, height, told))
        parts.append(_text(x, top - height - 4, count))
        parts += [
            Markup('<circle class="{}" cx="{:.1f}" cy="{}" r="5"/>').format(
                "series-0" if i in members else "off", x, top + 32 + ROW * i
            )
            for i in range(len(names))
        ]
        if len(members) > 1:
            parts.append(_line(x, top + 32 + ROW * members[0], x, top + 32 + ROW * members[-1], "link"))
    return _svg(WIDTH, top + 30 + ROW * len(names), "UpSet diagram", parts)


def boxes(items: Sequence[Box], axis: str) -> Markup:
    """Quartile boxes with whiskers to the least and greatest value, on an axis from 0 to 1."""
    if not items:
        return EMPTY
    parts = _axis(len(items), (0.0, 1.0), axis)
    for row, item in enumerate(items):
        parts.append(_text(LABEL - 10, 23 + ROW * row, item.label, anchor="end", room=LABEL - 16))
        parts += _box(item, 10 + ROW * row, f"series-{row % 2}")
    return _rows(len(items), f"quartiles of {axis}", parts)


def _box(item: Box, y: float, kind: str) -> list[Markup]:
    least, first, median, third, most = (_x(value, (0.0, 1.0)) for value in item[1:])
    whisker, tip = _line(least, y + 8, most, y + 8, "whisker"), _five(item)
    if third - first < _NARROW:  # the median would hide it
        return [whisker, _rect(median - _NARROW / 2, y, _NARROW, 16, tip, kind=kind)]
    return [
        whisker,
        _rect(first, y, third - first, 16, tip, kind=kind),
        _line(median, y, median, y + 16, "median"),
    ]


def bars(items: Sequence[Bar], axis: str) -> Markup:
    """Bars from 0 with error bars; the value beside each is a mark inside its bar (first attempt).

    Those that are ``hatched`` have slanted lines over them.
    """
    drawn = [(item, item.value) for item in items if item.value is not None]
    if not drawn:
        return EMPTY
    parts = _axis(len(drawn), (0.0, 1.0), axis, per_cent=True)
    parts.append(_HATCH)
    for row, (item, value) in enumerate(drawn):
        y, wide = 10 + ROW * row, _x(value.value, (0.0, 1.0)) - LABEL
        parts.append(_text(LABEL - 10, y + 13, item.label, anchor="end", room=LABEL - 16))
        parts.append(_rect(LABEL, y, wide, 16, f"{item.label}: {value.value * 100:.1f} %"))
        if item.hatched:
            parts.append(_rect(LABEL, y, wide, 16, item.label, kind="hatched"))
        parts.append(_whisker(value, y + 8, (0.0, 1.0)))
        if item.other is not None:
            x = _x(item.other.value, (0.0, 1.0))
            parts.append(_line(x, y, x, y + 16, "median"))
    return _rows(len(drawn), axis, parts)


def intervals(items: Sequence[Bar], one: str, other: str) -> Markup:
    """Two dots with intervals per row, on an axis from -1 to 1 as far as needed."""
    pairs = [(item.value, item.other) for item in items]
    estimates = [estimate for pair in pairs for estimate in pair if estimate is not None]
    if not estimates:
        return EMPTY
    known = [end for estimate in estimates for end in estimate if not math.isnan(end)]
    ends = (min(0.0, *known), max(0.1, *known))
    span = (math.floor(ends[0] * 4) / 4, math.ceil(ends[1] * 4) / 4)
    parts = _axis(len(items), span, "r")
    for row, item in enumerate(items):
        y = 10 + ROW * row
        parts.append(_text(LABEL - 10, y + 13, item.label, anchor="end", room=LABEL - 16))
        for series, estimate in enumerate((item.value, item.other)):
            if estimate is not None:
                parts.append(Markup('<g class="series-{}">').format(series))
                parts.append(_whisker(estimate, y + 4 + 8 * series, span))
                x = _x(estimate.value, span)
                tip = f"{item.label}, {(one, other)[series]}: {estimate.value:.3f}"
                dot = '<circle cx="{:.1f}" cy="{}" r="3.5"><title>{}</title></circle></g>'
                parts.append(Markup(dot).format(x, y + 4 + 8 * series, tip))
    return _rows(len(items), "correlations", parts) + figures.legend([one, other])


def _svg(width: int, height: float, label: str, parts: Sequence[Markup]) -> Markup:
    return Markup('<svg viewBox="0 0 {} {:g}" role="img" aria-label="{}">{}</svg>').format(
        width, height, label, Markup("").join(parts)
    )


def _rows(count: int, label: str, parts: Sequence[Markup]) -> Markup:
    return _svg(WIDTH, 10 + ROW * count + 34, label, parts)


def _x(value: float, span: tuple[float, float]) -> float:
    return LABEL + (value - span[0]) / (span[1] - span[0]) * (WIDTH - LABEL - 24)


def _axis(rows: int, span: tuple[float, float], name: str, *, per_cent: bool = False) -> list[Markup]:
    bottom = 10 + ROW * rows
    parts = []
    for step in range(round((span[1] - span[0]) * 4) + 1):
        value = span[0] + step / 4
        x = _x(value, span)
        parts.append(_line(x, 4, x, bottom, "grid"))
        parts.append(_text(x, bottom + 14, f"{value * 100:.0f} %" if per_cent else f"{value:.2g}", "tick"))
    return [*parts, _text((LABEL + WIDTH) / 2, bottom + 30, name, "tick")]


def _whisker(estimate: Estimate, y: float, span: tuple[float, float]) -> Markup:
    if not estimate.bounded:
        return Markup("")
    return _line(_x(estimate.low, span), y, _x(estimate.high, span), y, "whisker")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    made = '<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'
    return Markup(made).format(kind, x1, y1, x2, y2)


def _rect(x: float, y: float, width: float, height: float, tip: str, *, kind: str = "series-0") -> Markup:
    made = '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}</title></rect>'
    return Markup(made).format(kind, x, y, width, height, tip)


def _text(
    x: float, y: float, text: object, kind: str = "label", *, anchor: str = "middle", room: float = 0
) -> Markup:
    """Text at a place; ``room``: longer text stands in two lines, and lines still longer are squeezed."""
    lines = _halves(str(text)) if room and _wide(str(text)) > room else [str(text)]
    parts = []
    for i, line in enumerate(lines):
        squeeze = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
        fitted = Markup(squeeze) if room and _wide(line) > room else Markup("")
        made = '<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}"{}>{}</text>'
        at = y + (i - (len(lines) - 1) / 2) * LINE
        parts.append(Markup(made).format(kind, x, at, anchor, fitted, line))
    return Markup("").join(parts)


def _wide(text: str) -> float:
    """Width of a line, about."""
    return len(text) * 6.6


def _halves(text: str) -> list[str]:
    """Two lines that are as equally long as blanks allow."""
    cuts = [i for i, character in enumerate(text) if character == " "]
    if not cuts:
        return [text]
    cut = min(cuts, key=lambda i: max(i, len(text) - i))
    return [text[:cut], text[cut + 1 :]]


def _five(item: Box) -> str:
    return f"{item.label}: " + ", ".join(f"{value:.3f}" for value in item[1:])


STANDALONE = """
text { font: 12px sans-serif; fill: #1b1f24; } .tick { fill: #5b6470; } .grid { stroke: #d9dee5; }
rect, circle { fill: var(--tone); } polyline { fill: none; stroke: var(--tone); stroke-width: 2; }
.set { fill-opacity: .25; stroke: var(--tone); } .off { fill: #d9dee5; } .whisker, .link { stroke: #1b1f24; }
.median { stroke: #fff; stroke-width: 2; } .hatched { fill: url(#hatch); }
"""
"""Style of a figure in a file of its own."""

_TONES = ("#0a58b8", "#c2410c", "#1a7f37", "#7a5ad0", "#b0237a", "#6b7280")


_PART = re.compile(r'<svg viewBox="0 0 ([\d.]+) ([\d.]+)"(.*?)</svg>', re.DOTALL)


def standalone(figure: Markup) -> str | None:
    """The figure as an SVG file, its drawings below each other; ``None`` when there is nothing drawn."""
    parts, top, width = [], 0.0, 0.0
    for wide, high, rest in _PART.findall(figure):
        size = f'width="{wide}" height="{high}"'
        parts.append(f'<svg y="{top:g}" {size} viewBox="0 0 {wide} {high}"{rest}</svg>')
        top, width = top + float(high), max(width, float(wide))
    if not parts:
        return None
    tones = "".join(f".series-{i} {{ --tone: {tone}; }}\n" for i, tone in enumerate(_TONES))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}">'
    return visible(f"{head}<style>{STANDALONE}{tones}</style>{''.join(parts)}</svg>\n")
