"""The offline model's edits in the order in which a failing test makes them likely.

What the test does not run cannot mend it, and what few other tests run holds the bug more often: a
proposal's score times the square of how suspicious its most suspicious line is. What the JVM threw in the
method is told to the model as if the issue said so. What that brings: benchmarks/localise.md, "What edits
do".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from nl2fix.core.records import Completion, Problem, Request
from nl2fix.languages.syntax import line_of
from nl2fix.mutation import Mutation, answers, propose
from nl2fix.mutation.proposals import Scored
from nl2fix.suggestion.localisation.localise import FailingRun

DRAWN = 1000
"""Proposals of a method of which these are the likeliest."""


def aimed(problem: Problem, run: FailingRun, seed: int = 0) -> Iterator[Scored]:
    """The likeliest proposals that touch lines which a failing test runs, or what is beside them.

    Where no line is known all of them, as they are.
    """
    told = {**problem.instructions, **({"threw": run.threw} if run.threw else {})}
    drawn = islice(propose(replace(problem, instructions=told), seed), DRAWN)
    if not run.lines:
        yield from drawn
        return
    weighed = ((_weight(problem.text, each, run.lines), each) for each in drawn)
    yield from (each for _, each in sorted((w for w in weighed if w[0]), key=lambda w: -w[0]))


def _weight(text: str, proposal: Scored, lines: Mapping[int, float]) -> float:
    """How likely a proposal is, by itself and by how many of the tests that run what it touches fail."""
    touched = ((line_of(text, edit.start), line_of(text, edit.end)) for edit in proposal.edits)
    near = (line for first, last in touched for line in range(first - 1, last + 2))
    return proposal.score * max(lines.get(line, 0.0) for line in near) ** 2


class Aimed:
    """The offline model where a test should pass that runs the method so."""

    name = Mutation.name

    def __init__(self, run: FailingRun) -> None:
        self._run = run
        self._drawn: dict[tuple[str, int], list[Scored]] = {}

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """One completion per asked sample; ``exhausted`` beyond the last edit of these lines."""
        for request in requests:
            yield from answers(request, self._proposals)

    def _proposals(self, problem: Problem, seed: int) -> list[Scored]:
        """All of a problem, ordered once for all requests."""
        key = problem.id, seed
        if key not in self._drawn:
            self._drawn[key] = list(aimed(problem, self._run, seed))
        return self._drawn[key]
