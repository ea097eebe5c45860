"""Curves are well-formed, escaped and drawn where the numbers are."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from nl2fix.report.figures import HEIGHT, WIDTH, legend, pass_curve

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"),
    max_size=12,
)


@given(
    st.dictionaries(
        NAMES,
        st.dictionaries(st.integers(1, 1000), st.floats(0, 1), min_size=1, max_size=6),
        min_size=1,
        max_size=8,
    )
)
def test_any_series_is_drawn_inside_the_picture(series: dict[str, dict[int, float]]) -> None:
    tree = ET.fromstring(str(pass_curve(series)))
    circles = list(tree.iter("circle"))
    assert len(circles) == sum(len(values) for values in series.values())
    for circle in circles:
        assert 0 <= float(circle.attrib["cx"]) <= WIDTH
        assert 0 <= float(circle.attrib["cy"]) <= HEIGHT


def test_higher_values_stand_higher_and_larger_k_further_right() -> None:
    found = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', str(pass_curve({"a": {1: 0.1, 5: 0.4, 100: 0.9}})))
    xs, ys = zip(*[(float(x), float(y)) for x, y in found], strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys, reverse=True)


def test_nothing_to_draw_is_said() -> None:
    assert "Too few samples" in pass_curve({})
    assert "Too few samples" in pass_curve({"a": {}})


def test_names_are_escaped() -> None:
    hostile = "<script>alert(1)</script>"
    assert hostile not in pass_curve({hostile: {1: 0.5}}) + legend([hostile])
