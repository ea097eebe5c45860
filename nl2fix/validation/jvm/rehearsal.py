"""Playing a test that is not in the project yet: compiled with the edited files, run alone in a fresh JVM."""

from __future__ import annotations

from dataclasses import dataclass

from nl2fix.core.records import Candidate, Problem
from nl2fix.validation.jvm.bench import Bench, EditedTexts, program_of
from nl2fix.validation.jvm.worker import Item, Limit, Phase, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

_LIMIT = Limit(cpu=10.0, wall=40.0)
"""Of one test, the start of its class included."""


@dataclass(frozen=True)
class Rehearsed:
    """What became of a test."""

    outcome: str
    """``passed``, ``failed``, ``did not compile`` or ``did not run``."""
    message: str = ""
    """What the compiler or the test said."""


class Rehearsal:
    """Plays tests of one problem. Not thread-safe."""

    def __init__(self, workspace: Workspace, problem: Problem, workers: Workers) -> None:
        self._bench = Bench(workspace, problem, workers)
        self._problem = problem

    def played(self, candidate: Candidate | None, path: str, text: str, test: str) -> Rehearsed:
        """One test (``Class::method``) of a source at ``path`` below its root, with an edit or without."""
        program = self._bench.unedited if candidate is None else program_of(self._problem, candidate)
        try:
            return self._played(program, path, text, test)
        except WorkerLost as lost:
            self._bench.drop()
            return Rehearsed("failed" if lost.timed_out else "did not run", str(lost))

    def _played(self, program: EditedTexts, path: str, text: str, test: str) -> Rehearsed:
        self._bench.original()
        build = self._bench.compile_with(program, {path: text})
        if not build.compiled:
            return Rehearsed("did not compile", build.message.partition("\n")[0])
        owner, _, method = test.partition("::")
        plan = self._bench.plan(build.classes, [Phase(_LIMIT, (Item(owner, (method,)),))], ())
        report = self._bench.run_fresh(plan)
        outcomes = {result.outcome for result in report.results if result.id == test}
        if report.timed_out or outcomes == {"F"}:
            return Rehearsed("failed", report.message.partition("\n")[0] or "it did not end")
        return (
            Rehearsed("passed")
            if outcomes == {"P"} and not report.failure
            else Rehearsed("did not run", report.message)
        )

    def close(self) -> None:
        """Hand the workers on."""
        self._bench.close()
