"""Java projects given as plain source texts → workspaces for the JVM validator.

A project is compiled and its tests measured once; the workspace then lies in a folder named after the
problem and a hash of everything it depends on (sources, tests, reference, libraries, JDK, worker
program). So a changed project or JDK is prepared anew by itself, what is prepared is never touched, and
as a folder gets its name only when it is complete, preparation may be killed at any moment. All
workspaces of a suite lie in one folder and use no folder of their own, so few warm JVMs serve all.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from nl2fix.core import outside
from nl2fix.core.changes import edited_files
from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, InfrastructureError, StorageError
from nl2fix.core.files import write_bytes_atomically
from nl2fix.core.protocols import Progress
from nl2fix.core.records import Candidate, Problem, sha256_text
from nl2fix.core.threads import side_by_side
from nl2fix.validation.jvm import workspace as workspaces
from nl2fix.validation.jvm.prepare import compile_project, measure_baseline
from nl2fix.validation.jvm.program import sources_sha256
from nl2fix.validation.jvm.validator import JvmValidator
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

VERSION = 4
"""Raised when the same project would be prepared differently."""
_ABANDONED_SECONDS = 86_400.0
_NO_SUCH_LEVEL = re.compile(
    r"(invalid|unsupported) (source|target) release|release version \S+ not supported"
)


@dataclass(frozen=True)
class JavaProject:
    """What it takes to compile and test one problem. ``/`` separates folders in all paths."""

    problem: Problem
    reference: Candidate
    source_file: str
    """The edited file, relative to the source root; its text is the problem's."""
    sources: Mapping[str, str]
    """The other files, relative to the source root, and their texts."""
    tests: Mapping[str, str]
    """Files of the tests, relative to their source root, and their texts."""
    test_classes: tuple[str, ...]
    """Binary names of the test classes."""
    levels: tuple[str, ...]
    """Source levels, best first; the first that the JDK knows is used."""
    trigger_tests: tuple[str, ...] = ()
    """Empty: those that the reference mends."""
    tells: bool = False
    """Whether verdicts carry all the output of compiler and failed tests."""


class PlainJava:
    """Prepares the projects of one suite and makes their validator."""

    def __init__(
        self,
        suite: str,
        environment: Environment,
        project: Callable[[Problem], JavaProject],
        libraries: Sequence[Path] = (),
    ) -> None:
        """``project`` gives a problem's project; ``libraries`` are on every class path."""
        self._folder = (environment.cache / "workspaces" / suite).resolve()
        self._environment = environment
        self._project = outside.giving(JavaProject, project)
        self._libraries = tuple(libraries)
        self._lock = threading.Lock()
        self._common: str | None = None

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """As ``Suite.prepare``. A full disk or a missing JDK ends it all with one error."""
        workers = self._workers()
        errors: dict[str, str] = {}
        try:
            targets = {problem.id: self._target(problem, workers) for problem in problems}
            waiting = [p for p in problems if not (targets[p.id] / workspaces.FILE_NAME).is_file()]
            first = len(problems) - len(waiting) + 1

            def work(problem: Problem) -> str:
                return self._prepare(problem, targets[problem.id], workers)

            with side_by_side(work, waiting, jobs, "prepare") as prepared:
                for done, (problem, future) in enumerate(prepared, first):
                    if error := future.result():
                        errors[problem.id] = error
                    progress(done, len(problems), problem.id)
        finally:
            workers.close()
        return {problem.id: errors[problem.id] for problem in problems if problem.id in errors}

    def validator(self) -> JvmValidator:
        workers = self._workers()
        return JvmValidator(lambda problem: self._target(problem, workers), workers)

    def made(self, problems: Sequence[Problem]) -> dict[str, list[Path]]:
        """As ``core.protocols.Made``."""
        libraries = [self._folder / jar.name for jar in self._libraries]
        with closing(self._workers()) as workers:
            targets = {problem.id: self._target(problem, workers) for problem in problems}
        prepared = {ident: path for ident, path in targets.items() if (path / workspaces.FILE_NAME).is_file()}
        return {ident: [path, *libraries] for ident, path in prepared.items()}

    def _workers(self) -> Workers:
        self._folder.mkdir(parents=True, exist_ok=True)
        return Workers(self._environment, shared=[self._folder])

    def _target(self, problem: Problem, workers: Workers) -> Path:
        """The folder of a problem's workspace, prepared or not."""
        with self._lock:
            if self._common is None:
                self._common = self._shared_parts(workers)
        project = self._project(problem)
        parts = [
            self._common,
            problem.text,
            project.reference.apply(problem),
            *(f"{path}\0{text}" for path, text in project.reference.others),
            project.source_file,
            *(f"{name}\0{text}" for name, text in sorted(project.sources.items())),
            *(f"{name}\0{text}" for name, text in sorted(project.tests.items())),
            repr((project.test_classes, project.levels, project.trigger_tests, project.tells)),
        ]
        safe = re.sub(r"[^A-Za-z0-9.-]", "-", problem.id)
        key = sha256_text("\0".join(parts))[:16]
        return self._folder / f"{safe}-{key}"

    def _shared_parts(self, workers: Workers) -> str:
        """What all workspaces of the suite depend on."""
        jars = (f"{jar.name}\0{hashlib.sha256(jar.read_bytes()).hexdigest()}" for jar in self._libraries)
        return "\0".join([str(VERSION), sources_sha256(), workers.runtime().identity, *jars])

    def _prepare(self, problem: Problem, target: Path, workers: Workers) -> str:
        """Prepare one problem; returns why that is impossible, or nothing."""
        _sweep(target)
        try:
            unfinished = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=self._folder))
            try:
                unfinished.chmod(0o755)
                self._build(self._project(problem), unfinished, workers)
                _rename(unfinished, target)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
        except StorageError as error:
            raise StorageError(f"{error}; free space or set --cache") from error
        except (DataError, InfrastructureError) as error:
            return " ".join(str(error).split())
        except OSError as error:
            reason = f"cannot write {error.filename or target}: {error.strerror}"
            raise StorageError(f"{reason}; free space or set --cache") from error
        return ""

    def _build(self, project: JavaProject, root: Path, workers: Workers) -> None:
        libraries = [self._library(jar) for jar in self._libraries]
        level, stub = _compile(project, root, libraries, workers)
        _check_tests(project, root / "test-classes")
        _write(root / "sources", {**project.sources, project.source_file: project.problem.text})
        _write(root / "test-sources", project.tests)
        described = Workspace(
            root=root,
            problem=project.problem.id,
            source_file=project.source_file,
            source_level=level,
            classes=("classes",),
            test_classes=("test-classes",),
            libraries=tuple(f"../{jar.name}" for jar in libraries),
            sources=("sources", "test-sources"),
            working_directory="/tmp",
            trigger_tests=project.trigger_tests,
            stub=stub,
            tells=project.tells,
        )
        measured = measure_baseline(
            workers, described, project.problem, project.reference, project.test_classes
        )
        if measured.differences:
            raise DataError("; ".join(map(str, measured.differences)))
        if measured.workspace.failing:
            raise DataError(f"the reference fails {', '.join(measured.workspace.failing)}")
        measured.workspace.save()

    def _library(self, jar: Path) -> Path:
        """The jar's copy beside the workspaces, where every worker can see it."""
        copy = self._folder / jar.name
        with self._lock:
            if not copy.is_file() or copy.stat().st_size != jar.stat().st_size:
                write_bytes_atomically(copy, jar.read_bytes())
        return copy


