"""Rows of a data file, read strictly: ours as ``lint-problems`` writes them, and CodeLinterEval's.

Ours, one JSON object a line:

===========  =====================================================================================
``id``       unique in the file
``path``     of the file in its project, with forward slashes
``code``     its text
``linter``   ``flake8``, ``ruff``, ``checkstyle`` or ``javac``
``settings`` table of texts, those of ``SETTINGS``; what is not there has the linter's default
``version``  what the linter told of itself when the problem was made
``messages`` list of ``[code, line, column, text]``
``project``  optional: group for tables
``tests``    optional: Python run behind the file in its name space, or a Java class ``Main`` whose
             ``main`` throws where a check fails
``fixed``    optional: the whole file as it should be
===========  =====================================================================================

CodeLinterEval's (JSON lines, one JSON list, or Parquet): ``instruction``, ``inputs`` with ``code`` and
``feedback``, ``meta`` with ``id`` and ``canonical_code``. The linter is flake8 as it comes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.tables import rows
from nl2fix.validation.lint import Linter, Message, feedback, make

EXPECTED = "a file of lint-problems or of CodeLinterEval"
MEND = f"is this {EXPECTED}?"
TEXTS = ("id", "path", "code", "linter", "version")
OPTIONAL = ("project", "tests", "fixed")
_TOLD = re.compile(r"([A-Z]+\d+): (.*) in (\d+) line")


@dataclass(frozen=True)
class Row:
    """One problem of a file."""

    id: str
    path: str
    code: str
    linter: Linter
    version: str
    messages: tuple[Message, ...]
    feedback: str
    """The messages as the model reads them."""
    project: str = ""
    tests: str = ""
    fixed: str = ""
    """The whole file as it should be; empty where nobody says."""
    canonical: str = ""
    """CodeLinterEval's own solution, which need not keep behaviour."""
    instruction: str = ""
    """The row's own prompt, its places filled in."""


def read(file: Path) -> list[Row]:
    """All rows; ``DataError`` names the row and the field that is not as it should be."""
    by_id: dict[str, Row] = {}
    for where, content in rows(file, EXPECTED):
        row = _theirs(where, content) if "inputs" in content else _ours(where, content)
        if row.id in by_id:
            raise DataError(f"{where}: id {row.id!r} is there a second time")
        by_id[row.id] = row
    if not by_id:
        raise DataError(f"{file} holds no problem; {MEND}")
    return list(by_id.values())


def _ours(where: str, row: Mapping[str, Any]) -> Row:
    for name in (*TEXTS, *(name for name in OPTIONAL if name in row)):
        _text(where, row, name)
    settings, told = row.get("settings"), row.get("messages")
    if not isinstance(settings, Mapping):
        raise DataError(f"{where}: no table settings; {MEND}")
    if not isinstance(told, list) or not all(_is_message(one) for one in told):
        raise DataError(f"{where}: messages is no list of [code, line, column, text]; {MEND}")
    path = row["path"]
    if path.startswith("/") or ".." in path.split("/") or not path.split("/")[-1]:
        raise DataError(f"{where}: path {path!r} is no path of a file inside a project")
    try:
        linter = make(row["linter"], settings)
    except UsageError as error:
        raise DataError(f"{where}: {error}") from error
    messages = tuple(Message(*one) for one in told)
    extra = {name: row[name] for name in OPTIONAL if name in row}
    return Row(row["id"], path, row["code"], linter, row["version"], messages, feedback(messages), **extra)


def _is_message(one: object) -> bool:
    kinds = (str, int, int, str)
    return (
        isinstance(one, list) and len(one) == 4 and all(type(v) is k for v, k in zip(one, kinds, strict=True))
    )


def _theirs(where: str, row: Mapping[str, Any]) -> Row:
    _text(where, row, "instruction")
    parts = {}
    for table, names in (("inputs", ("code", "feedback")), ("meta", ("canonical_code",))):
        inner = row.get(table)
        if not isinstance(inner, Mapping):
            raise DataError(f"{where}: no table {table}; {MEND}")
        for name in names:
            parts[name] = _text(f"{where}: {table}", inner, name)
    number = row["meta"].get("id")
    if not isinstance(number, int | str):
        raise DataError(f"{where}: meta: no number or text id; {MEND}")
    told = (_TOLD.fullmatch(line.strip()) for line in parts["feedback"].splitlines())
    messages = tuple(Message(m[1], int(m[3]), 0, m[2]) for m in told if m)
    asked = row["instruction"].replace("{feedback}", parts["feedback"]).replace("{code}", parts["code"])
    return Row(
        id=f"CodeLinterEval/{number}",
        path="solution.py",
        code=parts["code"],
        linter=make("flake8", {}),
        version="",
        messages=messages,
        feedback=parts["feedback"],
        project="CodeLinterEval",
        canonical=parts["canonical_code"],
        instruction=asked,
    )


def _text(where: str, row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise DataError(f"{where}: no text {name}; {MEND}")
    return value
