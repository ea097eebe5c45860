"""Preparing workspaces: compile a project into class folders and measure its tests on the reference fix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Problem
from nl2fix.validation.jvm.baseline import JvmBaseline, Outcomes, Run, collect, covered
from nl2fix.validation.jvm.bench import Bench, EditedTexts, program_of, trigger_items
from nl2fix.validation.jvm.busy import busy
from nl2fix.validation.jvm.ids import covers
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.users import Users
from nl2fix.validation.jvm.worker import Build, Classes, ClassFile, Phase, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

_SAYS = {
    "fails with the fix": "trigger test {} fails with the fix",
    "passes with the bug": "trigger test {} passes with the bug",
    "undeclared": "{} fails with the bug but is no declared trigger test",
}


@dataclass(frozen=True)
class Mismatch:
    """A test that did not come out as declared."""

    kind: Literal["fails with the fix", "passes with the bug", "undeclared"]
    test: str

    @property
    def of_trigger(self) -> bool:
        """Whether a declared trigger test does not tell bug and fix apart."""
        return self.kind != "undeclared"

    def __str__(self) -> str:
        return _SAYS[self.kind].format(self.test)


@dataclass(frozen=True)
class MeasuredWorkspace:
    """A workspace with its baseline, and what did not come out as declared."""

    workspace: Workspace
    differences: tuple[Mismatch, ...]
    """Empty when exactly the trigger tests tell bug and fix apart."""


def compile_project(
    workers: Workers,
    sources: Mapping[str, str],
    into: Path,
    *,
    class_path: Sequence[Path] = (),
    level: str = "8",
) -> None:
    """Compile sources (path → text) and write their classes below ``into``.

    Raises ``DataError`` with the first compiler messages, and writes nothing then. Class path entries
    inside the shared folders of ``workers`` let many small projects share one warm compiler.
    """
    build = compile_into(workers, sources, into, class_path=class_path, level=level)
    if not build.compiled:
        raise DataError(f"cannot compile {next(iter(sources), 'nothing')}: {build.message}")


def compile_into(
    workers: Workers,
    sources: Mapping[str, str],
    into: Path,
    *,
    class_path: Sequence[Path] = (),
    level: str = "8",
    options: Sequence[str] = (),
    partly: bool = False,
) -> Build:
    """The same, with what the compiler says; nothing is raised.

    Classes of sources that compile ``partly`` are written even where others do not, if the JDK can.
    """
    visible = [path.resolve() for path in class_path]
    classes = Classes((), (), tuple(map(str, visible)))
    with workers.lent(workers.compiling("", visible), classes) as worker:
        build = worker.compile(dict(sources), level, options, partly=partly, seconds=600.0)
        worker.opened = None  # what is compiled next may need what is written now
    for name, item in build.classes.items():
        file = into / f"{name.replace('.', '/')}.class"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(item.content)
    return build


def measure_baseline(
    workers: Workers, workspace: Workspace, problem: Problem, reference: Candidate, tests: Iterable[str]
) -> MeasuredWorkspace:
    """Run test classes on the reference fix and on the buggy program; fill in what the validator needs.

    ``tests`` are the relevant test classes (those of the declared trigger tests are added). Without
    declared trigger tests those that the fix mends become the trigger tests. Nothing is saved.
    Raises ``DataError`` when unedited file or reference do not compile, the tests do not end, or no
    test tells bug and fix apart.
    """
    names = dict.fromkeys([*tests, *(test.partition("::")[0] for test in workspace.trigger_tests)])
    bench = Bench(workspace, problem, workers)
    bench.trusts = True
    try:
        return _measure(bench, tuple(names), program_of(problem, reference))
    except WorkerLost as lost:
        bench.drop()
        raise DataError(f"{workspace.problem}: tests of the reference fix end their JVM: {lost}") from lost
    finally:
        bench.close()


def _measure(bench: Bench, names: Sequence[str], fixed_program: EditedTexts) -> MeasuredWorkspace:
    fixed = JvmBaseline(bench, _compiled(bench, fixed_program, "reference fix"))
    outcomes = fixed.measure(names)
    varies = fixed.may_be_flaky(outcomes)
    workspace = replace(
        bench.workspace,
        regression=outcomes.regression,
        failing=tuple(sorted(outcomes.failed)),
        isolated=outcomes.isolated,
    )
    buggy = WithBug(bench, workspace, _compiled(bench, bench.unedited, "unedited program"))
    disturbed = buggy.disturbed(varies)
    mended = disturbed or buggy.failed()
    if not mended:
        raise DataError(
            f"{workspace.problem} has no trigger test: none fails with the bug and passes with the fix"
        )
    # What passes disturbed with the bug does with the fix; of what the fix mends nobody knows yet.
    unknown = outcomes.of(mended) if disturbed else outcomes
    differences = tuple(_differences(workspace, mended))
    workspace = replace(workspace, trigger_tests=workspace.trigger_tests or tuple(sorted(mended)))
    return MeasuredWorkspace(_when_warm(bench, fixed, workspace, unknown, varies), differences)


def _when_warm(
    bench: Bench, fixed: JvmBaseline, workspace: Workspace, unknown: Outcomes, varies: bool
) -> Workspace:
    """With what the trigger tests take in a warm worker, and which tests do otherwise there or elsewhere."""
    triggers = trigger_items(workspace.trigger_tests, workspace.isolated)
    first = fixed.run(bench.run_warm, triggers, first=len(triggers))
    otherwise = fixed.otherwise(unknown, first.failed, varies)
    return replace(
        workspace,
        trigger_seconds=first.first_seconds,
        fresh_only=tuple(sorted(otherwise.warm)),
        flaky=tuple(sorted(otherwise.flaky)),
    )


def _compiled(bench: Bench, program: EditedTexts, what: str) -> dict[str, ClassFile]:
    bench.original()
    build = bench.compile(program)
    if build.compiled and program != bench.unedited:
        build = Users(bench).rebuilt(program, build)
    if not build.compiled:
        raise DataError(f"{bench.workspace.problem}: the {what} does not compile: {build.message}")
    return build.classes


class WithBug:
    """Runs the tests of a measured workspace on the unedited program."""

    def __init__(self, bench: Bench, workspace: Workspace, classes: dict[str, ClassFile]) -> None:
        self._bench = bench
        self._workspace = workspace
        self._classes = classes
        self._known = set(workspace.failing)

    def disturbed(self, varies: bool) -> set[str]:
        """The same as ``failed`` in the opposite order, beside a busy machine where that ``varies``.

        Empty where that is not just the declared trigger tests, so that order or machine may be to blame.
        """
        w = self._workspace
        if not w.trigger_tests:
            return set()
        backwards = TimeLimits().classes(w.regression[::-1], w.isolated)
        try:
            with busy() if varies else nullcontext():
                failed = self._run(backwards, self._bench.run_warm)
        except DataError:  # it may be so in this order only
            return set()
        return set() if any(_differences(w, failed)) else failed

    def failed(self) -> set[str]:
        """Tests that fail with the bug and pass with the fix."""
        w = self._workspace
        everything = TimeLimits().classes(w.regression, w.isolated)
        failed = self._run(everything, self._bench.run_warm)
        if not failed or self._passing(failed):
            # Some bugs show only where classes are verified, or before anything else has run.
            failed = self._run(everything, self._bench.run_fresh)
        if self._passing(failed):
            # Some only where the trigger tests run first, as they do when candidates are judged.
            triggers = TimeLimits().triggers(w)
            first = [Phase(triggers.limit, (item,)) for item in triggers.items]
            failed |= self._run(first, self._bench.run_fresh)
        return failed

    def _passing(self, failed: set[str]) -> bool:
        """Whether some declared trigger test is not among the failed tests."""
        return any(not covered(declared, failed) for declared in self._workspace.trigger_tests)

    def _run(self, phases: Sequence[Phase], run: Run) -> set[str]:
        """Tests that fail, of one item a phase. One that never ends fails."""
        rest, failed = tuple(phases), set[str]()
        while rest:
            outcomes, running, done = self._part(rest, run)
            failed |= outcomes.failed
            if running:
                failed.add(running)
            rest = rest[done + bool(running) :]
        return failed - self._known

    def _part(self, phases: Sequence[Phase], run: Run) -> tuple[Outcomes, str, int]:
        """Run until the end or a test that never ends: that test, and the number of items before it."""
        wall = TimeLimits().whole(self._workspace)
        try:
            report = run(self._bench.plan(self._classes, phases, (), stop=False, wall=wall))
        except WorkerLost as lost:
            self._bench.drop()
            where = f"{self._workspace.problem}: {lost.test or 'a test'}"
            raise DataError(f"{where} ends its JVM on the unedited program: {lost}") from lost
        outcomes = collect(report, [item for phase in phases for item in phase.items])
        return outcomes, report.running if report.timed_out else "", len(report.seconds)


def _differences(workspace: Workspace, mended: set[str]) -> Iterable[Mismatch]:
    """Where declared and measured trigger tests differ; nothing without declared ones."""
    if not workspace.trigger_tests:
        return
    for declared in workspace.trigger_tests:
        if not covered(declared, mended):
            fails = covered(declared, workspace.failing)
            yield Mismatch("fails with the fix" if fails else "passes with the bug", declared)
    for test in sorted(mended):
        if not any(covers(declared, test) for declared in workspace.trigger_tests):
            yield Mismatch("undeclared", test)
