"""Verdicts on the candidates of one problem.

Hop by hop::

    validate ─ _judge ─ _build    compile in a warm compiler; callers compiled again where they can tell
                        _test ─── newly reaches for what no fix needs, or in doubt: straight to _fresh
                                  _warm    trigger tests, then others by their chance to fail, without
                                           the few that take longest; the first failure ends it; what
                                           a flaky test decided, who newly catches errors,
                                           and a regression failure that does not come again or that the
                                           unedited program shares, goes on to _fresh; so does what a
                                           clock decided, behind all others
                                  _fresh   all tests in the baseline's order in a new JVM, or one that
                                           has only confirmed others (while one waits, not much is left
                                           to _warm), with a challenge after it; a
                                           failure must come twice, the second time in a new JVM with
                                           nothing else of ours running
    doubted             a control in the warm worker closes a batch; without it no verdict of ``_warm``
                        since the last one stands, and each is reached again in a JVM of its own

Candidates that compile to equal classes share a verdict. What ends a worker twice is wrong; what a
signal ended is tried again, and held against nobody while the unedited program meets the same end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property

from nl2fix.core.errors import InfrastructureError
from nl2fix.core.records import Candidate, Outcome, Problem, Stage, Verdict
from nl2fix.sandboxes.settings import of
from nl2fix.validation.jvm import aside
from nl2fix.validation.jvm.bench import KILLS, Bench, EditedTexts, Expected, program_of, trigger_items
from nl2fix.validation.jvm.challenge import Challenges, Telling
from nl2fix.validation.jvm.classpath import ClassFinder
from nl2fix.validation.jvm.control import Control
from nl2fix.validation.jvm.ids import covers, declared, is_test
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.powers import Powers
from nl2fix.validation.jvm.trial import Trial, ended, read, unbuilt
from nl2fix.validation.jvm.users import Users
from nl2fix.validation.jvm.worker import Build, Item, Phase, Plan, Report, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import TestClass, Workspace

ATTEMPTS = 2
"""Times a candidate may end its worker before that is held against it."""
_TRIED = 0.5
"""Part of the tests' time that a warm worker spends: 114 regression failures of 21 bugs came in a quarter."""
_LONG = 0.02
"""Seconds of a test class that may be left out there: less does not pay for the JVM that finds a failure."""
_RUNS = 3
"""Most runs in fresh JVMs before a failure stands that is another one each time."""
_AGAIN = 3
"""Times a brief test class runs again that failed in the warm worker."""
_BRIEF = 0.5
"""Seconds."""
_STAGES: tuple[Stage, ...] = ("trigger", "regression")
_UNMET = "a test that must fail in the JVM of this candidate did not"


