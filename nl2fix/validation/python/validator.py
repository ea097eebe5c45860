"""Judges candidates of Python programs; satisfies ``core.protocols.Validator`` and ``Session``.

Plausible means: the tests passed behind the edited files, the same tests as with the reference; in a fresh
interpreter the program failed exactly the assertions that we changed (``challenge``); and there it passed
the tests once more. Edits that compile to equal code, lines apart, share one verdict.

No verdict is the misdeed or the misfortune of another: each program runs in a process of its own; a worker
is used again only when the program before ended by itself and left nothing behind; what was killed from
outside is tried again, and a time-out is confirmed with nothing else running. An edit that newly reaches
for what no fix needs (``suspicion``) gets an interpreter for itself.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from nl2fix.core.changes import edited_files
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.protocols import Progress
from nl2fix.core.records import Candidate, Evidence, Outcome, Problem, Stage, Verdict, sha256_text
from nl2fix.sandboxes.choose import WhenNeeded, choose
from nl2fix.sandboxes.idle import Idle
from nl2fix.sandboxes.sandbox import Sandbox
from nl2fix.sandboxes.settings import of
from nl2fix.validation.python import baseline as baselines
from nl2fix.validation.python.alone import Turns
from nl2fix.validation.python.baseline import PythonBaseline
from nl2fix.validation.python.challenge import PythonChallenge, draw_opposite, draw_telling
from nl2fix.validation.python.client import (
    Ask,
    ForkServer,
    ForkServerLost,
    Hidden,
    ProgramBounds,
    ProgramFiles,
    ProgramResult,
    hidden_of,
    server_text,
    worker_limits,
)
from nl2fix.validation.python.programs import (
    Calls,
    Listen,
    Programs,
    PythonProgram,
    Script,
    checked,
    files_after,
)
from nl2fix.validation.python.suspicion import UNREAD, defines_objects, reaches
from nl2fix.validation.python.witness import PythonWitness

TRIES = 3
"""How often in a row a program must take its interpreter down for that to be its own doing."""
STEADY = 10
"""How often the reference must reach an assertion for a program that missed it to have leapt over it."""
OUTPUT_LINES = 60
Where = Literal["warm", "fresh", "own", "alone"]
"""A worker that other programs have used; a copy of a server in a sandbox where only programs ran that had
passed, made for this one; a sandbox for this program only; and that with nothing else running."""
TAMPERS = "passes its tests, and also tests that expect something else"


class PythonValidator:
    """Thread-safe; workers are started when needed, kept warm, and shared by all sessions."""

    def __init__(
        self,
        environment: Environment,
        programs: Programs,
        make_sandbox: Callable[[Environment], Sandbox] = choose,
    ) -> None:
        """``programs`` gives each problem's tests; the sandbox is made when first needed."""
        self._environment, self._programs = environment, checked(programs)
        self._sandbox = WhenNeeded(environment, make_sandbox)
        self._settings = of(environment)
        self._idle = Idle[ForkServer](environment.jobs)
        self._nurseries = Idle[ForkServer](environment.jobs)
        """Idle servers that make fresh interpreters, each by a copy of themselves."""
        self._turns = Turns()
        self._baselines: dict[str, PythonBaseline] = {}

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """Measure what is not measured; problem id → why its reference does not pass."""
        errors = {}
        with ThreadPoolExecutor(jobs) as pool:
            for done, (problem, measured) in enumerate(
                zip(problems, pool.map(self.baseline, problems), strict=True), 1
            ):
                progress(done, len(problems), problem.id)
                if measured.error is not None:
                    errors[problem.id] = measured.error
        return errors

    def identity(self, problem: Problem) -> dict[str, str]:
        """Code, tests and reference, server program, the interpreter inside, and limits."""
        runtime = self._sandbox().runtime("python", self._settings.python)
        limits = worker_limits(self._settings.memory)
        return {
            "code": sha256_text(json.dumps([problem.files, problem.region, problem.shown])),
            "tests": sha256_text(baselines.key_of(problem, self._programs(problem))),
            "worker program": sha256_text(server_text()),
            "runtime": runtime.identity,
            "limits": f"{self.bounds(problem)}, {limits}",
        }

    @contextmanager
    def session(self, problem: Problem) -> Iterator[PythonSession]:
        yield PythonSession(self, problem, self._programs(problem))

    def states(self, problem: Problem) -> bool:
        """Never: stated examples are read of Java methods only."""
        return False

    @contextmanager
    def witness(self, problem: Problem, most: int) -> Iterator[PythonWitness]:
        """Observes edits of one problem on at most so many calls."""
        program = self._programs(problem)

        def run(
            candidate: Candidate | None, kind: Calls | Listen, wanted: Hidden, seconds: float, apart: bool
        ) -> ProgramResult:
            edit = candidate or Candidate(problem.before)
            task = replace(self._task(problem, program, edit), run=kind)
            bounds = ProgramBounds(seconds, self._settings.memory)
            return self.judge(task, bounds, lambda _: wanted, "own" if apart else "warm")

        yield PythonWitness(problem, program, run, most, varies=self._sandbox().keeps_writes_apart)

    def close(self) -> None:
        """End all workers; whoever still works with one loses it and gets no other."""
        self._idle.close()
        self._nurseries.close()
        self._sandbox.close()

    def baseline(self, problem: Problem) -> PythonBaseline:
        """What the tests do with the reference; measured once and kept in the cache folder."""
        key = self._key(problem)
        if key not in self._baselines:
            file = self._environment.cache / "python" / f"{key}.json"
            self._baselines[key] = baselines.kept(file, lambda: self._measure(problem))
        return self._baselines[key]

    def bounds(self, problem: Problem) -> ProgramBounds:
        seconds = self._settings.timeout or self.baseline(problem).seconds
        return ProgramBounds(seconds, self._settings.memory)

    def judge(
        self, task: ProgramFiles, bounds: ProgramBounds, tests: Ask, where: Where = "warm"
    ) -> ProgramResult:
        """Run a program.

        One that is killed, or takes its worker down, is tried again in fresh workers. When it does that
        three times in a row while an empty program does not, the fault is its own; when the empty program
        is killed, too, that says nothing, and in the end nothing but ``InfrastructureError``.
        """
        losses = 0
        for _ in range(2 * TRIES):
            asking = _Asking(tests)
            try:
                with self._turns.alone() if where == "alone" else self._turns.shared():
                    result = self._judge(task, bounds, asking, where)
            except ForkServerLost as error:
                result = asking.lost(error)
            else:
                if result.outcome != "killed":
                    final = result.clean or where not in ("warm", "fresh") or result.outcome == "passed"
                    return result if final else self.judge(task, bounds, tests, "own")
            where = "own" if where in ("warm", "fresh") else where
            losses = losses + 1 if self._sound(bounds) else 0
            if losses == TRIES:
                return result
        raise InfrastructureError(f"interpreters are killed, even of an empty program: {result.message}")

    def confirm(
        self, task: ProgramFiles, bounds: ProgramBounds, problem: Problem, where: Where, wary: bool
    ) -> ProgramResult | None:
        """Challenge a program that passed, in a fresh interpreter, then run its tests again.

        Who is ``wary`` changes each assertion once, so that no guess passes by luck.
        ``None`` when it did not meet a challenge that the reference meets, without ending its interpreter.
        """
        baseline, unmet_times = self.baseline(problem), 0
        missed = frozenset(baseline.sites)
        place: Where = where if where in ("own", "alone") else "fresh"
        for _ in range(TRIES if baseline.sites else 0):
            unmet = self._unmet(task, bounds, problem, place, wary)
            if unmet is None:
                break
            challenge, answer = unmet
            if answer.outcome in ("timeout", "killed"):
                return answer
            missed &= challenge.missed(answer.marks, missed)
            left = self._left(challenge, answer, bounds, problem, missed)
            if left is None:
                continue
            missed, unmet_times = left, unmet_times + 1
            if unmet_times == TRIES or _denies(answer, challenge, baseline):
                return answer if answer.outcome == "exited" else None
        again = where if where in ("own", "alone") else "warm" if baseline.sites else "fresh"
        return self.judge(task, bounds, lambda _: hidden_of(self._programs(problem)), again)

    def _unmet(
        self, task: ProgramFiles, bounds: ProgramBounds, problem: Problem, place: Where, wary: bool
    ) -> tuple[PythonChallenge, ProgramResult] | None:
        """The first of newly drawn challenges that a program does not meet, and what it did there."""
        program, baseline = self._programs(problem), self.baseline(problem)
        challenges = [draw_telling(program, frozenset(baseline.sites))]
        if wary and len(baseline.sites) > 1:
            challenges.append(draw_opposite(program, challenges[0]))
        answered = ((c, self._challenged(task, bounds, c, place)) for c in challenges)
        return next(((c, answer) for c, answer in answered if not _met(answer, c, baseline)), None)

    def _left(
        self,
        challenge: PythonChallenge,
        answer: ProgramResult,
        bounds: ProgramBounds,
        problem: Problem,
        missed: frozenset[str],
    ) -> frozenset[str] | None:
        """Which of the assertions that a program always ``missed`` the reference always reaches.

        ``None`` where the reference is no better. Which assertions are reached may hang on numbers that tests
        draw: of a program that denied none it counts if the reference passes each time, and that one failed,
        or always reaches something that that one never did.
        """
        program, baseline = self._programs(problem), self.baseline(problem)
        task = self._task(problem, program, program.reference)
        denied, failed = _denies(answer, challenge, baseline), not _passed(answer, baseline)
        for _ in range(1 if denied else STEADY):
            told = self._challenged(task, bounds, challenge, "fresh")
            missed -= challenge.missed(told.marks, missed)
            right = _passed(told, baseline) and not _denies(told, challenge, baseline)
            if not right or not (denied or failed or missed):
                return None
        return missed

    def _challenged(
        self, task: ProgramFiles, bounds: ProgramBounds, challenge: PythonChallenge, where: Where
    ) -> ProgramResult:
        return self.judge(task, bounds, lambda _: challenge.hidden, where)

    def _judge(self, task: ProgramFiles, bounds: ProgramBounds, tests: Ask, where: Where) -> ProgramResult:
        with self._worker(where) as worker:
            return worker.judge(task, bounds, tests, where == "fresh")

    def _sound(self, bounds: ProgramBounds) -> bool:
        """Whether an empty program lives to its end."""
        empty = ProgramFiles({"empty.py": ""}, ("empty.py",), Script(""))
        try:
            return self._judge(empty, bounds, lambda _: Hidden(), "own").outcome == "passed"
        except ForkServerLost:
            return False

    @contextmanager
    def _worker(self, where: Where) -> Iterator[ForkServer]:
        idle = {"warm": self._idle, "fresh": self._nurseries}.get(where)
        sandbox = self._sandbox()
        worker = idle.take() if idle else None
        wanted = self._settings.python
        runtime = sandbox.runtime("python", wanted)
        worker = worker or ForkServer(sandbox, runtime, self._settings.memory, bool(wanted))
        try:
            yield worker
        except BaseException:
            worker.close()
            raise
        if idle is not None and worker.usable:
            idle.keep(worker)
        else:
            worker.close()

    def _key(self, problem: Problem) -> str:
        """Hash of problem, tests, reference, server and interpreter: what a baseline depends on."""
        runtime = self._sandbox().runtime("python", self._settings.python)
        content = baselines.key_of(problem, self._programs(problem))
        return sha256_text(json.dumps([server_text(), runtime.identity, content]))

    def _measure(self, problem: Problem) -> PythonBaseline:
        program = self._programs(problem)
        if not problem.path.endswith(".py"):
            return baselines.without(f"{problem.path} is no Python file")
        task = self._task(problem, program, program.reference)
        seconds = self._settings.timeout or baselines.MEASURING_SECONDS
        bounds = ProgramBounds(seconds, self._settings.memory)
        return baselines.measure(program, lambda hidden: self.judge(task, bounds, lambda _: hidden))

    @staticmethod
    def _task(problem: Problem, program: PythonProgram, candidate: Candidate) -> ProgramFiles:
        files = files_after(problem, candidate)
        others = [path for path in edited_files(problem, candidate) if path != problem.path]
        return ProgramFiles(files, (problem.path, *others), program.run, program.libraries)


