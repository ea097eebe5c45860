"""Reading replies and learning from refusals, without a server."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.records import Message, Prompt, Sampling
from nl2fix.models.openai.wire import Dialect, MalformedReply, StreamReader, payload, read_reply
from nl2fix.models.turns import Ask

ASK = Ask(Prompt((Message("user", "x"),)), (Message("user", "x"),), (0, 1), Sampling())


def choice(text: str | None, **more: Any) -> dict[str, Any]:
    return {"index": 0, "message": {"content": text}, "finish_reason": "stop", **more}


@given(st.lists(st.text(), min_size=1, max_size=8), st.integers(0, 10_000))
def test_shares_of_tokens_add_up(texts: list[str], total: int) -> None:
    reply = {"choices": [choice(t) for t in texts], "usage": {"prompt_tokens": 7, "completion_tokens": total}}
    answers, used = read_reply(reply, ASK, 1.0, {})
    assert sum(a.completion_tokens or 0 for a in answers) == total
    assert sum(a.prompt_tokens or 0 for a in answers) == 7
    assert sum(a.seconds or 0.0 for a in answers) == pytest.approx(1.0)
    assert used == (7, total)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["choices", "message", "text", "usage", "index"]), inner, max_size=3
            )
        ),
    )
)
def test_anything_else_is_a_malformed_reply(data: Any) -> None:
    try:
        answers, _ = read_reply(data, ASK, 1.0, {})
    except MalformedReply:
        return
    assert answers


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["prompt_tokens", "completion_tokens", "content", "token_logprobs", "logprob"]),
            inner,
            max_size=3,
        )
    ),
)


@given(JUNK, JUNK, JUNK, st.sampled_from([{}, [], {"reason": "x"}, 7, True]))
def test_junk_beside_an_answer_never_loses_it(usage: Any, logprobs: Any, finish: Any, refusal: Any) -> None:
    made = choice("int f() {}", logprobs=logprobs, finish_reason=finish)
    made["message"]["refusal"] = refusal
    if finish in ("content_filter",):
        return
    answers, used = read_reply({"choices": [made], "usage": usage}, ASK, 1.0, {})
    assert [a.text for a in answers] == ["int f() {}"]
    assert all(isinstance(count, int) and count >= 0 for count in used)
    assert answers[0].logprob is None or math.isfinite(answers[0].logprob)
    json.dumps(answers[0].extra, allow_nan=False)


PARTS = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
    {"type": "text", "text": "int "},
    {"type": "text", "text": "f() {}"},
]


def test_content_in_parts_is_its_text() -> None:
    """Mistral's reasoning models answer so; such answers, all paid for, counted as empty."""
    whole = choice(None)
    whole["message"]["content"] = PARTS
    stream = StreamReader()
    for part in PARTS:
        stream.add({"choices": [{"index": 0, "delta": {"content": [part]}}]})
    stream.add({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    for reply in ({"choices": [whole]}, stream.reply()):
        assert [a.text for a in read_reply(reply, ASK, 1.0, {})[0]] == ["int f() {}"]


def test_content_that_nobody_can_read_is_named() -> None:
    made = choice(None)
    made["message"]["content"] = {"parts": ["x"]}
    (answer,), _ = read_reply({"choices": [made]}, ASK, 1.0, {})
    assert (answer.text, answer.finish, answer.extra["dropped"]) == (None, "empty", "content")


def test_what_was_dropped_is_named() -> None:
    made = choice("x", logprobs={"content": [{"logprob": float("nan")}]})
    answers, _ = read_reply({"choices": [made], "usage": {"prompt_tokens": "many"}}, ASK, 1.0, {})
    assert answers[0].extra["dropped"] == "logprobs, usage"


def test_a_stream_with_junk_beside_the_answer_is_read() -> None:
    reader = StreamReader()
    part = {"index": 0, "delta": {"content": "int"}, "logprobs": "no", "finish_reason": None}
    reader.add({"choices": [part], "usage": 3})
    reader.add(
        {"choices": [{"index": 0, "delta": {"content": " f", "refusal": {}}, "finish_reason": "stop"}]}
    )
    answers, _ = read_reply(reader.reply(), ASK, 1.0, {})
    assert [a.text for a in answers] == ["int f"]


def test_choices_are_put_in_order_by_index() -> None:
    reply = {"choices": [choice("b", index=1), choice("a", index=0)]}
    answers, _ = read_reply(reply, ASK, 1.0, {})
    assert [a.text for a in answers] == ["a", "b"]


def test_a_refusal_is_no_text() -> None:
    reply = {"choices": [{"message": {"content": None, "refusal": "I will not"}, "finish_reason": "stop"}]}
    ((answer,), _) = read_reply(reply, ASK, 1.0, {})
    assert (answer.text, answer.finish, answer.extra["refusal"]) == (None, "refusal", "I will not")


def test_reasoning_that_used_up_the_answer_is_told_from_silence() -> None:
    ((answer,), _) = read_reply({"choices": [choice("", finish_reason="length")]}, ASK, 1.0, {})
    assert (answer.text, answer.finish) == (None, "length")


@pytest.mark.parametrize(
    "complaint",
    [
        "'n' must be 1",
        "Invalid value for `n`",
        "n > 1 is not supported",
        "unsupported (parameter 'n')",
        "[{'loc': ['body', 'n'], 'msg': 'no'}]",
        "Only n=1 is allowed",
    ],
)
def test_refusals_of_n_are_understood(complaint: str) -> None:
    dialect = Dialect()
    assert dialect.adapt(complaint, {"n": 5})
    assert not dialect.many


@pytest.mark.parametrize("complaint", ["temperature must be 1", "unknown field 'name'", "bad input"])
def test_other_refusals_are_not_taken_for_n(complaint: str) -> None:
    assert not Dialect().adapt(complaint, {"n": 5})


def test_a_refusal_learnt_meanwhile_is_no_new_trouble() -> None:
    dialect = Dialect(limit_field="max_completion_tokens", dropped={"seed"})
    complaint = "Unsupported parameter: 'max_tokens', use 'max_completion_tokens' instead"
    assert dialect.adapt(complaint, {"max_tokens": 5})
    assert dialect.adapt("seed is not supported", {"seed": 1})


def test_followup_turns_carry_neither_tools_nor_stop_words() -> None:
    prompt = Prompt((Message("user", "x"),), ("why?",), stop=("END",), tools=(json.dumps({"name": "f"}),))
    for last in (False, True):
        ask = Ask(prompt, prompt.messages, (0,), Sampling(), last)
        body = payload(ask, "/chat/completions", "m", Dialect(), logprobs=True, stream=False)
        assert ("tools" in body, "stop" in body) == (last, last)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=6))
def test_a_stream_put_together_is_the_text(pieces: list[str]) -> None:
    reader = StreamReader()
    for piece in pieces:
        reader.add({"id": "r", "choices": [{"index": 0, "delta": {"content": piece}}]})
    with pytest.raises(MalformedReply):
        reader.reply()
    reader.add({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    reply = reader.reply()
    assert reply["choices"][0]["message"]["content"] == "".join(pieces)
    assert reply["id"] == "r"
