"""How much time judging while the model still answers saves, against one phase after the other.

A model server on this machine gives every sample of every shipped Java bug its answer (a few hundred
different edits, so that none is judged twice), slowly enough that all answers together take as long
as judging all of them does, the way there and back included. Measured with real HTTP, real JVMs and an own
cache each:

* ``apart``: a run that samples first (``nl2fix sample``) and then judges (``nl2fix validate``);
* ``engine``: the same run in one go, as ``nl2fix run`` does it.

Both are measured in turns, ``--rounds`` times, after one round that finds how long judging takes and
warms what both sides share. Printed are walls, their ratio (goal: below 0.65) and the machine's load.

    python benchmarks/overlap.py [--n 40] [--jobs 2] [--rounds 2]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import ended

from nl2fix.core.config import Environment
from nl2fix.core.records import Request, Sampling
from nl2fix.mutation import Mutation
from nl2fix.pipeline import Choice, RunConfig, Unobserved, open_run
from tests.servers.openai_server import OpenAIServer

GOAL = 0.65


class Walls(NamedTuple):
    """Seconds."""

    sampling: float
    judging: float

    @property
    def whole(self) -> float:
        return self.sampling + self.judging


def answers(config: RunConfig, environment: Environment) -> dict[str, list[str]]:
    """By prompt, edits of the offline model, as a server would say them."""
    from nl2fix.pipeline import make_strategy, make_suite, select

    suite = make_suite(config.suite, environment)
    strategy = make_strategy(config, environment, suite)
    given = {}
    for problem in select(suite, config.bugs):
        prompt = strategy.render(problem)
        drawn = Mutation().complete([Request(problem, prompt, tuple(range(config.n)), Sampling())])
        codes = [item.code if item.code is not None else problem.before for item in drawn]
        given[prompt.messages[-1].content] = [f"```java\n{code}\n```" for code in codes]
    return given


@contextmanager
def server(given: dict[str, list[str]], latency: float) -> Iterator[OpenAIServer]:
    """Answers one sample at a time; each takes ``latency`` seconds."""

    def text(body: dict[str, Any], number: int) -> str:
        codes = given[body["messages"][-1]["content"]]
        return codes[((body.get("seed") or 0) + number) % len(codes)]

    with OpenAIServer(text=text, latency=latency, keep_calls=False) as running:
        yield running


def run(
    config: RunConfig, given: dict[str, list[str]], jobs: int, latency: float, prepared: Path, *, apart: bool
) -> Walls:
    """One run with an empty cache of answers and verdicts, its workspaces prepared."""
    with tempfile.TemporaryDirectory() as folder, server(given, latency) as running:
        cache = Path(folder) / "cache"
        cache.mkdir()
        for shared in prepared.iterdir():
            if not shared.name.startswith(("verdicts", "answers")):
                (cache / shared.name).symlink_to(shared)
        options = {"id": "m", "base_url": running.url, "concurrency": 1, "n_per_request": 1}
        options["logprobs"] = False
        environment = Environment(cache=cache, jobs=jobs)
        asked = RunConfig(**{**vars(config), "model": Choice("openai", options)})
        with open_run(asked, environment, Path(folder) / "run") as opened:
            opened.prepare(Unobserved())
            began = time.perf_counter()
            if not apart:
                opened.answer(Unobserved())
                return Walls(0.0, time.perf_counter() - began)
            opened.sample(Unobserved())
            sampled = time.perf_counter()
            opened.validate(Unobserved())
            return Walls(sampled - began, time.perf_counter() - sampled)


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for name, value in (("n", 40), ("jobs", 2), ("rounds", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--bugs", default="", help="ids, separated by commas; empty means all Java bugs")
    args = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "none")
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder)
        bugs = tuple(filter(None, args.bugs.split(",")))
        config = RunConfig(n=args.n, bugs=bugs)
        given = answers(config, Environment(cache=prepared))
        total = sum(map(len, given.values()))
        first = run(config, given, args.jobs, 0.0, prepared, apart=True)
        latency = max(0.0, first.judging - first.sampling) / total
        judged = f"{len(given)} bugs × {args.n} answers: {first.judging:.1f} s to judge"
        print(f"{judged}, {latency:.3f} s to give one")
        both = [
            [run(config, given, args.jobs, latency, prepared, apart=apart) for apart in (True, False)]
            for _ in range(args.rounds)
        ]
    for first, engine in both:
        ratio = engine.whole / first.whole
        walls = f"{first.sampling:.1f} + {first.judging:.1f} = {first.whole:.1f} s"
        print(f"apart {walls}, engine {engine.whole:.1f} s: ratio {ratio:.2f}")
    ratio = sum(engine.whole for _, engine in both) / sum(first.whole for first, _ in both)
    print(f"ratio {ratio:.2f} (goal: below {GOAL}), load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
