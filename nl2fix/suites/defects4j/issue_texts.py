"""The folder of issue texts: one JSON file a bug, fetched from the trackers or imported from the dataset.

Layout: ``issues/BUG.json`` (what a model may be told), ``methods/BUG.json`` (the method before and
after the fix, from the dataset only), ``raw/TRACKER/`` (answers as they came). It lies with the user's
data, not in the package: the texts belong to their authors.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs

from nl2fix.core.errors import DataError
from nl2fix.core.files import write_atomically
from nl2fix.suites.defects4j.index import Row, load_dataset
from nl2fix.trackers.tracker import Comment


@dataclass(frozen=True, slots=True)
class IssueText:
    """What an issue says, as far as it was said before the fix."""

    bug: str
    title: str
    description: str
    origin: str
    """``fetched`` from the tracker or ``published`` with the study's dataset."""
    url: str
    retrieved: str
    """ISO 8601: when it was fetched or imported."""
    sha256: str
    """Of the tracker's answer or of the dataset file."""
    reported: str = ""
    comments: tuple[Comment, ...] = ()
    """Those written before the fix, oldest first."""
    dropped: int = 0
    """Comments left out: written after the fix, or with either date unknown."""


@dataclass(frozen=True, slots=True)
class PublishedMethod:
    """The buggy method and its fix as the published dataset has them, comments included."""

    bug: str
    before: str
    after: str


def default_texts() -> Path:
    """Where texts are kept unless told otherwise: ``$NL2FIX_DATA``, else this user's data folder."""
    named = os.environ.get("NL2FIX_DATA")
    return (Path(named) if named else platformdirs.user_data_path("nl2fix")).absolute() / "defects4j_issues"


def save(folder: Path, text: IssueText) -> None:
    """Store one bug's text in one step."""
    _write(folder / "issues" / f"{text.bug}.json", asdict(text))


def load(folder: Path) -> dict[str, IssueText]:
    """All stored texts by bug; none where the folder is not there."""
    texts = {}
    for name, data in _read(folder / "issues"):
        try:
            comments = tuple(Comment(**item) for item in data.pop("comments"))
            texts[name] = IssueText(comments=comments, **data)
        except (KeyError, TypeError) as error:
            raise _damaged(folder / "issues" / f"{name}.json", error) from error
    return texts


def load_methods(folder: Path) -> dict[str, PublishedMethod]:
    """The dataset's methods by bug; none where no dataset was imported."""
    try:
        return {name: PublishedMethod(**data) for name, data in _read(folder / "methods")}
    except TypeError as error:
        raise _damaged(folder / "methods", error) from error


def import_dataset(dataset: Path, rows: Iterable[Row], folder: Path) -> int:
    """Store texts and methods of the published dataset instead of fetching; returns how many.

    The dataset's comments bear no dates, so none can be shown to be older than the fix: all are dropped.
    """
    published = {key.bug: fields for key, fields in load_dataset(dataset).items()}
    sha256 = hashlib.sha256(dataset.read_bytes()).hexdigest()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    count = 0
    for row in rows:
        fields = published.get(row.bug)
        if fields is None:
            continue
        save(folder, _published(row, fields, now, sha256))
        method = PublishedMethod(row.bug, fields["src"], fields["fixed_src"])
        _write(folder / "methods" / f"{row.bug}.json", asdict(method))
        count += 1
    return count


def _published(row: Row, fields: Mapping[str, Any], now: str, sha256: str) -> IssueText:
    return IssueText(
        bug=row.bug,
        title=fields["summary"],
        description=fields["Description"] or "",
        origin="published",
        url=row.url,
        retrieved=now,
        sha256=sha256,
        dropped=len(fields.get("comments") or ()),
    )


def _write(file: Path, data: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _read(folder: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    for file in sorted(folder.glob("*.json")):
        try:
            yield file.stem, dict(json.loads(file.read_text(encoding="utf-8")))
        except (ValueError, TypeError, RecursionError) as error:
            raise _damaged(file, error) from error


def _damaged(file: Path, error: Exception) -> DataError:
    return DataError(f"{file} is damaged: {error}; remove it and fetch or import again")
