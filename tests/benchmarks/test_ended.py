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
import subprocess, sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import ended


def work(file):
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
    """``kill`` left the process that judges a bug, and its JVMs, at work."""
    script, told = tmp_path / "working.py", tmp_path / "pid"
    script.write_text(WORKING)
    environ = {**os.environ, "PYTHONPATH": f"{BENCHMARKS}:{BENCHMARKS.parent}"}
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
