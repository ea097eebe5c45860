"""Every planted leak of the shipped suites is found, and what is no leak is told."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("rensa", reason="needs the extra edits")

import leaks

from nl2fix.core.config import Environment
from nl2fix.edits.folder import new_dataset
from tests.edits.histories import pair

OURS = "def ours(rows):\n    return [row for row in rows if row.kept and row.place > 7]\n"


def test_planted_leaks_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from nl2fix.suites.canitedit import make

    theirs = make({}, Environment(tmp_path)).problems()[0].text
    with new_dataset(tmp_path / "set", "jsonl") as writer:
        writer.add(pair(OURS, OURS.replace("7", "8")))
        writer.add(pair(OURS, theirs, revision="theirs"))
    arguments = ["leaks.py", "canitedit", "examples", "--clean", str(tmp_path / "set")]
    monkeypatch.setattr(sys, "argv", arguments)
    leaks.main()
    said = capsys.readouterr().out
    counts = re.findall(r"^\| (\w+) \| ([\w ,]+) \| (\d+) \| (\d+) \|$", said, re.M)
    assert {name for name, *_ in counts} == {"canitedit", "examples"} and len(counts) == 16
    assert sum(int(planted) for *_, planted, _ in counts) > 250
    assert [count for count in counts if count[2] != count[3]] == []
    assert "clean pairs: 2 of 2; taken for leaks: 1\n  o theirs" in said
