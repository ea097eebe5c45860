"""What a progress says."""

from __future__ import annotations

import pytest

from nl2fix.cli import console


def test_what_an_earlier_command_did_says_nothing_about_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(console.time, "monotonic", lambda: now)
    with console.progress("train") as progress:
        progress(280, 490, "")
        now = 100.0
        progress(290, 490, "")
    assert "290/490, 0.1/s, 100 s, about 2000 s left" in capsys.readouterr().err
