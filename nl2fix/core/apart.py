"""What was observed: what an edit changes, who behaves alike, who is told apart from the fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from nl2fix.core.records import NO_END, Behaviour, Change, Entry, Observation, OnTests
from nl2fix.core.results import ProblemResult

MOST_SHOWN = 5
"""Changes that people are shown of one candidate."""
FEWEST = 10
"""Calls that both made, below which equal behaviour says too little."""

Answer = Literal["same", "differs", "too few"]


class Comparison(NamedTuple):
    """Whether a candidate does what the reference does."""

    answer: Answer
    calls: int
    """Calls that both made."""
    first: Change | None = None
    """From the reference's result (``before``) to the candidate's."""
    late: bool = False
    """Whether a limit of time struck while tests were heard."""

    @property
    def words(self) -> str:
        """For people."""
        if self.first is not None:
            return (
                f"differs: {self.first.call} gives {self.first.before} with the fix, {self.first.after} here"
            )
        some = f"{'same' if self.answer == 'same' else 'too little to tell: same'} on {self.calls} calls"
        return some + (" (tests too slow to be heard were left out)" if self.late else "")


@dataclass(frozen=True, slots=True)
class SeenProblem:
    """What observing found of one problem. Candidates are distinct ones."""

    problem: str
    calls: int
    dropped: int
    candidates: int
    """That were observed."""
    different: int
    """Different behaviours among them."""
    unchanged: int
    """That did on every call what the unedited program did."""
    plausible: int
    """That were observed and pass all tests."""
    alike: int
    """Of these, not told apart from the reference."""


class Told(NamedTuple):
    """Samples of a problem; what was not observed is not told apart."""

    samples: int
    plausible: int
    apart: int
    """Plausible ones that were seen to do something else than the reference."""
    unknown: int
    """Plausible ones of which too little was seen, or nothing."""

    @property
    def alike(self) -> int:
        """Plausible and not told apart."""
        return self.plausible - self.apart


def differences(
    calls: Sequence[str], before: Behaviour, after: Behaviour, most: int = MOST_SHOWN
) -> list[Change]:
    """The first calls on which two programs do different things; those that both made count."""
    first = []
    for i, call in enumerate(calls):
        one, other = before.digests[i], after.digests[i]
        if one and other and one != other:
            first.append(Change(call, before.told[i], after.told[i]))
            if len(first) == most:
                break
    return first


def compared(calls: Sequence[str], reference: Behaviour, candidate: Behaviour) -> Comparison:
    """Whether a candidate does what the reference does.

    A call on which the reference was stopped tells nothing of one that comes to its end: it may be faster.
    """
    rows = zip(calls, reference.digests, candidate.digests, reference.told, candidate.told, strict=True)
    both = [row for row in rows if row[1] and row[2] and (row[1] == row[2] or row[3] != NO_END)]
    for call, one, other, before, after in both:
        if one != other:
            return Comparison("differs", len(both), Change(call, before, after))
    return Comparison("same" if len(both) >= FEWEST else "too few", len(both))


def comparisons(item: ProblemResult) -> list[Comparison | None]:
    """For each entry of a problem's pool; ``None`` where it or the reference was not observed."""
    return [_with_tests(_drawn(item, e), item.on_tests.get(e.candidate.key)) for e in item.pool.entries]


def _drawn(item: ProblemResult, entry: Entry) -> Comparison | None:
    """By the calls that no test made."""
    reference, behaviour = item.reference_behaviour, entry.behaviour
    if item.observation is None or reference is None or behaviour is None:
        return None
    return compared(item.observation.calls, reference, behaviour)


def _with_tests(drawn: Comparison | None, heard: OnTests | None) -> Comparison | None:
    if heard is None:
        return drawn
    first = (drawn and drawn.first) or heard.apart
    calls = heard.beside + (drawn.calls if drawn else 0)
    answer: Answer = "differs" if first else "same" if calls >= FEWEST else "too few"
    return Comparison(answer, calls, first, heard.late)


def told(item: ProblemResult) -> Told:
    """Who of the plausible samples of a problem is told apart from the reference."""
    answers: Counter[str] = Counter()
    compared_ones = zip(item.pool.entries, item.correct, comparisons(item), strict=True)
    for entry, plausible, comparison in compared_ones:
        if plausible:
            answers[comparison.answer if comparison else "too few"] += len(entry.samples)
    return Told(item.samples, item.plausible, answers["differs"], answers["too few"])


def told_counts(items: Sequence[ProblemResult]) -> list[tuple[int, int]]:
    """(samples, those plausible and not told apart) of each problem; empty where no fix was observed."""
    if not any(item.beside_fix for item in items):
        return []
    return [(counts.samples, counts.alike) for counts in map(told, items)]


def seen(items: Sequence[ProblemResult]) -> list[SeenProblem]:
    """What observing found, problem by problem, of those that were observed."""
    pairs = [(item, item.observation) for item in items if item.observation]
    return [_seen(item, how) for item, how in pairs if how.calls or item.beside_fix]


def _seen(item: ProblemResult, observation: Observation) -> SeenProblem:
    told = [entry.behaviour for entry in item.pool.entries if entry.behaviour is not None]
    plausible = [c for c, ok in zip(comparisons(item), item.correct, strict=True) if ok and c is not None]
    return SeenProblem(
        problem=item.problem.id,
        calls=len(observation.calls),
        dropped=observation.dropped,
        candidates=len(told),
        different=len({behaviour.sha256 for behaviour in told}),
        unchanged=sum(behaviour.digests == observation.unedited.digests for behaviour in told),
        plausible=len(plausible),
        alike=sum(comparison.answer != "differs" for comparison in plausible),
    )
