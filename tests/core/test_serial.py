"""Records as they are stored: whole again, or told to be damaged."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from nl2fix.core import serial
from nl2fix.core.errors import DataError
from nl2fix.core.records import (
    Behaviour,
    Candidate,
    Change,
    Completion,
    Evidence,
    Message,
    Observation,
    OnTests,
    Outcome,
    Problem,
    Prompt,
    SourceFile,
    Span,
    Stated,
    Verdict,
)

BEHAVIOUR = Behaviour(("a", ""), ("3", ""))
FILE = SourceFile("B.java", "class B { }")
PROBLEM = Problem(
    *("p", "s", "q", "java", "A.java", "int f() { }", Span(0, 11), "f()", "int f() { }", {"title": "wrong"}),
    editable=(FILE,),
)
CHANGE = Change("f(1)", "2", "3")
RECORDS: list[Any] = [
    PROBLEM,
    Candidate("x", "file", (FILE,)),
    Completion("p", 0, 1, "t", None, "stop", -1.5, transcript=(Message("user", "u"),)),
    Prompt((Message("user", "u"),), ("more",), notes={"a": "b"}),
    BEHAVIOUR,
    OnTests(1, (CHANGE,), apart=CHANGE),
    Verdict(Outcome.WRONG, Evidence("trigger", True, 1, 2, "t", build_seconds=1.5, mended=("m",))),
    Observation(("f(1)", "f(2)"), 0, BEHAVIOUR, (Stated(0, "3", "issue"),)),
]


@pytest.mark.parametrize("record", RECORDS, ids=type)
def test_a_record_is_read_as_it_was_written(record: Any) -> None:
    assert serial.read(type(record), serial.dumps(record)) == record


@pytest.mark.parametrize("record", RECORDS, ids=type)
def test_a_record_edited_by_hand_is_told_to_be_damaged(record: Any) -> None:
    """Reports, exports and leaderboards ended with an internal error instead, and the advice to report it."""
    stored = json.loads(serial.dumps(record))
    whole: list[Any] = [None, 1, "x", [], [1], 1e308]
    parts = [{**stored, key: [[1]]} for key in stored]
    parts += [{**stored, key: {"a": 1}} for key in stored if not isinstance(stored[key], dict)]
    for damaged in (*whole, *parts, {**stored, "unknown": 1}):
        with pytest.raises(DataError, match="damaged"):
            serial.read(type(record), json.dumps(damaged))


@pytest.mark.parametrize("text", ["", "3", "[[]]", '{"a": "b"}'])
def test_a_ranking_edited_by_hand_is_told_to_be_damaged(text: str) -> None:
    assert serial.read(tuple[str, ...], '["b", "a"]') == ("b", "a")
    with pytest.raises(DataError, match="damaged"):
        serial.read(tuple[str, ...], text)


def test_truth_is_no_number_and_a_whole_number_is_one() -> None:
    assert serial.read(Completion, '{"problem": "p", "sample": 0, "logprob": -1}').logprob == -1
    with pytest.raises(DataError, match="damaged"):
        serial.read(Completion, '{"problem": "p", "sample": true}')


def test_every_field_of_a_record_can_be_read() -> None:
    """A kind of field that nobody can read would lose a run's records."""
    for record in RECORDS:
        assert {field.name for field in dataclasses.fields(record)} == set(serial.fields(type(record)))
