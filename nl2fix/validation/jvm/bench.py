"""One workspace on the bench: compiles edits of its file and runs tests on them, warm or fresh."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

from nl2fix.core.changes import edited_files
from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Problem, SourceFile
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import top_level_types
from nl2fix.validation.jvm.alone import Turn, alone, together
from nl2fix.validation.jvm.ids import is_for, is_made
from nl2fix.validation.jvm.worker import (
    Build,
    Classes,
    ClassFile,
    Item,
    JavaWorker,
    Phase,
    Plan,
    Report,
    Spec,
    TestOutcome,
    WorkerLost,
)
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import TestClass, Workspace

EditedTexts = tuple[str, ...]
"""Texts of the files that may be edited, in the order of ``Problem.files``."""

_PACKAGE = re.compile(r"^\s*package\s+([\w$]+(?:\s*\.\s*[\w$]+)*)\s*;", re.MULTILINE)
KILLS = 10
"""Times a signal may end a worker before we ask whether that is the candidate's doing."""
_PROGRAM_SECONDS = 300.0
_BUILDS = 256
"""Builds that are kept, as what passed is observed afterwards."""


@dataclass(frozen=True)
class Expected:
    """How whole test classes must come out, one entry per item behind the first ``skip`` ones."""

    tests: tuple[tuple[str, ...], ...]
    """Ids of each item's tests."""
    tolerated: tuple[str, ...]
    """Ids of tests that may fail."""
    skip: int = 0
    """Number of items before (the trigger tests) that are no whole classes."""

    @property
    def count(self) -> int:
        return sum(map(len, self.tests))

    def ran(self, results: Iterable[TestOutcome]) -> list[Counter[str]]:
        """Ids of the tests that ran, per item."""
        ran: list[Counter[str]] = [Counter() for _ in self.tests]
        for result in results:
            if result.outcome != "S" and result.item >= self.skip:
                ran[result.item - self.skip][result.id] += 1
        return ran

    def failure(self, results: Iterable[TestOutcome]) -> str:
        """A test that failed and may not; empty when there is none."""
        failed = (result.id for result in results if result.outcome in "FC")
        return next((test for test in failed if test not in self.tolerated), "")

    def mismatch(self, results: Sequence[TestOutcome]) -> str:
        """A test that ran less or more often than expected; empty when there is none.

        Tests that could not be made on the baseline may run in place of what was told for them, under the
        same name, too: dynamic tests have that of their factory.
        """
        skipped = {result.id for result in results if result.outcome == "S"}
        for wanted, ran in zip(map(Counter, self.tests), self.ran(results), strict=True):
            lacking, more = wanted - ran, ran - wanted
            made = [
                told for told in lacking if is_made(told, ran) and not any(is_for(told, t) for t in skipped)
            ]
            kept = [test for test in wanted if test in self.tolerated]
            instead = (t for t in more if t in kept or any(is_for(told, t) for told in (*made, *kept)))
            if difference := lacking.keys() - set(made) or more.keys() - set(instead):
                return min(difference)
        return ""

    def mended(self, results: Iterable[TestOutcome]) -> tuple[str, ...]:
        """Tests that passed, in all their runs, and did not on the baseline, or could not be made there."""
        outcomes: dict[str, set[str]] = {}
        for result in results:
            if result.item >= self.skip:
                outcomes.setdefault(result.id, set()).add(result.outcome)
        passed = {test for tests in self.tests for test in tests}.difference(self.tolerated)
        return tuple(sorted(test for test, told in outcomes.items() if told == {"P"} and test not in passed))


