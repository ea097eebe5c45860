"""A run in numbers: outcomes, pass@k and ranked pass@k, with multiplicity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from nl2fix.core.passk import oracle_at_k, pass_at_k, random_at_k, ranked_pass_at_k
from nl2fix.core.records import Outcome, Problem, Verdict
from nl2fix.core.stages import verdict_of
from nl2fix.core.store import RunStore

KS = (1, 5, 10, 25, 50, 100)
RANKED_KS = (1, 5)


@dataclass(frozen=True, slots=True)
class ProblemSummary:
    """One problem of a run. Counts are samples, duplicates included."""

    problem: str
    project: str
    n: int
    distinct: int
    outcomes: dict[str, int]
    plausible: int
    plausible_distinct: int
    plausible_second: int | None
    """Samples plausible at the first or the second attempt; ``None`` without second attempts."""
    unjudged: int
    ranks: dict[str, int | None]
    """Ranker → 1-based place of its first plausible candidate; ``None`` when there is none."""
    order: dict[str, list[bool]]
    """Ranker → plausibility of the distinct candidates, best-ranked first."""


@dataclass(frozen=True, slots=True)
class RankedScore:
    """Mean over problems of r.pass@k, between its two bounds."""

    ranker: str
    k: int
    value: float
    random: float
    oracle: float


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Means over the problems that are neither excluded nor incomplete."""

    problems: list[ProblemSummary]
    excluded: dict[str, str]
    """Left out of every denominator: not prepared, or failed gold."""
    incomplete: list[str]
    """Samples missing or without verdict; left out of every denominator until finished."""
    pass_at: dict[int, float] = field(default_factory=dict)
    ranked: list[RankedScore] = field(default_factory=list)
    samples: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    duplicates: int = 0
    """Samples whose candidate had been drawn before for the same problem."""
    fixed: int = 0
    """Problems with at least one plausible candidate."""
    second_pass_at: dict[int, float] = field(default_factory=dict)
    """pass@k when a failed sample counts by its second attempt; empty where there were none."""


def summarise(store: RunStore, problems: Sequence[Problem], n: int) -> RunSummary:
    """Work out all numbers of a run of ``n`` samples a problem from its store."""
    excluded = store.excluded()
    rankers = store.rankers()
    rows = [_problem(store, p, rankers) for p in problems if p.id not in excluded]
    complete = [row for row in rows if row.n >= n and not row.unjudged]
    incomplete = [row.problem for row in rows if row.n < n or row.unjudged]
    outcomes: Counter[str] = Counter()
    for row in complete:
        outcomes.update(row.outcomes)
    return RunSummary(
        problems=rows,
        excluded=excluded,
        incomplete=incomplete,
        pass_at=_mean_pass([(row.n, row.plausible) for row in complete], n),
        second_pass_at=_mean_pass(
            [(row.n, row.plausible_second) for row in complete if row.plausible_second is not None], n
        ),
        ranked=_ranked(complete, rankers),
        samples=sum(row.n for row in complete),
        outcomes=dict(outcomes),
        duplicates=sum(row.n - row.distinct - row.outcomes.get("no_edit", 0) for row in complete),
        fixed=sum(row.plausible > 0 for row in complete),
    )


def _problem(store: RunStore, problem: Problem, rankers: Sequence[str]) -> ProblemSummary:
    verdicts, draws = store.verdicts(problem.id), store.draws(problem.id)
    judged = [verdict_of(d, verdicts) for d in draws]
    outcomes = Counter(v.outcome.value for v in judged if v is not None)
    drawn = {d.candidate for d in draws if d.candidate is not None}
    good = {key for key in drawn if key in verdicts and verdicts[key].plausible}
    order = {}
    for ranker in rankers:
        keys = store.ranking(ranker, problem.id)
        if keys is not None:
            order[ranker] = [key in good for key in keys]
    return ProblemSummary(
        problem=problem.id,
        project=problem.project,
        n=len(draws),
        distinct=len(drawn),
        outcomes=dict(outcomes),
        plausible=outcomes[Outcome.PLAUSIBLE.value],
        plausible_distinct=len(good),
        plausible_second=_second(store, problem.id, verdicts, outcomes[Outcome.PLAUSIBLE.value]),
        unjudged=sum(v is None for v in judged),
        ranks={name: flags.index(True) + 1 if any(flags) else None for name, flags in order.items()},
        order=order,
    )


def _mean_pass(counts: Sequence[tuple[int, int]], n: int) -> dict[int, float]:
    """Mean pass@k over problems given as (samples, plausible samples), for each k up to ``n``."""
    means = {}
    for k in KS if counts else ():
        values = [v for samples, plausible in counts if (v := pass_at_k(samples, plausible, k)) is not None]
        if k <= n and values:
            means[k] = sum(values) / len(values)
    return means


def _second(store: RunStore, problem: str, verdicts: dict[str, Verdict], first: int) -> int | None:
    """Plausible samples after the second attempt; a sample is asked again only when it failed."""
    again = [verdict_of(draw, verdicts) for draw in store.draws(problem, attempt=2)]
    return first + sum(v is not None and v.plausible for v in again) if again else None


def _ranked(rows: Sequence[ProblemSummary], rankers: Sequence[str]) -> list[RankedScore]:
    scores = []
    for ranker in rankers:
        lists = [row.order[ranker] for row in rows if ranker in row.order]
        if len(lists) < len(rows) or not rows:
            continue
        for k in RANKED_KS:
            scores.append(
                RankedScore(
                    ranker,
                    k,
                    value=sum(ranked_pass_at_k(flags, k) for flags in lists) / len(lists),
                    random=sum(random_at_k(flags, k) for flags in lists) / len(lists),
                    oracle=sum(oracle_at_k(flags) for flags in lists) / len(lists),
                )
            )
    return scores
