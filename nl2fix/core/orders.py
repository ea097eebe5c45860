"""The orders of a ranker, which may be the user's own: each a permutation, or the run ends with one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from reprlib import repr as shortened

from nl2fix.core.errors import Nl2fixError
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Pool


def orders(ranker: Ranker, pools: Sequence[Pool]) -> list[list[int]]:
    """For each pool the places of its entries, best first."""
    given = ranker.rank(tuple(pools))
    ranked = list(given) if isinstance(given, Iterable) else [given]
    if len(ranked) != len(pools):
        raise Nl2fixError(f"ranker {ranker.name} gave {len(ranked)} orders, not {len(pools)}")
    return [_order(ranker.name, pool, order) for pool, order in zip(pools, ranked, strict=True)]


def _order(name: str, pool: Pool, given: Sequence[int]) -> list[int]:
    try:
        order = [index(place) for place in given]
    except TypeError:
        order = []
    if sorted(order) != list(range(len(pool.entries))):
        wanted = f"each of 0 to {len(pool.entries) - 1} once" if pool.entries else "an empty list"
        told = f"{shortened(given)} instead of {wanted}"
        raise Nl2fixError(f"ranker {name} gave no permutation for {pool.problem.id}: {told}")
    return order
