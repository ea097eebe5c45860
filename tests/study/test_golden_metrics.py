"""Figure 4 and the correlation table of the golden run, every value against ``oracle`` and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nl2fix.metrics import METRICS
from nl2fix.metrics.statistics import Estimate
from nl2fix.study.candidates import MeasuredCandidate, prefix
from nl2fix.study.correlation import correlation_section
from nl2fix.study.likeness import likeness_section
from nl2fix.study.table import Cell
from tests.metrics.test_statistics import signed_rank
from tests.study import oracle
from tests.study.golden import GOLDEN

DRAWN = [
    (bug, letter)
    for run in GOLDEN["runs"].values()
    for bug, letters in run["samples"].items()
    for letter in dict.fromkeys(letters)
    if letter in GOLDEN["candidates"][bug]
]
"""The distinct candidates of alpha, then of beta."""


def texts(bug: str, letter: str) -> tuple[str, str, str]:
    codes = GOLDEN["candidates"][bug]
    return GOLDEN["problems"][bug]["before"], codes["F"][2], codes[letter][2]


def outcome(bug: str, letter: str) -> str:
    found: str = GOLDEN["candidates"][bug][letter][0]
    return found


@pytest.fixture(scope="module")
def plain() -> list[dict[str, float]]:
    """Every metric per candidate."""
    frozen = [oracle.FROZEN[f"{bug}/{letter}"]["fix"] for bug, letter in DRAWN]
    return [oracle.all_metrics(*texts(*item), known) for item, known in zip(DRAWN, frozen, strict=True)]


@pytest.fixture(scope="module")
def padded() -> list[dict[str, float]]:
    """The same with the shared prefix before all three texts."""
    found = []
    for bug, letter in DRAWN:
        before, fix, code = (prefix(f"golden/{bug}") + text for text in texts(bug, letter))
        found.append(oracle.all_metrics(before, fix, code, oracle.FROZEN[f"{bug}/{letter}"]["prefixed"]))
    return found


def test_correlation(
    measured: list[list[MeasuredCandidate]], plain: list[dict[str, float]], padded: list[dict[str, float]]
) -> None:
    passing = [outcome(*item) == "plausible" for item in DRAWN]
    table = correlation_section(measured).table
    assert [row[0] for row in table.rows] == list(METRICS)
    for name, count, alone, more, behind in table.rows:
        assert (count, more) == (len(DRAWN), len(DRAWN))
        for cell, found in ((alone, plain), (behind, padded)):
            r = stats.pearsonr([values[str(name)] for values in found], passing).statistic
            assert isinstance(cell, Estimate)
            assert cell.value == pytest.approx(-r if name == "edit_distance" else r, abs=1e-9), name


def test_figure4(measured: list[list[MeasuredCandidate]]) -> None:
    table = likeness_section(["m", "m"], measured).table
    rows = {(row[1], row[2]): row[3:] for row in table.rows}
    kinds = {outcome(*item) for item in DRAWN}
    assert set(rows) == {(kind, side) for kind in kinds for side in ("fix", "buggy code")}
    for kind in kinds:
        own = [item for item in DRAWN if outcome(*item) == kind]
        fix = [_codebleu(*item, "fix") for item in own]
        buggy = [_codebleu(*item, "buggy") for item in own]
        assert rows[kind, "fix"] == pytest.approx((*_shape(fix), None, None))
        by_bug: dict[str, list[float]] = {}
        for (bug, _), one, other in zip(own, fix, buggy, strict=True):
            by_bug.setdefault(bug, []).append(other - one)
        tests = (
            signed_rank(list(np.subtract(buggy, fix))),
            signed_rank([float(np.mean(v)) for v in by_bug.values()]),
        )
        assert rows[kind, "buggy code"] == pytest.approx((*_shape(buggy), *tests))


def _codebleu(bug: str, letter: str, side: str) -> float:
    before, fix, code = texts(bug, letter)
    reference = fix if side == "fix" else before
    return oracle.all_metrics(before, reference, code, oracle.FROZEN[f"{bug}/{letter}"][side])["codebleu"]


def _shape(values: list[float]) -> tuple[Cell, ...]:
    kurtosis = float(stats.kurtosis(values)) if np.ptp(values) > 1e-12 else None
    return (len(values), float(np.mean(values)), *map(float, np.percentile(values, [25, 50, 75])), kurtosis)
