"""What a program left behind: processes, files, changed limits. Whatever cannot be undone is reported."""

from __future__ import annotations

import os
import resource
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nl2fix.validation.python.inside.watched_child import kill

CLEANING_SECONDS = 2.0
_LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]


class Ground:
    """The state in which every program finds the server."""

    def __init__(self, scratch: list[Path]) -> None:
        self._scratch = scratch
        self._kept = {path for folder in scratch for path in folder.iterdir()}
        self._state = self._look()

    def restored(self, home: Path) -> bool:
        """End and delete what a program left; whether all is again as it was before."""
        deadline = time.monotonic() + CLEANING_SECONDS
        return _end_children(deadline) and self._empty(home, deadline) and self._look() == self._state

    def _look(self) -> dict[str, Any]:
        """What a program could have changed about the server from outside it."""
        return {
            "limits": [resource.getrlimit(limit) for limit in _LIMITS],
            "priority": os.getpriority(os.PRIO_PROCESS, 0),
            "schedule": (os.sched_getscheduler(0), os.sched_getaffinity(0)),
            "open": len(os.listdir("/proc/self/fd")),  # noqa: PTH208 - a list of names is all it takes
            "modes": [folder.stat().st_mode for folder in self._scratch],
            "attributes": [_attributes(folder) for folder in self._scratch],
        }

    def _empty(self, home: Path, deadline: float) -> bool:
        try:
            shutil.rmtree(home)
            for path in {path for folder in self._scratch for path in folder.iterdir()} - self._kept:
                if time.monotonic() > deadline:
                    return False
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()
        except (OSError, RecursionError):  # folders in folders, deeper than Python walks
            return False
        return True


def _attributes(folder: Path) -> list[str]:
    """Names of what is noted at a folder: also the rights of what will be made there."""
    try:
        return sorted(os.listxattr(folder))
    except OSError:  # there are none on this file system
        return []


def _end_children(deadline: float) -> bool:
    """Kill and reap all descendants; whether nothing is left."""
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return True
        for pid in _children():
            kill(pid)
        time.sleep(0.001)
    return False


def _children() -> Iterator[int]:
    server = str(os.getpid())
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if fields[1] == server:
                yield int(folder.name)
