"""pass@k of the study against a brute-force count over all subsets of the samples."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.core.records import Candidate, Pool
from nl2fix.core.results import ProblemResult, Tries
from nl2fix.study import outcomes
from nl2fix.study.edit_formats import formats_section
from nl2fix.study.loading import StudyRun
from tests.study.golden import Golden


def bug(passing: list[bool], name: str = "G-1") -> ProblemResult:
    problem = replace(Golden().problems()[0], id=name)
    tries = tuple(Tries(ok, None) for ok in passing)
    return ProblemResult(problem, Pool(problem, ()), (), tries, Candidate(""))


def run(*bugs: ProblemResult) -> StudyRun:
    return StudyRun("r", "golden", "m", "zero_shot", "method", 0.8, 0, bugs)


def brute_force(passing: list[bool], k: int) -> float:
    draws = list(combinations(passing, k))
    return sum(any(draw) for draw in draws) / len(draws)


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=9), min_size=1, max_size=4))
def test_pass_at_k_is_the_share_of_subsets_with_a_plausible_sample(bugs: list[list[bool]]) -> None:
    table = outcomes.pass_section([run(*(bug(own, f"G-{i}") for i, own in enumerate(bugs)))]).table
    for column, cell in zip(table.columns[1:], table.rows[0][1:], strict=True):
        k = int(column.name.removeprefix("pass@"))
        assert cell == pytest.approx(sum(brute_force(own, k) for own in bugs) / len(bugs))


def test_a_curve_neither_jumps_nor_falls_where_some_bugs_have_too_few_samples() -> None:
    for full, short in ((True, False), (False, True)):
        section = outcomes.pass_section([run(bug([full] * 6), bug([short] * 2, "G-2"))])
        uneven = section.table
        assert [c.name for c in uneven.columns] == ["run", "pass@1", "pass@2", "pass@5"]
        assert uneven.rows[0][1:] == (0.5, 0.5, None)
        assert "cannot be measured (fewer than 5: 1 of m)." in uneven.note
        assert "k=2: 50.0 %" in str(section.figure) and "k=5" not in str(section.figure)


def test_a_table_leaves_a_bug_with_too_few_samples_out_of_that_k_and_says_so() -> None:
    table = outcomes.samples_table([run(bug([True] * 6), bug([False] * 2, "G-2"))]).table
    assert table.rows[0][-2:] == (0.5, 1.0)
    assert "bugs with fewer than 5: 1 of m." in table.note


def test_runs_with_too_few_samples_have_the_names_of_their_rows() -> None:
    """They had those of their folders, which no row has, and of two folders of one name one was told."""
    few = [replace(run(bug([False] * 2)), seed=seed) for seed in (0, 1)]
    table = outcomes.samples_table([*few, replace(run(bug([True] * 6)), seed=2)]).table
    assert f"fewer than 5: 1 of {table.rows[0][0]}, 1 of {table.rows[1][0]}." in table.note


def test_curves_are_over_the_bugs_that_all_runs_of_a_suite_have() -> None:
    one, other = bug([True] * 2), bug([False] * 2, "G-2")
    section = outcomes.pass_section([run(one, other), replace(run(one), name="s", seed=1)])
    assert [row[1] for row in section.table.rows] == [0.5, 1.0]
    drawn = str(section.figure)
    assert "pass@k, golden, 1 bug" in drawn
    assert drawn.count("k=1: 100.0 %") == 2
    assert section.drawn and section.drawn.rows == (
        (section.table.rows[0][0], "golden", 1, 1.0, 1.0),
        (section.table.rows[1][0], "golden", 1, 1.0, 1.0),
    ), "drawn anew from its file, the figure was another: its rows were over each run's own bugs"


def test_a_model_that_was_not_run_on_a_project_has_no_number_there() -> None:
    elsewhere = bug([False], "H-1")
    elsewhere = replace(elsewhere, problem=replace(elsewhere.problem, project="Z"))
    table = outcomes.projects_table([run(bug([True])), replace(run(elsewhere), model="other")]).table
    assert table.rows == (
        ("golden", "P", 1, 1, None, 1),
        ("golden", "Z", 1, None, 0, 0),
        ("all", "", 2, 1, 0, 1),
    )
    assert table.note.endswith("Not run on all 2 bugs: m (1), other (1).")


def test_unknown_settings_are_blank_and_runs_still_told_apart() -> None:
    known, unknown = (
        run(bug([True])),
        replace(run(bug([True])), model="replayed", temperature=None, seed=None),
    )
    rows = outcomes.samples_table([known, unknown]).table.rows
    assert [(row[2], row[5]) for row in rows] == [("m", 0.8), ("replayed", None)]
    assert [row[0] for row in outcomes.pass_section([known, unknown]).table.rows] == [
        "m · T=0.8 · seed 0",
        "replayed",
    ]


def test_repeated_runs_are_told_apart() -> None:
    one, other = run(bug([True])), replace(run(bug([False])), name="again")
    names = [row[0] for row in outcomes.pass_section([one, other]).table.rows]
    assert names == ["m (r)", "m (again)"]
    seeded = [row[0] for row in outcomes.pass_section([one, replace(one, seed=1)]).table.rows]
    assert seeded == ["m · seed 0", "m · seed 1"]


def test_rows_of_runs_that_differ_in_the_seed_alone_say_which_they_are() -> None:
    """Two seeds of one model had rows without a name, sorted anew: nobody could say which is which."""
    later, sooner = replace(run(bug([True])), seed=2), replace(run(bug([False])), seed=1)
    for made in (outcomes.samples_table, outcomes.prompts_table):
        table = made([later, sooner]).table
        column = [c.name for c in table.columns].index("pass@1")
        assert [(row[0], row[column]) for row in table.rows] == [("m · seed 2", 1.0), ("m · seed 1", 0.0)]


def test_repeats_that_are_counted_together_are_named_together() -> None:
    [row] = formats_section([replace(run(bug([True])), seed=seed) for seed in (2, 1)]).table.rows
    assert row[0] == "m · seed 2, m · seed 1"
