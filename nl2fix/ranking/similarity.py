"""Ranks by any metric against the buggy code: small edits first, or last if so asked.

Contract: a candidate that changes no token is never a fix and goes last, after those for which the
metric is undefined.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Entry, Pool, Problem
from nl2fix.languages import language
from nl2fix.metrics import METRICS
from nl2fix.metrics.measure import Metric, metric
from nl2fix.metrics.texts import Edit
from nl2fix.ranking.order import best_first, compared

_OF_EDITS = frozenset(
    {"sari", "diffbleu", *(name for name in METRICS.built_in if name.startswith("excision"))}
)
"""Metrics that look at what a reference changes: against the buggy code there is nothing."""

_UNDEFINED = -1e9
"""Score where the metric has no value: after all that have one."""


@dataclass(frozen=True)
class SimilarityConfig:
    metric: str = "edit_similarity"
    """Name of a metric."""
    ascending: bool = False
    """Least similar first."""


class SimilarityRanker:
    """Most similar to the buggy code first."""

    def __init__(self, config: SimilarityConfig) -> None:
        if config.metric in _OF_EDITS:
            raise UsageError(
                f"metric {config.metric!r} compares edits, so the buggy code cannot be its reference; "
                f"use one of {', '.join(name for name in METRICS if name not in _OF_EDITS)}"
            )
        self._metric: Metric = metric(config.metric)
        self._metric_name = config.metric
        self._sign = -1.0 if config.ascending else 1.0
        if config.metric == "edit_distance":
            self._sign = -self._sign
        self.name = f"similarity({config.metric}{', ascending' if config.ascending else ''})"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        return [self._order(pool) for pool in pools]

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, the metric's value."""
        return [self._reason(score) for score in self._scores(pool)]

    def _reason(self, score: float) -> str:
        if score <= _UNDEFINED:
            return "changes nothing" if score == -math.inf else f"{self._metric_name} is not defined for it"
        return f"{self._metric_name} {self._sign * score:.3f} with the buggy code"

    def _order(self, pool: Pool) -> list[int]:
        return best_first(self._scores(pool))

    def _scores(self, pool: Pool) -> list[float]:
        edits: dict[str, Edit] = {}
        return [self._score(pool.problem, entry, edits) for entry in pool.entries]

    def _score(self, problem: Problem, entry: Entry, edits: dict[str, Edit]) -> float:
        old, new = compared(problem, entry)
        if old not in edits:
            edits[old] = Edit(old, [old], language(problem.language))
        revision = edits[old].revision(new)
        if revision.unchanged:
            return -math.inf
        value = self._metric(revision)
        return _UNDEFINED if value is None else self._sign * value


def make(options: Mapping[str, Any], environment: Environment) -> Ranker:
    config = read(SimilarityConfig, options, "ranker similarity")
    return SimilarityRanker(config)
