"""A suite of small problems for the tests of prompting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Problem, Span


def problem(
    ident: str,
    method: str = "int f(int a) {\n        return a + 1;\n    }",
    instructions: Mapping[str, str] | None = None,
    language: str = "java",
) -> Problem:
    head, tail = "class A {\n    /** Kept: outside the method. */\n    ", "\n}\n"
    commented = method.replace("{\n", "{\n        // SECRET comment\n", 1) if language == "java" else method
    return Problem(
        id=ident,
        suite="small",
        project="A",
        language=language,
        path="src/A.java" if language == "java" else "src/a.py",
        text=head + commented + tail,
        region=Span(len(head), len(head) + len(commented)),
        entity="f(int)",
        visible=method,
        instructions=instructions
        or {"title": f"Title of {ident}", "description": f"Description of {ident}."},
    )


class SmallSuite:
    """Problems with their references, given as pairs of code."""

    name = "small"

    def __init__(self, pairs: Mapping[str, tuple[str, str]]) -> None:
        self._problems = [problem(ident, before) for ident, (before, _) in pairs.items()]
        self._fixed = {ident: fixed for ident, (_, fixed) in pairs.items()}
        self.asked: list[str] = []
        """Problems whose reference was asked for."""

    def problems(self) -> Sequence[Problem]:
        return self._problems

    def reference(self, problem: Problem) -> Candidate:
        self.asked.append(problem.id)
        return Candidate(self._fixed[problem.id])

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        return {}

    def validator(self) -> Validator:
        raise NotImplementedError
