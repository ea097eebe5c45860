from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Outcome, Problem, Span
from nl2fix.suites.defects4j.confirm import Confirmation, ToConfirm
from nl2fix.suites.defects4j.facts import PlainFacts

PROBLEM = Problem(
    id="Acme-1",
    suite="nl2fix",
    project="Acme",
    language="java",
    path="A.java",
    text="x",
    region=Span(0, 1),
    entity="a()",
    visible="x",
    instructions={},
    metadata={},
)
OTHERS = ["{", "[]", '{"bug": "A-1"}', '{"bug": 1, "candidate_sha256": "", "defects4j": "so"}']


def _judged(code: str, outcome: Outcome = Outcome.WRONG) -> ToConfirm:
    return ToConfirm(PROBLEM, Candidate(code), outcome)


def test_what_was_kept_is_known_the_next_time_whatever_we_say_then(tmp_path: Path) -> None:
    file = tmp_path / "facts.jsonl"
    one, other, silent = _judged("a"), _judged("b"), _judged("c")
    facts = PlainFacts(file)
    assert facts.split([one, other]) == ([], [one, other])
    facts.add([Confirmation(one, Outcome.WRONG, "Ä::b"), Confirmation(silent, None, "no verdict")])
    facts.add([Confirmation(other, Outcome.PLAUSIBLE)])
    again = _judged("a", Outcome.PLAUSIBLE)
    known, unknown = PlainFacts(file).split([again, other, silent])
    asked = [PlainFacts(file).has(item.problem.id, item.candidate.sha256) for item in (one, silent)]
    assert asked == [True, False]
    assert known == [Confirmation(again, Outcome.WRONG, "Ä::b"), Confirmation(other, Outcome.PLAUSIBLE)]
    assert unknown == [silent]
    assert [item.agrees for item in known] == [False, False]


@pytest.mark.parametrize("cut", [1, 20])
def test_a_row_that_a_kill_cut_is_asked_for_again(tmp_path: Path, cut: int) -> None:
    """The file was refused, with all plain verdicts of days."""
    file = tmp_path / "facts.jsonl"
    one, other = _judged("a"), _judged("b")
    PlainFacts(file).add([Confirmation(one, Outcome.WRONG), Confirmation(other, Outcome.WRONG)])
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    facts = PlainFacts(file)
    assert facts.split([one, other])[1] == [other]
    facts.add([Confirmation(other, Outcome.WRONG)])
    assert file.read_bytes() == whole


def test_without_a_file_nothing_is_known_or_kept() -> None:
    facts = PlainFacts(None)
    facts.add([Confirmation(_judged("a"), Outcome.WRONG)])
    assert facts.split([_judged("a")])[0] == []


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"bug": "A-1"}', '{"bug": 1, "candidate_sha256": "", "defects4j": "so"}']
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "facts.jsonl"
    file.write_text(text)
    with pytest.raises(DataError, match="holds no plain verdicts"):
        PlainFacts(file)
