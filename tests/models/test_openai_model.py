"""The model against a real HTTP server: what arrives, what is asked, what ends a run."""

from __future__ import annotations

import gzip
import json
import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, LimitReached, UsageError
from nl2fix.core.records import Completion, Message, Prompt, Request, Sampling
from nl2fix.models.openai import OpenAIConfig, OpenAIModel, make
from nl2fix.pipeline import Choice, make_model
from tests.models.samples import request
from tests.servers.openai_server import KEY, Call, Cut, Endless, OpenAIServer, Raw, Redirect, Slow, Status


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path / "cache")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def model(server: OpenAIServer, environment: Environment, **options: object) -> OpenAIModel:
    made = make({"id": "m", "base_url": server.url, **options}, environment)
    assert isinstance(made, OpenAIModel)
    return made


def answers(asked: OpenAIModel, *requests: Request) -> dict[tuple[str, int], Completion]:
    found = {(c.problem, c.sample): c for c in asked.complete(requests)}
    assert len(found) == sum(len(r.samples) for r in requests)
    return found


def collect(asked: OpenAIModel, *requests: Request) -> tuple[list[Completion], Exception | None]:
    got: list[Completion] = []
    try:
        got.extend(iter_into(got, asked, requests))
    except Exception as error:  # noqa: BLE001  (whatever ends the run is what the test looks at)
        return got, error
    return got, None


def iter_into(got: list[Completion], asked: OpenAIModel, requests: tuple[Request, ...]) -> list[Completion]:
    for completion in asked.complete(requests):
        got.append(completion)
    return []


# -- what arrives ---------------------------------------------------------------------------------


def test_a_server_that_streams_though_it_was_not_asked_to_is_read(
    server: OpenAIServer, environment: Environment
) -> None:
    """Each answer was a "malformed reply", and asked for again ten times."""
    chunks = b'data: {"choices": [{"index": 0, "delta": {"content": "int "}}]}\n\n: still there\n\n'
    last = b'data: {"choices": [{"index": 0, "delta": {"content": "x;"}, "finish_reason": "stop"}]}\n\n'
    server.rule = lambda call: Raw(chunks + last + b"data: [DONE]\n\n", "text/event-stream")
    found = answers(model(server, environment, n_per_request=1), request(n=2))
    assert [c.text for c in found.values()] == ["int x;"] * 2
    assert len(server.calls) == 2


def test_whoever_only_streams_is_told_of_with_the_setting(
    server: OpenAIServer, environment: Environment
) -> None:
    server.rule = lambda call: Status(400, "This model only supports streaming responses")
    _, error = collect(model(server, environment), request(n=1))
    assert "if it only streams, say --set model.stream=true" in str(error)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("n_per_request", [1, 2, 128])
def test_every_sample_gets_one_answer(
    server: OpenAIServer, environment: Environment, stream: bool, n_per_request: int
) -> None:
    asked = model(server, environment, stream=stream, n_per_request=n_per_request)
    found = answers(asked, request("A-1", 5), request("A-2", 1))
    assert sorted(found) == [*(("A-1", i) for i in range(5)), ("A-2", 0)]
    for (_, sample), completion in found.items():
        assert completion.text == f"```java\nint f(int a) {{\n    return a - {sample};\n}}\n```"
        assert completion.finish == "stop"
        assert completion.prompt_sha256 == request(completion.problem).prompt.sha256


def test_a_whole_problem_is_one_request_with_n(server: OpenAIServer, environment: Environment) -> None:
    answers(model(server, environment), request(n=100))
    (body,) = server.bodies
    assert body["n"] == 100
    assert body["seed"] == 0
    assert body["messages"] == [
        {"role": "system", "content": "You repair code."},
        {"role": "user", "content": "Fix A-1."},
    ]
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.8, 1.0, 16384)


def test_seed_of_a_lone_sample_is_the_runs_seed_plus_its_number(
    server: OpenAIServer, environment: Environment
) -> None:
    asked = request(samples=(57,), sampling=Sampling(seed=1000))
    answers(model(server, environment), asked)
    assert server.bodies[0]["seed"] == 1057
    assert "n" not in server.bodies[0]


@pytest.mark.parametrize("stream", [False, True])
def test_log_probabilities_are_summed(server: OpenAIServer, environment: Environment, stream: bool) -> None:
    (completion,) = answers(model(server, environment, stream=stream), request(n=1)).values()
    assert completion.logprob_tokens == completion.completion_tokens
    assert completion.logprob == pytest.approx(-0.5 * (completion.logprob_tokens or 0))


