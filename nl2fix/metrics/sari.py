"""SARI (Xu et al. 2016, equations 3–7): what was added, kept and deleted, against the references.

Follows the authors' released script, with the two changes of the implementation in tensor2tensor and
Hugging Face ``evaluate``: 0/0 is 1, and the recall of keeps is taken over all kept n-grams. Additions
are compared as sets, keeps and deletions as multisets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from nl2fix.metrics.texts import ORDERS, Counts, Revision


class Share(NamedTuple):
    """Precision and recall of one operation; ``None`` where the denominator is empty."""

    precision: float | None
    recall: float | None


class Operations(NamedTuple):
    """The three operations on n-grams of one order."""

    add: Share
    keep: Share
    delete: Share


def sari(revision: Revision) -> float:
    """Mean of F1 of additions, F1 of keeps and precision of deletions over n = 1..4; 0 to 1."""
    references = [reference.counts for reference in revision.references]
    total = 0.0
    before, candidate = revision.before.counts, revision.candidate.counts
    for found in operations(before, candidate, references, as_published=True):
        deleted = found.delete.precision
        total += f1(found.add, 1.0) + f1(found.keep, 1.0) + (1.0 if deleted is None else deleted)
    return total / (3 * len(ORDERS))


def operations(
    before: Counts, candidate: Counts, references: Sequence[Counts], as_published: bool = False
) -> list[Operations]:
    """Precision and recall of every operation, one item for each order.

    The published script compares how often an n-gram was deleted with how often references hold it;
    unless ``as_published``, it is compared with how often the references deleted it.
    """
    found = []
    for order in range(len(ORDERS)):
        union: Counter[str] = Counter()
        for reference in references:
            union.update(reference[order])
        found.append(_order(before[order], candidate[order], union, len(references), as_published))
    return found


def f1(share: Share, empty: float) -> float:
    """Harmonic mean of precision and recall; ``empty`` stands for an undefined one."""
    precision = empty if share.precision is None else share.precision
    recall = empty if share.recall is None else share.recall
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _order(
    before: Counter[str],
    candidate: Counter[str],
    references: Counter[str],
    times: int,
    as_published: bool,
) -> Operations:
    """One order; ``references`` counts over ``times`` references, so the rest is multiplied by it."""
    if times > 1:
        before, candidate = _multiply(before, times), _multiply(candidate, times)
    kept, wanted = before & candidate, before & references
    deleted, unwanted = before - candidate, before - references
    added, missing = candidate.keys() - before.keys(), references.keys() - before.keys()
    good_deleted = deleted - references if as_published else deleted & unwanted
    good_kept = kept & references
    hits = len(added & missing)
    return Operations(
        Share(_ratio(hits, len(added)), _ratio(hits, len(missing))),
        Share(_mean_share(good_kept, kept), _ratio(good_kept.total(), wanted.total())),
        Share(_mean_share(good_deleted, deleted), _ratio(good_deleted.total(), unwanted.total())),
    )


def _multiply(counts: Counter[str], times: int) -> Counter[str]:
    return Counter({ngram: count * times for ngram, count in counts.items()})


def _mean_share(good: Counter[str], found: Counter[str]) -> float | None:
    """Mean over distinct n-grams of the share of their occurrences that is good."""
    if not found:
        return None
    return sum(count / found[ngram] for ngram, count in good.items()) / len(found)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
