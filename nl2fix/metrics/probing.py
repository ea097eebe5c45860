"""Excess code of a run measured by probes: which lines of its plausible candidates no test runs.

Coverage is measured by the validator itself, in any language it judges: a probe in front of a line
makes the tests fail exactly when they run that line (``languages.capabilities.HasProbes``). Verdicts on
probes are cached like any others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

from nl2fix.core.cache import VerdictCache
from nl2fix.core.config import Environment, read
from nl2fix.core.engine import Judging, judge
from nl2fix.core.errors import DataError, InfrastructureError, UsageError
from nl2fix.core.files import write_atomically
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Entry, Outcome, Pool, Problem, Span, Verdict
from nl2fix.core.results import ProblemResult
from nl2fix.languages import language
from nl2fix.languages.capabilities import HasProbes, require
from nl2fix.metrics.excess_code import Passing, excess_code, excess_code_published

_SOFT, _HARD = 0, 1


FILE = "excess.json"
"""Where a run's folder keeps the measurement."""


class Shares(NamedTuple):
    """Excess code of one problem's passing samples; ``None`` where none of them changes a line."""

    excess_code: float | None
    excess_code_published: float | None


@dataclass(frozen=True)
class Excess:
    """What a run's plausible candidates hold beyond what tests run."""

    excess_code: float | None
    """CanItEdit's definition; ``None`` without plausible candidates that change a line."""
    excess_code_published: float | None
    """As the published script computes it."""
    samples: int
    """Plausible samples; equal ones are measured once and count as often as they were drawn."""
    candidates: int
    """Distinct plausible candidates measured."""
    problems: int
    drawn: Mapping[str, Mapping[str, int]]
    """Problem → key of each candidate measured → samples that drew it."""
    shares: Mapping[str, Shares]
    """Problem → its own values."""

    def save(self, folder: Path) -> None:
        """Keep the measurement in the run's folder."""
        write_atomically(folder / FILE, json.dumps(asdict(self), indent=1) + "\n")


def load(folder: Path) -> Excess | None:
    """What was measured of a run; ``None`` when nothing was. Raises ``DataError`` for a damaged file."""
    file = folder / FILE
    if not file.exists():
        return None
    try:
        excess = read(Excess, json.loads(file.read_text(encoding="utf-8")), FILE)
        shares = {problem: Shares(*(_share(v) for v in pair)) for problem, pair in excess.shares.items()}
        return replace(excess, shares=shares)
    except OSError as error:
        raise DataError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, TypeError, AttributeError, UsageError) as error:
        raise DataError(f"{file} is damaged ({error}); measure again: nl2fix excess {folder}") from error


def current(folder: Path, items: Iterable[ProblemResult]) -> Excess | None:
    """What was measured of a run, where it was of the very samples of ``items``; ``None`` otherwise."""
    measured = load(folder)
    for item in items:
        drawn = {e.candidate.key: len(e.samples) for e in measurable(item.pool, item.verdicts)}
        if measured is None or measured.drawn.get(item.problem.id, {}) != drawn:
            return None
    return measured


def _share(value: object) -> float | None:
    if value is not None and not isinstance(value, int | float):
        raise ValueError(f"a share is a number or null, not {value!r}")
    return value


def measurable(pool: Pool, verdicts: Sequence[Verdict | None]) -> list[Entry]:
    """The entries that are measured: plausible, and code of the region. One verdict per entry."""
    return [
        entry
        for entry, verdict in zip(pool.entries, verdicts, strict=True)
        if verdict is not None and verdict.plausible and entry.candidate.local
    ]


@dataclass(frozen=True)
class _Probed:
    """A plausible candidate with its probes, by line of the candidate's code."""

    problem: Problem
    candidate: Candidate
    drawn: int
    """Samples that drew it."""
    probes: dict[int, tuple[Candidate, Candidate]]


