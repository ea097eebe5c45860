"""``run --behaviour`` and ``observe``: what candidates do is seen, kept and told apart from the fix."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import SmallDisk, fill

MODEL = """
from nl2fix.core.records import Completion

FIX = "public int pageCount() { return (items.size() + pageSize - 1) / pageSize; }"
SAME = "public int pageCount() { int all = items.size(); return (all - 1 + pageSize) / pageSize; }"
BAD = "public int pageCount() { return items.size() / pageSize + 7; }"
BROKEN = "public int pageCount() { return all; }"
ANSWERS = (FIX, SAME, BAD, BROKEN)


class Four:
    name = "four"

    def complete(self, requests):
        for request in requests:
            for sample in request.samples:
                yield Completion(request.problem.id, sample, code=ANSWERS[sample % 4])


def make(options, environment):
    return Four()
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    (folder / "four.py").write_text(MODEL)
    done = nl2fix(
        folder, "run --model four:make --bugs pager-last-page --n 4 --behaviour 30 --out run --json"
    )
    assert done.returncode == 0, done.stderr
    return folder


def nl2fix(folder: Path, arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nl2fix", *arguments.split()],
        cwd=folder,
        env={**os.environ, "NL2FIX_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_a_run_observes_what_compiles_and_the_reference(place: Path) -> None:
    done = nl2fix(place, "observe run --json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["not_observed"] == {}
    [row] = told["problems"]
    assert row["calls"] >= 10 and row["dropped"] == 0
    assert (row["candidates"], row["different"], row["unchanged"]) == (3, 2, 0)
    assert (row["plausible"], row["alike"]) == (2, 2)


def test_the_table_names_what_was_seen(place: Path) -> None:
    done = nl2fix(place, "observe run")
    assert done.returncode == 0, done.stderr
    assert "pager-last-page" in done.stdout and "as the fix" in done.stdout


def test_each_candidate_is_shown_with_what_it_changes_and_beside_the_fix(place: Path) -> None:
    shown = json.loads(nl2fix(place, "show run pager-last-page --json").stdout)["candidates"]
    seen = {c["verdict"]: c for c in shown}
    assert seen["wrong"]["beside_fix"].startswith("differs: pageCount() on Pager(")
    assert len(seen["wrong"]["changes"]) == 5 and " → " in seen["wrong"]["changes"][0]
    assert seen["plausible"]["beside_fix"].startswith("same on ")
    assert seen["uncompilable"]["changes"] is None
    assert "→" in nl2fix(place, "show run pager-last-page").stdout
    reported = nl2fix(place, "report run")
    assert reported.returncode == 0 and "and not told apart from the fix" in reported.stdout
    assert "pass@1, not told apart from the fix" in (place / "run" / "report.html").read_text()


def test_a_run_judged_by_another_version_is_observed_and_that_is_told(place: Path) -> None:
    """It went on without a word."""
    assert "judged with" not in nl2fix(place, "observe run").stderr
    shutil.copytree(place / "run", place / "old")
    with closing(sqlite3.connect(place / "old/run.sqlite")) as store, store:
        store.execute("UPDATE identity SET value='another' WHERE aspect IN ('runtime', 'worker program')")
    done = nl2fix(place, "observe old")
    assert done.returncode == 0
    said = "old was judged with other runtime, worker program than those now"
    assert said in done.stderr.splitlines()


def test_a_run_is_not_observed_by_no_call(place: Path) -> None:
    """Help said that 0 means none; it meant as many as before."""
    done = nl2fix(place, "observe run --behaviour 0")
    assert done.returncode == 2 and "0 is not in the range 1<=x<=300" in done.stderr


def test_what_is_no_run_is_refused_in_one_line(place: Path) -> None:
    done = nl2fix(place, "observe nowhere")
    assert done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1


def test_stated_examples_are_tried_and_lead_the_ranking_unless_told_otherwise(tmp_path: Path) -> None:
    asked = "run --suite tests.stated:Greet --model tests.stated:three --n 3 --json"
    firsts = {}
    for name, more in {"stated": "", "not": " --behaviour 0"}.items():
        done = nl2fix(tmp_path, f"{asked} --out {name}{more}")
        assert done.returncode == 0, done.stderr
        shown = json.loads(nl2fix(tmp_path, f"show {name} greet-1 --json").stdout)["candidates"]
        firsts[name] = shown[0]["verdict"]
    assert firsts == {"stated": "plausible", "not": "wrong"}


def test_a_full_disk_ends_observing_as_a_failure(place: Path, small_disk: SmallDisk) -> None:
    run = shutil.copytree(place / "run", small_disk("2M") / "run")
    fill(run.parent)
    filling = run.parent / "filling"
    os.truncate(filling, filling.stat().st_size - 44_000)  # it can be opened
    done = nl2fix(place, f"observe {run} --behaviour 20")
    assert done.returncode == 1
    assert f"nl2fix: {run}/run.sqlite cannot be written: the disk is full" in done.stderr
