"""What every ranker shares: turning scores into an order, and the hopeless last.

Contract: an order names every index of a pool exactly once; ties keep the order of first draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Protocol, runtime_checkable

from nl2fix.core.changes import texts
from nl2fix.core.orders import orders
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Entry, Pool, Problem, RankerRecord
from nl2fix.languages import language
from nl2fix.ranking.examples import count_kept, telling, told_keeping

_DIGITS = 6
"""Scores closer than this many decimals are ties, so that the order does not hang on rounding."""

_IDLE = "; does what the unedited program does on every call"


def best_first(scores: Sequence[float]) -> list[int]:
    """Indices by falling score; equal scores in order of first draw."""
    return sorted(range(len(scores)), key=lambda i: (-round(scores[i], _DIGITS), i))


def compared(problem: Problem, entry: Entry) -> tuple[str, str]:
    """What an entry's score is of: the region as the model saw it, and what the entry puts there.

    Of the rest, lines count that differ: an edit that adds an import is compared as its neighbours are that
    add none, not drowned in an equal file.
    """
    candidate = entry.candidate
    if candidate.scope == "file":
        both = _differing(problem.text, candidate.code, *_shown(problem))
    else:
        both = [problem.visible], [candidate.code]
    edited = dict(candidate.others)
    further = (_differing(file.text, edited.get(file.path, file.text)) for file in problem.editable)
    before, after = zip(both, *further, strict=True)
    return "\n".join(chain(*before)), "\n".join(chain(*after))


def _shown(problem: Problem) -> tuple[range, str]:
    """Numbers of the lines, from 0, in which the region stands, and these lines as a model sees it there."""
    text, (start, end) = problem.text, problem.region
    head = text[text.rfind("\n", 0, start) + 1 : start]
    tail = text[end:].partition("\n")[0]
    lines = range(text.count("\n", 0, start), text.count("\n", 0, end) + 1)
    return lines, head + problem.visible + tail


def _differing(old: str, new: str, region: range = range(0), shown: str = "") -> tuple[list[str], list[str]]:
    """Lines that differ; all of a region's, which are ``shown`` so before, whether they differ or not."""
    from rapidfuzz.distance import LCSseq

    one, two = old.split("\n"), new.split("\n")
    before, after = list[str](), list[str]()
    for part in LCSseq.opcodes(one, two):
        lines = range(part.src_start, part.src_end)
        if part.tag == "equal":
            after += [one[i] for i in lines if i in region]
        else:
            after += two[part.dest_start : part.dest_end]
            before += [one[i] for i in lines if i not in region]
        before += [shown for i in lines if region and i == region.start]
    return before, after


def unedited(pool: Pool) -> list[bool]:
    """For each entry: is it the program as it was, token for token or once compiled?"""
    tokens = language(pool.problem.language).tokens
    both = (texts(pool.problem, entry.candidate, visible=True) for entry in pool.entries)
    same = [tokens(before) == tokens(after) for before, after in both]
    builds = {e.build_sha256 for e, equal in zip(pool.entries, same, strict=True) if equal}
    builds = (builds | {pool.unedited_build}) - {None}
    return [equal or e.build_sha256 in builds for e, equal in zip(pool.entries, same, strict=True)]


def unchanged(pool: Pool) -> list[bool]:
    """For each entry: was it observed to do on every call what the unedited program does?"""
    before = pool.unedited_behaviour
    told = [entry.behaviour for entry in pool.entries]
    return [before is not None and seen is not None and seen.digests == before.digests for seen in told]


class HopelessLast:
    """Ranks what may be a fix as if it were alone.

    What keeps more of the examples that code and issue state goes before what keeps fewer; of those that keep
    as many, what was observed to do only what the unedited program does comes last: no call may have met the
    bug. Then what changes nothing, then what is known not to compile, each in order of first draw.
    """

    def __init__(self, inner: Ranker) -> None:
        self._inner = inner
        self.name = inner.name

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        parts = [_parts(pool) for pool in pools]
        cut = [_cut(pool, group) for pool, (groups, _) in zip(pools, parts, strict=True) for group in groups]
        ranked = iter(orders(self._inner, cut))
        return [
            [*(group[i] for group in groups for i in next(ranked)), *hopeless] for groups, hopeless in parts
        ]

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, why it stands where it stands, in words."""
        told = [
            f"{'does not compile' if e.built is False else 'changes nothing'}: last" for e in pool.entries
        ]
        idle, examples = unchanged(pool), keeping(pool)
        for group in _parts(pool)[0]:
            for i, reason in zip(group, reasons(self._inner, _cut(pool, group)), strict=True):
                kept, as_many = (f"{examples[i]}; ", "keeps as many and ") if examples[i] else ("", "")
                behind = f"{_IDLE}, so behind what {as_many}does not" if idle[i] else ""
                told[i] = kept + reason + behind
        return told


def keeping(pool: Pool) -> list[str]:
    """For each entry how many stated examples it keeps, in words; empty where none are known to tell."""
    unseen = "not observed: taken to keep the examples that the unedited program keeps"
    stated, before = telling(pool.stated, pool.unedited_behaviour), pool.unedited_behaviour
    if not stated or before is None:
        return [""] * len(pool.entries)
    behaviours = [entry.behaviour for entry in pool.entries]
    return [told_keeping(stated, before, behaviour) if behaviour else unseen for behaviour in behaviours]


class RecordedRanker:
    """A ranker with the record of the settings it was made from."""

    def __init__(self, inner: Ranker, record: RankerRecord) -> None:
        self._inner = inner
        self.record = record
        self.name = record.label

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        return self._inner.rank(pools)

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, why it stands where it stands, in words."""
        return reasons(self._inner, pool)


@runtime_checkable
class Explains(Protocol):
    """A ranker that can say why."""

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, why it stands where it stands, in words."""
        ...


def reasons(ranker: Ranker, pool: Pool) -> list[str]:
    """Per entry, why a ranker puts it where it does; of one that cannot say, that much is said."""
    if isinstance(ranker, Explains):
        return ranker.reasons(pool)
    return [f"{ranker.name} gives no reasons"] * len(pool.entries)


def _cut(pool: Pool, part: Sequence[int]) -> Pool:
    return replace(pool, entries=tuple(pool.entries[i] for i in part))


def _parts(pool: Pool) -> tuple[list[list[int]], list[int]]:
    """Indices of what may be a fix, in groups of equal hope, the best first; and of the rest in its order.

    What could not be observed is taken to keep the examples that the unedited program keeps.
    """
    same, idle = unedited(pool), unchanged(pool)
    stated = telling(pool.stated, pool.unedited_behaviour)
    groups: dict[tuple[int, bool], list[int]] = {}
    hopeless: list[int] = []
    for i, entry in enumerate(pool.entries):
        if entry.built is False or same[i]:
            hopeless.append(i)
            continue
        behaviour = entry.behaviour or pool.unedited_behaviour
        kept = count_kept(stated, behaviour) if behaviour else 0
        groups.setdefault((-kept, idle[i]), []).append(i)
    hopeless.sort(key=lambda i: pool.entries[i].built is False)
    return [groups[key] for key in sorted(groups)], hopeless
