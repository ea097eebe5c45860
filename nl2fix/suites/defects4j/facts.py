"""Plain verdicts kept as facts: JSON lines of bug, hash of the candidate and what ``defects4j`` says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from nl2fix.core.errors import DataError
from nl2fix.core.records import Outcome
from nl2fix.suites.defects4j.confirm import Confirmation, ToConfirm


class PlainFacts:
    """Those of one file, or of none; what is added is written at once. A row that a kill cut is none."""

    def __init__(self, file: Path | None) -> None:
        """Raises ``DataError`` where the file holds something else. One that is not there is empty."""
        self._file = file
        self._known: dict[tuple[str, str], tuple[Outcome, str]] = {}
        if file is not None and file.exists():
            self._read(file)

    def has(self, bug: str, sha256: str) -> bool:
        """Whether a candidate's plain verdict is known."""
        return (bug, sha256) in self._known

    def split(self, judged: Sequence[ToConfirm]) -> tuple[list[Confirmation], list[ToConfirm]]:
        """Those whose plain verdict is known, with it, and the others."""
        recorded, unknown = [], []
        for item in judged:
            fact = self._known.get(_key(item))
            if fact is None:
                unknown.append(item)
            else:
                recorded.append(Confirmation(item, *fact))
        return recorded, unknown

    def add(self, made: Iterable[Confirmation]) -> None:
        """Keep the plain verdicts there are."""
        if self._file is None:
            return
        lines = [
            json.dumps(
                {
                    "bug": item.judged.problem.id,
                    "candidate_sha256": item.judged.candidate.sha256,
                    "defects4j": item.plain.value,
                    "note": item.note,
                },
                ensure_ascii=False,
            )
            for item in made
            if item.plain is not None
        ]
        try:
            with self._file.open("a+b") as stream:
                _cut(stream)
                stream.write("".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise DataError(f"cannot write {self._file}: {error.strerror}") from error

    def _read(self, file: Path) -> None:
        try:
            for line in _whole(file.read_bytes()).splitlines():
                fact = json.loads(line)
                key = (str(fact["bug"]), str(fact["candidate_sha256"]))
                self._known[key] = (Outcome(fact["defects4j"]), str(fact["note"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise DataError(f"{file} holds no plain verdicts: {error}") from error


def _whole(content: bytes) -> bytes:
    """Without a last line that lacks its end behind others that have it: whoever wrote it was killed."""
    return content[: content.rfind(b"\n") + 1] or content


def _cut(stream: IO[bytes]) -> None:
    """Take such a line away, which what is added would be glued to."""
    stream.seek(0)
    content = _whole(stream.read())
    stream.truncate(len(content))
    if content and not content.endswith(b"\n"):
        stream.write(b"\n")


def _key(item: ToConfirm) -> tuple[str, str]:
    return item.problem.id, item.candidate.sha256
