"""Tasks for the nodes of a cluster: how many are under way at most, and each sent anew until it is done."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from nl2fix.cluster.connection import LOOK, Nodes
from nl2fix.cluster.node import Lost, Unfit, Unseen

if TYPE_CHECKING:
    from distributed import Future

    from nl2fix.cluster.service import Done

LOST = 3
"""Times a task is sent anew when Dask gives it up because every process that had it was lost."""
_GATHER = 10.0
"""Seconds to fetch what a node says is done."""

T = TypeVar("T")


class Errand(NamedTuple):
    """A task for any node that serves the run."""

    function: Callable[..., Done]
    arguments: tuple[Any, ...]
    label: str
    what: str
    """As the user is told of it."""
    back: Callable[[Done], None]
    given_up: Callable[[str], None]
    """Called with the reason when it was lost again and again."""
    unseen: Callable[[], Errand] | None = None
    """What is done in its stead where a node does not see files as they are here."""


class Errands:
    """Tasks under way: not too many at once, and each sent anew until it is done."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._changed = threading.Condition()
        self._under_way: dict[Future[Any], tuple[Errand, int]] = {}
        self._doubted: set[str] = set()
        self._finished: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        self._stopped = False
        self._error: BaseException | None = None
        self._collector = threading.Thread(target=self._collect, name="cluster", daemon=True)
        self._collector.start()

    def hand_out(self, errand: Errand) -> None:
        """Have it done; waits while enough is under way, and raises what ended the work.

        What came of it is told one call at a time, in a thread of its own.
        """
        self.until(lambda: len(self._under_way) < self._nodes.window * self._nodes.threads)
        self._send(errand, 0)

    def wait(self) -> None:
        """Until everything has come back; raises what ended the work."""
        self.until(lambda: not self._under_way)

    def until(self, ready: Callable[[], bool]) -> None:
        """Wait for tasks to come back; raises what broke, or when nobody is left who could do them."""
        since = time.monotonic()
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._stopped or ready(), LOOK):
                    self._check()
                    return
            self._nodes.bear(since)
            self._free()

    def _free(self) -> None:
        """Send anew what no node has that serves this run, now and when it was looked before."""
        with self._changed:
            keys = [str(future.key) for future in self._under_way]
        before, self._doubted = self._doubted, self._nodes.stranded(keys)
        with self._changed:
            futures = [future for future in self._under_way if future.key in before & self._doubted]
            tasks = [self._under_way.pop(future) for future in futures]
        if futures:
            self._nodes.client.cancel(futures, force=True)
        for errand, lost in tasks:
            self._send(errand, lost)

    def stop(self) -> None:
        """Take back what is under way; who waits is let go."""
        with self._changed:
            self._stopped = True
            under_way, self._under_way = list(self._under_way), {}
            self._changed.notify_all()
        self._finished.put(None)
        if under_way:
            with suppress(Exception):  # the scheduler may be what is gone
                self._nodes.client.cancel(under_way, force=True)

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _send(self, errand: Errand, lost: int) -> None:
        future = self._nodes.submit(errand.function, *errand.arguments, label=errand.label)
        with self._changed:
            self._under_way[future] = (errand, lost)
        future.add_done_callback(self._finished.put)

    def _collect(self) -> None:
        """Hand on what comes back, one task at a time."""
        while (future := self._finished.get()) is not None:
            try:
                self._take(future)
            except BaseException as error:  # noqa: BLE001 - raised where tasks are handed out
                with self._changed:
                    self._error = self._error or error
                    self._stopped = True
                    self._changed.notify_all()

    def _take(self, future: Future[Any]) -> None:
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        with self._changed:
            if future not in self._under_way:
                return
            errand, lost = self._under_way[future]
        try:
            done = future.result(timeout=_GATHER)
        except Unfit:
            self._send(errand, lost)
        except Unseen:
            assert errand.unseen is not None
            self._send(errand.unseen(), lost)
        except TimeoutError:  # its node died with it, so it is done again
            future.add_done_callback(self._finished.put)
            return
        except (CancelledError, OSError) as error:
            if future not in self._under_way:  # freed meanwhile
                return
            raise self._nodes.gone() from error
        except (KilledWorker, Lost) as error:
            whom = error if isinstance(error, Lost) else getattr(error.last_worker, "name", "?")
            self._nodes.say(f"cluster: {errand.what} was lost with {whom}, sent again")
            if lost < LOST:
                self._send(errand, lost + 1)
            else:
                errand.given_up(f"{LOST + 1} times, all processes that had it were lost")
        else:
            errand.back(done)
        with self._changed:
            self._under_way.pop(future, None)
            self._changed.notify_all()


def streamed(
    nodes: Nodes, work: Iterable[T], errand: Callable[[T, Callable[[Done], None]], Errand]
) -> Generator[tuple[T, Done]]:
    """Each piece of work with what came of it, as it comes; no more is taken from ``work`` than is under way.

    Closing it takes back what is under way.
    """
    results: queue.SimpleQueue[tuple[T, Done]] = queue.SimpleQueue()
    errands, left = Errands(nodes), 0
    try:
        for piece in work:
            errands.hand_out(errand(piece, partial(_put, results, piece)))
            left += 1
            while not results.empty():
                left -= 1
                yield results.get()
        while left:
            errands.until(lambda: not results.empty())
            left -= 1
            yield results.get()
    finally:
        errands.stop()


def _put(results: queue.SimpleQueue[tuple[T, Done]], piece: T, done: Done) -> None:
    results.put((piece, done))
