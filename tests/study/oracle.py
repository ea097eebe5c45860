"""The metrics of the golden run, apart from the code: by textbook definitions, sacrebleu, and codebleu.

Tokens are cut by one regular expression, which is enough for the golden run. The syntax and data-flow
parts of CodeBLEU are in ``tests/data/golden/codebleu.json``: values of the package codebleu 0.7.0
(tree-sitter 0.22.3, tree-sitter-java 0.21.0), the same under hash seeds 0, 1 and 2; per candidate its
likeness to the fix, to the buggy code, and to the fix with the study's shared prefix before both.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import sacrebleu

from tests.metrics.plain import lcs_pairs, ngrams, plain_sari

FROZEN: dict[str, dict[str, list[float]]] = json.loads(
    (Path(__file__).parents[1] / "data" / "golden" / "codebleu.json").read_text(encoding="utf-8")
)
TOKEN = re.compile(r"\w+|[-+*/%<>=!&|]=|&&|\|\||\+\+|\S")
KEYWORDS = {"boolean", "for", "int", "return", "while", "true"}
"""Those of Java that stand in the golden run."""


def tokens(code: str) -> list[str]:
    return TOKEN.findall(code)


def all_metrics(before: str, fix: str, candidate: str, frozen: Sequence[float]) -> dict[str, float]:
    """Every metric of the study by name; ``frozen`` are the syntax and data-flow parts of CodeBLEU."""
    o, a, b = map(tokens, (before, fix, candidate))
    far = levenshtein(a, b)
    ngram, weighted = smoothed(a, b), weighted_recall(a, b)
    syntax, flow = frozen
    line, line_published = excision(o, a, b, *(lined(text) for text in (before, fix, candidate)))
    token, token_published = excision(o, a, b, *([[t] for t in text] for text in (o, a, b)))
    bleu = sacrebleu.sentence_bleu(" ".join(b), [" ".join(a)], tokenize="none", use_effective_order=True)
    return {
        "exact_match": float(a == b),
        "edit_distance": float(far),
        "edit_similarity": 1 - far / max(len(a), len(b)),
        "bleu": bleu.score / 100,
        "codebleu": (ngram + weighted + syntax + flow) / 4,
        "codebleu_ngram": ngram,
        "codebleu_weighted": weighted,
        "codebleu_syntax": syntax,
        "codebleu_dataflow": flow,
        "chrf": sacrebleu.sentence_chrf(candidate, [fix]).score / 100,
        "sari": plain_sari(" ".join(o), [" ".join(a)], " ".join(b)),
        "diffbleu": smoothed(diff(before, fix), diff(before, candidate)),
        "excision_line": line,
        "excision_token": token,
        "excision_line_published": line_published,
        "excision_token_published": token_published,
    }


def levenshtein(one: Sequence[str], two: Sequence[str]) -> int:
    row = list(range(len(two) + 1))
    for i, x in enumerate(one, 1):
        left = row
        row = [i]
        for j, y in enumerate(two, 1):
            row.append(min(left[j] + 1, row[-1] + 1, left[j - 1] + (x != y)))
    return row[-1]


def smoothed(reference: Sequence[str], candidate: Sequence[str]) -> float:
    """BLEU-4; an order without a match counts 0.1 of one."""
    if not candidate or not set(reference) & set(candidate):
        return 0.0
    score = 1.0
    for order in (1, 2, 3, 4):
        found = ngrams(candidate, order)
        score *= ((found & ngrams(reference, order)).total() or 0.1) / max(1, found.total())
    return float(score**0.25) * min(1.0, math.exp(1 - len(reference) / len(candidate)))


def weighted_recall(reference: Sequence[str], candidate: Sequence[str]) -> float:
    score = 1.0
    for order in (1, 2, 3, 4):
        wanted = ngrams(reference, order)
        both = wanted & ngrams(candidate, order)
        weights = {g: 0.2 if order == 1 and g[0] not in KEYWORDS else 1.0 for g in wanted}
        hit, total = (sum(weights[g] * n for g, n in c.items()) for c in (both, wanted))
        score *= (hit or 0.1) / max(1.0, total)
    return float(score**0.25)


def lines(code: str) -> list[str]:
    return [line.strip() for line in code.splitlines() if line.strip()]


def lined(code: str) -> list[list[str]]:
    return [tokens(line) for line in lines(code)]


def encoded(*texts: Sequence[object]) -> list[str]:
    """Texts of any items as strings with one character per item."""
    known: dict[object, str] = {}
    return ["".join(known.setdefault(str(x), chr(65 + len(known))) for x in text) for text in texts]


def diff(before: str, after: str) -> list[str]:
    """Removed and added lines as tokens after a sign; in each hunk, removed ones first."""
    old, new = lines(before), lines(after)
    found: list[str] = []
    i = j = 0
    for a, b in [*lcs_pairs(*encoded(old, new)), (len(old), len(new))]:
        for sign, part in (("REMOVED", old[i:a]), ("ADDED", new[j:b])):
            for line in part:
                found += [sign, *tokens(line)]
        i, j = a + 1, b + 1
    return found


def excision(o: list[str], a: list[str], b: list[str], *items: list[list[str]]) -> tuple[float, float]:
    """LCS(LCS(O, A), LCS(O, B)) of the items cut out; SARI over the n-grams of what stands between.

    Then the same with 0 for an operation that neither side performed.
    """
    if b in (a, o):
        return float(b == a), float(b == a)
    old, ref, new = encoded(*items)
    known, found = lcs_pairs(old, ref), lcs_pairs(old, new)
    shared = lcs_pairs("".join(old[i] for i, _ in known), "".join(old[i] for i, _ in found))
    places = (
        [known[i][0] for i, _ in shared],
        [known[i][1] for i, _ in shared],
        [found[j][1] for _, j in shared],
    )
    pieces = [between(text, cut) for text, cut in zip(items, places, strict=True)]
    scores: dict[str, list[float]] = {"add": [], "keep": [], "delete": []}
    for order in (1, 2, 3, 4):
        source, wanted, output = (
            sum((ngrams(piece, order) for piece in own), Counter[tuple[str, ...]]()) for own in pieces
        )
        new_ones, ideal = set(output) - set(source), set(wanted) - set(source)
        if new_ones or ideal:
            scores["add"].append(2 * len(new_ones & ideal) / (len(new_ones) + len(ideal)))
        kept, keepable = source & output, source & wanted
        if kept or keepable:
            good = kept & wanted
            precision = sum(n / kept[g] for g, n in good.items()) / max(1, len(kept))
            recall = good.total() / max(1, keepable.total())
            scores["keep"].append(2 * precision * recall / ((precision + recall) or 1))
        gone, unwanted = source - output, source - wanted
        if gone or unwanted:
            right = gone & unwanted
            scores["delete"].append(sum(n / gone[g] for g, n in right.items()) / max(1, len(gone)))
    means = [sum(values) / len(values) for values in scores.values() if values]
    return sum(means) / len(means), sum(means) / 3


def between(text: list[list[str]], cut: list[int]) -> list[list[str]]:
    """The tokens of what stands before, between and after the places."""
    ends = [-1, *cut, len(text)]
    return [[token for item in text[i + 1 : j] for token in item] for i, j in pairwise(ends)]
