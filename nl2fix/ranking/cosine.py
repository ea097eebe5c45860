"""The study's ranker: cosine similarity of the embeddings of buggy code and candidate.

Contract: candidates whose similarity reaches the threshold (default: the median of their pool) come
first, least similar first — a fix changes something; those below it follow, most similar first. Last comes
what has no similarity, in order of first draw: blank code, and what the embedder has no numbers for.
Source: NL2Fix (Fakhoury et al. 2023), ranking of candidates by embedding similarity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.protocols import Embedder, Ranker
from nl2fix.core.records import Pool
from nl2fix.ranking import embedders
from nl2fix.ranking.order import compared


@dataclass(frozen=True)
class CosineConfig:
    embedder: str = "hashing"
    """Name of the embedder."""
    embedder_options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the embedder."""
    threshold: float | None = None
    """Similarity from -1 to 1 below which a candidate is dropped; the pool's median when not given."""


class CosineRanker:
    """Ranks by cosine similarity with the buggy code."""

    def __init__(self, config: CosineConfig, embedder: Embedder) -> None:
        self._threshold = config.threshold
        self._embedder = embedder
        self.name = f"cosine({embedder.name})"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        return [self._order(similarities(self._embedder, pool)) for pool in pools]

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, its similarity and the side of the threshold it falls on."""
        scores = similarities(self._embedder, pool)
        threshold = self._limit(scores)
        limit = f"{threshold:.3f}" + (", the median" if self._threshold is None else "")
        near, far = (
            f"not below {limit}: of these the farthest comes first",
            f"below {limit}: behind the others, the nearest first",
        )
        return [
            "no similarity with the buggy code: behind what has one"
            if isnan(score)
            else f"similarity {score:.3f} with the buggy code, {near if score >= threshold else far}"
            for score in scores
        ]

    def _limit(self, scores: Sequence[float]) -> float:
        if self._threshold is not None:
            return self._threshold
        known = [score for score in scores if not isnan(score)]
        return float(np.median(known)) if known else 0.0

    def _order(self, scores: Sequence[float]) -> list[int]:
        threshold = self._limit(scores)
        kept = sorted((score, i) for i, score in enumerate(scores) if score >= threshold)
        dropped = sorted((-score, i) for i, score in enumerate(scores) if score < threshold)
        return [i for _, i in kept + dropped] + [i for i, score in enumerate(scores) if isnan(score)]


def similarities(embedder: Embedder, pool: Pool) -> list[float]:
    """Cosine similarity of each entry with the code it replaces, rounded to 6 decimals, -1 to 1.

    Not a number where either has no vector.
    """
    if not pool.entries:
        return []
    both = [compared(pool.problem, entry) for entry in pool.entries]
    places: dict[str, int] = {}
    for text in (text for pair in both for text in pair):
        places.setdefault(text, len(places))
    vectors = _unit(_rows(embedder, list(places)))
    return [round(float(vectors[places[old]] @ vectors[places[new]]), 6) for old, new in both]


def _rows(embedder: Embedder, texts: list[str]) -> NDArray[np.float64]:
    """One row a text; the embedder may be the user's own."""
    given = embedder.embed(texts)
    try:
        rows = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2 or len(rows) != len(texts):
        wanted = f"one row of numbers for each of {len(texts)} texts"
        raise Nl2fixError(f"embedder {embedder.name} gave {shortened(given)}, not {wanted}")
    return rows


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows scaled to length 1; zero rows and those that are not finite hold no numbers then."""
    with np.errstate(invalid="ignore"):
        scaled: NDArray[np.float64] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


def make(options: Mapping[str, Any], environment: Environment) -> Ranker:
    config = read(CosineConfig, options, "ranker cosine")
    embedder = embedders.make(config.embedder, config.embedder_options, environment)
    return CosineRanker(config, embedder)
