"""What a command spends on a model, and the limit at which it stops.

A call is sent only when its worst case (the prompt by estimate, every answer at full length) fits what
is left, so a limit is not overrun by calls under way. Used from one event loop.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from nl2fix.core.errors import LimitReached


@dataclass(frozen=True)
class Prices:
    """Money for a million tokens."""

    prompt: float = 0.0
    answer: float = 0.0

    def cost(self, prompt: int, answer: int) -> float:
        return (prompt * self.prompt + answer * self.answer) / 1e6


class Spend:
    """Tokens and money spent, ``before`` this, too, and kept back for calls under way.

    A limit of 0 is none.
    """

    def __init__(
        self, prices: Prices, limit_tokens: int, limit_cost: float, before: Spend | None = None
    ) -> None:
        self._prices, self._tokens, self._money = prices, limit_tokens, limit_cost
        self.prompt: int = before.prompt if before else 0
        self.answer: int = before.answer if before else 0
        self.calls: int = before.calls if before else 0
        """Tokens paid for, and calls made."""
        self._held: list[tuple[int, int]] = []
        self._settled = asyncio.Condition()

    @property
    def cost(self) -> float:
        return self._prices.cost(self.prompt, self.answer)

    async def hold(self, prompt: int, each: int, wanted: int) -> int:
        """Keep back tokens for up to ``wanted`` answers and say for how many there is enough.

        Waits for calls under way where their unused tokens may help; ``LimitReached`` when nothing can.
        """
        async with self._settled:
            while not (granted := self._granted(prompt, each, wanted)):
                if not self._held:
                    raise LimitReached(self._line())
                await self._settled.wait()
            self._held.append((prompt, each * granted))
            return granted

    async def settle(self, prompt: int, each: int, granted: int, used: tuple[int, int]) -> None:
        """Give back what was held and count what was used (prompt and answer tokens)."""
        async with self._settled:
            self._held.remove((prompt, each * granted))
            self.prompt += used[0]
            self.answer += used[1]
            self.calls += any(used)
            self._settled.notify_all()

    def _granted(self, prompt: int, each: int, wanted: int) -> int:
        """The largest number of answers up to ``wanted`` that fits."""
        if self._fits(prompt, each * wanted):
            return wanted
        low, high = 0, wanted
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._fits(prompt, each * middle) else (low, middle)
        return low

    def _fits(self, prompt: int, answer: int) -> bool:
        prompts = self.prompt + prompt + sum(p for p, _ in self._held)
        answers = self.answer + answer + sum(a for _, a in self._held)
        within = not self._tokens or prompts + answers <= self._tokens
        return within and (not self._money or self._prices.cost(prompts, answers) <= self._money)

    def _line(self) -> str:
        spent = f"{self.prompt + self.answer} tokens"
        if self._money:
            spent += f", {self.cost:.4f} of {self._money:g} in money"
        limit = f" of {self._tokens}" if self._tokens else ""
        return (
            f"stopped before the limit: {spent}{limit} spent; all answers are stored. "
            "Raise model.limit_tokens or model.limit_cost (--set) and run the same command to go on"
        )
