"""Statistics against scipy and against what is known in closed form."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from nl2fix.metrics.statistics import (
    mean_interval,
    paired_test,
    pearson,
    pearson_interval,
    summarise,
    wilcoxon_greater,
)

FLOATS = st.lists(st.floats(-10, 10).map(lambda x: round(x, 2)), min_size=2, max_size=40)
RNG = np.random.default_rng(3)


def test_mean_interval_is_scipys_when_every_value_is_its_own_cluster() -> None:
    data = RNG.normal(size=60)
    ours = mean_interval(data, range(60))
    theirs = stats.bootstrap((data,), np.mean, method="percentile", n_resamples=10_000, rng=1)
    assert ours.value == pytest.approx(data.mean())
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.02)


def test_clusters_widen_the_interval() -> None:
    """Ten copies of each value carry no more than one."""
    data = RNG.normal(size=30)
    copies, owners = np.repeat(data, 10), np.repeat(np.arange(30), 10)
    alone, naive = mean_interval(data, range(30)), mean_interval(copies, range(300))
    clustered = mean_interval(copies, list(owners))
    assert clustered.high - clustered.low == pytest.approx(alone.high - alone.low, rel=0.05)
    assert naive.high - naive.low < 0.5 * (clustered.high - clustered.low)


def test_the_mean_of_one_cluster_has_no_interval() -> None:
    """It was told as exactly known: 100 % [100 %, 100 %] of one bug."""
    alone = mean_interval([0.25, 0.75], ["bug", "bug"])
    assert (alone.bounded, alone.plain) == (False, [0.5, None, None])


def drawn_correlations(one: list[float], two: list[float], clusters: list[int], draws: int) -> list[float]:
    """scipy's correlation of every draw of whole clusters that it is defined for."""
    ids = sorted(set(clusters), key=clusters.index)
    members = [[i for i, owner in enumerate(clusters) if owner == own] for own in ids]
    generator = np.random.default_rng(0)
    found = []
    for _ in range(draws):
        places = np.concatenate([members[i] for i in generator.integers(len(ids), size=len(ids))])
        a, b = np.asarray(one)[places], np.asarray(two)[places]
        if np.ptp(a) and np.ptp(b):
            found.append(float(stats.pearsonr(a, b).statistic))
    return found


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(-20, 20).map(lambda i: i / 7), st.booleans(), st.integers(0, 6)),
        min_size=2,
        max_size=30,
    )
)
def test_interval_of_a_correlation_is_that_of_scipys_over_drawn_clusters(
    rows: list[tuple[float, bool, int]],
) -> None:
    one, two, clusters = [x for x, _, _ in rows], [float(y) for _, y, _ in rows], [c for *_, c in rows]
    found = pearson_interval(one, two, clusters, resamples=60)
    known = drawn_correlations(one, two, clusters, 60)
    if known and np.ptp(known) > 1e-6:
        low, high = np.percentile(known, [2.5, 97.5])
        assert found[1:] == pytest.approx((low, high), abs=1e-9)
    elif not known:
        assert all(map(math.isnan, found[1:]))
    if np.ptp(one) and np.ptp(two):
        assert found.value == pytest.approx(stats.pearsonr(one, two).statistic, abs=1e-9)


