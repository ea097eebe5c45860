"""Sampling 283 problems × 100 answers from a local server: speed, CPU, memory, resumption.

    python benchmarks/sampling.py [--problems 283] [--n 100] [--size 2000] [--kills 3]

The server is the one of the tests, in a process of its own; the client is a run of its own process as
``nl2fix sample`` makes it: prompts rendered by ``zero_shot``, answers stored in a run store as they
arrive. Prints, for one request per problem (n = 100), for one request per answer, and with
log-probabilities: answers per second, CPU milliseconds of the client per answer, its peak memory. Then

* the same with a plain loop over the official client in 16 threads, one request per answer (baseline);
* a run killed with SIGKILL again and again, then finished: whether its records equal those of the
  uninterrupted run, and how many answers were under way at a kill and had to be asked for again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ended

from nl2fix.core import stages
from nl2fix.core.config import Environment
from nl2fix.core.engine import Drawing, work
from nl2fix.core.records import Problem, Sampling, Span
from nl2fix.core.store import RunStore
from nl2fix.models.openai import make
from nl2fix.prompting.strategies import zero_shot
from tests.servers.openai_server import OpenAIServer

WORKERS = 16


class Generated:
    """A suite of problems with methods of 1.5 kB, the mean of the NL2Fix study."""

    name = "generated"

    def __init__(self, count: int) -> None:
        self._count = count

    def problems(self) -> list[Problem]:
        return [_problem(number) for number in range(self._count)]


def _problem(number: int) -> Problem:
    rng = random.Random(number)
    lines = [f"        total += values[{rng.randrange(99)}] * {rng.randrange(999)};" for _ in range(40)]
    method = (
        "    int f(int[] values) {\n        int total = 0;\n"
        + "\n".join(lines)
        + "\n        return total;\n    }"
    )
    text = f"class A{number} {{\n{method}\n}}\n"
    start = text.index(method)
    return Problem(
        id=f"G-{number}",
        suite="generated",
        project="G",
        language="java",
        path=f"src/A{number}.java",
        text=text,
        region=Span(start, start + len(method)),
        entity="f(int[])",
        visible=method,
        instructions={"title": f"Sum {number} is wrong", "description": "The total is too large. " * 40},
    )


def serve(size: int) -> None:
    """Serve until standard input ends; the address goes out first, the number of answers last."""

    def text(body: dict[str, Any], number: int) -> str:
        seed = (body.get("seed") or 0) + number
        return f"```java\nint f(int[] values) {{ return {seed}; }}\n".ljust(size - 4, " ") + "\n```"

    with OpenAIServer(text=text, keep_calls=False) as server:
        print(server.url, flush=True)
        sys.stdin.read()
        print(server.served, flush=True)


def client(url: str, folder: Path, args: argparse.Namespace, options: Mapping[str, Any]) -> None:
    """One run; prints what it took as JSON, without the time to load libraries."""
    import_module("openai")
    began, cpu = time.monotonic(), time.process_time()
    suite: Any = Generated(args.problems)
    environment = Environment(folder / "cache")
    problems, strategy = suite.problems(), zero_shot({}, environment)
    model = make({"id": "m", "base_url": url, "concurrency": WORKERS, **options}, environment)
    with RunStore.create(folder / "run", {"settings": {"suite": "generated"}, "scope": {}}) as store:
        asked = stages.requests(store, problems, strategy, args.n, Sampling())
        work(store, problems, drawing=Drawing(model, asked, 0, args.problems * args.n))
        count = sum(args.n - len(store.missing_samples(p.id, args.n)) for p in problems)
    facts = {
        "answers": count,
        "wall": time.monotonic() - began,
        "cpu": time.process_time() - cpu,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(facts))


def baseline(url: str, args: argparse.Namespace) -> dict[str, float]:
    """Answers one by one with the official client in threads, into a list."""
    import openai

    asker = openai.OpenAI(base_url=url, api_key="none")
    count = min(args.problems * args.n, 2000)
    prompt = "Fix this.\n" + _problem(0).visible

    def ask(seed: int) -> str:
        messages: Any = [{"role": "user", "content": prompt}]
        reply = asker.chat.completions.create(model="m", messages=messages, seed=seed, max_tokens=750)
        return str(reply.choices[0].message.content)

    began, cpu = time.monotonic(), time.process_time()
    with ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(ask, range(count)))
    return {"answers": len(answers), "wall": time.monotonic() - began, "cpu": time.process_time() - cpu}


@contextmanager
def server(size: int) -> Iterator[tuple[str, list[int]]]:
    """A server's address, and a list that holds the number of its answers once it has stopped."""
    command = [sys.executable, __file__, "--serve", "--size", str(size)]
    served: list[int] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), served
        finally:
            process.stdin.close()
            served.append(int(process.stdout.readline() or 0))


