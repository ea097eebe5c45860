"""Files that are never half-written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from nl2fix.core.errors import DataError


def write_atomically(file: Path, text: str) -> None:
    """Replace a file in one step: temporary file, fsync, rename. A full disk leaves the old one."""
    write_bytes_atomically(file, text.encode("utf-8", "surrogatepass"))


def write_bytes_atomically(file: Path, content: bytes) -> None:
    """As ``write_atomically``, for bytes."""
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise DataError(f"cannot write {file}: {error.strerror}") from error
