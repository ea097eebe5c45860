"""The machine's process table: who descends from whom, what processes hold, since when they run.

Read from ``/proc`` where that is (Linux) and by psutil elsewhere. On a Linux without ``/proc`` nobody tells:
a process has no descendants there, no memory and no start that we know of.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

PROC = Path("/proc")


def tree(root: int) -> list[int]:
    """A process and all its descendants, the root first."""
    if not _readable():
        found = _asked(root, lambda process: process.children(recursive=True))
        return [root, *(process.pid for process in found or ())]
    children: dict[int, list[int]] = {}
    for entry in os.scandir(PROC):
        if entry.name.isdigit() and (fields := _stat(entry.name)):
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    members = [root]
    for pid in members:
        members += children.get(pid, [])
    return members


def orphans(program: str, given: str) -> list[int]:
    """First processes of PID name spaces that run a program with such arguments (a zero byte between them)
    and were started by a process of that program, which is gone.
    """
    found = []
    for entry in os.scandir(PROC) if _readable() else ():
        if _read(f"{entry.name}/comm").strip() != program or given not in _read(f"{entry.name}/cmdline"):
            continue
        status = dict(
            line.split(":", 1) for line in _read(f"{entry.name}/status").splitlines() if ":" in line
        )
        is_first = status.get("NSpid", "").split()[1:][-1:] == ["1"]
        if is_first and _read(f"{status['PPid'].strip()}/comm").strip() != program:
            found.append(int(entry.name))
    return found


def resident_mb(pids: Sequence[int]) -> float:
    """Memory that processes hold, MiB; on Linux only their own (anonymous and shared memory, not files)."""
    if not _readable():
        return sum(_asked(pid, lambda process: process.memory_info().rss) or 0 for pid in pids) / (1 << 20)
    total = 0
    for pid in pids:
        for line in _read(f"{pid}/status").splitlines():
            if line.startswith(("RssAnon:", "RssShmem:")):
                total += int(line.split()[1])
    return total / 1024


class Waiting:
    """What threads have waited for a processor, those included that have ended since they were looked at."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}
        self._total = 0

    def seconds(self, pids: Sequence[int]) -> float:
        """So far, with what these processes' threads have waited; 0 where the kernel does not tell."""
        now = {}
        for pid in pids:
            for entry in PROC.glob(f"{pid}/task/*"):
                if fields := _read(f"{pid}/task/{entry.name}/schedstat").split():
                    now[f"{pid}/{entry.name}"] = int(fields[1])
        self._total += sum(max(0, waited - self._seen.get(thread, 0)) for thread, waited in now.items())
        self._seen = now
        return self._total / 1e9


def threads() -> int:
    """All threads of the machine; 0 where it does not tell at once."""
    fields = _read("loadavg").split()
    return int(fields[3].partition("/")[2]) if len(fields) > 3 else 0


def started(pid: int) -> str:
    """When a process began, in no certain unit; empty where there is none or nobody tells."""
    if not _readable():
        return str(_asked(pid, lambda process: process.create_time()) or "")
    fields = _stat(str(pid))
    return fields[19] if fields else ""


def _asked(pid: int, question: Callable[[Any], T]) -> T | None:
    if sys.platform == "linux":  # psutil reads the files that are missing
        return None
    import psutil

    try:
        return question(psutil.Process(pid))
    except psutil.Error:
        return None


def _readable() -> bool:
    return (PROC / "self" / "stat").exists()


def _stat(pid: str) -> list[str]:
    # The command name in field 2 may hold spaces and parentheses: read behind its last one.
    return _read(f"{pid}/stat").rpartition(")")[2].split()


def _read(name: str) -> str:
    try:
        return (PROC / name).read_text(errors="replace")
    except OSError:
        return ""
