"""Records in memory, for work that keeps no run: a suggestion session, gold, probes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nl2fix.core.records import Behaviour, Candidate, Completion, Draw, Failure, Observation, Verdict


@dataclass
class _Problem:
    """What is known of one problem."""

    completions: dict[tuple[int, int], Completion] = field(default_factory=dict)
    draws: dict[tuple[int, int], Draw] = field(default_factory=dict)
    candidates: dict[str, Candidate] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    observation: Observation | None = None
    behaviours: dict[str, Behaviour | None] = field(default_factory=dict)


class Memory:
    """Answers to the same questions as ``RunStore``."""

    def __init__(self) -> None:
        self._problems: dict[str, _Problem] = {}

    def add_candidate(self, problem: str, candidate: Candidate) -> None:
        """A candidate that no model drew."""
        self._of(problem).candidates.setdefault(candidate.key, candidate)

    def add_completion(self, completion: Completion) -> None:
        """Keep an answer; the first one kept for a sample stays."""
        answers = self._of(completion.problem).completions
        answers.setdefault((completion.sample, completion.attempt), completion)

    def add_draw(self, completion: Completion, candidate: Candidate | None, reason: str | None) -> bool:
        """Keep what an answer contains; whether its candidate is new."""
        kept = self._of(completion.problem)
        draw = Draw(completion.sample, candidate.key if candidate else None, reason)
        kept.draws.setdefault((completion.attempt, completion.sample), draw)
        if candidate is None or candidate.key in kept.candidates:
            return False
        kept.candidates[candidate.key] = candidate
        return True

    def add_verdict(self, problem: str, candidate: str, verdict: Verdict) -> None:
        kept = self._of(problem)
        kept.verdicts[candidate] = verdict
        kept.failures.pop(candidate, None)

    def add_failure(self, failure: Failure) -> None:
        self._of(failure.problem).failures[failure.candidate] = failure

    def unread(self) -> Iterator[Completion]:
        """Nothing: answers are read as they come."""
        return iter(())

    def unjudged(self, problem: str) -> list[Candidate]:
        """Distinct candidates without verdict, in order of arrival."""
        kept = self._of(problem)
        return [item for key, item in list(kept.candidates.items()) if key not in kept.verdicts]

    def candidate(self, problem: str, key: str) -> Candidate:
        return self._of(problem).candidates[key]

    def completions(self, problem: str) -> Iterator[Completion]:
        """All answers, in order of samples and attempts."""
        kept = self._of(problem)
        return iter([kept.completions[key] for key in sorted(kept.completions)])

    def draws(self, problem: str, attempt: int = 1) -> list[Draw]:
        """One per sample, in order of samples."""
        kept = self._of(problem)
        return [kept.draws[key] for key in sorted(kept.draws) if key[0] == attempt]

    def candidates(self, problem: str) -> dict[str, Candidate]:
        """Distinct candidates by key."""
        return dict(self._of(problem).candidates)

    def verdicts(self, problem: str) -> dict[str, Verdict]:
        """Verdicts by candidate key."""
        return dict(self._of(problem).verdicts)

    def set_observation(self, problem: str, observation: Observation) -> None:
        """Keep what the unedited program does; what was known of others by other calls goes."""
        kept = self._of(problem)
        kept.observation, kept.behaviours = observation, {}

    def observation(self, problem: str) -> Observation | None:
        """The calls by which a problem's programs were observed; ``None`` where they were not."""
        return self._of(problem).observation

    def add_behaviours(self, problem: str, behaviours: Mapping[str, Behaviour | None]) -> None:
        """Keep what candidates did, by key."""
        self._of(problem).behaviours.update(behaviours)

    def behaviours(self, problem: str) -> dict[str, Behaviour | None]:
        """What candidates did, by key; ``None`` of one that could not be observed."""
        return dict(self._of(problem).behaviours)

    def failures(self) -> list[Failure]:
        return [failure for kept in list(self._problems.values()) for failure in list(kept.failures.values())]

    def _of(self, problem: str) -> _Problem:
        return self._problems.setdefault(problem, _Problem())
