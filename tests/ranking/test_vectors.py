"""The vector cache."""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.ranking.chunks import embed_in_pieces
from nl2fix.ranking.hashing import make as hashing
from nl2fix.ranking.vectors import CachedEmbedder


class Counting:
    """The hashing embedder, remembering what it was asked for."""

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.asked: list[str] = []
        self._inner = hashing({"dimensions": 64}, Environment(cache=Path(os.devnull)))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        if "broken" in texts:
            raise RuntimeError("the model broke")
        return self._inner.embed(texts)


def test_each_text_is_embedded_once_and_found_again(tmp_path: Path) -> None:
    inner = Counting()
    first = CachedEmbedder(inner, tmp_path).embed(["a b", "c", "a b"])
    again = CachedEmbedder(inner, tmp_path).embed(["c", "a b", "d"])
    assert inner.asked == ["a b", "c", "d"]
    np.testing.assert_array_equal(first[[1, 0]], again[:2])
    np.testing.assert_allclose(first, inner.embed(["a b", "c", "a b"]), atol=1e-3)
    assert first.dtype == np.float32


def test_a_blank_text_beside_known_ones_is_zero(tmp_path: Path) -> None:
    """An embedder that sees blank texts alone cannot know how long its vectors are."""

    class Pieces(Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return embed_in_pieces(texts, 100, len, super().embed)

    embedder = CachedEmbedder(Pieces(), tmp_path)
    known = embedder.embed(["a"])
    rows = embedder.embed(["a", " \n"])
    np.testing.assert_array_equal(rows, [known[0], np.zeros_like(known[0])])
    assert embedder.embed([""]).shape == (1, 1)


def test_embedders_do_not_share_vectors(tmp_path: Path) -> None:
    one, two = Counting("one/model"), Counting("one_model")
    CachedEmbedder(one, tmp_path).embed(["a"])
    CachedEmbedder(two, tmp_path).embed(["a"])
    assert two.asked == ["a"]


def test_stored_in_two_bytes_a_number(tmp_path: Path) -> None:
    CachedEmbedder(Counting(), tmp_path).embed([f"text {i}" for i in range(300)])
    [file] = tmp_path.glob("vectors/*.sqlite")
    with sqlite3.connect(file) as store:
        assert store.execute("SELECT count(*), sum(length(vector)) FROM vectors").fetchone() == (
            300,
            300 * 128,
        )


def test_what_was_embedded_before_a_failure_is_kept(tmp_path: Path) -> None:
    inner = Counting()
    texts = [f"text {i}" for i in range(256)] + ["broken"]
    with pytest.raises(RuntimeError):
        CachedEmbedder(inner, tmp_path).embed(texts)
    inner.asked.clear()
    CachedEmbedder(inner, tmp_path).embed(texts[:256])
    assert inner.asked == []


def test_nothing_and_odd_text(tmp_path: Path) -> None:
    cached = CachedEmbedder(Counting(), tmp_path)
    assert len(cached.embed([])) == 0
    assert cached.embed(["\ud800", ""]).shape == (2, 64)


def test_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    cached = CachedEmbedder(Counting(), tmp_path)
    cached.embed(["a"])
    for file in tmp_path.glob("vectors/*"):
        file.write_bytes(b"this is no database, not at all" * 50)
    with pytest.raises(DataError, match="delete that file"):
        cached.embed(["b"])
