"""chrF2 (Popović 2015): F2 of character 1–6-grams, white space and comments left out.

Equals sacrebleu's sentence chrF with its own defaults: effective order, best over references.
"""

from __future__ import annotations

from itertools import accumulate

from nl2fix.core.registry import always
from nl2fix.metrics.ngrams import CommonBlock, Rests, align, rests
from nl2fix.metrics.texts import Revision, Text

_ORDERS = (1, 2, 3, 4, 5, 6)
_BETA = 2


def chrf(revision: Revision) -> float | None:
    """chrF2, best over references, 0 to 1; ``None`` when a side has no character."""
    places = [i for i, reference in enumerate(revision.references) if reference.once(_characters)]
    if not places or not revision.candidate.once(_characters):
        return None
    return max(_score(revision, place) for place in places)


def _characters(text: Text) -> str:
    if text.parts:
        return "".join([part.once(_characters) for part in text.parts])
    return "".join(text.code.split())


def _words(text: Text) -> tuple[str, list[int]]:
    """What stands between white space, one character each, and where each begins and the last ends."""
    words = text.code.split()
    return text.common.vocabulary.encode(words), list(accumulate(map(len, words), initial=0))


def _alignment(one: Text, two: Text) -> list[CommonBlock]:
    """Characters that two texts have in common: those of whole words, for fewer are quicker aligned."""
    (words, places), (others, other_places) = one.once(_words), two.once(_words)
    return [
        CommonBlock(places[a], other_places[b], places[a + size] - places[a])
        for a, b, size in align(words, others)
    ]


def _rests(revision: Revision, place: int) -> Rests:
    """The n-grams of one reference and the candidate."""
    candidate, reference = revision.candidate.once(_characters), revision.references[place].once(_characters)
    bare = revision.bare
    if bare is not revision:
        shorter = bare.once((_rests, place), lambda: _rests(bare, place))
        if shorter.head >= _ORDERS[-1] - 1:
            return shorter.behind(len(candidate) - len(bare.candidate.once(_characters)))
    known = _alignment(revision.references[place], revision.candidate)
    return rests([reference, candidate], [known], _ORDERS)


def _score(revision: Revision, place: int) -> float:
    """F-beta of the mean precision and the mean recall, over the orders that both texts have."""
    size = len(revision.candidate.once(_characters))
    wanted = len(revision.references[place].once(_characters))
    matches = revision.once((_rests, place), lambda: _rests(revision, place)).matches(1, [0])
    orders = [order for order in _ORDERS if order <= min(size, wanted)]
    precision = _mean([matches[order - 1] / (size - order + 1) for order in orders])
    recall = _mean([matches[order - 1] / (wanted - order + 1) for order in orders])
    if not precision + recall:
        return 0.0
    factor = _BETA**2
    return (1 + factor) * precision * recall / (factor * precision + recall)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


make_chrf = always(chrf)
