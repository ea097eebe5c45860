"""Workers that nobody uses at the moment, kept warm for whoever takes one next."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Closing(Protocol):
    def close(self) -> None:
        """End it; safe to call twice."""
        ...


W = TypeVar("W", bound=Closing)


class Idle(Generic[W]):
    """Thread-safe."""

    def __init__(self, most: int) -> None:
        """``most`` workers wait at once."""
        self._most = most
        self._waiting: list[W] = []
        self.closed = False
        self._lock = threading.Lock()

    def take(self, fits: Callable[[W], bool] = lambda worker: True) -> W | None:
        """One that fits, the last to be kept."""
        with self._lock:
            found = next((worker for worker in reversed(self._waiting) if fits(worker)), None)
            if found is not None:
                self._waiting.remove(found)
            return found

    def keep(self, worker: W) -> None:
        """Have a worker wait; that which has waited longest ends where there are too many."""
        spare: W | None = worker
        with self._lock:
            if not self.closed:
                self._waiting.append(worker)
                spare = self._waiting.pop(0) if len(self._waiting) > self._most else None
        if spare is not None:
            spare.close()

    def close(self) -> None:
        """End all that wait, and whatever is kept from now on."""
        with self._lock:
            self.closed = True
            waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.close()
