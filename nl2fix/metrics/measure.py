"""Metrics of many revisions: equal triples are measured once, edits are spread over processes."""

from __future__ import annotations

import gc
import os
import platform
import signal
import traceback
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from importlib import metadata
from math import isfinite
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from numbers import Real
from reprlib import repr as shortened
from threading import Thread
from typing import NamedTuple

from nl2fix.core import outside
from nl2fix.core.errors import InfrastructureError, Nl2fixError, UsageError
from nl2fix.core.protocols import Language, Progress, Spread
from nl2fix.languages import LANGUAGES
from nl2fix.languages import language as find_language
from nl2fix.metrics import METRICS
from nl2fix.metrics.codebleu import reads_alike
from nl2fix.metrics.texts import Edit, Revision

Scores = dict[str, float | None]
"""Name of a metric → its value; ``None`` where it is undefined."""

Metric = Callable[[Revision], float | None]

PACKAGES = ("rapidfuzz", "sacrebleu", "tree-sitter", *(f"tree-sitter-{name}" for name in LANGUAGES.built_in))
"""Packages that values depend on."""
_BATCH = 256
"""Most candidates sent to a process at once."""
_PATIENCE = 5.0
"""Seconds for the status of a process that hung up."""


class Triple(NamedTuple):
    """Code before, the references it may become, and what a model made of it."""

    before: str
    references: tuple[str, ...]
    candidate: str


class Views(NamedTuple):
    """What is measured of one triple."""

    plain: Scores
    """Against the references."""
    backward: Scores
    """Against the code before."""
    padded: Scores
    """Against the references, behind the same lines before all texts."""


class Case(NamedTuple):
    """A triple, and the whole lines that stand before all its texts where it is padded."""

    triple: Triple
    head: str = ""


class Measures(NamedTuple):
    """Names of the metrics to measure in each view."""

    plain: tuple[str, ...]
    backward: tuple[str, ...] = ()
    padded: tuple[str, ...] = ()


class _Job(NamedTuple):
    """Distinct candidates of one edit."""

    before: str
    references: tuple[str, ...]
    head: str
    candidates: tuple[str, ...]
    language: str
    wanted: Measures


def identity() -> dict[str, str]:
    """What values depend on but for the texts, by aspect: equal where they would be equal."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "machine": platform.machine(),
        "list of plug-ins": ", ".join((*METRICS.added, *LANGUAGES.added)) or "empty",
        **{name: metadata.version(name) for name in PACKAGES},
    }


@cache
def usable() -> tuple[str, ...]:
    """Names of all metrics; those of installed packages that cannot be made are left out with a warning."""
    broken = set()
    for plugin in METRICS.plugins():
        try:
            metric(plugin.name)
        except Exception as error:  # noqa: BLE001 - whatever a foreign module does
            left_out = f"metric {plugin.name} of package {plugin.package} is left out"
            warnings.warn(f"{left_out}: {outside.told(error) or error}", stacklevel=2)
            broken.add(plugin.name)
    return tuple(name for name in METRICS if name not in broken)


def measure(triple: Triple, language: Language, names: Iterable[str] = METRICS) -> Scores:
    """The named metrics of one triple, by default all."""
    revision = Edit(triple.before, triple.references, language).revision(triple.candidate)
    return _scores(revision, _load(names))


def measure_all(
    triples: Sequence[Triple],
    language: str,
    names: Iterable[str] = METRICS,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Scores]:
    """The named metrics of every triple, in order; see ``measure_views``."""
    wanted = Measures(tuple(names))
    return [
        views.plain for views in measure_views([Case(t) for t in triples], language, wanted, jobs, progress)
    ]


def measure_views(
    cases: Sequence[Case],
    language: str,
    wanted: Measures,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    spread: Spread | None = None,
) -> list[Views]:
    """Several views of every triple, in order; ``language`` is a name in the language registry.

    They are measured in ``jobs`` processes, or by ``spread``, where one is given. Each text is read once for
    all views. Equal cases share one ``Views`` object. In a language that is not there (a run made elsewhere,
    with a plug-in) every metric is undefined.
    """
    if language not in LANGUAGES and ":" not in language:
        undefined = Views(*(dict.fromkeys(names) for names in wanted))
        return [undefined for _ in cases]
    places: dict[Case, list[int]] = {}
    for i, case in enumerate(cases):
        places.setdefault(case, []).append(i)
    results: dict[int, Views] = {}
    work = _split(places, language, wanted)
    with closing(spread(_measure_job, work) if spread else _run(work, jobs)) as measured:
        for job, job_views in measured:
            for candidate, views in zip(job.candidates, job_views, strict=True):
                where = places[Case(Triple(job.before, job.references, candidate), job.head)]
                results.update(dict.fromkeys(where, views))
            if progress is not None:
                progress(len(results), len(cases), "metrics")
    return [results[i] for i in range(len(cases))]


def _split(cases: Iterable[Case], language: str, wanted: Measures) -> list[_Job]:
    """One job per edit, cut where it has many candidates; the longest first."""
    edits: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
    for (before, references, candidate), head in cases:
        edits.setdefault((before, references, head), []).append(candidate)
    work = [
        _Job(*edit, tuple(candidates[i : i + _BATCH]), language, wanted)
        for edit, candidates in edits.items()
        for i in range(0, len(candidates), _BATCH)
    ]
    return sorted(work, key=lambda job: -sum(map(len, job.candidates)))


_Results = Generator[tuple[_Job, list[Views]]]


def _run(work: Sequence[_Job], jobs: int) -> _Results:
    if jobs <= 1 or len(work) <= 1:
        return ((job, _measure_job(job)) for job in work)
    return _run_parallel(work, jobs)


def _run_parallel(work: Sequence[_Job], jobs: int) -> _Results:
    """Results as they come. When it ends, for whatever reason, its processes have ended too."""
    workers = [_Worker() for _ in range(min(jobs, len(work)))]
    waiting = list(reversed(work))
    busy: dict[object, tuple[_Worker, _Job]] = {}
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            busy[worker.connection] = worker, worker.begin(waiting.pop())
        while busy:
            for connection in wait([worker.connection for worker, _ in busy.values()]):
                worker, job = busy.pop(connection)
                answered = worker.answer()
                if waiting:
                    busy[connection] = worker, worker.begin(waiting.pop())
                yield job, answered
    finally:
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.close()


class _Worker:
    """A process that measures one job after the other, and holds nothing that needs an orderly end.

    Not ``ProcessPoolExecutor``: that waits for running jobs when it is left, and forever where a process
    was ended after jobs were cancelled.
    """

    def __init__(self) -> None:
        context = get_context("spawn")
        self.connection, self._other = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._other,), daemon=True)

    def start(self) -> None:
        """Apart from making it, so that one whose start is interrupted is known and can be ended."""
        resource_tracker.ensure_running()  # when it starts, it lets blocked signals through
        with _blocked_signals():
            self._process.start()  # inherits the mask: a signal to the whole group is the parent's matter
            self._other.close()

    def kill(self) -> None:
        if self._process.pid is not None:
            self._process.kill()

    def close(self) -> None:
        """Wait until a killed process is gone."""
        if self._process.pid is not None:
            self._process.join()
        self.connection.close()

    def begin(self, job: _Job) -> _Job:
        """Send a job, which is returned."""
        try:
            self.connection.send(job)
        except ConnectionError as error:
            raise self._lost() from error
        return job

    def answer(self) -> list[Views]:
        """Result of the job sent last; what was raised there is raised here."""
        try:
            received: list[Views] | Exception = self.connection.recv()
        except (EOFError, ConnectionError) as error:
            raise self._lost() from error
        if isinstance(received, Exception):
            raise received
        return received

    def _lost(self) -> InfrastructureError:
        self._process.join(_PATIENCE)
        return InfrastructureError(
            f"a process that measured candidates ended with status {self._process.exitcode}, which may be "
            "for lack of memory; try again with fewer --jobs"
        )


@contextmanager
def _blocked_signals() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection) -> None:
    """What a worker does until it is killed or its parent is gone."""
    Thread(target=_end_with_parent, daemon=True).start()
    answered: list[Views] | Exception
    with suppress(EOFError, ConnectionError):
        while True:
            job: _Job = connection.recv()
            try:
                answered = _measure_job(job)
            except Exception as error:  # noqa: BLE001 - raised again in the parent
                error.add_note(traceback.format_exc())
                answered = error
            connection.send(answered)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _no_collector() -> Iterator[None]:
    """What is made of candidates holds no cycles: looking for some takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_no_collector()
