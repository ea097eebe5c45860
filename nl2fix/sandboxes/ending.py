"""A sandbox that ends what it started: whoever still waits for one of its processes loses it at once."""

from __future__ import annotations

import threading
import weakref
from contextlib import suppress

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.sandbox import Launch, Process, Runtime, Sandbox


class Ending:
    """Satisfies ``sandbox.Sandbox`` by another one. Thread-safe.

    Closing ends all processes, in use or not, before the other sandbox is closed; nothing is started after.
    """

    def __init__(self, inner: Sandbox) -> None:
        self.inner = inner
        self.name = inner.name
        self.keeps_writes_apart = inner.keeps_writes_apart
        self.shows = inner.shows
        self.mend = inner.mend
        self._lock = threading.Lock()
        self._started: weakref.WeakSet[Process] = weakref.WeakSet()
        self._closed = False

    def start(self, launch: Launch) -> Process:
        self._refuse_if_closed()
        process = self.inner.start(launch)
        with self._lock:
            if not self._closed:
                self._started.add(process)
                return process
        process.kill()
        raise InfrastructureError("the sandbox was closed meanwhile")

    def runtime(self, kind: str, wanted: str = "") -> Runtime:
        return self.inner.runtime(kind, wanted)

    def close(self) -> None:
        """End everything; safe to call twice."""
        with self._lock:
            closed, self._closed = self._closed, True
            started = list(self._started)
        if closed:
            return
        for process in started:
            with suppress(InfrastructureError):  # one that does not die keeps no other alive
                process.kill()
        self.inner.close()

    def _refuse_if_closed(self) -> None:
        with self._lock:
            if self._closed:
                raise InfrastructureError("the sandbox is closed")
