"""Where code of unknown origin runs: the Protocol that docker, bubblewrap and none implement.

A sandbox starts long-lived worker processes and connects their standard input and output to us.
Nothing inside has a network; the file system is read-only but for scratch folders; memory, CPU and
process counts are limited. Killing a process kills everything it started.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

MOST_WAITING = 4.0
"""Times a limit by the clock that what waits for a processor may be given on top; as in ``TestRun.java``."""
OPEN_FILES = 65536
"""That a program may have at most; tests of a server leave thousands open."""


def open_files() -> int:
    """``OPEN_FILES``, or as many as this user may have, which no nested engine can raise."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
    except ImportError:  # on Windows
        return OPEN_FILES
    most = getrlimit(RLIMIT_NOFILE)[1]
    return OPEN_FILES if most == RLIM_INFINITY else min(most, OPEN_FILES)


@dataclass(frozen=True)
class Limits:
    """What one worker may use."""

    memory_mb: int = 2048
    """Of the whole process tree, MiB."""
    processes: int = 512
    """Processes and threads together."""
    cpus: float = 1.0
    """Cores, where the sandbox can limit them."""
    scratch_mb: int = 256
    """Size of each scratch folder, MiB."""


@dataclass(frozen=True)
class Launch:
    """A command and what it may see."""

    command: Sequence[str]
    read_only: Sequence[Path] = ()
    """Host files and folders visible inside, at the same absolute path, read-only."""
    scratch: Sequence[Path] = ()
    """Absolute paths that are empty and writable inside (memory-backed); ``/tmp`` always is."""
    overlay: Sequence[Path] = ()
    """Host folders visible at the same path whose writes are kept apart and thrown away."""
    working_directory: Path = Path("/tmp")
    environment: Mapping[str, str] = field(default_factory=dict)
    hosts: Mapping[str, str] = field(default_factory=dict)
    """Host name → address lines added to the hosts file inside."""
    limits: Limits = Limits()


class Process(Protocol):
    """A running worker."""

    stdin: IO[bytes]
    stdout: IO[bytes]

    def poll(self) -> int | None:
        """Exit status, or ``None`` while it runs."""
        ...

    def kill(self) -> None:
        """End it and everything it started; returns when it is gone."""
        ...

    def waited(self) -> float:
        """Seconds that it and what it started have waited for a processor, as far as that can be told."""
        ...

    def stderr_tail(self) -> str:
        """Up to the last 4,000 characters of its standard error."""
        ...


@dataclass(frozen=True)
class Runtime:
    """The tools of one kind (``java``, ``python``, ``node``, …) as they really are inside a sandbox."""

    home: Path
    """Inside: the JDK's home, or the folder above the program's ``bin``."""
    program: Path
    """Inside: what runs or, where there is nothing to run with, compiles programs."""
    version: str
    """As the tools tell it, e.g. ``17.0.19`` or ``1.8.0_482``."""
    identity: str
    """One line that differs where verdicts may: sandbox, version, image or system."""
    mounts: tuple[Path, ...] = ()
    """Host folders to make visible inside, read-only, for it to work."""

    @property
    def feature(self) -> int:
        """First number of the version, the second one of Java's old ``1.8``; 0 when it tells none."""
        number = re.search(r"(?:1\.(?=\d+\.\d))?(\d+)", self.version)
        return int(number[1]) if number else 0


class Sandbox(Protocol):
    name: str
    keeps_writes_apart: bool
    """Whether what is written inside, to overlays and ``/tmp`` too, never reaches files outside."""
    shows: tuple[Path, ...]
    """Folders of this machine that are visible inside without being asked for."""
    mend: str
    """How to add a Debian package, which stands for ``{}``, to the system inside."""

    def start(self, launch: Launch) -> Process:
        """Start a worker; raises ``InfrastructureError`` when it cannot be started."""
        ...

    def runtime(self, kind: str, wanted: str = "") -> Runtime:
        """The runtime of a kind (a key of ``runtimes.TOOLS``, or ``java``); thread-safe, asked once.

        ``wanted`` names a certain one: a JDK's home, a program's path. Raises ``UsageError`` with the
        package to install when it is not there.
        """
        ...

    def close(self) -> None:
        """Release what it holds; ``choose`` sees to it that its processes have ended before."""
        ...
