"""A run's answers as JSON lines, to be shared and replayed bit for bit by model ``replay``.

Each line holds ``problem`` and ``completion`` (text as the model gave it), or ``candidate`` where the
model proposed code itself; neither text nor code is ``"completion": null`` with the reason in
``finish``. Further keys keep what is known of the answer, and of the model: its name, temperature and seed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nl2fix.core.errors import UsageError
from nl2fix.core.files import written_atomically
from nl2fix.core.records import ABSENT, EMPTY, Completion

_KEPT = (
    *("finish", "logprob", "logprob_tokens", "prompt_tokens", "completion_tokens", "seconds"),
    "prompt_sha256",
)


def record(completions: Iterable[Completion], file: Path, origin: Mapping[str, Any] = EMPTY) -> int:
    """Write answers to ``file``, in one step at the end; returns their number.

    ``origin`` is what every line tells of the model: its name, temperature and seed.

    The samples of each problem and attempt must come in order and be complete, because a replay counts
    lines: ``UsageError`` names the first that is missing. Memory does not grow with their number.
    """
    count = 0
    with written_atomically(file) as temporary, temporary.open("w", encoding="ascii") as stream:
        for line in _lines(completions, origin):
            stream.write(line + "\n")
            count += 1
    return count


def _lines(completions: Iterable[Completion], origin: Mapping[str, Any]) -> Iterator[str]:
    """One line of ASCII JSON for each answer."""
    seen: Counter[tuple[str, int]] = Counter()
    for completion in completions:
        if completion.finish == ABSENT:
            continue
        key = completion.problem, completion.attempt
        if completion.sample != seen[key]:
            raise UsageError(
                f"sample {seen[key]} of {completion.problem} has no answer; finish the run, then record it"
            )
        seen[key] += 1
        yield json.dumps({**origin, **_row(completion)}, separators=(",", ":"))


def _row(completion: Completion) -> dict[str, Any]:
    row: dict[str, Any] = {"problem": completion.problem, "sample": completion.sample}
    if completion.attempt != 1:
        row["attempt"] = completion.attempt
    if completion.text is None and completion.code is not None:
        row["candidate"] = completion.code
    else:
        row["completion"] = completion.text
    row |= {name: value for name in _KEPT if (value := getattr(completion, name)) not in (None, "")}
    if completion.transcript:
        row["transcript"] = [turn._asdict() for turn in completion.transcript]
    if completion.extra:
        row["extra"] = dict(completion.extra)
    return row
