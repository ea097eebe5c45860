"""Edit pairs from files of CommitPack, CommitPackFT or EditPackFT: JSON lines or Parquet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from nl2fix.core.errors import DataError
from nl2fix.core.tables import rows
from nl2fix.edits import messages
from nl2fix.edits.pair import EditPair, Found, Removed
from nl2fix.edits.repositories import SUFFIXES, issues_named
from nl2fix.edits.settings import MiningConfig

EXPECTED = "a file of CommitPack or CommitPackFT"
_TEXTS = ("old_contents", "new_contents")
_MESSAGES = ("instruction", "subject", "message")
"""Fields that may hold the message, the best first."""


def read_rows(file: Path, config: MiningConfig) -> Found:
    """Pairs of whole files; ``DataError`` where there is none, or the first lacks the fields of such a file.

    A later row that lacks them is left out, as is one whose repository's message is none.
    """
    number = 0
    for number, (where, row) in enumerate(rows(file, EXPECTED), 1):
        lacking = _lacking(row)
        if lacking and number == 1:
            raise DataError(f"{where}: no text {lacking}; is this {EXPECTED}?")
        if lacking:
            yield Removed(file.name, str(number), "", "row lacks a field", lacking)
            continue
        yield _screened(_pair(file, number, row, config), config)
    if not number:
        raise DataError(f"{file}: holds no rows; is this {EXPECTED}?")


def _lacking(row: Mapping[str, Any]) -> str:
    missing = [name for name in _TEXTS if not isinstance(row.get(name), str)]
    if not any(isinstance(row.get(name), str) for name in _MESSAGES):
        missing.append(" or ".join(_MESSAGES))
    return ", ".join(missing)


def _pair(file: Path, number: int, row: Mapping[str, Any], config: MiningConfig) -> EditPair:
    said = next(row[name] for name in _MESSAGES if isinstance(row.get(name), str))
    first = next((line for line in said.splitlines() if line.strip()), "")
    path = _text(row, "new_file") or _text(row, "old_file")
    return EditPair(
        language=_text(row, "lang").lower() or SUFFIXES.get(PurePosixPath(path).suffix, ""),
        before=row["old_contents"].replace("\r\n", "\n"),
        after=row["new_contents"].replace("\r\n", "\n"),
        message=messages.cleaned(first, references=config.references == "clean"),
        origin=file.name,
        revision=_text(row, "commit") or str(number),
        path=path,
        license=_text(row, "license").lower(),
        issues=issues_named(f"{said}\n{_text(row, 'message')}", _repositories(row)),
    )


def _repositories(row: Mapping[str, Any]) -> list[str]:
    """Names, without their owners, of the repositories that have the commit."""
    return [place.rsplit("/", 1)[-1] for place in re.split(r"[,\s]+", _text(row, "repos")) if place]


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return value.strip() if isinstance(value, str) else ""


def _screened(pair: EditPair, config: MiningConfig) -> EditPair | Removed:
    place = (pair.origin, pair.revision, pair.path)
    if pair.language not in config.languages:
        return Removed(*place, "no file in a language wanted", pair.language)
    if not pair.message:
        return Removed(*place, "row lacks a field", "empty message")
    if config.screen != "all":
        return pair
    fault = messages.fault(pair.message, imperative=config.imperative)
    fault = fault or messages.names_file(pair.message, pair.path)
    return Removed(*place, *fault) if fault else pair


def count_rows(file: Path) -> int:
    """About how many rows a file has, for progress; 0 where it cannot be read."""
    try:
        if file.suffix == ".parquet":
            from pyarrow import parquet

            return int(parquet.ParquetFile(file).metadata.num_rows)
        with file.open("rb") as stream:
            return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b"")) or 1
    except (OSError, ImportError, ValueError):
        return 0