def test_tokens_of_a_reply_add_up_over_its_samples(server: OpenAIServer, environment: Environment) -> None:
    server.give_logprobs = False
    server.text = lambda body, number: "x" * 40 * (number + 1)
    found = answers(model(server, environment), request(n=3))
    by_sample = [found["A-1", i] for i in range(3)]
    assert [c.completion_tokens for c in by_sample] == [10, 20, 30]
    assert [bool(c.prompt_tokens) for c in by_sample] == [True, False, False]
    assert by_sample[0].logprob is None


def test_hashes_of_request_and_reply_are_kept(server: OpenAIServer, environment: Environment) -> None:
    found = list(answers(model(server, environment), request(n=2)).values())
    assert len(found[0].extra["request_sha256"]) == 64
    assert found[0].extra["reply_sha256"] == found[1].extra["reply_sha256"]
    assert found[0].extra["model"] == "m"


# -- shapes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True])
def test_completion_shape_goes_on_from_its_prefix(
    server: OpenAIServer, environment: Environment, stream: bool
) -> None:
    server.text = lambda body, number: "\n    return a - 1;\n}\n"
    prompt = Prompt(
        (Message("user", "# Fixed\nint f(int a) {"),),
        shape="completion",
        stop=("```",),
        prefix="int f(int a) {",
    )
    (completion,) = answers(model(server, environment, stream=stream), request(n=1, prompt=prompt)).values()
    assert completion.text == "int f(int a) {\n    return a - 1;\n}\n"
    assert completion.logprob is not None
    assert server.calls[0].path == "/completions"
    assert server.bodies[0]["prompt"] == "# Fixed\nint f(int a) {"
    assert server.bodies[0]["stop"] == ["```"]


def test_edit_shape_sends_code_and_instruction(server: OpenAIServer, environment: Environment) -> None:
    prompt = Prompt((Message("user", "int f() {}"), Message("user", "Fix it")), shape="edit")
    answers(model(server, environment), request(n=2, prompt=prompt))
    assert server.calls[0].path == "/edits"
    assert (server.bodies[0]["input"], server.bodies[0]["instruction"]) == ("int f() {}", "Fix it")
    answers(model(server, environment, edit_endpoint="chat"), request(n=2, prompt=prompt))
    assert server.bodies[1]["messages"] == [{"role": "user", "content": "int f() {}\n\nFix it"}]


@pytest.mark.parametrize("stream", [False, True])
def test_tool_calls_become_text(server: OpenAIServer, environment: Environment, stream: bool) -> None:
    arguments = {"files": [{"path": "src/A.java", "content": "class A {}\n"}]}
    server.tool_arguments = json.dumps(arguments)
    prompt = Prompt((Message("user", "x"),), tools=(json.dumps({"name": "write_file", "parameters": {}}),))
    (completion,) = answers(model(server, environment, stream=stream), request(n=1, prompt=prompt)).values()
    assert json.loads(completion.text or "") == {"name": "write_file", "arguments": arguments}
    assert completion.finish == "stop"
    assert server.bodies[0]["tool_choice"] == {"type": "function", "function": {"name": "write_file"}}


def test_broken_tool_arguments_are_kept_as_they_are(server: OpenAIServer, environment: Environment) -> None:
    server.tool_arguments = '{"files": ['
    prompt = Prompt((Message("user", "x"),), tools=(json.dumps({"name": "write_file", "parameters": {}}),))
    (completion,) = answers(model(server, environment), request(n=1, prompt=prompt)).values()
    assert json.loads(completion.text or "")["arguments"] == '{"files": ['


# -- several turns --------------------------------------------------------------------------------

TURNS = Prompt((Message("user", "Which lines?"),), followups=("Why?", "Fix it."))


def echo(body: dict[str, object], number: int) -> str:
    messages = body["messages"]
    assert isinstance(messages, list)
    return f"turn {len(messages)} seed {int(str(body['seed'])) + number}"


def test_each_sample_has_its_own_chain(server: OpenAIServer, environment: Environment) -> None:
    server.text = echo
    found = answers(model(server, environment), request(n=3, prompt=TURNS))
    for (_, sample), completion in found.items():
        assert completion.text == f"turn 5 seed {sample}"
        assert [turn.content for turn in completion.transcript] == [
            f"turn 1 seed {sample}",
            "Why?",
            f"turn 3 seed {sample}",
            "Fix it.",
        ]
    assert len(server.calls) == 1 + 2 * 3
    assert server.bodies[0]["n"] == 3


