"""What edits of a Python file do when tests call them, as ``validation.jvm.hearing`` says of Java.

Tests and copies of them in which constants are others run behind the edited file, their assertions silent, in
a process of each program's own. What the tests call of that file is heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from nl2fix.core.records import Candidate, Problem
from nl2fix.validation.calls.heard import COPY, MOST_HEARD, SHARE, Ear, Heard, Take, copies, ear
from nl2fix.validation.python.client import Hidden, ProgramResult
from nl2fix.validation.python.programs import Calls, Listen, PythonProgram, Script
from nl2fix.validation.python.varying import silent, tests_of, varied, written

_LONG = 1.0
"""Seconds of processor time after which a test is stopped."""
_STOPS, _STOPS_UNEDITED = 2, 8
"""Tests of a program that may be stopped; those behind are not heard."""
_ASKED, _TRIED = 8.0, 40.0
"""Seconds of processor time of a program, and of the unedited one when tests are chosen."""

Run = Callable[[Candidate | None, Calls | Listen, Hidden, float, bool], ProgramResult]
"""Runs an edit, or the program as it is, with so many CPU seconds, in an interpreter of its own or not."""


class _Text(NamedTuple):
    """Tests, or a copy of them."""

    path: str
    content: str


class PythonHearing:
    """The tests of one problem, and what unedited program and reference do there."""

    def __init__(self, problem: Problem, program: PythonProgram, run: Run, varies: bool) -> None:
        """``varies``: there are copies of tests; not where what they do to files would stay."""
        self._problem, self._program, self._run, self._varies = problem, program, run, varies
        self._way = type(program.run).__name__.lower()
        self._texts: list[_Text] = []

    def ear(self, reference: Candidate | None) -> Ear:
        """Chooses tests; first of all."""
        self._texts = list(self._written())
        tried = self._result(None, _TRIED, _STOPS_UNEDITED, apart=False)
        calls = {each.test for each in _rows(tried) if each.values}
        stopped = {each.test for each in _rows(tried) if not each.values}

        def worth(text: _Text) -> bool:
            added, late = (any(_of(test, text) for test in tests) for tests in (calls, stopped))
            return COPY not in text.path or (added and not late)

        self._texts = [text for text in self._texts if worth(text)]
        return ear(
            (self._take(None, apart=True), self._take(None, apart=False)),
            (self._take(reference, apart=True), self._take(reference, apart=False)) if reference else None,
            tried.outcome == "timeout" or bool(stopped),
        )

    def heard(self, candidate: Candidate, apart: bool) -> Take | None:
        """What the tests call in an edit; ``None`` where it is not loaded."""
        result = self._result(candidate, _ASKED, _STOPS, apart=apart)
        return None if result.stage != "tests" else _take(result)

    def _take(self, candidate: Candidate | None, *, apart: bool) -> Take:
        return _take(self._result(candidate, _ASKED, _STOPS, apart=apart))

    def _result(
        self, candidate: Candidate | None, seconds: float, stops: int, *, apart: bool
    ) -> ProgramResult:
        run = self._program.run
        listen = Listen(self._way, run.main if isinstance(run, Script) else False)
        limits = {"most": MOST_HEARD, "share": SHARE, "seconds": _LONG, "stops": stops}
        texts = {text.path: text.content for text in self._texts}
        hear: dict[str, Any] = {**limits, "texts": list(texts)}
        return self._run(
            candidate, listen, Hidden({**self._program.tests, **texts}, hear=hear), seconds, apart
        )

    def _written(self) -> Iterator[_Text]:
        """The tests, then their copies; nothing of what is no Python."""
        run, program = self._program.run, self._program
        texts = (
            {"_nl2fix_tests.py": run.text}
            if isinstance(run, Script)
            else {path: program.tests[path] for path in run.modules}
        )
        try:
            trees = {path: silent(text) for path, text in texts.items()}
        except (SyntaxError, ValueError, RecursionError):
            return
        whole = isinstance(run, Script)
        for path, tree in trees.items():
            yield _Text(path, written(tree))
        tests = 1 if whole else sum(map(tests_of, trees.values()))
        for number in range(copies(tests) if self._varies else 0):
            for path, tree in trees.items():
                seed = f"{self._problem.suite}/{self._problem.id} {path} {number}"
                name = PurePosixPath(path)
                yield _Text(str(name.with_name(f"{name.stem}{COPY}{number}.py")), varied(tree, whole, seed))


def _rows(result: ProgramResult) -> list[Heard]:
    return [Heard(*row) for row in result.seen]


def _take(result: ProgramResult) -> Take:
    """Nothing of a program that ended its process, unless it had to be stopped."""
    rows = _rows(result)
    late = result.outcome == "timeout" or any(not each.values for each in rows)
    if result.outcome != "passed" and not late:
        return Take({})
    return Take({each.values: each for each in rows if each.values}, late)


def _of(test: str, text: _Text) -> bool:
    return test.partition("::")[0] == text.path
