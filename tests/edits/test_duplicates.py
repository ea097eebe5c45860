"""Texts that are nearly the same are found, others are not."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("rensa", reason="needs the extra edits")

from nl2fix.edits.duplicates import PERMUTATIONS, NearDuplicates, bands, shingles


def words(count: int, seed: int) -> list[str]:
    drawn = random.Random(seed)
    return [f"name{drawn.randrange(5000)}" for _ in range(count)]


def test_a_text_with_a_few_words_changed_is_a_duplicate() -> None:
    seen = NearDuplicates(0.8)
    text = words(400, 1)
    assert seen.add(" ".join(text)) is None
    assert seen.add(" ".join(words(400, 2))) is None
    changed = [*text]
    changed[200] = "other"
    assert seen.add(" ".join(changed)) == 0
    assert seen.like("\n\t".join(text)) == 0
    assert seen.like(" ".join(text[:200] + words(200, 3))) is None


def test_most_pairs_just_above_the_threshold_are_found_and_few_below() -> None:
    def likeness(share: float) -> float:
        found = 0
        for seed in range(100):
            seen, text = NearDuplicates(0.8), words(300, seed)
            seen.add(" ".join(text))
            found += seen.like(" ".join(text[: int(300 * share)])) == 0
        return found / 100

    assert likeness(0.88) > 0.9
    assert likeness(0.65) < 0.05


def test_a_text_is_found_that_is_like_only_a_text_inserted_beside_one_it_is_like() -> None:
    further = words(520, 1)
    text, drifted = further[:300], further[:400]
    seen = NearDuplicates(0.7)
    seen.insert(" ".join(text))
    assert seen.like(" ".join(further)) is None
    seen.insert(" ".join(drifted))
    assert seen.like(" ".join(further)) == 1


def test_short_texts_are_their_own_shingle() -> None:
    assert shingles("a = 1") == ["a = 1"]
    assert shingles("") == [""]
    assert shingles("f ( a , b )")[0] == "f ( a , b"
    seen = NearDuplicates(0.8)
    assert seen.add("a = 1") is None
    assert seen.add("a = 2") is None
    assert seen.add("a  =  1") == 0


def test_bands_keep_the_chance_to_miss_small() -> None:
    for similarity in (0.5, 0.7, 0.8, 0.9, 1.0):
        count = bands(similarity)
        assert PERMUTATIONS % count == 0
        assert (1 - similarity ** (PERMUTATIONS // count)) ** count < 0.01
