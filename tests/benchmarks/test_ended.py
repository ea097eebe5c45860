"""What a benchmark leaves that is told to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
WORKING = """
import subprocess, sys, tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import ended


def work(file):
    tempfile.mkdtemp()
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    open(file, "w").write(str(child.pid))
    child.wait()


if __name__ == "__main__":
    ended.by_sigterm()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        pool.submit(work, sys.argv[1]).result()
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_a_benchmark_started_ends_with_it(tmp_path: Path) -> None:
    """``kill`` left the process that judges a bug, and its JVMs, at work, and the folders of both in /tmp."""
    script, told, temporary = tmp_path / "working.py", tmp_path / "pid", tmp_path / "temporary"
    temporary.mkdir()
    script.write_text(WORKING)
    environ = {**os.environ, "PYTHONPATH": f"{BENCHMARKS}:{BENCHMARKS.parent}", "TMPDIR": str(temporary)}
    bench = subprocess.Popen([sys.executable, str(script), str(told)], env=environ)
    until = time.monotonic() + 30
    while not (told.exists() and told.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    sleeper = int(told.read_text())
    assert alive(sleeper)
    bench.send_signal(signal.SIGTERM)
    assert bench.wait(30) == 128 + signal.SIGTERM
    while alive(sleeper) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(sleeper)
    assert not list(temporary.iterdir())


def test_every_benchmark_that_leaves_something_in_the_temporary_folder_takes_it_along() -> None:
    """Two of twenty did."""
    scripts = [file for file in BENCHMARKS.glob("*.py") if "def main(" in file.read_text(encoding="utf-8")]
    using = [file for file in scripts if "import tempfile" in file.read_text(encoding="utf-8")]
    assert len(using) > 10
    assert [file.name for file in using if "ended.by_sigterm()" not in file.read_text(encoding="utf-8")] == []
