"""Ranking by the model's own score."""

import os
import warnings
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.records import Candidate, Entry
from nl2fix.ranking.logprob import make
from tests.ranking.pools import pool, problem


def test_most_probable_first_unknown_last() -> None:
    scores = [None, -0.5, -0.1, None, -0.5]
    entries = [Entry(Candidate(str(i)), (i,), logprob=score) for i, score in enumerate(scores)]
    ranker = make({}, Environment(cache=Path(os.devnull)))
    assert ranker.rank([pool(problem(), *entries), pool(problem())]) == [[2, 1, 4, 0, 3], []]


def test_where_no_candidate_has_a_score_that_is_told() -> None:
    """The row had numbers like any other: those of the order of drawing."""
    ranker = make({}, Environment(cache=Path(os.devnull)))
    unknown = pool(problem(), "int f() { return 2; }", "int f() { return 3; }")
    with pytest.warns(UserWarning, match="logprob: none of 4 candidates has a log-probability") as told:
        assert ranker.rank([unknown, unknown, pool(problem())]) == [[0, 1], [0, 1], []]
    assert len(told) == 1


def test_nothing_is_told_where_one_has_a_score_or_there_is_no_candidate() -> None:
    ranker = make({}, Environment(cache=Path(os.devnull)))
    known = pool(problem(), Entry(Candidate("x"), (0,), logprob=-1.0), "int f() { return 3; }")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ranker.rank([known, pool(problem(), "int f() { return 2; }")])
        ranker.rank([pool(problem())])
