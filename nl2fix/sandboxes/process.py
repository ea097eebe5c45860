"""A worker process on this machine: its pipes, the tail of its standard error, and its certain end.

Killing ends the whole tree: through the process that owns the PID name space where there is one,
through the control group where there is one, and through the process table otherwise. Where no
control group limits memory and process count, a watcher thread does.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.cgroups import Group, kill
from nl2fix.sandboxes.sandbox import Limits, Process
from nl2fix.sandboxes.table import Waiting, resident_mb, threads, tree

TAIL = 4000
"""Characters of standard error kept."""
WATCH_INTERVAL = 0.1
"""Seconds between two looks at a tree without a control group."""
GLANCE_INTERVAL = 0.005
"""Seconds between two glances at the machine's number of threads: a fork bomb grows between two looks."""
PATIENCE = 60.0
"""Seconds until a killed tree must be gone: thousands of processes, or a busy machine, take a while."""
# Arguments: count, the groups' entrances, the command.
_JOIN = """
count="$1"; shift
while [ "$count" -gt 0 ]; do echo $$ > "$1" || exit 125; shift; count=$((count-1)); done
exec "$@"
"""

# "Die with the parent" means the thread that started a child: one that lives as long as we do starts all.
_spawner = ThreadPoolExecutor(1, thread_name_prefix="nl2fix-spawner")


def spawn(
    command: Sequence[str],
    group: Group | None,
    environment: Mapping[str, str],
    pass_fds: Sequence[int] = (),
    folder: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a command with three pipes, in its own session, inside a control group from the start."""
    entrances = [str(path) for path in group.entrances] if group else []
    joined = ["/bin/sh", "-c", _JOIN, "sh", str(len(entrances)), *entrances, *command]

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            joined if entrances else list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environment),
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )

    try:
        return _spawner.submit(start).result()
    except OSError as error:
        raise InfrastructureError(f"cannot start {command[0]}: {error}") from error


class LocalProcess:
    """Satisfies ``sandbox.Process`` for a child of ours."""

    def __init__(self, child: subprocess.Popen[bytes], group: Group | None, limits: Limits) -> None:
        assert child.stdin and child.stdout and child.stderr
        self.stdin: IO[bytes] = child.stdin
        self.stdout: IO[bytes] = child.stdout
        self._child, self._group, self._limits = child, group, limits
        self._init: int | None = None
        self._tail = bytearray()
        self._waiting = Waiting()
        self._lock = threading.Lock()
        self._released = False
        self._reader = threading.Thread(target=self._read_errors, args=(child.stderr,), daemon=True)
        self._reader.start()
        if group is None:
            threading.Thread(target=self._watch, daemon=True).start()

    def ends_with(self, init: int) -> None:
        """Be told the process whose death ends the tree (the first of a PID name space)."""
        with self._lock:
            self._init = _open_pid(init)
            if self._released:
                self._end_init()

    def poll(self) -> int | None:
        """Exit status; 128 + n (or -n) when signal n ended it."""
        status = self._child.poll()
        if status is not None:
            self._release()
        return status

    def kill(self) -> None:
        """End the whole tree; returns when it is gone. Safe to call twice and from any thread."""
        # One that has ended but was not waited for keeps its number, and its session may live on.
        if self._child.returncode is None and not self._signalled():
            self._kill_tree()
        try:
            self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise InfrastructureError(f"process {self._child.pid} does not die") from error
        self._release()
        for pipe in (self.stdin, self.stdout):
            _close(pipe)

    def waited(self) -> float:
        """Of those that live, and of those that lived when this was last asked."""
        return self._waiting.seconds(tree(self._child.pid))

    def stderr_tail(self) -> str:
        """Up to the last 4,000 characters of standard error; complete once the process has ended."""
        if self._child.poll() is not None:
            self._reader.join(1)
        return bytes(self._tail).decode("utf-8", "replace")[-TAIL:]

    def _read_errors(self, stream: IO[bytes]) -> None:
        with stream:
            while block := os.read(stream.fileno(), 65536):
                self._tail += block
                del self._tail[: -4 * TAIL]

    def _signalled(self) -> bool:
        """Whether the first process was told to end; meanwhile its handle becomes nobody else's."""
        with self._lock:
            if self._init is not None:
                _signal(self._init)
            return self._init is not None

    def _kill_tree(self) -> None:
        for pid in tree(self._child.pid):
            kill(pid)
        with suppress(ProcessLookupError, PermissionError):  # orphans of a session that its leader led
            os.killpg(self._child.pid, signal.SIGKILL)
        if self._group is not None:
            self._group.remove()

    def _release(self) -> None:
        with self._lock:
            if self._released:
                return
            self._released = True
            if self._group is not None:
                self._group.remove()
            self._end_init()

    def _end_init(self) -> None:
        """Its parent may have been killed before it could die with it."""
        if self._init is not None:
            _signal(self._init)
            os.close(self._init)
            self._init = None

    def _watch(self) -> None:
        while self._child.poll() is None:
            before = threads()
            members = tree(self._child.pid)
            too_many = len(members) > self._limits.processes
            if too_many or resident_mb(members) > self._limits.memory_mb:
                self._tail += b"killed: over the limit of processes" if too_many else b"killed: out of memory"
                self.kill()
                return
            self._rest(before + self._limits.processes // 2)

    def _rest(self, most: int) -> None:
        """Until the next look is due, or the machine has more threads than these."""
        until = time.monotonic() + WATCH_INTERVAL
        while time.monotonic() < until and threads() <= most:
            time.sleep(GLANCE_INTERVAL)


def printed(process: Process, size: int, seconds: float) -> bytes | None:
    """What a process prints next, at most ``size`` bytes; empty when it ended, ``None`` when time is up."""
    try:
        handle = process.stdout.fileno()
        if seconds > 0 and select.select([handle], [], [], seconds)[0]:
            return os.read(handle, size)
    except (OSError, ValueError):  # somebody else ended the process and closed its pipes
        return b""
    return None


def _open_pid(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def _signal(handle: int) -> None:
    try:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except ProcessLookupError:
        return


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        return
