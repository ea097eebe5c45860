"""Near-duplicates by MinHash and locality-sensitive hashing (rensa), over shingles of tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from nl2fix.core.errors import UsageError

PERMUTATIONS = 128
SHINGLE = 5
"""Tokens in a shingle."""
_TOKEN = re.compile(r"\w+|[^\w\s]")


def shingles(text: str) -> list[str]:
    """Runs of tokens of a text, names and signs apart; white space says nothing."""
    tokens = _TOKEN.findall(text)
    if len(tokens) <= SHINGLE:
        return [" ".join(tokens)]
    return [*map(" ".join, zip(*(tokens[i:] for i in range(SHINGLE)), strict=False))]


class NearDuplicates:
    """Texts seen so far, asked for those that are like another one.

    Two texts are alike from an estimated Jaccard similarity of their shingles on; memory is about
    1.5 kB a text.
    """

    def __init__(self, similarity: float) -> None:
        self._rensa = _library()
        self._similarity = similarity
        self._index = self._rensa.RMinHashLSH(similarity, PERMUTATIONS, bands(similarity))
        self._seen: list[Any] = []

    def like(self, text: str) -> int | None:
        """Number of a text added before that this one is like; ``None`` without any."""
        return self._like(self._sketch(text))

    def add(self, text: str) -> int | None:
        """As ``like``; a text that is like no other is added."""
        sketch = self._sketch(text)
        alike = self._like(sketch)
        if alike is None:
            self._insert(sketch)
        return alike

    def insert(self, text: str) -> None:
        """Add a text, whatever it is like."""
        self._insert(self._sketch(text))

    def _insert(self, sketch: Any) -> None:
        self._index.insert(len(self._seen), sketch)
        self._seen.append(sketch)

    def _sketch(self, text: str) -> Any:
        sketch = self._rensa.RMinHash(PERMUTATIONS, 1)
        sketch.update(shingles(text))
        return sketch

    def _like(self, sketch: Any) -> int | None:
        near: Sequence[int] = self._index.query(sketch)
        alike = (key for key in sorted(near) if self._seen[key].jaccard(sketch) >= self._similarity)
        return next(alike, None)


def bands(similarity: float) -> int:
    """Bands of equal height, as few as keep the chance to miss a pair of just this similarity under 1 %."""
    for count in (2, 4, 8, 16, 32, 64):
        if (1 - similarity ** (PERMUTATIONS // count)) ** count < 0.01:
            return count
    return PERMUTATIONS


def _library() -> Any:
    try:
        import rensa
    except ImportError:
        raise UsageError("finding near-duplicates needs rensa: pip install 'nl2fix[edits]'") from None
    return rensa
