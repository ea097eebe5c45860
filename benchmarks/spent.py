"""Time on the clock and of processors that a piece of work takes, with all processes it starts."""

from __future__ import annotations

import atexit
import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol, Self
from unittest import mock

from nl2fix.sandboxes.process import LocalProcess
from nl2fix.sandboxes.table import tree

_TICKS = os.sysconf("SC_CLK_TCK")
_SECONDS = 0.1


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


class Counting(Protocol):
    """Tells processor seconds so far."""

    def seconds(self) -> float: ...


class Meter:
    """Processor seconds of this process and of all below it, looked at ten times a second.

    Nobody waits for the processes of a sandbox that is killed, so ended children's time would lack theirs:
    they are looked at before they are killed. What ends by itself lacks what it took since the last look.
    """

    def __init__(self) -> None:
        self._used: dict[tuple[int, str], int] = {}
        self._looking = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self.seconds()
        self._thread.start()
        kill = LocalProcess.kill

        def counted(process: LocalProcess) -> None:
            self.seconds()
            kill(process)

        self._patch = mock.patch.object(LocalProcess, "kill", counted)
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()
        self._over.set()
        self._thread.join()

    def seconds(self) -> float:
        """Of all that was seen so far, from each process's own beginning, without the looking itself."""
        began = time.thread_time()
        for pid in tree(os.getpid()):
            if fields := _stat(pid):
                self._used[pid, fields[19]] = sum(map(int, fields[11:13]))
        used = sum(list(self._used.values())) / _TICKS
        self._looking += time.thread_time() - began
        return used - self._looking

    def _watch(self) -> None:
        while not self._over.wait(_SECONDS):
            self.seconds()


class _Group:
    """A control group of this process and all that it starts, whose processor time the kernel counts."""

    def __init__(self) -> None:
        """Raises ``OSError`` where none can be made."""
        first = Path("/sys/fs/cgroup/cpuacct")
        self._root = first if first.is_dir() else first.parent
        self._folder = self._root / f"nl2fix-spent-{os.getpid()}"
        self._folder.mkdir()
        atexit.register(self._leave)
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))

    def seconds(self) -> float:
        if (usage := self._folder / "cpuacct.usage").is_file():
            return int(usage.read_text()) / 1e9
        return int((self._folder / "cpu.stat").read_text().split()[1]) / 1e6

    def _leave(self) -> None:
        (self._root / "cgroup.procs").write_text(str(os.getpid()))
        with suppress(OSError):  # somebody is still in it
            self._folder.rmdir()


@cache
def counting() -> _Group | None:
    """To be asked for before anything is started whose time is to count."""
    try:
        return _Group()
    except OSError:
        return None


@contextmanager
def metered() -> Iterator[Counting]:
    """Of this process and all that it starts, by the kernel's count where this user may make groups."""
    if (group := counting()) is not None:
        yield group
    else:
        with Meter() as meter:
            yield meter


def spent(work: Callable[[], object]) -> Spent:
    """What ``work`` takes, by the kernel's count where this user may make groups.

    Else it is the more of what processes that were waited for took and what a ``Meter`` saw.
    """
    if (group := counting()) is None:
        return _looked_at(work)
    wall, before = time.perf_counter(), group.seconds()
    work()
    return Spent(time.perf_counter() - wall, group.seconds() - before)


def _looked_at(work: Callable[[], object]) -> Spent:
    with Meter() as meter:
        wall, waited, seen = time.perf_counter(), _waited(), meter.seconds()
        work()
        wall = time.perf_counter() - wall
        return Spent(wall, max(_waited() - waited, meter.seconds() - seen))


def _waited() -> float:
    """Of this process, its ended children, and all descendants that run with theirs."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    running = sum(sum(map(int, _stat(pid)[11:15])) for pid in tree(os.getpid())[1:])
    return time.process_time() + ended.ru_utime + ended.ru_stime + running / _TICKS


def _stat(pid: int) -> list[str]:
    """Fields of a process behind its name; none where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
