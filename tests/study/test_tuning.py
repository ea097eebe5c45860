"""Base and tuned model side by side, on the golden runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.core.results import ProblemResult
from nl2fix.metrics.statistics import Estimate
from nl2fix.study.loading import StudyRun
from nl2fix.study.table import Cell
from nl2fix.study.tuning import tuning_table


def row(runs: list[StudyRun], measure: str) -> dict[str, Cell]:
    table = tuning_table([runs[0]], [runs[1]])
    names = [column.name for column in table.columns]
    [found] = [line for line in table.rows if line[1] == measure]
    return dict(zip(names, found, strict=True))


def value(cell: object) -> float:
    assert isinstance(cell, Estimate)
    return cell.value


def test_pass_at_1_is_paired_by_problem(runs: list[StudyRun]) -> None:
    found = row(runs, "pass@1")
    shares = [{bug.key: bug.plausible / bug.samples for bug in run.bugs} for run in runs]
    both = sorted(shares[0].keys() & shares[1].keys())
    means = [sum(one[key] for key in both) / len(both) for one in shares]
    assert found["problems"] == len(both) > 2
    assert (value(found["base"]), value(found["tuned"])) == pytest.approx(tuple(means))
    assert value(found["difference"]) == pytest.approx(means[1] - means[0])
    assert isinstance(found["p"], float) and 0 < found["p"] <= 1


def test_a_run_beside_itself_differs_in_nothing(runs: list[StudyRun]) -> None:
    for _, _, base, tuned, difference, p, _ in tuning_table([runs[0]], [runs[0]]).rows:
        assert base == tuned
        assert value(difference) == 0
        assert p == 1


def test_sizes_and_exact_matches_are_told(runs: list[StudyRun]) -> None:
    assert value(row(runs, "edit size")["base"]) > 0
    exact = row(runs, "exact")
    assert 0 <= value(exact["base"]) <= value(row(runs, "pass@1")["base"]) <= 1


def test_what_was_not_measured_is_named(runs: list[StudyRun]) -> None:
    assert "Excess code is not measured in alpha, beta" in tuning_table([runs[0]], [runs[1]]).note


def test_runs_without_a_counterpart_are_refused(runs: list[StudyRun]) -> None:
    with pytest.raises(UsageError, match="1 runs of the base and 2 of the tuned"):
        tuning_table([runs[0]], runs)
    foreign = replace(runs[0], bugs=tuple(_of_another_suite(bug) for bug in runs[0].bugs))
    with pytest.raises(UsageError, match="in common with 0 runs of the base"):
        tuning_table([foreign], [runs[1]])


def _of_another_suite(bug: ProblemResult) -> ProblemResult:
    return replace(bug, problem=replace(bug.problem, suite="elsewhere"))
