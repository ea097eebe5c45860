"""A recorded run replays bit for bit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import TEMPLATE, Completion, Message
from nl2fix.models.recording import record
from nl2fix.models.replay import make
from tests.models.samples import request


def replayed(file: Path, n: int, attempt: int = 1) -> list[Completion]:
    asked = replace(request("A-1", n), attempt=attempt)
    return list(make({"path": str(file)}, Environment(file.parent)).complete([asked]))


@given(st.lists(st.none() | st.text(st.characters()), min_size=1, max_size=6), st.floats(-1e6, 0))
def test_texts_come_back_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str | None], logprob: float
) -> None:
    file = tmp_path_factory.mktemp("r") / "answers.jsonl"
    made = [
        Completion(
            "A-1",
            i,
            text=text,
            finish="stop" if text is not None else "content_filter",
            logprob=logprob,
            logprob_tokens=4,
            prompt_tokens=i,
            completion_tokens=9,
            prompt_sha256="p",
        )
        for i, text in enumerate(texts)
    ]
    assert record(made, file) == len(made)
    assert replayed(file, len(made)) == made


def test_code_comes_back_as_code(tmp_path: Path) -> None:
    made = [Completion("A-1", 0, code="int f() { }\r\n", prompt_sha256="p")]
    record(made, tmp_path / "a.jsonl")
    assert replayed(tmp_path / "a.jsonl", 1) == made


def test_second_attempts_are_kept_apart(tmp_path: Path) -> None:
    made = [Completion("A-1", 0, text="first"), Completion("A-1", 0, 2, text="second")]
    record(made, tmp_path / "a.jsonl")
    assert [c.text for c in replayed(tmp_path / "a.jsonl", 1)] == ["first"]
    assert [c.text for c in replayed(tmp_path / "a.jsonl", 1, attempt=2)] == ["second"]


def test_what_else_is_known_is_written_beside(tmp_path: Path) -> None:
    turns = (Message("assistant", "line 1"), Message("user", "Why?"))
    record([Completion("A-1", 0, text="x", transcript=turns, extra={"id": "r1"})], tmp_path / "a.jsonl")
    row = json.loads((tmp_path / "a.jsonl").read_text())
    assert row["transcript"][1] == {"role": "user", "content": "Why?"}
    assert row["extra"] == {"id": "r1"}


def test_who_proposes_nothing_twice_votes_for_nothing_once_replayed(tmp_path: Path) -> None:
    made = [Completion("A-1", 0, code="f", extra={TEMPLATE: "sign"}), Completion("A-1", 1, text="x")]
    record(made, tmp_path / "a.jsonl")
    assert [c.extra.get(TEMPLATE) for c in replayed(tmp_path / "a.jsonl", 2)] == ["sign", None]


def test_a_gap_is_refused_and_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("old")
    with pytest.raises(UsageError, match="sample 1 of A-1 has no answer"):
        record([Completion("A-1", 0, text="x"), Completion("A-1", 2, text="y")], file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot write"):
        record([Completion("A-1", 0, text="x")], tmp_path / "none" / "a.jsonl")
