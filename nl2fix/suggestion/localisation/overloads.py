"""Which of several overloads an issue means: one that takes what it speaks of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from nl2fix.suggestion.localisation.localise import Place, words


def told_first(places: Iterable[Place], text: str) -> Iterator[Place]:
    """The places; of overloads that failing tests run those first that take what a text names.

    They keep the scores that all of them have, so that nothing else moves. A failing test often runs others,
    too, with which it sets up what the one that is meant is called with.
    """
    told = set(words(text))
    overloads = defaultdict[tuple[str, str], list[Place]](list)
    for place in places:
        if place.test:
            overloads[place.owner, place.entity.partition("(")[0]].append(place)
        else:
            yield place
    for group in overloads.values():
        yield from _reordered(group, told)


def _reordered(group: Sequence[Place], told: Set[str]) -> Iterator[Place]:
    takes = [set(words(place.entity.partition("(")[2])) for place in group]
    all_take = set.intersection(*takes)
    meant = {place for place, own in zip(group, takes, strict=True) if (own - all_take) & told}
    ranked = sorted(group, key=lambda place: -place.score)
    for place, other in zip(sorted(ranked, key=lambda place: place not in meant), ranked, strict=True):
        yield replace(place, score=other.score)
