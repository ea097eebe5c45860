"""What a run found, joined once: the read model of every report, export, study and training.

``answers`` joins the records of a store problem by problem, ``results`` makes of them what all numbers
are functions of. Each stored record is decoded once. Multiplicity is kept: 100 samples are 100.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from nl2fix.core.protocols import Records
from nl2fix.core.records import (
    ABSENT,
    CUT,
    TEMPLATE,
    Behaviour,
    Candidate,
    Completion,
    Entry,
    Evidence,
    Failure,
    Observation,
    OnTests,
    Outcome,
    Pool,
    Problem,
    RankerRecord,
    Verdict,
)
from nl2fix.core.store import RunStore

Faults = Callable[[str, Problem], Iterable[str]]
"""Names of what goes wrong in an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer and what it turned out to be."""

    completion: Completion
    candidate: Candidate | None = None
    reason: str | None = None
    """Why there is no candidate."""
    verdict: Verdict | None = None
    """That of its candidate, ``no_edit`` without one; ``None`` when not judged, or not read, yet."""

    @property
    def absent(self) -> bool:
        return self.completion.finish == ABSENT

    @property
    def uncounted(self) -> bool:
        """It was said, and the model did not count its tokens (one that shares its cost has 0)."""
        said = self.completion
        return said.text is not None and None in (said.prompt_tokens, said.completion_tokens)

    @property
    def counts(self) -> bool:
        """It is a sample: read, and not one that a recording lacks."""
        return self.candidate is not None or self.verdict is not None

    @property
    def cut(self) -> bool:
        """It ended at its limit of tokens before there was an edit."""
        return self.counts and self.candidate is None and self.completion.finish == CUT


class Answered(NamedTuple):
    """A problem with its answers in order of sample and attempt."""

    problem: Problem
    answers: tuple[Answer, ...]
    excluded: str | None
    """Why the problem is left out of every denominator."""


class Tries(NamedTuple):
    """Whether the answers to one sample were plausible; ``second`` is ``None`` without a second try."""

    first: bool
    second: bool | None

    @property
    def solved(self) -> bool:
        return self.first or bool(self.second)


class Refusal(NamedTuple):
    """A first answer that holds no edit."""

    sample: int
    reason: str


@dataclass(frozen=True, slots=True)
class ProblemResult:
    """One problem of a run with what its samples turned out to be."""

    problem: Problem
    pool: Pool
    """Distinct candidates of the first attempts, in order of first draw."""
    verdicts: tuple[Verdict | None, ...]
    """One per entry of the pool; ``None`` when not judged."""
    tries: tuple[Tries, ...]
    """One per sample, those without an extractable edit included."""
    reference: Candidate | None = None
    """The hidden fix, where the run holds it."""
    orders: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Key of a ranker → indices into the pool's entries, best first; only orders of all of them."""
    refusals: tuple[Refusal, ...] = ()
    faults: Mapping[str, int] = field(default_factory=dict)
    """Pathology → number of answers that show it, both attempts; empty where nobody asked."""
    texts: int = 0
    """Answers in text, both attempts; code proposed without an answer has no pathologies."""
    excluded: str | None = None
    absent: int = 0
    """Samples that were asked for and that a recording does not hold."""
    unjudged: int = 0
    """Answers without verdict, both attempts."""
    answers: int = 0
    """Samples and second attempts."""
    cut: int = 0
    """Answers that ended at their limit of tokens and hold no edit."""
    cut_off: frozenset[int] = frozenset()
    """Samples whose first answer ended so, whether or not it holds an edit."""
    longest_cut: int = 0
    """Most tokens of one of these, as the model counted them."""
    tokens: tuple[int, int] = (0, 0)
    """Of the prompts and of the answers of both attempts, as the model counted them."""
    uncounted: int = 0
    """Answers in text of which it did not count them."""
    observation: Observation | None = None
    """The calls by which its programs were observed, where they were."""
    reference_behaviour: Behaviour | None = None
    """What the hidden fix did on them."""
    on_tests: Mapping[str, OnTests | None] = field(default_factory=dict)
    """What calls of the hidden tests show of plausible candidates, by key."""

    @property
    def beside_fix(self) -> bool:
        """Whether anything was seen of what the hidden fix does."""
        return self.reference_behaviour is not None or any(self.on_tests.values())

    @property
    def samples(self) -> int:
        """n of pass@k."""
        return len(self.tries)

    @property
    def plausible(self) -> int:
        """c of pass@k: samples whose first attempt is plausible."""
        return sum(tries.first for tries in self.tries)

    @property
    def published(self) -> int | None:
        """Samples whose first attempt passes by the benchmark's own verdict; ``None`` where it is ours."""
        told = [(len(e.samples), v.evidence.published) for e, v in self.judged]
        if all(passes is None for _, passes in told):
            return None
        return sum(samples for samples, passes in told if passes)

    @property
    def second(self) -> int | None:
        """Samples plausible at the first or the second attempt; ``None`` without second attempts."""
        if all(tries.second is None for tries in self.tries):
            return None
        return sum(tries.solved for tries in self.tries)

    @property
    def retried(self) -> bool:
        """Whether every sample that failed at first has its second attempt."""
        return all(tries.first or tries.second is not None for tries in self.tries)

    @property
    def key(self) -> str:
        """Names the problem across runs."""
        return f"{self.problem.suite}/{self.problem.id}"

    @property
    def judged(self) -> list[tuple[Entry, Verdict]]:
        """The distinct candidates that have a verdict, with it."""
        pairs = zip(self.pool.entries, self.verdicts, strict=True)
        return [(entry, verdict) for entry, verdict in pairs if verdict is not None]

    @property
    def correct(self) -> list[bool]:
        """Per entry of the pool: plausible."""
        return [verdict is not None and verdict.plausible for verdict in self.verdicts]

    def count(self, *outcomes: Outcome) -> int:
        """Samples with one of these outcomes; not for ``no_edit``, which has no candidate."""
        return sum(len(entry.samples) for entry, verdict in self.judged if verdict.outcome in outcomes)

    def finished(self, n: int) -> bool:
        """Whether all of ``n`` samples were drawn and judged, but for those a recording does not hold."""
        return not self.unjudged and self.samples + self.absent >= n


