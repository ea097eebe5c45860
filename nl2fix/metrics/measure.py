"""Metrics of many revisions: equal triples are measured once, edits are spread over processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from nl2fix.core.protocols import Language, Progress
from nl2fix.languages import language as find_language
from nl2fix.metrics import METRICS
from nl2fix.metrics.texts import Edit, Revision

Scores = dict[str, float | None]
"""Name of a metric → its value; ``None`` where it is undefined."""

Metric = Callable[[Revision], float | None]

_BATCH = 256
"""Most candidates sent to a process at once."""


class Triple(NamedTuple):
    """Code before, the references it may become, and what a model made of it."""

    before: str
    references: tuple[str, ...]
    candidate: str


class _Job(NamedTuple):
    """Distinct candidates of one edit."""

    before: str
    references: tuple[str, ...]
    candidates: tuple[str, ...]
    language: str
    names: tuple[str, ...]


def measure(triple: Triple, language: Language, names: Iterable[str] = METRICS) -> Scores:
    """The named metrics of one triple, by default all."""
    revision = Edit(triple.before, triple.references, language).revision(triple.candidate)
    return _scores(revision, _load(tuple(names)))


def measure_all(
    triples: Sequence[Triple],
    language: str,
    names: Iterable[str] = METRICS,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Scores]:
    """The named metrics of every triple, in order; ``language`` is a name in the language registry.

    Equal triples share one ``Scores`` object. With ``jobs`` > 1, plug-in metrics and languages must be
    given by ``package.module:attribute``, for the processes do not share what was registered.
    """
    places: dict[Triple, list[int]] = {}
    for i, triple in enumerate(triples):
        places.setdefault(triple, []).append(i)
    work = _split(places, language, tuple(names))
    results: list[Scores] = [{} for _ in triples]
    done = 0
    for job, found in _run(work, jobs):
        for candidate, scores in zip(job.candidates, found, strict=True):
            where = places[Triple(job.before, job.references, candidate)]
            done += len(where)
            for i in where:
                results[i] = scores
        if progress is not None:
            progress(done, len(triples), "metrics")
    return results


def _split(triples: Iterable[Triple], language: str, names: tuple[str, ...]) -> list[_Job]:
    """One job per edit, cut where it has many candidates; the longest first."""
    edits: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for triple in triples:
        edits.setdefault(triple[:2], []).append(triple.candidate)
    work = [
        _Job(before, references, tuple(candidates[i : i + _BATCH]), language, names)
        for (before, references), candidates in edits.items()
        for i in range(0, len(candidates), _BATCH)
    ]
    return sorted(work, key=lambda job: -sum(map(len, job.candidates)))


def _run(work: Sequence[_Job], jobs: int) -> Iterable[tuple[_Job, list[Scores]]]:
    if jobs <= 1 or len(work) <= 1:
        return ((job, _measure_job(job)) for job in work)
    return _run_parallel(work, jobs)


def _run_parallel(work: Sequence[_Job], jobs: int) -> Iterable[tuple[_Job, list[Scores]]]:
    with ProcessPoolExecutor(min(jobs, len(work)), mp_context=get_context("spawn")) as pool:
        yield from zip(work, pool.map(_measure_job, work, chunksize=1), strict=True)


def _measure_job(job: _Job) -> list[Scores]:
    metrics = _load(job.names)
    edit = Edit(job.before, job.references, find_language(job.language))
    return [_scores(edit.revision(candidate), metrics) for candidate in job.candidates]


def _load(names: tuple[str, ...]) -> dict[str, Metric]:
    return {name: METRICS.load(name) for name in names}


def _scores(revision: Revision, metrics: dict[str, Metric]) -> Scores:
    return {name: metric(revision) for name, metric in metrics.items()}
