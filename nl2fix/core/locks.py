"""Locks on files and folders, beside other threads and processes; one whose holder ends is free again.

By ``flock`` where the system has it, and otherwise by SQLite, which brings locks for every system.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_HELD = "{} is held by another process"
_TICK = 0.05
"""Seconds between two tries where the system wakes nobody."""


@contextmanager
def locked(path: Path, *, shared: bool = False, wait: bool = True, mode: int = 0o600) -> Iterator[None]:
    """Hold a folder, or a file that is made with ``mode`` where it is missing; ``shared``: beside others.

    Raises ``BlockingIOError`` where somebody else holds it and we do not ``wait``.
    """
    with _flocked(path, shared, wait, mode) if fcntl else _by_sqlite(path, shared, wait):
        yield


@contextmanager
def _flocked(path: Path, shared: bool, wait: bool, mode: int) -> Iterator[None]:
    kind = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
    handle = os.open(path, kind | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(handle)


@contextmanager
def _by_sqlite(path: Path, shared: bool, wait: bool) -> Iterator[None]:
    file = path / ".lock" if path.is_dir() else path
    begin = "BEGIN; SELECT 1 FROM sqlite_master" if shared else "BEGIN EXCLUSIVE"
    with closing(
        sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    ) as connection:
        while not _begun(connection, begin.split("; ")):
            if not wait:
                raise BlockingIOError(_HELD.format(path))
            time.sleep(_TICK)
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