def test_shared_turns_branch_at_the_last(server: OpenAIServer, environment: Environment) -> None:
    server.text = echo
    found = answers(model(server, environment), request(n=3, prompt=replace(TURNS, share_turns=True)))
    assert [found["A-1", i].text for i in range(3)] == [f"turn 5 seed {i}" for i in range(3)]
    assert {c.transcript[0].content for c in found.values()} == {"turn 1 seed 0"}
    assert [body.get("n", 1) for body in server.bodies] == [1, 1, 3]
    paid = [found["A-1", i].prompt_tokens for i in range(3)]
    assert paid[0] and paid[0] > (paid[1] or 0)


def test_a_chain_without_answer_ends_there(server: OpenAIServer, environment: Environment) -> None:
    server.text = lambda body, number: None if len(body["messages"]) == 3 else "lines 1"
    found = answers(model(server, environment), request(n=2, prompt=TURNS))
    for completion in found.values():
        assert completion.text is None
        assert completion.finish == "empty"
        assert len(completion.transcript) == 2


# -- no answer ------------------------------------------------------------------------------------


def test_empty_answers_are_recorded(server: OpenAIServer, environment: Environment) -> None:
    server.text = lambda body, number: None if number else "  \n"
    found = answers(model(server, environment), request(n=2))
    assert {(c.text, c.finish) for c in found.values()} == {(None, "empty")}


def test_filtered_answers_are_recorded(server: OpenAIServer, environment: Environment) -> None:
    server.finish = "content_filter"
    (completion,) = answers(model(server, environment), request(n=1)).values()
    assert (completion.text, completion.finish) == (None, "content_filter")
    assert "return a" in completion.extra["partial"]


@pytest.mark.parametrize(
    ("code", "message", "finish"),
    [
        ("content_filter", "The response was filtered", "content_filter"),
        ("context_length_exceeded", "maximum context length is 4096 tokens", "context"),
    ],
)
def test_prompts_that_are_refused_are_recorded_and_the_others_go_on(
    server: OpenAIServer, environment: Environment, code: str, message: str, finish: str
) -> None:
    def rule(call: Call) -> Status | None:
        return Status(400, message, code) if "A-2" in json.dumps(call.body) else None

    server.rule = rule
    found = answers(model(server, environment), *(request(f"A-{i}", 2) for i in range(1, 4)))
    assert {(c.text, c.finish) for (p, _), c in found.items() if p == "A-2"} == {(None, finish)}
    assert all(c.text for (p, _), c in found.items() if p != "A-2")


def test_a_prompt_marked_overlong_is_not_sent(server: OpenAIServer, environment: Environment) -> None:
    prompt = Prompt((Message("user", "x"),), overlong="9 + 9 tokens do not fit 10")
    found = answers(model(server, environment), request(n=2, prompt=prompt))
    assert {c.finish for c in found.values()} == {"context"}
    assert not server.calls


def test_an_answer_cut_at_its_limit_is_kept(server: OpenAIServer, environment: Environment) -> None:
    server.finish = "length"
    (completion,) = answers(model(server, environment), request(n=1)).values()
    assert completion.finish == "length"
    assert completion.text


# -- what a server may not know -------------------------------------------------------------------


@pytest.mark.parametrize("detail", [False, True])
def test_a_server_that_refuses_n_is_asked_singly_from_then_on(
    server: OpenAIServer, environment: Environment, detail: bool
) -> None:
    def rule(call: Call) -> Status | None:
        refused = call.body.get("n", 1) > 1
        return Status(422 if detail else 400, "n must be 1", param="n", detail=detail) if refused else None

    server.rule = rule
    asked = model(server, environment, concurrency=1)
    answers(asked, *(request(f"A-{i}", 4) for i in range(6)))
    refusals = [body for body in server.bodies if body.get("n", 1) > 1]
    assert 1 <= len(refusals) <= 2
    assert len(server.calls) - len(refusals) == 24


def test_a_server_that_overlooks_n_is_asked_for_the_rest(
    server: OpenAIServer, environment: Environment
) -> None:
    server.ignore_n = True
    found = answers(model(server, environment), request(n=4))
    assert len({c.text for c in found.values()}) == 4
    assert [body.get("n", 1) for body in server.bodies] == [4, 1, 1, 1]


