"""The stages on a tiny problem set, and the numbers they lead to, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from nl2fix.core import engine, stages
from nl2fix.core.cache import VerdictCache
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.gold import gold
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.reading import Reading
from nl2fix.core.records import Candidate, Message, Pool, Problem, Prompt, Sampling
from nl2fix.core.results import results
from nl2fix.core.store import RunStore
from nl2fix.core.summary import summarise
from tests.core.samples import ListModel, WordValidator, problem

ANSWERS = ("no", "right", "no", "x?", None)


class Strategy:
    name = "plain"

    def render(self, problem: Problem) -> Prompt:
        return Prompt((Message("user", problem.title),))


class Shortest:
    name = "shortest"

    def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
        return [sorted(range(len(p.entries)), key=lambda i: len(p.entries[i].candidate.code)) for p in pools]


def silent(done: int, total: int, label: str) -> None:
    assert 0 < done <= total, label


def no_language(name: str) -> object:
    raise AssertionError(f"no text to read, so no language {name} is needed")


def work(store: RunStore, problems: list[Problem], n: int, cache: Path) -> tuple[ListModel, WordValidator]:
    model, validator = ListModel(ANSWERS), WordValidator()
    missing = sum(len(store.missing_samples(p.id, n)) for p in problems)
    total = n * len(problems)
    asked = stages.requests(store, problems, Strategy(), n, Sampling())
    verdicts = VerdictCache(cache)
    engine.work(
        store,
        problems,
        read=Reading(None, no_language),  # type: ignore[arg-type]
        drawing=engine.Drawing(model, asked, total - missing, total),
        judging=engine.Judging(validator, verdicts, 2),
    )
    verdicts.close()
    stages.rank(store, problems, [Shortest()])
    return model, validator


def open_store(folder: Path) -> RunStore:
    return RunStore.create(folder, {"settings": {"suite": {"name": "sample"}}})


def test_numbers_of_a_run_keep_multiplicity(tmp_path: Path) -> None:
    problems = [problem("A", "One"), problem("B", "Two")]
    with open_store(tmp_path / "run") as store:
        work(store, problems, 5, tmp_path / "verdicts.sqlite")
        summary = summarise(results(store, problems, 5))
    assert summary.samples == 10
    assert summary.outcomes == {"wrong": 4, "plausible": 2, "uncompilable": 2, "no_edit": 2}
    assert summary.duplicates == 2
    assert summary.fixed == 2
    assert summary.pass_at == {1: pytest.approx(1 / 5), 5: 1.0}
    row = summary.problems[0]
    assert (row.n, row.distinct, row.plausible, row.plausible_distinct) == (5, 3, 1, 1)
    assert row.order == {"shortest": [False, False, True]}
    assert row.ranks == {"shortest": 3}
    by_k = {score.k: score for score in summary.ranked}
    assert (by_k[1].value, by_k[1].oracle) == (0.0, 1.0)
    assert by_k[1].random == pytest.approx(1 / 3)
    assert (by_k[5].value, by_k[5].random, by_k[5].oracle) == (1.0, 1.0, 1.0)


def test_duplicates_are_judged_once(tmp_path: Path) -> None:
    with open_store(tmp_path / "run") as store:
        _, validator = work(store, [problem("A")], 5, tmp_path / "verdicts.sqlite")
    assert sorted(validator.judged) == [("A", "no"), ("A", "right"), ("A", "x?")]


def test_a_second_pass_asks_and_judges_only_what_is_missing(tmp_path: Path) -> None:
    problems = [problem("A")]
    with open_store(tmp_path / "run") as store:
        work(store, problems, 4, tmp_path / "verdicts.sqlite")
    with open_store(tmp_path / "run") as store:
        model, validator = work(store, problems, 5, tmp_path / "verdicts.sqlite")
        assert model.asked == [("A", 4)]
        assert validator.judged == []
        model, _ = work(store, problems, 5, tmp_path / "verdicts.sqlite")
        assert model.asked == []


def test_another_run_takes_verdicts_from_the_cache(tmp_path: Path) -> None:
    problems = [problem("A")]
    for name in ("one", "two"):
        with open_store(tmp_path / name) as store:
            _, validator = work(store, problems, 5, tmp_path / "verdicts.sqlite")
            assert summarise(results(store, problems, 5)).fixed == 1
    assert validator.judged == []


def test_unfinished_problems_are_listed_and_not_counted(tmp_path: Path) -> None:
    problems = [problem("A"), problem("B")]
    with open_store(tmp_path / "run") as store:
        work(store, problems[:1], 5, tmp_path / "verdicts.sqlite")
        summary = summarise(results(store, problems, 5))
    assert summary.incomplete == ["B"]
    assert summary.samples == 5
    assert summary.pass_at[5] == 1.0


def test_excluded_problems_leave_the_denominator(tmp_path: Path) -> None:
    problems = [problem("A"), problem("B")]
    with open_store(tmp_path / "run") as store:
        work(store, problems, 5, tmp_path / "verdicts.sqlite")
        store.set_excluded({"B": "reference is wrong"}, ["A", "B"])
        summary = summarise(results(store, problems, 5))
    assert summary.excluded == {"B": "reference is wrong"}
    assert [row.problem for row in summary.problems] == ["A"]
    assert summary.samples == 5


def test_a_ranker_that_loses_candidates_is_caught(tmp_path: Path) -> None:
    class Lossy:
        name = "lossy"

        def rank(self, pools: Sequence[Pool]) -> list[list[int]]:
            return [[0] for _ in pools]

    problems = [problem("A")]
    with open_store(tmp_path / "run") as store:
        work(store, problems, 5, tmp_path / "verdicts.sqlite")
        with pytest.raises(Nl2fixError, match="lossy gave no permutation for A"):
            stages.rank(store, problems, [Lossy()])


class Suite:
    name = "sample"

    def __init__(self, references: dict[str, str]) -> None:
        self.references = references
        self.made = WordValidator()

    def problems(self) -> Sequence[Problem]:
        return [problem(ident) for ident in self.references]

    def reference(self, problem: Problem) -> Candidate:
        return Candidate(self.references[problem.id])

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        return {}

    def validator(self) -> Validator:
        return self.made


def test_gold_names_every_kind_of_unsound_problem(tmp_path: Path) -> None:
    suite = Suite({"good": "right", "bad": "no", "unbuilt": "x?", "broken": "broken", "unprepared": "right"})
    cache = VerdictCache(tmp_path / "verdicts.sqlite")
    problems = suite.problems()
    results = gold(suite, problems, {"unprepared": "no JDK"}, jobs=2, progress=silent, cache=cache)
    assert {r.problem: r.reason for r in results} == {
        "good": None,
        "bad": "reference is wrong: t",
        "unbuilt": "reference is uncompilable: no such word",
        "broken": "the worker went away",
        "unprepared": "no JDK",
    }
    assert suite.made.closed
    again = gold(suite, problems[:1], {}, jobs=2, progress=silent, cache=cache)
    assert again[0].reason is None
    cache.close()
