"""Worked examples: the other problems whose code before the edit is closest by edit distance.

Never the problem itself, nor one that shares its fix: that would tell the model the answer. A fix is
shared when the fixed code is the same, or when the same lines were removed and added, white space
apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nl2fix.core.protocols import Suite
from nl2fix.core.records import Candidate, Problem
from nl2fix.languages import language
from nl2fix.prompting.strategy import Example

_TOKEN = re.compile(r"\w+|[^\w\s]")


class Nearest:
    """Picks the ``k`` nearest examples in a suite; each choice is made once and kept."""

    def __init__(self, suite: Suite, k: int) -> None:
        self._suite, self._k = suite, k
        self._chosen: dict[str, tuple[Example, ...]] = {}
        self._fixed: dict[str, Candidate] = {}

    def __call__(self, problem: Problem) -> Sequence[Example]:
        """The examples for a problem, nearest first; fewer when the suite has no more to offer."""
        if problem.id not in self._chosen:
            self._chosen[problem.id] = tuple(self._choose(problem))
        return self._chosen[problem.id]

    @cached_property
    def _problems(self) -> list[Problem]:
        return [problem for problem in self._suite.problems() if problem.visible.strip()]

    def _choose(self, problem: Problem) -> list[Example]:
        chosen: list[Example] = []
        for index in np.argsort(self._distances(problem), kind="stable"):
            other = self._problems[index]
            if len(chosen) == self._k:
                break
            if other.id == problem.id or other.language != problem.language:
                continue
            fixed = self._reference(other)
            if fixed.scope == "region" and not self._same_fix(problem, other):
                code = language(other.language).strip_comments(fixed.code)
                chosen.append(Example(other, fixed, code))
        return chosen

    def _distances(self, problem: Problem) -> NDArray[np.int32]:
        """Levenshtein distance in characters from the problem's code to that of every problem."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        codes = [other.visible for other in self._problems]
        distances: NDArray[np.int32] = cdist(
            [problem.visible], codes, scorer=Levenshtein.distance, dtype=np.int32
        )[0]
        return distances

    def _reference(self, problem: Problem) -> Candidate:
        if problem.id not in self._fixed:
            self._fixed[problem.id] = self._suite.reference(problem)
        return self._fixed[problem.id]

    def _same_fix(self, one: Problem, other: Problem) -> bool:
        first, second = self._reference(one), self._reference(other)
        if _TOKEN.findall(first.code) == _TOKEN.findall(second.code):
            return True
        return _change(one.before, first.code) == _change(other.before, second.code)


def _change(before: str, after: str) -> tuple[Counter[str], Counter[str]]:
    """Lines removed and lines added, as multisets, white space within them normalised."""
    old, new = (
        Counter(" ".join(_TOKEN.findall(line)) for line in text.splitlines()) for text in (before, after)
    )
    return old - new, new - old
