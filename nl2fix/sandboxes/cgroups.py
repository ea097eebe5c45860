"""Control groups: kernel-enforced memory, process and CPU limits for a tree of processes.

Works with version 1 and version 2, where this user may create groups (root, or a delegated tree).
Groups left behind by a killed run are removed when the next run starts.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.sandbox import Limits

PERIOD = 100_000
"""CPU accounting period, microseconds."""
_NEEDED = ("memory", "pids")
_counter = itertools.count()


class Group:
    """One limited tree of processes; a folder per controller (one folder for all in version 2)."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders

    @property
    def entrances(self) -> tuple[Path, ...]:
        """Files into which a process writes its id to join."""
        return tuple(folder / "cgroup.procs" for folder in self.folders)

    def processes(self) -> list[int]:
        """Ids of all member processes."""
        try:
            return [int(line) for line in self.entrances[0].read_text().split()]
        except OSError:
            return []

    def remove(self, patience: float = 10.0) -> None:
        """Kill every member and delete the group; raises ``InfrastructureError`` when it will not go."""
        deadline = time.monotonic() + patience
        while members := self.processes():
            for pid in members:
                kill(pid)
            if time.monotonic() > deadline:
                raise InfrastructureError(f"cannot kill processes {members} of {self.folders[0]}")
            time.sleep(0.002)
        for folder in self.folders:
            while folder.is_dir() and not _remove_folder(folder) and time.monotonic() < deadline:
                time.sleep(0.002)


def create(limits: Limits) -> Group | None:
    """A new empty group with these limits; ``None`` where groups are not to be had."""
    parents = _parents()
    if not parents:
        return None
    name = f"nl2fix-{os.getpid()}-{next(_counter)}"
    folders = tuple(dict.fromkeys(parent / name for parent in parents.values()))
    group = Group(folders)
    try:
        for folder in folders:
            folder.mkdir()
            _limit(folder, limits)
    except OSError as error:
        group.remove()
        raise InfrastructureError(f"cannot set up control group {name}: {error}") from error
    return group


def _limit(folder: Path, limits: Limits) -> None:
    memory, quota = limits.memory_mb << 20, int(limits.cpus * PERIOD)
    settings: Mapping[str, str | int] = {
        "memory.limit_in_bytes": memory,
        "memory.memsw.limit_in_bytes": memory,
        "memory.max": memory,
        "memory.swap.max": 0,
        "pids.max": limits.processes,
        "cpu.cfs_quota_us": quota,
        "cpu.max": f"{quota} {PERIOD}",
    }
    for name, value in settings.items():
        if (folder / name).exists():
            (folder / name).write_text(str(value))


@functools.cache
def _parents() -> dict[str, Path]:
    """Controller → folder in which groups can be made; empty unless all needed ones are there."""
    usable = {name: folder for name, folder in _candidates().items() if _usable(folder)}
    if not all(name in usable for name in _NEEDED):
        return {}
    for folder in set(usable.values()):
        _remove_stale(folder)
    return usable


def _candidates() -> dict[str, Path]:
    joined: dict[str, str] = {}
    if not Path("/proc/self/cgroup").exists():  # not Linux
        return {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        joined.update({name: path for name in names.split(",")})
    folders: dict[str, Path] = {}
    for line in Path("/proc/mounts").read_text().splitlines():
        _, mount, kind, options, *_ = line.split()
        if kind == "cgroup":
            for name in {*_NEEDED, "cpu"} & set(options.split(",")):
                folder = Path(mount + joined.get(name, "/"))
                folders[name] = folder if folder.is_dir() else Path(mount)
        elif kind == "cgroup2" and (unified := _unified(Path(mount), joined.get("", "/"))):
            folders = dict.fromkeys((*_NEEDED, "cpu"), unified) | folders
    return folders


def _unified(mount: Path, path: str) -> Path | None:
    """The nearest ancestor of our own group that hands memory and process limits to its children."""
    folder = Path(f"{mount}{path}")
    for ancestor in (folder, *folder.parents):
        if not ancestor.is_relative_to(mount):
            return None
        control = ancestor / "cgroup.subtree_control"
        if control.is_file() and set(_NEEDED) <= set(control.read_text().split()):
            return ancestor
    return None


def _usable(parent: Path) -> bool:
    """Whether a group can be made here and a process of ours moved into it and out again."""
    probe = parent / f"nl2fix-{os.getpid()}-probe"
    try:
        probe.mkdir(exist_ok=True)
    except OSError:
        return False
    try:
        join = ["/bin/sh", "-c", 'echo $$ > "$0"', str(probe / "cgroup.procs")]
        return subprocess.run(join, stderr=subprocess.DEVNULL, timeout=30).returncode == 0
    except OSError:
        return False
    finally:
        _remove_folder(probe)


def _remove_stale(parent: Path) -> None:
    for folder in parent.glob("nl2fix-*"):
        owner = re.fullmatch(r"nl2fix-(\d+)-\w+", folder.name)
        if owner and not Path("/proc", owner[1]).exists():
            Group((folder,)).remove()


def _remove_folder(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


def kill(pid: int) -> None:
    """Kill a process, unless it is gone."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
