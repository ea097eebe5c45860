"""BLEU against sacrebleu's own reading of words, its NLTK variant against a plain one, DiffBLEU."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages import language
from nl2fix.metrics.bleu import bleu, diffbleu, smoothed_bleu
from nl2fix.metrics.ngrams import rests
from nl2fix.metrics.texts import Edit
from tests.metrics.plain import ngrams, revision

TEXTS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9)


def plain_smoothed(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """NLTK's definition with fractions written out."""
    logs = 0.0
    for order in (1, 2, 3, 4):
        hits = 0
        for gram, count in ngrams(candidate, order).items():
            hits += min(count, max(ngrams(r, order)[gram] for r in references))
        if order == 1 and hits == 0:
            return 0.0
        logs += math.log((hits or 0.1) / max(1, len(candidate) - order + 1)) / 4
    nearest = min((abs(len(r) - len(candidate)), len(r)) for r in references)[1]
    penalty = 1.0 if len(candidate) > nearest else math.exp(1 - nearest / len(candidate))
    return penalty * math.exp(logs)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_smoothed_equals_the_plain_definition(candidate: list[str], references: list[list[str]]) -> None:
    texts = ["".join(r) for r in references]
    matches = rests(["".join(candidate), *texts]).matches(0, range(1, len(texts) + 1))
    found = smoothed_bleu(matches, len(candidate), [len(r) for r in texts])
    assert found == pytest.approx(min(1.0, plain_smoothed(candidate, references)))


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3, unique_by=tuple))
def test_bleu_is_sacrebleu_on_tokens(candidate: list[str], references: list[list[str]]) -> None:
    from sacrebleu.metrics.bleu import BLEU

    texts = [" ".join(r) for r in references]
    theirs = BLEU(tokenize="none", effective_order=True).sentence_score(" ".join(candidate), texts).score
    assert bleu(revision("x", texts, " ".join(candidate))) == pytest.approx(min(1.0, theirs / 100))


def test_blanks_in_a_literal_and_entities_do_not_matter() -> None:
    """sacrebleu's own tokenisation would split the literal and unescape the entity."""
    code = 'String s = "a b &amp; c";'
    edit = Edit("x;", [code], language("java"))
    assert bleu(edit.revision(code)) == pytest.approx(1.0)
    assert (bleu(edit.revision(code.replace("&amp;", "&"))) or 0) < 1.0


def test_nothing_to_compare_is_undefined() -> None:
    assert bleu(revision("a", "a", "")) is None
    assert diffbleu(revision("a b", "a b", "a c")) is None


BEFORE = "a = 1;\nb = 2;\nc = 3;"
FIXED = "a = 1;\nb = 4;\nc = 3;"


def test_diffbleu_looks_at_the_change_alone() -> None:
    edit = Edit(BEFORE, [FIXED], language("java"))
    assert diffbleu(edit.revision(FIXED)) == pytest.approx(1.0)
    assert diffbleu(edit.revision(BEFORE)) == 0.0
    near, far = edit.revision(BEFORE.replace("2", "5")), edit.revision(BEFORE.replace("3", "5"))
    assert 0 < (diffbleu(far) or 0) < (diffbleu(near) or 0) < 1


def test_diffbleu_by_hand() -> None:
    """Diffs: `- b = 2 ; + b = 4 ;` and `- b = 2 ; + b = 5 ;`, 10 tokens each."""
    found = diffbleu(Edit(BEFORE, [FIXED], language("java")).revision(BEFORE.replace("2", "5")))
    assert found == pytest.approx((9 / 10 * 7 / 9 * 6 / 8 * 5 / 7) ** 0.25)


def test_diffbleu_does_not_hang_on_where_the_change_stands() -> None:
    java = language("java")
    head = "\n".join(f"x{i} = {i};" for i in range(50)) + "\n"
    near = Edit(BEFORE, [FIXED], java).revision(BEFORE.replace("2", "5"))
    deep = Edit(head + BEFORE, [head + FIXED], java).revision(head + BEFORE.replace("2", "5"))
    assert diffbleu(near) == diffbleu(deep)
