"""Statistics over problems and candidates: equal ones for equal values, as what is drawn is the same.

Contract: candidates of one bug are not independent, so intervals and tests resample whole clusters
(bugs). ``clusters`` names the cluster of each value; arrays are one-dimensional and of equal length.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_EXACT_FLIPS = 12
"""Up to this many clusters, all sign flips are tried."""
_EXACT_RANKS = 50
"""Up to this many differences that are not 0, the signed-rank distribution is exact, ties included."""
_RESAMPLES = 10_000
"""Draws of clusters, or of signs."""
_ALIKE = 1e-9
"""Values that differ by less are the same but for rounding."""
_TELLING = 12
"""Digits of a difference that are no rounding, so that equal ones are ties."""


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval, whose ends are not a number where there is none."""

    value: float
    low: float
    high: float

    @property
    def bounded(self) -> bool:
        """Whether there is an interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    @property
    def plain(self) -> list[float | None]:
        """Value, low and high for JSON, which has no such numbers."""
        return [None if math.isnan(part) else part for part in self]


class Summary(NamedTuple):
    """Shape of a distribution; ``kurtosis`` is excess kurtosis (0 for a normal one)."""

    size: int
    mean: float
    first_quartile: float
    median: float
    third_quartile: float
    kurtosis: float | None


def mean_interval(values: ArrayLike, clusters: Sequence[Hashable]) -> Estimate:
    """Mean with a percentile bootstrap interval over clusters (Efron and Tibshirani 1993, ch. 8).

    One cluster, or clusters that are all alike, say nothing of how clusters differ: the mean has no interval
    then.
    """
    data = np.asarray(values, dtype=np.float64)
    ids = _codes(clusters, len(data))
    sums, sizes = np.bincount(ids, data), np.bincount(ids).astype(np.float64)
    draws = _draws(len(sums))
    means = (draws @ sums) / (draws @ sizes)
    return Estimate(float(data.mean()), *_percentiles(means))


def pearson_interval(
    one: ArrayLike, two: ArrayLike, clusters: Sequence[Hashable], resamples: int = 1_000
) -> Estimate:
    """Pearson's correlation with a percentile bootstrap interval over clusters.

    Clusters drawn twice count twice. Draws in which a side is constant are left out; without any other,
    or where the others are all alike, the ends are not a number. All draws are read off the sums of each
    cluster.
    """
    a, b = np.asarray(one, dtype=np.float64), np.asarray(two, dtype=np.float64)
    ids = _codes(clusters, len(a))
    size = int(ids.max()) + 1
    generator = np.random.default_rng(0)
    draws = np.array(
        [np.bincount(generator.integers(size, size=size), minlength=size) for _ in range(resamples)],
        dtype=np.float64,
    )
    varied = _varied(draws, ids, a) & _varied(draws, ids, b)
    x, y = a - a.mean(), b - b.mean()
    parts = (np.ones(len(a)), x, y, x * x, y * y, x * y)
    n, sx, sy, sxx, syy, sxy = (draws[varied] @ np.bincount(ids, part) for part in parts)
    correlations = (n * sxy - sx * sy) / np.sqrt((n * sxx - sx * sx) * (n * syy - sy * sy))
    return Estimate(pearson(a, b), *_percentiles(correlations))


def _varied(draws: Floats, ids: NDArray[np.intp], data: Floats) -> NDArray[np.bool_]:
    """Whether the clusters of a draw hold two different values, for each draw."""
    least, most = np.full(draws.shape[1], np.inf), np.full(draws.shape[1], -np.inf)
    np.minimum.at(least, ids, data)
    np.maximum.at(most, ids, data)
    drawn = draws > 0
    varied: NDArray[np.bool_] = np.where(drawn, least, np.inf).min(axis=1) < np.where(
        drawn, most, -np.inf
    ).max(axis=1)
    return varied


def pearson(one: ArrayLike, two: ArrayLike) -> float:
    """Pearson's correlation, -1 to 1; not a number when one side is constant."""
    a, b = np.asarray(one, dtype=np.float64), np.asarray(two, dtype=np.float64)
    if not (np.ptp(a) and np.ptp(b)):
        return math.nan
    a, b = a - a.mean(), b - b.mean()
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale else math.nan


