"""The methods that lines belong to which tests reach."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from nl2fix.suggestion.localisation.localise import ACCESSOR_FACTOR, FailingRun, Place
from nl2fix.suggestion.localisation.target import lies_at
from nl2fix.suggestion.localisation.thrown import kind
from nl2fix.validation.jvm.spectrum import Line, objected, suspicious
from nl2fix.validation.jvm.worker import Reached

LINES_WEIGHT = 0.2
"""For the logarithm of a method's lines that failing tests run: what they only pass through has few."""


def methods(places: Iterable[Place], lines: Mapping[Line, float]) -> dict[Place, float]:
    """The score of the most suspicious line of each method; a line belongs to the innermost one around it."""
    return {place: max(scores) for place, scores in _of_each(places, lines).items()}


def _of_each(places: Iterable[Place], lines: Mapping[Line, float]) -> dict[Place, list[float]]:
    """The scores of each method's lines, of those that have any."""
    by_name = defaultdict[str, list[Place]](list)
    for place in places:
        by_name[place.file.name].append(place)
    scores = defaultdict[Place, list[float]](list)
    for (source, line), score in lines.items():
        around = list(_around(by_name[source.rpartition("/")[2]], source, line))
        if around:
            scores[min(around, key=lambda place: place.last_line - place.line)].append(score)
    return scores


def run_at_length(places: Sequence[Place], reached: Reached, failed: Sequence[str]) -> Iterator[Place]:
    """The places, those with more of which the failing tests run more lines."""
    lines = _of_each(places, suspicious(reached, failed))
    for place in places:
        weight = LINES_WEIGHT * (ACCESSOR_FACTOR if place.plain else 1)
        yield replace(place, score=round(place.score + weight * math.log1p(len(lines.get(place, ()))), 4))


def is_run(places: Sequence[Place], reached: Reached, test: str) -> bool:
    """Whether a failing test runs one of these methods."""
    return bool(places and methods(places, suspicious(reached, [test])))


def with_runs(places: Iterable[Place], reached: Reached, fitting: Sequence[str]) -> Iterator[Place]:
    """The places, each with what its failing test does in it; ``fitting`` are all that fit the issue."""
    run: dict[str, dict[str, list[tuple[str, int, float]]]] = {}
    for place in places:
        if place.test and place.test not in run:
            run[place.test] = _by_name(suspicious(reached, [place.test]))
        near = run[place.test].get(place.file.name, ()) if place.test else ()
        lines = {line: score for source, line, score in near if _holds(place, source, line)}
        told = FailingRun(lines, _thrown_in(place, reached), _beside(place, fitting)) if lines else None
        yield replace(place, run=told) if told else place


def _beside(place: Place, tests: Sequence[str]) -> tuple[str, ...]:
    of_class = place.test.partition("::")[0] + "::"
    return tuple(test for test in tests if test.startswith(of_class) and test != place.test)


def _thrown_in(place: Place, reached: Reached) -> str:
    """What the JVM or the JDK threw in a method of which its test fails; empty where that was elsewhere."""
    for source, line in objected(reached, [place.test]):
        if _holds(place, source, line):
            return f"{kind(reached.said.get(place.test, ''))} ({place.file.name}:{line})".lstrip()
    return ""


def _by_name(lines: Mapping[Line, float]) -> dict[str, list[tuple[str, int, float]]]:
    """Source, number and score of lines, by the name of their file."""
    named = defaultdict[str, list[tuple[str, int, float]]](list)
    for (source, line), score in lines.items():
        named[source.rpartition("/")[2]].append((source, line, score))
    return named


def _around(places: Iterable[Place], source: str, line: int) -> Iterator[Place]:
    return (place for place in places if _holds(place, source, line))


def _holds(place: Place, source: str, line: int) -> bool:
    return place.line <= line <= place.last_line and lies_at(place.file, source)
