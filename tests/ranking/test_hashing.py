"""The offline embedder."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.ranking.hashing import make

ENVIRONMENT = Environment(cache=Path(os.devnull))
EMBEDDER = make({}, ENVIRONMENT)
CODE = "int find(int[] xs, int x) { for (int i = 0; i < xs.length; i++) if (xs[i] == x) return i; return 0; }"


def test_shape_unit_length_and_type() -> None:
    vectors = EMBEDDER.embed([CODE, "return 1;"])
    assert vectors.shape == (2, 4096)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-6)


def test_no_texts_and_texts_without_tokens() -> None:
    assert EMBEDDER.embed([]).shape == (0, 4096)
    assert not EMBEDDER.embed(["", " \n"]).any()


def test_white_space_does_not_count_but_word_boundaries_do() -> None:
    a, b, c = EMBEDDER.embed(["new String(x)", "new\n  String ( x )", "newString(x)"])
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)


def test_order_of_tokens_counts() -> None:
    a, b = EMBEDDER.embed(["f(a, b)", "f(b, a)"])
    assert float(a @ b) < 0.99


def test_every_one_token_edit_is_seen() -> None:
    tokens = CODE.split(" ")
    edits = [" ".join([*tokens[:i], "zz", *tokens[i + 1 :]]) for i in range(len(tokens))]
    base = EMBEDDER.embed([CODE])[0]
    assert all(float(base @ v) < 0.999 for v in EMBEDDER.embed(edits))


@given(st.lists(st.text(alphabet="ab +(;\n", max_size=30), min_size=1, max_size=5))
def test_a_text_has_the_same_vector_in_any_company(texts: list[str]) -> None:
    together = EMBEDDER.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_array_equal(EMBEDDER.embed([text])[0], vector)


def test_vectors_are_the_same_in_every_version_of_the_program() -> None:
    """Vectors are cached between runs, so they may not depend on the process."""
    vector = make({"dimensions": 8}, ENVIRONMENT).embed(["return a + b;"])[0]
    again = make({"dimensions": 8}, ENVIRONMENT).embed(["x", "return a + b;"])[1]
    np.testing.assert_array_equal(vector, again)


def test_lone_surrogates_are_no_error() -> None:
    assert EMBEDDER.embed(["a\ud800b"]).any()


def test_settings_are_in_the_name_and_checked() -> None:
    assert make({"dimensions": 64, "longest": 2}, ENVIRONMENT).name == "hashing-64-2"
    with pytest.raises(UsageError, match="dimensions"):
        make({"dimensions": 0}, ENVIRONMENT)
    with pytest.raises(UsageError, match="unknown key"):
        make({"dimension": 10}, ENVIRONMENT)
