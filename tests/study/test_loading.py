"""What is read from run folders, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Completion, RankerRecord
from nl2fix.core.store import RunStore
from nl2fix.study import sections
from nl2fix.study.edit_formats import formats_section
from nl2fix.study.loading import StudyRun, labels, load, told_apart
from nl2fix.study.outcomes import pass_section
from tests.study import golden


def test_excluded_bugs_are_left_out(runs: list[StudyRun]) -> None:
    assert [bug.problem.id for bug in runs[0].bugs] == ["G-1", "G-2", "G-3", "G-4"]
    assert runs[0].left_out == 1


def test_multiplicity_is_kept(runs: list[StudyRun]) -> None:
    first = runs[0].bugs[0]
    assert first.samples == 6
    assert [len(entry.samples) for entry in first.pool.entries] == [2, 2, 1]
    assert first.plausible == 2


def test_second_tries_stand_beside_the_first(runs: list[StudyRun]) -> None:
    tries = runs[0].bugs[2].tries
    assert [t.second for t in tries] == [True, None, None, None, None, None]
    assert runs[0].bugs[2].plausible == 0


def test_a_bug_with_samples_missing_is_left_out(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "beta")
    with RunStore(folder, writable=True) as store, store._db as db:
        db.execute("DELETE FROM draws WHERE problem='G-1' AND sample=3")
        db.execute("DELETE FROM verdicts WHERE problem='G-2'")
    run = load(folder, {})
    assert [bug.problem.id for bug in run.bugs] == ["G-3", "G-4"]
    assert run.left_out == 3


def test_a_run_without_a_finished_bug_has_no_study(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "beta")
    with RunStore(folder, writable=True) as store:
        store.set_excluded({f"G-{i}": "broken" for i in range(1, 6)}, [f"G-{i}" for i in range(1, 6)])
    with pytest.raises(UsageError, match="none of the runs has a finished bug"):
        sections([load(folder, {})])


def test_a_ranking_of_other_candidates_is_not_used(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "alpha")
    with RunStore(folder, writable=True) as store:
        store.set_ranking(RankerRecord("vote", "vote", "vote"), "G-1", [golden.key("G-1", "F")])
    assert "vote" not in load(folder, {}).bugs[0].orders


def test_a_damaged_run_is_one_line(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "alpha")
    (folder / "run.json").write_text("{")
    with pytest.raises(DataError, match="is damaged"):
        load(folder, {})


def test_reading_changes_nothing(tmp_path: Path) -> None:
    folder = golden.write(tmp_path / "run", "alpha")
    before = (folder / "run.json").read_bytes()
    load(folder, {})
    with RunStore(folder, writable=True) as store:
        store.add_completion(Completion("G-1", 6, text="more"))
    assert (folder / "run.json").read_bytes() == before


def test_a_suite_in_two_languages_is_two_suites(runs: list[StudyRun]) -> None:
    """HumanEvalFix of Java and of Python: same name, same settings, other bugs."""
    java = runs[0]
    bugs = tuple(
        replace(bug, problem=replace(bug.problem, language="python", id=f"P{bug.problem.id}"))
        for bug in java.bugs
    )
    python = replace(java, name="python", bugs=bugs)
    assert told_apart([java, runs[1]]) == [java, runs[1]]
    both = told_apart([java, python])
    assert [run.suite for run in both] == ["golden (java)", "golden (python)"]
    assert told_apart(both) == both
    found = {table.name: table for table, *_ in sections([java, python])}
    for name in ("table2", "table4", "table5", "formats"):
        assert [row[1] for row in found[name].rows] in (["golden (java)", "golden (python)"], [])
    assert [row[0] for row in found["figure2"].rows] == [
        f"{java.model} · golden (java)",
        f"{java.model} · golden (python)",
    ]
    drawn = str(formats_section(both).figure)
    assert all(f">golden ({name}) {java.model} " in drawn for name in ("java", "python"))


def test_equal_runs_in_folders_of_one_name_have_a_curve_each(runs: list[StudyRun]) -> None:
    """Repeats in one/run and two/run: the second took the place of the first."""
    assert len(set(labels([runs[0], runs[0], runs[1]]))) == 3
    figure = str(pass_section([runs[0], runs[0]]).figure)
    assert figure.count("<polyline") == 2


def test_runs_of_other_bugs_are_no_repeats(runs: list[StudyRun]) -> None:
    """Samples of half the bugs are not further repeats of all of them."""
    half = replace(runs[0], name="half", bugs=runs[0].bugs[:2])
    rows = formats_section([runs[0], half]).table.rows
    assert [row[6] for row in rows] == [6, 6]
    assert [row[6] for row in formats_section([runs[0], runs[0]]).table.rows] == [12]


def test_repeats_without_second_attempts_take_nothing_from_those_that_have_them(runs: list[StudyRun]) -> None:
    """A run with one try counted as one whose second attempts all failed, and halved what they solve."""
    once = tuple(
        replace(bug, tries=tuple(tries._replace(second=None) for tries in bug.tries)) for bug in runs[0].bugs
    )
    alone, *_ = formats_section([runs[0]]).table.rows
    row, *_ = formats_section([runs[0], replace(runs[0], bugs=once)]).table.rows
    assert row[6] == 12
    assert row[7:9] == alone[7:9]


def test_a_bug_without_its_last_sample_takes_no_repeat_from_the_others(runs: list[StudyRun]) -> None:
    """One sample that a recording lacks once left no repeats at all of a run with one sample a bug."""
    first, *others = runs[0].bugs
    short = replace(runs[0], bugs=(replace(first, tries=()), *others))
    row, *_ = formats_section([short]).table.rows
    without, *_ = formats_section([replace(runs[0], bugs=tuple(others))]).table.rows
    assert row[6:8] == without[6:8]
    assert row[6] == 6


def test_progress_never_goes_back(runs: list[StudyRun]) -> None:
    """Every candidate is told once, though measured against fix, against buggy code and with the prefix."""
    told: list[tuple[int, int]] = []
    sections(runs, progress=lambda done, total, label: told.append((done, total)))
    assert {total for _, total in told} == {23}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == 23
