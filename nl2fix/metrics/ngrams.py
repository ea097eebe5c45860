"""n-grams of texts that are mostly alike, counted only where the texts differ.

Contract: an n-gram that lies wholly in what all texts begin or end with is in each of them. With c such
occurrences, min(c + a, c + b) = c + min(a, b): so the shared ones need a number only, no look at each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

ORDERS = (1, 2, 3, 4)
"""Lengths of the n-grams that BLEU, SARI and Excision Score count."""

Counts = list[Counter[str]]
"""How often each n-gram occurs, one counter for each order."""


class Rests(NamedTuple):
    """The n-grams of some texts, split into those at the shared ends and the rest."""

    shared: list[int]
    """Number of n-grams that lie wholly in the shared beginning or end, for each order."""
    counts: list[Counts]
    """All other n-grams, for each text."""

    def matches(self, candidate: int, references: Sequence[int]) -> list[int]:
        """Per order, the n-grams of a text that occur in one of others, each as often as it does there."""
        found = []
        for order, shared in enumerate(self.shared):
            most = self.counts[references[0]][order]
            for place in references[1:]:
                most = most | self.counts[place][order]
            found.append(shared + (self.counts[candidate][order] & most).total())
        return found


def count_ngrams(pieces: Iterable[str], orders: Sequence[int] = ORDERS) -> Counts:
    """The n-grams of pieces of a text; none spans two pieces."""
    counts: Counts = [Counter() for _ in orders]
    for piece in pieces:
        for order, counter in zip(orders, counts, strict=True):
            counter.update([piece[i : i + order] for i in range(len(piece) - order + 1)])
    return counts


def rests(texts: Sequence[str], orders: Sequence[int] = ORDERS) -> Rests:
    """Split the n-grams of texts by whether all texts share them at their ends."""
    head, tail = _ends(texts)
    shared, counts = [], [list[Counter[str]]() for _ in texts]
    for order in orders:
        before, behind = max(0, head - order + 1), max(0, tail - order + 1)
        shared.append(before + behind)
        for text, own in zip(texts, counts, strict=True):
            own.extend(count_ngrams([text[before : len(text) - behind]], [order]))
    return Rests(shared, counts)


def _ends(texts: Sequence[str]) -> tuple[int, int]:
    """Length of what all texts begin with, and of what they then end with; the two do not overlap."""
    from rapidfuzz.distance import Postfix, Prefix

    first, *others = texts
    shortest = min(map(len, texts))
    head = min((Prefix.similarity(first, other) for other in others), default=shortest)
    tail = min((Postfix.similarity(first, other) for other in others), default=shortest)
    return head, min(tail, shortest - head)
