"""What tells that something still goes on."""

from __future__ import annotations

import threading

import pytest

from nl2fix.suggestion import pulse
from nl2fix.suggestion.pulse import Pulse


def test_what_says_nothing_itself_is_told_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """While RxJava was compiled there was no line for five minutes."""
    monkeypatch.setattr(pulse, "EVERY", 0.01)
    said: list[str] = []
    twice = threading.Event()

    def say(line: str) -> None:
        said.append(line)
        if len(said) > 1:
            twice.set()

    with Pulse(say).going("still building") as tell:
        tell("2 classes")
        assert twice.wait(300)
    assert all(line.startswith("  still building, ") for line in said)
    assert said[-1].endswith(" s: 2 classes")
