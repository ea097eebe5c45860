"""Runs of format 1: refused with the command that converts them, which makes them whole."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from nl2fix.core.store import RunStore
from tests.cli.test_look import nl2fix, refused
from tests.pipeline.conftest import Place

OLD = Path(__file__).parents[1] / "data" / "format1"
"""``nl2fix run`` of the commit before format 2, with the plug-in of these tests and --n 3."""


@pytest.fixture
def old(place: Place) -> Path:
    folder = place.folder / "old"
    folder.mkdir()
    shutil.copy(OLD / "run.json", folder)
    db = sqlite3.connect(folder / "run.sqlite")
    db.executescript((OLD / "run.sql").read_text())
    db.close()
    return folder


def test_an_old_run_is_refused_with_the_command_that_converts_it(place: Place, old: Path) -> None:
    refused(nl2fix("report", "old", cwd=place.folder), 2, "nl2fix convert old")
    status, line = place.run(out="old")
    assert (status, "nl2fix convert old" in line) == (2, True)


def test_what_is_no_run_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("none", "file"):
        refused(nl2fix("convert", name, cwd=tmp_path), 2, f"{name} holds no run (no run.json)")


def test_a_converted_run_opens_anywhere(place: Place, old: Path) -> None:
    done = nl2fix("convert", "old", cwd=place.folder)
    assert done.returncode == 0, done.stderr
    (place.folder / "outside.py").unlink()
    shown = nl2fix("report", "old", "--json", cwd=place.folder)
    assert shown.returncode == 0, shown.stderr
    assert '"fixed": 2' in shown.stdout
    with RunStore(old) as store:
        assert [problem.id for problem in store.problems()] == ["O-1", "O-2"]
        assert set(store.references()) == {"O-1", "O-2"}
    refused(nl2fix("convert", "old", cwd=place.folder), 2, "nothing to convert")


def test_a_converted_run_is_not_continued_as_its_runtime_is_not_known(place: Place, old: Path) -> None:
    nl2fix("convert", "old", cwd=place.folder)
    status, line = place.run(n=4, out="old")
    assert (status, "--fork old" in line) == (2, True)
    assert place.noted("asked") == []


def test_a_run_whose_suite_has_changed_is_not_converted(place: Place, old: Path) -> None:
    place.say("title", "one() is a lie")
    refused(nl2fix("convert", "old", cwd=place.folder), 2, "O-1")
    assert '"format": 1' in (old / "run.json").read_text()


@pytest.mark.parametrize(
    ("manifest", "status", "why"),
    [
        ('{"format": 3}', 2, "is of format 3: there is nothing to convert"),
        ('{"format": 1}', 1, "'settings' is missing"),
        ("[]", 1, "no description of a run"),
    ],
)
def test_what_is_no_run_of_the_earlier_format_is_told(
    manifest: str, status: int, why: str, tmp_path: Path
) -> None:
    (tmp_path / "run.json").write_text(manifest)
    refused(nl2fix("convert", tmp_path), status, why)
