"""What holds for every ranking of any pool, whatever was drawn, built and observed."""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from nl2fix import ranking
from nl2fix.core.config import Environment
from nl2fix.core.records import Behaviour, Candidate, Entry, Pool, Stated
from nl2fix.ranking.cosine import CosineConfig, CosineRanker, similarities
from nl2fix.ranking.examples import count_kept
from nl2fix.ranking.features import features
from nl2fix.ranking.hashing import make as hashing
from nl2fix.ranking.order import reasons, unchanged, unedited
from nl2fix.ranking.vote import alike_groups, equal_groups
from tests.ranking.pools import pool, problem

ENVIRONMENT = Environment(cache=Path(os.devnull))
BUGGY = "int f() { return 1; }"
CODES = [
    "",
    " \n",
    "// gone",
    BUGGY,
    "int f() { return 1; } // kept",
    "int f() { return 2; }",
    "int f() {  return 2; }",
    "int f() { return 1 + 1; }",
    "int f() { return 3; }",
    "int f() { int a = 3; return a * a; }",
    "int f() { return",
]
RANKERS = ["vote", "cosine", "logprob", "similarity", "hybrid"]
BEFORE = Behaviour(("1", "7"), ("1", "7"))


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """Distinct candidates in order of first draw, of which all may be known, or little."""
    codes = draw(st.lists(st.sampled_from(CODES), unique=True, max_size=7))
    owners = draw(st.lists(st.sampled_from(range(len(codes))), max_size=9)) if codes else []
    drawers = [*range(len(codes)), *owners]
    entries = []
    for i, code in enumerate(codes):
        built = draw(st.sampled_from([None, True, True, False]))
        build = draw(st.sampled_from([None, "old", "new", "other"])) if built else None
        did = draw(st.sampled_from([None, ("1", "7"), ("2", "7"), ("3", "8")])) if built else None
        entries.append(
            Entry(
                Candidate(code),
                tuple(sample for sample, owner in enumerate(drawers) if owner == i),
                logprob=draw(st.sampled_from([None, -0.5, -0.5, -2.0])),
                built=built,
                build_sha256=build,
                behaviour=None if did is None else Behaviour(did, did),
            )
        )
    stated = draw(st.sampled_from([(), (Stated(0, "2", "comment"), Stated(1, "7", "comment"))]))
    one = replace(pool(problem(BUGGY), *entries), unedited_build="old", stated=stated)
    return replace(one, unedited_behaviour=draw(st.sampled_from([None, BEFORE])))


def hope(one: Pool) -> list[tuple[int, int, bool]]:
    """For each entry where docs/ranking.md puts it, whatever the ranker: less is better."""
    same, idle = unedited(one), unchanged(one)
    found = []
    for i, entry in enumerate(one.entries):
        behaviour = entry.behaviour or one.unedited_behaviour
        kept = count_kept(one.stated, behaviour) if behaviour else 0
        last = 2 if entry.built is False else int(same[i])
        found.append((last, 0, False) if last else (0, -kept, idle[i]))
    return found


@pytest.mark.filterwarnings("ignore:ranker logprob")
@pytest.mark.parametrize("name", RANKERS)
@given(one=pools())
def test_of_all_pools_the_hopeful_come_first_and_what_does_not_compile_last(name: str, one: Pool) -> None:
    [order] = ranking.make(name, {}, ENVIRONMENT).rank([one])
    assert sorted(order) == list(range(len(one.entries)))
    told = hope(one)
    assert [told[i] for i in order] == sorted(told)


def drawn(one: Pool, groups: Sequence[int], group: int) -> int:
    """Samples of a group."""
    return sum(len(entry.samples) for entry, own in zip(one.entries, groups, strict=True) if own == group)


@given(pools())
def test_votes_put_nothing_twice_among_the_best_and_copies_behind_other_words(one: Pool) -> None:
    [order] = ranking.make("vote", {"hopeless_last": False}, ENVIRONMENT).rank([one])
    alike, texts = alike_groups(one), equal_groups(one)
    votes = [drawn(one, alike, group) for group in alike]
    best = order[: len(set(alike))]
    assert len({alike[i] for i in best}) == len(best)
    assert [votes[i] for i in best] == sorted((votes[i] for i in best), reverse=True)
    words = order[: len(set(texts))]
    assert len({texts[i] for i in words}) == len(words)


