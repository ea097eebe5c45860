"""Stages of a run beside the engine. Each reads what the one before stored and does what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nl2fix.core.orders import orders
from nl2fix.core.protocols import PromptStrategy, Ranker, Recorded
from nl2fix.core.records import Problem, RankerRecord, Request, Sampling
from nl2fix.core.results import pool
from nl2fix.core.store import RunStore


def requests(
    store: RunStore, problems: Sequence[Problem], strategy: PromptStrategy, n: int, sampling: Sampling
) -> Iterator[Request]:
    """One request per problem that lacks samples, rendered only when the model asks for it."""
    for problem in problems:
        missing = store.missing_samples(problem.id, n)
        if missing:
            yield Request(problem, strategy.render(problem), missing, sampling)


def rank(store: RunStore, problems: Sequence[Problem], rankers: Sequence[Ranker]) -> None:
    """Store the order in which each ranker would show the candidates of each problem."""
    pools = [pool(store, problem) for problem in problems]
    for ranker in rankers:
        plain = RankerRecord(ranker.name, ranker.name, ranker.name)
        record = ranker.record if isinstance(ranker, Recorded) else plain
        for item, order in zip(pools, orders(ranker, pools), strict=True):
            keys = [item.entries[i].candidate.key for i in order]
            store.set_ranking(record, item.problem.id, keys)
