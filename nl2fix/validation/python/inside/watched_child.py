"""A child seen from the server: its messages, its time, its end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Iterable, Iterator
from typing import Any

from nl2fix.validation.python.inside.frames import read_frame, write_frame

WALL = "still running when its time was up"
LOOK_SECONDS = 0.2
"""How often a child's descendants are looked at: one that ended since is not known to have waited."""
STRETCH_SECONDS = 2.0
"""What one that runs or waits for a processor right now may have waited since the kernel last counted. Not
longer: a fork bomb whose processes could all run starved its server for minutes."""
ENDING_SECONDS = 10.0
"""How long a child may take to end that the kernel is taking apart: it waits for threads that live on."""
_EXITING = 0x4
"""Flag of a process that the kernel is taking apart."""


class Ended(Exception):
    """A child is gone or out of time; the arguments are outcome and message."""


class Watch:
    """One child. Its time on the clock does not count what it, its threads and its descendants waited for a
    processor, or the machine stood still, while they have not used up the processor time that they share.
    """

    def __init__(self, pid: int, channel: socket.socket, wall: float, cpu: float) -> None:
        self.pid, self.channel, self.cpu = pid, channel, cpu
        self.deadline = time.monotonic() + wall
        self.status: int | None = None
        self.used = 0.0
        self._schedule = _Schedule()
        self._overslept = 0.0
        self._due = min(time.monotonic() + LOOK_SECONDS, self.deadline)

    def send(self, value: dict[str, Any]) -> None:
        """Send a message; one that no child receives shows at the next ``receive``."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            write_frame(self.channel.fileno(), value)

    def receive(self) -> Any:
        """The child's next message; raises ``Ended`` when there will be none."""
        self._due = max(self._due, time.monotonic())
        try:
            return read_frame(self.channel.fileno(), self._wait)
        except (EOFError, ConnectionResetError):
            self._reap_for(1.0)
            raise self._verdict() from None

    def finish(self) -> None:
        """Kill the child's session and reap it."""
        self.channel.close()
        if self.status is None:
            kill(-self.pid)
            kill(self.pid)
            self._reap(0)
        kill(-self.pid)

    def _wait(self) -> None:
        while not select.select([self.channel], [], [], 0.02)[0]:
            # We wait for a processor, too: what was answered meanwhile counts.
            if self._is_over() and not self._has_told():
                raise Ended("timeout", WALL)
            # Descendants may hold the channel open after the child's end.
            if self._reap(os.WNOHANG) and not self._has_told():
                raise self._verdict()

    def _has_told(self) -> bool:
        return bool(select.select([self.channel], [], [], 0)[0])

    def _is_over(self) -> bool:
        """Whether it is late, and its processes have used up the processor time or not waited that long."""
        now = time.monotonic()
        if now < self._due:
            return False
        self._overslept += max(0.0, now - self._due - LOOK_SECONDS)
        spent, below, runs = _used_below(os.getpid())
        ran, waited = self._schedule.seconds(below)
        looked = time.monotonic()  # among very many processes a look takes seconds
        self._due = looked + LOOK_SECONDS
        if looked < self.deadline:
            self._due = min(self._due, self.deadline)
        elif max(spent, ran) > self.cpu:
            return True
        excused = max(waited, self._overslept) + (STRETCH_SECONDS if runs else 0.0)
        return now - self.deadline > excused

    def _reap_for(self, seconds: float) -> None:
        """Wait for the end of a child that closed its channel; one that only did that is ended."""
        closed = time.monotonic()
        while not self._reap(os.WNOHANG):
            if time.monotonic() - closed > (ENDING_SECONDS if _is_ending(self.pid) else seconds):
                raise Ended("exited", "closed its channel before the tests' end")
            time.sleep(0.001)

    def _reap(self, flags: int) -> bool:
        if self.status is None:
            pid, status, used = os.wait4(self.pid, flags)
            if pid:
                self.status, self.used = status, used.ru_utime + used.ru_stime
        return self.status is not None

    def _verdict(self) -> Ended:
        status = self.status or 0
        if not os.WIFSIGNALED(status):
            return Ended("exited", f"exited with status {os.WEXITSTATUS(status)} before the tests' end")
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU or (number == signal.SIGKILL and self.used >= self.cpu):
            return Ended("timeout", "used up its processor time")
        if number == signal.SIGKILL:
            return Ended("killed", "was killed (out of memory?) before the tests' end")
        return Ended("exited", f"ended by signal {number} before the tests' end")


class _Schedule:
    """What threads have run, and waited for a processor, those included that have ended since a look."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, int]] = {}
        self._ran = self._waited = 0

    def seconds(self, pids: Iterable[int]) -> tuple[float, float]:
        """So far, with what these processes' threads have; 0 where the kernel does not tell."""
        now = {thread: told for pid in pids for thread, told in _scheduled(pid)}
        for thread, (ran, waited) in now.items():
            before = self._seen.get(thread, (0, 0))
            self._ran += max(0, ran - before[0])
            self._waited += max(0, waited - before[1])
        self._seen = now
        return self._ran / 1e9, self._waited / 1e9


def _used_below(root: int) -> tuple[float, list[int], bool]:
    """Processor seconds of a process's living descendants, with those of the dead that they waited for; the
    living; and whether one runs or waits for a processor right now, of which the kernel has counted nothing
    yet.
    """
    spent: dict[int, int] = {}
    running: set[int] = set()
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - a list of names is all it takes
        if fields := _stat(name):
            children.setdefault(int(fields[1]), []).append(int(name))
            spent[int(name)] = sum(map(int, fields[11:15]))
            running.update([int(name)] if fields[0] == b"R" else [])
    below = list(children.get(root, ()))
    for pid in below:
        below += children.get(pid, ())
    used = sum(spent[pid] for pid in below) / os.sysconf("SC_CLK_TCK")
    return used, below, not running.isdisjoint(below)


def _stat(name: str) -> list[bytes]:
    """What the kernel tells of a process or thread, from its state on; nothing of one that is gone."""
    try:
        with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - as fast as can be
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def _is_ending(pid: int) -> bool:
    fields = _stat(str(pid))
    return bool(fields and int(fields[6]) & _EXITING)


def _scheduled(pid: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Nanoseconds that each of a process's threads ran, and was ready to and waited; none where nobody tells.

    Exact, where a process's times are whole ticks: those of a fork bomb's processes are none for long.
    """
    threads = f"/proc/{pid}/task"
    with contextlib.suppress(OSError):
        for thread in os.listdir(threads):  # noqa: PTH208
            with (
                contextlib.suppress(OSError, ValueError),  # one may end meanwhile
                open(f"{threads}/{thread}/schedstat", "rb") as file,  # noqa: PTH123
            ):
                ran, waited, _ = map(int, file.read().split())
                yield f"{pid}/{thread}", (ran, waited)


def kill(pid: int) -> None:
    """Kill a process, or with a negative number a group; gone is as good."""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