class Bench:
    """Owns at most three workers: one that compiles, one that tests, one that confirms. Not thread-safe.

    The compiler never runs a candidate's code: whatever a candidate does to its JVM, javac stays warm.
    """

    def __init__(self, workspace: Workspace, problem: Problem, workers: Workers) -> None:
        self.workspace = workspace
        self.classes = classes_of(workspace)
        self._problem = problem
        self._workers = workers
        self._compiler: JavaWorker | None = None
        self._tester: JavaWorker | None = None
        self._confirmer: JavaWorker | None = None
        self._original: tuple[str, ...] | None = None
        self._hidden: tuple[str, ...] = ()
        self._ran = self._worn = self._lonely = False
        self.trusts = False
        """Whether what runs is the project as it is: a JVM that is silent for long then works."""
        self.starts = 0
        """Fresh JVMs started so far."""

    @property
    def templates(self) -> dict[Hashable, tuple[str, bytes]]:
        """Of challenges: what problems that are judged by the same workers share."""
        return self._workers.templates

    @property
    def unedited(self) -> EditedTexts:
        """The files before any edit."""
        return tuple(self._problem.files.values())

    def original(self) -> tuple[str, ...]:
        """Names of the classes that the unedited file defines.

        Raises ``DataError`` when the unedited file does not compile in this workspace.
        """
        if self._original is None:
            declared = self._declared()
            build = self._unedited = self._compile(self._sources(self.unedited), declared, warm=True)
            if not build.compiled:
                raise DataError(
                    f"{self.workspace.problem}: the unedited {self.workspace.source_file} does not compile "
                    f"as it was prepared: {build.message.splitlines()[0]}"
                )
            names = self._original = tuple(build.classes)
            self._hidden = declared if all(_belongs(name, declared) for name in names) else names
        return self._original

    def _declared(self) -> tuple[str, ...]:
        """Top-level classes of the unedited files as far as they are known before javac has seen them.

        Named at once they let the first compilation share what it learns with all that follow.
        """
        return tuple(
            ".".join(filter(None, [_package(text), name]))
            for text in self.unedited
            for name in sorted(top_level_types(text))
        )

    def compile(self, program: EditedTexts, warm: bool = False) -> Build:
        """Compile the edited files as one; raises ``WorkerLost`` when that ends the compiler.

        ``warm`` allows sharing with earlier compilations, see ``JavaWorker.compile``.
        """
        self.original()
        if program == self.unedited:
            return self._unedited
        return self._compile(self._sources(program), self._hidden, warm)

    def keep(self, program: EditedTexts, build: Build) -> None:
        """Keep a program's build, with what it had compiled again for its users: what passed is observed."""
        builds = self._workers.builds
        builds[self.workspace.root, self._problem.id, program] = build
        if len(builds) > _BUILDS:
            builds.pop(next(iter(builds)), None)

    def kept(self, program: EditedTexts) -> Build | None:
        """The build that was kept of a program."""
        return self._workers.builds.get((self.workspace.root, self._problem.id, program))

    def compile_with(self, program: EditedTexts, others: Mapping[str, str]) -> Build:
        """Compile the edited files and other sources (path → text) of project and tests, as one program."""
        path = self.classes
        everything = Classes((*path.project, *path.tests), (), path.libraries)
        sources = {**others, **self._sources(program)}
        return self._compile(sources, self.original(), classes=everything, seconds=_PROGRAM_SECONDS)

    def compile_apart(self, sources: Mapping[str, str]) -> Build:
        """Compile sources (path → text) that have nothing to do with the edited files."""
        return self._compile(dict(sources), ())

    @cached_property
    def _spec(self) -> Spec:
        return self._workers.spec(self.workspace)

    @cached_property
    def _folder(self) -> str:
        return self._workers.class_folder(self.workspace)

    @cached_property
    def source_files(self) -> tuple[str, ...]:
        """The files that may be edited, relative to their source roots, the problem's own first."""
        main = self.workspace.source_file
        root = self._problem.path.removesuffix(main)
        return (main, *(_below_root(file, root) for file in self._problem.editable))

    def _sources(self, program: EditedTexts) -> dict[str, str]:
        return dict(zip(self.source_files, program, strict=True))

    def duplicate(self, build: Build) -> str:
        """A class that redefines one of another file, of the tests or of a library; empty if none does."""
        for name, item in build.classes.items():
            if item.origin > 0 or (item.origin == 0 and not _belongs(name, self.original())):
                return name
        return ""

    def of_edited_files(self, name: str) -> bool:
        """Whether the edited files defined a class of this name before, or one around it."""
        return _belongs(name, self.original())

    def plan(
        self,
        classes: dict[str, ClassFile],
        phases: Sequence[Phase],
        tolerated: Iterable[str],
        stop: bool = True,
        wall: float = 0.0,
    ) -> Plan:
        """``wall`` bounds the whole run, seconds; 0: what the phases have together."""
        return Plan(
            classes,
            self.original(),
            self._folder,
            tuple(tolerated),
            stop,
            tuple(phases),
            wall or sum(phase.limit.wall for phase in phases),
            rest=self.workspace.tells,
        )

    def run_warm(self, plan: Plan) -> Report:
        """Run in the warm worker; one that an earlier run has worn out is replaced first."""
        if self._worn:
            self.drop_tester()
        return self.run_there(plan)

    def run_there(self, plan: Plan) -> Report:
        """Run in the warm worker, worn out or not."""
        if self._tester is None:
            self._tester = self._workers.take(self._spec, self.classes)
        self._tester.patient = self._lonely or self.trusts
        with self._turn() as turn:
            report = self._tester.run(plan, turn=turn)
        self._ran, self._worn = True, self._worn or bool(report.worn)
        return report

    def run_glance(self, plan: Plan) -> Report:
        """As ``run_warm``, of tests that likely do not end."""
        report = self.run_warm(plan)
        self._workers.stops_threads &= not (report.timed_out and self._worn)
        return report

    def run_proving(self, plan: Plan) -> Report:
        """As ``run_warm``, and looks for loops that never end."""
        return self.run_warm(replace(plan, prove=True))

    def run_fresh(self, plan: Plan) -> Report:
        """Run in a JVM that has done nothing before."""
        return self.run_challenged(plan, None)[0]

    def run_first(self, plan: Plan) -> Report:
        """As ``run_fresh``, in a JVM that is the warm worker from then on."""
        self.drop_tester()
        self._tester = self._fresh()
        return self.run_there(plan)

    def run_challenged(
        self, plan: Plan, challenge: Plan | None, kept: bool = False
    ) -> tuple[Report, Report | None]:
        """As ``run_fresh``; what passes there meets the challenge in the same JVM.

        ``kept``: the JVM may be one that earlier such calls have kept, of this workspace or another, and is
        kept until ``drop_confirmer`` if the tests end, whatever they tell. Whoever keeps it vouches for it.
        """
        with self._turn():
            worker = self._taken_confirmer() if kept else self._fresh()
            worker.patient = self._lonely or self.trusts
            try:
                report = worker.run(plan, again=kept)
                asked = not report.timed_out and (kept or not report.failure)
                answer = worker.run(challenge, again=kept) if challenge and asked else None
                if kept and answer and not (report.worn or answer.worn):
                    self._confirmer = worker
                return report, answer
            finally:
                if worker is not self._confirmer:
                    worker.close()

    def _taken_confirmer(self) -> JavaWorker:
        worker, self._confirmer = self._confirmer, None
        return worker or self._workers.confirmer(self._spec, self.classes) or self._fresh()

    def _fresh(self) -> JavaWorker:
        self.starts += 1
        return self._workers.fresh(self._spec, self.classes)

    def drop_confirmer(self) -> None:
        """End the JVM that confirms; the next confirmation starts another."""
        if self._confirmer is not None:
            self._confirmer.close()
            self._confirmer = None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run all that follows while no other worker on this machine runs."""
        with alone(self._workers.look):
            self._lonely = True
            try:
                yield
            finally:
                self._lonely = False

    @property
    def is_alone(self) -> bool:
        """Whether no other worker on this machine runs now."""
        return self._lonely

    def _turn(self) -> AbstractContextManager[Turn | None]:
        return nullcontext() if self._lonely else together(self._workers.look)

    @property
    def has_tester(self) -> bool:
        """Whether a warm worker that runs tests is there."""
        return self._tester is not None

    @property
    def worn(self) -> bool:
        """Whether the worker that runs tests must not run another candidate."""
        return self._tester is not None and self._worn

    @property
    def warmed_up(self) -> bool:
        """Whether the worker that runs tests next has run some before."""
        return self._ran and not self._worn

    @property
    def glances(self) -> bool:
        """Whether tests that go on for long may be stopped to ask whether they ever end."""
        return self._workers.stops_threads

    def drop_tester(self) -> None:
        """End the worker that runs tests; the next run starts another."""
        if self._tester is not None:
            self._tester.close()
            self._tester = None
        self._ran = self._worn = False

    def abort(self) -> None:
        """End the worker that runs tests while another thread waits for it, which then loses it."""
        if (tester := self._tester) is not None:
            tester.close()

    def drop(self) -> None:
        """End all workers."""
        self.drop_confirmer()
        self.drop_tester()
        self.drop_compiler()

    def drop_compiler(self) -> None:
        """End the worker that compiles; the next compilation starts another."""
        if self._compiler is not None:
            self._compiler.close()
            self._compiler = None

    def close(self) -> None:
        """Hand the warm workers on to the next workspace."""
        if self._worn or (self._tester is not None and self._tester.spec.verifies):
            self.drop_tester()
        for worker in (self._compiler, self._tester, self._confirmer):
            if worker is not None:
                self._workers.give_back(worker)
        self._compiler = self._tester = self._confirmer = None

    def _compile(
        self,
        sources: dict[str, str],
        hidden: Sequence[str],
        warm: bool = False,
        classes: Classes | None = None,
        seconds: float = 60.0,
    ) -> Build:
        w, path = self.workspace, self.classes
        for kill in range(KILLS):
            try:
                if self._compiler is None:
                    entries = (*path.project, *path.tests, *path.libraries, *w.processors)
                    visible = [w.path(entry) for entry in entries]
                    self._compiler = self._workers.take(self._workers.compiling(w.jdk, visible), path)
                with self._turn():
                    self._compiler.open(classes or path)
                    level, options = w.source_level, w.compiler_options
                    return self._compiler.compile(sources, level, options, hidden, warm=warm, seconds=seconds)
            except WorkerLost as lost:
                self.drop_compiler()
                if not lost.killed or kill == KILLS - 1:
                    raise
        raise AssertionError("the last try returns or raises")


def classes_of(workspace: Workspace) -> Classes:
    """The class path of a workspace."""

    def absolute(folders: Sequence[str]) -> tuple[str, ...]:
        return tuple(str(workspace.path(folder)) for folder in folders)

    return Classes(
        absolute(workspace.classes), absolute(workspace.test_classes), absolute(workspace.libraries)
    )


def program_of(problem: Problem, candidate: Candidate) -> EditedTexts:
    """The edited files of a candidate."""
    return tuple({**problem.files, **edited_files(problem, candidate)}.values())


def _below_root(file: SourceFile, root: str) -> str:
    """A file's path below its source root: that of the problem's own file, else as its package says."""
    if file.path.startswith(root):
        return file.path.removeprefix(root)
    parts = [*_package(file.text).split("."), file.path.rpartition("/")[2]]
    return "/".join(filter(None, parts))


def _package(text: str) -> str:
    """Of a source file; empty where it names none."""
    found = _PACKAGE.search(JAVA.strip_comments(text))
    return "" if found is None else re.sub(r"\s", "", found[1])


def items(tests: Iterable[TestClass], isolated: Iterable[str]) -> tuple[Item, ...]:
    """Test classes as the baseline ran them."""
    alone = set(isolated)
    return tuple(Item(test.name, test.methods, test.name in alone) for test in tests)


def trigger_items(ids: Iterable[str], isolated: Iterable[str]) -> tuple[Item, ...]:
    """Trigger tests (``Class::method`` or ``Class``), those of one class together."""
    alone = set(isolated)
    methods: dict[str, list[str]] = {}
    for test in ids:
        name, _, method = test.partition("::")
        methods.setdefault(name, []).append(method)
    return tuple(
        Item(name, () if "" in wanted else tuple(wanted), name in alone) for name, wanted in methods.items()
    )


def _belongs(name: str, owners: Sequence[str]) -> bool:
    return any(name == owner or name.startswith(f"{owner}$") for owner in owners)
