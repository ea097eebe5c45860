"""Records of a run that are each as they should be and do not fit each other: told in one line."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.core.records import (
    Behaviour,
    Candidate,
    Completion,
    Evidence,
    Observation,
    Outcome,
    Stated,
    Verdict,
)
from nl2fix.core.results import RunResults, results
from nl2fix.core.store import RunStore
from tests.core.samples import problem

MANIFEST = {"settings": {"suite": {"name": "sample"}}, "scope": {"n": 2}}
ONE, TWO = Candidate("one"), Candidate("two")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two problems with two answers each, judged and observed."""
    folder = tmp_path / "run"
    with RunStore.create(folder, MANIFEST) as store:
        store.add_problems([problem("A"), problem("B")])
        for ident, answered in (("A", (ONE, TWO)), ("B", (ONE, Candidate("three")))):
            told = tuple(f"{ident}{number}" for number in range(2))
            store.set_observation(
                ident,
                Observation(("f(1)", "f(2)"), 0, Behaviour(("", "u"), told), (Stated(1, "3", "issue"),)),
            )
            store.set_reference_behaviour(ident, Behaviour(("r", "r"), told))
            for sample, candidate in enumerate(answered):
                answer = Completion(ident, sample, code=candidate.code)
                store.add_completion(answer)
                store.add_draw(answer, candidate, None)
                store.add_verdict(ident, candidate.key, Verdict(Outcome.WRONG, Evidence("trigger", True)))
                done = Behaviour((candidate.code, candidate.code), told)
                store.add_behaviours(ident, {candidate.key: done})
    return folder


def read(folder: Path) -> RunResults:
    with RunStore(folder) as store:
        return results(store, store.problems(), 2)


def edit(folder: Path, *changes: str) -> None:
    with sqlite3.connect(folder / "run.sqlite") as db:
        for change in changes:
            db.execute(change)
    db.close()


def swap(folder: Path, table: str, column: int) -> None:
    """Exchange a column of the first and the last row."""
    with sqlite3.connect(folder / "run.sqlite") as db:
        rows = [list(row) for row in db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]
        rows[0][column], rows[-1][column] = rows[-1][column], rows[0][column]
        db.execute(f"DELETE FROM {table}")
        db.executemany(f"INSERT INTO {table} VALUES({','.join('?' * len(rows[0]))})", rows)
    db.close()


UNFITTING = [
    (["DELETE FROM candidates WHERE problem='A'"], "a candidate of A that sample 0 drew is not there"),
    (["UPDATE candidates SET problem='C' WHERE problem='A'"], "a candidate of A that sample 0 drew"),
    (["UPDATE draws SET candidate='none' WHERE sample=1"], "a candidate of A that sample 1 drew"),
    (["DELETE FROM behaviours WHERE problem='A'"], "behaviour of A that was observed is not there"),
    (["UPDATE observed SET behaviour='none'"], "behaviour of A that was observed is not there"),
    (["UPDATE solved SET behaviour='none'"], "behaviour of A that was observed is not there"),
    (
        ["UPDATE observations SET body=replace(body, '\"f(1)\",', '')"],
        "a stored record is damaged (1 calls, of which the unedited program did 2)",
    ),
    (
        ["UPDATE observations SET body=replace(body, '[[1,', '[[2,')"],
        "a stored record is damaged (an example of call 2, of 2)",
    ),
    (
        ["UPDATE observations SET body=replace(body, ',\"A1\"', '') WHERE problem='A'"],
        "a stored record is damaged (2 calls, of 1 of which it is told what happened)",
    ),
]


@pytest.mark.parametrize(("changes", "told"), UNFITTING)
def test_records_that_do_not_fit_each_other_are_told(run: Path, changes: list[str], told: str) -> None:
    """One swapped, dropped or changed by hand ended every report in an internal error, or was believed."""
    assert [item.samples for item in read(run).problems] == [2, 2]
    edit(run, *changes)
    with pytest.raises(DataError, match=re.escape(told)) as error:
        read(run)
    assert str(error.value).startswith(f"{run}/run.sqlite")
    assert "restore the file from a copy" in str(error.value)


@pytest.mark.parametrize(
    ("table", "column", "told"),
    [
        ("candidates", 2, "a candidate of A is stored as another"),
        ("completions", 3, "an answer to A is stored as another"),
        ("problems", 2, "problem A is stored as another, B"),
        ("behaviours", 2, "a behaviour of B is stored as another"),
    ],
)
def test_a_record_in_the_place_of_another_is_told(run: Path, table: str, column: int, told: str) -> None:
    """A candidate had the verdict of another, an answer was that to another problem."""
    swap(run, table, column)
    with pytest.raises(DataError, match=re.escape(f"{run}/run.sqlite: {told}")):
        read(run)


def test_a_behaviour_by_other_calls_is_told(run: Path) -> None:
    """All was compared call by call."""
    with RunStore(run, writable=True) as store:
        store.add_behaviours("A", {ONE.key: Behaviour(("u",), ("3",))})
    with pytest.raises(DataError, match="a behaviour of A is by 1 calls, not by the 2 there are"):
        read(run)


def test_a_damaged_record_is_told_with_its_file(run: Path) -> None:
    edit(run, "UPDATE verdicts SET body='{}'")
    with pytest.raises(DataError, match=re.escape(f"{run}/run.sqlite: a stored record is damaged (")):
        read(run)
