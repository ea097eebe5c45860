"""A child's clock: what ran out, what was only late to run, and what was late to end."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from nl2fix.validation.python.inside import watched_child
from nl2fix.validation.python.inside.frames import write_frame
from nl2fix.validation.python.inside.watched_child import Ended, Watch
from tests.conftest import standing_still

LIBC = ctypes.CDLL(None)
_CLONE_FILES = 0x400


@contextmanager
def child(work: Callable[[int], object], wall: float, cpu: float) -> Iterator[Watch]:
    """A process that does some work with its end of the channel."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        os.setsid()
        try:
            work(theirs.detach())
        finally:
            os._exit(0)
    theirs.close()
    watch = Watch(pid, ours, wall, cpu)
    yield watch
    watch.finish()


def test_who_sleeps_is_late_by_the_clock_on_the_wall() -> None:
    started = time.monotonic()
    with child(lambda _: time.sleep(60), wall=0.3, cpu=1.0) as watch, pytest.raises(Ended, match="timeout"):
        watch.receive()
    assert time.monotonic() - started < 30


def test_an_answer_that_came_while_the_server_did_not_run_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for a processor, too: when it looked at the clock at last, the answer was there."""
    look = watched_child._used_below

    def slowly(root: int) -> Any:
        os.write(ready, b"x")
        time.sleep(0.5)
        return look(root)

    def answering(channel: int) -> None:
        os.read(told, 1)
        write_frame(channel, {"done": True})
        time.sleep(60)

    told, ready = os.pipe()
    monkeypatch.setattr(watched_child, "_used_below", slowly)
    with child(answering, wall=0.0, cpu=9.0) as watch:
        assert watch.receive() == {"done": True}


def test_what_takes_long_to_end_has_ended_as_it_did() -> None:
    """On a busy machine, what the kernel had ended for its time was told to have closed its channel."""

    def dying(channel: int) -> None:
        def last() -> None:
            LIBC.unshare(_CLONE_FILES)
            os.close(channel)
            alone.set()
            time.sleep(2.0)
            os.kill(os.getpid(), signal.SIGXCPU)

        alone = threading.Event()
        threading.Thread(target=last).start()
        alone.wait()
        LIBC.pthread_exit(None)  # this thread's files are closed, and its end waits for the other's

    with child(dying, wall=30.0, cpu=9.0) as watch, pytest.raises(Ended, match="processor time"):
        watch.receive()


def test_who_only_closes_its_channel_is_not_waited_for() -> None:
    def closing(channel: int) -> None:
        os.close(channel)
        time.sleep(60)

    with child(closing, wall=30.0, cpu=9.0) as watch, pytest.raises(Ended, match="closed its channel"):
        watch.receive()


@pytest.fixture
def core() -> Iterator[set[int]]:
    """One that is taken for a while."""
    core = {min(os.sched_getaffinity(0))}
    spin = (
        f"import os, time; os.sched_setaffinity(0, {core}); print(flush=True); end = time.time() + 1.2\n"
        "while time.time() < end: pass"
    )
    with subprocess.Popen([sys.executable, "-c", spin], stdout=subprocess.PIPE) as busy:
        assert busy.stdout and busy.stdout.readline()
        yield core


def starve(core: set[int], seconds: float) -> None:
    """Work for some seconds where others work, after them."""
    os.sched_setaffinity(0, core)
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_who_waits_for_a_processor_in_one_stretch_is_not_late(core: set[int]) -> None:
    """The kernel counts such waiting only when it is over: at load 165 innocents without a moment of
    processor time were still running when their time was up.
    """

    def starving(channel: int) -> None:
        starve(core, 0.05)
        write_frame(channel, {"done": True})

    with child(starving, wall=0.3, cpu=5.0) as watch:
        assert watch.receive() == {"done": True}


@pytest.mark.parametrize("way", ["thread", "process"])
def test_what_was_waited_by_one_that_has_ended_still_counts(way: str, core: set[int]) -> None:
    """When a thread or process that had starved ended, its program was late at once."""

    def starving() -> None:
        starve(core, 0.1)
        time.sleep(1.0)  # and is looked at

    def joining(channel: int) -> None:
        if way == "thread":
            thread = threading.Thread(target=starving)
            thread.start()
            thread.join()
        elif os.fork() == 0:
            starving()
            os._exit(0)
        else:
            os.wait()
        time.sleep(1.0)
        write_frame(channel, {"done": True})

    with child(joining, wall=2.7, cpu=5.0) as watch:
        assert watch.receive() == {"done": True}


def test_what_the_machine_stood_still_is_not_the_childs_time() -> None:
    """Where other virtual machines took the processors for seconds, innocents were late at once."""

    def working(channel: int) -> None:
        time.sleep(0.8)  # and is over when the machine goes on
        time.sleep(0.8)
        write_frame(channel, {"done": True})

    with child(working, wall=2.0, cpu=5.0) as watch, standing_still(0.0, 3.0):
        assert watch.receive() == {"done": True}


def test_what_many_processes_ran_for_less_than_a_tick_each_is_known() -> None:
    """A fork bomb had used up no processor time for many seconds: its processes' times are whole ticks."""

    def short(_: int) -> None:
        until = time.thread_time() + 0.006
        while time.thread_time() < until:
            pass
        time.sleep(60)

    with ExitStack() as stack:
        pids = [stack.enter_context(child(short, wall=60, cpu=60)).pid for _ in range(20)]
        schedule = watched_child._Schedule()
        while schedule.seconds(pids)[0] < 20 * 0.006:
            time.sleep(0.01)