def paired_test(differences: ArrayLike, clusters: Sequence[Hashable]) -> float:
    """Two-sided p value of a sign-flip permutation test: do the cluster sums scatter around 0?

    Exact for few clusters; else by random flips, the observed one counted in (Phipson and Smyth 2010).
    """
    data = np.asarray(differences, dtype=np.float64)
    sums = np.bincount(_codes(clusters, len(data)), data)
    sums = sums[sums != 0]
    if len(sums) == 0:
        return 1.0
    if len(sums) <= _EXACT_FLIPS:
        flips = np.array(list(itertools.product((-1.0, 1.0), repeat=len(sums))))
        extra = 0
    else:
        flips = np.random.default_rng(0).choice((-1.0, 1.0), size=(_RESAMPLES, len(sums)))
        extra = 1
    hits = int((np.abs(flips @ sums) >= abs(sums.sum()) - 1e-12).sum())
    return (hits + extra) / (len(flips) + extra)


def wilcoxon_greater(differences: ArrayLike) -> float | None:
    """One-sided p value of Wilcoxon's signed-rank test that differences tend to be above 0.

    Zeros are dropped, ties have their mean rank; exact up to 50 differences, else the normal approximation
    with tie correction and without continuity correction. ``None`` when all differences are 0.
    """
    data = np.round(np.asarray(differences, dtype=np.float64), _TELLING)
    data = data[data != 0]
    n = len(data)
    if n == 0:
        return None
    ranks, ties = _ranks(np.abs(data))
    positive = float(ranks[data > 0].sum())
    if n <= _EXACT_RANKS:
        return _signed_rank_tail(ranks, positive)
    spread = math.sqrt((n * (n + 1) * (2 * n + 1) - ties / 2) / 24)
    return 0.5 * math.erfc((positive - n * (n + 1) / 4) / spread / math.sqrt(2))


def summarise(values: ArrayLike) -> Summary:
    """Quartiles by linear interpolation; kurtosis is biased (population) and ``None`` for constants."""
    data = np.asarray(values, dtype=np.float64)
    if not len(data):
        raise ValueError("cannot summarise no values")
    low, middle, high = np.percentile(data, [25, 50, 75])
    centred = data - data.mean()
    variance = float((centred**2).mean())
    kurtosis = float((centred**4).mean()) / variance**2 - 3 if variance > 1e-24 else None
    return Summary(len(data), float(data.mean()), float(low), float(middle), float(high), kurtosis)


def _codes(clusters: Sequence[Hashable], size: int) -> NDArray[np.intp]:
    if len(clusters) != size or not size:
        raise ValueError(f"{size} values need as many clusters, at least one, not {len(clusters)}")
    codes: dict[Hashable, int] = {}
    return np.array([codes.setdefault(cluster, len(codes)) for cluster in clusters], dtype=np.intp)


@lru_cache(maxsize=2)
def _draws(clusters: int) -> Floats:
    """How often each cluster is drawn in each resample; kept, for tables ask for the same ones often."""
    generator = np.random.default_rng(0)
    even = np.full(clusters, 1 / clusters)
    draws = generator.multinomial(clusters, even, size=_RESAMPLES).astype(np.float64)
    draws.flags.writeable = False
    return draws


def _percentiles(resampled: Floats) -> tuple[float, float]:
    """The ends of an interval; not a number where what was resampled does not vary."""
    if not len(resampled) or float(np.ptp(resampled)) < _ALIKE:
        return math.nan, math.nan
    low, high = np.percentile(resampled, [2.5, 97.5])
    return float(low), float(high)


def _ranks(values: Floats) -> tuple[Floats, float]:
    """Mean ranks from 1, and the sum of t³ − t over groups of t ties."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[where], float((counts**3 - counts).sum())


def _signed_rank_tail(ranks: Floats, positive: float) -> float:
    """P(W⁺ ≥ positive) when every sign is equally likely. Mean ranks are halves, so they are doubled."""
    ways = np.zeros(round(2 * ranks.sum()) + 1)
    ways[0] = 1.0
    for rank in np.rint(2 * ranks).astype(int):
        shifted = np.zeros_like(ways)
        shifted[rank:] = ways[:-rank]
        ways = (ways + shifted) / 2
    return float(min(1.0, ways[round(2 * positive) :].sum()))
