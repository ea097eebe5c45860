"""The engine: judges while the model still answers. One for runs, suggestions, gold and probes.

A sample on its way, hop by hop::

    caller's thread                                   judges, one thread for each job

    _Work.run
      _resume    answers stored and not read,
                 candidates stored and not judged
      _sample    model.complete gives an answer
        _take    sink.add_completion; from here
                 kill -9 loses nothing
        _draw    read: edit format, or why no edit
                 sink.add_draw: is it new?
        _queue   Lanes.add  ─────────────────────▶    _judge        Lanes.take
                 observer.sampled                       _settle     cache.get
                                                        _validated  session.validate, again if it breaks
                                                        _judged     held back: others may have harmed
                                                                    the worker they share
                                                        _vouch      the session vouches for a batch, or
                                                                    has some judged again (_next), behind
                                                                    others
                                                        _keep       cache.put
                                                        _record     sink.add_verdict or add_failure
                                                                    observer.judged or failed
      Lanes.finish, Lanes.wait: until all judges have gone home

Judges elsewhere (a ``Crew``) take the place of those threads: one thread hands out slices of lanes
(``_hand_out``), and what comes back is kept and recorded here (``_returned``), by this one writer.

The model works in the caller's thread, so that Ctrl-C reaches whatever it waits for. Lanes hold keys
and the sink holds code, so memory stays flat however far the model is ahead; a model that stops early
does not stop the judges. Equal candidates are one candidate from ``add_draw`` on. Sink and observer are
told one thing at a time.

After an interruption or an error nothing new begins; a candidate that is being judged may still get its
verdict for ``GRACE`` seconds, then it is left as if it had never been handed out.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial

from nl2fix.core.errors import InfrastructureError, LimitReached
from nl2fix.core.lanes import Lane, Lanes
from nl2fix.core.memory import Memory
from nl2fix.core.protocols import (
    Counts,
    Crew,
    Estimating,
    Model,
    Observer,
    Progress,
    Returned,
    Session,
    Sink,
    Slice,
    Validator,
    Verdicts,
    Vouching,
)
from nl2fix.core.records import Candidate, Completion, Failure, Problem, Request, Verdict, fingerprint

BATCH = 32
"""Verdicts that one control of a session vouches for, at most."""
BATCH_SECONDS = 15.0
"""Seconds after which it is asked to all the same: what takes long is told and kept meanwhile."""
TRIES = 2
"""How often a candidate is tried when infrastructure breaks under it."""
_LOOK = 0.1
"""Seconds after which somebody who waits for verdicts looks whether there can still be some."""
GRACE = 3.0
"""Seconds that candidates being judged have to end once the work is stopped."""

Read = Callable[[Completion, Problem], tuple[Candidate | None, str | None]]
"""The candidate in an answer, or why there is none (``reading.Reading``)."""


@dataclass(frozen=True)
class Drawing:
    """What a model is asked."""

    model: Model
    requests: Iterable[Request]
    done: int
    """Samples that were stored before."""
    total: int
    """Samples there will be, where none are ``enough``."""
    enough: Callable[[], bool] | None = None
    """Asked after each request, once all that was drawn is judged; no further one is made when it says so."""
    found: Callable[[], bool] | None = None
    """Asked meanwhile: when it says so, what waits is not judged any more. It must be ``enough`` then."""


@dataclass(frozen=True)
class Judging:
    """Who judges."""

    validator: Validator
    cache: Verdicts
    jobs: int
    """Sessions at once."""
    crew: Crew | None = None
    """Judges elsewhere; then the validator only says what a verdict depends on."""


class Quiet:
    """An observer that does nothing."""

    def sampled(self, completion: Completion, counts: Counts) -> None: ...
    def judged(self, problem: Problem, candidate: Candidate, verdict: Verdict, counts: Counts) -> None: ...
    def failed(self, problem: str, message: str, counts: Counts) -> None: ...


def work(
    sink: Sink,
    problems: Sequence[Problem],
    *,
    read: Read | None = None,
    drawing: Drawing | None = None,
    judging: Judging | None = None,
    observer: Observer | None = None,
) -> None:
    """Do what is missing of sampling (with ``drawing``), reading and judging (with ``judging``).

    A model that breaks or reaches its limit is told to the observer at once and raised when what it had
    answered is judged; any other error ends the work at once. So does ``KeyboardInterrupt``.
    """
    by_id = {problem.id: problem for problem in problems}
    _Work(sink, by_id, read, drawing, judging, observer or Quiet()).run()


def judge(
    problems: Sequence[tuple[Problem, Sequence[Candidate]]], judging: Judging, progress: Progress
) -> Memory:
    """The verdicts, or failures, of candidates that no model drew."""
    sink = Memory()
    for problem, candidates in problems:
        for candidate in candidates:
            sink.add_candidate(problem.id, candidate)
    work(sink, [problem for problem, _ in problems], judging=judging, observer=_Bar(progress))
    return sink


class _Bar(Quiet):
    """Draws judging as one progress."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def judged(self, problem: Problem, candidate: Candidate, verdict: Verdict, counts: Counts) -> None:
        self._progress(counts.judged + counts.failed, counts.candidates, problem.id)

    def failed(self, problem: str, message: str, counts: Counts) -> None:
        self._progress(counts.judged + counts.failed, counts.candidates, problem)


