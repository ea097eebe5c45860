"""How long tests of a candidate may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nl2fix.validation.jvm.bench import items, trigger_items
from nl2fix.validation.jvm.worker import Limit, Phase
from nl2fix.validation.jvm.workspace import TestClass, Workspace

_ANY = 1e6
"""Seconds of processor time, where the clock decides."""
_BRIEF = 0.03
"""Seconds that trigger tests take at most whose loops are looked at."""
_UNMEASURED = 1.0
"""Seconds that trigger tests are taken to need where that was not measured."""


@dataclass(frozen=True)
class TimeLimits:
    """How long tests may take: a multiple of what the reference fix took and some more.

    An endless loop costs its limit in CPU time, so each test class has its own. It is tighter in a
    ``warm`` JVM, which has nothing of the JDK left to load. ``beside`` others tests may take it twice: two
    threads of one core need no more than that, so that whoever takes longer would not have made it alone,
    and only those who end in between are tried again. The wall clock's limit is only for tests that wait,
    on a machine that may be busy.
    """

    configured: float = 0.0
    """Seconds for the trigger tests and for all others together, where above 0."""
    warm: bool = False
    beside: bool = False

    def triggers(self, workspace: Workspace) -> Phase:
        """The trigger tests, run first."""
        seconds = workspace.trigger_seconds or _UNMEASURED
        base = 0.25 if self.warm else 3.0
        limit = self._limit(base + 3 * seconds, 10 + 20 * seconds)
        return Phase(limit, trigger_items(workspace.trigger_tests, workspace.isolated))

    def glance(self, workspace: Workspace) -> Phase | None:
        """The trigger tests, for so long that it pays to ask whether who goes on ever ends.

        ``None`` where they take long themselves: looked at twice, a loop that is not seen to be endless would
        cost far more than its limit.
        """
        seconds = workspace.trigger_seconds or _UNMEASURED
        if seconds > _BRIEF:
            return None
        base = 0.02 if self.warm else 0.5
        return replace(self.triggers(workspace), limit=Limit(_ANY, base + 3 * seconds))

    def classes(self, tests: Sequence[TestClass], isolated: Sequence[str]) -> tuple[Phase, ...]:
        """Whole test classes, in this order."""
        whole = items(tests, isolated)
        if self.configured > 0:
            return (Phase(self._limit(0, 0), whole),)
        base = 2 if self.warm else 5
        return tuple(
            Phase(self._limit(base + 5 * t.seconds, 20 + 10 * t.seconds), (item,))
            for t, item in zip(tests, whole, strict=True)
        )

    def whole(self, workspace: Workspace) -> float:
        """Wall seconds for all of it: a class may be late by itself, not every class as late."""
        if self.configured > 0:
            return 2 * self.configured
        seconds = (workspace.trigger_seconds or _UNMEASURED) + sum(t.seconds for t in workspace.regression)
        return 60 + 20 * seconds

    def _limit(self, cpu: float, wall: float) -> Limit:
        """What is configured, else this."""
        if self.configured > 0:
            cpu = wall = self.configured
        return Limit(cpu, wall, more=cpu if self.beside else 0.0)
