"""n-grams counted where texts differ give what counting all of them gives."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nl2fix.languages import language
from nl2fix.languages.java.flow import RULES
from nl2fix.metrics import METRICS
from nl2fix.metrics.chrf import chrf
from nl2fix.metrics.dataflow import links
from nl2fix.metrics.measure import Triple, measure, measure_all
from nl2fix.metrics.ngrams import ORDERS, rests
from nl2fix.metrics.sari import sari
from nl2fix.metrics.syntax import TreeReader
from nl2fix.metrics.texts import Edit
from tests.metrics.plain import ngrams, plain_sari, revision

PIECES = st.text("abc", max_size=8)
SHARED = st.text("abc", min_size=6, max_size=14)
WORDS = st.lists(st.sampled_from("abcd"), max_size=6)


@given(PIECES, st.lists(PIECES, min_size=2, max_size=4), PIECES)
def test_shared_and_other_ngrams_together_are_all(head: str, middles: list[str], tail: str) -> None:
    texts = [head + middle + tail for middle in middles]
    found = rests(texts)
    for place, order in enumerate(ORDERS):
        whole = [ngrams(text, order) for text in texts]
        for counts, all_of_them in zip(found.counts, whole, strict=True):
            assert found.shared[place] + counts[place].total() == all_of_them.total()
        # What is not counted text by text is the same in every text.
        left = [
            Counter({"".join(k): v for k, v in full.items()}) - counts[place]
            for full, counts in zip(whole, found.counts, strict=True)
        ]
        assert all(other == left[0] for other in left)


@given(PIECES, PIECES, st.lists(PIECES, min_size=1, max_size=3), PIECES)
def test_matches_are_clipped_counts(head: str, middle: str, others: list[str], tail: str) -> None:
    candidate, references = head + middle + tail, [head + other + tail for other in others]
    found = rests([candidate, *references]).matches(0, range(1, len(references) + 1))
    for order, matched in zip(ORDERS, found, strict=True):
        known = [ngrams(reference, order) for reference in references]
        expected = sum(min(c, max(k[g] for k in known)) for g, c in ngrams(candidate, order).items())
        assert matched == expected


@given(
    st.lists(SHARED, max_size=4), st.lists(st.lists(PIECES, min_size=5, max_size=5), min_size=2, max_size=4)
)
def test_blocks_in_the_middle_are_not_counted_and_change_nothing(
    blocks: list[str], between: list[list[str]]
) -> None:
    """Texts that differ in several places, their n-grams looked at there only."""
    texts = [
        "".join(piece + block for piece, block in zip(pieces, [*blocks, *[""] * 5], strict=False))
        for pieces in between
    ]
    found = rests(texts)
    for place, order in enumerate(ORDERS):
        whole = [Counter({"".join(k): v for k, v in ngrams(text, order).items()}) for text in texts]
        left = [full - counts[place] for full, counts in zip(whole, found.counts, strict=True)]
        assert all(other == left[0] for other in left)
        assert left[0].total() == found.shared[place]
        matched = found.matches(0, range(1, len(texts)))[place]
        most = whole[1]
        for other in whole[2:]:
            most = most | other
        assert matched == sum(min(count, most[ngram]) for ngram, count in whole[0].items())


def test_a_long_block_between_two_edits_is_not_counted() -> None:
    shared = "abcdefghijklmnop"
    found = rests(["1" + shared + "2", "3" + shared + "4"])
    assert found.shared == [16, 15, 14, 13]
    assert [counts.total() for counts in found.counts[0]] == [2, 2, 2, 2]


def test_equal_texts_share_all_and_empty_ones_nothing() -> None:
    assert rests(["abcdefgh", "abcdefgh"]).shared == [8, 7, 6, 5]
    assert rests(["", "abc"]).shared == [0, 0, 0, 0]


@given(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=3), WORDS, WORDS)
def test_sari_of_texts_with_shared_ends_is_the_plain_one(
    head: list[str], before: list[str], references: list[list[str]], candidate: list[str], tail: list[str]
) -> None:
    source, output = (" ".join(head + middle + tail) for middle in (before, candidate))
    known = list(dict.fromkeys(" ".join(head + middle + tail) for middle in references))
    assert sari(revision(source, known, output)) == pytest.approx(plain_sari(source, known, output))


@given(
    PIECES, st.text("abc ", max_size=8), st.lists(st.text("abc ", max_size=8), min_size=1, max_size=3), PIECES
)
def test_chrf_is_sacrebleus(head: str, middle: str, others: list[str], tail: str) -> None:
    from sacrebleu.metrics.chrf import CHRF

    candidate, references = head + middle + tail, [head + other + tail for other in others]
    if candidate.strip() and all(reference.strip() for reference in references):
        theirs = CHRF().sentence_score(candidate, references).score / 100
        assert chrf(revision("x", references, candidate)) == pytest.approx(theirs, abs=1e-12)


def test_a_long_shared_text_leaves_the_metrics_of_edits_alone() -> None:
    """Line and token Excision Score and DiffBLEU do not see it; exact match neither."""
    before, fixed = "int f(int a) { return a + 1; }", "int f(int a) { return a - 1; }"
    candidate = "int f(int a) { return a - 2; }"
    shared = "".join(f"int v{i} = {i};\n" for i in range(200))
    java = language("java")
    names = ("exact_match", "edit_distance", "diffbleu", "excision_token", "excision_line")
    plain = measure(Triple(before, (fixed,), candidate), java, names)
    padded = measure(Triple(shared + before, (shared + fixed,), shared + candidate), java, names)
    assert plain == pytest.approx(padded)
    assert set(names) < set(METRICS)


STATEMENTS = st.lists(
    st.sampled_from(
        [
            "a = b + 1;",
            "int c = a;",
            "if (a > b) { b = a; } else { a = 2; }",
            "f(a, b);",
            "}",
            "c++;",
            "while (a",
            "while (a < b) { for (int i = c; i < a; i++) { if (c > i) { b = c; } else { c = i; } } a++; }",
            "for (int x : b) { a = x; do { c = a; } while (x > c); }",
        ]
    ),
    max_size=5,
).map("\n".join)


@settings(max_examples=100)
@given(STATEMENTS, STATEMENTS, STATEMENTS, st.lists(STATEMENTS, min_size=2, max_size=5))
def test_many_candidates_of_an_edit_equal_one_by_one(
    shared: str, before: str, reference: str, candidates: list[str]
) -> None:
    """Also where code is broken: what texts share is never read wrongly for sharing it."""
    java = language("java")
    triples = [Triple(shared + before, (shared + reference,), shared + code) for code in candidates]
    assert measure_all(triples, "java") == [measure(triple, java) for triple in triples]
    edit = Edit(shared + before, (shared + reference,), java)
    pieces = TreeReader()
    for triple in triples:
        code = edit.revision(triple.candidate).candidate.code
        tree = java.tree(code)  # type: ignore[attr-defined]
        one, other = pieces.read(tree, code), TreeReader().read(tree, code)
        assert links(one, RULES) == links(other, RULES)
        assert len(one.all_shapes()) == len(other.all_shapes())