def keys(name: str, one: Pool) -> Sequence[object]:
    """What entries are ordered by; of equal ones the first drawn stands first."""
    if name == "similarity":
        return reasons(ranking.make(name, {"hopeless_last": False}, ENVIRONMENT), one)
    if name == "logprob":
        return [entry.logprob for entry in one.entries]
    if name == "cosine":
        return [None if math.isnan(s) else s for s in similarities(hashing({}, ENVIRONMENT), one)]
    alike, texts = alike_groups(one), equal_groups(one)
    return [(drawn(one, alike, a), drawn(one, texts, t)) for a, t in zip(alike, texts, strict=True)]


@pytest.mark.filterwarnings("ignore:ranker logprob")
@pytest.mark.parametrize("name", ["vote", "cosine", "logprob", "similarity"])
@given(one=pools(), data=st.data())
def test_how_candidates_are_numbered_decides_ties_only(name: str, one: Pool, data: st.DataObject) -> None:
    moved = replace(one, entries=tuple(data.draw(st.permutations(one.entries))))
    ranker = ranking.make(name, {"hopeless_last": False}, ENVIRONMENT)
    orders = [(ranker.rank([each])[0], keys(name, each)) for each in (one, moved)]
    first, second = ([by[i] for i in order] for order, by in orders)
    assert first == second


@pytest.mark.parametrize("name", RANKERS)
@pytest.mark.filterwarnings("ignore:ranker logprob")
@settings(max_examples=30)
@given(one=pools(), data=st.data())
def test_a_pool_is_ranked_as_if_it_were_alone(name: str, one: Pool, data: st.DataObject) -> None:
    ranker = ranking.make(name, {}, ENVIRONMENT)
    other = data.draw(pools())
    assert ranker.rank([one, other]) == [*ranker.rank([one]), *ranker.rank([other])]


@given(pools())
def test_blank_code_is_near_to_nothing_and_comes_after_what_is(one: Pool) -> None:
    """Its similarity was 0.0, which reaches the median where half of the pool is blank: it came first."""
    codes = [entry.candidate.code for entry in one.entries]
    assume(any(map(str.strip, codes)))
    for threshold in (None, -1.0, 1.0):
        ranker = ranking.make("cosine", {"threshold": threshold, "hopeless_last": False}, ENVIRONMENT)
        [order] = ranker.rank([one])
        blank = [not codes[i].strip() for i in order]
        assert blank == sorted(blank)


class Deaf:
    """An embedder of somebody else's that makes no numbers of some texts."""

    name = "deaf"

    def __init__(self, deaf: Callable[[str], bool], value: float) -> None:
        self._deaf, self._value = deaf, value

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[self._value if self._deaf(text) else 1.0, len(text)] for text in texts]
        return np.array(rows, dtype=np.float32)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_an_embedder_has_no_numbers_for_goes_last(value: float) -> None:
    """One such vector made the median no number, and the order of the whole pool was lost."""
    one = pool(problem(BUGGY), "int f() { return 333; }", "int f() { return 2; }", "int f() { return -1; }")
    ranker = CosineRanker(CosineConfig(), Deaf(lambda text: "333" in text, value))
    [order] = ranker.rank([one])
    assert sorted(order) == [0, 1, 2] and order[-1] == 0
    assert ranker.reasons(one)[0] == "no similarity with the buggy code: behind what has one"
    nothing = CosineRanker(CosineConfig(), Deaf(lambda text: True, value))
    assert nothing.rank([one]) == [[0, 1, 2]]


def test_what_is_learned_from_is_finite_without_such_numbers() -> None:
    one = pool(problem(BUGGY), "int f() { return 333; }", "int f() { return 2; }", "")
    assert np.isfinite(features(one, Deaf(lambda text: "333" in text, math.nan))).all()
