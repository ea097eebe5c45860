"""Model ``replay``: recorded answers from a JSON-lines file, bit for bit.

Each line is an object with ``problem`` and either ``completion`` (text that an edit format reads) or
``candidate`` (code that replaces the region exactly as it is); several lines of a problem are its
samples, in order, or in that of their ``sample`` where all have one. Lines of ``nl2fix export`` are taken
as they are: their ``attempt``, ``finish``, ``logprob`` and token counts are kept, and a ``completion`` goes
before the ``candidate`` read from it. A line with a later ``attempt`` is one of the ``sample`` that it
names. Of lines of ``nl2fix record`` the ``extra`` is kept, too: it says what a generator proposed.

The file is checked whole when first needed and then read by offsets, so memory does not grow with the
length of the answers.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.files import open_again
from nl2fix.core.records import ABSENT, EMPTY, Completion, Request
from nl2fix.core.tables import RepeatedKey, decoded, refuse_packed


class _Answers:
    """Where the answers of one problem stand in the file."""

    def __init__(self) -> None:
        self.first = array("Q")
        """Offsets of the lines of first attempts, by place."""
        self._names = array("q")
        """The ``sample`` that each has; ``_UNNAMED`` where it has none."""
        self._models = array("L")
        self.later: dict[tuple[int, int], int] = {}
        """(Attempt, place) → offset of a later attempt's line."""

    def add(self, offset: int, row: Mapping[str, Any], model: int, pooled: bool) -> str:
        """Take a line in; what is wrong with it, if anything is."""
        attempt, name = row.get("attempt", 1), row.get("sample", _UNNAMED)
        place = self._place(name, model)
        if attempt > 1:
            return self._add_later(offset, attempt, name, place)
        if place is not None and not pooled:
            return f"has sample {name} of {row['problem']} again; number the samples, or leave 'sample' out"
        self.first.append(offset)
        self._names.append(name)
        self._models.append(model)
        return ""

    def _add_later(self, offset: int, attempt: int, name: int, place: int | None) -> str:
        which = f"sample {name}"
        if name == _UNNAMED:
            which, count = "a sample", sum(other == attempt for other, _ in self.later)
            place = count if count < len(self.first) else None
        if place is None:
            return f"is attempt {attempt} of {which}, whose first attempt is on no line before"
        self.later[attempt, place] = offset
        return ""

    def _place(self, name: int, model: int) -> int | None:
        """That of the last first attempt of a sample."""
        places = range(len(self._names) - 1, -1, -1) if name in self._names and name != _UNNAMED else ()
        return next((p for p in places if (self._names[p], self._models[p]) == (name, model)), None)

    def sort(self) -> None:
        """By the numbers of the samples, where all have one; what is missing between them leaves no gap."""
        if _UNNAMED in self._names:
            return
        order = sorted(range(len(self._names)), key=self._names.__getitem__)
        place = {old: new for new, old in enumerate(order)}
        self.first = array("Q", (self.first[old] for old in order))
        self.later = {(attempt, place[old]): offset for (attempt, old), offset in self.later.items()}

    def at(self, sample: int, attempt: int) -> int | None:
        """The offset of an answer, if it is there."""
        if attempt > 1:
            return self.later.get((attempt, sample))
        return self.first[sample] if sample < len(self.first) else None


_UNNAMED = -1
_Index = dict[str, _Answers]


@dataclass(frozen=True)
class ReplayConfig:
    path: Path = Path()
    """The file of recorded answers."""
    called: str = ""
    """Name of the model that was recorded (``name=`` on the command line); the file may hold it itself."""
    temperature: float | None = None
    seed: int | None = None


class Replay:
    """Answers from a file; beyond the recorded samples an answer is ``absent``, which is no sample."""

    name = "replay"

    def __init__(self, config: ReplayConfig) -> None:
        self._path = config.path
        self._pooled = bool(config.called)

    def check(self) -> None:
        """See ``Checked.check``: the file is read whole."""
        if not self.problems():
            raise DataError(f"{self._path} holds no answers")

    def files(self) -> dict[str, list[Path]]:
        """See ``Filed.files``."""
        return {"recorded answers": [self._path]}

    def problems(self) -> dict[str, int]:
        """See ``Answered.problems``."""
        return {problem: len(answers.first) for problem, answers in self._index.items()}

    @cached_property
    def _index(self) -> _Index:
        with _opened(self._path) as stream:
            return _index(stream, self._path, self._pooled)

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """The recorded answers in the order asked.

        Raises ``DataError`` with the line's number for a malformed file, and for a file that records
        nothing for any of the problems asked for; nothing is answered in that case.
        """
        recorded = self.problems()
        with _opened(self._path) as stream:
            waiting: list[Request] = []
            matched = False
            for request in requests:
                waiting.append(request)
                matched = matched or request.problem.id in recorded
                if matched:
                    for one in waiting:
                        yield from _answers(stream, self._index, one)
                    waiting = []
            if waiting:
                self.check()
                asked, example = waiting[0].problem.id, min(recorded)
                raise DataError(
                    f"{self._path} records answers of {example}, but none of the problems asked for"
                    f" ({asked}, …); choose the suite it was recorded on"
                )


def recorded(path: Path) -> dict[str, Any]:
    """``model``, ``temperature`` and ``seed`` as the file's first line has them, where it does."""
    with _opened(path) as stream:
        line = next((line for line in stream if line.strip()), None)
    if line is None:
        return {}
    row = _row(line, f"{path}, line 1")
    return {key: row[key] for key in ("model", "temperature", "seed") if row.get(key) is not None}


