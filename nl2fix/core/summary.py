"""A run in numbers: outcomes, pass@k and ranked pass@k, with multiplicity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nl2fix.core.apart import told_counts
from nl2fix.core.passk import mean_pass_at_k, oracle_at_k, random_at_k, ranked_pass_at_k
from nl2fix.core.records import Outcome, RankerRecord
from nl2fix.core.results import ProblemResult, RunResults, published_counts

KS = (1, 5, 10, 25, 50, 100)
RANKED_KS = (1, 5)
LOST = 0.05
"""Share of answers lost to their limit of tokens from which a run says so."""


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
    absent: int
    """Samples that were asked for and that a recording does not hold; they count nowhere."""
    ranks: dict[str, int | None]
    """Key of a ranker → 1-based place of its first plausible candidate; ``None`` when there is none."""
    order: dict[str, list[bool]]
    """Key of a ranker → plausibility of the distinct candidates, best-ranked first."""


@dataclass(frozen=True, slots=True)
class RankedScore:
    """Mean over problems of r.pass@k, between its two bounds."""

    ranker: str
    """Its key."""
    label: str
    k: int
    value: float
    random: float
    oracle: float


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Means over the problems that are neither excluded nor incomplete and have a sample."""

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
    """pass@k when a failed sample counts by its second attempt, over problems that wait for none; empty where
    there were none."""
    published_pass_at: dict[int, float] = field(default_factory=dict)
    """pass@k by the benchmark's own verdict, over problems that have one; empty where there are none."""
    alike_pass_at: dict[int, float] = field(default_factory=dict)
    """pass@k of what is plausible and not told apart from the reference; empty where none was observed."""
    short: dict[str, int] = field(default_factory=dict)
    """Problems of which a recording holds too few samples, with how many; left out of pass@k for larger k."""

    answers: int = 0
    """Samples and second attempts."""
    cut: int = 0
    """Answers that ended at their limit of tokens and hold no edit."""
    longest_cut: int = 0
    """Most tokens of one of these, as the model counted them."""
    max_tokens: int = 0
    """That limit."""

    @property
    def counted(self) -> list[ProblemSummary]:
        """Problems in every denominator: finished, and with a sample."""
        left = set(self.incomplete)
        return [row for row in self.problems if row.n and row.problem not in left]

    @property
    def losses(self) -> str:
        """One line on answers that were cut, where they are too many to overlook; else empty."""
        if self.cut <= LOST * self.answers:
            return ""
        share = f"{self.cut} of {self.answers} answers ({self.cut / self.answers:.1%})"
        lost = "before their edit and count as no_edit"
        if 0 < self.longest_cut < self.max_tokens:
            return (
                f"{share} reached the end of the model's context, {self.longest_cut} tokens at most, {lost}"
            )
        return (
            f"{share} reached the limit of {self.max_tokens} tokens {lost}; raise sampling.max_tokens "
            "(--max-tokens)"
        )

    @property
    def shortage(self) -> str:
        """One line on the problems with too few samples; empty without any."""
        absent = [name for name, n in self.short.items() if not n]
        told = [f"no sample, counted nowhere: {_first(absent)}"] if absent else []
        return "; ".join([*self._told_of_short(), *told])

    def _told_of_short(self) -> Iterator[str]:
        """What problems with too few samples are left out of, and what they are not."""
        short = {name: n for name, n in self.short.items() if n}
        if not short:
            return
        named = _first([f"{name} ({n})" for name, n in short.items()])
        yield f"fewer samples than asked for, left out of pass@k for larger k: {named}"
        over = {k: sum(row.n >= k for row in self.counted) for k in self.pass_at}
        fewer = ", ".join(f"pass@{k} over {bugs}" for k, bugs in over.items() if bugs < len(self.counted))
        if fewer:
            yield f"so {fewer} of {len(self.counted)} bugs"
        if self.ranked and min(short.values()) < max(RANKED_KS):
            yield "r.pass@k, random and oracle count them by what there is"


