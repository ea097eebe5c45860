"""A line ``call: before → after`` becomes a test of the project that fails today and passes with the edit.

The test is written as its neighbours are, compiled with both programs and run in fresh JVMs; what does not
fail before and pass after is no test. Nothing is written to the work tree here.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import islice, product, starmap
from pathlib import Path

from nl2fix.core.errors import Nl2fixError
from nl2fix.core.records import Candidate, Change, sha256_text
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import package_of
from nl2fix.suggestion.keeping import neighbours
from nl2fix.suggestion.keeping.checks import Check, checks
from nl2fix.suggestion.keeping.code import Inexpressible
from nl2fix.suggestion.keeping.neighbours import Place
from nl2fix.suggestion.keeping.writing import Draft, Form, Source, parameter_names
from nl2fix.suggestion.output.result import KeptTest
from nl2fix.suggestion.setup import Prepared
from nl2fix.validation.calls.sketches import NULL
from nl2fix.validation.jvm.recipes import TakenApart
from nl2fix.validation.jvm.rehearsal import Rehearsal
from nl2fix.validation.jvm.witness import JvmWitness
from nl2fix.validation.jvm.workspace import Workspace, load

_MOST_CHECKS = 4
"""Differences of one line that are tried."""


def keep(
    prepared: Prepared,
    candidate: Candidate,
    rows: Sequence[Change],
    *,
    rank: int,
    line: int,
    most: int,
) -> KeptTest:
    """A test of row ``line`` (from 1; 0: the first that can be one) of what suggestion ``rank`` changes.

    ``most`` is the number of calls that the rows come from. Raises ``Nl2fixError`` where none holds.
    """
    if not rows:
        raise Nl2fixError(f"no test written: suggestion {rank} was not seen to change what a call does")
    if not 0 <= line <= len(rows):
        raise Nl2fixError(f"no test written: suggestion {rank} has lines 1 to {len(rows)}, and no {line}")
    problem, workspace, workers = prepared.problem, load(prepared.folder), prepared.workers
    found = _place(prepared, workspace)
    wanted = [line] if line else range(1, len(rows) + 1)
    reasons: list[str] = []
    with (
        closing(JvmWitness(workspace, problem, workers, most)) as witness,
        closing(Rehearsal(workspace, problem, workers)) as stage,
    ):
        witness.unedited()
        keeper = _Keeper(prepared, workspace, found, candidate, stage)
        for number in wanted:
            try:
                return keeper.kept(witness, rows[number - 1], rank, number)
            except Inexpressible as reason:
                reasons.append(f"line {number}: {reason}")
    raise Nl2fixError(f"no test written: {reasons[0]}")


def _place(prepared: Prepared, workspace: Workspace) -> Place:
    problem = prepared.problem
    unit = JAVA.find(problem.text, problem.entity)
    assert unit is not None, "the method that suggestions are for"
    sources = [workspace.path(folder) for folder in workspace.sources]
    tests = [test.name for test in workspace.regression]
    owner = unit.owner.partition(".")[0]
    return neighbours.place(sources, tests, package_of(problem.text), owner, unit.name)


class _Keeper:
    """Writes tests of one suggestion until one holds."""

    def __init__(
        self, prepared: Prepared, workspace: Workspace, place: Place, candidate: Candidate, stage: Rehearsal
    ) -> None:
        self._prepared = prepared
        self._place = place
        self._candidate = candidate
        self._stage = stage
        self._level = int(workspace.source_level.removeprefix("1."))
        ascii_only = workspace.encoding.lower().replace("-", "") != "utf8"
        title = prepared.problem.title
        self._title = title if title.isascii() or not ascii_only else ""

    def kept(self, witness: JvmWitness, row: Change, rank: int, line: int) -> KeptTest:
        """The first form of a test that holds."""
        apart = witness.taken_apart(row.call, self._candidate)
        if apart is None or not apart.after:
            raise Inexpressible("the call could not be made again outside of the tests that make it")
        source = Source(parameter_names(self._prepared.problem), self._level, self._title)
        tried: dict[str, str] = {}
        for form in starmap(Form, product(_checks(apart), (False, True), (False, True))):
            try:
                draft = Draft(self._place, apart, form, source)
            except Inexpressible as reason:
                tried.setdefault("", str(reason))
                continue
            if draft.text not in tried:
                tried[draft.text] = self._refused(draft)
                if not tried[draft.text]:
                    return self._record(draft, row, rank, line)
        raise Inexpressible(next(iter(tried.values()), "what changes cannot be seen from a test"))

    def _refused(self, draft: Draft) -> str:
        """Why a test is none; empty where it passes with the edit and fails without."""
        test = f"{self._place.owner}::{draft.name}"
        after = self._stage.played(self._candidate, self._place.path, draft.text, test)
        if after.outcome != "passed":
            return f"its test {_with(after.outcome)} with the edit: {after.message}".rstrip(": ")
        before = self._stage.played(None, self._place.path, draft.text, test)
        if before.outcome != "failed":
            return f"its test {_with(before.outcome)} without the edit, too".rstrip(": ")
        return ""

    def _record(self, draft: Draft, row: Change, rank: int, line: int) -> KeptTest:
        place = self._place
        return KeptTest(
            rank=rank,
            line=line,
            change=str(row),
            test=f"{place.owner}#{draft.name}",
            path=self._in_repository(place.file),
            code=draft.code,
            text=draft.text,
            new=not place.text,
            file_sha256=sha256_text(place.text),
        )

    def _in_repository(self, file: Path) -> str:
        if not file.is_relative_to(self._prepared.tree):
            raise Nl2fixError(f"no test written: {file.name} lies outside the repository")
        return file.relative_to(self._prepared.tree).as_posix()


def _checks(apart: TakenApart) -> list[Check | None]:
    """What a test may look at; ``None``: that the call throws."""
    if apart.after[0].kind == "x":
        return [None]
    found: list[Check | None] = list(islice(checks(apart.before, apart.after), _MOST_CHECKS))
    ended_badly = not apart.before or apart.before[0].kind == "x"
    return [*found, Check("{0}", "void", None, NULL)] if ended_badly else found


def _with(outcome: str) -> str:
    return {"passed": "passes", "failed": "fails", "did not compile": "does not compile"}.get(
        outcome, outcome
    )