class _Asking:
    """Notes what was built, and when it was started: a program that takes its worker down says neither."""

    def __init__(self, tests: Ask) -> None:
        self._tests = tests
        self._built: str | None = None
        self._started = 0.0

    def __call__(self, built: str) -> Hidden | None:
        self._built, self._started = built, time.monotonic()
        return self._tests(built)

    def lost(self, error: ForkServerLost) -> ProgramResult:
        """The end of a program with its worker."""
        seconds = time.monotonic() - self._started if self._built else 0.0
        return ProgramResult(
            "timeout" if error.late else "exited",
            "tests" if self._built else "build",
            f"ended the worker it ran in ({error})",
            seconds,
            build_sha256=self._built,
        )


class PythonSession:
    """Judges candidates of one problem."""

    def __init__(self, validator: PythonValidator, problem: Problem, program: PythonProgram) -> None:
        self._validator, self._problem, self._program = validator, problem, program
        self._baseline, self._bounds = validator.baseline(problem), validator.bounds(problem)
        self._known: dict[str, Verdict] = {}

    def validate(self, candidate: Candidate) -> Verdict:
        problem, validator = self._problem, self._validator
        baseline, bounds = self._baseline, self._bounds
        if baseline.error is not None and baseline.error.startswith(baselines.MISSING):
            raise InfrastructureError(baseline.error)
        edited = edited_files(problem, candidate)
        suspicious = reaches(problem.files, edited)
        where: Where = "warm" if suspicious in (None, UNREAD) else "own"
        wary = where == "own" or defines_objects(problem.files, edited)
        task = validator._task(problem, self._program, candidate)
        remembered: list[Verdict] = []

        def tests(built: str) -> Hidden | None:
            remembered.extend(self._known[built] for _ in range(built in self._known))
            return None if remembered else hidden_of(self._program)

        result = validator.judge(task, bounds, tests, where)
        verdict = remembered[0] if remembered else self._settled(task, bounds, result, where, wary)
        if result.build_sha256:
            self._known[result.build_sha256] = verdict
        if suspicious == UNREAD and not verdict.evidence.built:
            return verdict
        return replace(verdict, evidence=_suspected(verdict.evidence, suspicious))

    def _settled(
        self, task: ProgramFiles, bounds: ProgramBounds, result: ProgramResult, where: Where, wary: bool
    ) -> Verdict:
        """The verdict: time-outs decided again alone, passes challenged and confirmed."""
        baseline = self._baseline
        stage: Stage = "done"
        if result.outcome == "passed" and _complete(result, baseline):
            again = self._validator.confirm(task, bounds, self._problem, where, wary)
            if again is None:
                return _tampering(result, baseline)
            result, stage = replace(again, build_sha256=result.build_sha256), "confirm"
        if result.outcome == "timeout":
            hidden = hidden_of(self._program)
            alone = self._validator.judge(task, bounds, lambda _: hidden, "alone")
            if alone.outcome == "passed" and _complete(alone, baseline):
                again = self._validator.confirm(task, bounds, self._problem, "alone", wary=True)
                if again is None:
                    return _tampering(result, baseline)
                alone, stage = again, "confirm"
            result = alone
        return _verdict(result, baseline, stage)