@pytest.mark.parametrize("values", [[1.0, 1.0], [0.1] * 30, [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]])
def test_bugs_that_are_all_alike_have_no_interval(values: list[float]) -> None:
    """Two bugs that each differ by a whole point were said to differ by 100 points, [100, 100]."""
    found = mean_interval(values, [i // 3 if len(values) == 6 else i for i in range(len(values))])
    assert found.value == pytest.approx(sum(values) / len(values))
    assert not found.bounded


def test_the_same_values_give_the_same_interval() -> None:
    assert mean_interval([1, 2, 4], "abc") == mean_interval([1, 2, 4], "abc")


@given(FLOATS, st.randoms(use_true_random=False))
def test_pearson_is_scipys(one: list[float], random: object) -> None:
    two = [x * 0.5 + i % 3 for i, x in enumerate(one)]
    ours = pearson(one, two)
    if np.ptp(one) > 1e-6 and np.ptp(two) > 1e-6:
        assert ours == pytest.approx(stats.pearsonr(one, two).statistic, abs=1e-6)


def test_pearson_of_a_constant_is_not_a_number() -> None:
    assert math.isnan(pearson([1, 1, 1], [1, 2, 3]))
    assert math.isnan(pearson([0.7, 0.7, 0.7], [1, 0, 0]))  # their mean is not 0.7


@pytest.mark.parametrize("size", [5, 9, 12])
def test_paired_test_is_exact_for_few_clusters(size: int) -> None:
    data = RNG.normal(0.4, 1, size=size)
    theirs = stats.permutation_test(
        (data,), np.sum, permutation_type="samples", vectorized=False, n_resamples=10_000
    )
    assert paired_test(data, range(size)) == pytest.approx(theirs.pvalue)


def test_paired_test_by_random_flips() -> None:
    data = RNG.normal(0.3, 1, size=60)
    assert paired_test(data, range(60)) == pytest.approx(stats.ttest_1samp(data, 0).pvalue, abs=0.02)


def test_paired_test_flips_whole_clusters() -> None:
    assert paired_test([1.0] * 8, range(8)) == pytest.approx(2 / 256)
    assert paired_test([1.0] * 8, [0, 0, 0, 0, 1, 1, 1, 1]) == pytest.approx(2 / 4)
    assert paired_test([0.0, 0.0], "ab") == 1.0


@settings(max_examples=60)
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=11))
@example([0, 0, -1, 3])
@example([1, 1, 1])
def test_wilcoxon_of_few_differences_is_exact_with_ties_and_zeros(data: list[int]) -> None:
    """A normal curve was laid over them: three equal differences had p 0.04, where 1 of 8 signs is as far."""
    if not any(data):
        assert wilcoxon_greater(data) is None
        return
    assert wilcoxon_greater(data) == pytest.approx(signed_rank(data), abs=1e-9)


def signed_rank(differences: ArrayLike) -> float:
    """The share of all signs whose ranks above 0 have at least this sum, counted in whole numbers."""
    data = np.round(np.asarray(differences, dtype=float), 12)
    data = data[data != 0]
    ranks = [round(2 * rank) for rank in stats.rankdata(np.abs(data))]
    sums = Counter([0])
    for rank in ranks:
        sums += Counter({total + rank: count for total, count in sums.items()})
    least = sum(rank for rank, value in zip(ranks, data, strict=True) if value > 0)
    return sum(count for total, count in sums.items() if total >= least) / sums.total()


def scipys_wilcoxon(data: NDArray[Any], method: Any) -> float:
    """``method`` is any: in its stubs ``asymptotic`` still has an older name."""
    return float(stats.wilcoxon(data, alternative="greater", method=method, correction=False).pvalue)


@pytest.mark.parametrize(("size", "method"), [(30, "exact"), (50, "exact"), (51, "asymptotic")])
def test_wilcoxon_of_many_differences_is_scipys(size: int, method: str) -> None:
    data = RNG.normal(0.2, 1, size=size)
    assert wilcoxon_greater(data) == pytest.approx(scipys_wilcoxon(data, method), abs=1e-9)


def test_wilcoxon_of_many_differences_with_ties_and_zeros_is_scipys() -> None:
    data = RNG.integers(-5, 7, size=90)
    assert wilcoxon_greater(data) == pytest.approx(scipys_wilcoxon(data, "asymptotic"), abs=1e-9)


@given(FLOATS)
def test_summary_is_scipys(data: list[float]) -> None:
    found = summarise(data)
    assert found.size == len(data)
    assert found.mean == pytest.approx(float(np.mean(data)))
    quartiles = [found.first_quartile, found.median, found.third_quartile]
    assert quartiles == pytest.approx(list(stats.scoreatpercentile(data, [25, 50, 75])))
    if np.ptp(data) > 1e-3:
        assert found.kurtosis == pytest.approx(float(stats.kurtosis(data)), abs=1e-6)


def test_summary_of_constants_and_of_nothing() -> None:
    assert summarise([2, 2, 2]).kurtosis is None
    with pytest.raises(ValueError, match="no values"):
        summarise([])


def test_values_and_clusters_must_match() -> None:
    with pytest.raises(ValueError, match="clusters"):
        mean_interval([1.0, 2.0], ["a"])
