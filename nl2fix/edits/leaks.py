"""Pairs that would tell a model the answers of a suite it is measured on.

A pair leaks a problem when a unit of its code, before or after, is one of the problem's (before or
reference) by its tokens or is like one, or when its commit names the problem's issue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Suite
from nl2fix.core.records import Candidate, Problem, sha256_text
from nl2fix.edits.duplicates import NearDuplicates
from nl2fix.edits.pair import EditPair
from nl2fix.edits.repositories import issues_named
from nl2fix.edits.settings import MiningConfig
from nl2fix.languages import language
from nl2fix.languages.capabilities import HasUnits
from nl2fix.trackers import known


class Leaks:
    """What must not be in a dataset, by suite and problem."""

    def __init__(self, config: MiningConfig) -> None:
        self._least = config.leak_tokens
        self._near = NearDuplicates(config.leak_similarity)
        self._names: list[str] = []
        self._bodies: dict[str, str] = {}
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
        for code in (pair.before, pair.after):
            for tokens in self._pieces(pair.language, code):
                leak = self._bodies.get(_key(tokens))
                if leak:
                    return f"{leak}: shares a body of {len(tokens)} tokens"
                near = self._near.like(" ".join(tokens)) if len(tokens) >= 2 * self._least else None
                if near is not None:
                    return f"{self._names[near]}: is like its code"
        return None

    def _learn(self, problem: Problem, candidate: Candidate, name: str) -> None:
        """A version of a problem: its file, the unit edited, and the units of files edited as a whole."""
        spoken = language(problem.language)
        whole = candidate.apply(problem)
        if candidate.scope == "region" and problem.entity:
            pieces: list[Sequence[str]] = [spoken.tokens(whole), spoken.tokens(candidate.code)]
        else:
            pieces = [*self._pieces(problem.language, whole)]
        others = {**dict(problem.editable), **dict(candidate.others)}
        for text in filter(str.strip, others.values()):
            pieces += self._pieces(problem.language, text)
        for tokens in filter(None, pieces):
            key = _key(tokens)
            if key not in self._bodies:
                # Also what is like something known: a text may be like the one and not like the other.
                self._bodies[key] = name
                self._near.insert(" ".join(tokens))
                self._names.append(name)

    def _pieces(self, name: str, code: str) -> Iterator[Sequence[str]]:
        """Tokens of all the code, and of each of its units that is long enough to tell."""
        spoken = language(name)
        every = spoken.tokens(code)
        yield every
        if isinstance(spoken, HasUnits):
            for span in spoken.entities(code).values():
                tokens = spoken.tokens(code[span.start : span.end])
                if self._least <= len(tokens) < len(every):
                    yield tokens


def learned(suites: Iterable[Suite], config: MiningConfig) -> Leaks:
    """What these suites must not be leaked of."""
    leaks = Leaks(config)
    for suite in suites:
        leaks.add(suite)
    return leaks


def _key(tokens: Sequence[str]) -> str:
    return sha256_text("\0".join(tokens))


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