def _complete(result: ProgramResult, baseline: PythonBaseline) -> bool:
    """Whether the tests that ran are those that run with the reference."""
    return not baseline.tests or sorted(result.ran) == sorted(baseline.tests)


def _difference(ran: Sequence[str], wanted: Sequence[str]) -> str:
    """Tests that ran beside those of the reference: numbers, and the first name that only one of them has."""
    lacking, more = Counter(wanted) - Counter(ran), Counter(ran) - Counter(wanted)
    told = [f"{len(ran)} tests ran instead of {len(wanted)}"]
    told += [f"{name} did not run" for name in [*lacking][:1]] + [
        f"{name} runs only here" for name in [*more][:1]
    ]
    return "; ".join(told)


def _met(answer: ProgramResult, challenge: PythonChallenge, baseline: PythonBaseline) -> bool:
    return _passed(answer, baseline) and challenge.met(answer.marks, frozenset(baseline.sites))


def _passed(answer: ProgramResult, baseline: PythonBaseline) -> bool:
    return answer.outcome == "passed" and _complete(answer, baseline)


def _denies(answer: ProgramResult, challenge: PythonChallenge, baseline: PythonBaseline) -> bool:
    """Whether a program ended its interpreter, or an assertion that it reached came out as it should not."""
    return answer.outcome == "exited" or challenge.denied(answer.marks, frozenset(baseline.sites))


