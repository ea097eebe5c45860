"""What a run found, joined once: every record decoded once, nothing counted that was not drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core import serial
from nl2fix.core.records import ABSENT, Candidate, Completion, Evidence, Outcome, RankerRecord, Verdict
from nl2fix.core.results import answers, results
from nl2fix.core.store import RunStore
from nl2fix.core.summary import summarise
from nl2fix.report import html
from tests.core.samples import problem
from tests.report import runs


def store_of(folder: Path, answered: Mapping[str, Sequence[str | None]], n: int) -> RunStore:
    """A run: problem → its samples, ``right``, any other code, ``None`` for no edit, ``absent``."""
    manifest = {"settings": {"suite": {"name": "sample"}}, "scope": {"n": n}}
    store = RunStore.create(folder, manifest)
    for ident, codes in answered.items():
        for sample, code in enumerate(codes):
            given = Completion(ident, sample, code=code, finish=ABSENT if code == ABSENT else "stop")
            store.add_completion(given)
            candidate = None if code in (None, ABSENT) else Candidate(str(code))
            store.add_draw(given, candidate, None if candidate else "no code")
            if candidate:
                outcome = Outcome.PLAUSIBLE if code == "right" else Outcome.WRONG
                store.add_verdict(ident, candidate.key, Verdict(outcome, Evidence("done", True)))
    return store


def test_duplicates_are_one_entry_and_as_many_samples(tmp_path: Path) -> None:
    with store_of(tmp_path / "run", {"A": ["x", "right", "x", None]}, 4) as store:
        found = results(store, [problem("A")], 4).problems[0]
    assert [(e.candidate.code, e.samples) for e in found.pool.entries] == [("x", (0, 2)), ("right", (1,))]
    assert (found.samples, found.plausible, found.correct) == (4, 1, [False, True])
    assert [refusal.sample for refusal in found.refusals] == [3]


def given(store: RunStore, ident: str, sample: int, *codes: str) -> None:
    """The answers to one sample of a run with two tries."""
    for attempt, code in enumerate(codes, 1):
        answer = Completion(ident, sample, attempt, code=code)
        store.add_completion(answer)
        store.add_draw(answer, Candidate(code), None)
        outcome = Outcome.PLAUSIBLE if code == "right" else Outcome.WRONG
        store.add_verdict(ident, Candidate(code).key, Verdict(outcome, Evidence("done", True)))


def test_a_bug_solved_at_once_counts_among_second_attempts(tmp_path: Path) -> None:
    """Nothing of it was asked again; without it pass@k would fall by giving models another try."""
    with store_of(tmp_path / "run", {}, 1) as store:
        given(store, "A", 0, "right")
        given(store, "B", 0, "x", "y")
        summary = summarise(results(store, [problem("A"), problem("B")], 1))
    assert (summary.pass_at[1], summary.second_pass_at[1]) == (0.5, 0.5)


def test_a_bug_that_waits_for_second_attempts_is_left_out_of_theirs(tmp_path: Path) -> None:
    """A run stopped between first and second attempts: what was not asked has not failed."""
    with store_of(tmp_path / "run", {}, 2) as store:
        given(store, "A", 0, "x", "right")
        given(store, "A", 1, "x")
        given(store, "B", 0, "x", "right")
        given(store, "B", 1, "right")
        summary = summarise(results(store, [problem("A"), problem("B")], 2))
    assert (summary.pass_at[1], summary.second_pass_at[1]) == (0.25, 1.0)


@pytest.mark.parametrize(("cut", "told"), [(1, False), (2, True)])
def test_answers_lost_to_their_limit_are_told_from_five_per_cent_on(
    tmp_path: Path, cut: int, told: bool
) -> None:
    """Of 20 answers one is no news, two are; an answer that was cut behind its edit is not lost."""
    settings = {"suite": {"name": "sample"}, "sampling": {"max_tokens": 750}}
    manifest = {"settings": settings, "scope": {"n": 20}}
    with RunStore.create(tmp_path / "run", manifest) as store:
        for sample in range(20):
            given = Completion("A", sample, text="thinking", finish="length" if sample <= cut else "stop")
            store.add_completion(given)
            code = Candidate("x") if sample == 0 or sample > cut else None
            store.add_draw(given, code, None if code else "no code")
        store.add_verdict("A", Candidate("x").key, Verdict(Outcome.WRONG, Evidence("done", True)))
        summary = summarise(results(store, [problem("A")], 20))
    assert summary.cut == cut
    line = "2 of 20 answers (10.0%) reached the limit of 750 tokens before their edit and count as no_edit; "
    assert summary.losses == (line + "raise sampling.max_tokens (--max-tokens)" if told else "")


def test_answers_that_fill_the_model_s_context_did_not_reach_the_run_s_limit(tmp_path: Path) -> None:
    """A model that takes 1,024 tokens was said to have written 16,384."""
    settings = {"suite": {"name": "sample"}, "sampling": {"max_tokens": 16384}}
    with RunStore.create(tmp_path / "run", {"settings": settings, "scope": {"n": 2}}) as store:
        for sample, tokens in enumerate((300, 310)):
            given = Completion("A", sample, text="so", finish="length", completion_tokens=tokens)
            store.add_completion(given)
            store.add_draw(given, None, "no code")
        summary = summarise(results(store, [problem("A")], 2))
    line = "2 of 2 answers (100.0%) reached the end of the model's context, 310 tokens at most, "
    assert summary.losses == line + "before their edit and count as no_edit"


def test_samples_that_a_recording_lacks_are_not_wrong(tmp_path: Path) -> None:
    """Two of four samples recorded, one of them right: pass@1 is 1/2, not 1/4, and pass@4 is unknown."""
    short, whole = ["right", "x", ABSENT, ABSENT], ["right", "right", "right", "right"]
    problems = [problem("A"), problem("B")]
    with store_of(tmp_path / "run", {"A": short, "B": whole}, 4) as store:
        found = results(store, problems, 4)
        rows = [len(item.answers) for item in answers(store, problems)]
    summary = summarise(found)
    assert rows == [4, 4]
    assert (summary.samples, summary.outcomes) == (6, {"plausible": 5, "wrong": 1})
    assert summary.pass_at == {1: pytest.approx((1 / 2 + 1) / 2)}
    assert summary.incomplete == []
    assert summary.short == {"A": 2}
    assert summary.losses == ""
    assert summary.shortage == "fewer samples than asked for, left out of pass@k for larger k: A (2)"


def test_a_problem_is_left_out_of_the_ks_it_has_no_samples_for(tmp_path: Path) -> None:
    answered = {"A": ["x", ABSENT, ABSENT, ABSENT, ABSENT], "B": ["right", "x", "x", "x", "x"]}
    with store_of(tmp_path / "run", answered, 5) as store:
        summary = summarise(results(store, [problem("A"), problem("B")], 5))
    assert summary.pass_at == {1: pytest.approx((0 + 1 / 5) / 2), 5: 1.0}
    assert summary.shortage.endswith("for larger k: A (1); so pass@5 over 1 of 2 bugs")


def test_that_rankings_count_bugs_with_too_few_samples_is_told(tmp_path: Path) -> None:
    """r.pass@5 stood at 100 % over one sample, beside a pass@5 that was blank, without a word."""
    answered = {"A": ["right", ABSENT, ABSENT], "B": ["right", "x", "right"]}
    with store_of(tmp_path / "run", answered, 3) as store:
        for name, codes in (("A", ["right"]), ("B", ["right", "x"])):
            keys = [Candidate(code).key for code in codes]
            store.set_ranking(RankerRecord("vote", "vote", "vote"), name, keys)
        ranked = summarise(results(store, [problem("A"), problem("B")], 3))
    assert ranked.shortage == (
        "fewer samples than asked for, left out of pass@k for larger k: A (1); "
        "r.pass@k, random and oracle count them by what there is"
    )
    assert "r.pass@k" not in replace(ranked, ranked=[]).shortage
    assert "r.pass@k" not in replace(ranked, short={"A": 0}).shortage


def test_a_problem_that_a_recording_has_no_sample_of_counts_nowhere(tmp_path: Path) -> None:
    """Not as unsolved either: in no ranking, in no count of bugs; it was said to lack in larger k alone."""
    answered = {"A": [ABSENT, ABSENT], "B": ["right", "x"]}
    with store_of(tmp_path / "run", answered, 2) as store:
        for name, codes in (("A", []), ("B", ["right", "x"])):
            keys = [Candidate(code).key for code in codes]
            store.set_ranking(RankerRecord("vote", "vote", "vote"), name, keys)
        found = results(store, [problem("A"), problem("B")], 2)
    summary = summarise(found)
    assert [item.problem.id for item in found.counted] == ["B"]
    assert [(score.k, score.value, score.oracle) for score in summary.ranked] == [
        (1, 1.0, 1.0),
        (5, 1.0, 1.0),
    ]
    assert summary.incomplete == []
    assert summary.shortage == "no sample, counted nowhere: A"
    assert replace(summary, short={"A": 0, "B": 1}).shortage == (
        "fewer samples than asked for, left out of pass@k for larger k: B (1); "
        "r.pass@k, random and oracle count them by what there is; no sample, counted nowhere: A"
    )
    assert [row.problem for row in summary.counted] == ["B"]


def test_what_is_not_yet_drawn_leaves_a_problem_unfinished(tmp_path: Path) -> None:
    with store_of(tmp_path / "run", {"A": ["right"]}, 3) as store:
        found = results(store, [problem("A")], 3)
    assert [item.problem.id for item in found.unfinished] == ["A"]
    assert found.counted == []


def test_an_order_of_other_candidates_is_none(tmp_path: Path) -> None:
    with store_of(tmp_path / "run", {"A": ["x", "right"]}, 2) as store:
        store.set_ranking(RankerRecord("old", "old", "old"), "A", [Candidate("x").key])
        store.set_ranking(
            RankerRecord("new", "new", "newest"), "A", [Candidate("right").key, Candidate("x").key]
        )
        found = results(store, [problem("A")], 2).problems[0]
    assert found.orders == {"new": (1, 0)}


def test_the_fix_stands_beside_its_problem(tmp_path: Path) -> None:
    with store_of(tmp_path / "run", {"A": ["x"], "B": ["x"]}, 1) as store:
        store.set_references({"A": Candidate("right")})
        found = results(store, [problem("A"), problem("B")], 1).problems
    assert [item.reference for item in found] == [Candidate("right"), None]


def test_a_report_decodes_every_record_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Summary, curves, rankings and the pages of all bugs, from one reading of the store."""
    problems = runs.build(tmp_path / "run", bugs=6, n=20)
    decoded: Counter[str] = Counter()
    read = serial.read

    def counted(kind: Any, text: str) -> Any:
        decoded[kind.__name__.lower()] += 1
        return read(kind, text)

    monkeypatch.setattr(serial, "read", counted)
    with RunStore(tmp_path / "run") as store:
        html.write_run_report(results(store, problems, 20), tmp_path / "report.html")
        tables = ("completions", "candidates", "verdicts")
        stored = {t[:-1]: store._db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables}
    assert {kind: decoded[kind] for kind in stored} == stored
    assert decoded["completion"] == 120
