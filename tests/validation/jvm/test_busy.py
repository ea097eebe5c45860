"""Loops that keep every core busy."""

from __future__ import annotations

import os

import psutil

from nl2fix.validation.jvm.busy import busy


def _loops() -> list[psutil.Process]:
    return [
        child for child in psutil.Process().children() if "while :; do :; done" in " ".join(child.cmdline())
    ]


def test_every_core_is_busy_until_the_last_one_leaves_who_wants_that() -> None:
    """Each of sixteen bugs that are prepared at once had sixteen loops of its own on as many cores."""
    with busy():
        with busy():
            assert len(_loops()) == os.cpu_count()
        assert len(_loops()) == os.cpu_count()
    assert not _loops()


def test_a_loop_that_has_used_up_its_time_is_followed_by_another_where_somebody_else_comes() -> None:
    with busy():
        ended = _loops()[0]
        ended.kill()
        ended.wait()
        with busy():
            assert len(_loops()) == os.cpu_count()
            assert ended not in _loops()