@dataclass(frozen=True, slots=True)
class RunResults:
    """All that a run found, and where it comes from."""

    name: str
    """Name of the run's folder."""
    manifest: Mapping[str, Any]
    problems: tuple[ProblemResult, ...]
    n: int
    """Samples asked for per problem."""
    rankers: tuple[RankerRecord, ...] = ()
    """In the order of the run's settings."""
    failures: tuple[Failure, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        settings: Mapping[str, Any] = self.manifest["settings"]
        return settings

    @property
    def counted(self) -> list[ProblemResult]:
        """Problems in every denominator: neither excluded nor unfinished, and with a sample.

        A recording may have none of one.
        """
        return [item for item in self.finished if item.samples]

    @property
    def finished(self) -> list[ProblemResult]:
        return [item for item in self.problems if item.excluded is None and item.finished(self.n)]

    @property
    def unfinished(self) -> list[ProblemResult]:
        return [item for item in self.problems if item.excluded is None and not item.finished(self.n)]


def answers(store: RunStore, problems: Sequence[Problem]) -> Iterator[Answered]:
    """The problems with their answers, one problem in memory at a time."""
    excluded = store.excluded()
    for problem in problems:
        joined, _ = join(store, problem)
        yield Answered(problem, joined, excluded.get(problem.id))


def published_counts(items: Sequence[ProblemResult]) -> list[tuple[int, int]]:
    """(samples, those that pass by the benchmark's own verdict) of each problem; empty where that is ours."""
    passed = [item.published for item in items]
    if all(count is None for count in passed):
        return []
    return [(item.samples, count or 0) for item, count in zip(items, passed, strict=True)]


def results(store: RunStore, problems: Sequence[Problem], n: int, faults: Faults | None = None) -> RunResults:
    """What a run of ``n`` samples a problem found; texts of answers are not kept."""
    excluded, rankers, references = store.excluded(), store.rankers(), store.references()
    solved = store.reference_behaviours()
    return RunResults(
        name=os.fsencode(store.folder.resolve().name).decode(errors="replace"),  # pages are UTF-8
        manifest=store.manifest,
        problems=tuple(
            replace(
                _result(store, problem, rankers, faults),
                excluded=excluded.get(problem.id),
                reference=references.get(problem.id),
                reference_behaviour=solved.get(problem.id),
                on_tests=store.on_tests(problem.id),
            )
            for problem in problems
        ),
        n=n,
        rankers=tuple(rankers),
        failures=tuple(store.failures()),
    )


def pool(store: Records, problem: Problem) -> Pool:
    """The distinct candidates of the first attempts at a problem, as rankers see them."""
    joined, verdicts = join(store, problem)
    first = [answer for answer in joined if answer.completion.attempt == 1]
    return _pool(store, problem, first, verdicts)


def join(store: Records, problem: Problem) -> tuple[tuple[Answer, ...], dict[str, Verdict]]:
    """The answers of a problem, and the verdicts of its candidates by key."""
    # Draws first: whoever writes meanwhile adds a candidate before what names it.
    draws = {(i, d.sample): d for i in (1, 2) for d in store.draws(problem.id, i)}
    codes, verdicts = store.candidates(problem.id), store.verdicts(problem.id)
    joined = []
    for completion in store.completions(problem.id):
        draw = draws.get((completion.attempt, completion.sample))
        if draw is None or completion.finish == ABSENT:
            joined.append(Answer(completion))
        elif draw.candidate is None:
            verdict = Verdict(Outcome.NO_EDIT, Evidence(message=draw.reason))
            joined.append(Answer(completion, reason=draw.reason, verdict=verdict))
        else:
            joined.append(Answer(completion, codes[draw.candidate], None, verdicts.get(draw.candidate)))
    return tuple(joined), verdicts


def _result(
    store: RunStore, problem: Problem, rankers: Sequence[RankerRecord], faults: Faults | None
) -> ProblemResult:
    joined, verdicts = join(store, problem)
    given = [answer for answer in joined if answer.counts]
    first = [answer for answer in given if answer.completion.attempt == 1]
    drawn = _pool(store, problem, first, verdicts)
    keys = {entry.candidate.key: place for place, entry in enumerate(drawn.entries)}
    texts = [answer.completion.text for answer in given if answer.completion.text is not None]
    return ProblemResult(
        problem=problem,
        pool=drawn,
        verdicts=tuple(verdicts.get(key) for key in keys),
        tries=_tries(first, given),
        orders=_orders(store, problem, rankers, keys),
        refusals=tuple(_refusal(answer) for answer in first if answer.candidate is None),
        faults=Counter(fault for text in texts for fault in faults(text, problem)) if faults else {},
        texts=len(texts),
        absent=sum(answer.absent and answer.completion.attempt == 1 for answer in joined),
        unjudged=sum(answer.verdict is None for answer in given),
        answers=len(given),
        cut=sum(answer.cut for answer in given),
        cut_off=frozenset(a.completion.sample for a in first if a.completion.cut_off),
        longest_cut=max((a.completion.completion_tokens or 0 for a in given if a.cut), default=0),
        tokens=_tokens(joined),
        uncounted=sum(answer.uncounted for answer in joined),
        observation=store.observation(problem.id),
    )


def _refusal(answer: Answer) -> Refusal:
    return Refusal(answer.completion.sample, answer.completion.told(answer.reason or ""))


def _tokens(joined: Sequence[Answer]) -> tuple[int, int]:
    completions = [answer.completion for answer in joined]
    return sum(c.prompt_tokens or 0 for c in completions), sum(c.completion_tokens or 0 for c in completions)


def _tries(first: Sequence[Answer], given: Sequence[Answer]) -> tuple[Tries, ...]:
    again = {a.completion.sample: a.verdict for a in given if a.completion.attempt == 2}
    return tuple(
        Tries(
            answer.verdict is not None and answer.verdict.plausible,
            None if (second := again.get(answer.completion.sample)) is None else second.plausible,
        )
        for answer in first
    )


def _orders(
    store: RunStore, problem: Problem, rankers: Sequence[RankerRecord], keys: Mapping[str, int]
) -> dict[str, tuple[int, ...]]:
    """Orders of exactly the candidates there are; one of earlier, fewer candidates is none."""
    orders = {}
    for ranker in rankers:
        order = store.ranking(ranker.key, problem.id)
        if order is not None and len(order) == len(keys) and keys.keys() == set(order):
            orders[ranker.key] = tuple(keys[key] for key in order)
    return orders


def _pool(store: Records, problem: Problem, first: Sequence[Answer], verdicts: Mapping[str, Verdict]) -> Pool:
    """The distinct candidates of answers, as rankers see them."""
    drawn: dict[str, list[Answer]] = {}
    for answer in first:
        if answer.candidate is not None:
            drawn.setdefault(answer.candidate.key, []).append(answer)
    unedited = verdicts.get(Candidate(problem.before).key)
    observation, behaviours = store.observation(problem.id), store.behaviours(problem.id)
    entries = tuple(_entry(draws, behaviours.get(key)) for key, draws in drawn.items())
    return Pool(
        problem,
        entries,
        unedited.evidence.build_sha256 if unedited else None,
        observation.unedited if observation and observation.calls else None,
        observation.stated if observation else (),
    )


def _entry(drawn: Sequence[Answer], behaviour: Behaviour | None) -> Entry:
    candidate, verdict = drawn[0].candidate, drawn[0].verdict
    assert candidate is not None
    evidence = verdict.evidence if verdict else None
    return Entry(
        candidate,
        tuple(answer.completion.sample for answer in drawn),
        logprob=max((p for a in drawn if (p := _logprob(a.completion)) is not None), default=None),
        proposed=all(TEMPLATE in answer.completion.extra for answer in drawn),
        built=evidence.built if evidence else None,
        build_sha256=evidence.build_sha256 if evidence else None,
        behaviour=behaviour,
    )


def _logprob(completion: Completion) -> float | None:
    """Mean log-probability per token."""
    if completion.logprob is None:
        return None
    return completion.logprob / max(1, completion.logprob_tokens or 1)
