from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.records import Candidate, Outcome, Problem
from nl2fix.suites.defects4j import confirm
from nl2fix.suites.defects4j.confirm import Confirmation, ToConfirm, compare, confusion, sample, table
from nl2fix.suites.defects4j.suite import Nl2fixSuite
from tests.suites.defects4j.stand_in import suite
from tests.suites.defects4j.test_suite import problem, silent

HEAD = "public double parse(String text, String to) {"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where bug 1 is prepared."""
    place = tmp_path_factory.mktemp("confirm")
    with pytest.MonkeyPatch.context() as patch:
        made = suite(place, patch)
        assert made.prepare([problem(made, "Acme-1")], 1, silent) == {}
    return place


@pytest.fixture
def ready(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Nl2fixSuite:
    return suite(folder, monkeypatch)


def candidates(of: Nl2fixSuite, task: Problem) -> dict[Outcome, Candidate]:
    return {
        Outcome.PLAUSIBLE: of.reference(task),
        Outcome.WRONG: Candidate(task.before),
        Outcome.UNCOMPILABLE: Candidate(HEAD + " return 1 }"),
        Outcome.TIMEOUT: Candidate(
            HEAD + " while (true) { java.util.concurrent.locks.LockSupport.park(); } }"
        ),
    }


def test_all_verdicts_are_reached_the_plain_way(ready: Nl2fixSuite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirm, "BASE_SECONDS", 45.0)
    task = problem(ready, "Acme-1")
    judged = [ToConfirm(task, candidate, outcome) for outcome, candidate in candidates(ready, task).items()]
    judged.append(ToConfirm(task, Candidate(""), Outcome.NO_EDIT))
    calls: list[tuple[int, int, str]] = []
    found = compare(ready, judged, 2, lambda *call: calls.append(call))
    assert {item.judged.outcome: item.plain for item in found} == {
        outcome: outcome for outcome in candidates(ready, task)
    }
    assert all(item.agrees for item in found)
    wrong = next(item for item in found if item.plain is Outcome.WRONG)
    assert wrong.note.startswith("acme.ConverterTest::parses")
    assert calls == [(4, 4, "Acme-1")]
    assert not list(ready.places.work("x").parent.glob("*"))


def test_callers_of_a_changed_method_are_compiled_as_in_a_build_from_scratch(ready: Nl2fixSuite) -> None:
    task = problem(ready, "Acme-1")
    code = ready.reference(task).code
    more, other = (code.replace("String to)", f"{to})") for to in ("String to, int... more", "Object[] to"))
    judged = [
        ToConfirm(task, Candidate(code), Outcome.PLAUSIBLE),
        ToConfirm(task, Candidate(more), Outcome.PLAUSIBLE),
    ]
    judged.append(ToConfirm(task, Candidate(other.replace(", to)", ', "" + to)')), Outcome.UNCOMPILABLE))
    assert [item.plain for item in compare(ready, judged, 1, silent)] == [item.outcome for item in judged]


def test_a_disagreement_shows_in_the_table(ready: Nl2fixSuite) -> None:
    task = problem(ready, "Acme-1")
    found = compare(ready, [ToConfirm(task, Candidate(task.before), Outcome.PLAUSIBLE)], 1, silent)
    assert not found[0].agrees
    counts = confusion(found)
    assert counts == {(Outcome.PLAUSIBLE, Outcome.WRONG): 1}
    assert table(counts)[0] == ["plausible", 0, 1, 0, 0]


def test_a_defects4j_that_breaks_gives_no_verdict(
    ready: Nl2fixSuite, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task = problem(ready, "Acme-1")
    program = tmp_path / "bin" / "defects4j"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    broken = suite(folder, monkeypatch, defects4j=tmp_path)
    found = compare(broken, [ToConfirm(task, ready.reference(task), Outcome.PLAUSIBLE)], 1, silent)
    assert found[0].plain is None
    assert "no list of failing tests" in found[0].note
    assert confusion(found) == {}


def test_the_prepared_checkout_is_not_touched(ready: Nl2fixSuite) -> None:
    task = problem(ready, "Acme-1")
    file = ready.places.bug("Acme-1") / "checkout" / task.path
    before = file.read_bytes()
    compare(ready, [ToConfirm(task, ready.reference(task), Outcome.PLAUSIBLE)], 1, silent)
    assert file.read_bytes() == before


def test_a_sample_is_the_same_for_the_same_seed(ready: Nl2fixSuite) -> None:
    task = problem(ready, "Acme-1")
    judged = [ToConfirm(task, Candidate(str(n)), Outcome.WRONG) for n in range(50)]
    assert sample(judged, 10, 1) == sample(judged, 10, 1)
    assert sample(judged, 10, 1) != sample(judged, 10, 2)
    assert len(set(map(id, sample(judged, 10, 1)))) == 10
    assert sorted(item.candidate.code for item in sample(judged, 99)) == sorted(map(str, range(50)))


def test_what_defects4j_did_not_judge_is_not_counted(ready: Nl2fixSuite) -> None:
    task = problem(ready, "Acme-1")
    item = ToConfirm(task, Candidate("x"), Outcome.WRONG)
    pairs = [Confirmation(item, Outcome.WRONG), Confirmation(item, Outcome.WRONG), Confirmation(item, None)]
    assert confusion(pairs) == {(Outcome.WRONG, Outcome.WRONG): 2}


@pytest.mark.parametrize(
    ("ours", "plain", "agrees"),
    [
        (Outcome.TIMEOUT, Outcome.WRONG, True),
        (Outcome.WRONG, Outcome.TIMEOUT, True),
        (Outcome.TIMEOUT, Outcome.PLAUSIBLE, False),
        (Outcome.WRONG, Outcome.UNCOMPILABLE, False),
        (Outcome.PLAUSIBLE, None, False),
    ],
)
def test_out_of_time_and_failing_are_alike(
    ready: Nl2fixSuite, ours: Outcome, plain: Outcome | None, agrees: bool
) -> None:
    task = problem(ready, "Acme-1")
    assert Confirmation(ToConfirm(task, Candidate(""), ours), plain).agrees is agrees
