"""Figures are well-formed whatever they show, hold every number, and escape names."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from nl2fix.metrics.statistics import Estimate
from nl2fix.report.figures import legend, pass_curve
from nl2fix.study import drawings
from nl2fix.study.drawings import Bar, Box

HOSTILE = "<script>alert(1)</script>"


def parsed(figure: Markup) -> ET.Element:
    return ET.fromstring(f"<div>{figure}</div>")


def texts(figure: Markup) -> list[str]:
    return [element.text or "" for element in parsed(figure).iter("text")]


@pytest.mark.parametrize("names", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_every_region_of_a_venn_diagram_has_its_number(names: list[str]) -> None:
    regions = {
        tuple(i for i in range(len(names)) if mask >> i & 1): 10 + mask for mask in range(1, 1 << len(names))
    }
    shown = texts(drawings.venn(names, regions))
    assert sorted(shown) == sorted([*names, *(str(count) for count in regions.values())])


def test_upset_puts_the_largest_first() -> None:
    figure = drawings.upset(["a", "b", "c", "d"], {(0,): 1, (1, 2): 7, (0, 3): 3})
    assert [text for text in texts(figure) if text.isdigit()] == ["7", "3", "1"]
    assert ">1 bug<" in figure and ">7 bugs<" in figure


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3), max_size=5))
def test_intervals_lie_inside_the_axis(values: list[tuple[float, float, float]]) -> None:
    items = [Bar(f"m{i}", Estimate(sorted(v)[1], min(v), max(v))) for i, v in enumerate(values)]
    for circle in parsed(drawings.intervals(items, "r", "s")).iter("circle"):
        assert drawings.LABEL - 0.1 <= float(circle.attrib["cx"]) <= drawings.WIDTH


@pytest.mark.parametrize("value", [-1.0, 1.0])
def test_a_value_without_an_interval_lies_inside_the_axis(value: float) -> None:
    figure = drawings.intervals([Bar("exact_match", Estimate(value, math.nan, math.nan))], "r", "s")
    [circle] = parsed(figure).iter("circle")
    assert drawings.LABEL - 0.1 <= float(circle.attrib["cx"]) <= drawings.WIDTH


def test_a_bar_reaches_to_its_value() -> None:
    figure = drawings.bars([Bar("m", Estimate(0.5, 0.4, 0.6), Estimate(0.25, 0.2, 0.3))], "solved")
    bar = next(parsed(figure).iter("rect"))
    whole = drawings.bars([Bar("m", Estimate(1.0, 1.0, 1.0))], "solved")
    assert float(bar.attrib["width"]) * 2 == pytest.approx(
        float(next(parsed(whole).iter("rect")).attrib["width"])
    )


def test_a_box_whose_quartiles_are_one_is_seen() -> None:
    """Where all candidates are exact matches only the label was seen: the median's line hid the box."""
    drawn = parsed(drawings.boxes([Box("plausible, with fix", 1, 1, 1, 1, 1)], "CodeBLEU"))
    [box] = drawn.iter("rect")
    assert float(box.attrib["width"]) >= 3
    assert not [line for line in drawn.iter("line") if line.attrib["class"] == "median"]


def test_answers_by_a_function_have_hatched_bars() -> None:
    whole = Estimate(0.5, 0.4, 0.6)
    kinds = [
        [
            bar.attrib["class"]
            for bar in parsed(drawings.bars([Bar("m", whole, None, called)], "solved")).iter("rect")
        ]
        for called in (False, True)
    ]
    assert kinds == [["series-0"], ["series-0", "hatched"]]


def test_names_are_escaped_everywhere() -> None:
    estimate = Estimate(0.5, 0.4, 0.6)
    for figure in (
        drawings.venn([HOSTILE], {(0,): 1}),
        drawings.upset([HOSTILE] * 4, {(0, 1): 1}),
        drawings.boxes([Box(HOSTILE, 0, 0.1, 0.2, 0.3, 1)], HOSTILE),
        drawings.bars([Bar(HOSTILE, estimate)], HOSTILE),
        drawings.intervals([Bar(HOSTILE, estimate)], HOSTILE, HOSTILE),
    ):
        assert "<script>" not in figure
        parsed(figure)


def test_nothing_to_draw_is_said() -> None:
    none = [Bar("m", None)]
    for figure in (
        drawings.venn([], {}),
        drawings.upset(["a"], {}),
        drawings.boxes([], "x"),
        drawings.bars(none, "x"),
        drawings.intervals(none, "x", "y"),
    ):
        assert "Nothing to draw" in figure
        assert drawings.standalone(figure) is None


def test_a_figure_of_its_own_is_a_picture_without_the_legend() -> None:
    drawn = drawings.standalone(pass_curve({"m": {1: 0.1, 5: 0.5}}) + legend(["m"]))
    assert drawn is not None
    tree = ET.fromstring(drawn)
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert "series-0" in drawn
    assert "legend" not in drawn


def test_a_long_label_stands_in_two_lines_of_equal_letters() -> None:
    """Squeezed into one, labels of one figure had letters of different widths."""
    label = "replay:gpt4_gpt-zero-shot, uncompilable, with buggy code"
    texts = list(parsed(drawings.boxes([Box(label, 0, 0.1, 0.2, 0.3, 1)], "CodeBLEU")).iter("text"))
    lines = [text for text in texts if text.get("class") == "label"]
    assert [line.text for line in lines] == ["replay:gpt4_gpt-zero-shot,", "uncompilable, with buggy code"]
    assert all(line.get("textLength") is None for line in lines)


def test_each_of_several_long_labels_is_told_from_the_next() -> None:
    """Six lines stood one below the other at nearly equal distances."""
    boxes = [
        Box(f"mutation, uncompilable, with {name}", 0, 0.1, 0.2, 0.3, 1) for name in ("fix", "buggy code")
    ]
    labels = [
        text
        for text in parsed(drawings.boxes(boxes, "CodeBLEU")).iter("text")
        if text.get("class") == "label"
    ]
    first, second, third, _ = (float(text.attrib["y"]) for text in labels)
    assert third - second > 1.5 * (second - first)


def test_per_cent_has_its_space_as_in_all_tables() -> None:
    figure = drawings.bars([Bar("m", Estimate(0.5, 0.4, 0.6))], "solved")
    assert [text for text in texts(figure) if "%" in text] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert "m: 50.0 %" in str(figure)
