"""How many requests are admitted at once, and for how long none are."""

from __future__ import annotations

import asyncio
import time

from nl2fix.models.openai.limiter import Limiter


def test_no_more_than_the_limit_at_once() -> None:
    async def run() -> int:
        limiter, active, most = Limiter(5), 0, 0

        async def work() -> None:
            nonlocal active, most
            async with limiter.slot():
                active += 1
                most = max(most, active)
                await asyncio.sleep(0.001)
                active -= 1
                limiter.succeeded()

        await asyncio.gather(*(work() for _ in range(200)))
        return most

    assert asyncio.run(run()) == 5


def test_one_overload_halves_once_for_all_sent_before_it() -> None:
    limiter = Limiter(16)
    began = time.monotonic()
    for _ in range(10):
        limiter.overloaded(began, 0.0)
    assert limiter.limit == 8
    limiter.overloaded(time.monotonic(), 0.0)
    assert limiter.limit == 4


def test_the_limit_stays_between_one_and_the_most() -> None:
    limiter = Limiter(4)
    for _ in range(20):
        limiter.overloaded(time.monotonic(), 0.0)
    assert limiter.limit == 1
    for _ in range(100):
        limiter.succeeded()
    assert limiter.limit == 4


def test_a_round_of_successes_admits_one_more() -> None:
    limiter = Limiter(100)
    limiter.overloaded(time.monotonic(), 0.0)
    for _ in range(50):
        limiter.succeeded()
    assert 50.9 < limiter.limit < 51.1


def test_everything_pauses_for_as_long_as_asked() -> None:
    async def run() -> float:
        limiter = Limiter(4)
        limiter.overloaded(time.monotonic(), 0.3)
        began = time.monotonic()
        async with limiter.slot():
            return time.monotonic() - began

    assert asyncio.run(run()) >= 0.29


def test_a_cancelled_turn_is_given_back() -> None:
    async def run() -> None:
        limiter = Limiter(1)

        async def hold() -> None:
            async with limiter.slot():
                await asyncio.sleep(60)

        task = asyncio.create_task(hold())
        waiting = asyncio.create_task(hold())
        await asyncio.sleep(0.01)
        for item in (task, waiting):
            item.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)
        async with asyncio.timeout(5), limiter.slot():
            pass

    asyncio.run(run())