@dataclass
class _Work:
    sink: Sink
    problems: Mapping[str, Problem]
    read: Read | None
    drawing: Drawing | None
    judging: Judging | None
    observer: Observer

    def __post_init__(self) -> None:
        self._lanes = _lanes(self.judging)
        self._lock = threading.RLock()
        self._recorded = threading.Condition(self._lock)
        self._abandoned = self._found = False
        self._broken: InfrastructureError | LimitReached | None = None
        done, total = (self.drawing.done, self.drawing.total) if self.drawing else (0, 0)
        whole = self.drawing is None or self.drawing.enough is None
        self._counts = Counts(sampled=done, samples=total if whole else done)

    def run(self) -> None:
        judges = self._judges()
        try:
            self._resume()
            for thread in judges:
                thread.start()
            self._sample()
            self._lanes.finish()
            self._lanes.wait()
        finally:
            self._lanes.stop()
            if self.judging and self.judging.crew:
                self.judging.crew.stop()
            self._leave(judges)
        if self._broken is not None:
            raise self._broken

    def _judges(self) -> list[threading.Thread]:
        if self.judging is None:
            return []
        if self.judging.crew is not None:
            return [threading.Thread(target=self._hand_out, args=(self.judging.crew,), daemon=True)]
        jobs = range(self.judging.jobs)
        return [threading.Thread(target=self._judge, name=f"judge-{i}", daemon=True) for i in jobs]

    def _leave(self, judges: Sequence[threading.Thread]) -> None:
        """Wait a little for the judges, then do without them."""
        deadline = time.monotonic() + GRACE
        try:
            for thread in judges:
                if thread.ident is not None:
                    thread.join(max(0.0, deadline - time.monotonic()))
        finally:
            with self._lock:
                self._abandoned = True

    # -- in the caller's thread -------------------------------------------------------------------

    def _resume(self) -> None:
        """What an earlier run left half done."""
        for completion in self.sink.unread() if self.read else ():
            if completion.problem in self.problems:
                self._draw(completion)
        for problem in self.problems.values() if self.judging else ():
            for candidate in self.sink.unjudged(problem.id):
                self._queue(problem, candidate.key)

    def _sample(self) -> None:
        if self.drawing is None:
            return
        if self.drawing.enough is None:
            self._ask(self.drawing.model, self.drawing.requests)
            return
        for request in self.drawing.requests:
            with self._lock:
                self._counts = self._counts._replace(samples=self._counts.samples + len(request.samples))
            self._ask(self.drawing.model, [request])
            self._settled()
            if self._broken is not None or self.drawing.enough():
                return

    def _settled(self) -> None:
        """Wait until all that was drawn is judged, or one is found that makes the others needless."""
        found = self.drawing.found if self.drawing else None
        with self._recorded:
            while self._counts.judged + self._counts.failed < self._counts.candidates:
                self._recorded.wait(_LOOK)
                self._lanes.check()
                if found is not None and found():
                    self._found = True
                    self._lanes.clear()
                    return

    def _ask(self, model: Model, requests: Iterable[Request]) -> None:
        with closing(model.complete(requests)) as answers:  # type: ignore[type-var]
            while True:
                try:
                    completion = next(answers, None)
                except (InfrastructureError, LimitReached) as error:
                    self._stopped_answering(error)
                    return
                if completion is None:
                    return
                self._take(completion)
                self._lanes.check()

    def _stopped_answering(self, error: InfrastructureError | LimitReached) -> None:
        self._broken = error
        with self._lock:
            self.observer.failed("", str(error), self._counts)

    def _take(self, completion: Completion) -> None:
        self.sink.add_completion(completion)
        if completion.problem not in self.problems:
            return
        key = self._draw(completion)
        if key is not None and self.judging is not None:
            self._queue(self.problems[completion.problem], key)
        with self._lock:
            self._counts = self._counts._replace(sampled=self._counts.sampled + 1)
            self.observer.sampled(completion, self._counts)

    def _draw(self, completion: Completion) -> str | None:
        """Read an answer; the key of its candidate when that is new."""
        if self.read is None:
            return None
        candidate, reason = self.read(completion, self.problems[completion.problem])
        new = self.sink.add_draw(completion, candidate, reason)
        return candidate.key if candidate and new else None

    def _queue(self, problem: Problem, key: str) -> None:
        with self._lock:
            self._counts = self._counts._replace(candidates=self._counts.candidates + 1)
        self._lanes.add(problem, key)

    # -- in the judges' threads -------------------------------------------------------------------

    def _judge(self) -> None:
        """One judge, from the first candidate it is given to the last."""
        assert self.judging is not None
        lane = None
        with self._lanes.served(), _Seat(self.judging.validator) as seat:
            while (task := self._next(seat, lane)) is not None:
                lane, key = task
                self._settle(seat, lane, key)

    def _next(self, seat: _Seat, lane: Lane | None) -> tuple[Lane, str] | None:
        """The next candidate; unless it is one more of a batch, what is held back is kept before.

        What its session cannot vouch for is judged again behind all that waits of its problem: it may take
        minutes.
        """
        if seat.held and not seat.is_full and (task := self._lanes.take(lane, stays=True)) is not None:
            return task
        while seat.held or seat.again:
            if seat.is_full or not seat.again:
                self._vouch(seat)
            if (task := self._lanes.take(lane, stays=True)) is not None:
                return task
            if self._found or self._lanes.stopped:
                seat.again.clear()
            if seat.again:
                self._judged(seat, *seat.again.popleft())
        return self._lanes.take(lane)

    def _settle(self, seat: _Seat, lane: Lane, key: str) -> None:
        """One candidate: its verdict from the cache or by judging it, recorded."""
        candidate, verdict = self._known(lane, key)
        if verdict is None:
            begun = time.monotonic()
            self._judged(seat, lane, candidate)
            self._lanes.took(lane, time.monotonic() - begun)
        else:
            self._record(lane.problem, candidate, verdict, "")

    def _known(self, lane: Lane, key: str) -> tuple[Candidate, Verdict | None]:
        """A candidate, with its verdict where the cache has it."""
        assert self.judging is not None
        if not lane.fingerprint:
            lane.identity = self.judging.validator.identity(lane.problem)
            lane.fingerprint = fingerprint(lane.identity)
        candidate = self.sink.candidate(lane.problem.id, key)
        return candidate, self.judging.cache.get(lane.fingerprint, key)

    def _judged(self, seat: _Seat, lane: Lane, candidate: Candidate) -> None:
        """A verdict to keep, or one to hold back until its session vouches for it."""
        verdict, error = self._validated(seat, lane.problem, candidate)
        if verdict is not None and not verdict.plausible and seat.vouches:
            seat.hold(lane, candidate, verdict)
        else:
            self._keep(lane, candidate, verdict, error)

    def _vouch(self, seat: _Seat) -> None:
        """Keep what was held back and its session vouches for."""
        held, doubted = seat.released()
        for lane, candidate, verdict in held:
            if candidate.key in doubted:
                seat.again.append((lane, candidate))
            else:
                self._keep(lane, candidate, verdict, "")

    def _keep(self, lane: Lane, candidate: Candidate, verdict: Verdict | None, error: str) -> None:
        if verdict is not None and not self._abandoned and self.judging is not None:
            self.judging.cache.put(lane.fingerprint, {candidate.key: verdict})
        self._record(lane.problem, candidate, verdict, error)

    def _validated(self, seat: _Seat, problem: Problem, candidate: Candidate) -> tuple[Verdict | None, str]:
        """The verdict, or the infrastructure error that kept a candidate from getting one."""
        message = ""
        for _ in range(TRIES):
            try:
                return seat.session(problem).validate(candidate), ""
            except InfrastructureError as error:
                seat.close(error)
                message = str(error)
            if self._lanes.stopped:
                break
        return None, message

    def _record(self, problem: Problem, candidate: Candidate, verdict: Verdict | None, error: str) -> None:
        with self._lock:
            counts, stopped = self._counts, self._lanes.stopped
            if self._abandoned or (verdict is None and stopped):
                return
            if verdict is None:
                self.sink.add_failure(Failure("validate", problem.id, candidate.key, error))
                self._counts = counts._replace(failed=counts.failed + 1)
                self.observer.failed(problem.id, error, self._counts)
            else:
                self.sink.add_verdict(problem.id, candidate.key, verdict)
                self._counts = counts._replace(judged=counts.judged + 1)
                self.observer.judged(problem, candidate, verdict, self._counts)
            self._recorded.notify_all()

    # -- in one thread for all judges elsewhere, and in one of the crew's -------------------------

    def _hand_out(self, crew: Crew) -> None:
        """Send slices of lanes to judges elsewhere, from the first to the last."""
        with self._lanes.served():
            while (task := self._lanes.slice(crew.judges)) is not None:
                lane, keys = task
                unknown = []
                for candidate, verdict in (self._known(lane, key) for key in keys):
                    if verdict is None:
                        unknown.append(candidate)
                    else:
                        self._record(lane.problem, candidate, verdict, "")
                if unknown:
                    back = partial(self._returned, lane, unknown)
                    crew.hand_out(Slice(lane.problem, lane.identity, unknown), back)
                else:
                    self._lanes.release(lane)
            crew.wait()

    def _returned(self, lane: Lane, candidates: Sequence[Candidate], returned: Returned) -> None:
        """Keep what became of a slice."""
        given = returned.verdicts
        with self._lanes.stopping():
            if not self._abandoned and self.judging is not None:
                known = {each.key: given[each.key] for each in candidates if each.key in given}
                self.judging.cache.put(lane.fingerprint, known)
            for candidate in candidates:
                error = returned.failures.get(candidate.key, "came back without a verdict")
                self._record(lane.problem, candidate, given.get(candidate.key), error)
            self._lanes.release(lane)


