"""A limit is kept whatever is under way."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.core.errors import LimitReached
from nl2fix.models.openai.spend import Prices, Spend


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5000), st.integers(1, 100), st.integers(1, 20), st.integers(0, 1000))
def test_spending_never_passes_the_limit(limit: int, each: int, wanted: int, seed: int) -> None:
    spend = Spend(Prices(), limit + 1, 0.0)
    chance = random.Random(seed)

    async def call() -> bool:
        try:
            granted = await spend.hold(30, each, wanted)
        except LimitReached:
            return False
        assert 1 <= granted <= wanted
        await asyncio.sleep(0)
        await spend.settle(30, each, granted, (30, chance.randint(0, each * granted)))
        return True

    async def run() -> list[bool]:
        return list(await asyncio.gather(*(call() for _ in range(60))))

    done = asyncio.run(run())
    assert spend.prompt + spend.answer <= limit + 1
    assert spend.calls == sum(done)


def test_money_is_counted_by_price() -> None:
    spend = Spend(Prices(prompt=2.0, answer=8.0), 0, 1.0)

    async def run() -> None:
        await spend.settle(0, 0, await spend.hold(0, 0, 1), (100_000, 50_000))
        assert spend.cost == pytest.approx(0.6)
        assert await spend.hold(0, 50_000, 4) == 1
        await spend.settle(0, 50_000, 1, (0, 50_000))
        with pytest.raises(LimitReached, match="limit_cost"):
            await spend.hold(0, 1, 1)

    asyncio.run(run())


def test_without_limits_everything_is_granted() -> None:
    assert asyncio.run(Spend(Prices(), 0, 0.0).hold(10**9, 10**9, 100)) == 100


def test_a_call_waits_for_what_others_give_back() -> None:
    async def run() -> int:
        spend = Spend(Prices(), 100, 0.0)
        await spend.hold(10, 90, 1)
        waiting = asyncio.create_task(spend.hold(10, 40, 2))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        await spend.settle(10, 90, 1, (10, 5))
        return await waiting

    assert asyncio.run(run()) == 1
