"""Ranking by a metric against the buggy code."""

import math
import os
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.registry import always
from nl2fix.metrics import METRICS
from nl2fix.metrics.edit import edit_similarity
from nl2fix.metrics.texts import Revision
from nl2fix.ranking.similarity import make
from tests.ranking.pools import pool, problem

ENVIRONMENT = Environment(cache=Path(os.devnull))
BUGGY = "int f(int a) { int b = a + 1; return b; }"
NEAR, FAR = BUGGY.replace("+", "-"), "int f(int a) { return helper(a, 1, 2, 3); }"
POOL = pool(problem(BUGGY), BUGGY + " // no change", FAR, NEAR)


@pytest.mark.parametrize("metric", ["edit_similarity", "edit_distance", "bleu", "chrf", "codebleu"])
def test_small_edits_first_no_edit_last(metric: str) -> None:
    assert make({"metric": metric}, ENVIRONMENT).rank([POOL]) == [[2, 1, 0]]


def test_ascending() -> None:
    assert make({"ascending": True}, ENVIRONMENT).rank([POOL]) == [[1, 2, 0]]
    assert make({"ascending": True, "metric": "edit_distance"}, ENVIRONMENT).rank([POOL]) == [[1, 2, 0]]


def test_undefined_goes_before_no_edit() -> None:
    one = pool(problem(BUGGY), BUGGY, "", NEAR)
    assert make({"metric": "bleu"}, ENVIRONMENT).rank([one]) == [[2, 1, 0]]


EXCISION = [name for name in METRICS if name.startswith("excision")]


@pytest.mark.parametrize("metric", ["sari", "diffbleu", *EXCISION])
def test_a_metric_of_edits_is_refused(metric: str) -> None:
    assert metric in METRICS
    with pytest.raises(UsageError, match="compares edits"):
        make({"metric": metric}, ENVIRONMENT)


def test_unknown_metric() -> None:
    with pytest.raises(UsageError, match="did you mean 'chrf'"):
        make({"metric": "chrff"}, ENVIRONMENT)


class Unsure:
    """A metric of somebody else's that has no number for short candidates."""

    def __init__(self, options: object, environment: object) -> None:
        pass

    def __call__(self, revision: Revision) -> float:
        return math.nan if len(revision.candidate.words) < 10 else edit_similarity(revision)


def test_a_metric_that_is_no_number_is_undefined() -> None:
    """It stood where it was drawn, and others around it in no order."""
    short = "int f() {}"
    one = pool(problem(BUGGY), FAR, short, NEAR, BUGGY)
    assert make({"metric": f"{__name__}:Unsure"}, ENVIRONMENT).rank([one]) == [[2, 0, 1, 3]]


def word(edit: Revision) -> str:
    return "much"


def endless(edit: Revision) -> int:
    return 10**400


WORD, ENDLESS, NO_FUNCTION = always(word), always(endless), always(5)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("WORD", "gave 'much', which is neither a number nor None"),
        ("ENDLESS", "gave 1.*, which is neither a number nor None"),
        ("NO_FUNCTION", "is no function of an edit"),
    ],
)
def test_a_metric_that_gives_no_number_is_told_by_name(metric: str, said: str) -> None:
    """It was an internal error of nl2fix."""
    with pytest.raises(Nl2fixError, match=f"metric '?{__name__}:{metric}'? {said}"):
        make({"metric": f"{__name__}:{metric}"}, ENVIRONMENT).rank([POOL])
