"""SQLite files, all opened in one way: a killed process loses nothing that was committed."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
import warnings
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

_LOG = 8_000_000
"""Bytes that the log keeps once it was written back."""

_KEPT = 0
"""Statements that a connection keeps: from Python 3.12 on two threads that ask the same at once are given the
same kept one, and each other's rows or none."""

_INDEX = 1 << 15
"""Bytes of a log's index, at least; a full disk leaves fewer."""

_NO_ROOM = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
"""How SQLite says that it cannot make a log's index."""

_ROOM = 1 << 20
"""Bytes that may be free on a full disk: SQLite takes back what it could not write whole."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def connect(file: Path, schema: str, *, threads: bool = False) -> sqlite3.Connection:
    """Open a database for writing, made with ``schema`` when it is not there.

    Several processes may share it; ``threads`` of one may too, if they take turns. Raises ``OSError``
    and ``sqlite3.Error``.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    db = _opened(str(file), check_same_thread=not threads)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA journal_size_limit={_LOG}")
        db.executescript(schema)
    except BaseException:
        db.close()
        raise
    return db


def connect_to_read(file: Path) -> sqlite3.Connection:
    """Open a database to look at, also where nothing can be written. Raises ``sqlite3.Error``."""
    if os.access(file.parent, os.W_OK):
        try:
            return _by_name(file, "mode=rw")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _NO_ROOM:
                raise
    log, index = (file.with_name(file.name + end) for end in ("-wal", "-shm"))
    # What a killed process committed last is in the log, which "immutable" passes over.
    logged = log.exists() and log.stat().st_size
    if logged and not (index.exists() and index.stat().st_size >= _INDEX):
        return _with_log(file, log)
    return _by_name(file, "mode=ro" if logged else "mode=ro&immutable=1")


def _by_name(file: Path, how: str) -> sqlite3.Connection:
    return _opened(f"file:{quote(os.fsencode(file))}?{how}", uri=True)


def _opened(name: str, *, uri: bool = False, check_same_thread: bool = False) -> sqlite3.Connection:
    db = sqlite3.connect(
        name, timeout=60.0, cached_statements=_KEPT, uri=uri, check_same_thread=check_same_thread
    )
    try:
        db.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
    except UnicodeDecodeError as error:  # of SQLite's message, which repeats what is stored
        db.close()
        raise _schema_is_no_text() from error
    except BaseException:
        db.close()
        raise
    return db


def _schema_is_no_text() -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError("malformed database schema")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _with_log(file: Path, log: Path) -> sqlite3.Connection:
    """A database in memory: with a log SQLite opens a file only where the log's index is or can be made."""
    with TemporaryDirectory() as folder:
        for each in (file, log):
            shutil.copyfile(each, Path(folder, each.name))
        with closing(sqlite3.connect(Path(folder, file.name))) as copied:
            made = _opened(":memory:")
            copied.backup(made)
    return made


def is_damage(error: Exception) -> bool:
    """Whether the file is not what was written to it, rather than busy, full or not to be read."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
    return isinstance(error, ValueError)


def why(error: Exception, file: Path, mend: str = "") -> str:
    """What to tell of an error with a file, and the ``mend``; SQLite may call a full disk an I/O error."""
    if _is_full(error, file):
        return "the disk is full; make room and run the same command again"
    return f"{error}; {mend}" if mend else str(error)


def _is_full(error: Exception, file: Path) -> bool:
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    with suppress(OSError):  # of a folder that somebody has removed
        return code == sqlite3.SQLITE_FULL or (
            code == sqlite3.SQLITE_IOERR and shutil.disk_usage(file.parent).free < _ROOM
        )
    return False


def set_aside(file: Path, error: Exception) -> None:
    """Rename a damaged cache, so that a new one can be made, and warn."""
    kept = file.with_name(f"{file.name}.damaged-{time.time_ns()}")
    file.replace(kept)
    for end in ("-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    warnings.warn(f"{file} is damaged ({error}); kept as {kept.name}, and begun anew", stacklevel=2)
