"""Published values stand beside runs of the benchmark that they are of, and beside no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.study import sections
from nl2fix.study.loading import StudyRun
from nl2fix.study.published import fitting
from nl2fix.study.table import Column, Published, Section, Table

NL2FIX = {"table2", "table3", "figure2", "figure3", "table4", "figure4", "table5", "table6"}


@pytest.mark.parametrize(
    ("suites", "expected"),
    [
        (["examples"], NL2FIX),
        (["canitedit"], {"excess"}),
        (["exercism"], {"formats"}),
        (["humanevalfix"], {"correlation"}),
        (["linter"], set()),
        (["nl2fix", "exercism"], {*NL2FIX, "formats"}),
    ],
)
def test_published_values_are_those_of_the_benchmarks_that_were_run(
    suites: list[str], expected: set[str]
) -> None:
    for name in (*NL2FIX, "formats", "excess", "correlation"):
        value = Published("pass@1", "6 %", "a paper")
        table = Table(name, "T", (Column("run"),), (("ours",),), "", (value,), (("theirs",),), "a paper")
        kept = fitting(Section(table), suites).table
        assert kept == (table if name in expected else replace(table, published=(), beside=(), source=""))


def test_each_suites_figure_has_only_the_published_values_of_its_own_benchmark(runs: list[StudyRun]) -> None:
    """In a study of runs of several, NL2Fix's 283 bugs stood beside what models solve of Exercism."""
    suites = ("exercism", "examples", "humanevalfix (java)", "humanevalfix (python)")
    mixed = [replace(run, suite=suite) for run, suite in zip(runs, suites, strict=False)]
    beside = {table.name: bool(table.beside) for table, *_ in sections(mixed) if "figure3" in table.name}
    assert beside["figure3-exercism"] is False
    assert [name for name, shown in beside.items() if shown] == ["figure3-examples"]


def test_runs_of_a_benchmark_without_published_values_stand_alone(runs: list[StudyRun]) -> None:
    found = sections([replace(run, suite="linter") for run in runs])
    assert not any(table.published or table.beside or table.source for table, *_ in found)
    assert "excess" not in {table.name for table, *_ in found}, "nothing of it was measured"
