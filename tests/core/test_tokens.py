"""Counting tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.errors import UsageError
from nl2fix.core.records import Message
from nl2fix.core.tokens import ESTIMATE, TURN_OVERHEAD, counter, estimate


@given(st.text(st.characters()), st.text(st.characters()))
def test_the_estimate_grows_with_the_text(first: str, second: str) -> None:
    assert estimate(first) <= estimate(first + second) <= estimate(first) + estimate(second)


def test_three_bytes_a_token_rounded_up() -> None:
    assert [estimate(text) for text in ("", "a", "abc", "abcd", "中")] == [0, 1, 1, 2, 1]


def test_messages_carry_an_overhead() -> None:
    assert ESTIMATE.messages([Message("user", "abc"), Message("user", "abc")]) == 2 * (1 + TURN_OVERHEAD)


def test_without_a_tokenizer_the_estimate_is_used_and_named() -> None:
    assert counter("") is ESTIMATE
    assert "estimate" in ESTIMATE.name


def test_an_unknown_tokenizer_is_one_clear_line(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("t") / "tokenizer.json"
    file.write_text("{}")
    with pytest.raises(UsageError, match="tokenizer") as caught:
        counter(str(file))
    assert len(str(caught.value).splitlines()) == 1
