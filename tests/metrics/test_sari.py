"""SARI against the published example and a plain implementation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.metrics.sari import sari
from tests.metrics.plain import plain_sari, revision

SOURCE = "About 95 species are currently accepted ."
REFERENCES = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]
TEXTS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=8).map(" ".join)


def test_published_example() -> None:
    """The example of the metric card of Hugging Face evaluate, 26.953601953601954."""
    assert 100 * sari(revision(SOURCE, REFERENCES, "About 95 you now get in .")) == pytest.approx(
        26.953601953601954
    )


def test_the_better_outputs_of_the_paper_are_better() -> None:
    far = sari(revision(SOURCE, REFERENCES, "About 95 you now get in ."))
    best = sari(revision(SOURCE, REFERENCES, "About 95 species are now agreed ."))
    near = sari(revision(SOURCE, REFERENCES, "About 95 species are currently agreed ."))
    assert best > near > far


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3, unique=True), TEXTS)
def test_equals_the_plain_definition(before: str, references: list[str], candidate: str) -> None:
    assert sari(revision(before, references, candidate)) == pytest.approx(
        plain_sari(before, references, candidate)
    )


@given(*[st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True).map(" ".join)] * 2)
def test_the_only_reference_scores_one(before: str, reference: str) -> None:
    assert sari(revision(before, reference, reference)) == pytest.approx(1.0)
