"""The table of excess code for the golden runs, from measurements written down here."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.core.records import Completion, Evidence, Outcome, Verdict
from nl2fix.core.store import RunStore
from nl2fix.metrics.probing import FILE, Excess, Shares
from nl2fix.metrics.statistics import Estimate
from nl2fix.study.excess_table import excess_table
from nl2fix.study.loading import StudyRun, load
from tests.study import golden

DRAWN = {
    "G-1": {golden.key("G-1", "F"): 2},
    "G-2": {golden.key("G-2", "P"): 1},
    "G-4": {golden.key("G-4", "E"): 1, golden.key("G-4", "F"): 2, golden.key("G-4", "P"): 2},
}
"""The plausible samples of run alpha: G-1 FF, G-2 P, G-4 EFFPP."""
SHARES = {"G-1": Shares(0.5, 0.25), "G-2": Shares(None, 0.0), "G-4": Shares(0.2, 0.1)}
MEASURED = Excess(0.35, 0.35 / 3, samples=8, candidates=5, problems=3, drawn=DRAWN, shares=SHARES)


@pytest.fixture
def alpha(folders: list[Path], tmp_path: Path) -> Path:
    """A copy of the run that was measured."""
    folder = shutil.copytree(folders[0], tmp_path / "alpha")
    MEASURED.save(folder)
    return folder


def test_means_over_bugs_that_have_a_value(alpha: Path, runs: list[StudyRun]) -> None:
    table = excess_table([load(alpha, {}), runs[1]]).table
    ((*settings, bugs, samples, ours, published),) = table.rows
    assert settings == ["openai:alpha · zero_shot · T=0.8", "golden", "openai:alpha", "zero_shot", 0.8]
    assert (bugs, samples) == (3, 8)
    # G-2 changes no line that can run: (1/2 + 1/5)/2, and (1/4 + 0 + 1/10)/3.
    assert isinstance(ours, Estimate)
    assert isinstance(published, Estimate)
    assert ours.value == pytest.approx(float(Fraction(7, 20)))
    assert published.value == pytest.approx(float(Fraction(7, 60)))
    # A resample of two bugs is all one of them with probability 1/4 each.
    assert ours[1:] == pytest.approx((0.2, 0.5))
    assert "Not measured yet, or since changed: beta; measure with nl2fix excess RUN" in table.note


def test_runs_that_were_not_measured_have_no_row(runs: list[StudyRun]) -> None:
    table = excess_table(runs).table
    assert table.rows == ()
    assert "alpha, beta; measure with nl2fix excess RUN" in table.note


def test_a_run_without_plausible_samples_is_measured_too(folders: list[Path], tmp_path: Path) -> None:
    folder = shutil.copytree(folders[0], tmp_path / "none")
    with RunStore(folder, writable=True) as store:
        for ident, letters in golden.GOLDEN["candidates"].items():
            for letter in letters:
                store.add_verdict(
                    ident, golden.key(ident, letter), Verdict(Outcome.WRONG, Evidence("trigger", True))
                )
    Excess(None, None, samples=0, candidates=0, problems=0, drawn={}, shares={}).save(folder)
    assert excess_table([load(folder, {})]).table.rows[0][5:] == (0, 0, None, None)


def test_a_measurement_of_other_samples_is_not_shown(alpha: Path) -> None:
    drawn = {**DRAWN, "G-1": {golden.key("G-1", "F"): 1}}
    Excess(0.35, 0.1, samples=7, candidates=5, problems=3, drawn=drawn, shares=SHARES).save(alpha)
    assert load(alpha, {}).excess is None
    with RunStore(alpha, writable=True) as store:
        store.add_completion(Completion("G-1", 6, text="more"))
    assert excess_table([load(alpha, {})]).table.rows == ()


@pytest.mark.parametrize("text", ["{", "[]", '{"excess_code": 1}', json.dumps({"shares": {"G-1": "no"}})])
def test_a_damaged_measurement_is_one_line(text: str, alpha: Path) -> None:
    (alpha / FILE).write_text(text)
    with pytest.raises(DataError, match=r"excess.json is damaged .*measure again"):
        load(alpha, {})
