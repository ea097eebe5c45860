"""The JVM validator: verdicts on edits of the files of a prepared workspace. See ``session`` for how."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.core.files import stamp
from nl2fix.core.protocols import Carried
from nl2fix.core.records import Problem, sha256_text
from nl2fix.sandboxes.settings import of
from nl2fix.validation.jvm import program
from nl2fix.validation.jvm.program import sources_sha256
from nl2fix.validation.jvm.session import JvmSession
from nl2fix.validation.jvm.stating import states
from nl2fix.validation.jvm.witness import JvmWitness, edited_unit
from nl2fix.validation.jvm.worker import FLAGS, worker_limits
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace, load

_COMPILING = 0.02
"""Seconds."""


class JvmValidator:
    """Satisfies ``core.protocols.Validator`` for workspaces on disk."""

    def __init__(self, workspaces: Callable[[Problem], Path], workers: Workers) -> None:
        """``workspaces`` gives the folder of a problem's workspace; ``workers`` are closed with us."""
        self._workspaces = workspaces
        self._workers = workers

    def workspace(self, problem: Problem) -> Workspace:
        """A problem's workspace; raises ``DataError`` when it is not prepared."""
        return load(self._workspaces(problem))

    def identity(self, problem: Problem) -> dict[str, str]:
        """Workspace, unedited files, region, worker program, the JDK inside, its flags, and limits."""
        workspace = self.workspace(problem)
        settings = of(self._workers.environment)
        return {
            "workspace": _fingerprint(workspace.root, stamp(*_parts(workspace))),
            "code": sha256_text(json.dumps([problem.files, problem.region])),
            "worker program": sources_sha256(),
            "runtime": self._workers.runtime(workspace.jdk).identity,
            "JVM flags": " ".join(FLAGS),
            "limits": str(worker_limits(settings.memory)),
            "time limit": f"{settings.timeout:g} s" if settings.timeout else "measured",
        }

    def expected_seconds(self, problem: Problem) -> float:
        """That compiling an edit and the trigger tests take, after which most are judged, or all tests."""
        w = self.workspace(problem)
        tests = w.trigger_seconds if w.trigger_tests else sum(test.seconds for test in w.regression)
        return _COMPILING + tests

    def carried(self, problem: Problem) -> Carried:
        """The workspace's folder, and what it names beside it."""
        workspace = self.workspace(problem)
        if absolute := next((name for name in workspace.files if Path(name).is_absolute()), None):
            raise DataError(f"{problem.id}: its workspace names {absolute}, so it cannot be judged elsewhere")
        anchor, parts = _parts(workspace)
        main, shared = str(workspace.root.resolve().relative_to(anchor)), self._workers.shared
        together = shared or self._workers.compiled
        cache, opener = self._workers.environment.cache, f"{__name__}:opened"
        tools = tuple(program.ready(cache))
        return Carried(anchor, parts, main, opener, bool(shared), together, cache, tools)

    @contextmanager
    def session(self, problem: Problem) -> Iterator[JvmSession]:
        """A warm worker for one problem, started when first needed."""
        workspace = self.workspace(problem)
        session = JvmSession(workspace, problem, self._workers)
        try:
            yield session
        except BaseException:
            session.bench.drop()
            raise
        session.close()

    @contextmanager
    def witness(self, problem: Problem, most: int) -> Iterator[JvmWitness]:
        """A warm worker that observes edits of one problem on at most so many calls."""
        with closing(JvmWitness(self.workspace(problem), problem, self._workers, most)) as witness:
            yield witness

    def states(self, problem: Problem) -> bool:
        """Whether code or issue seem to state an example of what is edited."""
        unit = edited_unit(problem)
        return unit is not None and states(problem, unit)

    def close(self) -> None:
        self._workers.close()


def opened(
    environment: Environment, folders: Sequence[Path], shares: bool, places: Callable[[Problem], Path]
) -> JvmValidator:
    """As ``core.protocols.Carried.opener``."""
    return JvmValidator(places, Workers(environment, folders if shares else [], compiled=folders))


def _parts(workspace: Workspace) -> tuple[Path, tuple[str, ...]]:
    """A folder, and below it the workspace's own and what it names beside that."""
    root = workspace.root.resolve()
    beside = {path for name in workspace.files if not (path := workspace.path(name)).is_relative_to(root)}
    anchor = Path(os.path.commonpath([root.parent, *(path.parent for path in beside)]))
    return anchor, tuple(sorted(str(path.relative_to(anchor)) for path in {root, *beside}))


@lru_cache(maxsize=4096)
def _fingerprint(root: Path, written: str) -> str:
    """Of a workspace, for all validators of this process; made again once something in it was written."""
    return load(root).fingerprint()