def make(options: Mapping[str, Any], environment: Environment) -> Replay:
    """Model from options; ``path`` is required."""
    config = read(ReplayConfig, options, "model replay")
    if config.path == Path():
        raise UsageError("model replay needs a file: replay:FILE")
    return Replay(config)


def _opened(path: Path) -> IO[bytes]:
    try:
        return open_again(path)
    except OSError as error:
        raise DataError(f"cannot read recorded answers {path}: {error.strerror}") from error


def _answers(stream: IO[bytes], index: _Index, request: Request) -> Iterator[Completion]:
    answers = index.get(request.problem.id, _Answers())
    for sample in request.samples:
        offset = answers.at(sample, request.attempt)
        if offset is None:
            yield Completion(
                request.problem.id,
                sample,
                request.attempt,
                finish=ABSENT,
                prompt_sha256=request.prompt.sha256,
            )
            continue
        stream.seek(offset)
        yield _completion(json.loads(stream.readline()), sample, request)


def _completion(row: Mapping[str, Any], sample: int, request: Request) -> Completion:
    text = row.get("completion")
    code = row.get("candidate") if text is None else None
    return Completion(
        problem=request.problem.id,
        sample=sample,
        attempt=request.attempt,
        text=text,
        code=code,
        finish=row.get("finish") or ("stop" if text is not None or code is not None else "empty"),
        logprob=row.get("logprob"),
        logprob_tokens=row.get("logprob_tokens"),
        prompt_tokens=row.get("prompt_tokens"),
        completion_tokens=row.get("completion_tokens"),
        prompt_sha256=row.get("prompt_sha256") or request.prompt.sha256,
        extra={name: told for name, told in (row.get("extra") or EMPTY).items() if isinstance(told, str)},
    )


def _index(stream: IO[bytes], path: Path, pooled: bool) -> _Index:
    """Problem → where its answers are; of several models only if they are ``pooled``."""
    index: _Index = {}
    models: dict[str | None, int] = {}
    offset = 0
    for number, line in enumerate(stream, 1):
        if line.strip():
            where = f"{path}, line {number}"
            row = _row(line, where)
            model = row.get("model")
            first = next(filter(None, models), model)
            if model not in (None, first) and not pooled:
                raise DataError(
                    f"{where}: an answer of {model}, others are of {first}; keep one file a"
                    " model, or name them all: replay:FILE,name=…"
                )
            if row.get("sample", 0) is not None:  # None: an export's row on a problem that was left out
                answers = index.setdefault(row["problem"], _Answers())
                if wrong := answers.add(offset, row, models.setdefault(model, len(models)), pooled):
                    raise DataError(f"{where} {wrong}")
        offset += len(line)
    if not pooled:
        for answers in index.values():
            answers.sort()
    return index


def _row(line: bytes, where: str) -> dict[str, Any]:
    """One line, checked; raises ``DataError`` saying what is wrong with it."""
    try:
        row = decoded(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        refuse_packed(where, line)
        raise DataError(f"{where}: not UTF-8 (byte {error.start + 1} of the line)") from None
    except RepeatedKey as error:
        raise DataError(f"{where}: {error}") from None
    except (ValueError, RecursionError) as error:
        cut = "; the file seems to be cut off here" if line.startswith(b"{") and line[-1:] != b"\n" else ""
        raise DataError(f"{where}: no JSON ({_wrong(error)}){cut}") from None
    if not isinstance(row, dict) or not isinstance(row.get("problem"), str):
        raise DataError(f"{where}: not an object with a text 'problem'")
    if "completion" not in row and "candidate" not in row:
        raise DataError(f"{where}: needs 'completion' or 'candidate'")
    for key, kinds in _KINDS.items():
        if row.get(key) is not None and not _fits(row[key], kinds):
            raise DataError(f"{where}: {key!r} must be {_NAMES[kinds]}, not {row[key]!r:.40}")
    if (row.get("sample") or 0) < 0 or row.get("attempt", 1) is None or row.get("attempt", 1) < 1:
        raise DataError(f"{where}: 'sample' counts from 0 and 'attempt' from 1")
    if row.get("scope") == "file" and row.get("completion") is None:
        raise DataError(f"{where}: a candidate for a whole file cannot be replayed without its 'completion'")
    return row


def _wrong(error: Exception) -> str:
    """What is wrong with a line of JSON, and at which character of it."""
    return (
        f"{error.msg} at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else str(error)
    )


def _fits(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether a value is of one of the kinds; no number is ``NaN``, endless or more than 64 bits hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if isinstance(value, int):
        return int in kinds and not isinstance(value, bool) and -(2**63) <= value < 2**63
    return isinstance(value, kinds)


_KINDS: Mapping[str, tuple[type, ...]] = {
    "completion": (str,),
    "candidate": (str,),
    "finish": (str,),
    "prompt_sha256": (str,),
    "attempt": (int,),
    "sample": (int,),
    "model": (str,),
    "temperature": (int, float),
    "seed": (int,),
    "logprob": (int, float),
    "logprob_tokens": (int,),
    "prompt_tokens": (int,),
    "completion_tokens": (int,),
    "extra": (dict,),
}
_NAMES: Mapping[tuple[type, ...], str] = {
    (str,): "a text",
    (int,): "an integer",
    (int, float): "a number",
    (dict,): "an object",
}
