"""The index of ``defects4j_issues/``: which issue reported each of the 283 bugs, and where the bug sits.

Facts only, one JSON object a line, sorted by project and bug number. It is built from the published
dataset (whose ids are ``PROJECT_NUMBER_path_start_end``; paths may hold ``_``) and Defects4J's own list
of bugs, which names the issue where the dataset does not and wins where the two differ.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nl2fix.core.errors import DataError
from nl2fix.core.files import write_atomically
from nl2fix.core.resources import shared
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit
from nl2fix.trackers.known import parse, url_of
from nl2fix.trackers.tracker import Reference

FILE_NAME = "index.jsonl"
_ID = re.compile(r"([A-Za-z]+)_(\d+)_(.+\.java)_(\d+)_(\d+)")


@dataclass(frozen=True, slots=True)
class Row:
    """One bug."""

    bug: str
    """``Math-2``: Defects4J's project and number."""
    project: str
    number: int
    path: str
    """The buggy file, relative to the project's root."""
    method: str
    """Name and parameter types of the buggy method, e.g. ``parse(String, int)``."""
    start: int
    """First line of the method in the buggy version, 1-based; Javadoc excluded."""
    end: int
    """Its last line."""
    tracker: str
    issue: str
    url: str
    reported: str = ""
    """When the issue was opened, ISO 8601 with zone; empty where unknown."""
    fixed: str = ""
    """When the fix was committed, ISO 8601 with zone; empty where unknown."""

    @property
    def reference(self) -> Reference:
        """The issue's place on its tracker."""
        return parse(self.url)


class DatasetId(NamedTuple):
    """An id of the published dataset, taken apart."""

    project: str
    number: int
    path: str
    start: int
    end: int

    @property
    def bug(self) -> str:
        return f"{self.project}-{self.number}"


def parse_id(text: str) -> DatasetId:
    """Take ``Compress_46_src/…/X5455_ExtendedTimestamp.java_528_534`` apart; ``DataError`` if it is none."""
    match = _ID.fullmatch(text)
    if match is None:
        raise DataError(f"{text!r} is not an id of the form PROJECT_NUMBER_path.java_start_end")
    return DatasetId(match[1], int(match[2]), match[3], int(match[4]), int(match[5]))


def load_dataset(file: Path) -> dict[DatasetId, dict[str, Any]]:
    """The published dataset file: parsed id → its fields (``src``, ``fixed_src``, ``summary``, …)."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return {parse_id(key): dict(value) for key, value in data.items()}
    except FileNotFoundError:
        raise DataError(f"{file} is not there; give the path of the published dataset file") from None
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise DataError(f"{file} is not the published dataset: {error}") from error


def build(dataset: Path, bugs: Path, fixed: Mapping[str, str]) -> list[Row]:
    """Pair every bug of the dataset with its issue.

    ``bugs`` is Defects4J's list as CSV with the columns ``project``, ``bug.id`` and ``report.url``;
    ``fixed`` gives commit dates of fixes by bug, as far as known.
    """
    listed = _listed(bugs)
    rows = [
        _row(key, fields, listed.get(key.bug, ""), fixed.get(key.bug, ""))
        for key, fields in load_dataset(dataset).items()
    ]
    return sorted(rows, key=lambda row: (row.project, row.number))


def read(folder: Path | None = None) -> list[Row]:
    """The rows of ``folder``'s index; by default of the one that comes with the project."""
    file = (default_folder() if folder is None else folder) / FILE_NAME
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [Row(**json.loads(line)) for line in lines if line]
    except FileNotFoundError:
        raise DataError(f"{file} is not there; make it with `nl2fix issues build-index`") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(
            f"{file} is damaged: {error}; make it anew with `nl2fix issues build-index`"
        ) from error


def write(rows: Sequence[Row], folder: Path) -> Path:
    """Write the index into ``folder`` in one step; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE_NAME
    write_atomically(file, "".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows))
    return file


def default_folder() -> Path:
    """``defects4j_issues/`` of the source tree, or its copy inside the installed package."""
    return shared("defects4j_issues")


def method_of(source: str) -> JavaUnit:
    """The one method or constructor that a text consists of; raises ``DataError`` if it is not one."""
    head = "class Fragment {"
    for unit in JAVA.units(f"{head}{source}}}"):
        if unit.clean and not source[: unit.span.start - len(head)].strip():
            return unit
    raise DataError(f"not a Java method: {source.strip()[:60]!r}")


def _listed(file: Path) -> dict[str, str]:
    """Bug → URL of its report, from Defects4J's list."""
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            return {f"{row['project']}-{row['bug.id']}": row["report.url"] for row in csv.DictReader(stream)}
    except FileNotFoundError:
        raise DataError(f"{file} is not there; give Defects4J's list of bugs as CSV") from None
    except (KeyError, ValueError) as error:
        raise DataError(f"{file} is not Defects4J's list of bugs: no {error}") from error


def _row(key: DatasetId, fields: Mapping[str, Any], listed: str, fixed: str) -> Row:
    url = listed if listed not in ("", "UNKNOWN") else fields.get("issue_url") or ""
    reference = parse(url)
    return Row(
        bug=key.bug,
        project=key.project,
        number=key.number,
        path=key.path,
        method=method_of(fields["src"]).signature,
        start=key.start,
        end=key.end,
        tracker=reference.tracker,
        issue=reference.issue,
        url=url_of(reference),
        fixed=fixed,
    )
