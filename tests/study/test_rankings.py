"""The bounds of Table 6 beside the same quantity in Table 2."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.core.results import ProblemResult
from nl2fix.metrics.statistics import Estimate
from nl2fix.study import outcomes, rankings
from nl2fix.study.loading import StudyRun
from nl2fix.study.table import Cell, Table


def shortened(bug: ProblemResult, n: int) -> ProblemResult:
    """The bug as it were, had only its first n samples been drawn."""
    drawn = [
        (replace(entry, samples=tuple(i for i in entry.samples if i < n)), verdict)
        for entry, verdict in zip(bug.pool.entries, bug.verdicts, strict=True)
    ]
    left = [(entry, verdict) for entry, verdict in drawn if entry.samples]
    return replace(
        bug,
        pool=replace(bug.pool, entries=tuple(entry for entry, _ in left)),
        verdicts=tuple(verdict for _, verdict in left),
        tries=bug.tries[:n],
        orders={},
    )


def unranked(table: Table, candidates: str) -> list[Cell]:
    (row,) = (row for row in table.rows if row[1:3] == (candidates, "unranked pass@k"))
    return [cell.value if isinstance(cell, Estimate) else cell for cell in row[3:5]]


@pytest.mark.parametrize("samples", [(6, 6, 6, 6), (6, 3, 6, 5), (1, 6, 2, 1)])
def test_a_bug_with_too_few_samples_is_left_out_of_unranked_as_of_table_2(
    runs: list[StudyRun], samples: tuple[int, ...]
) -> None:
    run = replace(
        runs[0], bugs=tuple(shortened(bug, n) for bug, n in zip(runs[0].bugs, samples, strict=True))
    )
    table2 = outcomes.samples_table([run]).table
    passes = [
        cell for column, cell in zip(table2.columns, table2.rows[0], strict=True) if "pass@" in column.name
    ]
    assert unranked(rankings.rankings_table([run]).table, "all") == pytest.approx(passes[:2])


def test_compiling_unranked_counts_the_bugs_that_all_counts(runs: list[StudyRun]) -> None:
    # Only the first bug has five samples (F, F, W, U, W and an answer without code); all bugs have one.
    run = replace(
        runs[0], bugs=tuple(shortened(bug, n) for bug, n in zip(runs[0].bugs, (6, 3, 3, 3), strict=True))
    )
    table = rankings.rankings_table([run]).table
    first = rankings.rankings_table([replace(run, bugs=run.bugs[:1])]).table
    assert unranked(table, "compiling")[1] == unranked(first, "compiling")[1] is not None
    assert unranked(table, "compiling")[0] != unranked(first, "compiling")[0]


def test_unranked_is_blank_only_where_no_bug_has_k_samples(runs: list[StudyRun]) -> None:
    run = replace(runs[0], bugs=tuple(shortened(bug, 4) for bug in runs[0].bugs))
    table = rankings.rankings_table([run]).table
    for candidates in ("all", "compiling"):
        one, five = unranked(table, candidates)
        assert one is not None
        assert five is None


def test_which_rows_count_a_bug_with_too_few_samples_is_told(runs: list[StudyRun]) -> None:
    """A column showed unranked over other bugs than random and oracle, and spoke of the first only."""
    note = rankings.rankings_table(runs).table.note
    assert "over bugs with at least k samples, as in Table 2" in note
    assert "all other rows count every bug, one with fewer samples by those it has" in note