class JvmSession:
    """Satisfies ``core.protocols.Session`` and ``Vouching``."""

    def __init__(self, workspace: Workspace, problem: Problem, workers: Workers) -> None:
        self.bench = Bench(workspace, problem, workers)
        self._workspace = workspace
        self._problem = problem
        self._timeout = of(workers.environment).timeout
        self._users = Users(self.bench)
        self._control = Control(self.bench, self._timeout)
        self._challenges = Challenges(self.bench)
        self._late = aside.Late(self.bench)
        self._by_code: dict[EditedTexts, Verdict] = {}
        self._by_build: dict[str, Verdict] = {}
        self._failures = Counter(test.partition("::")[0] for test in workspace.trigger_tests)
        """Test class → triggers in it, and candidates that failed there."""
        self._controlled = True
        self._met = True
        """Whether the last candidate that passed met its challenge."""
        self._wrong: Telling | None = None
        """A program that a brief test tells is wrong, where no trigger test does; ``None``: not asked."""
        self._unvouched: dict[str, list[Candidate]] = {}
        """Build → candidates, of verdicts of the warm worker since the last control."""
        self._waiting: dict[str, list[Candidate]] = {}
        """The same of those that a clock stopped: they are judged again behind others."""
        self._stopped: dict[str, Trial] = {}
        """Build → its trial, of those that a clock has stopped beside others."""
        self._distrusted: set[str] = set()
        """Builds that are judged in JVMs of their own."""
        self._doubted: list[Candidate] = []

    def validate(self, candidate: Candidate) -> Verdict:
        """The verdict on a candidate; raises ``InfrastructureError`` when none could be reached."""
        edited = program_of(self._problem, candidate)
        if edited not in self._by_code:
            self._by_code[edited] = self._judge(edited)
        verdict = self._by_code[edited]
        for doubtful in (self._unvouched, self._waiting):
            if (build := verdict.evidence.build_sha256) in doubtful:
                doubtful[build].append(candidate)
        return verdict

    def doubted(self) -> Sequence[Candidate]:
        """Candidates whose verdicts since the last call do not stand."""
        self._vouch()
        doubted, self._doubted = self._doubted, []
        return doubted

    def close(self) -> None:
        """Hand the workers on, where they are sound."""
        self._vouch()
        self.bench.close()

    def _vouch(self) -> None:
        if self._unvouched and not self._control.sound():
            self._doubt()
        self._unvouched.clear()
        self._forget(self._waiting)

    def _doubt(self) -> None:
        """The warm worker is gone or no longer sound: forget what it said since the last control."""
        self.bench.drop_tester()
        self._forget(self._unvouched)

    def _forget(self, gone: dict[str, list[Candidate]]) -> None:
        """Have these verdicts reached again, each in a JVM of its own."""
        for build, candidates in gone.items():
            self._by_build.pop(build, None)
            self._distrusted.add(build)
            self._doubted += candidates
        self._by_code = {
            code: verdict
            for code, verdict in self._by_code.items()
            if verdict.evidence.build_sha256 not in gone
        }
        gone.clear()

    def _judge(self, edited: EditedTexts) -> Verdict:
        try:
            "".join(edited).encode()
        except UnicodeEncodeError as error:
            return unbuilt(f"character {error.start} is a lone surrogate, which no source file can hold")
        self.bench.original()
        build = self._build(edited, warm=True)
        if isinstance(build, Verdict):
            return build
        if build.sha256 not in self._by_build:
            self._by_build[build.sha256] = self._judged(edited, build)
            if failed := self._by_build[build.sha256].evidence.failing_test:
                self._failures[failed.partition("::")[0]] += 1
        verdict = self._by_build[build.sha256]
        if verdict.plausible:
            self.bench.keep(edited, build)
        return replace(verdict, evidence=replace(verdict.evidence, build_seconds=build.seconds))

    def _judged(self, edited: EditedTexts, build: Build) -> Verdict:
        verdict = self._test(edited, build)
        while build.sha256 not in self._waiting and (
            test := self._late.slow_in(verdict, build, self._workspace)
        ):
            self._workspace = aside.without(self._workspace, test)
            verdict = self._test(edited, build)
        return verdict

    def _build(self, edited: EditedTexts, warm: bool) -> Build | Verdict:
        deaths = 0
        while True:
            try:
                with self.bench.alone() if deaths else nullcontext():
                    build = self.bench.compile(edited, warm)
                    name = self.bench.duplicate(build) if build.compiled else ""
                    if build.compiled and not name:
                        build = self._users.rebuilt(edited, build)
                break
            except WorkerLost as lost:
                deaths += 1
                if deaths == ATTEMPTS or lost.killed:
                    self._blame(lost, self._compiles_unedited)
                    outcome = Outcome.TIMEOUT if lost.timed_out else Outcome.UNCOMPILABLE
                    return unbuilt(f"the compiler did not survive it: {lost}", outcome, lost.seconds)
        if build.compiled and not name:
            return build
        message = f"duplicate class: {name}" if name else build.message
        return unbuilt(message, seconds=build.seconds, tells=self._workspace.tells)

    def _test(self, edited: EditedTexts, build: Build) -> Verdict:
        power = self._powers.of(self._edited_classes(build))
        apart = power is not None or build.sha256 in self._distrusted
        trial, stands = (None, False) if apart else self._warm(build)
        if trial is not None and (stands or self._waits(build, trial)):
            return trial.verdict
        separate = self._build(edited, warm=False) if build.warm else build
        if isinstance(separate, Verdict):
            return separate
        if (late := self._stopped.get(build.sha256)) and self._is_late_again(separate, late.test):
            return late.verdict
        trusted = power is None or not power.suspicious
        if trial is None:  # nothing has said yet what fails first
            trial = Trial(self._fresh(separate, "", trusted, self._first))
        verdict = trial.verdict
        if not apart or verdict.plausible:
            confirm = self._confirm if apart else self._confirm_beside
            verdict = self._fresh(separate, trial.test, trusted, confirm)
        spent = 0.0 if verdict is trial.verdict else trial.verdict.evidence.test_seconds
        evidence = replace(verdict.evidence, test_seconds=spent + verdict.evidence.test_seconds)
        if power is not None and power.suspicious:
            evidence = replace(evidence, suspicious=evidence.suspicious or str(power))
        return replace(verdict, evidence=evidence)

    @cached_property
    def _powers(self) -> Powers:
        unedited = self.bench.compile(self.bench.unedited)
        return Powers((item.content for item in unedited.classes.values()), ClassFinder(self.bench.classes))

    def _edited_classes(self, build: Build) -> list[bytes]:
        """The class files of the edited files, without users that were compiled again beside them."""
        return [
            item.content
            for name, item in build.classes.items()
            if item.origin < 0 or self.bench.of_edited_files(name)
        ]

    def _warm(self, build: Build) -> tuple[Trial, bool]:
        """The warm worker's trial and whether it may stand without a fresh JVM's."""
        self._control.learn()
        w = self._workspace
        order = self._promising()
        trial = self._tried(build, order, beside=True)
        if trial.doubtful:
            trial = self._tried_alone(build, order)
        if self._is_broken(trial, build):
            self._doubt()
            return trial, False
        told = not (trial.verdict.plausible or trial.by_clock or trial.test in w.flaky)
        stands = told and not self._powers.swallow(self._edited_classes(build))
        if stands and trial.verdict.evidence.stage == "regression" and trial.verdict.outcome is Outcome.WRONG:
            stands = self._is_its_own(build, trial.test, order)
        if trial.ended:  # twice, the second time in a worker that had run nothing else
            return trial, stands
        if self.bench.worn and not self._control.sound():
            self._doubt()
            return trial, False
        if stands:
            self._unvouched.setdefault(build.sha256, [])
            if trial.verdict.outcome is Outcome.WRONG and self._tells(trial.test):
                self._wrong = self._telling_by(build, trial.test)
        return trial, stands

    def _waits(self, build: Build, trial: Trial) -> bool:
        """Whether a program is left until others are judged, as a clock has stopped it: deciding that again
        may take as long as all of them.
        """
        if trial.by_clock and trial.verdict.outcome is Outcome.TIMEOUT:
            self._stopped[build.sha256] = trial
            self._waiting.setdefault(build.sha256, [])
            return True
        return False

    def _is_late_again(self, build: Build, test: str) -> bool:
        return self._late.again(test, build, self._workspace, TimeLimits(self._timeout))

    def _is_broken(self, trial: Trial, build: Build) -> bool:
        """Whether a class of the JDK can no longer be had in the warm worker.

        One that is set up where the stack ends, or where a thread is stopped, fails whoever needs it later,
        and no control that does not need it tells.
        """
        if not trial.broken or trial.broken in build.classes:
            return False
        return ClassFinder(self.bench.classes)(trial.broken.replace(".", "/")) is None

    def _tried(self, build: Build, order: Sequence[TestClass], beside: bool) -> Trial:
        """Trigger tests, then other classes in this order, in the warm worker."""
        w = self._workspace
        limits = TimeLimits(self._timeout, self.bench.warmed_up, beside)
        triggers = limits.triggers(w)
        expected = Expected(_ids(order), (*self._tolerated, *w.fresh_only), skip=len(triggers.items))
        classes = limits.classes(order, w.isolated)
        glance = limits.glance(w) if self.bench.glances else None
        trial = self._glanced(build, (glance, *classes), expected) if glance else None
        if trial is None:
            trial = self._attempt(build, (triggers, *classes), expected, self.bench.run_warm, _STAGES)
        everything = sum(len(test.tests) for test in w.regression)
        evidence = replace(trial.verdict.evidence, tests_expected=everything)
        return trial._replace(verdict=replace(trial.verdict, evidence=evidence))

    def _glanced(self, build: Build, phases: Sequence[Phase], expected: Expected) -> Trial | None:
        """The trial of an edit whose trigger tests end soon, or are seen never to end; else nobody knows.

        A loop that never ends cost all of its time, and most that are met are such that a second look, at
        what decides whether they go on, proves it in milliseconds.
        """
        trial = self._attempt(build, phases, expected, self.bench.run_glance, _STAGES)
        late = trial.by_clock and trial.verdict.outcome is Outcome.TIMEOUT and not trial.ended
        if not late or trial.verdict.evidence.stage != _STAGES[0]:
            return trial
        proof = self._attempt(build, phases[:1], expected, self.bench.run_proving, _STAGES)
        return _behind(trial, proof) if proof.endless else None

    def _tried_alone(self, build: Build, order: Sequence[TestClass]) -> Trial:
        """The same with nothing else of ours running: beside others a program takes more CPU time, too."""
        if self.bench.worn:
            self._vouch()
        with self.bench.alone():
            self._control.warm_up()
            return self._tried(build, order, beside=False)

    @property
    def _tolerated(self) -> tuple[str, ...]:
        w = self._workspace
        return w.failing + tuple(t for t in w.flaky if not any(covers(d, t) for d in w.trigger_tests))

    def _is_its_own(self, build: Build, test: str, order: Sequence[TestClass]) -> bool:
        """Whether a test that failed fails again, by itself, and passes on the unedited program.

        In the same JVM; in its successor where it is worn out, in which the candidate must fail, too: where
        tests leave threads behind each one is, and each failure took all tests twice more.
        """
        if not self._fails_again(build, test, order):
            return False
        if not self.bench.worn:
            return self._passes_unedited(test, order)
        there = self._controlled and self._succeeded() and self._passes_unedited(test, order)
        return there and self._fails_again(build, test, order)

    def _fails_again(self, build: Build, test: str, order: Sequence[TestClass]) -> bool:
        """Whether a test fails again when it runs by itself, in the same JVM.

        That of a brief class runs several times: tests about threads fail twice by chance on a busy machine.
        """
        its_class = [item for item in order if item.name == test.partition("::")[0]]
        times = _AGAIN if self._is_brief(test) else 1
        alone = trigger_items([declared(test)], self._workspace.isolated)
        there = self._there(build, its_class * times, alone) or ()
        failed = [failed for name, failed in there if name == test]
        return len(failed) >= times and all(failed)

    def _is_brief(self, test: str) -> bool:
        owner = test.partition("::")[0]
        return all(item.seconds < _BRIEF for item in self._workspace.regression if item.name == owner)

    def _passes_unedited(self, test: str, order: Sequence[TestClass]) -> bool:
        """Whether a test passes on the unedited program, in the same JVM after equal classes."""
        if not (self._controlled and self.bench.warmed_up):
            return False
        names = [item.name for item in order]
        owner = test.partition("::")[0]
        until = names.index(owner) + 1 if owner in names else len(names)
        told = self._there(self.bench.compile(self.bench.unedited), order[:until])
        self._controlled = told is not None
        return told is not None and (test, False) in told and (test, True) not in told

    def _succeeded(self) -> bool:
        """Whether the worn warm worker was sound, and has a successor that ran nothing but the control."""
        if not self._control.sound():
            self._doubt()
            return False
        self._control.warm_up()
        return True

    def _there(
        self, build: Build, tests: Sequence[TestClass], only: Sequence[Item] = ()
    ) -> list[tuple[str, bool]] | None:
        """Ids of tests that ran in the warm worker and whether they failed; ``None`` if they do not end.

        Of each class all run, or ``only`` some.
        """
        if not tests or not self.bench.has_tester:
            return None
        phases = TimeLimits(self._timeout, warm=True).classes(tests, self._workspace.isolated)
        if only:
            phases = tuple(replace(phase, items=(*only,) * len(phase.items)) for phase in phases)
        wall = TimeLimits(self._timeout).whole(self._workspace)
        try:
            report = self.bench.run_there(self.bench.plan(build.classes, phases, (), stop=False, wall=wall))
        except WorkerLost:
            self._doubt()
            return None
        if report.timed_out:
            return None
        return [(result.id, result.outcome in "FC") for result in report.results]

    def _fresh(self, build: Build, seen: str, trusted: bool, run_all: Callable[[Build], Trial]) -> Verdict:
        """All tests once more, in the baseline's order, in a JVM that has done nothing else.

        A failure must come again while nothing else of ours runs: of the same test, or of the one that was
        ``seen`` to fail before, or a third time. What is not ``trusted`` and ends its JVM, or does not end,
        is not waited for again.
        """
        before = {seen} - {""}
        for run in range(_RUNS):
            with self.bench.alone() if run else nullcontext():
                trial = run_all(build)
            ends = trial.by_clock or trial.ended
            if trial.verdict.plausible or (ends and not trusted):
                break
            if run and (ends or trial.test in before):
                break
            before.add(trial.test)
        evidence = trial.verdict.evidence
        w = self._workspace
        runs = tuple(f"{trigger}[" for trigger in w.trigger_tests)  # with parameters they may be new
        mended = tuple(test for test in evidence.mended if test not in w.flaky and not test.startswith(runs))
        confirmed = replace(evidence, confirmed=trial.verdict.plausible, mended=mended)
        return replace(trial.verdict, evidence=confirmed)

    def _first(self, build: Build) -> Trial:
        """Trigger tests, then all others, as in a warm worker, in a JVM of its own."""
        w = self._workspace
        limits = TimeLimits(self._timeout)
        triggers = limits.triggers(w)
        expected = Expected(_ids(w.regression), (*self._tolerated, *w.fresh_only), skip=len(triggers.items))
        phases = (triggers, *limits.classes(w.regression, w.isolated))
        return self._attempt(build, phases, expected, self.bench.run_fresh, _STAGES)

    def _confirm_beside(self, build: Build) -> Trial:
        """As ``_confirm``, in a JVM that has confirmed others, all of which met their challenges.

        Only where tests do the same in any JVM, some wrong program tells that a JVM is sound, and neither the
        unedited one nor the candidate works with what outlives a run. What is decided alone has a JVM of its
        own; so has, again, who misses the challenge.
        """
        w = self._workspace
        varies = w.fresh_only or w.flaky or self._powers.lasting or not self._telling().items
        if varies or not self._met or self.bench.is_alone:
            return self._confirm(build)
        trial, unmet = self._challenged(build, kept=True)
        if not unmet:
            return trial
        self.bench.drop_confirmer()
        if unmet == "told":
            self._wrong = Telling()
        return self._confirm(build)

    def _telling(self, kept: bool = True) -> Telling:
        """A program that is known to be wrong: the unedited one where trigger tests tell so.

        For a JVM that is ``kept``, where there are none, by a test that fails today, or else a candidate:
        each passing edit of a project whose tests take seconds had a JVM of its own.
        """
        w, unedited = self._workspace, self.bench.compile(self.bench.unedited)
        if self._control.tells_the_bug:
            return Telling(unedited.classes, trigger_items(w.trigger_tests, w.isolated))
        if not kept or w.trigger_tests:
            return Telling()
        if self._wrong is None:
            failing = next(filter(self._tells, w.failing), "")
            self._wrong = self._telling_by(unedited, failing) if failing else Telling()
        return self._wrong

    def _tells(self, test: str) -> bool:
        return is_test(test) and self._is_brief(test)

    def _telling_by(self, build: Build, test: str) -> Telling:
        return Telling(build.classes, trigger_items([declared(test)], self._workspace.isolated))

    def _confirm(self, build: Build) -> Trial:
        trial, unmet = self._challenged(build)
        if not trial.verdict.plausible or not unmet or (unmet == "told" and self._bug_hides):
            return trial
        evidence = replace(trial.verdict.evidence, stage="confirm", message=_UNMET, suspicious=_UNMET)
        return Trial(Verdict(Outcome.WRONG, evidence))

    def _challenged(self, build: Build, kept: bool = False) -> tuple[Trial, str]:
        """All tests, then a challenge for what passes or leaves a JVM to others, and what was not met."""
        w = self._workspace
        expected = Expected(_ids(w.regression), self._tolerated)
        phases = TimeLimits(self._timeout).classes(w.regression, w.isolated)
        unmet = ""

        def run(plan: Plan) -> Report:
            nonlocal unmet
            challenge = self._challenges.draw(self._telling(kept))
            report, answer = self.bench.run_challenged(plan, challenge.plan, kept)
            unmet = "" if answer is None else challenge.unmet(answer)
            return report

        trial = self._attempt(build, phases, expected, run, ("confirm",))
        if trial.verdict.plausible:
            self._met = not unmet
        return trial, unmet

    @cached_property
    def _bug_hides(self) -> bool:
        """Whether the trigger tests pass on the unedited program behind all others in a fresh JVM."""
        w = self._workspace
        phases = TimeLimits(self._timeout).classes(w.regression, w.isolated)
        every = [name for test in w.regression for name in (test.name, *test.tests)]
        classes = self.bench.compile(self.bench.unedited).classes
        plan = self.bench.plan(classes, phases, every, wall=TimeLimits(self._timeout).whole(w))
        challenge = self._challenges.draw(self._telling(kept=False))
        _, answer = self.bench.run_challenged(plan, challenge.plan)
        return answer is None or challenge.unmet(answer) == "told"

    def _promising(self) -> list[TestClass]:
        """What a warm worker runs behind trigger tests: classes that failed before, the cheap ones first.

        The others are left to the fresh JVM, which runs all: who passes the trigger tests likely passes all.
        Where there are no trigger tests all run but what takes more than its part of the time.
        """
        order = sorted(self._workspace.regression, key=self._promise)
        if self._workspace.trigger_tests:
            return [test for test in order if self._failures[test.name]]
        left = _TRIED * sum(test.seconds for test in order)
        chosen = []
        for test in order:
            if test.seconds <= max(left, _LONG) or self._failures[test.name]:
                chosen.append(test)
                left -= test.seconds
        return chosen

    def _promise(self, test: TestClass) -> float:
        return (test.seconds + 0.01) / (1 + 10 * self._failures[test.name])

    def _attempt(
        self,
        build: Build,
        phases: Sequence[Phase],
        expected: Expected,
        run: Callable[[Plan], Report],
        stages: Sequence[Stage],
    ) -> Trial:
        wall = TimeLimits(self._timeout).whole(self._workspace)
        plan = self.bench.plan(build.classes, phases, expected.tolerated, wall=wall)
        deaths = kills = 0
        while True:
            try:
                return read(run(plan), expected, build, stages, self._workspace.tells)
            except WorkerLost as lost:
                if run in (self.bench.run_warm, self.bench.run_glance, self.bench.run_proving):
                    self._doubt()
                deaths, kills = deaths + (not lost.killed), kills + lost.killed
                if lost.timed_out or deaths == ATTEMPTS or kills == KILLS:
                    self._blame(lost, self._runs_unedited)
                    return ended(lost, expected, build, stages[0])

    def _blame(self, lost: WorkerLost, unedited: Callable[[], object]) -> None:
        """Hold a signal's work against the candidate only if the unedited program lives."""
        if lost.killed:
            try:
                unedited()
            except WorkerLost as again:
                raise InfrastructureError(f"something ends the JVMs here: {again}") from again

    def _compiles_unedited(self) -> None:
        self.bench.compile_apart(dict(zip(self.bench.source_files, self.bench.unedited, strict=True)))

    def _runs_unedited(self) -> None:
        w = self._workspace
        classes = self.bench.compile(self.bench.unedited).classes
        phases = TimeLimits(self._timeout).classes(w.regression, w.isolated)
        wall = TimeLimits(self._timeout).whole(w)
        self.bench.run_fresh(self.bench.plan(classes, phases, (), stop=False, wall=wall))


def _behind(earlier: Trial, trial: Trial) -> Trial:
    """A trial with the time that an earlier one of the same tests has taken."""
    evidence = trial.verdict.evidence
    spent = earlier.verdict.evidence.test_seconds + evidence.test_seconds
    return trial._replace(verdict=replace(trial.verdict, evidence=replace(evidence, test_seconds=spent)))


def _ids(tests: Sequence[TestClass]) -> tuple[tuple[str, ...], ...]:
    return tuple(test.tests for test in tests)
