"""Dask or Ray: what each costs for work like ours, on two nodes of one core on this machine.

    python benchmarks/engines.py dask ray [--tasks 100000]

For each engine, in an environment that has both (``pip install distributed ray psutil``): seconds until two
nodes serve, empty tasks a second with a window of ``--window`` under way as in a run, processor time and
memory of all its processes, seconds until work goes on when a node is killed by ``kill -9`` and whether each
of its tasks came back once, and seconds until both nodes have a file of 64 MiB. One engine after the other.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import ended
import psutil

FILE_MIB = 64
LOST_TASKS, LOST_SECONDS = 200, 0.05


def empty(number: int) -> int:
    """What is measured: a task that does nothing."""
    return number


def slow(number: int) -> int:
    time.sleep(LOST_SECONDS)
    return number


def size_of(content: bytes) -> int:
    return len(content)


class Engine(Protocol):
    nodes: list[psutil.Process]

    def stream(self, task: Callable[[int], int], count: int, window: int) -> Iterator[int]:
        """Results of ``task`` for 0 … count - 1 as they come, at most ``window`` under way."""
        ...

    def everywhere(self, content: bytes) -> None:
        """Until both nodes have read it."""
        ...


class Dask:
    def __init__(self, folder: Path) -> None:
        from distributed import Client

        scheduler = folder / "scheduler.json"
        python = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
        self._started = [_spawn([*python, "--no-dashboard", "--port", "0", "--scheduler-file", scheduler])]
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard", "--nthreads", "1"]
        places = ["--scheduler-file", scheduler, "--local-directory", folder]
        self._started += [_spawn([*worker, *places, "--name", f"node-{i}"]) for i in range(2)]
        self._client = Client(scheduler_file=str(scheduler), timeout=60)
        self._client.wait_for_workers(2, timeout=60)
        self.nodes = [psutil.Process(child.pid) for child in self._started[1:]]

    def stream(self, task: Callable[[int], int], count: int, window: int) -> Iterator[int]:
        from distributed import as_completed

        following = iter(range(count))

        def more(most: int) -> list[Any]:
            numbers = list(islice(following, most))
            return self._client.map(task, numbers, pure=False, retries=3)

        done = as_completed(more(window), with_results=True)
        for batch in done.batches():
            yield from (result for _, result in batch)
            done.update(more(len(batch)))

    def everywhere(self, content: bytes) -> None:
        future = self._client.scatter(content, broadcast=True)
        names = list(self._client.scheduler_info(n_workers=-1)["workers"])
        self._client.gather([self._client.submit(size_of, future, workers=[n], pure=False) for n in names])

    def close(self) -> None:
        self._client.close()
        for child in self._started:
            child.terminate()
            child.wait()


class Ray:
    def __init__(self, folder: Path) -> None:
        import ray
        from ray.cluster_utils import Cluster

        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        self._cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        added = [self._cluster.add_node(num_cpus=1) for _ in range(2)]
        ray.init(address=self._cluster.address, log_to_driver=False)
        self.nodes = [psutil.Process(node.all_processes["raylet"][0].process.pid) for node in added]

    def stream(self, task: Callable[[int], int], count: int, window: int) -> Iterator[int]:
        import ray

        remote = ray.remote(num_cpus=1, max_retries=3)(task)
        following = iter(range(count))
        waiting = [remote.remote(number) for number in islice(following, window)]
        while waiting:
            first, waiting = ray.wait(waiting, num_returns=1)
            more, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=0) if waiting else ([], [])
            yield from ray.get([*first, *more])
            waiting += [remote.remote(number) for number in islice(following, len(first) + len(more))]

    def everywhere(self, content: bytes) -> None:
        import ray

        reference = ray.put(content)
        remote = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(size_of)
        ray.get([remote.remote(reference) for _ in self.nodes])

    def close(self) -> None:
        import ray

        ray.shutdown()
        self._cluster.shutdown()


ENGINES: dict[str, Callable[[Path], Any]] = {"dask": Dask, "ray": Ray}
PACKAGES = {"dask": ("dask", "distributed", "tornado", "msgpack"), "ray": ("ray",)}


def _spawn(command: list[Any]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([str(part) for part in command], stderr=subprocess.DEVNULL)


@dataclass(frozen=True)
class Spent:
    cpu: float
    memory_mib: float


def spent() -> Spent:
    """Processor seconds and proportional memory of all processes that we started, and of ourselves."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    cpu, memory = 0.0, 0
    for process in processes:
        try:
            times = process.cpu_times()
            cpu += times.user + times.system
            memory += process.memory_info().rss
        except psutil.Error:
            continue
    return Spent(cpu, memory / (1 << 20))


@contextmanager
def timed(says: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    print(f"  {says}: {time.monotonic() - began:.1f} s", flush=True)


def measure(name: str, tasks: int, window: int) -> None:
    """Print one engine's figures."""
    folder = Path(tempfile.mkdtemp(prefix="nl2fix-engines-"))
    print(
        f"{name} {metadata.version(PACKAGES[name][-1] if name == 'ray' else 'distributed')}, "
        f"{installed(PACKAGES[name]):.0f} MiB installed",
        flush=True,
    )
    with timed("until two nodes serve"):
        engine = ENGINES[name](folder)
    try:
        list(engine.stream(empty, 200, window))
        before, began = spent(), time.monotonic()
        assert sorted(engine.stream(empty, tasks, window)) == list(range(tasks))
        seconds, after = time.monotonic() - began, spent()
        each = (after.cpu - before.cpu) / tasks * 1e6
        print(
            f"  {tasks} empty tasks: {seconds:.1f} s ({tasks / seconds:.0f}/s), CPU {each:.0f} µs a task, "
            f"memory {before.memory_mib:.0f} MiB before, {after.memory_mib:.0f} after",
            flush=True,
        )
        with timed(f"{FILE_MIB} MiB on both nodes"):
            engine.everywhere(os.urandom(FILE_MIB << 20))
        lose(engine, window)
    finally:
        engine.close()
        shutil.rmtree(folder, ignore_errors=True)


def lose(engine: Engine, window: int) -> None:
    """Kill a node in the middle of tasks, with all it started."""
    began, last, longest, results = time.monotonic(), time.monotonic(), 0.0, []
    for result in engine.stream(slow, LOST_TASKS, window):
        longest, last = max(longest, time.monotonic() - last), time.monotonic()
        results.append(result)
        if len(results) == LOST_TASKS // 4:
            node = engine.nodes[0]
            for process in [*node.children(recursive=True), node]:
                process.send_signal(signal.SIGKILL)
    once = sorted(results) == list(range(LOST_TASKS))
    took, work = time.monotonic() - began, LOST_TASKS * LOST_SECONDS
    print(
        f"  a node killed: {took:.1f} s for {work:.0f} s of tasks, "
        f"longest silence {longest:.1f} s, each result once: {once}",
        flush=True,
    )


def installed(names: tuple[str, ...]) -> float:
    """MiB of these packages' files."""
    files = [file for name in names for file in metadata.files(name) or ()]
    sizes = (Path(str(file.locate())).stat().st_size for file in files if Path(str(file.locate())).is_file())
    return sum(sizes) / (1 << 20)


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("engines", nargs="+", choices=sorted(ENGINES))
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--window", type=int, default=64)
    chosen = parser.parse_args()
    for name in chosen.engines:
        measure(name, chosen.tasks, chosen.window)


if __name__ == "__main__":
    main()
