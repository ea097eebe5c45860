"""Are the files that a model answers from what they were when a run began?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.files import write_atomically

_LARGE = 1 << 24
"""Bytes from which on reading a file once more is worth remembering its digest."""


def contents(files: Mapping[str, Sequence[Path]], cache: Path) -> dict[str, str]:
    """Aspect → hash of the names and contents of its files; ``UsageError`` where one cannot be read.

    Every byte is read: weights trained again have the size and the header that they had. What was read of a
    large file is kept in the cache, by all that the file system tells when a file is written.
    """
    known = Known(cache / "digests.json")
    try:
        told = {aspect: _sha256(paths, known) for aspect, paths in files.items() if paths}
    except OSError as error:
        raise UsageError(f"cannot read {error.filename} of the model: {error.strerror}") from error
    known.save()
    return told


def _sha256(paths: Sequence[Path], known: Known) -> str:
    lines = "".join(f"{path.name} {known.digest(path)}\n" for path in paths)
    return hashlib.sha256(lines.encode()).hexdigest()


class Known:
    """Digests of large files that were read before."""

    def __init__(self, file: Path) -> None:
        self._file, self._changed = file, False
        self._known: dict[str, object] = {}
        with suppress(OSError, ValueError):
            read = json.loads(file.read_text(encoding="utf-8"))
            self._known = read if isinstance(read, dict) else {}

    def digest(self, path: Path) -> str:
        stat = path.stat()
        name = str(path.resolve())
        state = [stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]
        match self._known.get(name):
            case [*before, str(known)] if before == state:
                return known
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if stat.st_size >= _LARGE:
            self._known[name], self._changed = [*state, digest], True
        return digest

    def save(self) -> None:
        """Keep what was read; where nothing can be kept, it is read again next time."""
        if self._changed:
            with suppress(OSError, DataError):
                self._file.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self._file, json.dumps(self._known, indent=1) + "\n")
