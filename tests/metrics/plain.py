"""Plain definitions to check the fast ones against, and a language of words for texts of the papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from nl2fix.core.protocols import Language
from nl2fix.metrics.ngrams import CommonBlock
from nl2fix.metrics.texts import Edit, Revision


class Words:
    """Words between white space are the tokens."""

    name = "words"

    def tokens(self, code: str) -> list[str]:
        return code.split()

    def strip_comments(self, code: str) -> str:
        return code


WORDS = cast(Language, Words())  # of which metrics ask no more


def revision(before: str, references: str | Sequence[str], candidate: str) -> Revision:
    """A revision of texts made of words."""
    several = [references] if isinstance(references, str) else references
    return Edit(before, several, WORDS).revision(candidate)


def lcs_table(one: Sequence[str], two: Sequence[str]) -> list[list[int]]:
    """Length of the longest common subsequence of every two prefixes, the textbook way."""
    table = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table


def lcs_pairs(one: str, two: str) -> list[tuple[int, int]]:
    """Index pairs of a longest common subsequence; among several the one that ``align`` takes too.

    The table is that of the whole texts. Reading it, common prefix and suffix come first; then from the
    end, an item of ``one`` is dropped where that costs nothing, else one of ``two``, else both match.
    """
    table = lcs_table(one, two)
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    end = 0
    while end < min(len(one), len(two)) - start and one[-1 - end] == two[-1 - end]:
        end += 1
    i, j = len(one) - end, len(two) - end
    pairs = [(i + k, j + k) for k in reversed(range(end))]
    while i > start and j > start:
        if table[i][j] == table[i - 1][j]:
            i -= 1
        elif table[i][j] == table[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    pairs += [(k, k) for k in reversed(range(start))]
    return pairs[::-1]


def lcs_blocks(one: str, two: str) -> list[CommonBlock]:
    """``lcs_pairs``, item by item."""
    return [CommonBlock(*pair, 1) for pair in lcs_pairs(one, two)]


def ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def plain_sari(before: str, references: Sequence[str], candidate: str) -> float:
    """SARI as tensor2tensor and Hugging Face evaluate define it, n-gram by n-gram."""
    total = 0.0
    for order in (1, 2, 3, 4):
        times = len(references)
        source = {g: c * times for g, c in ngrams(before.split(), order).items()}
        output = {g: c * times for g, c in ngrams(candidate.split(), order).items()}
        wanted: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            wanted += ngrams(reference.split(), order)
        kept = {g: min(c, output.get(g, 0)) for g, c in source.items() if g in output}
        keepable = sum(min(c, wanted[g]) for g, c in source.items())
        precision = sum(min(c, wanted[g]) / c for g, c in kept.items()) / len(kept) if kept else 1.0
        recall = sum(min(c, wanted[g]) for g, c in kept.items()) / keepable if keepable else 1.0
        total += 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        gone = {g: c - output.get(g, 0) for g, c in source.items() if c > output.get(g, 0)}
        good = sum(max(0, c - wanted[g]) / c for g, c in gone.items())
        total += good / len(gone) if gone else 1.0
        new, ideal = set(output) - set(source), set(wanted) - set(source)
        precision = len(new & ideal) / len(new) if new else 1.0
        recall = len(new & ideal) / len(ideal) if ideal else 1.0
        total += 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return total / 12
