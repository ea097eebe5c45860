"""Workers, or runs, killed at random moments (kill -9), beside the same work that nobody disturbs.

    python benchmarks/kills.py [--suite examples] [--problems 8] [--n 20] [--kills 100]     JVMs
    python benchmarks/kills.py --what python --suite canitedit                              interpreters
    python benchmarks/kills.py --what run                                                   nl2fix run itself
    python benchmarks/kills.py --what cluster --suite humanevalfix --data FILE              nodes and the run

``--config`` and ``--bugs`` name settings and problems as for ``nl2fix run``; verdicts in ``--cache`` go.
Candidates are those of the mutation baseline and, but for runs, the references. The disturbed work is
repeated, with no verdict kept, until so many processes have been killed; a run that is killed is continued
by the same command until it ends. Prints how many records differ (outcome, stage and failing test of each
candidate; of runs also draws and rankings), which must be none; the exit code is 1 otherwise, also when a
candidate got no verdict. On a cluster, each kill waits until a slice has been judged since the last one, so
that the work gets on however slow the machine is; what is killed is by chance a node's process, which its
nanny starts again, a nanny with its process, which a new one replaces, or the run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import ended
from validator import candidates

from nl2fix.cli.flags import gather
from nl2fix.core.cache import VerdictCache
from nl2fix.core.engine import Judging, judge
from nl2fix.core.protocols import Suite
from nl2fix.core.records import Candidate, Evidence, Problem
from nl2fix.pipeline import make_suite, parse, view
from nl2fix.sandboxes.table import tree
from tests.cluster.conftest import Nodes

Told = dict[tuple[str, str], tuple[str, str, str | None]]
"""Problem and candidate → outcome, stage, failing test."""


PROGRAMS = {"jvm": "java", "python": "python"}
"""What is killed → how its processes' names begin."""


def workers(program: str) -> list[int]:
    """Processes of ours that run a program."""
    found = []
    for pid in tree(os.getpid())[1:]:
        with suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().startswith(program):
                found.append(pid)
    return found


