"""Pairs that would tell a model the answers of a suite it is measured on.

A pair leaks a problem when its code, before or after, holds the problem's (before or reference) or most of
it, wherever it stands there, or when its commit names the problem's issue. How code is formatted, which
quotes it has, and what its comments and docstrings say makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Suite
from nl2fix.core.records import Candidate, Problem
from nl2fix.edits.pair import EditPair
from nl2fix.edits.repositories import issues_named
from nl2fix.edits.settings import MiningConfig
from nl2fix.languages import language
from nl2fix.languages.capabilities import HasUnits
from nl2fix.languages.python.lexemes import DEDENT, INDENT, NEWLINE, UNEVEN
from nl2fix.trackers import known

RUN = 5
"""Words in a row that must be equal to count."""
_WORD = re.compile(r"\w+|[^\w\s'\"]")
_LAYOUT = frozenset({DEDENT, INDENT, NEWLINE, UNEVEN})


class _Piece(NamedTuple):
    """Code that must not be in a dataset."""

    problem: str
    runs: list[int]
    """Hashes of its runs of words, in its order."""
    share: float
    """How much of it gives it away."""

    def held(self, runs: frozenset[int]) -> float:
        """Share of its words that stand in one of these runs."""
        covered, end = 0, 0
        for at, run in enumerate(self.runs):
            if run in runs:
                covered += at + RUN - max(at, end)
                end = at + RUN
        return covered / (len(self.runs) + RUN - 1)


class Leaks:
    """What must not be in a dataset, by suite and problem."""

    def __init__(self, config: MiningConfig) -> None:
        self._least, self._share = config.leak_tokens, config.leak_similarity
        self._texts: dict[int, str] = {}
        """Hash of all words of a text → problem."""
        self._pieces: list[_Piece] = []
        self._having: dict[int, list[int]] = {}
        """Run → numbers of the pieces that have it."""
        self._issues: dict[str, str] = {}
        self.unknown = 0
        """Problems whose reference is not known, e.g. because they are not prepared."""

    def add(self, suite: Suite) -> None:
        """Learn a suite."""
        for problem in suite.problems():
            name = f"{suite.name}/{problem.id}"
            for issue in issue_ids(problem):
                self._issues.setdefault(issue, name)
            self._learn(problem, Candidate(problem.before), name)
            try:
                self._learn(problem, suite.reference(problem), name)
            except DataError:
                self.unknown += 1

    def found(self, pair: EditPair) -> str | None:
        """Which problem a pair leaks and how; ``None`` when it leaks none."""
        for issue in pair.issues:
            leak = self._issues.get(issue)
            if leak:
                return f"{leak}: names its issue {issue}"
        for code in dict.fromkeys((pair.before, pair.after)):
            for words in _readings(language(pair.language).tokens(code)):
                leak = self._texts.get(hash(tuple(words))) or self._held(frozenset(_runs(words)))
                if leak:
                    return f"{leak}: holds its code"
        return None

    def _held(self, runs: frozenset[int]) -> str | None:
        counts: dict[int, int] = {}
        for run in runs & self._having.keys():
            for number in self._having[run]:
                counts[number] = counts.get(number, 0) + 1
        for number, count in sorted(counts.items()):
            piece = self._pieces[number]
            # A run holds at most RUN words that no other one does.
            enough = count * RUN >= piece.share * len(piece.runs)
            if enough and piece.held(runs) >= piece.share:
                return piece.problem
        return None

    def _learn(self, problem: Problem, candidate: Candidate, name: str) -> None:
        """A version of a problem: the unit edited, or each file edited as a whole and its units."""
        whole = candidate.apply(problem)
        others = {**dict(problem.editable), **dict(candidate.others)}
        if candidate.scope == "region" and problem.entity:
            self._insert(problem.language, candidate.code, name)
            self._equal(language(problem.language).tokens(whole), name)
        else:
            others[""] = whole
        for text in others.values():
            self._insert(problem.language, text, name)
            for unit in _units(problem.language, text):
                if len(language(problem.language).tokens(unit)) >= self._least:
                    self._insert(problem.language, unit, name)

    def _insert(self, spoken: str, code: str, name: str) -> None:
        tokens = language(spoken).tokens(code)
        share = self._share if len(tokens) >= 2 * self._least else 1.0
        for words in self._equal(tokens, name):
            runs = _runs(words)
            if len(tokens) >= self._least:
                for run in dict.fromkeys(runs):
                    self._having.setdefault(run, []).append(len(self._pieces))
                self._pieces.append(_Piece(name, runs, share))

    def _equal(self, tokens: Sequence[str], name: str) -> list[Sequence[str]]:
        """Learn a text for what is equal to it; those of its readings that are new."""
        new = {hash(tuple(words)): words for words in _readings(tokens) if words}
        for key in [*new]:
            if key in self._texts:
                del new[key]
            else:
                self._texts[key] = name
        return [*new.values()]


def _readings(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words and signs of code, without layout and quotes; where it has docstrings, also without those."""
    alone = [False, *(token in _LAYOUT for token in tokens), False]
    alone[0] = alone[-1] = True
    seen = [token for token in tokens if token not in _LAYOUT]
    bare = [
        token
        for number, token in enumerate(tokens)
        if token not in _LAYOUT and not (token[-1] in "\"'" and alone[number] and alone[number + 2])
    ]
    yield _WORD.findall(" ".join(seen))
    if len(bare) < len(seen):
        yield _WORD.findall(" ".join(bare))


def _runs(words: Sequence[str]) -> list[int]:
    return [*map(hash, zip(*(words[start:] for start in range(RUN)), strict=False))]


def _units(name: str, code: str) -> Iterator[str]:
    spoken = language(name)
    if isinstance(spoken, HasUnits):
        yield from (code[span.start : span.end] for span in spoken.entities(code).values())


def learned(suites: Iterable[Suite], config: MiningConfig) -> Leaks:
    """What these suites must not be leaked of."""
    leaks = Leaks(config)
    for suite in suites:
        leaks.add(suite)
    return leaks


def issue_ids(problem: Problem) -> Iterator[str]:
    """Keys of JIRA as they are, other trackers' numbers behind the repository's name."""
    for value in problem.metadata.values():
        yield from (issue for issue in issues_named(value) if "#" not in issue)
        for word in value.split():
            if "://" in word:
                yield from _behind(word)


def _behind(url: str) -> Iterator[str]:
    """The id of the issue that an address leads to, where it is one's."""
    try:
        reference = known.parse(url)
    except DataError:
        return
    place = reference.project.split("/")
    name = place[0] if reference.tracker == "sourceforge" else place[-1]
    yield reference.issue if reference.tracker == "jira" else f"{name.lower()}#{reference.number}"
