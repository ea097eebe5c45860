"""Ranking by the model's own score."""

import os
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.records import Candidate, Entry
from nl2fix.ranking.logprob import make
from tests.ranking.pools import pool, problem


def test_most_probable_first_unknown_last() -> None:
    scores = [None, -0.5, -0.1, None, -0.5]
    entries = [Entry(Candidate(str(i)), (i,), logprob=score) for i, score in enumerate(scores)]
    ranker = make({}, Environment(cache=Path(os.devnull)))
    assert ranker.rank([pool(problem(), *entries), pool(problem())]) == [[2, 1, 4, 0, 3], []]