def test_optional_fields_a_server_refuses_are_left_out(
    server: OpenAIServer, environment: Environment
) -> None:
    server.refuse_fields = ("logprobs", "seed", "max_tokens")
    answers(model(server, environment), request(n=2), request("A-2", 2))
    assert server.bodies[-1]["max_completion_tokens"] == 16384
    assert not {"logprobs", "seed", "max_tokens"} & set(server.bodies[-1])


@pytest.mark.parametrize("key", ["x", "max_completion_tokens", KEY])
def test_a_placeholder_for_a_key_hinders_no_learning_from_a_refusal(
    server: OpenAIServer, environment: Environment, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """What the server said was read with the key blanked out, as ``ma***_tokens``: the command ended."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    complaint = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. "
        "Use 'max_completion_tokens' instead."
    )
    server.rule = lambda call: Status(400, complaint) if "max_tokens" in call.body else None
    answers(model(server, environment), request())
    assert server.bodies[-1]["max_completion_tokens"] == 16384


@pytest.mark.parametrize(
    "complaint",
    [
        "max_tokens is too large: {0}. This model supports at most {1} completion tokens.",
        "Invalid max_tokens value, the valid range of max_tokens is [1, {1}]",
        "`max_tokens` must be less than or equal to `{1}`",
        "max_tokens: {0} > {1}, which is the maximum allowed number of output tokens",
    ],
)
def test_a_server_with_a_lower_limit_of_tokens_is_asked_for_less_and_that_is_said_once(
    server: OpenAIServer, environment: Environment, complaint: str
) -> None:
    def rule(call: Call) -> Status | None:
        asked = call.body["max_tokens"]
        return Status(400, complaint.format(asked, 4096)) if asked > 4096 else None

    server.rule = rule
    with pytest.warns(UserWarning, match="no limit of 16384 tokens an answer; asked for 4096") as told:
        found = answers(model(server, environment, concurrency=1), *(request(f"A-{i}", 2) for i in range(4)))
    assert len(told) == 1
    assert all(c.text for c in found.values())
    assert [body["max_tokens"] for body in server.bodies] == [16384, 8192, *[4096] * 4]


def test_a_context_too_small_for_prompt_and_answer_gives_shorter_answers(
    server: OpenAIServer, environment: Environment
) -> None:
    """One prompt that leaves little room does not shorten the answers to others."""
    room = {"A-1": 5000, "A-2": 600, "A-3": 100}

    def rule(call: Call) -> Status | None:
        left = next(tokens for bug, tokens in room.items() if bug in json.dumps(call.body))
        message = "This model's maximum context length is 8192 tokens."
        return Status(400, message) if call.body["max_tokens"] > left else None

    server.rule = rule
    asked = [request(name, 1) for name in ("A-2", "A-3", "A-1")]
    with pytest.warns(UserWarning, match="no limit of 16384 tokens"):
        found = answers(model(server, environment, concurrency=1), *asked)
    assert {problem: c.finish for (problem, _), c in found.items()} == {
        "A-1": "stop",
        "A-2": "stop",
        "A-3": "context",
    }
    answered = [body for body in server.bodies if "A-1" in json.dumps(body)]
    assert [body["max_tokens"] for body in answered] == [16384, 8192, 4096]


def test_a_refused_setting_is_never_left_out_silently(server: OpenAIServer, environment: Environment) -> None:
    server.refuse_fields = ("temperature",)
    with pytest.raises(UsageError, match="temperature"):
        list(model(server, environment).complete([request()]))
    assert len(server.calls) == 1


# -- trouble that passes --------------------------------------------------------------------------


def test_retry_after_is_honoured(server: OpenAIServer, environment: Environment) -> None:
    server.script(Status(429, retry_after=0.7))
    answers(model(server, environment), request(n=1))
    first, second = server.calls
    assert second.began - first.began >= 0.7


@pytest.mark.parametrize(
    "deed",
    [
        Status(500),
        Status(503, retry_after=0.1),
        Cut(),
        Cut(120),
        Raw(b'{"choices": [{"index": 0, "mess'),
        Raw(b"<html>busy</html>", "text/html"),
        Raw(b'{"choices": []}'),
        Raw(b'{"error": {"message": "upstream failed"}}'),
        Raw(b"[1, 2]"),
        Raw(b'{"choices": [{"index": 0}]}'),
    ],
    ids=str,
)
def test_passing_trouble_is_tried_again(
    server: OpenAIServer, environment: Environment, deed: Status | Cut | Raw
) -> None:
    server.script(deed)
    found = answers(model(server, environment), request(n=2))
    assert all(c.text for c in found.values())
    assert len(server.calls) == 2


JUNK = b'{"choices": [{"index": 0, "message": {"content": "int f() {}", "refusal": {"a": 1}}, ' + (
    b'"finish_reason": "stop", "logprobs": {"content": [{"logprob": NaN}]}}], "usage": "free"}'
)


def test_paid_answers_are_kept_whatever_junk_stands_beside_them(
    server: OpenAIServer, environment: Environment
) -> None:
    server.rule = lambda call: Raw(JUNK)
    with pytest.warns(UserWarning, match="unreadable logprobs, refusal, usage") as warned:
        found = answers(model(server, environment, n_per_request=1), request(n=5))
    assert [c.text for c in found.values()] == ["int f() {}"] * 5
    assert len(server.calls) == 5
    assert len(warned) == 1


@pytest.mark.parametrize("count", ["-1", "9223372036854775808", "true", "1.5", '"7"'])
def test_a_count_of_tokens_that_is_none_costs_no_answer(
    server: OpenAIServer, environment: Environment, count: str
) -> None:
    usage = f'"usage": {{"prompt_tokens": 3, "completion_tokens": {count}}}'
    server.rule = lambda call: Raw(f'{{"choices": [{{"message": {{"content": "x"}}}}], {usage}}}'.encode())
    with pytest.warns(UserWarning, match="unreadable usage"):
        found = answers(model(server, environment, n_per_request=1), request(n=1))
    assert [(c.text, c.prompt_tokens, c.completion_tokens) for c in found.values()] == [("x", 3, None)]


def test_bytes_that_are_no_text_are_kept_and_told(server: OpenAIServer, environment: Environment) -> None:
    """They became U+FFFD without a word, and the code with it was judged as what the model wrote."""
    server.rule = lambda call: Raw(b'{"choices": [{"message": {"content": "caf\xe9 \xc3\xa9"}}]}')
    with pytest.warns(
        UserWarning, match="bytes that are no UTF-8; code that holds them is no edit"
    ) as warned:
        found = answers(model(server, environment, n_per_request=1), request(n=2))
    assert [c.text for c in found.values()] == ["caf\udce9 é"] * 2
    assert len(warned) == 1


CHUNKS = (
    b'data: {"choices": [{"index": 0, "delta": {"content": "caf\xe9 \xc3"}}]}\r\n\r\n'
    b'data: {"choices": [{"index": 0, "delta": {"content": "\xa9"}, "finish_reason": "stop"}]}\n\n'
    b"data: [DONE]\n\n"
)


@pytest.mark.parametrize(("body", "encoding"), [(CHUNKS, "identity"), (gzip.compress(CHUNKS), "gzip")])
def test_bytes_that_are_no_text_are_kept_of_a_stream_too(
    server: OpenAIServer, environment: Environment, body: bytes, encoding: str
) -> None:
    """Each such answer was asked for again and again, and never kept; a letter may be cut in two."""
    server.rule = lambda call: Raw(body, "text/event-stream", encoding)
    with pytest.warns(UserWarning, match="bytes that are no UTF-8; code that holds them is no edit"):
        found = answers(model(server, environment, n_per_request=1, stream=True), request(n=2))
    assert [c.text for c in found.values()] == ["caf\udce9 é"] * 2
    assert len(server.calls) == 2


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "body",
    [b"no gzip at all", gzip.compress(CHUNKS)[:-20], gzip.compress(b" " * (64 << 20))],
    ids=["not", "cut", "swollen"],
)
def test_a_reply_that_is_wrongly_compressed_is_asked_for_again(
    server: OpenAIServer, environment: Environment, body: bytes, stream: bool
) -> None:
    server.script(Raw(body, "text/event-stream" if stream else "application/json", "gzip"))
    asked = model(server, environment, stream=stream)
    with pytest.warns(UserWarning, match="trying up to"):
        found = answers(asked, request(n=1, sampling=Sampling(max_tokens=750)))
    assert found["A-1", 0].text
    assert len(server.calls) == 2


def test_a_page_in_place_of_an_answer_is_shown_by_its_beginning(
    server: OpenAIServer, environment: Environment
) -> None:
    """An address without its /v1, or a proxy's log-in page: "Expecting value: line 1" said neither."""
    server.rule = lambda call: Raw(b"<html><title>Log in</title></html>")
    with pytest.warns(UserWarning, match="no JSON; it begins with '<html><title>Log in"):
        _, error = collect(model(server, environment, attempts=2), request(n=1))
    assert "no JSON; it begins with '<html><title>Log in" in str(error)


@pytest.mark.parametrize("stream", [False, True])
def test_a_body_without_end_is_cut_and_asked_for_again(
    server: OpenAIServer, environment: Environment, stream: bool
) -> None:
    server.script(Endless())
    short = request(n=1, sampling=Sampling(max_tokens=750))
    found = answers(model(server, environment, stream=stream), short)
    assert found["A-1", 0].text
    assert server.sent < 64 << 20  # what is read, and what the system holds for both ends meanwhile
    assert len(server.calls) == 2


def test_a_drip_of_bytes_is_given_up_at_the_time_limit(
    server: OpenAIServer, environment: Environment
) -> None:
    server.script(Endless(b" ", 0.05))
    found = answers(model(server, environment, timeout=1.0), request(n=1))
    assert found["A-1", 0].text
    assert len(server.calls) == 2


def test_a_redirect_is_not_followed_with_the_key(server: OpenAIServer, environment: Environment) -> None:
    with OpenAIServer() as other:
        server.script(*[Redirect(f"{other.url}/chat/completions")] * 3)
        _, error = collect(model(server, environment), request(n=1))
        assert isinstance(error, UsageError)
        assert "307" in str(error)
        assert other.url in str(error)
        assert not other.calls


@pytest.mark.parametrize("deed", [Endless(b" ", 0.05), Slow(60), Status(503, retry_after=60)], ids=str)
def test_stopping_does_not_wait_for_what_is_under_way(
    server: OpenAIServer, environment: Environment, deed: Endless | Slow | Status
) -> None:
    server.rule = lambda call: deed if len(server.calls) > 1 else None
    asked = model(server, environment, n_per_request=1).complete([request(n=4)])
    next(asked)
    began = time.monotonic()
    asked.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("events", [0, 2, 4])
def test_a_stream_that_is_cut_is_asked_for_again(
    server: OpenAIServer, environment: Environment, events: int
) -> None:
    server.script(Cut(events))
    found = answers(model(server, environment, stream=True), request(n=1))
    assert found["A-1", 0].text
    assert found["A-1", 0].text.endswith("```")
    assert len(server.calls) == 2


def test_retries_print_nothing(
    server: OpenAIServer, environment: Environment, capfd: pytest.CaptureFixture[str]
) -> None:
    server.script(Status(500))
    answers(model(server, environment), request(n=1))
    assert capfd.readouterr() == ("", "")


def test_a_slow_answer_is_given_up_and_asked_for_again(
    server: OpenAIServer, environment: Environment
) -> None:
    server.script(Slow(30))
    answers(model(server, environment, timeout=0.5), request(n=1))
    assert len(server.calls) == 2


def test_concurrency_falls_under_rate_limits_and_all_answers_arrive(
    server: OpenAIServer, environment: Environment
) -> None:
    server.rate, server.latency = 3, 0.02
    asked = model(server, environment, concurrency=16, n_per_request=1)
    answers(asked, *(request(f"A-{i}", 10) for i in range(6)))
    refused = len(server.calls) - 60
    assert refused < 60
    assert max(call.under_way for call in server.calls[-20:]) < 16


# -- trouble that stays ---------------------------------------------------------------------------


def test_a_call_that_fails_for_good_leaves_the_others_their_answers(
    server: OpenAIServer, environment: Environment
) -> None:
    server.rule = lambda call: Status(500) if "A-2" in json.dumps(call.body) else None
    got, error = collect(
        model(server, environment, attempts=1), request("A-1"), request("A-2"), request("A-3"), request("A-4")
    )
    assert {c.problem for c in got} == {"A-1", "A-3", "A-4"}
    assert isinstance(error, InfrastructureError)
    assert "a request got no answer; no answer after" in str(error)
    assert "\n" not in str(error)


def test_a_server_that_is_not_there_ends_the_run(environment: Environment) -> None:
    with OpenAIServer() as server:
        pass
    asked = model(server, environment, concurrency=2, attempts=1)
    source = (request(f"A-{i}") for i in range(1000))
    with pytest.raises(InfrastructureError, match="no answer after 1 tries"):
        list(asked.complete(source))
    assert next(source).problem.id < "A-9"


def test_a_wrong_key_stops_at_once_and_is_not_shown(
    server: OpenAIServer,
    environment: Environment,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.key = "another"
    got, error = collect(model(server, environment), *(request(f"A-{i}") for i in range(500)))
    assert not got
    assert isinstance(error, UsageError)
    assert "OPENAI_API_KEY" in str(error)
    assert "401" in str(error)
    assert len(server.calls) <= OpenAIConfig().concurrency + 1
    shown = f"{error!r} {error.__cause__!r} {caplog.text}"
    assert KEY not in shown


def test_an_unknown_model_stops_at_once(server: OpenAIServer, environment: Environment) -> None:
    server.model = "other"
    with pytest.raises(UsageError, match=r"knows no model 'm' \(404"):
        list(model(server, environment).complete([request(), request("A-2")]))


def test_used_up_credit_is_not_tried_again(server: OpenAIServer, environment: Environment) -> None:
    server.script(Status(429, "You exceeded your current quota", "insufficient_quota"))
    with pytest.raises(UsageError, match="no credit left"):
        list(model(server, environment).complete([request()]))
    assert len(server.calls) == 1


def test_a_wait_that_is_too_long_stops_the_run(server: OpenAIServer, environment: Environment) -> None:
    server.script(Status(429, retry_after=7200))
    with pytest.raises(InfrastructureError, match="asks to wait 7200 s"):
        list(model(server, environment, attempts=3).complete([request()]))


def test_what_arrived_before_a_fatal_error_is_yielded(server: OpenAIServer, environment: Environment) -> None:
    server.rule = lambda call: Status(401, "revoked") if len(server.calls) > 3 else None
    got, error = collect(model(server, environment, concurrency=1), *(request(f"A-{i}") for i in range(9)))
    assert isinstance(error, UsageError)
    assert len(got) == 9


# -- key, cache, limits ---------------------------------------------------------------------------


def test_the_key_is_sent_and_stored_nowhere(server: OpenAIServer, environment: Environment) -> None:
    found = answers(model(server, environment), request(n=1))
    assert server.calls[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(found)
    for file in environment.cache.rglob("*"):
        assert KEY.encode() not in file.read_bytes()


def test_nothing_is_paid_twice(server: OpenAIServer, environment: Environment) -> None:
    first = answers(model(server, environment), request(n=99))
    again = answers(model(server, environment), request(n=100))
    assert {k: v for k, v in again.items() if k in first} == first
    assert [body.get("n", 1) for body in server.bodies] == [99, 1]
    assert server.bodies[1]["seed"] == 99


def test_other_settings_are_other_requests(server: OpenAIServer, environment: Environment) -> None:
    answers(model(server, environment), request(n=1))
    for other in (Sampling(seed=1), Sampling(temperature=0.2), Sampling(max_tokens=10)):
        answers(model(server, environment), request(n=1, sampling=other))
    answers(model(server, environment, extra={"reasoning_effort": "low"}), request(n=1))
    assert len(server.calls) == 5
    assert server.bodies[-1]["reasoning_effort"] == "low"


def test_chains_are_taken_up_where_they_stopped(server: OpenAIServer, environment: Environment) -> None:
    server.rule = lambda call: Status(401, "revoked") if len(call.body["messages"]) == 5 else None
    collect(model(server, environment), request(n=1, prompt=TURNS))
    server.rule = None
    answers(model(server, environment), request(n=1, prompt=TURNS))
    assert [len(body["messages"]) for body in server.bodies] == [1, 3, 5, 5]


def test_a_limit_of_tokens_is_not_overrun(server: OpenAIServer, environment: Environment) -> None:
    requests = [request(f"A-{i}", 1, sampling=Sampling(max_tokens=500)) for i in range(200)]
    got, error = collect(model(server, environment, limit_tokens=3000, concurrency=4), *requests)
    assert isinstance(error, LimitReached)
    assert "limit_tokens" in str(error)
    spent = sum((c.prompt_tokens or 0) + (c.completion_tokens or 0) for c in got)
    assert len(got) == server.served
    assert 2000 < spent <= 3000


def test_a_limit_is_that_of_a_command_that_asks_several_times(
    server: OpenAIServer, environment: Environment
) -> None:
    """``suggest`` asks once a method, and each time all of the limit was there again."""
    asked = model(server, environment, limit_tokens=600)
    sampling = Sampling(max_tokens=500)
    ends = [collect(asked, request(f"A-{i}", 1, sampling=sampling))[1] for i in range(20)]
    assert ends[0] is None and isinstance(ends[-1], LimitReached)
    assert server.served == ends.count(None) < 20


def test_a_limit_asks_for_fewer_samples_rather_than_none(
    server: OpenAIServer, environment: Environment
) -> None:
    got, error = collect(
        model(server, environment, limit_tokens=450), request(n=50, sampling=Sampling(max_tokens=100))
    )
    assert isinstance(error, LimitReached)
    assert 1 < server.bodies[0]["n"] < 5
    assert server.bodies[0]["n"] < len(got) < 50


def test_a_limit_holds_where_the_server_counts_nothing(
    server: OpenAIServer, environment: Environment
) -> None:
    server.give_usage = False
    sampling = Sampling(max_tokens=100)
    got, error = collect(
        model(server, environment, limit_tokens=1000),
        *(request(f"A-{i}", 1, sampling=sampling) for i in range(90)),
    )
    assert isinstance(error, LimitReached)
    assert 5 < len(got) < 60
    assert got[0].completion_tokens == got[0].logprob_tokens


def test_a_limit_of_money_counts_by_price(server: OpenAIServer, environment: Environment) -> None:
    prices = {"price_prompt": 1.0, "price_answer": 10.0}
    got, error = collect(
        model(server, environment, limit_cost=0.01, **prices),
        *(request(f"A-{i}", 1, sampling=Sampling(max_tokens=100)) for i in range(300)),
    )
    assert isinstance(error, LimitReached)
    cost = sum((c.prompt_tokens or 0) * 1e-6 + (c.completion_tokens or 0) * 1e-5 for c in got)
    assert 0.005 < cost <= 0.01


# -- laziness -------------------------------------------------------------------------------------


def test_requests_are_taken_only_as_fast_as_answers_go_out(
    server: OpenAIServer, environment: Environment
) -> None:
    taken = 0

    def endless() -> Iterator[Request]:
        nonlocal taken
        for number in count():
            taken += 1
            yield request(f"A-{number}", 1)

    source = model(server, environment, concurrency=4).complete(endless())
    for _ in range(10):
        next(source)
    time.sleep(0.3)
    assert taken <= 10 + 6
    source.close()  # type: ignore[attr-defined]


def test_closing_cancels_what_is_under_way(server: OpenAIServer, environment: Environment) -> None:
    server.rule = lambda call: Slow(60) if "A-2" in json.dumps(call.body) else None
    source = model(server, environment).complete([request("A-2"), request("A-1", 1)])
    assert next(source).problem == "A-1"
    began = time.monotonic()
    source.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 30
    assert not [t for t in threading.enumerate() if t.name == "nl2fix-openai"]


# -- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs a model"),
        ({"id": "m", "base_ulr": "x"}, "did you mean 'base_url'"),
        ({"id": "m", "base_url": "localhost:8000"}, "base_url of model openai must be an address"),
        ({"id": "m", "base_url": "http://user:secret@host/v1"}, "must hold no key"),
        ({"id": "m", "base_url": "http://host:99999/v1"}, "must be an address like"),
        ({"id": "m", "base_url": "http://[::1/v1"}, "must be an address like"),
        ({"id": "m", "concurrency": 0}, "must be at least 1"),
        ({"id": "m", "limit_cost": -1.0}, "limit_cost of model openai must be at least 0"),
        ({"id": "m", "timeout": float("nan")}, "timeout of model openai must be a finite number"),
        ({"id": "m", "n_per_request": 0}, "at least 1"),
        ({"id": "m", "api_key_env": "sk-secret-0123456789"}, "is the name of the variable"),
    ],
)
def test_wrong_options_are_told_in_one_line(
    environment: Environment, options: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        make(options, environment)
    assert "secret" not in str(caught.value)


def test_openai_itself_needs_a_key(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UsageError, match="set OPENAI_API_KEY"):
        make_model(Choice("openai", {"id": "gpt-4o"}), environment)


def test_a_local_server_needs_none(
    server: OpenAIServer, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    made = make({"id": "m"}, environment)
    assert len(list(made.complete([request(n=2)]))) == 2


def test_a_limit_of_money_needs_prices(environment: Environment, server: OpenAIServer) -> None:
    with pytest.raises(UsageError, match="price_prompt"):
        model(server, environment, limit_cost=1.0)
