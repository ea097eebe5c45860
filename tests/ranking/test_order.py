"""What all rankers share: the hopeless last."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.records import Behaviour, Candidate, Entry, Pool, Stated
from nl2fix.ranking import make
from nl2fix.ranking.order import HopelessLast, best_first, reasons, unedited
from tests.ranking.pools import pool, problem

ENVIRONMENT = Environment(cache=Path(os.devnull))
BUGGY = "int f() { return 1; } "
TASK = problem(BUGGY)
SAME = Entry(
    Candidate("int f() {\n  return 1; // as it was\n}"), (0, 1, 2, 3), built=True, build_sha256="old"
)
SAME_BUILD = Entry(Candidate("int f() { return (1); }"), (4, 5, 6), built=True, build_sha256="old")
BROKEN = Entry(Candidate("int f() { return 2 }"), (7, 8), built=False)
UNKNOWN = Entry(Candidate("int f() { return 3; }"), (9,))
GOOD = Entry(Candidate("int f() { return 4; }"), (10,), built=True, build_sha256="new")


@pytest.mark.parametrize(
    "name", ["vote", "cosine", "logprob", "similarity", "hybrid", f"{__name__}:Backwards"]
)
def test_what_cannot_be_a_fix_goes_last_in_every_ranker(name: str) -> None:
    one = pool(TASK, BROKEN, SAME, SAME_BUILD, UNKNOWN, GOOD)
    [order] = make(name, {}, ENVIRONMENT).rank([one])
    assert sorted(order[:2]) == [3, 4]
    assert order[2:] == [1, 2, 0]


def test_unless_told_otherwise_and_then_the_name_says_so() -> None:
    ranker = make("vote", {"hopeless_last": False}, ENVIRONMENT)
    assert ranker.rank([pool(TASK, BROKEN, SAME, GOOD)]) == [[1, 0, 2]]
    assert ranker.name == "vote+hopeless"
    with pytest.raises(UsageError, match="true or false, not 'no'"):
        make("vote", {"hopeless_last": "no"}, ENVIRONMENT)


def test_unedited_is_told_by_tokens_and_by_the_build() -> None:
    assert unedited(pool(TASK, SAME, SAME_BUILD, GOOD)) == [True, True, False]
    assert unedited(pool(TASK, SAME_BUILD, GOOD)) == [False, False]
    known = Pool(TASK, (SAME_BUILD, GOOD), unedited_build="old")
    assert unedited(known) == [True, False]
    whole = Entry(Candidate(TASK.text + "// end", "file"), (0,))
    assert unedited(pool(TASK, whole, Entry(Candidate(BUGGY, "file"), (1,)))) == [True, False]


def test_builds_that_are_not_known_are_not_equal() -> None:
    assert unedited(pool(TASK, BUGGY, UNKNOWN, BROKEN)) == [True, False, False]


def test_why_each_stands_where_it_stands() -> None:
    again = Entry(Candidate("int f() { return  4; }"), (11, 12), built=True, build_sha256="new")
    one = pool(TASK, BROKEN, SAME_BUILD, UNKNOWN, GOOD, again, SAME)
    assert reasons(make("vote", {}, ENVIRONMENT), one) == [
        "does not compile: last",
        "changes nothing: last",
        "drawn once",
        "drawn 3 times as 2 texts that are equal but for layout or once compiled",
        "drawn 3 times as 2 texts that are equal but for layout or once compiled;"
        " one of them stands above already",
        "changes nothing: last",
    ]
    tied = reasons(make("vote", {}, ENVIRONMENT), pool(TASK, UNKNOWN, GOOD))
    assert tied[1] == "drawn once, as often as others; first drawn as sample 10"


def seen(entry: Entry, *words: str) -> Entry:
    return replace(entry, behaviour=Behaviour(words, words))


def stating(*entries: Entry) -> Pool:
    """A pool where the unedited program returns 1 and 7, and 2 and 7 are stated."""
    stated = (Stated(0, "2", "comment"), Stated(1, "7", "comment"))
    return replace(pool(TASK, *entries), unedited_behaviour=Behaviour(("1", "7"), ("1", "7")), stated=stated)


@pytest.mark.parametrize("name", ["vote", "cosine", "similarity", "hybrid", f"{__name__}:Backwards"])
def test_what_breaks_stated_examples_goes_behind_what_keeps_them(name: str) -> None:
    popular = replace(GOOD, samples=tuple(range(20, 40)))
    worse, idle, keeps = (
        seen(popular, "3", "8"),
        seen(UNKNOWN, "1", "7"),
        seen(replace(GOOD, samples=(3,)), "2", "7"),
    )
    ended = Entry(Candidate("int f() { System.exit(0); }"), (4,), built=True, build_sha256="exit")
    [order] = make(name, {}, ENVIRONMENT).rank([stating(BROKEN, worse, idle, ended, keeps, SAME)])
    assert order == [4, 3, 2, 1, 5, 0]


def test_an_example_is_a_reason() -> None:
    told = reasons(make("vote", {}, ENVIRONMENT), stating(seen(GOOD, "2", "7"), seen(UNKNOWN, "1", "7")))
    assert told[0] == "keeps 2 of 2 examples in the comment; before: 1 of 2; drawn once"
    assert told[1].startswith("keeps 1 of 2 examples in the comment; before: 1 of 2; drawn once; does what")
    assert told[1].endswith("so behind what keeps as many and does not")
    told = reasons(make("vote", {}, ENVIRONMENT), stating(seen(GOOD, "2", "7"), UNKNOWN))
    assert told[1] == "not observed: taken to keep the examples that the unedited program keeps; drawn once"


def test_of_equally_many_votes_those_for_one_text_count_first_and_the_reason_says_so() -> None:
    alone = seen(replace(UNKNOWN, samples=(11, 12)), "3", "8")
    first, other = (seen(replace(GOOD, samples=(n,), build_sha256=str(n)), "4", "8") for n in (0, 1))
    other = replace(other, candidate=Candidate("int f() { return 2 + 2; }"))
    one = pool(TASK, first, other, alone)
    vote = make("vote", {}, ENVIRONMENT)
    assert vote.rank([one]) == [[2, 0, 1]]
    assert reasons(vote, one) == [
        "drawn 2 times as 2 texts that do the same on 2 calls, as often as others; this text once",
        "drawn 2 times as 2 texts that do the same on 2 calls; one of them stands above already",
        "drawn 2 times, as often as others; this text 2 times",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "cosine",
            r"similarity 0\.\d{3} with the buggy code, not below 0\.\d{3}, the median: of these .* first",
        ),
        ("similarity", r"edit_similarity 0\.\d{3} with the buggy code"),
        ("logprob", "no log-probability known"),
        ("hybrid", r"place 1 by vote, place \d by similarity\(chrf\)"),
        (f"{__name__}:Backwards", "backwards gives no reasons"),
    ],
)
def test_every_ranker_says_what_it_knows(name: str, said: str) -> None:
    assert re.fullmatch(said, reasons(make(name, {}, ENVIRONMENT), pool(TASK, GOOD))[0])


@given(st.lists(st.sampled_from([SAME, SAME_BUILD, BROKEN, UNKNOWN, GOOD]), max_size=6))
def test_every_candidate_keeps_one_place(entries: list[Entry]) -> None:
    [order] = make("vote", {}, ENVIRONMENT).rank([pool(TASK, *entries)])
    assert sorted(order) == list(range(len(entries)))


def test_ties_and_rounding_keep_the_order_of_first_draw() -> None:
    assert best_first([0.1 + 0.2, 0.3, 0.5]) == [2, 0, 1]


class Backwards:
    """A ranker of somebody else's: last drawn first."""

    name = "backwards"

    def __init__(self, options: Mapping[str, Any], environment: Environment) -> None:
        pass

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        return [list(range(len(one.entries)))[::-1] for one in pools]


def test_a_ranker_cannot_take_pools_away() -> None:
    """It was an internal error where it emptied the list it was given."""

    class Emptying:
        name = "emptying"

        def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
            cast(list[Pool], pools).clear()
            return []

    with pytest.raises(AttributeError, match="'tuple' object has no attribute 'clear'"):
        HopelessLast(Emptying()).rank([pool(problem(BUGGY), BUGGY)])
