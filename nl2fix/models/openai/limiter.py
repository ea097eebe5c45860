"""How many requests are under way at once: found out as TCP does.

Additive increase, multiplicative decrease: a full round of successes admits one request more, an
overload halves the number once for all requests sent before it, and everything pauses for as long as
the server asks. Used from one event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Limiter:
    """At most ``most`` requests at once, fewer while the server complains."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.limit = float(most)
        """Requests admitted at present."""
        self._active = 0
        self._changed = asyncio.Condition()
        self._last_cut = self._resume = time.monotonic()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[float]:
        """Wait for a turn; yields the time it began, to be given to ``overloaded``."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._active < int(self.limit))
            self._active += 1
        try:
            while (pause := self._resume - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            yield time.monotonic()
        finally:
            async with self._changed:
                self._active -= 1
                self._changed.notify(2)

    def succeeded(self) -> None:
        self.limit = min(float(self._most), self.limit + 1.0 / self.limit)

    def overloaded(self, began: float, wait: float) -> None:
        """The server complained about a request sent at ``began`` and asks for ``wait`` seconds."""
        now = time.monotonic()
        if began >= self._last_cut:
            self.limit = max(1.0, self.limit / 2)
            self._last_cut = now
        self._resume = max(self._resume, now + wait)
