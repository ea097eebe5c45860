"""Vectors kept between runs, by content: a text is embedded once per embedder.

Contract: rows are stored as 16-bit floats in one sqlite file per embedder, each batch in its own
transaction, so a crash loses at most the batch under way. What is returned has passed through 16 bits
whether it was stored or is new, so a second run sees the very same numbers. A file that cannot be used
is one line of ``DataError``.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nl2fix.core import database
from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Embedder

_BATCH = 256
"""Texts embedded and stored at once."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB NOT NULL);"


class CachedEmbedder:
    """Asks the inner embedder only for texts it has never seen; a blank text is the zero row."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self.name = inner.name
        slug = re.sub(r"[^A-Za-z0-9.-]+", "_", inner.name)[:60]
        digest = hashlib.sha256(inner.name.encode()).hexdigest()[:12]
        self._file = folder / "vectors" / f"{slug}-{digest}.sqlite"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape ``(len(texts), dimensions)``."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        wanted = {key: text for key, text in zip(keys, texts, strict=True) if text.strip()}
        with self._open() as store:
            stored = {key: row for key in wanted if (row := _find(store, key)) is not None}
            missing = [key for key in wanted if key not in stored]
            for i in range(0, len(missing), _BATCH):
                batch = missing[i : i + _BATCH]
                rows = self._inner.embed([wanted[key] for key in batch]).astype("<f2")
                stored.update(zip(batch, rows, strict=True))
                with store:
                    store.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                        [(key, row.tobytes()) for key, row in zip(batch, rows, strict=True)],
                    )
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        blank = np.zeros(max(map(len, stored.values()), default=1), dtype="<f2")
        return np.stack([stored.get(key, blank) for key in keys]).astype(np.float32)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(database.connect(self._file, _SCHEMA)) as store:
                yield store
        except (OSError, sqlite3.Error) as error:
            told = database.why(error, self._file, "delete that file")
            raise DataError(f"cannot use the vector cache {self._file}: {told}") from error


def _find(store: sqlite3.Connection, key: bytes) -> NDArray[np.float16] | None:
    row = store.execute("SELECT vector FROM vectors WHERE text = ?", (key,)).fetchone()
    return None if row is None else np.frombuffer(row[0], dtype="<f2")
