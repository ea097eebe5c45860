"""Verdicts kept across runs, keyed by the content they depend on."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from nl2fix.core import database, serial
from nl2fix.core.errors import DataError, StorageError
from nl2fix.core.records import Verdict

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdicts(fingerprint TEXT, candidate TEXT, body TEXT NOT NULL,
    PRIMARY KEY(fingerprint, candidate)) WITHOUT ROWID;
"""


class VerdictCache:
    """Identity of a problem and its validator × candidate → verdict. Processes and threads may share it.

    A damaged file is set aside with a warning: its verdicts are reached again.
    """

    def __init__(
        self, file: Path, elsewhere: Callable[[str], Mapping[str, Verdict]] = lambda fingerprint: {}
    ) -> None:
        """``elsewhere`` gives further verdicts of a fingerprint by candidate; it is asked once for each."""
        self._file, self._elsewhere = file, elsewhere
        self._asked: set[str] = set()
        self._lock = threading.Lock()
        self._lent: dict[tuple[str, str], Verdict] = {}
        self._db = self._open()

    def lend(self, fingerprint: str, verdicts: Mapping[str, Verdict]) -> None:
        """Answer with these verdicts (by candidate) too, as long as this object lives."""
        self._lent.update({(fingerprint, candidate): verdict for candidate, verdict in verdicts.items()})

    def get(self, fingerprint: str, candidate: str) -> Verdict | None:
        if fingerprint not in self._asked:
            self._asked.add(fingerprint)
            self.lend(fingerprint, self._elsewhere(fingerprint))
        lent = self._lent.get((fingerprint, candidate))
        return lent or self._do(lambda: self._get(fingerprint, candidate))

    def put(self, fingerprint: str, verdicts: Mapping[str, Verdict]) -> None:
        """Keep those of several candidates, all or none."""
        rows = [(fingerprint, key, serial.dumps(verdict)) for key, verdict in verdicts.items()]
        self._do(lambda: self._put(rows))

    def close(self) -> None:
        self._db.close()

    def _get(self, fingerprint: str, candidate: str) -> Verdict | None:
        query = "SELECT CAST(body AS BLOB) FROM verdicts WHERE fingerprint=? AND candidate=?"
        row = self._db.execute(query, (fingerprint, candidate)).fetchone()
        return None if row is None else serial.read(Verdict, row[0].decode("ascii"))

    def _put(self, rows: Sequence[tuple[str, str, str]]) -> None:
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO verdicts VALUES(?,?,?)", rows)

    def _do(self, work: Callable[[], T]) -> T:
        """Do it, if need be with a new file in place of a damaged one."""
        with self._lock:
            try:
                return work()
            except (sqlite3.Error, DataError, ValueError) as error:
                if not (isinstance(error, DataError) or database.is_damage(error)):
                    told = database.why(error, self._file)
                    raise StorageError(f"verdict cache {self._file} cannot be used: {told}") from error
                self._db.close()
                database.set_aside(self._file, error)
                self._db = self._open()
                return work()

    def _open(self) -> sqlite3.Connection:
        try:
            try:
                return database.connect(self._file, _SCHEMA, threads=True)
            except sqlite3.Error as error:
                if not database.is_damage(error):
                    raise
                database.set_aside(self._file, error)
                return database.connect(self._file, _SCHEMA, threads=True)
        except (OSError, sqlite3.Error) as error:
            told = database.why(error, self._file, "delete it or set --cache")
            raise StorageError(f"verdict cache {self._file} cannot be used: {told}") from error
