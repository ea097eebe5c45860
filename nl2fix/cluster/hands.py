"""What a node does beside judging: any function of what it was sent, in processes of their own.

In one process Python works on one core, and those of Dask may start no others by ``multiprocessing``.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from nl2fix.cluster.node import Lost, check_same
from nl2fix.core.records import EMPTY

IDLE = 600.0
"""Seconds after which a process that nobody asks anything ends, with all that it holds."""


@dataclass(frozen=True)
class Helping:
    """Satisfies ``node.Serves``: whoever has all that results depend on can help."""

    look: Callable[[], Mapping[str, str]]
    """By reference: what a machine has, by aspect."""
    wanted: Mapping[str, str]
    """What who asks has."""

    def node(self, threads: int) -> Hands:
        check_same(self.look(), self.wanted)
        return Hands(threads)


class Hands:
    """Processes that do one thing after the other, as many as are asked at once. Thread-safe."""

    identity: Mapping[str, str] = EMPTY

    def __init__(self, places: int = 1, variables: Mapping[str, str] = EMPTY) -> None:
        """``variables`` are those of the environment that are not as here."""
        self.places = places
        # Dask has its own processes give memory back at once, by which torch takes twice as long.
        kept = {name: value for name, value in os.environ.items() if name != "MALLOC_TRIM_THRESHOLD_"}
        self._environment = {**kept, **variables}
        self._lock = threading.Lock()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._all: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def do(self, work: Callable[[], object]) -> object:
        """What comes of it, or the exception it raised; raises ``Lost`` where its process ends."""
        with self._lock:
            if self._closed:
                raise Lost("a node that was let go")
            while self._idle and self._idle[-1].poll() is not None:
                self._all.discard(self._idle.pop())
            hand = self._idle.pop() if self._idle else self._start()
        assert hand.stdin and hand.stdout
        try:
            pickle.dump(pickle.dumps(work), hand.stdin)
            hand.stdin.flush()
            answer: object = pickle.loads(pickle.load(hand.stdout))
        except (EOFError, OSError) as error:
            with self._lock:
                self._all.discard(hand)
            raise Lost(f"a process that ended with status {_killed(hand)}") from error
        with self._lock:
            self._idle.append(hand)
        return answer

    def close(self) -> None:
        """End them all; no other begins."""
        with self._lock:
            self._closed = True
            for hand in self._all:
                _killed(hand)

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", __name__]
        pipe = subprocess.PIPE
        hand = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, env=self._environment, start_new_session=True
        )
        self._all.add(hand)
        return hand


def _killed(hand: subprocess.Popen[bytes]) -> int:
    """The status with which it ended, and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(hand.pid, signal.SIGKILL)
    return hand.wait()


def _serve() -> None:
    """What such a process does until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the work prints is no answer
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=[asked], daemon=True).start()
    with suppress(queue.Empty):
        while True:
            pickle.dump(_answer(asked.get(timeout=IDLE)), answers)
            answers.flush()


def _listen(asked: queue.SimpleQueue[bytes]) -> None:
    """Hear what is asked. Once who asks is gone nobody waits for what is being worked on."""
    # Not by sys.stdin, which nobody may be reading when this process ends.
    with suppress(EOFError), os.fdopen(os.dup(0), "rb") as stream:
        while True:
            asked.put(pickle.load(stream))
    os.killpg(0, signal.SIGKILL)


def _answer(sent: bytes) -> bytes:
    try:
        return pickle.dumps(pickle.loads(sent)())
    except Exception as error:  # noqa: BLE001 - raised again where it was asked
        error.add_note(traceback.format_exc())
        return pickle.dumps(error)


if __name__ == "__main__":
    _serve()