def _compile(
    project: JavaProject, root: Path, libraries: Sequence[Path], workers: Workers
) -> tuple[str, bool]:
    """Compile project and tests at the best level that the JDK knows.

    Returns that level, and whether the tests compile only beside the reference.
    """
    sources = {**project.sources, project.source_file: project.problem.text}
    best = project.levels[0]
    for level in project.levels:
        try:
            compile_project(workers, sources, root / "classes", class_path=libraries, level=level)
            stub = _compile_tests(project, root, libraries, workers, level)
        except DataError as error:
            if _NO_SUCH_LEVEL.search(str(error)):
                continue
            if level == best:
                raise
            raise DataError(f"perhaps needs JDK {best}, this one knows {level} at most: {error}") from error
        return level, stub
    raise DataError(f"needs JDK {project.levels[-1]} or newer; install one or point JAVA_HOME at it")


def _compile_tests(
    project: JavaProject, root: Path, libraries: Sequence[Path], workers: Workers, level: str
) -> bool:
    """Compile the tests beside the unedited files or, where those lack what they use, the reference."""
    into, path = root / "test-classes", [root / "classes", *libraries]
    try:
        compile_project(workers, project.tests, into, class_path=path, level=level)
        return False
    except DataError:
        fixed = {**project.sources, project.source_file: project.problem.text, **_edited_below(project)}
        with tempfile.TemporaryDirectory(prefix=".reference.", dir=root.parent) as folder:
            classes = Path(folder)
            classes.chmod(0o755)
            compile_project(workers, fixed, classes, class_path=libraries, level=level)
            compile_project(workers, project.tests, into, class_path=[classes, *libraries], level=level)
    return True


def _check_tests(project: JavaProject, classes: Path) -> None:
    for name in project.test_classes:
        if not (classes / f"{name.replace('.', '/')}.class").is_file():
            there = ", ".join(project.tests) or "none"
            raise DataError(f"no file of its tests has the class {name}; there are: {there}")


def _edited_below(project: JavaProject) -> dict[str, str]:
    """The reference's files, relative to the source root."""
    root = project.problem.path.removesuffix(project.source_file)
    edited = edited_files(project.problem, project.reference)
    return {path.removeprefix(root): text for path, text in edited.items()}


def _write(folder: Path, sources: Mapping[str, str]) -> None:
    for name, text in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _rename(unfinished: Path, target: Path) -> None:
    """Give the folder its name, unless another process was faster."""
    try:
        unfinished.rename(target)
    except OSError:
        if not (target / workspaces.FILE_NAME).is_file():
            raise


def _sweep(target: Path) -> None:
    """Remove what killed preparations of this workspace left behind long ago."""
    for left in target.parent.glob(f".{target.name}.*"):
        if left.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
