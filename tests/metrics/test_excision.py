"""Excision Score: its adequacy criteria, hand-worked values, and the plain LCS."""

import itertools
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages import language
from nl2fix.metrics.excision import (
    Regions,
    excise,
    excision_line,
    excision_line_published,
    excision_token,
    excision_token_published,
    score_regions,
)
from nl2fix.metrics.ngrams import align
from nl2fix.metrics.texts import Edit
from tests.metrics.plain import lcs_blocks, lcs_table, revision

ITEMS = st.lists(st.sampled_from("abcd"), max_size=12).map("".join)
TEXTS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=10).map(" ".join)
JAVA = language("java")


def token(before: str, reference: str, candidate: str) -> float | None:
    return excision_token(revision(before, reference, candidate))


@given(ITEMS, ITEMS)
def test_align_gives_a_longest_common_subsequence(one: str, two: str) -> None:
    pairs = [(a + i, b + i) for a, b, size in align(one, two) for i in range(size)]
    assert all(one[i] == two[j] for i, j in pairs)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(pairs))
    assert len(pairs) == lcs_table(one, two)[-1][-1]


@given(ITEMS, ITEMS, ITEMS)
def test_equal_to_the_plain_lcs(before: str, reference: str, candidate: str) -> None:
    fast = excise(before, reference, candidate)
    assert fast == excise(before, reference, candidate, lcs_blocks)


def test_the_document_names_the_library_whose_alignment_is_taken() -> None:
    """Matching beginnings first, as it said, leaves open which of several alignments that is."""
    root = Path(__file__).parents[2]
    pinned = re.search(r"^rapidfuzz==(\S+)", (root / "requirements" / "base.lock").read_text(), re.MULTILINE)
    assert pinned and f"rapidfuzz gives (pinned: {pinned[1]})" in (root / "docs" / "study.md").read_text()


@given(ITEMS, ITEMS, ITEMS)
def test_what_is_cut_out_is_common_to_all_three(before: str, reference: str, candidate: str) -> None:
    regions = excise(before, reference, candidate)
    texts = (before, reference, candidate)
    cut = [len(text) - sum(map(len, pieces)) for text, pieces in zip(texts, regions, strict=True)]
    assert cut[0] == cut[1] == cut[2]
    shared = lcs_table(before, reference)[-1][-1], lcs_table(before, candidate)[-1][-1]
    assert max(0, sum(shared) - len(before)) <= cut[0] <= min(shared)


def test_regions_stand_between_shared_items() -> None:
    regions = excise("axbyc", "apbqc", "arbyc")
    assert regions == (["x", "y"], ["p", "q"], ["r", "y"])


@given(TEXTS, TEXTS)
def test_reference_scores_one_and_unchanged_zero(before: str, reference: str) -> None:
    for metric in (excision_token, excision_line):
        assert metric(revision(before, reference, reference)) == 1.0
        if before.split() != reference.split():
            assert metric(revision(before, reference, before)) == 0.0


@given(TEXTS, TEXTS, TEXTS)
def test_between_zero_and_one(before: str, reference: str, candidate: str) -> None:
    score = token(before, reference, candidate)
    assert score is not None
    assert 0.0 <= score <= 1.0


@given(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS)
def test_shared_prefix_and_suffix_do_not_count(
    before: str, reference: str, candidate: str, prefix: str, suffix: str
) -> None:
    score = token(before, reference, candidate)
    assert token(f"{prefix} {before}", f"{prefix} {reference}", f"{prefix} {candidate}") == score
    ends = f" ; {suffix}"
    assert token(before + ends, reference + ends, candidate + ends) == score


def test_a_wholly_wrong_replacement_under_either_convention() -> None:
    """Both replace `b`, by different things: the deletion is right, the addition wrong, nothing was kept."""
    item = revision("a b c", "a x c", "a y c")
    assert excision_token(item) == pytest.approx(1 / 2)
    assert excision_token_published(item) == pytest.approx(1 / 3)


@given(TEXTS, TEXTS, TEXTS)
def test_the_published_convention_never_scores_more(before: str, reference: str, candidate: str) -> None:
    item = revision(before, reference, candidate)
    assert (excision_token_published(item) or 0) <= (excision_token(item) or 0)
    assert (excision_line_published(item) or 0) <= (excision_line(item) or 0)


def test_no_rule_for_ties_keeps_both_prefix_and_suffix() -> None:
    """`y` and `y w y` come of `` and `w y` by a prefix, and of `` and `y w` by a suffix."""
    assert excise("y", "ywy", "y") == ([], ["wy"], [])
    assert excise("", "wy", "") == ([], ["wy"], [])
    assert excise("", "yw", "") == ([], ["yw"], [])


def test_shared_prefix_swamps_bleu_but_not_excision() -> None:
    from nl2fix.metrics.bleu import bleu

    context = " ".join(f"w{i}" for i in range(300)) + " "
    short = revision("a b c", "a x c", "a y c")
    long = revision(context + "a b c", context + "a x c", context + "a y c")
    assert excision_token(short) == excision_token(long) == pytest.approx(1 / 2)
    assert (bleu(short) or 0) < 0.6
    assert (bleu(long) or 0) > 0.98


def test_agreement_on_deletions_is_rewarded() -> None:
    """Both delete `b`; the candidate deletes `d` too. A comparison of what is left alone sees nothing."""
    assert token("a b c d e", "a c d e", "a c d e") == 1.0
    score = token("a b c d e", "a c d e", "a c e")
    # Regions: O [b, d], A [d], B []. Add: nothing by either. Keep: B kept nothing, A kept d, so F1 0.
    # Delete: B deleted b and d, of which b rightly.
    assert score == pytest.approx(float((0 + Fraction(1, 2)) / 2))
    wrong = token("a b c d e", "a c d e", "a b c d")
    assert wrong == 0.0 < (score or 0)