@contextmanager
def beside(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """Have work done in a thread until it is told that it is done."""
    done = threading.Event()
    thread = threading.Thread(target=work, args=(done,))
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def killer(program: str, pause: float, killed: list[int], most: int, choose: random.Random) -> Iterator[None]:
    """Kills a random worker after random times, ``pause`` seconds on average."""

    def work(done: threading.Event) -> None:
        while len(killed) < most and not done.wait(choose.expovariate(1 / pause)):
            with suppress(OSError, IndexError):
                pid = choose.choice(workers(program))
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    with beside(work):
        yield


def told(suite: Suite, work: Sequence[tuple[Problem, Sequence[Candidate]]], jobs: int) -> Told:
    """What each candidate is judged to be, with no verdict known before."""
    validator = suite.validator()
    with tempfile.TemporaryDirectory() as folder:
        cache = VerdictCache(Path(folder) / "verdicts.sqlite")
        memory = judge(work, Judging(validator, cache, jobs), lambda done, total, label: None)
        cache.close()
    validator.close()
    found: Told = {(failure.problem, failure.candidate): ("failed", "", "") for failure in memory.failures()}
    for problem, _ in work:
        for key, verdict in memory.verdicts(problem.id).items():
            evidence = verdict.evidence
            found[problem.id, key] = (verdict.outcome.value, evidence.stage, evidence.failing_test)
    return found


def records(folder: Path) -> Told:
    """All that a finished run holds, in the same form; problems and rankers stand for candidates, too."""
    found: Told = {}
    with view(folder, {}) as opened:
        results = opened.results()
        unfinished = [item.problem.id for item in results.unfinished]
        for item in results.problems:
            name = item.problem.id
            for entry, verdict in zip(item.pool.entries, item.verdicts, strict=True):
                evidence = Evidence("build") if verdict is None else verdict.evidence
                outcome = f"{verdict and verdict.outcome.value}, samples {entry.samples}"
                found[name, entry.candidate.key] = (outcome, evidence.stage, evidence.failing_test)
            orders = json.dumps({ranker: list(order) for ranker, order in item.orders.items()})
            found[name, ""] = (orders, f"{len(item.tries)} samples", str(item.refusals))
    found["", ""] = (str(results.failures), f"unfinished: {unfinished}", None)
    return found


def run(command: Sequence[str], deaths: Iterator[float]) -> int:
    """Start a run as often as it takes to its end, killed after each of these seconds if it gets there."""
    killed = 0
    while True:
        process = started(command)
        try:
            _, errors = process.communicate(timeout=next(deaths, None))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
            continue
        if process.returncode:
            raise SystemExit(f"the run ended with status {process.returncode}: {errors.decode()}")
        return killed


def disturbed_runs(options: argparse.Namespace, problems: Sequence[Problem]) -> Iterator[tuple[int, Told]]:
    """Kills and records of one run after the other; the first is left alone."""
    choose, killed, first = random.Random(0), 0, True
    while first or killed < options.kills:
        with tempfile.TemporaryDirectory() as folder:
            command = anew(options, problems, Path(folder))
            times = (1 + choose.expovariate(1 / options.pause) for _ in range(options.kills - killed))
            deaths = run(command, iter(()) if first else times)
            yield deaths, records(Path(folder) / "run")
        killed += deaths
        first = False


def anew(options: argparse.Namespace, problems: Sequence[Problem], folder: Path) -> list[str]:
    """The command of a run that knows no verdict before."""
    for file in options.cache.glob("verdicts.sqlite*"):
        file.unlink()
    words = ["run", "--suite", options.suite, "--model", "mutation", "--n", str(options.n), "--jobs", "2"]
    words += ["--data", str(options.data)] if options.data else []
    words += ["--config", str(options.config)] if options.config else []
    words += ["--bugs", ",".join(problem.id for problem in problems)]
    words += ["--cache", str(options.cache), "--out", f"{folder}/run"]
    return [sys.executable, "-m", "nl2fix", *words]


def disturbed_clusters(
    options: argparse.Namespace, problems: Sequence[Problem]
) -> Iterator[tuple[int, Told]]:
    """Kills and records of one run after the other; the first is left alone, on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        run(anew(options, problems, Path(folder)), iter(()))
        yield 0, records(Path(folder) / "run")
    choose, killed = random.Random(0), 0
    while killed < options.kills:
        with tempfile.TemporaryDirectory() as folder, closing(Nodes(Path(folder))) as nodes:
            for number in range(3):
                nodes.add(f"node-{number}")
            nodes.wait(3)
            command = anew(options, problems, Path(folder))
            command += ["--cluster", str(nodes.address), "--store", f"{folder}/store"]
            deaths = survived(command, nodes, Path(folder) / "store", options.kills - killed, choose)
            killed += deaths.total()
            print(", ".join(f"{count} times {what}" for what, count in sorted(deaths.items())), flush=True)
            yield deaths.total(), records(Path(folder) / "run")


def survived(
    command: Sequence[str], nodes: Nodes, store: Path, most: int, choose: random.Random
) -> Counter[str]:
    """Run a command to its end, though it and nodes are killed; how often each was."""
    deaths: Counter[str] = Counter()
    process, judged = started(command), 0
    while (status := process.poll()) is None:
        time.sleep(choose.uniform(0, 1))
        count = len(list(store.glob("verdicts/*/*/*.json")))
        if count > judged and deaths.total() < most:
            judged = count
            victim = choose.choice([*nodes.started][1:])  # the scheduler comes first
            what = choose.choice(["node", "nanny", "run"])
            if what == "run":
                process.kill()
                process.communicate()
                process = started(command)
            if what == "run" or nodes.kill(victim, whole=what == "nanny"):
                deaths[what] += 1
        for gone in [name for name, node in nodes.started.items() if node.poll() is not None]:
            nodes.remove(gone)  # killed, or its nanny gave up as its process died at its start
            nodes.add(gone)
    if status:
        raise SystemExit(f"the run ended with status {status}: {process.communicate()[1].decode()}")
    return deaths


def started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def disturbed_judging(
    options: argparse.Namespace, suite: Suite, problems: Sequence[Problem]
) -> Iterator[tuple[int, Told]]:
    """Kills and verdicts of one judging after the other; the first is left alone."""
    work = [(p, [*candidates(p, options.n), suite.reference(p)]) for p in problems]
    killed: list[int] = []
    choose = random.Random(0)  # one for all rounds: a round may be over before its first draw
    yield 0, told(suite, work, 2)
    while len(killed) < options.kills:
        before = len(killed)
        with killer(PROGRAMS[options.what], options.pause, killed, options.kills, choose):
            verdicts = told(suite, work, 2)
        yield len(killed) - before, verdicts


def main() -> int:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--what", choices=[*PROGRAMS, "run", "cluster"], default="jvm")
    parser.add_argument("--suite", default="examples")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--bugs")
    parser.add_argument("--problems", type=int, default=8)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between kills, on average")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "nl2fix-kills")
    options = parser.parse_args()
    given = {"suite": options.suite, "data": options.data, "config_file": options.config, "jobs": 2}
    settings, environment = parse(gather({**given, "cache": options.cache}))
    suite = make_suite(settings.suite, environment)
    named = options.bugs.split(",") if options.bugs else []
    problems = [problem for problem in suite.problems() if not named or problem.id in named]
    problems = problems if named else problems[: options.problems]
    for name, error in suite.prepare(problems, 2, lambda done, total, label: None).items():
        print(f"left out: {name}: {error}", flush=True)
        problems = [problem for problem in problems if problem.id != name]
    if options.what in PROGRAMS:
        rounds = disturbed_judging(options, suite, problems)
    else:
        rounds = {"run": disturbed_runs, "cluster": disturbed_clusters}[options.what](options, problems)
    _, undisturbed = next(rounds)
    print(f"undisturbed: {len(undisturbed)} records", flush=True)
    killed, compared = 0, 0
    different: list[str] = []
    for kills, disturbed in rounds:
        killed, compared = killed + kills, compared + len(disturbed)
        for key in undisturbed.keys() | disturbed.keys():
            wanted, found = undisturbed.get(key), disturbed.get(key)
            if wanted != found or "failed" in (wanted or ()):
                different.append(f"{key[0]} {key[1][:12]}: {wanted} undisturbed, {found} disturbed")
        print(f"{killed} killed, {compared} records compared, {len(different)} differ", flush=True)
    print(*different, sep="\n")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
