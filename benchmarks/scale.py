"""Many machines: what a cluster costs against --jobs, and a simulation.

    python benchmarks/scale.py measure [--suite examples] [--data FILE] [--problems 8] [--n 30] [--nodes 1 2]
    python benchmarks/scale.py measure --suite nl2fix --config FILE --ids Cli-8,Math-5 --ending
    python benchmarks/scale.py sample --model hf:FOLDER,device=cpu [--problems 8] [--n 16] [--nodes 1 2]
    python benchmarks/scale.py simulate [--candidate S] [--session S] [--scheduler S] [--writer S]

``measure`` judges the same candidates on this machine with as many jobs as nodes and on real node processes
of one thread, each bound to a core, one after the other, on as many cores, if there are as many. It prints
wall and processor seconds of both, and the wall seconds that the simulation gives as many nodes as the
machine has cores for.
``--ending`` leaves out candidates that do not end, which language models seldom write and which take twice as
long beside others; which they are is kept in ``--cache``. ``sample`` has a
model answer in one process of this machine and in one on each node, and compares the answers. ``simulate``
is a discrete-event model of the same parts with these costs. Kills are in ``kills.py --what cluster``.
"""

from __future__ import annotations

import argparse
import operator
import os
import pickle
import random
import tempfile
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import ended
import simpy
from spent import Spent, counting, spent
from validator import candidates

from nl2fix.cli.flags import gather
from nl2fix.cluster.answering import MakeModel, answering, answers
from nl2fix.cluster.crew import opened
from nl2fix.cluster.hands import Hands
from nl2fix.core.cache import VerdictCache
from nl2fix.core.config import Environment
from nl2fix.core.engine import Judging, judge
from nl2fix.core.lanes import cut
from nl2fix.core.memory import Memory
from nl2fix.core.protocols import Computing
from nl2fix.core.records import Candidate, Completion, Outcome, Problem, Request
from nl2fix.core.serial import dumps
from nl2fix.pipeline import Choice, RunConfig, make_model, make_strategy, make_suite, parse, prepare
from nl2fix.pipeline.components import everywhere
from tests.cluster.conftest import Nodes

Work = Sequence[tuple[Problem, Sequence[Candidate]]]


def silent(done: int, total: int, label: str) -> None:
    return None


# -- measured ---------------------------------------------------------------------------------------


@contextmanager
def cluster(count: int) -> Iterator[Nodes]:
    """Node processes of one thread on this machine, each bound to a core."""
    together = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="nl2fix-scale-") as folder, closing(Nodes(Path(folder))) as nodes:
        for number in range(count):
            with cores([together[number % len(together)]]):
                nodes.add(f"node-{number}")
        nodes.wait(count)
        yield nodes


@contextmanager
def cores(chosen: Collection[int]) -> Iterator[int]:
    """These cores, for what is started meanwhile, by whatever thread; how many they are."""
    before = os.sched_getaffinity(0)
    _pin(chosen)
    try:
        yield len(chosen)
    finally:
        _pin(before)


def _pin(cores: Collection[int]) -> None:
    for thread in Path("/proc/self/task").iterdir():
        with suppress(ProcessLookupError):  # it has ended
            os.sched_setaffinity(int(thread.name), cores)


def alone(work: Work, suite: Choice, environment: Environment) -> Spent:
    """On this machine, with no verdict known before."""
    with tempfile.TemporaryDirectory() as folder:
        return spent(lambda: _judged(work, suite, environment, Path(folder)))


def _judged(work: Work, suite: Choice, environment: Environment, known: Path) -> Memory:
    """``known`` holds verdicts from before, and then these, too."""
    with (
        closing(make_suite(suite, environment).validator()) as validator,
        closing(VerdictCache(known / "verdicts.sqlite")) as cache,
    ):
        told = judge(work, Judging(validator, cache, environment.jobs), silent)
        assert not told.failures()
        return told


def apart(work: Work, suite: Choice, environment: Environment, count: int) -> Spent:
    """On nodes, with no verdict known before; nodes are up, and have no workspace yet."""

    def judged() -> None:
        with (
            opened(there, partial(make_suite, suite), folder, lambda line: None) as joined,
            closing(make_suite(suite, environment).validator()) as validator,
            closing(VerdictCache(Path(folder) / "verdicts.sqlite")) as cache,
        ):
            assert not judge(work, Judging(validator, cache, 1, joined.crew(validator)), silent).failures()

    with cluster(count) as nodes, tempfile.TemporaryDirectory() as folder:
        table = {"address": str(nodes.address), "store": str(Path(folder) / "store")}
        there = environment.having("cluster", **table)
        return spent(judged)


