"""End a run at random points; the same command again must end in the records of an uninterrupted one."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BUGS = "pager-last-page,invoice-total,roman-unknown-letter"
TIMES = ("build_seconds", "test_seconds")


def command(cache: Path, out: Path) -> list[str]:
    settings = ["--bugs", BUGS, "--n", "12", "--cache", str(cache), "--out", str(out), "--json"]
    return [sys.executable, "-m", "nl2fix", "run", *settings]


def records(out: Path, cache: Path) -> list[dict[str, Any]]:
    """All samples of a run, without what a clock tells."""
    done = subprocess.run(
        [sys.executable, "-m", "nl2fix", "export", str(out), "--cache", str(cache)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for row in rows:
        row.pop("seconds", None)
        for name in TIMES if row["evidence"] else ():
            del row["evidence"][name]
    return rows


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Records of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run(command(folder / "cache", folder / "run"), check=True, capture_output=True, timeout=300)
    return records(folder / "run", folder / "cache")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("deed", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_a_run_ended_at_random_points_ends_in_the_same_records(
    tmp_path: Path, whole: list[dict[str, Any]], deed: signal.Signals
) -> None:
    killed = tmp_path / "killed"
    chance, kills = random.Random(7), 0
    for _ in range(6):
        process = subprocess.Popen(
            command(tmp_path / "cache-2", killed),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            process.communicate(timeout=chance.uniform(0.2, 4.0))
        except subprocess.TimeoutExpired:
            os.kill(process.pid, deed)
            said = process.communicate(timeout=60)[0]
            if said.endswith("}\n"):  # it had done its work and was about to end
                continue
            assert process.returncode in ((130, -deed) if deed is signal.SIGINT else (-deed,))
            kills += 1
    assert kills >= 2, "the run must be killed, not only finished"
    final = subprocess.run(
        command(tmp_path / "cache-2", killed), check=True, capture_output=True, text=True, timeout=300
    )
    assert records(killed, tmp_path / "cache-2") == whole
    summary = json.loads(final.stdout)
    assert summary["samples"] == 36
    assert summary["incomplete"] == []
