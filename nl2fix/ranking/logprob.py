"""Ranks by the model's own score: mean log-probability per token, highest first, unknown last."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Pool
from nl2fix.ranking.order import best_first


@dataclass(frozen=True)
class LogprobConfig:
    """No options."""


class LogprobRanker:
    """Most probable first; candidates without a score keep the order of first draw, at the end.

    Where none has one, as the model gives none, it warns: the order says nothing then.
    """

    name = "logprob"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        scores = [entry.logprob for pool in pools for entry in pool.entries]
        if scores and all(score is None for score in scores):
            none = f"none of {len(scores)} candidates has a log-probability"
            warnings.warn(f"ranker logprob: {none}; they stand as they were drawn", stacklevel=2)
        return [
            best_first([-math.inf if e.logprob is None else e.logprob for e in pool.entries])
            for pool in pools
        ]

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, its score."""
        return [
            "no log-probability known"
            if entry.logprob is None
            else f"mean log-probability {entry.logprob:.3f} a token"
            for entry in pool.entries
        ]


def make(options: Mapping[str, Any], environment: Environment) -> Ranker:
    read(LogprobConfig, options, "ranker logprob")
    return LogprobRanker()
