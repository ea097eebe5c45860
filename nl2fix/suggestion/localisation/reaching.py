"""The methods that lines belong to which tests reach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from nl2fix.suggestion.localisation.localise import Place
from nl2fix.suggestion.localisation.target import lies_at
from nl2fix.validation.jvm.spectrum import Line, suspicious
from nl2fix.validation.jvm.worker import Reached


def methods(places: Iterable[Place], lines: Mapping[Line, float]) -> dict[Place, float]:
    """The score of the most suspicious line of each method; a line belongs to the innermost one around it."""
    by_name = defaultdict[str, list[Place]](list)
    for place in places:
        by_name[place.file.name].append(place)
    scores: dict[Place, float] = {}
    for (source, line), score in lines.items():
        around = list(_around(by_name[source.rpartition("/")[2]], source, line))
        if around:
            inner = min(around, key=lambda place: place.last_line - place.line)
            scores[inner] = max(score, scores.get(inner, 0.0))
    return scores


def is_run(places: Sequence[Place], reached: Reached, test: str) -> bool:
    """Whether a failing test runs one of these methods."""
    return bool(places and methods(places, suspicious(reached, [test])))


def _around(places: Iterable[Place], source: str, line: int) -> Iterator[Place]:
    for place in places:
        if place.line <= line <= place.last_line and lies_at(place.file, source):
            yield place
