"""Cutting long texts between lines."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.ranking.chunks import TextCutWarning, cut, embed_in_pieces


@given(st.text("ab \n", max_size=60), st.integers(8, 30))
def test_nothing_is_lost_and_pieces_are_small_enough(text: str, limit: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TextCutWarning)
        pieces = cut(text, limit, len)
    assert "".join(pieces) == text
    lines = text.splitlines(keepends=True)
    assert all(len(piece) <= limit or piece in lines for piece in pieces)


def test_a_line_too_long_is_told() -> None:
    with pytest.warns(TextCutWarning, match="size 20 is cut at 10"):
        assert cut("short\n" + "x" * 20, 10, len) == ["short\n", "x" * 20]


def test_rows_are_means_of_pieces_weighted_by_size() -> None:
    def axes(pieces: list[str]) -> np.ndarray:
        return np.array([[1, 0] if piece.startswith("a") else [0, 1] for piece in pieces], dtype=np.float32)

    rows = embed_in_pieces(["aaa", "aaa\nb\n", " \n"], 4, len, axes)
    np.testing.assert_allclose(rows[0], [1, 0])
    np.testing.assert_allclose(rows[1], np.array([4, 2]) / np.hypot(4, 2), rtol=1e-6)
    np.testing.assert_array_equal(rows[2], [0, 0])


def test_an_edit_in_the_tail_of_a_long_text_is_seen() -> None:
    def letters(pieces: list[str]) -> np.ndarray:
        return np.array([[p[:10].count(c) for c in "abcz"] for p in pieces], dtype=np.float32)

    head = "abc\n" * 20
    one, two = embed_in_pieces([head + "a\n", head + "z\n"], 10, len, letters)
    assert float(one @ two) < 1.0


def test_only_blank_texts() -> None:
    assert embed_in_pieces(["", " "], 4, len, lambda pieces: np.ones((0, 3), np.float32)).shape == (2, 1)
