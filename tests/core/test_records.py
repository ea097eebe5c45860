from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core import serial
from nl2fix.core.records import (
    Candidate,
    Completion,
    Evidence,
    Message,
    Outcome,
    Prompt,
    Verdict,
    candidate_from_file,
)
from tests.core.samples import TEXT, problem

texts = st.text(st.characters(codec=None))


@given(texts)
def test_an_edit_inside_the_region_is_a_region_candidate(code: str) -> None:
    candidate = candidate_from_file(problem(), Candidate(code).apply(problem()))
    assert candidate == Candidate(code)


@given(texts)
def test_any_edited_file_comes_back_exactly(edited: str) -> None:
    assert candidate_from_file(problem(), edited).apply(problem()) == edited


def test_an_edit_elsewhere_keeps_the_whole_file() -> None:
    edited = TEXT.replace("a = 1", "a = 2")
    assert candidate_from_file(problem(), edited) == Candidate(edited, "file")


def test_a_problem_without_a_title_is_listed_by_what_it_asks_for() -> None:
    """CanItEdit's have none: their column stayed blank in ``show``, reports and comparisons."""
    asked = {"lazy": f"# Task\n\nAdd {'very ' * 30}much\nmore", "descriptive": "Add more"}
    assert replace(problem(), instructions=asked).heading == f"Add {'very ' * 19}v …"
    assert replace(problem(), instructions={**asked, "title": "Add"}).heading == "Add"
    assert replace(problem(), instructions={}).heading == ""


def test_same_text_for_region_and_file_are_different_candidates() -> None:
    assert Candidate("x").key != Candidate("x", "file").key
    assert Candidate("x").sha256 == Candidate("x", "file").sha256


@given(texts, texts, st.floats(allow_nan=False) | st.none())
def test_completions_survive_storage(text: str, turn: str, logprob: float | None) -> None:
    completion = Completion(
        "P-1",
        7,
        2,
        text=text,
        logprob=logprob,
        transcript=(Message("user", turn), Message("assistant", text)),
        extra={"reply_sha256": turn},
    )
    line = serial.dumps(completion)
    assert line.isascii()
    assert "\n" not in line
    assert serial.read(Completion, line) == completion


@given(texts, st.sampled_from(Outcome))
def test_verdicts_and_candidates_survive_storage(text: str, outcome: Outcome) -> None:
    verdict = Verdict(outcome, Evidence("trigger", built=True, tests_run=3, message=text, suspicious=text))
    assert serial.read(Verdict, serial.dumps(verdict)) == verdict
    assert serial.read(Candidate, serial.dumps(Candidate(text, "file"))) == Candidate(text, "file")


def test_prompt_hash_sees_roles_turns_and_shape() -> None:
    base = Prompt((Message("user", "x"),))
    others = [
        Prompt((Message("system", "x"),)),
        Prompt((Message("user", "x"),), followups=("y",)),
        Prompt((Message("user", "x"),), shape="completion"),
    ]
    assert len({base.sha256, *(o.sha256 for o in others)}) == 4


def test_the_published_verdict_is_kept_and_older_verdicts_have_none() -> None:
    for published in (True, False, None):
        verdict = Verdict(Outcome.WRONG, Evidence("trigger", published=published))
        assert serial.read(Verdict, serial.dumps(verdict)) == verdict
    assert (
        serial.read(Verdict, '{"outcome":"wrong","evidence":{"stage":"trigger"}}').evidence.published is None
    )
