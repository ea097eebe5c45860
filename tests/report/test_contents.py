"""What the report shows of a run, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.records import Candidate, Completion, Evidence, Outcome, Verdict
from nl2fix.core.results import results
from nl2fix.core.store import RunStore
from nl2fix.languages import language
from nl2fix.metrics.measure import Triple, measure
from nl2fix.report import contents
from tests.study import golden

PROBLEMS = golden.Golden().problems()


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(golden.write(tmp_path / "alpha", "alpha"))


def test_candidates_stand_in_the_order_of_the_ranker(store: RunStore) -> None:
    ranked = results(store, PROBLEMS, 6)
    keys = {ranker.label: ranker.key for ranker in ranked.rankers}
    for label, letters in (("cosine(golden)", "RWUP"), ("vote", "WRPU")):
        block = contents.bug_block(ranked.problems[1], keys[label])
        codes = [golden.GOLDEN["candidates"]["G-2"][letter][2] for letter in letters]
        assert [c["code"] for c in block["candidates"]] == codes
    unranked = contents.bug_block(ranked.problems[1], None)
    assert [c["samples"] for c in unranked["candidates"]] == [(0, 2), (1, 3), (4,), (5,)]


def test_samples_without_an_edit_keep_their_reason(store: RunStore) -> None:
    unreadable = contents.bug_block(results(store, PROBLEMS, 6).problems[0], None)["unreadable"]
    assert [item["sample"] for item in unreadable] == [5]
    assert unreadable[0]["reason"]


def test_half_a_method_is_said_to_be_cut_off(tmp_path: Path) -> None:
    """Of what had reached the limit of tokens only what javac said of it was told."""
    half, whole, none = Candidate("int f() {"), Candidate("int f() { x"), None
    problem = PROBLEMS[0]
    settings = {"suite": {"name": "sample"}}
    with RunStore.create(tmp_path / "run", {"settings": settings, "scope": {"n": 3}}) as made:
        for sample, (code, finish) in enumerate([(half, "length"), (whole, "stop"), (none, "length")]):
            said = Completion(problem.id, sample, text="so", finish=finish)
            made.add_completion(said)
            made.add_draw(said, code, None if code else "no code")
        for code in (half, whole):
            evidence = Evidence("build", message="';' expected")
            made.add_verdict(problem.id, code.key, Verdict(Outcome.UNCOMPILABLE, evidence))
        block = contents.bug_block(results(made, [problem], 3).problems[0], None)
    told = [dict(candidate["evidence"])["message"] for candidate in block["candidates"]]
    cut = "cut off at the token limit (sampling.max_tokens)"
    assert told == [f"{cut}: ';' expected", "';' expected"]
    assert block["unreadable"] == [{"sample": 2, "reason": f"{cut}: no code"}]


def test_likeness_is_that_to_the_buggy_code(store: RunStore) -> None:
    # G-1: `int b = a;` becomes `int b = a - 1;`: two tokens more than the 16 there are
    block = contents.bug_block(results(store, PROBLEMS, 6).problems[0], "cosine(golden)")
    triple = Triple(PROBLEMS[0].before, (PROBLEMS[0].before,), block["candidates"][0]["code"])
    assert block["candidates"][0]["similarity"] == {
        "codebleu": measure(triple, language("java"), ["codebleu"])["codebleu"],
        "edit_distance": 2.0,
        "edit_similarity": pytest.approx(1 - 2 / 18),
    }


def test_likeness_of_a_whole_run_is_that_of_its_bugs(store: RunStore) -> None:
    items = results(store, PROBLEMS, 6).problems
    for item, found in zip(items, contents.all_similarities(items, jobs=2), strict=True):
        assert found == contents.similarities(
            [(item.problem, entry.candidate) for entry in item.pool.entries]
        )
        assert contents.bug_block(item, None) == contents.bug_block(item, None, found)


def test_a_whole_file_is_likened_to_the_whole_file() -> None:
    problem = PROBLEMS[0]
    found = contents.similarities(
        [(problem, Candidate(problem.text, "file")), (problem, Candidate(problem.before))]
    )
    assert [item["edit_distance"] for item in found] == [0.0, 0.0]


def test_the_reference_is_no_part_of_a_block(store: RunStore) -> None:
    item = results(store, PROBLEMS, 6).problems[2]
    assert item.reference is not None
    assert item.reference.code not in repr(contents.bug_block(item, "vote"))


def test_evidence_says_only_what_is_known() -> None:
    labels = [label for label, _ in contents.describe(Evidence("build", message="';' expected"))]
    assert labels == ["stage", "time", "message"]
    passed = dict(contents.describe(Evidence("done", True, 12, 12, confirmed=True)))
    assert passed["tests"] == "12 of 12 ran"
    assert "confirmed" in passed


def test_bars_count_samples_per_project(store: RunStore) -> None:
    bars = contents.collect(results(store, PROBLEMS, 6))["bars"]
    assert [(b.project, b.bugs, b.fixed, b.total) for b in bars] == [("P", 2, 2, 12), ("Q", 2, 1, 12)]
    assert bars[0].counts == {"plausible": 3, "wrong": 6, "timeout": 0, "uncompilable": 2, "no_edit": 1}
