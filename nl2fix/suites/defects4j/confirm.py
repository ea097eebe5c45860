"""The plain way: judge candidates with ``defects4j compile`` and ``defects4j test -r``, and compare verdicts.

Slow, and only as reliable as Defects4J itself; it shows whether our validator agrees. Each bug's
candidates run one after the other in a copy of its prepared checkout. A test that fails on the
reference fix as well is not held against a candidate.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from nl2fix.core.changes import edited_files
from nl2fix.core.errors import InfrastructureError, Nl2fixError
from nl2fix.core.protocols import Progress
from nl2fix.core.records import Candidate, Outcome, Problem
from nl2fix.core.threads import side_by_side
from nl2fix.suites.command import TooSlow
from nl2fix.suites.defects4j.checkout import CHECKOUT
from nl2fix.suites.defects4j.installation import Defects4J
from nl2fix.suites.defects4j.suite import Nl2fixSuite
from nl2fix.validation.jvm.workspace import Workspace, load

BASE_SECONDS = 120.0
"""What starting Defects4J and compiling may take on a busy machine."""
FACTOR = 10.0
"""Times the reference fix's own test time after which a candidate counts as never ending."""

_NEVER = {Outcome.WRONG, Outcome.TIMEOUT}


@dataclass(frozen=True)
class ToConfirm:
    """A candidate with the verdict that is to be compared."""

    problem: Problem
    candidate: Candidate
    outcome: Outcome


@dataclass(frozen=True)
class Confirmation:
    """Our verdict beside the plain one."""

    judged: ToConfirm
    plain: Outcome | None
    """``None`` when Defects4J gave no verdict; ``note`` says why."""
    note: str = ""
    """First failing test, or why there is no verdict."""

    @property
    def agrees(self) -> bool:
        """Whether both say the same of the candidate.

        Out of time and failing are alike: the plain way waits much longer, and a loop that fills memory or
        stack fails there in the end.
        """
        return self.plain is self.judged.outcome or {self.plain, self.judged.outcome} <= _NEVER


def sample(judged: Sequence[ToConfirm], count: int, seed: int = 0) -> list[ToConfirm]:
    """A random part of all verdicts, the same for the same seed; all of them when there are fewer."""
    return random.Random(seed).sample(list(judged), min(count, len(judged)))


def compare(
    suite: Nl2fixSuite,
    judged: Iterable[ToConfirm],
    jobs: int,
    progress: Progress,
    keep: Callable[[Sequence[Confirmation]], None] = lambda _: None,
) -> list[Confirmation]:
    """Re-run candidates the plain way, bugs side by side; in no particular order.

    ``keep`` is given those of each bug when it is done.
    """
    by_bug: dict[str, list[ToConfirm]] = {}
    for item in judged:
        if item.outcome is not Outcome.NO_EDIT:
            by_bug.setdefault(item.problem.id, []).append(item)
    installation = suite.installation()
    total = sum(map(len, by_bug.values()))
    confirmations: list[Confirmation] = []
    with side_by_side(partial(_compare, suite, installation), by_bug.values(), jobs, "plain") as compared:
        for part, future in compared:
            keep(done := future.result())
            confirmations += done
            progress(len(confirmations), total, part[0].problem.id)
    return confirmations


def confusion(comparisons: Iterable[Confirmation]) -> dict[tuple[Outcome, Outcome], int]:
    """(ours, plain) → how many; candidates without a plain verdict are left out."""
    pairs = Counter((item.judged.outcome, item.plain) for item in comparisons)
    return {(ours, plain): count for (ours, plain), count in pairs.items() if plain is not None}


def _compare(suite: Nl2fixSuite, installation: Defects4J, judged: Sequence[ToConfirm]) -> list[Confirmation]:
    problem = judged[0].problem
    try:
        workspace = suite.workspace(problem)
        with _copy(suite, problem, workspace) as folder:
            plain = Plain(installation, folder, load(workspace), problem)
            plain.learn_baseline(suite.reference(problem))
            return [_one(plain, item) for item in judged]
    except Nl2fixError as error:
        return [Confirmation(item, None, str(error)) for item in judged]


def _one(plain: Plain, item: ToConfirm) -> Confirmation:
    try:
        outcome, note = plain.judge(item.candidate)
        return Confirmation(item, outcome, note)
    except InfrastructureError as error:
        return Confirmation(item, None, str(error))


@contextmanager
def _copy(suite: Nl2fixSuite, problem: Problem, workspace: Path) -> Iterator[Path]:
    """A throw-away copy of a prepared checkout."""
    work = suite.places.work(f"{problem.id}-plain")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        yield Path(shutil.copytree(workspace / CHECKOUT, work / CHECKOUT, symlinks=True))
    finally:
        shutil.rmtree(work, ignore_errors=True)


class Plain:
    """Judges candidates of one bug in one working directory."""

    def __init__(self, installation: Defects4J, folder: Path, workspace: Workspace, problem: Problem) -> None:
        self._folder = folder
        self._workspace = workspace
        self._problem = problem
        self._known: frozenset[str] = frozenset()
        seconds = sum(test.seconds for test in workspace.regression)
        limit = min(installation.timeout, BASE_SECONDS + FACTOR * seconds)
        self._installation = replace(installation, timeout=limit)

    def learn_baseline(self, reference: Candidate) -> None:
        """Note which tests fail on the reference fix too."""
        if not self.builds(reference):
            raise InfrastructureError(f"{self._problem.id}: Defects4J cannot compile the reference fix")
        self._known = frozenset(self._installation.test(self._folder))

    def judge(self, candidate: Candidate) -> tuple[Outcome, str]:
        """Outcome and first failing test; raises ``InfrastructureError`` when Defects4J gives none."""
        try:
            if not self.builds(candidate):
                return Outcome.UNCOMPILABLE, ""
            failing = self.failing("-r")
        except TooSlow as slow:
            return Outcome.TIMEOUT, str(slow)
        return (Outcome.WRONG, failing[0]) if failing else (Outcome.PLAUSIBLE, "")

    def builds(self, candidate: Candidate) -> bool:
        """Put a candidate in place; whether it compiles."""
        self._write(candidate)
        return self._installation.builds(self._folder)

    def failing(self, *arguments: str) -> list[str]:
        """Tests of ``defects4j test`` with these arguments that fail on what was built last."""
        return [test for test in self._installation.test(self._folder, arguments) if test not in self._known]

    def _write(self, candidate: Candidate) -> None:
        """Put the candidate in place, for a build from scratch.

        Ant compiles only what is newer than its class, so callers of a changed method would keep their old
        ones. It compares times by the second: the file's own old classes go.
        """
        for sources in self._workspace.sources:
            for source in (self._folder.parent / sources).rglob("*.java"):
                source.touch()
        for path, text in {**self._problem.files, **edited_files(self._problem, candidate)}.items():
            (self._folder / path).write_bytes(text.encode(self._workspace.encoding, errors="replace"))
        name = Path(self._workspace.source_file).with_suffix("")
        for classes in self._workspace.classes:
            folder = (self._folder.parent / classes / name).parent
            for old in [*folder.glob(f"{name.name}.class"), *folder.glob(f"{name.name}$*.class")]:
                old.unlink()


def table(counts: Mapping[tuple[Outcome, Outcome], int]) -> list[list[object]]:
    """Rows of a confusion table: our outcome, then counts per plain outcome, in a fixed order."""
    outcomes = [outcome for outcome in Outcome if outcome is not Outcome.NO_EDIT]
    return [[ours.value, *(counts.get((ours, plain), 0) for plain in outcomes)] for ours in outcomes]