def _first(names: Sequence[str]) -> str:
    """The first three, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def summarise(results: RunResults) -> RunSummary:
    """Work out all numbers of a run."""
    n, counted = results.n, results.counted
    outcomes: Counter[str] = Counter()
    for item in counted:
        outcomes.update(_outcomes(item))
    return RunSummary(
        problems=[_problem(item) for item in results.problems if item.excluded is None],
        excluded={i.problem.id: i.excluded for i in results.problems if i.excluded is not None},
        incomplete=[item.problem.id for item in results.unfinished],
        pass_at=_mean_pass([(item.samples, item.plausible) for item in counted], n),
        second_pass_at=_mean_pass(_second_counts(counted), n),
        published_pass_at=_mean_pass(published_counts(counted), n),
        alike_pass_at=_mean_pass(told_counts(counted), n),
        ranked=_ranked(counted, results.rankers),
        samples=sum(item.samples for item in counted),
        outcomes=dict(outcomes),
        duplicates=sum(_duplicates(item) for item in counted),
        fixed=sum(item.plausible > 0 for item in counted),
        short={item.problem.id: item.samples for item in results.finished if item.samples < n},
        answers=sum(item.answers for item in counted),
        cut=sum(item.cut for item in counted),
        longest_cut=max((item.longest_cut for item in counted), default=0),
        max_tokens=results.settings.get("sampling", {}).get("max_tokens", 0),
    )


def _problem(item: ProblemResult) -> ProblemSummary:
    flags = item.correct
    order = {name: [flags[i] for i in places] for name, places in item.orders.items()}
    return ProblemSummary(
        problem=item.problem.id,
        project=item.problem.project,
        n=item.samples,
        distinct=len(item.pool.entries),
        outcomes=dict(_outcomes(item)),
        plausible=item.plausible,
        plausible_distinct=sum(flags),
        plausible_second=item.second,
        unjudged=item.unjudged,
        absent=item.absent,
        ranks={name: right.index(True) + 1 if any(right) else None for name, right in order.items()},
        order=order,
    )


def _outcomes(item: ProblemResult) -> Counter[str]:
    """Judged samples by outcome."""
    counts: Counter[str] = Counter()
    for entry, verdict in item.judged:
        counts[verdict.outcome.value] += len(entry.samples)
    if item.refusals:
        counts[Outcome.NO_EDIT.value] = len(item.refusals)
    return counts


def _second_counts(counted: Sequence[ProblemResult]) -> list[tuple[int, int]]:
    """(samples, those plausible at either attempt) of each problem; empty without second attempts.

    A problem that is solved by every sample needs none, and counts.
    """
    if all(item.second is None for item in counted):
        return []
    return [(item.samples, sum(tries.solved for tries in item.tries)) for item in counted if item.retried]


def _duplicates(item: ProblemResult) -> int:
    return sum(len(entry.samples) - 1 for entry in item.pool.entries)


def _mean_pass(counts: Sequence[tuple[int, int]], n: int) -> dict[int, float]:
    """Mean pass@k over problems given as (samples, plausible samples), for each k up to ``n``."""
    means = ((k, mean_pass_at_k(counts, k)) for k in KS if k <= n)
    return {k: value for k, value in means if value is not None}


def _ranked(counted: Sequence[ProblemResult], rankers: Sequence[RankerRecord]) -> list[RankedScore]:
    scores = []
    for ranker in rankers:
        if not counted or any(ranker.key not in item.orders for item in counted):
            continue
        lists = []
        for item in counted:
            flags = item.correct
            lists.append([flags[i] for i in item.orders[ranker.key]])
        for k in RANKED_KS:
            scores.append(
                RankedScore(
                    ranker.key,
                    ranker.label,
                    k,
                    value=sum(ranked_pass_at_k(flags, k) for flags in lists) / len(lists),
                    random=sum(random_at_k(flags, k) for flags in lists) / len(lists),
                    oracle=sum(oracle_at_k(flags) for flags in lists) / len(lists),
                )
            )
    return scores
