"""A dataset's folder: ``pairs.jsonl`` or ``pairs.parquet``, ``removed.jsonl``, ``card.json``.

It is there whole or not at all: everything is written beside it and moved at the end.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import IO, Any, Literal

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.locks import locked
from nl2fix.core.tables import rows
from nl2fix.edits.pair import EditPair, Removed

Form = Literal["jsonl", "parquet"]
DATA = ("pairs.jsonl", "pairs.parquet")
CARD = "card.json"
_BATCH = 1_000
_FIELDS = tuple(field.name for field in fields(EditPair))


class Writer:
    """Takes pairs and what was removed, one by one, into a folder that is not yet in its place."""

    def __init__(self, folder: Path, form: Form, stack: ExitStack) -> None:
        self.folder = folder
        self._removed: IO[str] = stack.enter_context((folder / "removed.jsonl").open("w", encoding="ascii"))
        self._pairs: IO[str] | None = None
        self._parquet: Any = None
        if form == "jsonl":
            self._pairs = stack.enter_context((folder / "pairs.jsonl").open("w", encoding="ascii"))
        else:
            self._parquet = _Parquet(folder / "pairs.parquet")
            stack.callback(self._parquet.close)

    def add(self, pair: EditPair) -> None:
        row = {name: getattr(pair, name) for name in _FIELDS}
        if self._pairs is not None:
            self._pairs.write(json.dumps(row) + "\n")
        else:
            self._parquet.add(row)

    def remove(self, gone: Removed) -> None:
        self._removed.write(json.dumps(gone._asdict()) + "\n")

    def finish(self, card: Mapping[str, Any]) -> None:
        (self.folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="ascii")


class _Parquet:
    """Rows gathered into groups of a Parquet file."""

    def __init__(self, file: Path) -> None:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise UsageError("Parquet files need pyarrow: pip install 'nl2fix[parquet]'") from None
        text = pyarrow.string()
        kinds = [(name, pyarrow.list_(text) if name == "issues" else text) for name in _FIELDS]
        self._schema = pyarrow.schema(kinds)
        self._table = pyarrow.Table
        self._writer = parquet.ParquetWriter(file, self._schema)
        self._rows: list[dict[str, Any]] = []

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row | {"issues": list(row["issues"])})
        if len(self._rows) >= _BATCH:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(self._table.from_pylist(self._rows, self._schema))
        self._rows = []


@contextmanager
def new_dataset(folder: Path, form: Form) -> Iterator[Writer]:
    """A writer whose files become ``folder`` when the block ends without an error.

    ``UsageError`` where something is there already, ``DataError`` where it cannot be written.
    """
    if folder.exists():
        raise UsageError(f"{folder} is there already; name a folder that is not")
    temporary = folder.with_name(f".{folder.name}.unfinished")
    try:
        temporary.mkdir(parents=True, exist_ok=True)
        with locked(temporary, wait=False), _cleared(temporary), ExitStack() as stack:
            yield Writer(temporary, form, stack)
            stack.close()
            temporary.rename(folder)
    except BlockingIOError:
        raise UsageError(f"{folder} is being made by another process") from None
    except OSError as error:
        raise DataError(f"cannot write {folder}: {error.strerror or error}") from error


@contextmanager
def _cleared(temporary: Path) -> Iterator[None]:
    """Without what a killed process left, and removed at the end where it is still there."""
    for name in DATA:
        (temporary / name).unlink(missing_ok=True)
    try:
        yield
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def data_file(folder: Path) -> Path:
    """The file with a dataset's pairs; ``UsageError`` where there is none."""
    files = [folder / name for name in DATA if (folder / name).is_file()]
    if not files:
        raise UsageError(f"{folder} holds no dataset ({' or '.join(DATA)}); `nl2fix edits mine` makes one")
    return files[0]


def read_pairs(folder: Path) -> Iterator[EditPair]:
    """The pairs of a dataset's folder; ``DataError`` names the row and field that is not as it should be."""
    for where, row in rows(data_file(folder), "a dataset of `nl2fix edits mine`"):
        yield _pair(where, row)


def _pair(where: str, row: Mapping[str, Any]) -> EditPair:
    for name in ("language", "before", "after", "message"):
        if not isinstance(row.get(name), str):
            raise DataError(f"{where}: no text {name}; is this a dataset of `nl2fix edits mine`?")
    fields = {name: row[name] for name in _FIELDS if row.get(name) is not None}
    return EditPair(**{"origin": where, "revision": ""} | fields | {"issues": tuple(row.get("issues") or ())})
