"""Exact match and edit distance by tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages import language
from nl2fix.metrics.edit import edit_distance, edit_similarity, exact_match
from nl2fix.metrics.texts import Edit
from tests.metrics.plain import revision

TEXTS = st.lists(st.sampled_from("abc"), max_size=8)


def plain_distance(one: list[str], two: list[str]) -> int:
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        last, row = row, [i]
        for j, b in enumerate(two, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (a != b)))
    return row[-1]


@given(TEXTS, TEXTS)
def test_distance_equals_the_textbook(candidate: list[str], reference: list[str]) -> None:
    found = revision("x", " ".join(reference), " ".join(candidate))
    assert edit_distance(found) == plain_distance(candidate, reference)
    longest = max(len(candidate), len(reference))
    expected = 1 - plain_distance(candidate, reference) / longest if longest else 1.0
    assert edit_similarity(found) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("candidate", "equal"),
    [
        ("return new String( x );", 1.0),
        ("return  new\n String(x); // done", 1.0),
        ("return newString(x);", 0.0),
        ('return new String("x");', 0.0),
    ],
)
def test_exact_match_ignores_white_space_but_not_word_boundaries(candidate: str, equal: float) -> None:
    assert exact_match(Edit("x", ["return new String(x);"], language("java")).revision(candidate)) == equal


def test_nearest_of_several_references() -> None:
    found = revision("x", ["a b c", "a d"], "a b")
    assert (edit_distance(found), exact_match(found)) == (1.0, 0.0)
    assert edit_similarity(found) == pytest.approx(2 / 3)
