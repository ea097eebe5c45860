"""Makes problems of source code: what ``nl2fix lint-problems`` does.

One problem a file of a source tree, or a row of an MBPP-like file (JSON lines with ``code`` and
``test_list``). A file that its linter has nothing to say of is no problem; one that it cannot read, or that
is no program by itself, is left out with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.tables import rows
from nl2fix.validation.lint import Desk, Linter
from nl2fix.validation.lint.validator import SYNTAX

T = TypeVar("T")

MOST_BYTES = 200_000
"""A larger file is left out: no model is asked for it whole."""
SUFFIXES = {"python": ".py", "java": ".java"}


class Code(NamedTuple):
    """A text that may become a problem."""

    id: str
    path: str
    text: str
    tests: str = ""


class Made(NamedTuple):
    """A row of ours, or why there is none; neither where the linter has nothing to say."""

    id: str
    row: dict[str, Any] | None
    reason: str = ""


def make_rows(source: Path, linter: Linter, desk: Desk) -> Iterator[Made]:
    """Rows for a tree, a file or an MBPP-like file, in a stable order; ``project`` is the source's name."""
    version = desk.version(linter)
    for code in _codes(source, linter.language):
        if isinstance(code, Made):
            yield code
            continue
        linted = desk.lint(linter, code.path, code.text)
        broken = linted.broken or ("out of time" if linted.late else "")
        syntax = next((message.text for message in linted.messages if message.code in SYNTAX), "")
        if broken or syntax:
            yield Made(code.id, None, f"{linter.name}: {broken or syntax}")
        elif not linted.messages:
            yield Made(code.id, None)
        else:
            yield Made(code.id, _row(code, linter, version, linted.messages, source.resolve().stem))


def _row(code: Code, linter: Linter, version: str, messages: Any, project: str) -> dict[str, Any]:
    row = {
        "id": code.id,
        "project": project,
        "path": code.path,
        "code": code.text,
        "linter": linter.name,
        "settings": dict(linter.settings),
        "version": version,
        "messages": [list(message) for message in messages],
    }
    return {**row, "tests": code.tests} if code.tests else row


def _codes(source: Path, language: str) -> Iterator[Code | Made]:
    if source.suffix in (".jsonl", ".json"):
        if language != "python":
            raise UsageError(f"{source} is a file of Python programs; choose flake8 or ruff")
        yield from _looked_at(list(_programs(source)), f"{source} holds no program")
        return
    suffix = SUFFIXES[language]
    if source.is_file() and source.suffix == suffix:
        yield _file(source, source.name)
        return
    if not source.is_dir():
        raise UsageError(f"{source} is no folder, no file in {suffix} and no file of JSON lines")
    seen = (file for file in sorted(source.rglob(f"*{suffix}")) if _is_source(file, source))
    for file in _looked_at(list(seen), f"{source} holds no file in {suffix} (hidden ones aside)"):
        place = file.relative_to(source)
        if file.resolve().is_relative_to(source.resolve()):
            yield _file(file, place.as_posix())
        else:
            yield Made(place.as_posix(), None, "links to what is elsewhere")


def _looked_at(found: list[T], otherwise: str) -> list[T]:
    if not found:
        raise UsageError(f"nothing to look at: {otherwise}")
    return found


def _is_source(file: Path, tree: Path) -> bool:
    return file.is_file() and not any(part.startswith(".") for part in file.relative_to(tree).parts)


def _file(file: Path, place: str) -> Code | Made:
    try:
        if file.stat().st_size > MOST_BYTES:
            return Made(place, None, f"larger than {MOST_BYTES:,} bytes")
        return Code(place, place, file.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Made(place, None, "not in UTF-8")
    except OSError as error:
        return Made(place, None, f"cannot be read: {error.strerror}")


def _programs(source: Path) -> Iterator[Code]:
    for number, (where, row) in enumerate(rows(source, "a file like MBPP's"), 1):
        yield _program(where, row, number)


def _program(where: str, row: Mapping[str, Any], number: int) -> Code:
    if not isinstance(row.get("code"), str):
        raise DataError(f"{where}: no text code; is this a file like MBPP's?")
    tests = row.get("test_list", [])
    if not isinstance(tests, list) or not all(isinstance(test, str) for test in tests):
        raise DataError(f"{where}: test_list is no list of texts; is this a file like MBPP's?")
    setup = row.get("test_setup_code") or ""
    told = "\n".join([*([setup] if setup else []), *tests])
    name = str(row.get("task_id", number))
    return Code(name, "solution.py", row["code"], told + "\n" if told else "")