def measure(
    items: Sequence[ProblemResult],
    validator: Validator,
    environment: Environment,
    progress: Progress,
) -> Excess:
    """Probe every executable line of every plausible candidate."""
    probed = [one for item in items if item.excluded is None for one in _plausible(item)]
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
    return _sum_up(probed, {**soft, **hard})


def _sum_up(probed: Sequence[_Probed], results: dict[tuple[str, str], str]) -> Excess:
    passing: dict[str, list[Passing]] = {}
    drawn: dict[str, dict[str, int]] = {}
    for item in probed:
        passing.setdefault(item.problem.id, []).extend([_passing(item, results)] * item.drawn)
        drawn.setdefault(item.problem.id, {})[item.candidate.key] = item.drawn
    return Excess(
        excess_code(passing.values()),
        excess_code_published(passing.values()),
        samples=sum(map(len, passing.values())),
        candidates=len(probed),
        problems=len(passing),
        drawn=drawn,
        shares={
            problem: Shares(excess_code([passed]), excess_code_published([passed]))
            for problem, passed in passing.items()
        },
    )


def _plausible(item: ProblemResult) -> list[_Probed]:
    problem = item.problem
    return [
        _Probed(problem, entry.candidate, len(entry.samples), _probes(problem, entry.candidate))
        for entry in measurable(item.pool, item.verdicts)
    ]


def _probes(problem: Problem, candidate: Candidate) -> dict[int, tuple[Candidate, Candidate]]:
    """Probes as region candidates, by 1-based line of the candidate's own code."""
    able = require(language(problem.language), HasProbes, "to find excess code")
    text = candidate.apply(problem)
    start, tail = problem.region.start, len(problem.text) - problem.region.end
    first = text.count("\n", 0, start)
    region = Span(start, len(text) - tail)
    return {
        line - first: (Candidate(soft[start : len(soft) - tail]), Candidate(hard[start : len(hard) - tail]))
        for line, (soft, hard) in able.probes(text, region).items()
    }


def _judge(
    validator: Validator,
    cache: VerdictCache,
    jobs: int,
    asked: Sequence[tuple[_Probed, dict[int, tuple[Candidate, Candidate]], int]],
    progress: Progress,
) -> dict[tuple[str, str], str]:
    """(problem, probe) → ``passes`` (the line did not run), ``fails`` (it did) or ``unbuilt``.

    Raises ``InfrastructureError`` where that could not be found out.
    """
    work: dict[str, tuple[Problem, list[Candidate]]] = {}
    for item, lines, kind in asked:
        _, candidates = work.setdefault(item.problem.id, (item.problem, []))
        candidates += [pair[kind] for pair in lines.values()]
    judged = judge(list(work.values()), Judging(validator, cache, jobs), progress)
    if failures := judged.failures():
        first = f"{failures[0].problem}: {failures[0].message}"
        raise InfrastructureError(
            f"{len(failures)} probes got no verdict (first: {first}); run the same command again"
        )
    return {
        (problem, candidate.key): _state(judged.verdicts(problem).get(candidate.key))
        for problem, (_, candidates) in work.items()
        for candidate in candidates
    }


def _state(verdict: Verdict | None) -> str:
    if verdict is None or verdict.outcome is Outcome.UNCOMPILABLE:
        return "unbuilt"
    return "passes" if verdict.plausible else "fails"


def _key(item: _Probed, probe: Candidate) -> tuple[str, str]:
    return item.problem.id, probe.key


def _passing(item: _Probed, results: dict[tuple[str, str], str]) -> Passing:
    """A line ran when its soft probe failed, or its hard one where the soft one was swallowed."""
    states = {
        line: {results[_key(item, probe)] for probe in pair if _key(item, probe) in results}
        for line, pair in item.probes.items()
    }
    executable = frozenset(line for line, seen in states.items() if seen - {"unbuilt"})
    covered = frozenset(line for line, seen in states.items() if "fails" in seen)
    return Passing(item.problem.before, item.candidate.code, executable, covered)