def start(
    url: str, folder: Path, args: argparse.Namespace, options: Mapping[str, Any]
) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--client", url, "--folder", str(folder)]
    command += ["--problems", str(args.problems), "--n", str(args.n), "--options", json.dumps(options)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "OPENAI_API_KEY": ""}
    )


def measure(label: str, args: argparse.Namespace, options: Mapping[str, Any]) -> dict[str, float]:
    """One whole run against a fresh server."""
    with tempfile.TemporaryDirectory() as folder, server(args.size) as (url, _):
        facts: dict[str, float] = json.loads(
            start(url, Path(folder), args, options).communicate(timeout=1800)[0]
        )
    assert facts["answers"] == args.problems * args.n
    report(label, facts)
    return facts


def report(label: str, facts: Mapping[str, float]) -> None:
    rate, cpu = facts["answers"] / facts["wall"], 1000 * facts["cpu"] / facts["answers"]
    memory = f", peak {facts['peak_mb']:.0f} MB" if "peak_mb" in facts else ""
    print(
        f"{label:34} {facts['answers']:6.0f} answers in {facts['wall']:6.1f} s: {rate:7.0f}/s, "
        f"{cpu:6.3f} ms CPU each{memory}",
        flush=True,
    )


def records(folder: Path) -> list[tuple[str, int, str | None, str]]:
    with_store = RunStore(folder / "run")
    found = [(c.problem, c.sample, c.text, c.finish) for c in with_store.completions()]
    with_store.close()
    return found


def stored(folder: Path) -> int:
    """Answers in a run's store so far."""
    file = folder / "run" / "run.sqlite"
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file, timeout=30)) as db, suppress(sqlite3.OperationalError):
        return int(db.execute("SELECT COUNT(*) FROM completions").fetchone()[0])
    return 0


def resumption(args: argparse.Namespace) -> None:
    """Kill a run several times, finish it, compare with an uninterrupted one."""
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as name, server(args.size) as (url, served):
        whole, killed = Path(name) / "whole", Path(name) / "killed"
        start(url, whole, args, {}).communicate(timeout=1800)
        for kill in range(1, args.kills + 1):
            process = start(url, killed, args, {})
            enough = args.problems * args.n * (kill - rng.random()) / (args.kills + 1)
            while process.poll() is None and stored(killed) < enough:
                time.sleep(0.05)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            print(f"  killed with {stored(killed)} answers stored", flush=True)
        start(url, killed, args, {}).communicate(timeout=1800)
        same = records(whole) == records(killed)
    asked = served[0] - 2 * args.problems * args.n
    print(f"records after {args.kills} kills equal those of an uninterrupted run: {same}")
    print(f"answers under way at a kill and asked again: {asked}")


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for name, value in (("problems", 283), ("n", 100), ("size", 2000), ("kills", 3)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--options", default="{}", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.size)
    elif args.client:
        client(args.client, args.folder, args, json.loads(args.options))
    else:
        compare(args)


def compare(args: argparse.Namespace) -> None:
    print(f"{args.problems} problems × {args.n} answers of {args.size} bytes, {WORKERS} requests at once")
    together = measure("n per request", args, {"logprobs": False})
    singly = measure("one request per answer", args, {"logprobs": False, "n_per_request": 1})
    measure("n per request, log-probabilities", args, {})
    with server(args.size) as (url, _):
        plain = baseline(url, args)
    report("baseline: official client, threads", plain)
    for label, facts in (("n per request", together), ("one request per answer", singly)):
        speed = (facts["answers"] / facts["wall"]) / (plain["answers"] / plain["wall"])
        cpu = (plain["cpu"] / plain["answers"]) / (facts["cpu"] / facts["answers"])
        print(f"{label}: {speed:.1f} times the baseline's speed, 1/{cpu:.1f} of its CPU")
    resumption(args)


if __name__ == "__main__":
    main()
