"""Figures as inline SVG: no script, no font, readable in light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from markupsafe import Markup

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 76, 20, 16, 44
SERIES_COLOURS = 6
"""Number of ``series-N`` classes the style sheet defines."""


def pass_curve(series: Mapping[str, Mapping[int, float]], title: str = "pass@k") -> Markup:
    """Curves of a share (0 to 1) over k, k on a logarithmic axis; one line per named series."""
    ks = sorted({k for values in series.values() for k in values})
    if not ks:
        return Markup('<p class="empty">Too few samples for a curve.</p>')
    top = _nice_top(max(v for values in series.values() for v in values.values()))
    parts = [*_axes(ks, top, title)]
    for index, (name, values) in enumerate(series.items()):
        parts.append(_line(index, name, [(_x(k, ks), _y(v, top), k, v) for k, v in sorted(values.items())]))
    label = Markup("{} over k").format(title)
    return Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}" class="curve">{}</svg>').format(
        WIDTH, HEIGHT, label, Markup("").join(parts)
    )


def legend(names: Sequence[str]) -> Markup:
    """Colour keys for the series of a curve."""
    items = [
        Markup('<span class="key series-{}">{}</span>').format(i % SERIES_COLOURS, name)
        for i, name in enumerate(names)
    ]
    return Markup('<p class="legend">{}</p>').format(Markup(" ").join(items))


def _nice_top(value: float) -> float:
    """The next of 5, 10, 20, 50 and 100 % above a share."""
    return next((top for top in (0.05, 0.1, 0.2, 0.5) if value <= top), 1.0)


def _x(k: int, ks: Sequence[int]) -> float:
    span = log(ks[-1]) - log(ks[0]) or 1.0
    return LEFT + (log(k) - log(ks[0])) / span * (WIDTH - LEFT - RIGHT)


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)


def _axes(ks: Sequence[int], top: float, title: str) -> list[Markup]:
    parts = []
    for step in range(5):
        value = top * step / 4
        y = _y(value, top)
        parts.append(
            Markup(
                '<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
                '<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{:.4g} %</text>'
            ).format(LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 4, value * 100)
        )
    for k in ks:
        parts.append(
            Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
                _x(k, ks), HEIGHT - BOTTOM + 18, k
            )
        )
    caption = Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">k ({})</text>')
    return [*parts, caption.format((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, title)]


def _line(index: int, name: str, points: Sequence[tuple[float, float, int, float]]) -> Markup:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in points)
    dots = Markup("").join(
        Markup('<circle cx="{:.1f}" cy="{:.1f}" r="3.5"><title>{}: k={}: {:.1f} %</title></circle>').format(
            x, y, name, k, value * 100
        )
        for x, y, k, value in points
    )
    return Markup('<g class="series-{}"><polyline points="{}"/>{}</g>').format(
        index % SERIES_COLOURS, path, dots
    )