def measure(asked: argparse.Namespace, suite: Choice, environment: Environment) -> None:
    work = _work(asked, suite, environment)
    count = sum(len(chosen) for _, chosen in work)
    costs = Costs(0.0, 0.0, asked.scheduler, asked.writer)
    for repeat in range(asked.repeats):
        for nodes in sorted(asked.nodes):
            with cores(sorted(os.sched_getaffinity(0))[:nodes]) as together:
                here = alone(work, suite, Environment(environment.cache, nodes, environment.tables))
                there = apart(work, suite, environment, nodes)
            # What the fewest nodes took is what the work costs; a round of more of them checks the model.
            costs = costs if costs.candidate else costs._replace(candidate=there.wall * together / count)
            expected = simulate(together, 1, count, len(work), costs)
            print(
                f"round {repeat + 1}, {count} candidates: --jobs {nodes} {here.wall:.1f} s, "
                f"CPU {here.cpu:.1f} s; "
                f"{nodes} nodes {there.wall:.1f} s, CPU {there.cpu:.1f} s ({there.cpu / here.cpu - 1:+.1%}), "
                f"simulated {expected.wall:.1f} s, "
                f"load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


def _work(asked: argparse.Namespace, suite: Choice, environment: Environment) -> Work:
    made = make_suite(suite, environment)
    named = asked.ids.split(",") if asked.ids else []
    ids = named or [problem.id for problem in made.problems()][: asked.problems]
    problems, errors = prepare(made, ids, environment, silent)
    ready = [problem for problem in problems if problem.id not in errors]
    work = [(problem, candidates(problem, asked.n)) for problem in ready]
    if not asked.ending:
        return work
    told = _judged(work, suite, environment, environment.cache)
    endless = {
        (problem.id, key)
        for problem in ready
        for key, verdict in told.verdicts(problem.id).items()
        if verdict.outcome is Outcome.TIMEOUT
    }
    return [(p, [c for c in drawn if (p.id, c.key) not in endless]) for p, drawn in work]


# -- answers ----------------------------------------------------------------------------------------


def sample(asked: argparse.Namespace, settings: RunConfig, environment: Environment) -> None:
    make = partial(make_model, everywhere(settings.model))
    requests = _requests(asked, settings, environment)
    for repeat in range(asked.repeats):
        expected, base = _here(make, requests, environment)
        print(f"round {repeat + 1}, {len(expected)} answers: here {base.wall:.1f} s, CPU {base.cpu:.1f} s")
        for count in sorted(asked.nodes):
            with cluster(count) as joined:
                at = environment.having("cluster", address=str(joined.address))
                found, apart = _there(make, requests, at)
            print(
                f"{count} nodes {apart.wall:.1f} s, CPU {apart.cpu:.1f} s ({apart.cpu / base.cpu - 1:+.1%}), "
                f"{len(expected ^ found) // 2} answers differ, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


def _requests(asked: argparse.Namespace, settings: RunConfig, environment: Environment) -> Sequence[Request]:
    suite = make_suite(settings.suite, environment)
    strategy = make_strategy(settings, environment, suite)
    drawn = replace(settings.sampling, max_tokens=asked.max_tokens)
    problems = suite.problems()[: asked.problems]
    return [Request(each, strategy.render(each), tuple(range(asked.n)), drawn) for each in problems]


def _here(make: MakeModel, requests: Sequence[Request], environment: Environment) -> tuple[set[str], Spent]:
    """In a process like that of a node."""
    given: list[Completion] = []

    def work() -> None:
        with closing(Hands()) as hands:
            made: Any = hands.do(partial(answers, pickle.dumps(partial(make, environment)), requests))
            given.extend(made)

    took = spent(work)
    return _bodies(given), took


def _there(make: MakeModel, requests: Sequence[Request], at: Environment) -> tuple[set[str], Spent]:
    model, given = make(at), list[Completion]()
    assert isinstance(model, Computing)

    def work() -> None:
        with answering(at, make, model, "sample", lambda line: None) as nodes:
            given.extend(nodes.complete(requests))

    took = spent(work)
    return _bodies(given), took


def _bodies(given: Sequence[Completion]) -> set[str]:
    return {dumps(replace(answer, seconds=None)) for answer in given}


# -- simulated --------------------------------------------------------------------------------------


class Costs(NamedTuple):
    """Seconds."""

    candidate: float
    session: float
    """Of a slice: opening a session, its control."""
    scheduler: float
    """Of one task, in the scheduler's one thread."""
    writer: float
    """Of recording one verdict, in the run's one writer."""


class Simulated(NamedTuple):
    wall: float
    efficiency: float
    scheduler: float
    """Share of the time it is busy."""
    writer: float


def simulate(nodes: int, threads: int, count: int, problems: int, costs: Costs) -> Simulated:
    """The same hand-out as in the engine: slices that shrink at the end, two for each thread under way."""
    world, chance = simpy.Environment(), random.Random(0)
    servers = simpy.Resource(world, nodes * threads)
    scheduler, writer = simpy.Resource(world, 1), simpy.Resource(world, 1)
    room = simpy.Container(world, 2 * nodes * threads, 2 * nodes * threads)
    spent = {"scheduler": 0.0, "writer": 0.0, "work": 0.0}

    def using(who: simpy.Resource, name: str, seconds: float) -> Generator[simpy.Event, Any, Any]:
        with who.request() as turn:
            yield turn
            yield world.timeout(seconds)
        spent[name] += seconds

    def judged(size: int, pace: float) -> Generator[simpy.Event, Any, Any]:
        yield from using(scheduler, "scheduler", costs.scheduler)
        yield from using(servers, "work", costs.session + size * costs.candidate * pace)
        yield from using(writer, "writer", size * costs.writer)
        yield room.put(1)

    def hand_out() -> Generator[simpy.Event, Any, Any]:
        lanes = {number: count // problems for number in range(problems)}
        drawn = [chance.lognormvariate(0.0, 1.0) for _ in lanes]
        paces = [pace * len(lanes) / sum(drawn) for pace in drawn]
        each = [costs.candidate * pace for pace in paces]
        order = list(lanes)
        while order:
            number = order.pop(0)
            waiting = sum(map(operator.mul, lanes.values(), each))
            size = cut(lanes[number], each[number], waiting / (2 * nodes * threads))
            lanes[number] -= size
            order += [number] if lanes[number] else []
            yield room.get(1)
            world.process(judged(size, paces[number]))

    world.process(hand_out())
    world.run()
    ideal = spent["work"] / (nodes * threads)
    return Simulated(
        world.now, ideal / world.now, spent["scheduler"] / world.now, spent["writer"] / world.now
    )


def table(asked: argparse.Namespace) -> None:
    costs = Costs(asked.candidate, asked.session, asked.scheduler, asked.writer)
    print(f"{asked.count} candidates of {asked.bugs} problems, {asked.threads} threads a node, {costs}")
    for nodes in asked.many:
        simulated = simulate(nodes, asked.threads, asked.count, asked.bugs, costs)
        print(
            f"{nodes:5} nodes: {simulated.wall / 3600:9.3f} h, efficiency {simulated.efficiency:.3f}, "
            f"scheduler {simulated.scheduler:.1%} busy, writer {simulated.writer:.1%} busy",
            flush=True,
        )


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("measure", "sample", "simulate"))
    parser.add_argument("--model", default="hf")
    parser.add_argument("--max-tokens", type=int, default=100)
    parser.add_argument("--suite", default="examples")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--ids")
    parser.add_argument("--ending", action="store_true")
    for name, number in (("problems", 8), ("n", 30), ("repeats", 2)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--nodes", type=int, nargs="+", default=[2])
    for name, seconds in (("candidate", 0.065), ("session", 1.0), ("scheduler", 0.004), ("writer", 0.0002)):
        parser.add_argument(f"--{name}", type=float, default=seconds)
    for name, number in (("count", 14_150_000), ("bugs", 283), ("threads", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--many", type=int, nargs="+", default=[1, 2, 4, 10, 100, 500, 1000])
    asked = parser.parse_args()
    if asked.what == "simulate":
        table(asked)
        return
    counting()
    with tempfile.TemporaryDirectory() as folder:
        given = {"model": asked.model} if asked.what == "sample" else {}
        given |= {"suite": asked.suite, "data": asked.data, "config_file": asked.config, "jobs": 2}
        settings, environment = parse(gather({**given, "cache": (asked.cache or Path(folder)).absolute()}))
        if asked.what == "sample":
            sample(asked, settings, environment)
        else:
            measure(asked, settings.suite, environment)


if __name__ == "__main__":
    main()
