"""The study's cosine ranker ."""

import os
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.protocols import Embedder
from nl2fix.core.records import Candidate, Entry, SourceFile
from nl2fix.ranking import make as make_any
from nl2fix.ranking.cosine import make, similarities
from nl2fix.ranking.hashing import make as hashing
from tests.ranking.pools import pool, problem

ENVIRONMENT = Environment(cache=Path(os.devnull))
BUGGY = "int f(int a) { int b = a + 1; if (b > 3) { return b; } return a; }"
SAME = BUGGY
NEAR = BUGGY.replace("> 3", ">= 3")
FAR = BUGGY.replace("a + 1", "Math.addExact(a, 1)").replace("return a", "return -a")
ALIEN = 'void g() { System.out.println("hello"); }'


def test_similarity_falls_with_the_size_of_the_edit() -> None:
    scores = similarities(hashing({}, ENVIRONMENT), pool(problem(BUGGY), SAME, NEAR, FAR, ALIEN))
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert scores[3] < 0.3


def test_median_threshold_then_ascending_then_the_dropped_descending() -> None:
    # Median of four lies between NEAR and FAR: SAME and NEAR stay, the least similar first.
    order = make({}, ENVIRONMENT).rank([pool(problem(BUGGY), ALIEN, SAME, FAR, NEAR)])
    assert order == [[3, 1, 2, 0]]


def test_given_threshold() -> None:
    order = make({"threshold": 0.0}, ENVIRONMENT).rank([pool(problem(BUGGY), SAME, NEAR, FAR)])
    assert order == [[2, 1, 0]]
    order = make({"threshold": 2}, ENVIRONMENT).rank([pool(problem(BUGGY), FAR, SAME, NEAR)])
    assert order == [[1, 2, 0]]


def test_ties_keep_the_order_of_first_draw() -> None:
    spaced = NEAR.replace(" ", "  ")
    assert make({}, ENVIRONMENT).rank([pool(problem(BUGGY), spaced, NEAR)]) == [[0, 1]]
    assert make({"threshold": 2}, ENVIRONMENT).rank([pool(problem(BUGGY), NEAR, spaced)]) == [[0, 1]]


def test_an_added_import_drowns_no_edit_in_its_file() -> None:
    """Compared with the whole file it was 1.0 near, and went before or behind all others for that alone."""
    others = "".join(f"int g{i}() {{ return {i}; }}\n" for i in range(99))
    small, large = problem(BUGGY), problem(BUGGY, around=others)
    scores = []
    for task in (small, large):
        plain = Candidate(FAR)
        more = Entry(Candidate(f"import x.Y;\n{plain.apply(task)}", "file"), (1,))
        whole = Entry(Candidate(task.text, "file"), (2,))
        scores.append(similarities(hashing({}, ENVIRONMENT), pool(task, FAR, more, whole)))
    assert scores[0] == scores[1], "however much stands around it"
    far, more_far, same = scores[0]
    assert same == 1.0
    assert 0.8 * far < more_far < far


def test_of_further_files_only_what_differs_is_compared() -> None:
    more = SourceFile("B.java", "\n".join(f"int b{i};" for i in range(99)))
    task = replace(problem(BUGGY), editable=(more,))
    edited = SourceFile("B.java", more.text.replace("int b7;", "long b7;"))
    both = Entry(Candidate(FAR, others=(edited,)), (1,))
    one, two = similarities(hashing({}, ENVIRONMENT), pool(task, FAR, both))
    assert 0.7 * one < two < 1.1 * one


def test_the_hopeless_are_left_out_of_the_median() -> None:
    """With them, FAR would reach the median, and come before NEAR."""
    broken = [Entry(Candidate(code), (0,), built=False) for code in (ALIEN, ALIEN + ALIEN)]
    entries = [*broken, Entry(Candidate(FAR), (2,), built=True), Entry(Candidate(NEAR), (3,))]
    ranker = make_any("cosine", {}, ENVIRONMENT)
    assert ranker.rank([pool(problem(BUGGY), *entries)]) == [[3, 2, 0, 1]]
    assert ranker.name == "cosine(hashing-4096-3)"


def test_empty_pools() -> None:
    for ranker in (make({}, ENVIRONMENT), make_any("cosine", {}, ENVIRONMENT)):
        assert ranker.rank([]) == []
        assert ranker.rank([pool(problem())]) == [[]]


def test_unknown_embedder_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean 'hashing'"):
        make({"embedder": "hashin"}, ENVIRONMENT)


@given(st.lists(st.text(alphabet="abc +;", max_size=12), max_size=8, unique=True), st.booleans())
def test_every_candidate_is_ranked_exactly_once(codes: list[str], last: bool) -> None:
    entries = [Entry(Candidate(code), (i,), built=i % 2 == 0) for i, code in enumerate(codes)]
    [order] = make_any("cosine", {"hopeless_last": last}, ENVIRONMENT).rank([pool(problem(), *entries)])
    assert sorted(order) == list(range(len(codes)))


class Junk:
    """An embedder of somebody else's that gives what it was made with."""

    name = "junk"

    def __init__(self, given: object) -> None:
        self._given = given

    def embed(self, texts: list[str]) -> object:
        return self._given


@pytest.mark.parametrize("given", [None, [], np.ones(3), np.ones((1, 4)), [["a", "b"]] * 2, [[1], [2, 3]]])
def test_an_embedder_that_gives_no_row_of_numbers_for_each_text_is_told(given: object) -> None:
    """It was an internal error of nl2fix."""
    with pytest.raises(
        Nl2fixError, match=r"embedder junk gave .*, not one row of numbers for each of 2 texts"
    ):
        similarities(cast(Embedder, Junk(given)), pool(problem(BUGGY), NEAR))


def test_rows_may_be_lists() -> None:
    rows = cast(Embedder, Junk([[1.0, 0.0], [0.0, 1.0]]))
    assert similarities(rows, pool(problem(BUGGY), NEAR)) == [0.0]
