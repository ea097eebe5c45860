"""The JVM validator: verdicts on edits of the files of a prepared workspace. See ``session`` for how."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Carried
from nl2fix.core.records import Problem, sha256_text
from nl2fix.sandboxes.settings import of
from nl2fix.validation.jvm.program import sources_sha256
from nl2fix.validation.jvm.session import JvmSession
from nl2fix.validation.jvm.stating import states
from nl2fix.validation.jvm.witness import JvmWitness, edited_unit
from nl2fix.validation.jvm.worker import worker_limits
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import FILE_NAME, Workspace, load

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
        """Workspace, unedited files, region, worker program, the JDK inside, and limits."""
        workspace = self.workspace(problem)
        file = (workspace.root / FILE_NAME).stat()
        settings = of(self._workers.environment)
        return {
            "workspace": _fingerprint(workspace.root, file.st_ino, file.st_mtime_ns),
            "code": sha256_text(json.dumps([problem.files, problem.region])),
            "worker program": sources_sha256(),
            "runtime": self._workers.runtime(workspace.jdk).identity,
            "limits": str(worker_limits(settings.memory)),
            "time limit": f"{settings.timeout:g} s" if settings.timeout else "measured",
        }

    def expected_seconds(self, problem: Problem) -> float:
        """That compiling an edit and the trigger tests take, after which most are judged."""
        return _COMPILING + self.workspace(problem).trigger_seconds

    def carried(self, problem: Problem) -> Carried:
        """The workspace's folder, and what it names beside it."""
        workspace = self.workspace(problem)
        named = (*workspace.classes, *workspace.test_classes, *workspace.libraries, *workspace.sources)
        root = workspace.root.resolve()
        if absolute := next((name for name in named if Path(name).is_absolute()), None):
            raise DataError(f"{problem.id}: its workspace names {absolute}, so it cannot be judged elsewhere")
        beside = {path for name in named if not (path := workspace.path(name)).is_relative_to(root)}
        anchor = Path(os.path.commonpath([root.parent, *(path.parent for path in beside)]))
        parts = sorted(str(path.relative_to(anchor)) for path in {root, *beside})
        main = str(root.relative_to(anchor))
        return Carried(anchor, tuple(parts), main, f"{__name__}:opened", bool(self._workers.shared))

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
    environment: Environment, folder: Path, shares: bool, places: Callable[[Problem], Path]
) -> JvmValidator:
    """As ``core.protocols.Carried.opener``."""
    return JvmValidator(places, Workers(environment, [folder] if shares else [], compiled=[folder]))


@lru_cache(maxsize=4096)
def _fingerprint(root: Path, inode: int, written: int) -> str:
    """Of a workspace, for all validators of this process; made again once its description is another file."""
    return load(root).fingerprint()