def _measure_job(job: _Job) -> list[Views]:
    plain, backward, padded = map(_load, job.wanted)
    edit = Edit(job.before, job.references, find_language(job.language))
    undone, behind = edit.undone(), edit.behind(job.head) if padded else None
    shares = _shares(job) and (behind is None or behind.is_apart)
    alike: dict[tuple[str, str], Views] = {}
    job_views = []
    for candidate in job.candidates:
        revision = edit.revision(candidate)
        reading = revision.candidate.tokens, revision.candidate.lines
        views = alike.get(reading)
        if views is None:
            views = Views(
                _scores(revision, plain),
                _scores(undone.revision(revision.candidate), backward),
                _scores(behind.revision(revision), padded) if behind else {},
            )
            if shares and reads_alike(revision.candidate):
                alike[reading] = views
        job_views.append(views)
    return job_views


def _shares(job: _Job) -> bool:
    """Whether texts of equal tokens and lines have equal values: nl2fix knows what its own parts look at.

    JavaScript has white space in its trees: that between the tags of JSX.
    """
    names = {name for names in job.wanted for name in names}
    return (
        names <= {*METRICS.built_in} and job.language in LANGUAGES.built_in and job.language != "javascript"
    )


def _load(names: Iterable[str]) -> dict[str, Metric]:
    return {name: metric(name) for name in names}


def metric(name: str) -> Metric:
    """The metric of that name (or ``package.module:factory`` path)."""
    given = METRICS.make(name, {}, None)
    if not callable(given):
        raise UsageError(f"metric {name!r} is no function of an edit")
    return given if name in METRICS.built_in else partial(_number, name, given)


def _number(name: str, given: Callable[[Revision], object], revision: Revision) -> float | None:
    """The value of a metric from outside; one that is not finite is undefined."""
    value = given(revision)
    with suppress(OverflowError):
        if value is None or isinstance(value, Real):
            return float(value) if value is not None and isfinite(value) else None
    raise Nl2fixError(f"metric {name} gave {shortened(value)}, which is neither a number nor None")


def _scores(revision: Revision, metrics: dict[str, Metric]) -> Scores:
    return {name: metric(revision) for name, metric in metrics.items()}
