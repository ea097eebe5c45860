"""Data files of rows, as data sets are published: JSON lines, one JSON list, or Parquet.

JSON lines and Parquet are read as they are asked for; no more than a few rows are in memory at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from nl2fix.core.errors import DataError, UsageError, first_line
from nl2fix.core.files import open_again

PACKED = b"\x1f\x8b"
"""What a file of gzip begins with."""
BATCH = 256
"""Rows of Parquet decoded at once."""


class RepeatedKey(ValueError):
    """An object of JSON has a key twice; Python takes the last value without a word."""


def decoded(text: str | bytes) -> Any:
    """What a text of JSON says; ``ValueError`` where it is none, or an object has a key twice."""
    return json.loads(text, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RepeatedKey(f"key {twice!r:.40} stands twice in one object; nobody can tell which counts")
    return made


def rows(file: Path, expected: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Where each row stands, and the row; ``expected`` says in errors what file it should be.

    Blank lines are passed over. ``DataError`` names the row that is not as it should be.
    """
    for where, row in _parquet(file, expected) if file.suffix == ".parquet" else _json(file, expected):
        if not isinstance(row, dict):
            raise DataError(f"{where}: no JSON object; is this {expected}?")
        yield where, row


def _unreadable(file: Path, error: OSError, expected: str) -> DataError:
    return DataError(f"cannot read {file}: {error.strerror}; name {expected}")


def _json(file: Path, expected: str) -> Iterator[tuple[str, Any]]:
    try:
        with open_again(file) as stream:
            yield from _list(file, stream) if _is_list(stream) else _lines(file, stream)
    except OSError as error:
        raise _unreadable(file, error, expected) from error


def _is_list(stream: BinaryIO) -> bool:
    """Whether the first character that is no white space opens a list; the stream is at its start again."""
    first = b" "
    while first.isspace():
        first = stream.read(1)
    stream.seek(0)
    return first == b"["


def _list(file: Path, stream: BinaryIO) -> Iterator[tuple[str, Any]]:
    for number, row in enumerate(_decoded(str(file), stream.read()), 1):
        yield f"{file}, entry {number}", row


def _lines(file: Path, stream: BinaryIO) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(stream, 1):
        if line.strip():
            where = f"{file}, line {number}"
            yield where, _decoded(where, line)


def _decoded(where: str, text: bytes) -> Any:
    try:
        return decoded(text)
    except RepeatedKey as error:
        raise DataError(f"{where}: {error}") from None
    except (ValueError, RecursionError) as error:
        refuse_packed(where, text)
        raise DataError(f"{where}: no JSON, damaged or cut off ({error}); get the file again") from error


def refuse_packed(where: str, text: bytes) -> None:
    """``DataError`` for what gzip has packed."""
    if text.startswith(PACKED):
        raise DataError(f"{where}: packed by gzip; unpack it (gunzip) and name what comes out")


def _parquet(file: Path, expected: str) -> Iterator[tuple[str, Any]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("Parquet files need pyarrow: pip install 'nl2fix[parquet]'") from error
    number = 0
    try:
        with file.open("rb") as stream:
            for batch in parquet.ParquetFile(stream).iter_batches(BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{file}, row {number}", row
    except pyarrow.ArrowException as error:
        what = "no Parquet, damaged or cut off"
        raise DataError(f"{file}: {what} ({first_line(error)}); get the file again") from error
    except OSError as error:
        raise _unreadable(file, error, expected) from error
