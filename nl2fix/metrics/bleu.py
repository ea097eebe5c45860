"""BLEU of the code and of its diff (DiffBLEU).

``bleu`` is sacrebleu's sentence BLEU (Papineni et al. 2002; exponential smoothing, effective order)
on the language's tokens. ``smoothed_bleu`` is NLTK's sentence BLEU with smoothing method 1 (Chen and
Cherry 2014), which CodeBLEU and DiffBLEU are defined with; the two differ where an order has no match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from nl2fix.core.registry import always
from nl2fix.metrics.ngrams import ORDERS, CommonBlock, rests
from nl2fix.metrics.texts import Revision, Text

_EPSILON = 0.1


def bleu(revision: Revision) -> float | None:
    """Sentence BLEU-4, 0 to 1; ``None`` when candidate or all references have no token."""
    from sacrebleu.metrics.bleu import BLEU

    lengths = [len(reference.tokens) for reference in revision.references if reference.tokens]
    length = len(revision.candidate.tokens)
    if not lengths or not length:
        return None
    totals = [max(0, length - order + 1) for order in ORDERS]
    nearest = _nearest(length, lengths)
    score = BLEU.compute_bleu(
        revision.matches, totals, length, nearest, smooth_method="exp", effective_order=True
    )
    return min(1.0, score.score / 100)


def diffbleu(revision: Revision) -> float | None:
    """BLEU-4 between the line diffs before→candidate and before→reference, 0 to 1 (NoFunEval 2024).

    A diff is its removed and added lines, each as a sign followed by the line's tokens; blank lines,
    comments and white space at a line's ends do not count, and there are no hunk headers (NoFunEval
    keeps their line numbers). 0 for an unchanged candidate; ``None`` when no reference changes a line.
    """
    bare = revision.bare  # lines that stand before all texts are in no diff
    return bare.once((diffbleu,), lambda: _diffbleu(bare))


def _diffbleu(revision: Revision) -> float | None:
    references = [diff for reference in revision.references if (diff := _reference_diff(revision, reference))]
    if not references:
        return None
    candidate = _diff(revision.before, revision.candidate)
    matches = rests([*references, candidate]).matches(len(references), range(len(references)))
    return smoothed_bleu(matches, len(candidate), [len(r) for r in references])


def smoothed_bleu(matches: Sequence[int], length: int, references: Sequence[int]) -> float:
    """NLTK's ``sentence_bleu`` with smoothing method 1: an order without a match counts 0.1 matches.

    ``matches`` is the number of the candidate's n-grams found in a reference, one item for each order;
    ``length`` and ``references`` are the lengths of candidate and references.
    """
    if not matches[0]:
        return 0.0
    score = 0.0
    for order, matched in zip(ORDERS, matches, strict=True):
        score += math.log((matched or _EPSILON) / max(1, length - order + 1)) / len(ORDERS)
    return min(1.0, _brevity_penalty(length, references) * math.exp(score))


def _brevity_penalty(length: int, references: Sequence[int]) -> float:
    """At most 1, less for a candidate shorter than the reference nearest in length."""
    nearest = _nearest(length, references)
    if length > nearest:
        return 1.0
    return math.exp(1 - nearest / length) if length else 0.0


def _nearest(length: int, references: Sequence[int]) -> int:
    return min(references, key=lambda size: (abs(size - length), size))


def _reference_diff(revision: Revision, reference: Text) -> str:
    return revision.edit.once((_diff, reference), lambda: _diff(revision.before, reference))


def _diff(before: Text, after: Text) -> str:
    """Removed and added lines as tokens, each line opened by its sign; in each hunk, removed ones first."""
    minus, plus = before.signs
    parts = []
    i = j = 0
    end = CommonBlock(len(before.lines), len(after.lines), 0)
    for one, two, size in [*after.aligned(before, "lines"), end]:
        parts += [minus + before.encode(line) for line in before.line_texts[i:one]]
        parts += [plus + before.encode(line) for line in after.line_texts[j:two]]
        i, j = one + size, two + size
    return "".join(parts)


make_bleu = always(bleu)
make_diffbleu = always(diffbleu)
