"""Time on the clock and of processors that a piece of work takes, with all processes it starts."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nl2fix.sandboxes.table import tree

_TICKS = os.sysconf("SC_CLK_TCK")


class Spent(NamedTuple):
    """Seconds."""

    wall: float = 0.0
    cpu: float = 0.0

    def and_(self, other: Spent) -> Spent:
        return Spent(self.wall + other.wall, self.cpu + other.cpu)

    def less(self, other: Spent) -> Spent:
        return Spent(self.wall - other.wall, self.cpu - other.cpu)

    def times(self, other: Spent) -> str:
        """How many times the other's this is."""
        return f"{self.wall / other.wall:.1f} × wall, {self.cpu / other.cpu:.1f} × CPU"

    def each(self, count: int) -> str:
        return f"{1000 * self.wall / count:.1f} ms wall, {1000 * self.cpu / count:.1f} ms CPU"


def spent(work: Callable[[], object]) -> Spent:
    """What ``work`` takes. Processes that it ends unwaited for, not those it leaves running, go uncounted."""
    wall, cpu = time.perf_counter(), _cpu()
    work()
    return Spent(time.perf_counter() - wall, _cpu() - cpu)


def _cpu() -> float:
    """Of this process, its ended children, and all descendants that run with theirs."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(map(_used, tree(os.getpid())[1:]))


def _used(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS
