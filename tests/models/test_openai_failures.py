"""Which errors are worth another try, and that no message shows a key."""

from __future__ import annotations

import email.utils
import time

import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.models.openai.failures import (
    NOT_RETRIED,
    RETRIED,
    NoAnswer,
    Refused,
    Transient,
    classify,
    redact,
    retry_after,
)

KEY = "sk-secret-0123456789"


def fault(status: int, body: object = None, headers: dict[str, str] | None = None) -> Exception:
    asked = httpx2.Request("POST", "http://host/v1/chat/completions")
    reply = httpx2.Response(status, request=asked, headers=headers or {})
    error = openai.APIStatusError(f"Error {status} for {KEY}", response=reply, body=body)
    return classify(error, "m", "OPENAI_API_KEY", KEY, 300.0)


@pytest.mark.parametrize("status", RETRIED)
def test_passing_statuses_are_tried_again(status: int) -> None:
    assert isinstance(fault(status), Transient)


@pytest.mark.parametrize("status", NOT_RETRIED)
def test_the_others_are_not(status: int) -> None:
    assert isinstance(fault(status), UsageError | Refused)


@pytest.mark.parametrize("status", [*RETRIED, *NOT_RETRIED, 418])
def test_no_message_shows_the_key(status: int) -> None:
    error = fault(status, {"message": f"the key {KEY} is no good\nsecond line", "code": None})
    assert KEY not in f"{error} {error!r}"
    assert "\n" not in str(error)


def test_broken_connections_are_tried_again() -> None:
    asked = httpx2.Request("POST", "http://host/v1")
    error = classify(openai.APIConnectionError(request=asked), "m", "K", KEY, 300.0)
    assert isinstance(error, Transient)


@pytest.mark.parametrize(
    ("body", "finish"),
    [
        ({"code": "context_length_exceeded", "message": "too long"}, "context"),
        ({"message": "This model's maximum context length is 8192 tokens"}, "context"),
        ({"code": "content_filter", "message": "filtered"}, "content_filter"),
    ],
)
def test_a_prompt_without_answer_is_told_from_a_bad_request(body: dict[str, str], finish: str) -> None:
    error = fault(400, body)
    assert isinstance(error, NoAnswer)
    assert error.finish == finish


def test_waits_are_honoured_up_to_the_longest() -> None:
    short, long = fault(429, headers={"retry-after": "20"}), fault(429, headers={"retry-after": "301"})
    assert isinstance(short, Transient)
    assert (short.wait, short.overload) == (20.0, True)
    assert isinstance(long, InfrastructureError)


def test_forms_of_retry_after() -> None:
    assert retry_after({"retry-after": "1.5"}) == 1.5
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25
    when = email.utils.formatdate(time.time() + 60, usegmt=True)
    assert retry_after({"retry-after": when}) == pytest.approx(60, abs=3)
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({"retry-after": f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT"}) is None
    assert retry_after({}) is None


@given(st.text(max_size=400), st.text(max_size=400))
def test_redacted_text_is_one_line_without_the_key(before: str, after: str) -> None:
    shown = redact(before + KEY + after, KEY)
    assert KEY not in shown
    assert len(shown) <= 300
    assert len(shown.splitlines()) <= 1


@pytest.mark.parametrize("key", ["x", "max", "tokens", "n/a"])
def test_a_short_placeholder_key_garbles_no_words_and_is_not_shown(key: str) -> None:
    """Of the key ``x`` "'ma***_tokens' is not supported" was told."""
    text = f"'max_tokens' of {key!r}: Bearer {key}, 'max_completion_tokens' or api_key={key}"
    assert redact(text, key) == "'max_tokens' of '***': Bearer ***, 'max_completion_tokens' or api_key=***"
