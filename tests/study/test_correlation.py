"""The Excision Score study: correlations against scipy, and a prefix that good metrics do not see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nl2fix.languages import language
from nl2fix.metrics import METRICS
from nl2fix.metrics.measure import measure
from nl2fix.metrics.statistics import Estimate
from nl2fix.study import candidates
from nl2fix.study.candidates import MeasuredCandidate, prefix
from nl2fix.study.correlation import correlation_section
from nl2fix.study.loading import StudyRun
from nl2fix.study.table import Table


@pytest.fixture(scope="module")
def table(measured: list[list[MeasuredCandidate]]) -> Table:
    return correlation_section(measured).table


def test_every_metric_has_a_row(table: Table) -> None:
    assert [row[0] for row in table.rows] == list(METRICS)
    assert {row[1] for row in table.rows} == {23}  # 14 distinct candidates of alpha, 9 of beta


@pytest.mark.parametrize("name", ["edit_similarity", "codebleu", "sari", "excision_token"])
def test_correlation_agrees_with_scipy(runs: list[StudyRun], table: Table, name: str) -> None:
    values, passing = list[float](), list[bool]()
    for run in runs:
        for bug in run.bugs:
            for entry, verdict in bug.judged:
                value = measure(candidates.triple(bug, entry.candidate), language("java"), [name])[name]
                assert value is not None
                values.append(value)
                passing.append(verdict.plausible)
    cell = next(row[2] for row in table.rows if row[0] == name)
    assert isinstance(cell, Estimate)
    assert cell.value == pytest.approx(stats.pearsonr(values, passing).statistic)
    assert cell.low <= cell.value <= cell.high


def test_excision_score_does_not_see_the_prefix_and_bleu_does(table: Table) -> None:
    found = {row[0]: (row[2], row[4]) for row in table.rows}
    assert found["excision_token"][0] == found["excision_token"][1]
    assert found["excision_line"][0] == found["excision_line"][1]
    assert found["bleu"][0] != found["bleu"][1]


def test_one_outcome_has_no_correlation(runs: list[StudyRun]) -> None:
    from dataclasses import replace

    failing = [replace(runs[1], bugs=runs[1].bugs[:1])]
    assert {row[2] for row in correlation_section(candidates.measure(failing, jobs=1)).table.rows} == {None}


@given(st.text(max_size=20))
def test_prefix_is_reproducible_code_of_the_stated_length(seed: str) -> None:
    made = prefix(seed)
    assert made == prefix(seed)
    assert 2000 <= len(made) <= 3000
    assert language("python").syntax_error(made) is None
    assert language("java").syntax_error(f"class A {{ void f() {{\n{made}}} }}") is None
