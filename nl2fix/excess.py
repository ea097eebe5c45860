"""Excess code of a run: which lines of its plausible candidates no test runs.

Coverage is measured by the validator itself, in any language it judges: a probe in front of a line
makes the tests fail exactly when they run that line (``nl2fix.languages.probes``). Verdicts on probes
are cached like any others.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from nl2fix.core.cache import VerdictCache
from nl2fix.core.config import Environment
from nl2fix.core.judge import Work, judge_cached
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Outcome, Problem, Span
from nl2fix.core.store import RunStore
from nl2fix.languages.probes import probes
from nl2fix.metrics.excess import Passing, excess_code, excess_code_published

_SOFT, _HARD = 0, 1


@dataclass(frozen=True)
class Excess:
    """What a run's plausible candidates hold beyond what tests run."""

    excess_code: float | None
    """CanItEdit's definition; ``None`` without plausible candidates that change a line."""
    excess_code_published: float | None
    """As the published script computes it."""
    candidates: int
    """Distinct plausible candidates measured."""
    problems: int


@dataclass(frozen=True)
class _Probed:
    """A plausible candidate with its probes, by line of the candidate's code."""

    problem: Problem
    candidate: Candidate
    probes: dict[int, tuple[Candidate, Candidate]]


def measure(
    store: RunStore,
    problems: Sequence[Problem],
    validator: Validator,
    environment: Environment,
    progress: Progress,
) -> Excess:
    """Probe every executable line of every plausible candidate."""
    probed = [item for problem in problems for item in _plausible(store, problem)]
    cache = VerdictCache(environment.cache / "verdicts.sqlite")
    with closing(cache):
        soft = _judge(validator, cache, environment.jobs, [(p, p.probes, _SOFT) for p in probed], progress)
        unseen = [
            (
                p,
                {line: pair for line, pair in p.probes.items() if soft[_key(p, pair[_SOFT])] == "passes"},
                _HARD,
            )
            for p in probed
        ]
        hard = _judge(validator, cache, environment.jobs, unseen, progress)
    by_problem: dict[str, list[Passing]] = {}
    for item in probed:
        by_problem.setdefault(item.problem.id, []).append(_passing(item, {**soft, **hard}))
    return Excess(
        excess_code(by_problem.values()),
        excess_code_published(by_problem.values()),
        len(probed),
        len(by_problem),
    )


def _plausible(store: RunStore, problem: Problem) -> list[_Probed]:
    verdicts = store.verdicts(problem.id)
    found = []
    for key, candidate in sorted(store.candidates(problem.id).items()):
        if key in verdicts and verdicts[key].plausible and candidate.scope == "region":
            found.append(_Probed(problem, candidate, _probes(problem, candidate)))
    return found


def _probes(problem: Problem, candidate: Candidate) -> dict[int, tuple[Candidate, Candidate]]:
    """Probes as region candidates, by 1-based line of the candidate's own code."""
    text = candidate.apply(problem)
    start, tail = problem.region.start, len(problem.text) - problem.region.end
    first = text.count("\n", 0, start)
    region = Span(start, len(text) - tail)
    return {
        line - first: (Candidate(soft[start : len(soft) - tail]), Candidate(hard[start : len(hard) - tail]))
        for line, (soft, hard) in probes(problem.language, text, region).items()
    }


def _judge(
    validator: Validator,
    cache: VerdictCache,
    jobs: int,
    asked: Sequence[tuple[_Probed, dict[int, tuple[Candidate, Candidate]], int]],
    progress: Progress,
) -> dict[tuple[str, str], str]:
    """(problem, probe) → ``passes`` (the line did not run), ``fails`` (it did) or ``unbuilt``."""
    work: dict[str, Work] = {}
    for item, lines, kind in asked:
        unit = work.setdefault(item.problem.id, Work(item.problem, []))
        work[item.problem.id] = Work(
            item.problem, list(dict.fromkeys([*unit.candidates, *(pair[kind] for pair in lines.values())]))
        )
    total = sum(len(unit.candidates) for unit in work.values())
    results = {}
    with closing(judge_cached(validator, cache, list(work.values()), jobs)) as judgements:
        for done, (problem, candidate, verdict, _) in enumerate(judgements, 1):
            outcome = verdict.outcome if verdict else Outcome.UNCOMPILABLE
            state = "passes" if outcome is Outcome.PLAUSIBLE else "fails"
            results[problem.id, candidate.key] = "unbuilt" if outcome is Outcome.UNCOMPILABLE else state
            progress(done, total, problem.id)
    return results


def _key(item: _Probed, probe: Candidate) -> tuple[str, str]:
    return item.problem.id, probe.key


def _passing(item: _Probed, results: dict[tuple[str, str], str]) -> Passing:
    """A line ran when its soft probe failed, or its hard one where the soft one was swallowed."""
    states = {
        line: {results[_key(item, probe)] for probe in pair if _key(item, probe) in results}
        for line, pair in item.probes.items()
    }
    executable = frozenset(line for line, found in states.items() if found - {"unbuilt"})
    covered = frozenset(line for line, found in states.items() if "fails" in found)
    return Passing(item.problem.before, item.candidate.code, executable, covered)
