"""The offline embedder: hashed counts of code token 1–3-grams, no download and no model.

Contract: a text becomes one L2-normalised row; equal token sequences become equal rows, white space
never counts, and texts without any token become the zero row. Works on any language: a token is a
word, a number or a single other character.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Embedder

_TOKEN = re.compile(r"\w+|[^\w\s]")
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class HashingConfig:
    dimensions: int = 4096
    """Length of a vector. With fewer, different n-grams share a place more often."""
    longest: int = 3
    """Longest n-gram counted, in tokens."""


class HashingEmbedder:
    """Feature hashing (Weinberger et al. 2009) of token n-grams, with signed counts."""

    def __init__(self, config: HashingConfig) -> None:
        if config.dimensions < 2 or config.longest < 1:
            raise UsageError("embedder hashing needs dimensions >= 2 and longest >= 1")
        self._config = config
        self.name = f"hashing-{config.dimensions}-{config.longest}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape ``(len(texts), dimensions)``."""
        rows = np.zeros((len(texts), self._config.dimensions), dtype=np.float32)
        for i, text in enumerate(texts):
            hashes = self._ngrams(text)
            places = (hashes >> np.uint64(32)) % np.uint64(self._config.dimensions)
            signs = np.where(hashes & np.uint64(1 << 20), 1.0, -1.0)
            row = np.bincount(places.astype(np.intp), weights=signs, minlength=self._config.dimensions)
            length = float(np.linalg.norm(row))
            rows[i] = row / length if length else row
        return rows

    def _ngrams(self, text: str) -> NDArray[np.uint64]:
        """One hash per n-gram occurrence; the hash of an n-gram depends on its order and length."""
        words = np.fromiter(map(_word, _TOKEN.findall(text)), dtype=np.uint64)
        grams, parts = words * _MIX, []
        for size in range(1, self._config.longest + 1):
            parts.append((grams ^ (grams >> np.uint64(31))) * (_MIX + np.uint64(2 * size)))
            grams = (grams[:-1] ^ (grams[:-1] >> np.uint64(29))) * _MIX + words[size:]
        return np.concatenate(parts)


@lru_cache(maxsize=1 << 16)
def _word(token: str) -> int:
    return zlib.crc32(token.encode("utf-8", "surrogatepass")) + 1


def make(options: Mapping[str, Any], environment: Environment) -> Embedder:
    return HashingEmbedder(read(HashingConfig, options, "embedder hashing"))
