"""What can be told of a candidate without running a test: the input of the learned ranker.

Contract: one row per entry, one column per name in ``NAMES``, all finite. Nothing here looks at
outcomes, references or tests. Columns ending in ``_place`` are ranks inside the pool from 0 (lowest
value) to 1, equal values equal, so that they mean the same for every bug.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nl2fix.core.protocols import Embedder
from nl2fix.core.records import Entry, Pool
from nl2fix.languages import language
from nl2fix.metrics.chrf import chrf
from nl2fix.metrics.edit import edit_distance, edit_similarity
from nl2fix.metrics.texts import Edit, Revision
from nl2fix.ranking.cosine import similarities
from nl2fix.ranking.order import compared
from nl2fix.ranking.vote import equal_groups, votes

if TYPE_CHECKING:
    from rapidfuzz.distance import Editops

_OWN = (
    *("edit_distance", "edit_similarity", "chrf", "length_ratio", "tokens_added", "tokens_removed"),
    *("hunks", "first_change", "last_change", "added_known_in_method", "added_known_in_file"),
    *("changed_in_issue", "unchanged", "whole_file", "repeats_earlier", "built", "has_logprob"),
)
_PLACED = ("cosine", "votes", "logprob", "edit_distance", "edit_similarity", "draw")
NAMES = (*_OWN, "cosine", "vote_share", *(f"{name}_place" for name in _PLACED))
"""The columns."""

_WORD = re.compile(r"[A-Za-z]{3,}")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def features(pool: Pool, embedder: Embedder) -> NDArray[np.float64]:
    """Array of shape ``(len(pool.entries), len(NAMES))``."""
    if not pool.entries:
        return np.zeros((0, len(NAMES)))
    spoken = language(pool.problem.language)
    issue = _words(" ".join(pool.problem.instructions.values()))
    file_words = frozenset(spoken.tokens(pool.problem.text))
    edits: dict[str, Edit] = {}
    groups, counts = equal_groups(pool), votes(pool)
    cosines = np.nan_to_num(similarities(embedder, pool))
    rows = []
    for i, entry in enumerate(pool.entries):
        old, new = compared(pool.problem, entry)
        if old not in edits:
            edits[old] = Edit(old, [old], spoken)
        revision = edits[old].revision(new)
        rows.append([*_texts(revision, issue, file_words), *_entry(entry, groups[i] != i)])
    matrix = np.array(rows)
    placed = [
        list(cosines),
        [float(count) for count in counts],
        [-1e9 if entry.logprob is None else entry.logprob for entry in pool.entries],
        list(matrix[:, _OWN.index("edit_distance")]),
        list(matrix[:, _OWN.index("edit_similarity")]),
        [float(min(entry.samples, default=0)) for entry in pool.entries],
    ]
    drawn = max(1, sum(len(entry.samples) for entry in pool.entries))
    shares = [[cosine, count / drawn] for cosine, count in zip(cosines, counts, strict=True)]
    table: NDArray[np.float64] = np.hstack(
        [matrix, np.array(shares), np.column_stack(list(map(_place, placed)))]
    )
    return table


def _texts(revision: Revision, issue: frozenset[str], file_words: frozenset[str]) -> list[float]:
    """The columns from ``edit_distance`` to ``unchanged``."""
    from rapidfuzz.distance import LCSseq

    old, new = revision.before, revision.candidate
    steps = LCSseq.editops(old.tokens, new.tokens)
    added = [new.words[step.dest_pos] for step in steps if step.tag == "insert"]
    removed = [old.words[step.src_pos] for step in steps if step.tag == "delete"]
    places = [step.src_pos / max(1, len(old.words)) for step in steps]
    method_words = frozenset(old.words)
    changed = _words(" ".join(added + removed))
    return [
        edit_distance(revision),
        edit_similarity(revision),
        chrf(revision) or 0.0,
        len(new.words) / max(1, len(old.words)),
        float(len(added)),
        float(len(removed)),
        float(_hunks(steps)),
        min(places, default=0.0),
        max(places, default=0.0),
        _share(added, method_words),
        _share(added, file_words),
        len(changed & issue) / max(1, len(changed)),
        float(revision.unchanged),
    ]


def _entry(entry: Entry, repeats: bool) -> list[float]:
    """The columns from ``whole_file`` to ``has_logprob``; an unknown build is 0.5."""
    built = 0.5 if entry.built is None else float(entry.built)
    return [float(not entry.candidate.local), float(repeats), built, float(entry.logprob is not None)]


def _hunks(steps: Editops) -> int:
    """Groups of changes with no unchanged token between them."""
    ends = (0, 0)
    hunks = 0
    for block in steps.as_matching_blocks():
        hunks += (block.a, block.b) != ends
        ends = (block.a + block.size, block.b + block.size)
    return hunks


def _share(words: Sequence[str], vocabulary: frozenset[str]) -> float:
    return sum(word in vocabulary for word in words) / len(words) if words else 1.0


def _words(text: str) -> frozenset[str]:
    """Words of three letters and more in lower case; parts of camel-case names are words too."""
    matched = _WORD.findall(text)
    parts = [part for word in matched for part in _PARTS.findall(word) if len(part) > 2]
    return frozenset(word.lower() for word in (*matched, *parts))


def _place(values: Sequence[float]) -> NDArray[np.float64]:
    """Mean rank of each value among all, from 0 to 1; 0.5 where there is nothing to rank."""
    data = np.round(np.asarray(values, dtype=np.float64), 9)
    below = (data[:, None] > data[None, :]).sum(axis=1)
    above = (data[:, None] < data[None, :]).sum(axis=1)
    places: NDArray[np.float64] = 0.5 + (below - above) / (2 * max(1, len(data) - 1))
    return places
