"""Excision Score (Gruzinov et al. 2025, arXiv 2510.21537): what three versions share is cut out first.

The longest common subsequence of before O, reference A and candidate B is taken as
LCS(LCS(O, A), LCS(O, B)) and removed; what stands between two removed items is a divergent region. The
n-grams (n = 1..4) of the regions, none spanning two of them, are scored as SARI does: F1 of additions,
F1 of keeps, precision of deletions. ``excision_line`` cuts out lines, ``excision_token`` tokens; both
then count n-grams of tokens.

Where the paper leaves a choice: an operation that neither side performed is left out of the mean
instead of counting 0 or 1 (``excision_token_published`` and ``excision_line_published``: it counts 0); a
reference scores 1 and the unchanged code 0, whatever tokens recur in them; of several references the
best counts.

Two longest common subsequences of equal length can give other regions, and a score that differs by up to
0.7 (another textbook one gives other scores on 48 of 600 random triples). The one taken is that of
rapidfuzz's ``LCSseq`` (``ngrams.align`` says which): adding one prefix to all three texts never
changes the score; adding one suffix may only when it begins like a region that then slides into it. No rule
keeps both: "y" and "y w y" are "" and "w y" behind a prefix, and "" and "y w" before a suffix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nl2fix.core.registry import always
from nl2fix.metrics.ngrams import CommonBlock, align, count_ngrams
from nl2fix.metrics.sari import Operations, Share, f1, operations
from nl2fix.metrics.texts import Revision, Text

Aligner = Callable[[str, str], list[CommonBlock]]
"""A longest common subsequence of two strings, rising."""


class Regions(NamedTuple):
    """The divergent regions of before, reference and candidate; empty ones are left out."""

    before: list[str]
    reference: list[str]
    candidate: list[str]


def excision_token(revision: Revision) -> float | None:
    """Excision Score cutting out tokens, 0 to 1; ``None`` when no region holds a token."""
    return _best(revision, _token_regions, _mean)


def excision_token_published(revision: Revision) -> float | None:
    """As ``excision_token``, but an operation that neither side performed counts 0."""
    return _best(revision, _token_regions, _mean_of_all)


def excision_line(revision: Revision) -> float | None:
    """Excision Score cutting out lines, 0 to 1; ``None`` when no region holds a token."""
    return _best(revision, _line_regions, _mean)


def excision_line_published(revision: Revision) -> float | None:
    """As ``excision_line``, but an operation that neither side performed counts 0."""
    return _best(revision, _line_regions, _mean_of_all)


def excise(before: str, reference: str, candidate: str, aligner: Aligner = align) -> Regions:
    """Cut out the common subsequence of three strings (one character per item)."""
    places = gaps(
        (before, reference, candidate), aligner(before, reference), aligner(before, candidate), aligner
    )
    return _regions((before, reference, candidate), places)


Gaps = list[tuple[int, int]]
"""Where the pieces of a text that are not common to all begin and end, none of them empty."""


def gaps(
    texts: tuple[str, str, str],
    reference_blocks: Sequence[CommonBlock],
    candidate_blocks: Sequence[CommonBlock],
    aligner: Aligner = align,
) -> tuple[Gaps, Gaps, Gaps]:
    """What LCS(LCS(O, A), LCS(O, B)) leaves of before, reference and candidate.

    ``reference_blocks`` and ``candidate_blocks`` are LCS(O, A) and LCS(O, B).
    """
    before, reference, candidate = texts
    one = "".join([before[block.one : block.one + block.size] for block in reference_blocks])
    two = "".join([before[block.one : block.one + block.size] for block in candidate_blocks])
    common = aligner(one, two)
    ones, twos = [(b.one, b.one + b.size) for b in common], [(b.two, b.two + b.size) for b in common]
    return (
        _left(len(before), ones, [(block.one, block.size) for block in reference_blocks]),
        _left(len(reference), ones, [(block.two, block.size) for block in reference_blocks]),
        _left(len(candidate), twos, [(block.two, block.size) for block in candidate_blocks]),
    )


def _left(length: int, kept: Sequence[tuple[int, int]], blocks: Sequence[tuple[int, int]]) -> Gaps:
    """What is left of a text of this length.

    ``blocks`` (begin, size) say where the pieces of its common subsequence stand in it; ``kept`` (begin, end)
    which parts of that subsequence are common to all.
    """
    result: Gaps = []
    last = position = number = 0  # end of what was kept; where in the subsequence block ``number`` begins
    for start, end in kept:
        while start < end:
            begin, size = blocks[number]
            if position + size <= start:
                position, number = position + size, number + 1
                continue
            stop = min(end, position + size)
            place = begin + start - position
            if last < place:
                result.append((last, place))
            last, start = place + stop - start, stop  # noqa: PLW2901
    return [*result, (last, length)] if last < length else result


def score_regions(regions: Regions) -> float | None:
    """Mean of the operations' scores over the n-grams of the regions; ``None`` when there are none."""
    return _mean(_scores(regions))


def _scores(regions: Regions) -> list[float | None]:
    """Scores of additions, keeps and deletions; ``None`` for what neither side did."""
    before, reference, candidate = map(count_ngrams, regions)
    counted = operations(before, candidate, reference)
    return [
        _mean([_f1(item.add) for item in counted]),
        _mean([_f1(item.keep) for item in counted]),
        _mean([_precision(item) for item in counted]),
    ]


def _best(
    revision: Revision,
    regions: Callable[[Revision, Text], Regions],
    mean: Callable[[Sequence[float | None]], float | None],
) -> float | None:
    if revision.exact:
        return 1.0
    if revision.unchanged:
        return 0.0
    bare = revision.bare  # lines that stand before all three texts are common to all

    def scored(reference: Text) -> list[float | None]:
        return bare.once((regions, reference), lambda: _scores(regions(bare, reference)))

    scores = [mean(scored(reference)) for reference in bare.references]
    return max((score for score in scores if score is not None), default=None)


def _token_regions(revision: Revision, reference: Text) -> Regions:
    texts = revision.before.tokens, reference.tokens, revision.candidate.tokens
    known, new = (text.aligned(revision.before, "tokens") for text in (reference, revision.candidate))
    return _regions(texts, gaps(texts, known, new))


def _line_regions(revision: Revision, reference: Text) -> Regions:
    """Regions of lines, written as the tokens of those lines."""
    texts = revision.before, reference, revision.candidate
    lines = texts[0].lines, texts[1].lines, texts[2].lines
    known, new = (text.aligned(texts[0], "lines") for text in texts[1:])
    left = gaps(lines, known, new)
    pieces = []
    for text, cuts in zip(texts, left, strict=True):
        pieces.append([text.encode("\n".join(text.line_texts[a:b])) for a, b in cuts])
    return Regions(*pieces)


def _regions(texts: tuple[str, str, str], places: tuple[Gaps, Gaps, Gaps]) -> Regions:
    return Regions(*[[t[a:b] for a, b in spans] for t, spans in zip(texts, places, strict=True)])


def _f1(share: Share) -> float | None:
    return None if share == (None, None) else f1(share, 0.0)


def _precision(item: Operations) -> float | None:
    return None if item.delete == (None, None) else item.delete.precision or 0.0


def _mean_of_all(values: Sequence[float | None]) -> float | None:
    """What is undefined counts 0, unless all is."""
    return None if all(value is None for value in values) else sum(v or 0.0 for v in values) / len(values)


def _mean(values: Sequence[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


make_excision_line = always(excision_line)
make_excision_line_published = always(excision_line_published)
make_excision_token_published = always(excision_token_published)
make_excision_token = always(excision_token)
