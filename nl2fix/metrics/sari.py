"""SARI (Xu et al. 2016, equations 3–7): what was added, kept and deleted, against the references.

Follows the authors' released script, with the two changes of the implementation in tensor2tensor and
Hugging Face ``evaluate``: 0/0 is 1, and the recall of keeps is taken over all kept n-grams. Additions
are compared as sets, keeps and deletions as multisets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from nl2fix.core.registry import always
from nl2fix.metrics.ngrams import ORDERS, Counts
from nl2fix.metrics.texts import Revision


class Share(NamedTuple):
    """Precision and recall of one operation; ``None`` where the denominator is empty."""

    precision: float | None
    recall: float | None


class Operations(NamedTuple):
    """The three operations on n-grams of one order."""

    add: Share
    keep: Share
    delete: Share


class OrderCounts(NamedTuple):
    """The n-grams of one order in three texts, those left out that all have equally often."""

    before: Counter[str]
    candidate: Counter[str]
    references: Counter[str]
    """Those of all references together."""
    ends: Mapping[str, int]
    """Every n-gram above, with the number that each text has besides."""
    times: int = 1
    """Number of references."""
    left_out: tuple[int, int] = (0, 0)
    """Number of n-grams that are left out, and of their occurrences in a text."""


def sari(revision: Revision) -> float:
    """Mean of F1 of additions, F1 of keeps and precision of deletions over n = 1..4; 0 to 1."""
    total = 0.0
    size = len(revision.before.tokens)
    for order, whole in enumerate(revision.before.counts):
        before, *references, candidate = (counts[order] for counts in revision.rests.counts)
        touched = set().union(before, candidate, *references)
        # What is in shared blocks as well counts in full, the rest of shared blocks as a number.
        known = [whole[n] for n in touched if n in whole]
        ends = {n: whole[n] - before.get(n, 0) if n in whole else 0 for n in touched}
        left_out = len(whole) - len(known), max(0, size - order) - sum(known)
        wanted = references[0] if len(references) == 1 else sum(references[1:], references[0])
        order_counts = OrderCounts(before, candidate, wanted, ends, len(references), left_out)
        shares = _operations(order_counts, as_published=True)
        deleted = shares.delete.precision
        total += f1(shares.add, 1.0) + f1(shares.keep, 1.0) + (1.0 if deleted is None else deleted)
    return total / (3 * len(ORDERS))


def operations(before: Counts, candidate: Counts, reference: Counts) -> list[Operations]:
    """Precision and recall of every operation, one item for each order.

    The published script compares how often an n-gram was deleted with how often references hold it;
    here it is compared with how often the reference deleted it.
    """
    return [
        _operations(
            OrderCounts(source, output, wanted, dict.fromkeys({*source, *output, *wanted}, 0)),
            as_published=False,
        )
        for source, output, wanted in zip(before, candidate, reference, strict=True)
    ]


def f1(share: Share, empty: float) -> float:
    """Harmonic mean of precision and recall; ``empty`` stands for an undefined one."""
    precision = empty if share.precision is None else share.precision
    recall = empty if share.recall is None else share.recall
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _operations(order: OrderCounts, *, as_published: bool) -> Operations:
    """References are counted together, so the other texts are multiplied by their number."""
    before, candidate, references, ends, times, left_out = order
    keep, delete = _Sums(), _Sums()
    keep.add_alike(left_out[0], times * left_out[1])
    added = missing = both = alike = occurrences = 0
    in_before, in_candidate, in_references = before.get, candidate.get, references.get
    for ngram, besides in ends.items():
        source, output, wanted = in_before(ngram, 0), in_candidate(ngram, 0), in_references(ngram, 0)
        if source == output == wanted and times == 1:
            alike += 1
            occurrences += source + besides
            continue
        source, output, wanted = (
            (source + besides) * times,
            (output + besides) * times,
            wanted + besides * times,
        )
        if not source:
            added += output > 0
            missing += wanted > 0
            both += output > 0 < wanted
            continue
        deleted, unwanted = source - output, source - wanted
        keep.add(wanted, output if deleted > 0 else source, wanted if unwanted > 0 else source)
        if deleted > 0 or unwanted > 0:
            delete.add(deleted - wanted if as_published else unwanted, deleted, unwanted)
    keep.add_alike(alike, occurrences)
    return Operations(Share(_ratio(both, added), _ratio(both, missing)), keep.share, delete.share)


class _Sums:
    """What is known of one operation after some n-grams."""

    def __init__(self) -> None:
        self._shares: list[float] = []
        self._found = self._good = self._ideal = 0

    def add(self, good: int, done: int, ideal: int) -> None:
        """An n-gram that was ``done`` so often, at most ``good`` of them rightly; below 0 is 0."""
        if done > 0:
            self._found += 1
            if good > 0:
                good = good if good < done else done
                self._good += good
                self._shares.append(good / done)
        if ideal > 0:
            self._ideal += ideal

    def add_alike(self, distinct: int, total: int) -> None:
        """n-grams on which all of ``total`` is good."""
        if distinct:
            self._shares.append(distinct)
        self._found += distinct
        self._good += total
        self._ideal += total

    @property
    def share(self) -> Share:
        """Precision: mean over distinct n-grams of the share that is good; recall: of all that is ideal."""
        # The exact sum hangs neither on the order nor on which n-grams are counted one by one.
        precision = math.fsum(self._shares) / self._found if self._found else None
        return Share(precision, _ratio(self._good, self._ideal))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


make_sari = always(sari)
