"""The likeliest methods once more, by what failing tests run.

A method gains by the most suspicious of its lines: those that failing tests reach and passing ones do not
(``validation.jvm.spectrum``), relative to the most suspicious line of all. Methods that no failing test
reaches lose. The failing tests are those that are known, else those of the classes that the issue names,
else all; as some of these may fail for other reasons, lines gain by what they share with all of them then.
How much better that is: benchmarks/suggest_history.md.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path

from nl2fix.core.errors import Nl2fixError
from nl2fix.suggestion.failing import FailingTest, owner_of
from nl2fix.suggestion.localise import Place, best_first
from nl2fix.suggestion.setup import Setup
from nl2fix.suggestion.target import module_of, test_files
from nl2fix.validation.jvm.spectrum import Line, suspicious

RUN_WEIGHT, UNREACHED_WEIGHT = 3.0, 1.0
_NEAR = 10
"""Of the likeliest places so many say which tests are worth their time."""
_WORD = re.compile(r"\w+")


def sharpened(
    root: Path, places: Sequence[Place], setup: Setup, tests: Sequence[FailingTest], text: str
) -> list[Place]:
    """The places in their new order; in the old one where no test fails or none can be run."""
    named = {test.owner for test in tests}
    files = {file.stem: file for file in test_files(root)}
    named |= files.keys() & set(_WORD.findall(text))
    where = {module_of(root, files[name]) for name in named & files.keys()}
    file = next((p.file for p in places if module_of(root, p.file) in where), places[0].file)
    near = list(dict.fromkeys(place.owner for place in places[:_NEAR]))
    try:
        reached = setup.reached(file, named, near)
    except Nl2fixError:
        return list(places)  # what is wrong is told when a place is prepared
    meant = _meant(list(reached.failed), tests, named)
    failed = meant or list(reached.failed)
    scores = _methods(places, suspicious(reached, failed)) if failed else {}
    if not scores:
        return list(places)
    best = max(scores.values()) if meant else 1.0
    shown = failed[0].replace("::", "#").rpartition(".")[2]
    return best_first(
        replace(
            place,
            score=round(place.score + RUN_WEIGHT * scores[place] / best, 4),
            why=f"{place.why}; run by {shown}",
        )
        if place in scores
        else replace(place, score=round(place.score - UNREACHED_WEIGHT, 4))
        for place in places
    )


def _meant(failed: Sequence[str], tests: Sequence[FailingTest], named: Set[str]) -> list[str]:
    """Of the tests that failed those that are known, else those of classes that are named."""
    known = [test for test in failed if any(each.is_meant(test) for each in tests)]
    return known or [test for test in failed if owner_of(test) in named]


def _methods(places: Sequence[Place], lines: Mapping[Line, float]) -> dict[Place, float]:
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


def _around(places: Iterable[Place], source: str, line: int) -> Iterator[Place]:
    for place in places:
        if place.line <= line <= place.last_line and f"/{place.file.as_posix()}".endswith(f"/{source}"):
            yield place
