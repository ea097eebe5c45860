"""The candidates of a run judged twice, alone and beside busy processes: does load decide any verdict?

    python benchmarks/load.py RUN [--sample 2000] [--busy 8] [--jobs 2] [--seed 0] [--cache FOLDER]

The suite is the one that the run names; its plug-in is looked for in the current folder. Problems are
prepared once (kept in the cache folder) and no verdict is known before. A busy process does nothing but
count, at the same priority as the judges. Prints outcomes, seconds and every candidate whose outcome
differs; then how many agree in outcome but not in the stage or test that decided. The exit code is 1 if an
outcome differs or a candidate got no verdict.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import ended
from kills import Told, told

from nl2fix.core.config import Environment
from nl2fix.core.records import Candidate, Problem
from nl2fix.pipeline import make_suite, view

Work = list[tuple[Problem, list[Candidate]]]


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that use all the processor time they get.

    Each in a session of its own: kernels may give all of a session together what they give another.
    """
    spin = [sys.executable, "-c", "while True: pass"]
    spinning = [subprocess.Popen(spin, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def drawn(folder: Path, sample: int, seed: int) -> Work:
    """Distinct candidates of a run, ``sample`` of them where there are more, by problem."""
    with view(folder, {}) as opened:
        every = [
            (item.problem, entry.candidate)
            for item in opened.results().counted
            for entry in item.pool.entries
        ]
    if sample and sample < len(every):
        every = [every[i] for i in sorted(random.Random(seed).sample(range(len(every)), sample))]
    work: dict[str, tuple[Problem, list[Candidate]]] = {}
    for problem, candidate in every:
        work.setdefault(problem.id, (problem, []))[1].append(candidate)
    return list(work.values())


def report(name: str, found: Told, seconds: float) -> None:
    counts = ", ".join(f"{name} {count}" for name, count in Counter(o for o, _, _ in found.values()).items())
    print(f"{name}: {len(found)} candidates in {seconds:.0f} s: {counts}", flush=True)


def differences(alone: Told, beside: Told) -> int:
    """Print them; how many outcomes differ."""
    different = [key for key, wanted in alone.items() if beside.get(key, ("",))[0] != wanted[0]]
    for problem, candidate in different:
        key = (problem, candidate)
        print(f"  {problem} {candidate[:12]}: {alone[key]} alone, {beside.get(key)} beside busy processes")
    other = sum(beside.get(key) != wanted for key, wanted in alone.items()) - len(different)
    print(
        f"{len(different)} of {len(alone)} outcomes differ; {other} more differ in the deciding stage or test"
    )
    return len(different)


def main(arguments: Sequence[str] | None = None) -> int:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="candidates; 0: all")
    parser.add_argument("--busy", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "nl2fix")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(Path.cwd()))
    with view(options.run, {}) as opened:
        chosen = opened.config.suite
    suite = make_suite(chosen, Environment(cache=options.cache.resolve(), jobs=options.jobs))
    work = drawn(options.run, options.sample, options.seed)
    if errors := suite.prepare([problem for problem, _ in work], options.jobs, lambda *_: None):
        raise SystemExit(str(errors))
    print(f"load before: {os.getloadavg()[0]:.1f}", flush=True)
    found = []
    for count in (0, options.busy):
        start = time.perf_counter()
        with busy(count):
            found.append(told(suite, work, options.jobs))
        report(f"beside {count} busy processes" if count else "alone", found[-1], time.perf_counter() - start)
    failed = sum(outcome == "failed" for side in found for outcome, _, _ in side.values())
    return int(bool(differences(*found) or failed))


if __name__ == "__main__":
    sys.exit(main())
