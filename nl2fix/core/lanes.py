"""Who is judged next: candidates wait in lanes, one for each problem, and judges serve lanes.

A judge stays with its lane while something waits there, so that its session stays warm; then it takes
the longest lane that nobody serves, or helps with one that is long: the one with most seconds to come, so
that no judge waits at the end for another's slow problem. Lanes hold keys only: the code stays where it was
stored, so memory does not grow with what waits.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from nl2fix.core.records import Problem

WORTH = 2.0
"""Seconds that must wait in a lane before another judge opens a session for it, which itself takes one."""
SLICE = (8, 128)
"""Least and most candidates that a judge elsewhere is sent at once, where so many wait."""
LONG = 60.0
"""Seconds of a slice at most, if that is not fewer than the least: all of it is lost with its judge."""


@dataclass(eq=False)
class Lane:
    """One problem's candidates that wait, by key, in the order in which they came."""

    problem: Problem
    seconds: float = 1.0
    """That one of its candidates may take, as far as was known before."""
    waiting: deque[str] = field(default_factory=deque)
    judges: int = 0
    judged: int = -1
    """Candidates judged here, without the first, for which a session was opened; -1: none yet."""
    spent: float = 0.0
    """Seconds that they took."""
    identity: Mapping[str, str] = field(default_factory=dict)
    fingerprint: str = ""

    @property
    def length(self) -> float:
        """Seconds that all that waits may take."""
        return len(self.waiting) * max(self.seconds, self.spent / max(self.judged, 1))


def cut(waiting: int, seconds: float, share: float) -> int:
    """How many of a lane's candidates are a slice; ``share`` is how many seconds would be fair."""
    least = _least(seconds)
    longest = max(int(LONG / seconds), SLICE[0])
    size = min(max(int(share / seconds), least), longest, SLICE[1])
    return size if waiting - size >= least else min(waiting, max(size, SLICE[1]))


def _least(seconds: float) -> int:
    """Candidates that are worth a session."""
    return max(int(WORTH / seconds), SLICE[0])


class Lanes:
    """Shared by the thread that samples and the judges; ``changed`` is held for every access."""

    def __init__(self, judges: int, seconds: Callable[[Problem], float] = lambda problem: 1.0) -> None:
        """``seconds``: what a candidate of a problem may take, in whatever unit is one for all."""
        self._seconds = seconds
        self.changed = threading.Condition()
        self._lanes: dict[str, Lane] = {}
        self._waiting: dict[str, Lane] = {}
        self._judges = judges
        self._finished = False
        self._stopped = False
        self._error: BaseException | None = None

    def add(self, problem: Problem, key: str) -> None:
        """A candidate to judge."""
        with self.changed:
            lane = self._lanes.get(problem.id)
            if lane is None:
                lane = self._lanes[problem.id] = Lane(problem, self._seconds(problem))
            lane.waiting.append(key)
            self._waiting[problem.id] = lane
            self.changed.notify_all()

    def take(self, current: Lane | None, *, stays: bool = False) -> tuple[Lane, str] | None:
        """The next candidate for a judge that serves ``current``; waits for one, ``None`` at the end.

        Who is not needed is kept until nothing waits: a problem may turn out to be slow. Who ``stays`` gets
        one of the same problem at once, or ``None``.
        """
        with self.changed:
            while not self._stopped:
                lane = self._next(current)
                if stays and lane is not current:
                    return None
                if lane is not None:
                    self._move(current, lane)
                    key = lane.waiting.popleft()
                    if not lane.waiting:
                        del self._waiting[lane.problem.id]
                        self.changed.notify_all()
                    return lane, key
                if self._finished and not self._waiting:
                    return None
                self.changed.wait()
            return None

    def slice(self, judges: int) -> tuple[Lane, list[str]] | None:
        """Candidates of one lane for one of ``judges`` elsewhere; waits for some, ``None`` at the end.

        The longest lane that nobody serves comes first. Slices shrink as less waits, so that all judges
        end at about the same time, but none is left that would not be worth a session. To be given back by
        ``release``.
        """
        with self.changed:
            while not self._stopped:
                lane = self._worth()
                if lane is not None:
                    share = sum(other.length for other in self._waiting.values()) / (2 * max(judges, 1))
                    lane.judges += 1
                    keys = [
                        lane.waiting.popleft() for _ in range(cut(len(lane.waiting), lane.seconds, share))
                    ]
                    if not lane.waiting:
                        del self._waiting[lane.problem.id]
                    return lane, keys
                if self._finished:
                    return None
                self.changed.wait()
            return None

    def release(self, lane: Lane) -> None:
        """A slice of a lane has come back."""
        with self.changed:
            lane.judges -= 1
            self.changed.notify_all()

    def took(self, lane: Lane, seconds: float) -> None:
        """A candidate took so long here, which may be more than was thought: others help sooner then."""
        with self.changed:
            if lane.judged >= 0:
                lane.spent += seconds
            lane.judged += 1
            self.changed.notify_all()

    def clear(self) -> None:
        """Nothing waits any more; what is being judged goes on."""
        with self.changed:
            for lane in self._waiting.values():
                lane.waiting.clear()
            self._waiting.clear()

    def finish(self) -> None:
        """No more candidates will come."""
        with self.changed:
            self._finished = True
            self.changed.notify_all()

    def stop(self, error: BaseException | None = None) -> None:
        """No candidate is handed out any more; ``error`` is why."""
        with self.changed:
            self._stopped = True
            self._error = self._error or error
            self.changed.notify_all()

    @contextmanager
    def stopping(self) -> Iterator[None]:
        """Whatever is raised within stops all; ``check`` raises it in the caller's thread."""
        try:
            yield
        except BaseException as error:  # noqa: BLE001 - carried to the caller's thread and raised there
            self.stop(error)

    @contextmanager
    def served(self) -> Iterator[None]:
        """The same for all that a judge does until it goes home."""
        try:
            with self.stopping():
                yield
        finally:
            with self.changed:
                self._judges -= 1
                self.changed.notify_all()

    @property
    def stopped(self) -> bool:
        with self.changed:
            return self._stopped

    def check(self) -> None:
        """Raise what ended the judging, if something did."""
        with self.changed:
            if self._error is not None:
                raise self._error

    def wait(self) -> None:
        """Until every judge has gone home; raises what ended the judging before."""
        with self.changed:
            while self._judges and self._error is None:
                self.changed.wait()
        self.check()

    def _next(self, current: Lane | None) -> Lane | None:
        if current is not None and current.waiting:
            return current
        alone = [lane for lane in self._waiting.values() if not lane.judges]
        long = [lane for lane in self._waiting.values() if lane.length >= WORTH]
        return max(alone or long, key=lambda lane: lane.length, default=None)

    def _worth(self) -> Lane | None:
        """The lane that another session is opened for elsewhere; a short one waits for the one it has."""
        lanes = self._waiting.values()
        open_ = [
            lane
            for lane in lanes
            if not lane.judges or len(lane.waiting) >= _least(lane.seconds) or self._finished
        ]
        return max(open_, key=lambda lane: (not lane.judges, lane.length), default=None)

    def _move(self, current: Lane | None, lane: Lane) -> None:
        if current is not lane:
            lane.judges += 1
            if current is not None:
                current.judges -= 1
