"""A machine that has something else to do, for tests that must not mind."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SECONDS = 10
"""Of processor time that a loop takes at most: some test classes compute for a minute."""
_LOOP = ("/bin/sh", "-c", f"ulimit -t {_SECONDS}; while :; do :; done")


class _Loops:
    """A loop for every core of this machine, however many threads want that at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._running: list[subprocess.Popen[bytes]] = []

    def join(self) -> None:
        with self._lock:
            self._running = [loop for loop in self._running if loop.poll() is None]
            for _ in range((os.cpu_count() or 1) - len(self._running)):
                self._running.append(subprocess.Popen(_LOOP))
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                for loop in self._running:
                    loop.kill()
                    loop.wait()
                self._running.clear()


_loops = _Loops()


@contextmanager
def busy() -> Iterator[None]:
    """Something to do for every core of this machine, for a while; who wants that meanwhile shares it."""
    _loops.join()
    try:
        yield
    finally:
        _loops.leave()
