"""What the tests do with the reference: which ran, how long, and which assertions a challenge can rest on."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from nl2fix.core.files import write_atomically
from nl2fix.core.records import Problem
from nl2fix.validation.python.challenge import draw
from nl2fix.validation.python.client import Hidden, ProgramResult, hidden_of
from nl2fix.validation.python.programs import PythonProgram, Script

SLOWER = 10.0
"""How many times slower than the reference a candidate may be."""
LEAST_SECONDS = 3.0
"""Processor time allowed at least."""
MISSING = "needs a library: "
MEASURING_SECONDS = 60.0
"""Processor time the reference may take."""

Run = Callable[[Hidden], ProgramResult]
"""Runs the reference with the tests given, in a fresh interpreter."""


@dataclass(frozen=True)
class PythonBaseline:
    """Of one problem."""

    tests: tuple[str, ...]
    """Names of the tests that ran, in order."""
    seconds: float
    """Processor time to allow a candidate: a power of two times ``LEAST_SECONDS``, so that it does not
    change from one measuring to the next."""
    sites: tuple[str, ...]
    """Assertions that hold as they are and fail when changed."""
    error: str | None = None
    """Why the reference does not pass, or what library is missing."""


def without(error: str) -> PythonBaseline:
    """That of a problem on which nothing can be judged."""
    return PythonBaseline((), LEAST_SECONDS, (), error)


def measure(program: PythonProgram, run: Run) -> PythonBaseline:
    """Run the reference as it is, then under both extremes of a challenge."""
    modules = () if isinstance(program.run, Script) else program.run.modules
    if lacking := [module for module in modules if module not in program.tests]:
        there = ", ".join(program.tests) or "none"
        why = f"no file of its tests is {lacking[0]}; there are: {there}"
        return without(why)
    plain = run(hidden_of(program))
    if plain.outcome != "passed":
        failing = f"{plain.failed_test}: " if plain.failed_test else ""
        kind = MISSING if plain.outcome == "missing" else f"reference is wrong: {failing}"
        return without(kind + " ".join(plain.message.split())[:300])
    if not plain.ran:
        return without("reference is wrong: not one test ran")
    try:
        sites = _sites(program, run, plain.ran)
    except SyntaxError as error:
        return without(_newer(error))
    return PythonBaseline(plain.ran, _allowed(plain.cpu), sites)


def kept(file: Path, make: Callable[[], PythonBaseline]) -> PythonBaseline:
    """The baseline in a file, measured where there is none (or a damaged one). Errors are not kept."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return PythonBaseline(tuple(data["tests"]), float(data["seconds"]), tuple(data["sites"]))
    except (OSError, ValueError, KeyError, TypeError):
        made = make()
    if made.error is None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps(asdict(made)))
    return made


def _allowed(seconds: float) -> float:
    times = max(1.0, SLOWER * seconds / LEAST_SECONDS)
    return LEAST_SECONDS * math.pow(2, math.ceil(math.log2(times)))


def _newer(error: SyntaxError) -> str:
    ours, where = platform.python_version(), f"{error.msg}, line {error.lineno}"
    return (
        f"its tests are of a newer Python than the {ours} that nl2fix runs on ({where});"
        " run nl2fix on that which sandbox.python names"
    )


def _sites(program: PythonProgram, run: Run, tests: tuple[str, ...]) -> tuple[str, ...]:
    """Sites whose assertion holds unchanged and fails changed, every time the reference reaches it.

    None where the tests are nested so deeply that they cannot be written anew.
    """
    try:
        held, failed = draw(program, lambda: False), draw(program, lambda: True)
    except (RecursionError, MemoryError):
        return ()
    as_it_is, changed = run(held.hidden), run(failed.hidden)
    if as_it_is.outcome != "passed" or changed.outcome != "passed":
        return ()
    if as_it_is.ran != tests or changed.ran != tests:
        return ()
    return tuple(
        site
        for site in held.expected
        if as_it_is.marks.get(site, (0, 0))[0] == 0 < as_it_is.marks.get(site, (0, 0))[1]
        and changed.marks.get(site, (0, 0))[1] == 0 < changed.marks.get(site, (0, 0))[0]
    )


def key_of(problem: Problem, program: PythonProgram) -> str:
    """All that a baseline depends on besides interpreter and server, as text."""
    reference = program.reference
    return json.dumps(
        [
            *(problem.id, problem.path, problem.text, *problem.region, problem.editable, problem.shown),
            *(repr(program.run), sorted(program.tests.items()), program.libraries),
            *(reference.code, reference.scope, reference.others),
        ]
    )
