"""Ranking by frequency of equal candidates."""

import os
from dataclasses import replace
from pathlib import Path

from nl2fix import ranking
from nl2fix.core.config import Environment
from nl2fix.core.records import Behaviour, Candidate, Entry
from nl2fix.ranking.order import reasons
from nl2fix.ranking.vote import alike_groups, equal_groups, make, votes
from tests.ranking.pools import pool, problem

ENVIRONMENT = Environment(cache=Path(os.devnull))
A, A_SPACED, B, C = "return a;", "return  a ; // same", "return b;", "return c;"


def entry(code: str, *samples: int, build: str | None = None, built: bool | None = None) -> Entry:
    return Entry(Candidate(code), samples, build_sha256=build, built=built)


def test_equal_tokens_vote_together_and_their_copies_go_last() -> None:
    entries = [entry(B, 0, 1), entry(A, 2), entry(C, 3), entry(A_SPACED, 4, 5)]
    one = pool(problem(), *entries)
    assert votes(one) == [2, 3, 1, 3]
    assert make({}, ENVIRONMENT).rank([one]) == [[1, 0, 2, 3]]


def test_equal_builds_vote_together() -> None:
    entries = [
        entry(C, 0, 1),
        entry(A, 2, build="x"),
        entry(B, 3, build="x"),
        entry("return d;", 4, build="y"),
    ]
    one = pool(problem(), *entries)
    assert equal_groups(one) == [0, 1, 1, 3]
    assert make({}, ENVIRONMENT).rank([one]) == [[0, 1, 3, 2]]


def test_equality_is_carried_on() -> None:
    """A equals A_SPACED by tokens, A_SPACED equals B by build: all three are one."""
    entries = [entry(B, 0, build="x"), entry(C, 1), entry(A, 2), entry(A_SPACED, 3, build="x")]
    assert equal_groups(pool(problem(), *entries)) == [0, 1, 0, 0]


def test_a_whole_file_is_not_a_region_of_the_same_code() -> None:
    entries = [entry(A, 0), Entry(Candidate(A, "file"), (1,))]
    assert equal_groups(pool(problem(), *entries)) == [0, 1]


def test_ties_keep_the_order_of_first_draw() -> None:
    entries = [entry(A, 0, 1), entry(B, 2), entry(C, 3)]
    assert make({}, ENVIRONMENT).rank([pool(problem(), *entries), pool(problem())]) == [[0, 1, 2], []]


def test_proposals_of_a_generator_are_no_votes_and_keep_its_order() -> None:
    """zxcvbn4j's fix, the likeliest proposal, stood eighth: two others compile alike, though each is
    proposed once by whoever proposes nothing twice.
    """
    entries = [entry(C, 0), entry(A, 1, build="x"), entry(B, 2, build="x"), entry(A_SPACED, 3, 4)]
    one = pool(problem(), *(replace(each, proposed=True) for each in entries))
    vote = make({}, ENVIRONMENT)
    assert vote.rank([one]) == [[0, 1, 2, 3]]
    assert reasons(vote, one)[0] == "proposed, no sample; first as sample 0"


def seen(code: str, did: str, *samples: int) -> Entry:
    """An entry that was observed: one letter a call."""
    return replace(entry(code, *samples, built=True), behaviour=Behaviour(tuple(did), tuple(did)))


def test_equal_behaviour_votes_together_and_one_text_stands_for_all() -> None:
    entries = [
        seen(C, "xyz", 0, 1, 2),
        seen(A, "abc", 3),
        seen(B, "abc", 4, 5),
        seen(A_SPACED, "abc", 6),
        entry("return d;", 7),
    ]
    one = pool(problem(), *entries)
    assert alike_groups(one) == [0, 1, 1, 1, 4]
    vote = make({}, ENVIRONMENT)
    assert vote.rank([one]) == [[1, 0, 4, 2, 3]]
    assert make({"behaviour": False}, ENVIRONMENT).rank([one]) == [[0, 1, 2, 4, 3]]
    assert reasons(vote, one)[1] == "drawn 4 times as 3 texts that do the same on 3 calls"


def test_what_does_only_what_the_unedited_program_does_comes_behind_and_is_ranked_too() -> None:
    entries = [
        seen(A, "abc", 0, 1, 2),
        seen(B, "abx", 3),
        seen(C, "abc", 4),
        entry("return d;", 5, built=False),
    ]
    one = replace(pool(problem(), *entries), unedited_behaviour=Behaviour(tuple("abc"), tuple("abc")))
    vote = ranking.make("vote", {}, ENVIRONMENT)
    assert vote.rank([one]) == [[1, 0, 2, 3]]
    told = reasons(vote, one)
    assert told[0].endswith("; does what the unedited program does on every call, so behind what does not")
    assert told[1] == "drawn once" and told[3] == "does not compile: last"
