"""Figure 4 against scipy; the values of CodeBLEU themselves are checked with the metric."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nl2fix.core.records import Candidate
from nl2fix.languages import language
from nl2fix.metrics.measure import measure
from nl2fix.study.candidates import MeasuredCandidate, triple
from nl2fix.study.likeness import likeness, likeness_section
from nl2fix.study.loading import StudyRun
from tests.metrics.test_statistics import signed_rank
from tests.study.golden import GOLDEN


def expected(run: StudyRun, outcome: str) -> tuple[list[float], list[float]]:
    """CodeBLEU with fix and with buggy code, one candidate after the other."""
    fix, buggy = list[float](), list[float]()
    for bug in run.bugs:
        for entry, verdict in bug.judged:
            if verdict.outcome.value == outcome:
                item = triple(bug, entry.candidate)
                for values, reference in ((fix, item.references[0]), (buggy, item.before)):
                    found = measure(item._replace(references=(reference,)), language("java"), ["codebleu"])
                    assert found["codebleu"] is not None
                    values.append(found["codebleu"])
    return fix, buggy


@pytest.mark.parametrize("outcome", ["plausible", "wrong", "uncompilable"])
def test_shape_and_test_agree_with_scipy(
    runs: list[StudyRun], measured: list[list[MeasuredCandidate]], outcome: str
) -> None:
    table = likeness_section(["m"], measured[:1]).table
    rows = [row[1:] for row in table.rows if row[1] == outcome]
    fix, buggy = expected(runs[0], outcome)
    for row, values in zip(rows, (fix, buggy), strict=True):
        quartiles = np.percentile(values, [25, 50, 75])
        assert row[2:7] == pytest.approx((len(values), np.mean(values), *quartiles))
        assert row[7] == pytest.approx(float(stats.kurtosis(values)))
    assert rows[0][8:] == (None, None)
    differences = np.subtract(buggy, fix)
    assert rows[1][8] == pytest.approx(signed_rank(differences))


def test_every_model_has_rows_and_boxes_of_its_own(measured: list[list[MeasuredCandidate]]) -> None:
    section = likeness_section(["one", "two"], measured)
    apart = [likeness_section(["one", "two"][i : i + 1], measured[i : i + 1]) for i in (0, 1)]
    assert section.table.rows == apart[0].table.rows + apart[1].table.rows
    assert all(f"{name}, plausible, with fix" in str(section.figure) for name in ("one", "two"))


def test_the_fix_itself_is_wholly_alike(measured: list[list[MeasuredCandidate]]) -> None:
    found = {(v.bug, v.fix) for v in likeness(measured[:1])[0] if v.fix == 1.0}
    assert {bug for bug, _ in found} == {"golden/G-1", "golden/G-4"}


def test_candidates_are_distinct(runs: list[StudyRun], measured: list[list[MeasuredCandidate]]) -> None:
    assert len(likeness(measured[:1])[0]) == sum(len(bug.pool.entries) for bug in runs[0].bugs) == 14


def test_a_whole_file_is_compared_with_the_whole_file(runs: list[StudyRun]) -> None:
    bug = runs[0].bugs[0]
    assert bug.reference is not None
    fix = bug.reference.apply(bug.problem)
    assert triple(bug, Candidate(fix, "file")) == (bug.problem.text, (fix,), fix)
    region = triple(bug, Candidate(GOLDEN["candidates"]["G-1"]["W"][2]))
    assert region.before == bug.problem.before
