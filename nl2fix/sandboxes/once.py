"""One command in a sandbox, from start to end: for checkers, linters, compilers, one-shot tests.

The command sees its files in a working folder of its own, has no input but what it is given, and always
ends: by itself, or killed with everything it started when its time is up or when it prints too much.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from nl2fix.core.scratch import Scratch
from nl2fix.sandboxes.sandbox import MOST_WAITING, Launch, Limits, Process, Sandbox

LOOK_SECONDS = 0.2
"""How often a command's processes are looked at: one that ended since is not known to have waited."""
LOOK_FACTOR = 50.0
"""Times what a look takes until the next, where a machine has many processes."""
_BLOCK = 1 << 16
_SIGXCPU = 128 + 24


@dataclass(frozen=True)
class CommandBounds:
    """How much one command may take."""

    seconds: float = 60.0
    """Of wall time, in which waiting for a processor does not count."""
    output_bytes: int = 1 << 20
    """Of standard output."""
    limits: Limits = field(default=Limits())


@dataclass(frozen=True)
class Finished:
    """How a command ended."""

    status: int | None
    """Exit status, 128 + n when signal n ended it; ``None`` when it was killed for overrunning a bound."""
    stdout: str
    """At most ``CommandBounds.output_bytes`` bytes of it; bytes that are no UTF-8 are replaced."""
    stderr: str
    """The last 4,000 characters."""
    seconds: float
    overrun: Literal["", "time", "output"] = ""
    """The bound that was overrun."""

    @property
    def late(self) -> bool:
        """Whether a clock ended it: ours, or the kernel's that counts a process's time on a processor."""
        return self.overrun == "time" or self.status == _SIGXCPU


def run(
    sandbox: Sandbox,
    command: Sequence[str],
    files: Mapping[str, str | bytes],
    bounds: CommandBounds = CommandBounds(),
    *,
    read_only: Sequence[Path] = (),
    environment: Mapping[str, str] | None = None,
    stdin: str = "",
) -> Finished:
    """Run a command in a folder that holds ``files`` (relative path → content).

    ``stdin`` must be short: a few lines. What it writes is thrown away. Raises ``InfrastructureError``
    when it cannot be started, ``ValueError`` for a path that leads out of the folder.
    """
    with closing(Scratch("nl2fix-once-", 0o755)) as made:
        folder = made.path.resolve()
        _write(folder, files)
        launch = Launch(
            command,
            read_only=read_only,
            overlay=(folder,),
            working_directory=folder,
            environment=environment or {},
            limits=bounds.limits,
        )
        process = sandbox.start(launch)
        started = time.monotonic()  # how long an engine takes to start it is not the command's
        try:
            _feed(process, stdin)
            return _watched(process, bounds, started)
        finally:
            process.kill()


def _write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise ValueError(f"{name!r} is no path inside a folder")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        target.write_bytes(data)


def _feed(process: Process, text: str) -> None:
    with contextlib.suppress(BrokenPipeError):  # the command ended without reading
        process.stdin.write(text.encode())
        process.stdin.close()


class _Clock:
    """A command's time, which does not count what the command waits for a processor, nor what the machine
    stood still: as much longer than meant it was not looked at.
    """

    def __init__(self, process: Process, seconds: float, started: float) -> None:
        self._process, self._seconds, self._end = process, seconds, started + seconds
        self._waited, self._overslept, self._due = 0.0, 0.0, started + LOOK_SECONDS

    def left(self) -> float:
        """Seconds until it is looked at again; 0 or less when time is up."""
        now = time.monotonic()
        late = now - min(self._due, self._end)
        if late >= 0:
            begun = time.thread_time()
            self._overslept += max(0.0, late - LOOK_SECONDS)
            waited = min(max(self._process.waited(), self._overslept), MOST_WAITING * self._seconds)
            self._end += waited - self._waited
            self._waited = waited
            now = time.monotonic()
            self._due = now + max(LOOK_SECONDS, LOOK_FACTOR * (time.thread_time() - begun))
        return min(self._due, self._end) - now


def _watched(process: Process, bounds: CommandBounds, started: float) -> Finished:
    clock, output = _Clock(process, bounds.seconds, started), bytearray()
    handle = process.stdout.fileno()
    overrun: Literal["", "time", "output"] = ""
    while not overrun:
        left = clock.left()
        if left <= 0:
            overrun = "time"
        elif not select.select([handle], [], [], left)[0]:
            continue
        elif block := os.read(handle, _BLOCK):
            output += block
            overrun = "output" if len(output) > bounds.output_bytes else ""
        else:
            break
    status = None if overrun else _status(process, clock)
    overrun = overrun or ("time" if status is None else "")
    seconds = time.monotonic() - started
    process.kill()
    text = bytes(output[: bounds.output_bytes]).decode("utf-8", "replace")
    return Finished(status, text, process.stderr_tail(), seconds, overrun)


def _status(process: Process, clock: _Clock) -> int | None:
    """Exit status of a command that closed its output; ``None`` when its time is up first."""
    while (status := process.poll()) is None and clock.left() > 0:
        time.sleep(0.002)
    return 128 - status if status is not None and status < 0 else status
