"""chrF against a plain implementation of its definition."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages import language
from nl2fix.metrics.chrf import chrf
from nl2fix.metrics.texts import Edit
from tests.metrics.plain import revision


def plain_chrf(candidate: str, reference: str) -> float:
    """Mean F2 over the orders that both texts have."""
    one, two = re.sub(r"\s", "", candidate), re.sub(r"\s", "", reference)
    precisions, recalls = [], []
    for order in range(1, 7):
        mine = Counter(one[i : i + order] for i in range(len(one) - order + 1))
        theirs = Counter(two[i : i + order] for i in range(len(two) - order + 1))
        if mine and theirs:
            both = (mine & theirs).total()
            precisions.append(both / mine.total())
            recalls.append(both / theirs.total())
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0


@given(st.text("ab ;", min_size=1, max_size=15), st.text("ab ;", min_size=1, max_size=15))
def test_equals_the_plain_definition(candidate: str, reference: str) -> None:
    if candidate.strip() and reference.strip():
        expected = plain_chrf(candidate, reference)
        assert chrf(revision("x", reference, candidate)) == pytest.approx(expected, abs=1e-12)


def test_best_reference_counts_and_nothing_is_undefined() -> None:
    assert chrf(revision("x", ["abc", "xyz"], "xyz")) == pytest.approx(1.0)
    assert chrf(revision("x", "abc", " ")) is None


def test_comments_do_not_count() -> None:
    edit = Edit("x", ["return 1; // why"], language("java"))
    assert chrf(edit.revision("return 1; /* other */")) == pytest.approx(1.0)
