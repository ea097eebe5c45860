"""Judges repairs of linter messages; satisfies ``core.protocols.Validator`` and ``Session``.

Plausible means: the linter says nothing that it did not say of code silenced already before the edit, with
everything that silences it in the text taken away; and behaviour is kept. Behaviour is what the problem's
tests say, if it has any; else the program is one with the code before up to what the messages allow
(``trees``, ``java_builds``); else, in Python, its functions do on recorded inputs what they did.

The published verdict, that the linter says nothing of the text as it stands, is told beside ours.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from nl2fix.core.errors import InfrastructureError
from nl2fix.core.protocols import Session, Validator
from nl2fix.core.records import Candidate, Evidence, Outcome, Problem, Stage, Verdict, sha256_text
from nl2fix.validation.lint import inputs, java_builds, trees
from nl2fix.validation.lint.desk import SECONDS, Desk, Linted
from nl2fix.validation.lint.linters import BROKEN, Linter, Message
from nl2fix.validation.lint.recording import Recorded
from nl2fix.validation.python.suspicion import encoding

VERSION = 2
"""Raised when the same candidate would be judged differently."""
TIMES, BESIDE = 8, 50_000
"""A candidate may be so many times as long as the code before, and so many characters beside."""
SYNTAX = {"E999", "E902", BROKEN}
"""Codes that say that a text is no program."""
_SHOWN = 5


@dataclass(frozen=True)
class LintTask:
    """What a suite says of one problem."""

    linter: Linter
    tests: bool = False
    """Whether the problem has tests that decide whether behaviour is kept."""


class LintValidator:
    """Thread-safe."""

    def __init__(
        self,
        desk: Desk,
        recorded: Recorded,
        tasks: Callable[[Problem], LintTask],
        testers: Mapping[str, Validator],
    ) -> None:
        """``testers``: language → who runs tests, the problem's or recorded ones; all closed with us."""
        self.desk, self.recorded, self._tasks, self._testers = desk, recorded, tasks, testers

    def identity(self, problem: Problem) -> dict[str, str]:
        """Code, linter with version and settings, our rules, and what decides on behaviour."""
        linter = self._tasks(problem).linter
        settings = json.dumps(dict(linter.settings), sort_keys=True)
        aspects = {
            "code": sha256_text(json.dumps([problem.path, problem.text, problem.region])),
            "linter": f"{self.desk.version(linter)}, rules {VERSION}",
            "linter settings": settings if len(settings) < 200 else sha256_text(settings),
            "linter limits": f"{SECONDS} s",
        }
        tester = self.tester(problem)
        return {
            **aspects,
            **({f"tests: {k}": v for k, v in tester.identity(problem).items()} if tester else {}),
        }

    @contextmanager
    def session(self, problem: Problem) -> Iterator[LintSession]:
        with ExitStack() as stack:
            yield LintSession(self, problem, self._tasks(problem), stack)

    def close(self) -> None:
        for tester in self._testers.values():
            tester.close()
        self.desk.close()

    def tester(self, problem: Problem) -> Validator | None:
        """Who runs tests on a problem, if there are any."""
        if self._tasks(problem).tests or (problem.language == "python" and self.recorded.of(problem).script):
            return self._testers.get(problem.language)
        return None