def _lanes(judging: Judging | None) -> Lanes:
    if judging is None:
        return Lanes(0)
    judges = 1 if judging.crew else judging.jobs
    if isinstance(judging.validator, Estimating):
        return Lanes(judges, judging.validator.expected_seconds)
    return Lanes(judges)


class _Seat:
    """A judge's session, open from the first candidate that needs it until another problem's does."""

    def __init__(self, validator: Validator) -> None:
        self._validator = validator
        self._problem = ""
        self._session: Session | None = None
        self._stack = ExitStack()
        self.held: list[tuple[Lane, Candidate, Verdict]] = []
        """Verdicts of the open session that nobody has vouched for yet."""
        self.again: deque[tuple[Lane, Candidate]] = deque()
        """Candidates that nobody could vouch for."""
        self._since = 0.0
        self._orphans: set[str] = set()

    @property
    def vouches(self) -> bool:
        """Whether the open session checks its workers."""
        return isinstance(self._session, Vouching)

    @property
    def is_full(self) -> bool:
        """Whether somebody has to vouch for what is held."""
        return len(self.held) >= BATCH or time.monotonic() - self._since >= BATCH_SECONDS

    def hold(self, lane: Lane, candidate: Candidate, verdict: Verdict) -> None:
        if not self.held:
            self._since = time.monotonic()
        self.held.append((lane, candidate, verdict))

    def released(self) -> tuple[list[tuple[Lane, Candidate, Verdict]], set[str]]:
        """What was held, and the keys of those that must be judged again: all where their session broke."""
        held, self.held = self.held, []
        doubted, self._orphans = self._orphans, set()
        if isinstance(self._session, Vouching):
            doubted |= {candidate.key for candidate in self._session.doubted()}
        return held, doubted

    def session(self, problem: Problem) -> Session:
        if self._session is None or self._problem != problem.id:
            self.close(None)
            self._session = self._stack.enter_context(self._validator.session(problem))
            self._problem = problem.id
        return self._session

    def close(self, error: BaseException | None) -> None:
        """Close the session, telling it what broke in it; what breaks on closing costs no verdict."""
        self._session = None
        self._orphans |= {candidate.key for _, candidate, _ in self.held}
        stack = self._stack.pop_all()
        with suppress(InfrastructureError):
            stack.__exit__(type(error) if error else None, error, error.__traceback__ if error else None)

    def __enter__(self) -> _Seat:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close(error)
