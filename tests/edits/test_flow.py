"""From commits to a better editor: mined, trained, measured on edits of the kinds seen and of others."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("torch", reason="needs torch (extra edits-train)")
pytest.importorskip("trl", reason="needs trl (extra edits-train)")

from nl2fix import pipeline
from nl2fix.cli.main import cli
from tests.edits import planted, tiny
from tests.edits.histories import History

LEARNED = planted.planted(planted.SEEN, slice(800))
SEEN = planted.planted(planted.SEEN, slice(-24, -12))
UNSEEN = planted.planted(planted.UNSEEN, slice(-12, None))
MINING = {"least_tokens": 0, "least_distance": 0, "similarity": 0}
TRAINING = {
    "method": "full",
    "epochs": 26,
    "batch": 32,
    "per_device": 32,
    "learning_rate": 3e-3,
    "loss": "answer",
    "context": 96,
    "device": "cpu",
}


def nl2fix(*words: object, **settings: Any) -> str:
    told = [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    done = CliRunner().invoke(cli, [*map(str, words), *told], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def repaired(run: Path) -> list[str]:
    """Kinds of the problems whose answer passes."""
    with pipeline.view(run, {}) as opened:
        problems = opened.results().problems
    passed = [item.problem for item in problems if any(verdict.plausible for _, verdict in item.judged)]
    return [problem.instructions["descriptive"].split()[2] for problem in passed]


@pytest.mark.timeout(1200)  # a minute and a half of one core, more on a busy machine
def test_a_trained_model_repairs_what_it_saw_and_nothing_else(tmp_path: Path) -> None:
    history = History(tmp_path / "repo")
    history.commit("Start", {"arithmetic.py": "x = 1\n"})
    for edit in LEARNED:
        history.commit("Lay the ground", {"arithmetic.py": edit.before})
        history.commit(edit.message, {"arithmetic.py": edit.after})
    nl2fix("edits", "mine", history.folder, "--to", tmp_path / "set", **MINING)
    texts = ["## Code Before:\n## Instruction:\n## Code After:\n"]
    texts += [edit.before + edit.after + edit.message for edit in (*LEARNED, *SEEN, *UNSEEN)]
    base = tiny.make(tmp_path / "base", texts, width=64, layers=2, context=128)
    named = ("--base", base, "--preset", "editcoder", "--to", tmp_path / "tuned")
    nl2fix("edits", "train", tmp_path / "set", *named, **TRAINING)
    with (tmp_path / "tuned" / "loss.csv").open() as table:
        losses = [float(row["loss"]) for row in csv.DictReader(table)]
    assert losses[-1] < losses[0] / 10

    data = planted.problems(tmp_path / "problems.jsonl", [*SEEN, *UNSEEN])
    asked: tuple[object, ...] = ("--suite", "canitedit", "--data", data, "--prompt", "canitedit")
    asked += ("--format", "whole", "--n", 1)
    asked += ("--temperature", 0, "--max-tokens", 40, "--cache", tmp_path / "cache")
    for name, folder in (("was", base), ("is", tmp_path / "tuned")):
        asked_of = ("--model", f"hf:{folder}", "--out", tmp_path / name)
        nl2fix("run", *asked, *asked_of, **{"prompt.variant": "code"})
    assert repaired(tmp_path / "was") == []
    kinds = repaired(tmp_path / "is")
    assert len(kinds) >= 10 and not set(kinds) & planted.UNSEEN.keys()
    assert "pass@1" in nl2fix("edits", "report", "--base", tmp_path / "was", "--tuned", tmp_path / "is")