class LintSession:
    """Judges candidates of one problem."""

    def __init__(self, validator: LintValidator, problem: Problem, task: LintTask, stack: ExitStack) -> None:
        self._validator, self._problem, self._task, self._stack = validator, problem, task, stack
        self._known: dict[str, Verdict] = {}
        self._tests: Session | None = None
        self._before, bare = self._lint(problem.text), self._lint(problem.text, honour=False)
        if self._before.late or bare.late:
            raise InfrastructureError(f"{task.linter.name} did not end within its time on the code before")
        self._silenced = _counted(bare.messages) - _counted(self._before.messages)

    def validate(self, candidate: Candidate) -> Verdict:
        text = candidate.apply(self._problem)
        if text not in self._known:
            self._known[text] = self._judge(candidate, text)
        return self._known[text]

    def _judge(self, candidate: Candidate, text: str) -> Verdict:
        heeding = self._lint(text)
        if heeding.late or heeding.broken:
            return self._not_linted(heeding)
        left = self._left(heeding, text)
        if left is None:
            return _late(self._task.linter.name, published=True)
        if left:
            return self._unclean(left, heeding.clean)
        verdict = self._behaviour(candidate, text)
        return replace(verdict, evidence=replace(verdict.evidence, published=heeding.clean))

    def _left(self, heeding: Linted, text: str) -> list[Message] | None:
        """Messages that were not silenced before the edit, with nothing in the text heeded now; ``None``
        where the linter did not end within its time.
        """
        if not heeding.clean:
            return [*heeding.messages]
        if not self._task.linter.may_silence(text):
            return []
        bare = self._lint(text, honour=False)
        if bare.late:
            return None
        if bare.broken:
            return [Message(BROKEN, 0, 0, bare.broken)]
        allowed, left = Counter(self._silenced), []
        for message in bare.messages:
            key = (message.code, message.text)
            if allowed[key] > 0:
                allowed[key] -= 1
            else:
                left.append(message)
        return left

    def _lint(self, text: str, honour: bool = True) -> Linted:
        return self._validator.desk.lint(self._task.linter, self._problem.path, text, honour)

    def _not_linted(self, linted: Linted) -> Verdict:
        name = self._task.linter.name
        if linted.late:
            return _late(name, published=False)
        return _refused(f"{name} broke on it: {linted.broken}", published=False)

    def _unclean(self, left: Sequence[Message], published: bool) -> Verdict:
        first, told = left[0], "; ".join(message.told for message in left[:_SHOWN])
        more = f"; {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
        silenced = "silenced in the text: " if published else ""
        no_program = first.code in SYNTAX or any(message.code in SYNTAX for message in left)
        evidence = Evidence(
            "build" if no_program else "trigger",
            built=not no_program,
            tests_run=0 if no_program else 1,
            tests_expected=2,
            failing_test=None if no_program else f"{self._task.linter.name} {first.code}",
            message=(silenced + told + more)[:500],
            published=published,
        )
        return Verdict(Outcome.UNCOMPILABLE if no_program else Outcome.WRONG, evidence)

    def _behaviour(self, candidate: Candidate, text: str) -> Verdict:
        if len(text) > TIMES * len(self._problem.text) + BESIDE:
            return _refused(f"behaviour: not compared, as it is {len(text):,} characters long")
        if self._problem.language == "python" and encoding(text) != encoding(self._problem.text):
            return _refused("behaviour: it declares another encoding, so Python reads another text")
        if self._task.tests:
            return self._tested(candidate)
        if self._problem.language == "java":
            return self._compiled(text)
        if trees.equal(self._problem.text, text, self._before.messages):
            return _kept("the syntax tree is that of before")
        recording = self._validator.recorded.of(self._problem)
        if not recording.script:
            return _refused("behaviour: more changed than the messages allow, and no inputs can be made")
        why = inputs.comparable(self._problem.text, text, recording.functions, self._before.messages)
        return _refused(f"behaviour: {why}") if why else self._tested(candidate)

    def _compiled(self, text: str) -> Verdict:
        problem, before = self._problem, self._before.messages
        try:
            why = java_builds.difference(self._validator.desk, problem.path, problem.text, text, before)
        except java_builds.Late:
            return _late("javac", published=True)
        return _refused(f"behaviour: {why}") if why else _kept("the classes are those of before")

    def _tested(self, candidate: Candidate) -> Verdict:
        if self._tests is None:
            tester = self._validator.tester(self._problem)
            assert tester is not None
            self._tests = self._stack.enter_context(tester.session(self._problem))
        verdict = self._tests.validate(candidate)
        if verdict.plausible or verdict.outcome is Outcome.TIMEOUT:
            return verdict
        # It is a program, as the linter read it; what fails is that it does not do what it did.
        evidence = replace(verdict.evidence, stage="regression", built=True)
        return Verdict(Outcome.WRONG, evidence)


def _counted(messages: Sequence[Message]) -> Counter[tuple[str, str]]:
    return Counter((message.code, message.text) for message in messages)


def _kept(how: str) -> Verdict:
    evidence = Evidence("done", True, tests_run=2, tests_expected=2, message=how, confirmed=True)
    return Verdict(Outcome.PLAUSIBLE, evidence)


def _late(tool: str, published: bool) -> Verdict:
    evidence = Evidence("trigger", message=f"{tool} did not end within its time", published=published)
    return Verdict(Outcome.TIMEOUT, evidence)


def _refused(why: str, published: bool = True) -> Verdict:
    stage: Stage = "regression" if published else "trigger"
    evidence = Evidence(
        stage,
        True,
        tests_run=1,
        tests_expected=2,
        message=why[:500],
        published=published,
        failing_test="behaviour",
    )
    return Verdict(Outcome.WRONG, evidence)