def test_hand_worked_value() -> None:
    """O = a b c d, A = a x y d, B = a x c d: regions O [b c], A [x y], B [x c]."""
    # n = 1: add 2·1·½/(1+½) = 2/3; keep: B kept c, A nothing: 0; delete: b, rightly: 1.
    # n = 2: add: `x c` against `x y`: 0; keep: neither; delete `b c`, rightly: 1.
    add, keep, delete = Fraction(2, 3) / 2, Fraction(0), Fraction(1)
    expected = (add + keep + delete) / 3
    assert token("a b c d", "a x y d", "a x c d") == pytest.approx(float(expected))


def test_ngrams_do_not_span_regions() -> None:
    regions = excise("1p2", "1ap2b", "1ap2c")
    assert regions == Regions([], ["a", "b"], ["a", "c"])
    # Only n = 1 exists: one of two additions right, one of two found.
    assert score_regions(regions) == pytest.approx(0.5)


LINES = st.lists(TEXTS, min_size=1, max_size=5).map("\n".join)


@given(LINES, LINES, LINES, LINES, LINES)
def test_shared_lines_before_and_after_do_not_count(
    before: str, reference: str, candidate: str, prefix: str, suffix: str
) -> None:
    score = excision_line(revision(before, reference, candidate))
    headed = (f"{prefix}\n{text}" for text in (before, reference, candidate))
    assert excision_line(revision(*headed)) == score
    ended = (f"{text}\n;\n{suffix}" for text in (before, reference, candidate))
    assert excision_line(revision(*ended)) == score


@given(st.permutations("abcdefgh"), st.data())
def test_deleting_what_the_reference_deletes_is_better_than_keeping_it(
    items: list[str], data: st.DataObject
) -> None:
    """The paper's third criterion: two candidates add the same wrong token, one also deletes rightly."""
    start = data.draw(st.integers(0, 6))
    gone = items[start : data.draw(st.integers(start + 1, 7))]
    kept = [item for item in items if item not in gone]
    before, reference = " ".join(items), " ".join(kept)
    agrees = token(before, reference, " ".join([*kept, "x"]))
    keeps = token(before, reference, " ".join([*items, "x"]))
    assert keeps is not None and agrees is not None
    assert 0.0 <= keeps < agrees < 1.0


@given(TEXTS, st.lists(TEXTS, min_size=2, max_size=4), TEXTS)
def test_the_best_of_several_references_counts_whatever_their_order(
    before: str, references: list[str], candidate: str
) -> None:
    for metric in (excision_token, excision_line):
        score = metric(revision(before, references, candidate))
        assert score == metric(revision(before, references[::-1], candidate))
        if candidate.split() not in (before.split(), *(r.split() for r in references)):
            alone = [metric(revision(before, one, candidate)) for one in references]
            assert score == max(value for value in alone if value is not None)
        for one in references:
            assert metric(revision(before, references, one)) == 1.0
        if before.split() not in [one.split() for one in references]:
            assert metric(revision(before, references, before)) == 0.0


def test_several_references_the_best_counts() -> None:
    one, two = "a x c", "a y c"
    assert excision_token(revision("a b c", [one, two], two)) == 1.0
    assert excision_token(revision("a b c", [one, two], "a z c")) == pytest.approx(1 / 2)


def test_a_moved_block_is_found_again() -> None:
    before = "f ( ) ; g ( ) ; h ( ) ;"
    moved = "g ( ) ; h ( ) ; f ( ) ;"
    assert token(before, moved, moved) == 1.0
    lost = token(before, moved, "g ( ) ; h ( ) ;")
    assert (lost or 0) < 1.0


BUGGY = """int max(int[] xs) {
    int best = 0; // start
    for (int x : xs) {
        if (x > best) best = x;
    }
    return best;
}"""
FIXED = BUGGY.replace("= 0; // start", "= Integer.MIN_VALUE;")
CLOSE = BUGGY.replace("= 0; // start", "= Integer.MAX_VALUE;")


def test_java_by_line_and_by_token() -> None:
    edit = Edit(BUGGY, [FIXED], JAVA)
    fixed, close, off = (edit.revision(c) for c in (FIXED, CLOSE, BUGGY.replace("x > best", "x >= best")))
    for metric in (excision_line, excision_token):
        assert metric(fixed) == 1.0
        assert 0.3 < (metric(close) or 0) < 1.0
        assert (metric(off) or 0) < (metric(close) or 0)


def test_white_space_and_comments_do_not_count() -> None:
    edit = Edit(BUGGY, [FIXED], JAVA)
    for metric in (excision_line, excision_token):
        assert metric(edit.revision(BUGGY.replace("// start", "/* any */"))) == 0.0
        assert metric(edit.revision("\n\n" + FIXED.replace("    ", "\t"))) == 1.0


def test_indentation_counts_where_it_does_in_the_language() -> None:
    before = "def f(xs):\n    for x in xs:\n        g(x)\n        h(x)\n"
    fixed = "def f(xs):\n    for x in xs:\n        g(x)\n    h(x)\n"
    edit = Edit(before, [fixed], language("python"))
    for metric in (excision_line, excision_token):
        assert metric(edit.revision(before)) == 0.0
        assert metric(edit.revision(fixed)) == 1.0
