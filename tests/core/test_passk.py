from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.passk import oracle_at_k, pass_at_k, random_at_k, ranked_pass_at_k


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_equals_the_count_over_all_subsets(n: int) -> None:
    for c in range(n + 1):
        samples = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            subsets = list(combinations(samples, k))
            share = sum(any(s) for s in subsets) / len(subsets)
            assert pass_at_k(n, c, k) == pytest.approx(share, abs=1e-12)


@given(st.data())
def test_pass_at_k_is_exact_for_large_n(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 2000))
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    exact = 1 - Fraction(comb(n - c, k), comb(n, k))
    value = pass_at_k(n, c, k)
    assert value is not None
    assert value == pytest.approx(float(exact), abs=1e-9)
    assert 0.0 <= value <= 1.0


def test_too_few_samples_are_not_scored() -> None:
    assert pass_at_k(4, 4, 5) is None


@pytest.mark.parametrize(("n", "c", "k"), [(5, 6, 1), (5, -1, 1), (5, 2, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@k"):
        pass_at_k(n, c, k)


def test_ranked_pass_looks_only_at_the_first_k() -> None:
    assert ranked_pass_at_k([False, True], 1) == 0.0
    assert ranked_pass_at_k([False, True], 2) == 1.0
    assert ranked_pass_at_k([], 5) == 0.0
    with pytest.raises(ValueError, match="r.pass"):
        ranked_pass_at_k([True], 0)


@pytest.mark.parametrize("k", [1, 2, 3, 9])
def test_random_is_the_mean_over_all_orders(k: int) -> None:
    flags = [True, False, False, True, False]
    orders = list(permutations(flags))
    mean = sum(ranked_pass_at_k(order, k) for order in orders) / len(orders)
    assert random_at_k(flags, k) == pytest.approx(mean)
    assert random_at_k([], k) == 0.0


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 40))
def test_random_and_oracle_enclose(flags: list[bool], k: int) -> None:
    assert random_at_k(flags, k) <= oracle_at_k(flags) + 1e-12
    assert ranked_pass_at_k(flags, k) <= oracle_at_k(flags)
    assert ranked_pass_at_k(sorted(flags, reverse=True), k) == oracle_at_k(flags)
