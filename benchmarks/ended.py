"""Benchmarks that are told to end (SIGTERM, as batch systems do it) take along what they started and left."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from nl2fix.sandboxes.table import tree


def by_sigterm() -> None:
    """From now on SIGTERM ends this process and all below it, and takes their temporary folders along.

    These lie in one folder of this process's own, as who is killed tells nobody what it leaves.
    """
    folder, owner = Path(tempfile.mkdtemp(prefix="nl2fix-benchmark-")), os.getpid()
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder)

    def leave() -> None:
        if os.getpid() == owner:
            _remove(folder)

    def end(number: int, _: Any) -> NoReturn:
        _kill(tree(owner)[1:])
        _remove(folder)
        os._exit(128 + number)

    atexit.register(leave)
    signal.signal(signal.SIGTERM, end)


def _kill(pids: list[int]) -> None:
    """Kill parents before their children, so that none starts another."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _remove(folder: Path) -> None:
    """What has just been killed may still be writing."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
