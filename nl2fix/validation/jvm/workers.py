"""The workers of one validator: started when needed, lent out, kept warm, shared between workspaces.

A worker process serves one workspace at a time. Workspaces whose processes would be started alike
(same JDK, arguments, environment, working directory and visible folders) share warm workers, which
saves a suite of many small problems most of its JVM starts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.choose import WhenNeeded
from nl2fix.sandboxes.idle import Idle
from nl2fix.sandboxes.sandbox import Runtime, Sandbox
from nl2fix.sandboxes.settings import of
from nl2fix.validation.jvm import program
from nl2fix.validation.jvm.worker import Build, Classes, JavaWorker, Spec, start
from nl2fix.validation.jvm.workspace import Workspace

_DEEP = "-Xss16m"
"""javac goes as deep as a text has parts."""


class Workers:
    """Thread-safe."""

    def __init__(
        self,
        environment: Environment,
        shared: Sequence[Path] = (),
        sandbox: Sandbox | None = None,
        compiled: Sequence[Path] = (),
    ) -> None:
        """``shared`` folders are visible (read-only) to all workers.

        Workspaces inside them need no mounts of their own and so can share workers; put nothing there
        that code under test must not see. ``compiled`` folders are visible to workers that only compile:
        workspaces inside them share a warm compiler and nothing else. Without ``sandbox`` the environment
        decides.
        """
        self.environment = environment
        self.shared = tuple(path.resolve() for path in shared)
        """Folders that all workers see."""
        self.compiled = tuple(path.resolve() for path in compiled)
        """Folders that all workers see that only compile."""
        self._given = sandbox
        self._chosen = WhenNeeded(environment)
        self._lock = threading.Lock()
        self._idle = Idle[JavaWorker](3 * environment.jobs)
        self._programs: dict[Path, Path] = {}
        self.templates: dict[Hashable, tuple[str, bytes]] = {}
        """Kinds and class files that challenges are made from, by what they depend on."""
        self.builds: dict[Hashable, Build] = {}
        """Of the last candidates that passed, by what they are built from."""
        self.starts = 0
        """JVMs started so far."""
        self.stops_threads = True
        """Whether JVMs here outlive a test that does not end; learned from the first that does not."""
        self.lives: Callable[[str], None] = lambda test: None
        """Called with the test that runs, often, by whatever thread waits for a worker."""

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox, chosen when first needed."""
        return self._given or self._chosen()

    def runtime(self, jdk: str = "") -> Runtime:
        """The JDK inside; ``jdk`` names a certain one."""
        return self.sandbox.runtime("java", jdk)

    def spec(self, workspace: Workspace) -> Spec:
        """How workers for a workspace are started."""
        runtime = self.runtime(workspace.jdk)
        overlay = _overlay(workspace)
        folders = (*workspace.classes, *workspace.test_classes, *workspace.libraries)
        properties = tuple(f"-D{key}={value}" for key, value in sorted(workspace.system_properties.items()))
        return Spec(
            jdk=runtime.home,
            jvm_arguments=(*workspace.jvm_arguments, *properties),
            environment=tuple(sorted(workspace.environment.items())),
            working_directory=workspace.path(workspace.working_directory),
            overlay=overlay,
            read_only=self._visible(runtime, [workspace.path(folder) for folder in folders], overlay),
            hosts=tuple(sorted(workspace.hosts.items())),
            memory_mb=of(self.environment).memory,
        )

    def class_folder(self, workspace: Workspace) -> str:
        """Where a worker may write an edit's class files: the class folder, if it has a copy of its own."""
        folder = workspace.path(workspace.classes[0])
        copied = any(folder.is_relative_to(directory) for directory in _overlay(workspace))
        return str(folder) if copied and self.sandbox.keeps_writes_apart else ""

    def compiling(self, jdk: str, visible: Sequence[Path]) -> Spec:
        """How a worker that only compiles is started; ``visible`` are the class path's entries."""
        runtime = self.runtime(jdk)
        return Spec(
            runtime.home,
            jvm_arguments=(_DEEP,),
            compiles=True,
            read_only=self._visible(runtime, visible, compiles=True),
            memory_mb=of(self.environment).memory,
        )

    def _visible(
        self, runtime: Runtime, paths: Sequence[Path], overlay: Sequence[Path] = (), compiles: bool = False
    ) -> tuple[Path, ...]:
        """What must be mounted so that ``paths`` can be seen and the JDK works."""
        wanted = [*paths, *runtime.mounts]
        common = (*self.shared, *self.compiled) if compiles else self.shared
        covered = (*common, *overlay, *self.sandbox.shows)
        uncovered = {path for path in wanted if not any(path.is_relative_to(folder) for folder in covered)}
        return tuple(sorted({*uncovered, *common}))

    @contextmanager
    def lent(self, spec: Spec, classes: Classes) -> Iterator[JavaWorker]:
        """A warm worker with its class path open; ended afterwards if an error left it in doubt."""
        worker = self.take(spec, classes)
        try:
            yield worker
        except BaseException:
            worker.close()
            raise
        self.give_back(worker)

    def take(self, spec: Spec, classes: Classes) -> JavaWorker:
        """A warm worker, started now if none is idle. To be given back or closed."""
        return self._idle_one(spec, classes) or self._opened(self._started(spec), classes)

    def confirmer(self, spec: Spec, classes: Classes) -> JavaWorker | None:
        """An idle worker that has only confirmed candidates, all of which met their challenges."""
        return self._idle_one(replace(spec, verifies=True), classes)

    def fresh(self, spec: Spec, classes: Classes) -> JavaWorker:
        """A JVM that has run nothing yet, with no short cuts. To be closed, or given back as a confirmer."""
        return self._opened(self._started(replace(spec, verifies=True)), classes)

    def give_back(self, worker: JavaWorker) -> None:
        """Keep a worker for the next taker; the longest idle one goes when there are too many."""
        self._idle.keep(worker)

    def close(self) -> None:
        """End all workers; whoever still works with one loses it and gets no other."""
        self._idle.close()
        self._chosen.close()

    def look(self) -> None:
        """``InfrastructureError`` once they are closed, for who waits for something else than a worker."""
        if self._idle.closed:
            raise InfrastructureError("its workers were closed meanwhile")

    def _idle_one(self, spec: Spec, classes: Classes) -> JavaWorker | None:
        worker = self._idle.take(lambda each: each.spec == spec and each.process.poll() is None)
        with suppress(InfrastructureError):  # what an earlier workspace left may stand in its way
            return self._opened(worker, classes) if worker else None
        return None

    def _opened(self, worker: JavaWorker, classes: Classes) -> JavaWorker:
        worker.lives = self.lives
        try:
            worker.open(classes)
        except InfrastructureError:
            worker.close()
            raise
        return worker

    def _started(self, spec: Spec) -> JavaWorker:
        sandbox = self.sandbox
        with self._lock:
            self.starts += 1
            if spec.jdk not in self._programs:
                self._programs[spec.jdk] = program.archive(sandbox, spec.jdk, self.environment.cache)
            worker_program = self._programs[spec.jdk]
        return start(sandbox, spec, worker_program)


def _overlay(workspace: Workspace) -> tuple[Path, ...]:
    """Folders that a worker may write to and that are thrown away with it."""
    directory = workspace.path(workspace.working_directory)
    return () if directory == Path("/tmp") else (directory,)
