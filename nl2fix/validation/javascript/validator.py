"""Judges candidates of JavaScript programs; satisfies ``core.protocols.Validator`` and ``Session``.

Plausible means: all checks of the tests held behind the candidate's file, in a fresh realm of a warm engine
and once more in a fresh engine. What a clock or a lost engine decided is decided again in a fresh engine of
its own. A candidate that newly names what reaches out of a realm never meets a warm engine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.records import Candidate, Evidence, Outcome, Problem, Verdict, fingerprint, sha256_text
from nl2fix.languages.javascript import JAVASCRIPT
from nl2fix.sandboxes.choose import WhenNeeded, choose
from nl2fix.sandboxes.idle import Idle
from nl2fix.sandboxes.sandbox import MOST_WAITING, Sandbox
from nl2fix.sandboxes.settings import of
from nl2fix.validation.javascript.client import (
    SERVER,
    NodeServer,
    NodeServerLost,
    ScriptResult,
    worker_limits,
)

SECONDS = 1.0
"""Wall seconds that loading and testing may each take in a warm engine."""
ALONE = 5.0
"""How many times longer they may take in an engine of their own, as the machine may be busy."""
STARVED = 0.1
"""Share of its time that a late program must have waited for a processor to be given more."""
TEST = "tests"
"""Id of the one test, the script as a whole."""
REACHES = frozenset(
    {"process", "require", "globalThis", "eval", "Function", "constructor", "__proto__", "prepareStackTrace",
     "setPrototypeOf", "getPrototypeOf", "Proxy", "Reflect", "caller", "callee", "import", "WebAssembly"}
)  # fmt: skip
"""Names that no fix of a function needs and every known way out of a realm does."""
_IMPORTED = re.compile(r"\bimport[\s\ufeff]*(?:[(.]|/[*/]|<!)")
_ENDS = re.compile("[\u2028\u2029]")
"""They end a line, and with it a comment."""
_ESCAPED = re.compile(r"\\u(?:\{0*([0-9a-fA-F]{1,5})\}|([0-9a-fA-F]{4}))")


class JavaScriptValidator:
    """Thread-safe; engines are started when needed, kept warm, and shared by all sessions."""

    def __init__(
        self,
        environment: Environment,
        tests: Callable[[Problem], str],
        make_sandbox: Callable[[Environment], Sandbox] = choose,
    ) -> None:
        """``tests`` gives each problem's script, whose ``console.assert`` are its checks."""
        self._environment, self.tests = environment, tests
        self._sandbox = WhenNeeded(environment, make_sandbox)
        self._settings = of(environment)
        self._idle = Idle[NodeServer](environment.jobs)
        self.seconds = self._settings.timeout or SECONDS

    def identity(self, problem: Problem) -> dict[str, str]:
        """Program and tests, region, server program, the engine inside, and limits."""
        runtime = self._sandbox().runtime("node")
        return {
            "code": sha256_text(json.dumps([problem.files, problem.region])),
            "tests": sha256_text(self.tests(problem)),
            "worker program": sha256_text(SERVER.read_text(encoding="utf-8")),
            "runtime": runtime.identity,
            "limits": f"{worker_limits(self._settings.memory)}, {self.seconds:g} s",
        }

    def fingerprint(self, problem: Problem) -> str:
        return fingerprint(self.identity(problem))

    @contextmanager
    def session(self, problem: Problem) -> Iterator[JavaScriptSession]:
        yield JavaScriptSession(self, problem, self.tests(problem))

    def close(self) -> None:
        """End all workers; whoever still works with one loses it and gets no other."""
        self._idle.close()
        self._sandbox.close()

    def judge(self, source: str, tests: str) -> ScriptResult:
        """Run a program in a warm engine; in one of its own where a clock or the engine's end decided."""
        try:
            with self._worker() as worker:
                result = worker.judge(source, tests, self.seconds)
        except NodeServerLost:
            return self.alone(source, tests)
        return self.alone(source, tests) if result.outcome == "timeout" else result

    def alone(self, source: str, tests: str) -> ScriptResult:
        """Run a program as the first and only one of an engine.

        One that is late where it waited for a processor has the time once more that it takes there to be
        given as much of one.
        """
        seconds = self.seconds * ALONE
        result = self._alone(source, tests, seconds)
        if result.outcome != "timeout" or result.waited < STARVED * result.seconds:
            return result
        given = max(result.seconds - result.waited, result.seconds / (1 + MOST_WAITING))
        return self._alone(source, tests, seconds * result.seconds / given)

    def _alone(self, source: str, tests: str, seconds: float) -> ScriptResult:
        """One that takes its engine down twice has failed by itself, unless an empty program does, too."""
        for _ in range(2):
            try:
                with closing(self._started()) as worker:
                    return worker.judge(source, tests, seconds)
            except NodeServerLost as error:
                lost = error
        with closing(self._started()) as worker:
            if worker.judge("", "console.assert(true)", seconds).outcome != "passed":
                raise InfrastructureError(f"{lost}, also for an empty program")
        message = "did not end" if lost.late else "ended the engine it ran in (out of memory?)"
        return ScriptResult("timeout" if lost.late else "failed", "tests", message, 0, 0.0)

    def _started(self) -> NodeServer:
        return NodeServer(self._sandbox(), self._settings.memory)

    @contextmanager
    def _worker(self) -> Iterator[NodeServer]:
        worker = self._idle.take() or self._started()
        try:
            yield worker
        except BaseException:
            worker.close()
            raise
        self._idle.keep(worker)


