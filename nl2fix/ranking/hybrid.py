"""Unites several rankers by reciprocal rank fusion (Cormack et al. 2009): no weights to fit.

Contract: a candidate's score is the sum over the parts of 1 / (60 + its place), places from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Pool
from nl2fix.ranking import RANKERS
from nl2fix.ranking.order import compiling_only

_SMOOTHING = 60


@dataclass(frozen=True)
class HybridConfig:
    parts: tuple[str, ...] = ("vote", "cosine", "similarity")
    """Names of the rankers to unite, each with its default options."""
    compiling_only: bool = False
    """Uncompilable candidates go last."""


class HybridRanker:
    """Best mean place first; ties in order of first draw."""

    def __init__(self, parts: Sequence[Ranker]) -> None:
        self._parts = parts
        self.name = f"hybrid({'+'.join(part.name for part in parts)})"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        orders = [part.rank(pools) for part in self._parts]
        return [_fuse(len(pool.entries), own) for pool, *own in zip(pools, *orders, strict=True)]


def _fuse(size: int, orders: Sequence[Sequence[int]]) -> list[int]:
    scores = [0.0] * size
    for order in orders:
        for place, i in enumerate(order, 1):
            scores[i] += 1 / (_SMOOTHING + place)
    return sorted(range(size), key=lambda i: (-round(scores[i], 12), i))


def make(options: Mapping[str, Any], environment: Environment) -> Ranker:
    config = read(HybridConfig, options, "ranker hybrid")
    if not config.parts or "hybrid" in config.parts:
        raise UsageError("ranker hybrid needs `parts`: names of other rankers")
    parts = [RANKERS.load(name)({}, environment) for name in config.parts]
    return compiling_only(HybridRanker(parts), config.compiling_only)
