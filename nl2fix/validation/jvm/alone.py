"""Turns on this machine: what a clock decides is decided again while no other worker of ours runs.

Workers of all our processes of one user take part, through two lock files. Those who run hold the first
together; whoever must be alone holds it for itself, and meanwhile the second, the gate, through which
newcomers come one by one.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from nl2fix.core.locks import locked


class Turn:
    """Somebody's turn beside others. Everybody leaves a mark when a turn begins."""

    def __init__(self, resources: ExitStack) -> None:
        """To be made behind the gate; ``resources`` hold what the turn holds until it ends."""
        self._resources = resources
        self._file = _file("turns")
        self._first = _free(self._file)
        resources.enter_context(locked(self._file, shared=True))
        self._mark = secrets.randbits(60)
        os.utime(self._file, ns=(self._mark, self._mark))

    def alone(self) -> bool:
        """Whether nobody else has run since this turn began; if so nobody does until it ends."""
        if not self._first:
            return False
        try:
            self._resources.enter_context(locked(_file("gate"), wait=False))
        except BlockingIOError:
            return False
        return self._file.stat().st_mtime_ns == self._mark


@contextmanager
def together() -> Iterator[Turn]:
    """Run beside others; waits while someone is alone."""
    with ExitStack() as resources:
        with locked(_file("gate")):
            turn = Turn(resources)
        yield turn


@contextmanager
def alone() -> Iterator[None]:
    """Run while nobody else does; waits until those who run have ended. Not to be asked for within a turn."""
    with locked(_file("gate")), locked(_file("turns")):
        yield


def _free(file: Path) -> bool:
    """Whether nobody holds a lock."""
    try:
        with locked(file, wait=False):
            return True
    except BlockingIOError:
        return False


def _file(name: str) -> Path:
    return Path(tempfile.gettempdir()) / f"nl2fix-{os.getuid()}-{name}.lock"
