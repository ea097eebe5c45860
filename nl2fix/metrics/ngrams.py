"""n-grams of texts that are mostly alike, counted only where the texts differ.

Contract: an n-gram that lies wholly in a block that all texts have is in each of them. With c such
occurrences, min(c + a, c + b) = c + min(a, b): so the shared ones need a number only, no look at each.
Which blocks are taken never changes a result, only how much is left to count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

H = TypeVar("H", bound=Hashable)

ORDERS = (1, 2, 3, 4)
"""Lengths of the n-grams that BLEU, SARI and Excision Score count."""

Counts = list[Counter[str]]
"""How often each n-gram occurs, one counter for each order."""

_SHORTEST = 8
"""Items of a block that is worth looking at; more than those of the longest n-gram."""


class CommonBlock(NamedTuple):
    """Items that two strings have in common, one behind the other."""

    one: int
    two: int
    size: int


def align(one: str, two: str) -> list[CommonBlock]:
    """A longest common subsequence, in bit-parallel time: of those of equal length rapidfuzz's ``LCSseq``.

    A common beginning is matched first, then a common end; between them, read from the end, an item of
    ``one`` is dropped where that costs nothing, else one of ``two``, else both match.
    """
    from rapidfuzz.distance import LCSseq

    matching = LCSseq.editops(one, two).as_matching_blocks()
    return [CommonBlock(block.a, block.b, block.size) for block in matching if block.size]


class Rests:
    """The n-grams of some texts, split into those inside shared blocks and the rest."""

    def __init__(self, shared: list[int], counts: list[Counts], head: int, bare: Rests | None = None) -> None:
        self.shared = shared
        """Number of n-grams that lie wholly in a shared block, for each order."""
        self.counts = counts
        """All other n-grams, for each text."""
        self.head = head
        """Length of what all texts begin with."""
        self._bare = bare
        self._matched: dict[tuple[int, ...], list[int]] = {}

    def matches(self, candidate: int, references: Sequence[int]) -> list[int]:
        """Per order, the n-grams of a text that occur in one of others, each as often as it does there."""
        rests = self._bare or self
        key = (candidate, *references)
        if key not in rests._matched:
            rests._matched[key] = [rests._match(candidate, references, i) for i in range(len(self.shared))]
        return [shared + rest for shared, rest in zip(self.shared, rests._matched[key], strict=True)]

    def _match(self, candidate: int, references: Sequence[int], order: int) -> int:
        most = self.counts[references[0]][order]
        for place in references[1:]:
            most = most | self.counts[place][order]
        return in_both(self.counts[candidate][order], most)

    def behind(self, length: int) -> Rests:
        """Those of the same texts behind a text of ``length``.

        ``head`` must hold an n-gram but for one item: all that is new then lies in the shared beginning.
        """
        return Rests([shared + length for shared in self.shared], self.counts, self.head + length, self)


def in_both(one: Counter[H], other: Counter[H]) -> int:
    """Number of items that two have in common, each as often as the one that has it less."""
    if len(one) > len(other):
        one, other = other, one
    if one is other:
        return one.total()
    pairs = [(count, other[ngram]) for ngram, count in one.items() if ngram in other]
    return sum([count if count < most else most for count, most in pairs])


def count_ngrams(pieces: Iterable[str]) -> Counts:
    """The n-grams of pieces of a text; none spans two pieces."""
    pieces = list(pieces)
    return [
        Counter([piece[i : i + order] for piece in pieces for i in range(len(piece) - order + 1)])
        for order in ORDERS
    ]


def rests(
    texts: Sequence[str],
    alignments: Sequence[Sequence[CommonBlock]] | None = None,
    orders: Sequence[int] = ORDERS,
) -> Rests:
    """Split the n-grams of texts by whether they lie in a block that all texts have.

    ``alignments`` are blocks of the first text with each other one; found where not given. All texts but the
    last are taken to come again, so their n-grams are kept.
    """
    if alignments is None:
        alignments = [align(texts[0], text) for text in texts[1:]]
    blocks = _shared_blocks(len(texts[0]), alignments)
    head = blocks[0].size if blocks and not any(blocks[0].places) else 0
    long = [block for block in blocks if block.size >= _SHORTEST]
    shared = [sum([block.size - order + 1 for block in long]) for order in orders]
    gaps = [_gaps(len(text), [block.places[i] for block in long], long) for i, text in enumerate(texts)]
    readers = [*[_ngrams_again] * (len(texts) - 1), _ngrams]
    counts = [
        [_count(text, cuts, order, read) for order in orders]
        for text, cuts, read in zip(texts, gaps, readers, strict=True)
    ]
    return Rests(shared, counts, head)


class _Shared(NamedTuple):
    """Items that all texts have, one behind the other."""

    places: tuple[int, ...]
    size: int


def _shared_blocks(length: int, alignments: Iterable[Sequence[CommonBlock]]) -> list[_Shared]:
    """What all alignments of a text of this length with others have in common, rising."""
    shared = [_Shared((0,), length)] if length else []
    for blocks in alignments:
        shared = list(_meet(shared, blocks))
    return shared


def _meet(shared: Sequence[_Shared], blocks: Sequence[CommonBlock]) -> Iterator[_Shared]:
    i = j = 0
    while i < len(shared) and j < len(blocks):
        places, size = shared[i]
        one, two, other_size = blocks[j]
        start, end = max(places[0], one), min(places[0] + size, one + other_size)
        if start < end:
            moved = start - places[0]
            yield _Shared((*[place + moved for place in places], two + start - one), end - start)
        if places[0] + size <= one + other_size:
            i += 1
        else:
            j += 1


def _gaps(length: int, places: Sequence[int], blocks: Sequence[_Shared]) -> list[tuple[int, int]]:
    """What stands before, between and behind blocks of a text."""
    ends = [0, *(place + block.size for place, block in zip(places, blocks, strict=True))]
    return list(zip(ends, [*places, length], strict=True))


def _count(
    text: str,
    gaps: Sequence[tuple[int, int]],
    order: int,
    read: Callable[[str, int, int, int], list[str]],
) -> Counter[str]:
    """The n-grams that do not lie wholly in one of the blocks around the gaps."""
    last, found = len(text) - order + 1, []
    for a, b in gaps:
        found += read(text, order, max(0, a - order + 1), min(b, last))
    return Counter(found)


def _ngrams(text: str, order: int, start: int, stop: int) -> list[str]:
    return [text[i : i + order] for i in range(start, stop)]


def _ngrams_again(text: str, order: int, start: int, stop: int) -> list[str]:
    return _all_ngrams(text, order)[start : max(start, stop)]


@lru_cache(maxsize=64)
def _all_ngrams(text: str, order: int) -> list[str]:
    return _ngrams(text, order, 0, len(text) - order + 1)
