"""Uniting rankers by reciprocal rank fusion."""

import os
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.records import Candidate, Entry
from nl2fix.ranking.hybrid import make
from tests.ranking.pools import pool, problem

ENVIRONMENT = Environment(cache=Path(os.devnull))
ENTRIES = [
    Entry(Candidate("return a;"), (0,), logprob=-3.0, built=True),
    Entry(Candidate("return b;"), (1, 2), logprob=-2.0, built=False),
    Entry(Candidate("return c;"), (3, 4, 5), logprob=-1.0),
]


def test_one_part_is_that_ranker() -> None:
    assert make({"parts": ["vote"]}, ENVIRONMENT).rank([pool(problem(), *ENTRIES)]) == [[2, 1, 0]]


def test_places_are_added() -> None:
    """vote: c b a; logprob: c b a; the uncompilable b goes last when asked."""
    options = {"parts": ["vote", "logprob"], "compiling_only": True}
    ranker = make(options, ENVIRONMENT)
    assert ranker.name == "hybrid(vote+logprob)+compiling"
    assert ranker.rank([pool(problem(), *ENTRIES), pool(problem())]) == [[2, 0, 1], []]


def test_default_parts_rank_everything_once() -> None:
    [order] = make({}, ENVIRONMENT).rank([pool(problem(), *ENTRIES)])
    assert sorted(order) == [0, 1, 2]


@pytest.mark.parametrize("parts", [[], ["hybrid"]])
def test_parts_must_be_other_rankers(parts: list[str]) -> None:
    with pytest.raises(UsageError, match="parts"):
        make({"parts": parts}, ENVIRONMENT)
