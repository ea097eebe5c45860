"""What a node does beside judging: any function of what it was sent, in processes of their own.

In one process Python works on one core, and those of Dask may start no others by ``multiprocessing``.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from nl2fix.cluster.node import Lost, check_same


@dataclass(frozen=True)
class Helping:
    """Satisfies ``node.Serves``: whoever has all that results depend on can help."""

    look: Callable[[], Mapping[str, str]]
    """By reference: what a machine has, by aspect."""
    wanted: Mapping[str, str]
    """What who asks has."""

    def node(self, threads: int) -> Hands:
        check_same(self.look(), self.wanted)
        return Hands()


class Hands:
    """Processes that do one thing after the other, as many as are asked at once. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._all: set[subprocess.Popen[bytes]] = set()

    def do(self, work: Callable[[], object]) -> object:
        """What comes of it, or the exception it raised; raises ``Lost`` where its process ends."""
        with self._lock:
            hand = self._idle.pop() if self._idle else self._start()
        assert hand.stdin and hand.stdout
        try:
            pickle.dump(pickle.dumps(work), hand.stdin)
            hand.stdin.flush()
            answer: object = pickle.loads(pickle.load(hand.stdout))
        except (EOFError, OSError) as error:
            hand.kill()
            with self._lock:
                self._all.discard(hand)
            raise Lost(f"a process that ended with status {hand.wait()}") from error
        with self._lock:
            self._idle.append(hand)
        return answer

    def close(self) -> None:
        """End them all."""
        with self._lock:
            for hand in self._all:
                hand.kill()
                hand.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", __name__]
        pipe = subprocess.PIPE
        hand = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        self._all.add(hand)
        return hand


def _serve() -> None:
    """What such a process does until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the work prints is no answer
    with suppress(EOFError, BrokenPipeError):
        while True:
            pickle.dump(_answer(pickle.load(sys.stdin.buffer)), answers)
            answers.flush()


def _answer(sent: bytes) -> bytes:
    try:
        return pickle.dumps(pickle.loads(sent)())
    except Exception as error:  # noqa: BLE001 - raised again where it was asked
        error.add_note(traceback.format_exc())
        return pickle.dumps(error)


if __name__ == "__main__":
    _serve()
