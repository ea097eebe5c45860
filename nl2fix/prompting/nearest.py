"""Worked examples: the other problems whose code before the edit is closest by edit distance.

Never the problem itself, nor one that shares or shows its fix: that would tell the model the answer. A fix
is shared when the same lines were removed and added; it is shown where code, before or after, is the fixed
code, or has what the fix adds, nothing that it removes, and half of the fixed lines: a later version of the
same unit. White space and comments do not count.
"""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

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
        self._bare: dict[str, tuple[str, str]] = {}

    def __call__(self, problem: Problem) -> Sequence[Example]:
        """The examples for a problem, nearest first; fewer when the suite has no more to offer."""
        if problem.id not in self._chosen:
            self._chosen[problem.id] = tuple(self._choose(problem))
        return self._chosen[problem.id]

    @cached_property
    def _problems(self) -> list[Problem]:
        return [problem for problem in self._suite.problems() if problem.visible.strip()]

    def _choose(self, problem: Problem) -> list[Example]:
        return [self._example(self._problems[index]) for _, index in self._closest(problem)]

    def _closest(self, problem: Problem) -> list[tuple[int, int]]:
        """Distance in characters and index of the nearest allowed problems; ties by the suite's order.

        Problems are looked at by growing difference in length, which no distance can be below, and
        only up to the distance of the k-th nearest found so far.
        """
        from rapidfuzz.distance import Levenshtein

        code, windows = problem.visible, list[tuple[int, int]]()
        gaps = sorted((abs(len(other.visible) - len(code)), i) for i, other in enumerate(self._problems))
        for gap, index in gaps:
            limit = windows[-1][0] if len(windows) == self._k else None
            if limit is not None and gap > limit:
                break
            other = self._problems[index]
            distance = Levenshtein.distance(code, other.visible, score_cutoff=limit)
            nearer = limit is None or (distance, index) < windows[-1]
            if nearer and self._allowed(problem, other):
                insort(windows, (distance, index))
                del windows[self._k :]
        return windows

    def _allowed(self, problem: Problem, other: Problem) -> bool:
        if other.id == problem.id or other.language != problem.language:
            return False
        return self._reference(other).local and not self._tells(problem, other)

    def _example(self, problem: Problem) -> Example:
        fixed = self._reference(problem)
        return Example(problem, fixed, language(problem.language).strip_comments(fixed.code))

    def _reference(self, problem: Problem) -> Candidate:
        if problem.id not in self._fixed:
            self._fixed[problem.id] = self._suite.reference(problem)
        return self._fixed[problem.id]

    def _tells(self, one: Problem, other: Problem) -> bool:
        """Whether another problem shares or shows the fix of one."""
        (before, fixed), versions = self._versions(one), self._versions(other)
        old, new = _lines(before), _lines(fixed)
        was, became = map(_lines, versions)
        if (old - new, new - old) == (was - became, became - was):
            return True
        return any(
            _TOKEN.findall(code) == _TOKEN.findall(fixed) or _shown(old, new, _lines(code))
            for code in versions
        )

    def _versions(self, problem: Problem) -> tuple[str, str]:
        """The code of a problem before and after its fix, without comments."""
        if problem.id not in self._bare:
            strip = language(problem.language).strip_comments
            self._bare[problem.id] = strip(problem.before), strip(self._reference(problem).code)
        return self._bare[problem.id]


def _lines(code: str) -> Counter[str]:
    """The lines as a multiset, white space within them normalised."""
    words = (" ".join(_TOKEN.findall(line)) for line in code.splitlines())
    return Counter(line for line in words if line)


def _shown(old: Counter[str], new: Counter[str], code: Counter[str]) -> bool:
    """Whether code shows what a fix makes of old lines."""
    has = all(code[line] >= new[line] for line in new - old)
    lacks = all(code[line] <= new[line] for line in old - new)
    return has and lacks and 2 * (code & new).total() >= new.total()
