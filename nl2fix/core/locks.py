"""Locks on files and folders, beside other threads and processes; one whose holder ends is free again.

By ``flock`` where the system has it, and otherwise by SQLite, which brings locks for every system.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_HELD = "{} is held by another process"
_TICKS = 0.001, 0.05
"""Seconds between two tries where the system wakes nobody: at first, and at most."""

Look = Callable[[], None]


@contextmanager
def locked(
    path: Path, *, shared: bool = False, wait: bool = True, mode: int = 0o600, look: Look | None = None
) -> Iterator[None]:
    """Hold a folder, or a file that is made with ``mode`` where it is missing; ``shared``: beside others.

    Raises ``BlockingIOError`` where somebody else holds it and we do not ``wait``. ``look`` is called now and
    then by who waits; what it raises ends that.
    """
    with _flocked(path, shared, wait, mode, look) if fcntl else _by_sqlite(path, shared, wait, look):
        yield


@contextmanager
def _flocked(path: Path, shared: bool, wait: bool, mode: int, look: Look | None) -> Iterator[None]:
    handle = _opened(path, mode)
    hold = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        if wait and look is None:
            fcntl.flock(handle, hold)
        elif wait:
            _until(lambda: _free(handle, hold), look)
        else:
            fcntl.flock(handle, hold | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _opened(path: Path, mode: int) -> int:
    safely = os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | safely, mode)
    except IsADirectoryError:
        return os.open(path, os.O_RDONLY | safely)


def _free(handle: int, hold: int) -> bool:
    """Whether it is ours now."""
    try:
        fcntl.flock(handle, hold | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False


def _until(taken: Callable[[], bool], look: Look | None) -> None:
    tick, longest = _TICKS
    while not taken():
        if look is not None:
            look()
        time.sleep(tick)
        tick = min(2 * tick, longest)


@contextmanager
def _by_sqlite(path: Path, shared: bool, wait: bool, look: Look | None) -> Iterator[None]:
    file = path / ".lock" if path.is_dir() else path
    statements = ["BEGIN", "SELECT 1 FROM sqlite_master"] if shared else ["BEGIN EXCLUSIVE"]
    with closing(
        sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    ) as connection:
        if wait:
            _until(lambda: _begun(connection, statements), look)
        elif not _begun(connection, statements):
            raise BlockingIOError(_HELD.format(path))
        yield


def _begun(connection: sqlite3.Connection, statements: list[str]) -> bool:
    try:
        for statement in statements:
            connection.execute(statement).fetchall()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise OSError(str(error)) from error
        if connection.in_transaction:
            connection.rollback()
        return False
    return True
