"""A validator that is closed while it judges: its workers end, and who judged gets no verdict out of that."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.protocols import Validator
from nl2fix.core.records import Candidate, Problem, Span
from nl2fix.pipeline import choice, make_suite
from nl2fix.sandboxes.table import tree
from nl2fix.validation.javascript import JavaScriptValidator
from nl2fix.validation.jvm.alone import alone
from nl2fix.validation.python import PythonProgram, PythonValidator, Script
from tests.conftest import missing

Made = tuple[Validator, Problem, Candidate]
LONG = 60.0
"""Seconds after which a test gives up waiting."""


def python(environment: Environment) -> Made:
    text = "def f():\n    return 0\n"
    program = PythonProgram(Script("assert f() == 1"), Candidate("def f():\n    return 1\n"))
    problem = Problem("x", "s", "p", "python", "a.py", text, Span(0, len(text)), "f", text, {})
    validator = PythonValidator(environment, lambda _: program)
    validator.baseline(problem)
    return validator, problem, Candidate("import time\n\ndef f():\n    time.sleep(1000)\n")


def javascript(environment: Environment) -> Made:
    text = "function f() { return 0; }\n"
    problem = Problem("x", "s", "p", "javascript", "a.js", text, Span(0, len(text)), "f", text, {})
    validator = JavaScriptValidator(environment, lambda _: "console.assert(f() === 1)")
    try:
        validator.identity(problem)
    except UsageError as error:
        missing(str(error))
    return validator, problem, Candidate("function f() { while (true); }\n")


def java(environment: Environment) -> Made:
    suite = make_suite(choice({"name": "examples"}, "suite"), environment)
    problem = next(problem for problem in suite.problems() if problem.id == "pager-last-page")
    assert not suite.prepare([problem], 1, lambda *_: None)
    head = problem.before[: problem.before.index("{") + 1]
    return suite.validator(), problem, Candidate(head + " while (true) Thread.yield(); }")


def judging(validator: Validator, problem: Problem, candidate: Candidate) -> Callable[[], object]:
    """Starts to judge in a thread; gives what ends it: a verdict or an error."""
    ends: list[object] = []

    def work() -> None:
        try:
            with validator.session(problem) as session:
                ends.append(session.validate(candidate))
        except InfrastructureError as error:
            ends.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()

    def end() -> object:
        thread.join(LONG)
        return ends[0] if ends else None

    return end


def begun(validator: Validator, problem: Problem, candidate: Candidate) -> Callable[[], object]:
    """The same, once a process for it is there."""
    before = set(tree(os.getpid()))
    end = judging(validator, problem, candidate)
    deadline = time.monotonic() + LONG
    while set(tree(os.getpid())) <= before and time.monotonic() < deadline:
        time.sleep(0.05)
    return end


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("make", [python, javascript, java])
def test_a_closed_validator_ends_what_is_being_judged(
    make: Callable[[Environment], Made], tmp_path: Path
) -> None:
    environment = Environment(cache=tmp_path).having("sandbox", timeout=600.0)
    validator, problem, candidate = make(environment)
    end = begun(validator, problem, candidate)
    validator.close()
    assert isinstance(end(), InfrastructureError)
    with validator.session(problem) as session, pytest.raises(InfrastructureError):
        session.validate(candidate)


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("make", [python, javascript, java])
def test_a_validator_that_is_closed_before_it_was_needed_judges_nothing(
    make: Callable[[Environment], Made], tmp_path: Path
) -> None:
    """One that was closed while it looked for a sandbox judged an endless candidate for minutes."""
    validator, problem, candidate = make(Environment(cache=tmp_path).having("sandbox", timeout=600.0))
    validator.close()
    assert isinstance(judging(validator, problem, candidate)(), InfrastructureError)


@pytest.mark.usefixtures("bubblewrap")
def test_a_closed_validator_waits_for_no_turn(tmp_path: Path) -> None:
    """Whoever judged waited on for as long as others of this machine had to be alone."""
    validator, problem, candidate = java(Environment(cache=tmp_path))
    with alone():
        end = begun(validator, problem, candidate)
        time.sleep(2)  # until it waits
        validator.close()
        assert isinstance(end(), InfrastructureError)
