"""What a ranker of the user's may answer, and how it is told that it may not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from nl2fix.core.errors import Nl2fixError
from nl2fix.core.orders import orders
from nl2fix.core.records import Candidate, Entry, Pool
from nl2fix.ranking.order import HopelessLast
from tests.ranking.pools import problem


class Giving:
    """A ranker that gives what it was told to."""

    name = "mine"

    def __init__(self, given: Any) -> None:
        self._given = given

    def rank(self, pools: Sequence[Pool]) -> Any:
        return self._given


POOL = Pool(problem(), tuple(Entry(Candidate(f"int f() {{ return {i + 5}; }}"), (i,)) for i in range(3)))


@pytest.mark.parametrize("given", [[[2, 0, 1]], iter([(2, 0, 1)]), np.array([[2, 0, 1]])])
def test_whatever_counts_the_places_is_an_order(given: Any) -> None:
    assert orders(Giving(given), [POOL]) == [[2, 0, 1]]


@pytest.mark.parametrize("around", [lambda ranker: ranker, HopelessLast])
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([[0, 0, 0]], r"no permutation for P-1: \[0, 0, 0\] instead of each of 0 to 2 once"),
        ([[0, 1]], r"\[0, 1\] instead of each of 0 to 2 once"),
        ([[0, 1, 7]], r"\[0, 1, 7\] instead of"),
        ([[0.0, 1.0, 2.0]], r"\[0.0, 1.0, 2.0\] instead of"),
        ([None], "None instead of each of 0 to 2 once"),
        ([], "0 orders, not 1"),
        (None, "None instead of"),
    ],
)
def test_what_is_no_order_is_told_with_the_rankers_name(around: Any, given: Any, words: str) -> None:
    """It was an internal error of nl2fix, with the advice to report it."""
    with pytest.raises(Nl2fixError, match=f"ranker mine gave .*{words}"):
        orders(around(Giving(given)), [POOL])
