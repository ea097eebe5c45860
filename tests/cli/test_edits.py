"""``nl2fix edits``: what a user sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pygit2", reason="needs the extra edits")

from tests.cli.test_look import nl2fix
from tests.edits.histories import History
from tests.edits.test_mining import AFTER, BEFORE, MESSAGE


@pytest.fixture
def place(tmp_path: Path) -> Path:
    history = History(tmp_path / "ours")
    history.commit("Start with two functions of statistics", {"stats.py": BEFORE})
    history.commit(MESSAGE, {"stats.py": AFTER})
    return tmp_path


def test_a_repository_is_mined_into_a_folder_with_a_card(place: Path) -> None:
    done = nl2fix("edits", "mine", "ours", "--to", "set", "--against", "canitedit", cwd=place)
    assert done.returncode == 0, done.stderr
    assert "1 of 2 kept" in done.stderr
    assert "first commit" in done.stdout
    assert json.loads((place / "set" / "pairs.jsonl").read_text())["message"] == MESSAGE
    page = (place / "set" / "README.md").read_text()
    assert "| pairs | 1 | 22602 |" in page
    assert "Decontaminated against: canitedit" in page
    for name in ("lines-before", "tokens"):
        assert (place / "set" / "figures" / f"{name}.svg").read_text().startswith("<svg")


def test_settings_are_read_strictly(place: Path) -> None:
    for arguments, said in (
        (("--set", "most_fils=3"), "did you mean 'most_files'"),
        (("--set", "unit=module"), "must be one of file, method"),
        (("--set", "similarity=7"), "similarity of the settings of mining must be 0 to 1, not 7"),
        (("--set", "most_tokens=-5"), "most_tokens of the settings of mining must not be below 0"),
        (("--language", "cobol"), "unknown language 'cobol'"),
        (("--against", "canitedi"), "did you mean 'canitedit'"),
        (("--against", "canitedit:none.jsonl"), "cannot read none.jsonl"),
    ):
        refused = nl2fix("edits", "mine", "ours", "--to", "set", *arguments, cwd=place)
        assert refused.returncode != 0
        assert said in refused.stderr
        assert len(refused.stderr.strip().splitlines()) == 1
        assert not (place / "set").exists()


def test_a_run_gives_what_passed(place: Path) -> None:
    ran = nl2fix(
        *("run", "--bugs", "lru-cache-capacity", "--n", "6", "--out", "run", "--cache", "cache"),
        cwd=place,
    )
    assert ran.returncode == 0, ran.stderr
    done = nl2fix("edits", "mine", "run", "--to", "set", "--set", "least_distance=1", cwd=place)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (place / "set" / "pairs.jsonl").read_text().splitlines()]
    assert rows
    assert {row["revision"].partition("#")[0] for row in rows} == {"lru-cache-capacity"}
    assert all(row["before"] != row["after"] and row["entity"] for row in rows)
    leaking = nl2fix(
        "edits",
        "mine",
        "run",
        "--to",
        "clean",
        "--against",
        "examples",
        "--set",
        "least_distance=1",
        cwd=place,
    )
    assert leaking.returncode == 0, leaking.stderr
    assert (place / "clean" / "pairs.jsonl").read_text() == ""
    assert "leaks a suite" in leaking.stdout
