"""What runs, told where nothing was said for a while: a project's own tests may take minutes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
        """A test, or a class that sets up its tests, runs, still or from now on."""
        with self._lock:
            if "::" in test:
                self._tests.add(test)
            if test and time.monotonic() - self._said >= EVERY:
                begun = len(self._tests)
                self._tell(f"  {begun} test{'s' * (begun != 1)} begun, now {test.replace('::', '#')}")

    @contextmanager
    def going(self, what: str) -> Iterator[Callable[[str], None]]:
        """Something goes on for as long as this lasts, of which nothing else tells; yields what is told which
        part of it is done now.
        """
        over, start, parts = threading.Event(), time.monotonic(), [""]

        def tell() -> None:
            while not over.wait(EVERY):
                with self._lock:
                    if time.monotonic() - self._said >= EVERY:
                        part = f": {parts[-1]}" if parts[-1] else ""
                        self._tell(f"  {what}, {time.monotonic() - start:.0f} s{part}")

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        try:
            yield parts.append
        finally:
            over.set()
            teller.join()

    def _tell(self, text: str) -> None:
        self._say(text)
        self._said = time.monotonic()
