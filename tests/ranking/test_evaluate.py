"""Ranked pass@k and its bounds on a pool small enough to enumerate."""

import itertools
import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.ranking.evaluate import ORACLE, RANDOM, UNRANKED, Judged, compare, ranked, ranked_table

JUDGED = [
    Judged("A", (False, True, False), (1, 2, 1), 5),
    Judged("B", (False, False), (3, 1), 5),
    Judged("C", (True,), (5,), 5),
    Judged("D", (), (), 5),
]
WORST = [[0, 2, 1], [0, 1], [0], []]
BEST = [[1, 0, 2], [1, 0], [0], []]


def test_table_by_hand() -> None:
    table = ranked_table(JUDGED, {"worst": WORST, "best": BEST}, ks=(1, 2, 6))
    values = {name: {k: cell and cell.value for k, cell in row.items()} for name, row in table.items()}
    assert values["worst"] == {1: 0.25, 2: 0.25, 6: 0.5}
    assert values["best"] == {1: 0.5, 2: 0.5, 6: 0.5}
    assert values[ORACLE] == {1: 0.5, 2: 0.5, 6: 0.5}
    assert values[RANDOM] == pytest.approx({1: (1 / 3 + 1) / 4, 2: (2 / 3 + 1) / 4, 6: 0.5})
    # Unranked: A draws 2 right of 5, C 5 of 5; six samples were never drawn.
    assert values[UNRANKED] == pytest.approx({1: (2 / 5 + 1) / 4, 2: (1 - 3 / 10 + 1) / 4, 6: None})


@given(st.lists(st.booleans(), min_size=1, max_size=5), st.integers(1, 6))
def test_random_is_the_mean_over_all_orders_and_oracle_the_best(correct: list[bool], k: int) -> None:
    judged = [Judged("A", tuple(correct), (1,) * len(correct), len(correct))]
    hits = [ranked(judged, [list(order)], k).value for order in itertools.permutations(range(len(correct)))]
    table = ranked_table(judged, {}, ks=(k,))
    assert table[RANDOM][k].value == pytest.approx(fmean(hits))  # type: ignore[union-attr]
    assert table[ORACLE][k].value == max(hits)  # type: ignore[union-attr]


@given(st.integers(1, 6), st.data())
def test_unranked_is_the_mean_over_all_draws(k: int, data: st.DataObject) -> None:
    flags = data.draw(st.lists(st.booleans(), min_size=k, max_size=7))
    judged = [Judged("A", (True, False), (sum(flags), len(flags) - sum(flags)), len(flags))]
    draws = [any(draw) for draw in itertools.combinations(flags, k)]
    assert ranked_table(judged, {}, ks=(k,))[UNRANKED][k].value == pytest.approx(fmean(draws))  # type: ignore[union-attr]


def test_intervals_hold_the_value() -> None:
    judged = [Judged(f"B{i}", (i % 3 == 0,), (1,), 1) for i in range(30)]
    found = ranked(judged, [[0]] * 30, 1)
    assert found.value == pytest.approx(1 / 3)
    spread = 1.96 * math.sqrt(1 / 3 * 2 / 3 / 30)
    assert found.low == pytest.approx(1 / 3 - spread, abs=0.04)
    assert found.high == pytest.approx(1 / 3 + spread, abs=0.04)


def test_paired_comparison() -> None:
    judged = [Judged(f"B{i}", (False, True), (1, 1), 2) for i in range(8)]
    better, worse = [[1, 0]] * 8, [[0, 1]] * 8
    found = compare(judged, better, worse, 1)
    assert found.difference.value == 1.0
    assert not found.difference.bounded  # all bugs differ alike
    assert found.p == pytest.approx(2 / 2**8)
    assert compare(judged, better, better, 1).p == 1.0
    assert compare(judged, better, worse, 2).difference.value == 0.0


def test_runs_of_one_bug_are_one_cluster() -> None:
    judged = [Judged("A", (False, True), (1, 1), 2)] * 8
    assert compare(judged, [[1, 0]] * 8, [[0, 1]] * 8, 1).p == 1.0


def test_an_order_must_name_every_candidate() -> None:
    with pytest.raises(ValueError, match="exactly once"):
        ranked(JUDGED, [[0, 1], [0, 1], [0], []], 1)
