"""Turns: many together, one alone, newcomers behind who waits to be alone."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from nl2fix.validation.jvm import alone


@pytest.fixture(autouse=True)
def own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alone, "_file", lambda name: tmp_path / name)


def test_many_run_together() -> None:
    with alone.together(), alone.together():
        assert True


def test_nobody_runs_beside_who_is_alone() -> None:
    said: list[str] = []
    inside, leave = threading.Event(), threading.Event()

    def first() -> None:
        with alone.together():
            inside.set()
            leave.wait()
            said.append("together ends")

    def second() -> None:
        with alone.alone():
            said.append("alone begins")
            said.append("alone ends")

    def third() -> None:
        with alone.together():
            said.append("newcomer")

    threads = [threading.Thread(target=first)]
    threads[0].start()
    inside.wait()
    threads.append(threading.Thread(target=second))
    threads[1].start()
    leave.set()
    threads[0].join()
    threads.append(threading.Thread(target=third))
    threads[2].start()
    for thread in threads[1:]:
        thread.join()
    assert said.index("together ends") < said.index("alone begins")
    assert said.index("alone ends") == said.index("alone begins") + 1


def test_a_turn_that_nobody_shared_is_alone() -> None:
    with alone.together() as turn:
        assert turn.alone()
    with alone.together() as turn:
        assert turn.alone()


def test_a_turn_that_others_shared_is_not_alone() -> None:
    with alone.together() as turn:
        with alone.together():
            pass
        assert not turn.alone()
    with alone.together() as before, alone.together() as turn:
        assert not before.alone()
        assert not turn.alone()
