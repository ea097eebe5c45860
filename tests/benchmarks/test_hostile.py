"""What becomes of hostile candidates is told while the others are still judged."""

from __future__ import annotations

import hostile
import pytest

from nl2fix.core.records import Candidate, Evidence, Outcome, Verdict
from tests.validation.python.corpus.task import PROBLEM


class Heard:
    """A session in which every verdict is *wrong*; notes what had been printed before each."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys, self.printed = capsys, ""

    def validate(self, candidate: Candidate) -> Verdict:
        if candidate.code == "last":
            self.printed = self._capsys.readouterr().err
        return Verdict(Outcome.WRONG, Evidence("trigger"))


def test_a_misdeed_and_who_is_spoiled_are_told_before_the_corpus_ends(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A corpus that was stopped after half an hour had printed nothing."""
    names = [f"misdeed {number}" for number in range(hostile.BATCH)]
    bodies = {name: Candidate(name) for name in names} | {"last": Candidate("last")}
    corpus = hostile.Corpus(PROBLEM, bodies, lambda n: Candidate(f"w{n}"), lambda n: Candidate(f"r{n}"))
    session = Heard(capsys)
    done = hostile.judged(session, "title", corpus, [*names, "last"])
    assert "title: wrong: misdeed 0 (0.0 s)\ntitle: spoiled: misdeed 0 (0.0 s)\n" in session.printed
    assert "title: wrong: last" in capsys.readouterr().err
    line, sound = hostile.row("title", done)
    assert line.startswith(f"| title | {len(bodies)} | 0 | 0 | {2 * len(bodies)} | {len(bodies)} | 0 |")
    assert not sound
