"""What runs, told where nothing was said for a while: a project's own tests may take minutes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

EVERY = 10.0
"""Seconds of silence after which something is said."""


class Pulse:
    """Says lines, and in between which test runs. Thread-safe."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._lock = threading.Lock()
        self._said = time.monotonic()
        self._tests: set[str] = set()

    def say(self, text: str) -> None:
        """A line of its own; tests are counted from here."""
        with self._lock:
            self._tests.clear()
            self._tell(text)

    def runs(self, test: str) -> None:
        """A test runs, still or from now on."""
        with self._lock:
            self._tests.add(test)
            if test and time.monotonic() - self._said >= EVERY:
                self._tell(f"  {len(self._tests)} tests begun, now {test.replace('::', '#')}")

    def _tell(self, text: str) -> None:
        self._say(text)
        self._said = time.monotonic()