def _suspected(evidence: Evidence, suspicious: str | None) -> Evidence:
    reasons = [reason for reason in (evidence.suspicious, suspicious) if reason]
    return replace(evidence, suspicious="; ".join(reasons) or None)


def _tampering(result: ProgramResult, baseline: PythonBaseline) -> Verdict:
    verdict = _verdict(replace(result, outcome="failed", message=TAMPERS), baseline, "confirm")
    return replace(verdict, evidence=replace(verdict.evidence, suspicious=TAMPERS))


def _verdict(result: ProgramResult, baseline: PythonBaseline, stage: Stage) -> Verdict:
    outcomes = {"timeout": Outcome.TIMEOUT, "uncompilable": Outcome.UNCOMPILABLE}
    built = result.build_sha256 is not None
    if not built:  # nothing of it has run: the compiler did not survive it
        outcomes["exited"] = Outcome.UNCOMPILABLE
    passed = result.outcome == "passed" and _complete(result, baseline)
    failing, message = result.failed_test, result.message
    if result.outcome == "passed" and not passed:
        message = _difference(result.ran, baseline.tests)
    if failing is None and built and not passed:
        failing = "tests"
    ran = len(result.ran) if result.stage == "tests" else 0
    evidence = Evidence(
        stage="done" if passed else stage if stage == "confirm" else "trigger" if built else "build",
        built=built,
        tests_run=ran or int(result.stage == "tests"),
        tests_expected=len(baseline.tests) or 1,
        failing_test=failing,
        message=message or None,
        output=None if passed else "\n".join(result.output.splitlines()[:OUTPUT_LINES]) or None,
        build_sha256=result.build_sha256,
        build_seconds=result.build_seconds,
        test_seconds=max(0.0, result.seconds - result.build_seconds),
        confirmed=passed,
    )
    return Verdict(Outcome.PLAUSIBLE if passed else outcomes.get(result.outcome, Outcome.WRONG), evidence)
