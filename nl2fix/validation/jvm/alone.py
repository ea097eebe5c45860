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
from functools import cache
from pathlib import Path

from nl2fix.core.locks import Look, locked


class Turn:
    """Somebody's turn beside others. Everybody leaves a mark when a turn begins."""

    def __init__(self, first: bool) -> None:
        """To be made behind the gate, by who holds the turns' lock; ``first``: as the only one."""
        self._first = first
        self._mark = secrets.randbits(60)
        os.utime(_file("turns"), ns=(self._mark, self._mark))

    def alone(self) -> bool:
        """Whether nobody else has run since this turn began."""
        return self._first and _file("turns").stat().st_mtime_ns == self._mark


@contextmanager
def together(look: Look | None = None) -> Iterator[Turn]:
    """Run beside others; waits while someone is alone. ``look`` as in ``core.locks``."""
    with ExitStack() as resources:
        with locked(_file("gate"), look=look):
            first = _free(_file("turns"))
            resources.enter_context(locked(_file("turns"), shared=True, look=look))
            turn = Turn(first)
        yield turn


@contextmanager
def alone(look: Look | None = None) -> Iterator[None]:
    """Run while nobody else does; waits until those who run have ended. Not to be asked for within a turn."""
    with locked(_file("gate"), look=look), locked(_file("turns"), look=look):
        yield


def _free(file: Path) -> bool:
    """Whether nobody holds a lock."""
    try:
        with locked(file, wait=False):
            return True
    except BlockingIOError:
        return False


def _file(name: str) -> Path:
    return _in(tempfile.gettempdir(), name)


@cache
def _in(folder: str, name: str) -> Path:
    """Made once: every candidate asks for it ten times."""
    return Path(folder) / f"nl2fix-{os.getuid()}-{name}.lock"