class JavaScriptSession:
    """Judges candidates of one problem."""

    def __init__(self, validator: JavaScriptValidator, problem: Problem, tests: str) -> None:
        self._validator, self._problem, self._tests = validator, problem, tests
        self._known: dict[str, Verdict] = {}

    def validate(self, candidate: Candidate) -> Verdict:
        source = candidate.apply(self._problem)
        key = sha256_text(source)
        if key not in self._known:
            self._known[key] = self._judge(source, key)
        return self._known[key]

    def _judge(self, source: str, key: str) -> Verdict:
        names, imports = _reached(source)
        if imports:
            return _verdict(ScriptResult("failed", "load", "imports a module; there are none", 0, 0.0), key)
        new = sorted(names - _words(self._problem.text))
        reason = f"newly names {', '.join(new)}" if new else None
        run = self._validator.alone if reason else self._validator.judge
        result = run(source, self._tests)
        verdict = _verdict(result, key)
        if verdict.plausible:
            again = self._validator.alone(source, self._tests)
            verdict = _confirmed(verdict, again, key)
        return replace(verdict, evidence=replace(verdict.evidence, suspicious=reason))


def _reached(source: str) -> tuple[set[str], bool]:
    """What a program names of ``REACHES``, and whether it imports while it runs.

    The refusal of an import would be an object of the engine's own realm. What the grammar cannot read (code
    behind what looks like a comment, say) is looked at as text.
    """
    names = _words(source) & REACHES
    if not names:
        return names, False
    plain = _ENDS.sub("\n", source)
    root = JAVASCRIPT.tree(plain).root_node
    if root.has_error:
        return names, _IMPORTED.search(plain) is not None
    imports, seen, waiting = False, set[str](), [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        imports |= node.type == "import"
        if not node.children and not node.type.endswith("comment"):
            seen |= _words(plain[node.start_byte : node.end_byte])
    return seen & REACHES, imports


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", _ESCAPED.sub(lambda escape: chr(int(escape[1] or escape[2], 16)), text)))


def _verdict(result: ScriptResult, key: str) -> Verdict:
    passed, built = result.outcome == "passed", result.outcome != "uncompilable"
    outcomes = {"passed": Outcome.PLAUSIBLE, "timeout": Outcome.TIMEOUT, "uncompilable": Outcome.UNCOMPILABLE}
    evidence = Evidence(
        stage="done" if passed else "trigger" if built else "build",
        built=built,
        tests_run=int(built and result.stage == "tests"),
        tests_expected=1,
        failing_test=None if passed or not built else TEST,
        message=result.message or None,
        build_sha256=key if built else None,
        test_seconds=result.seconds,
    )
    return Verdict(outcomes.get(result.outcome, Outcome.WRONG), evidence)


def _confirmed(verdict: Verdict, again: ScriptResult, key: str) -> Verdict:
    """The verdict of a candidate that passed once: plausible only when it passed again."""
    if again.outcome == "passed":
        return replace(verdict, evidence=replace(verdict.evidence, confirmed=True))
    second = _verdict(again, key)
    return replace(second, evidence=replace(second.evidence, stage="confirm"))
