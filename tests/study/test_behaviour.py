"""Plausible beside plausible and not told apart: both pass@k from the same samples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.core.apart import told, told_counts
from nl2fix.core.records import Behaviour, Observation
from nl2fix.core.results import ProblemResult
from nl2fix.study.behaviour import behaviour_table
from tests.study.test_tuning import value
from tests.study.test_verdicts import bug, run

CALLS = tuple(f"f({i})" for i in range(12))


def doing(letter: str) -> Behaviour:
    return Behaviour((letter,) * 12, (letter,) * 12)


def seen(item: ProblemResult, *letters: str | None) -> ProblemResult:
    """A problem whose candidates were observed, one letter each; the fix does ``a``."""
    told = zip(item.pool.entries, letters, strict=True)
    entries = tuple(replace(entry, behaviour=doing(letter) if letter else None) for entry, letter in told)
    return replace(
        item,
        pool=replace(item.pool, entries=entries),
        observation=Observation(CALLS, 0, doing("u")),
        reference_behaviour=doing("a"),
    )


def test_only_what_does_something_else_is_told_apart() -> None:
    one = seen(
        bug("A", (3, True, None), (2, True, None), (1, True, None), (2, False, None)), "a", "b", None, "b"
    )
    assert told(one) == (8, 6, 2, 1)
    assert told_counts([one, bug("B", (4, True, None))]) == [(8, 4), (4, 4)]
    assert told_counts([bug("B", (4, True, None))]) == []


def test_the_table_shows_both_and_who_is_told_apart() -> None:
    made = run(
        seen(bug("A", (2, True, None), (2, True, None)), "a", "b"), bug("B", (2, True, None), no_edit=2)
    )
    table = behaviour_table([made, run(bug("C", (1, True, None)))]).table
    [row] = [dict(zip([c.name for c in table.columns], cells, strict=True)) for cells in table.rows]
    assert (row["bugs"], row["observed"], row["plausible"], row["told apart"]) == (2, 1, 6, 2)
    assert row["too few calls"] == 2 and row["project"] == "all"
    assert value(row["pass@1 plausible"]) == pytest.approx(0.75)
    assert value(row["pass@1 not told apart"]) == pytest.approx(0.5)
    assert "pass@5 plausible" not in row


def test_what_was_not_observed_is_blank_and_named() -> None:
    unseen = run(bug("C", (1, True, None)))
    table = behaviour_table([unseen]).table
    assert table.rows == ()
    assert f"Not observed: {unseen.name}; observe with nl2fix observe RUN." in table.note


def test_a_run_without_its_fix_is_named_too() -> None:
    blind = run(replace(seen(bug("A", (2, True, None)), "a"), reference_behaviour=None))
    table = behaviour_table([blind]).table
    assert table.rows == () and f"No fix observed to compare with: {blind.name}." in table.note


def test_a_project_of_which_nothing_was_observed_has_no_zeros() -> None:
    other = bug("B", (2, True, None))
    made = run(
        seen(bug("A", (2, True, None)), "a"),
        replace(other, problem=replace(other.problem, project="elsewhere")),
    )
    table = behaviour_table([made]).table
    rows = [dict(zip([c.name for c in table.columns], cells, strict=True)) for cells in table.rows]
    [row] = [row for row in rows if row["project"] == "elsewhere"]
    assert row["plausible"] == 2 and value(row["pass@1 plausible"]) == 1.0
    assert row["told apart"] is row["too few calls"] is row["pass@1 not told apart"] is None
