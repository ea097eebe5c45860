"""Overloads of real sources, told apart by what an issue and failing tests speak of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.suggestion.localisation import localise, report
from nl2fix.suggestion.localisation.localise import best_first
from nl2fix.suggestion.localisation.overloads import told_first

CLAIMS = """package acme;

import java.util.*;

public class Claims {
    Claims with(String name, String value) { return added(name, value); }
    Claims with(String name, Map<String, ?> values) { return added(name, values); }
    Claims with(String name, List<?> values) { return added(name, values); }
    Claims added(String name, Object value) { return value == null ? null : this; }
}
"""
SCORES = {"with(String, String)": 4.0, "with(String, Map)": 3.0, "with(String, List)": 2.0}


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("An NPE on null map and list claims", ["Map", "List", "String"]),
        ("withNullListRemovesIt", ["List", "String", "Map"]),
        ("An NPE on claims", ["String", "Map", "List"]),
    ],
)
def test_of_overloads_that_failing_tests_run_one_that_takes_what_the_issue_names_comes_first(
    tmp_path: Path, text: str, order: list[str]
) -> None:
    """Of java-jwt 91 edits of another overload were judged before the first of the one that fails."""
    file = tmp_path / "Claims.java"
    file.write_text(CLAIMS, encoding="utf-8")
    places = [
        replace(place, score=SCORES.get(place.name.partition("#")[2], 2.5), test="acme.ClaimsTest::any")
        for place in localise.likeliest(report.parse("Claims"), [file])
    ]
    sorted_ = best_first(told_first(places, text))
    overloads = [place.name.rpartition(" ")[2].rstrip(")") for place in sorted_ if "#with" in place.name]
    assert overloads == order
    assert [place.score for place in sorted_] == [4.0, 3.0, 2.5, 2.0]
    untested = [replace(place, test="") for place in places]
    assert best_first(told_first(untested, text)) == best_first(untested)
