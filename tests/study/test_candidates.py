"""Stopping the study while its metrics are measured in several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nl2fix.core.engine import work
from nl2fix.core.formats import Method
from nl2fix.core.reading import Reading
from nl2fix.core.records import Completion, Evidence, Outcome, Verdict
from nl2fix.core.store import RunStore
from nl2fix.languages import language
from tests.study import golden

ROOT = Path(__file__).parents[2]
SAMPLES = 2400


def large_run(folder: Path) -> Path:
    """A run with more distinct candidates than are measured in one process."""
    golden.write(folder, "beta")
    problem = golden.Golden().problems()[0]
    with RunStore(folder) as store:
        for sample in range(6, SAMPLES):
            sums = "".join(f"    b += a * {sample} + {i};\n" for i in range(30))
            code = f"int inc(int a) {{\n    int b = a;\n{sums}    return b;\n}}"
            store.add_completion(Completion(problem.id, sample, text=f"```java\n{code}\n```\n"))
        work(store, [problem], read=Reading(Method(), language))
        wrong = Verdict(Outcome.WRONG, Evidence("trigger", built=True))
        known = store.verdicts(problem.id)
        for key in store.candidates(problem.id):
            if key not in known:
                store.add_verdict(problem.id, key, wrong)
    return folder


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large_run(tmp_path_factory.mktemp("runs") / "large")


def members(group: int) -> list[int]:
    """Living processes of a group; zombies do not live."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] not in "ZX":
            found.append(int(stat.parent.name))
    return found


def until(condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"in {seconds} s: not {what}"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_study_says_one_line_and_leaves_nothing(
    large: Path, tmp_path: Path, number: signal.Signals
) -> None:
    command = [sys.executable, "-m", "nl2fix", "study", str(large), "--jobs", "2"]
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path / "out")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert first.startswith("metrics: "), "some are measured, not yet all"
        os.kill(process.pid, number)
        out, errors = process.communicate(timeout=30)
        until(lambda: not members(process.pid), "all processes end", 10)
    finally:
        for pid in members(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()
    lines = [line for line in errors.splitlines() if line and not line.startswith("metrics: ")]
    assert lines == ["nl2fix: stopped"]
    assert (process.returncode, out) == (130, "")
    assert not (tmp_path / "out").exists()
