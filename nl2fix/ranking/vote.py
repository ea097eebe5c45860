"""Ranks by how often equal candidates were drawn (self-consistency).

Contract: candidates are equal when their tokens are, or their builds where those are known, or what they
did where that was observed. Of equal ones only one stands among the best, that whose text was drawn most
often; then come those that do the same in other words, then copies, for a list that shows the same edit
twice wastes a place. What a generator proposed has no votes: it proposes nothing twice, so that two proposals
which come to the same are no likelier than one; they keep its order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from nl2fix.core.config import Environment, read
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Pool
from nl2fix.languages import language


@dataclass(frozen=True)
class VoteConfig:
    behaviour: bool = True
    """Whether candidates that were observed to do the same vote together."""


class VoteRanker:
    """Most drawn first; ties in order of first draw."""

    def __init__(self, behaviour: bool = True) -> None:
        self._behaviour = behaviour
        self.name = "vote" if behaviour else "vote(text)"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        return [self._order(pool) for pool in pools]

    def _order(self, pool: Pool) -> list[int]:
        texts, alike, heads = self._grouped(pool)
        counts, by_text = _counts(pool, alike), _counts(pool, texts)

        def place(i: int) -> tuple[int, int, int, int]:
            head = heads[alike[i]]
            level = 0 if i == head else 1 if texts[i] == i and texts[head] != i else 2
            return level, -counts[alike[i]], -by_text[texts[i]], i

        return sorted(range(len(pool.entries)), key=place)

    def _grouped(self, pool: Pool) -> _Groups:
        texts = equal_groups(pool)
        alike = alike_groups(pool) if self._behaviour else texts
        counts = _counts(pool, texts)
        heads: dict[int, int] = {}
        for i in sorted(range(len(texts)), key=lambda i: (-counts[texts[i]], i)):
            heads.setdefault(alike[i], i)
        return _Groups(texts, alike, heads)

    def reasons(self, pool: Pool) -> list[str]:
        """Per entry, how often it was drawn, and what decides between equally often drawn ones."""
        groups = self._grouped(pool)
        counts = _counts(pool, groups.alike)
        by_text = _counts(pool, groups.texts)
        texts = {group: by_text[groups.texts[head]] for group, head in groups.heads.items()}
        told = []
        for i, group in enumerate(groups.alike):
            drawn = _drawn(pool, i, groups, counts[group])
            if groups.heads[group] != i:
                told.append(f"{drawn}; one of them stands above already")
                continue
            tied = [texts[other] for other in groups.heads if counts[other] == counts[group]]
            told.append(drawn + (", as often as others" if len(tied) > 1 and counts[group] else ""))
            if len(set(tied)) > 1:
                told[-1] += f"; this text {_times(texts[group])}"
            if tied.count(texts[group]) > 1:
                verb = "drawn " if counts[group] else ""
                told[-1] += f"; first {verb}as sample {min(pool.entries[i].samples)}"
        return told


class _Groups(NamedTuple):
    """Entries that vote together, by index."""

    texts: list[int]
    """For each the first that is equal."""
    alike: list[int]
    """For each the first that is equal or did the same."""
    heads: dict[int, int]
    """For each of the latter who stands for them."""


def _drawn(pool: Pool, i: int, groups: _Groups, count: int) -> str:
    drawn = f"drawn {_times(count)}" if count else "proposed, no sample"
    together = groups.alike.count(groups.alike[i])
    if together == 1:
        return drawn
    drawn += f" as {together} texts that "
    behaviour = pool.entries[i].behaviour
    if groups.texts.count(groups.texts[i]) == together or behaviour is None:
        return drawn + "are equal but for layout or once compiled"
    return drawn + f"do the same on {sum(map(bool, behaviour.digests))} calls"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def equal_groups(pool: Pool) -> list[int]:
    """For each entry the index of the first entry that is equal to it by tokens or build."""
    tokens = language(pool.problem.language).tokens
    keys: list[list[Hashable]] = []
    for entry in pool.entries:
        others = tuple((path, tuple(tokens(text))) for path, text in entry.candidate.others)
        keys.append([(entry.candidate.scope, tuple(tokens(entry.candidate.code)), others)])
        if entry.build_sha256 is not None:
            keys[-1].append(entry.build_sha256)
    return _united(keys)


def alike_groups(pool: Pool) -> list[int]:
    """For each entry the index of the first that is equal to it or was observed to do the same."""
    keys: list[list[Hashable]] = [[group] for group in equal_groups(pool)]
    for key, entry in zip(keys, pool.entries, strict=True):
        if entry.behaviour is not None:
            key.append(entry.behaviour.digests)
    return _united(keys)


def _united(all_keys: Sequence[Sequence[Hashable]]) -> list[int]:
    """For each item the index of the first that shares a key with it, directly or through others."""
    parents = list(range(len(all_keys)))

    def root(i: int) -> int:
        while parents[i] != i:
            i = parents[i]
        return i

    seen: dict[Hashable, int] = {}
    for i, keys in enumerate(all_keys):
        for key in keys:
            one, other = sorted((root(seen.setdefault(key, i)), root(i)))
            parents[other] = one
    return [root(i) for i in range(len(parents))]


def votes(pool: Pool) -> list[int]:
    """For each entry the number of samples that drew it or an equal one."""
    groups = equal_groups(pool)
    counts = _counts(pool, groups)
    return [counts[group] for group in groups]


def _counts(pool: Pool, groups: Sequence[int]) -> Counter[int]:
    """Samples of each group; proposals of a generator are none."""
    counts: Counter[int] = Counter()
    for group, entry in zip(groups, pool.entries, strict=True):
        counts[group] += 0 if entry.proposed else len(entry.samples)
    return counts


def make(options: Mapping[str, Any], environment: Environment) -> Ranker:
    return VoteRanker(read(VoteConfig, options, "ranker vote").behaviour)
