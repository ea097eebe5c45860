"""Answers already paid for, by request and sample: asked once, kept for good.

The key is the content of the request without what only splits it up (``n``), so that 99 cached
answers of 100 leave one to ask for. Safe against kill -9: an answer is there whole or not at all.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from nl2fix.core import database
from nl2fix.core.errors import DataError, StorageError
from nl2fix.models.turns import Reply

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers(request TEXT, sample INTEGER, body TEXT NOT NULL,
    PRIMARY KEY(request, sample)) WITHOUT ROWID;
"""


class AnswerCache:
    """Answers in one SQLite file, which several processes may share. Used from one thread."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._db = database.connect(file, _SCHEMA)
        except (OSError, sqlite3.Error) as error:
            told = database.why(error, file, "delete it or set --cache")
            raise DataError(f"answer cache {file} cannot be used: {told}") from error

    def get(self, request: str, samples: Sequence[int]) -> dict[int, Reply]:
        """The answers there are, by sample number."""
        wanted = set(samples)
        try:
            rows = self._db.execute("SELECT sample, body FROM answers WHERE request=?", (request,))
            return {sample: Reply(**json.loads(body)) for sample, body in rows if sample in wanted}
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise DataError(
                f"answer cache {self._file} cannot be read ({error}); delete it or set --cache"
            ) from error

    def put(self, request: str, answers: Iterable[tuple[int, Reply]]) -> None:
        """Keep the answers of one reply, all or none."""
        rows = [(request, sample, json.dumps(asdict(answer))) for sample, answer in answers]
        try:
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO answers VALUES(?,?,?)", rows)
        except sqlite3.Error as error:
            told = database.why(error, self._file)
            raise StorageError(f"answer cache {self._file} cannot be written: {told}") from error

    def close(self) -> None:
        self._db.close()
