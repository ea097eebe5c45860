"""A real cluster of processes on this machine: a scheduler and three nodes, each with a folder of its own."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from nl2fix.sandboxes.table import tree
from tests.conftest import missing

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Nodes:
    """Processes of a cluster; each node judges in one thread unless told otherwise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = folder / "scheduler.json"
        self.started: dict[str, subprocess.Popen[bytes]] = {}
        self._start("scheduler", "dask_scheduler", "--port", 0, "--no-dashboard")

    def add(self, name: str, *, threads: int = 1, **variables: str) -> None:
        place = ("--local-directory", self.folder / name, "--nthreads", threads, "--name", name)
        told = {"NODE": name, "NL2FIX_NODE": str(self.folder / name / "node"), **variables}
        self._start(name, "dask_worker", *place, "--no-dashboard", **told)

    def restore(self) -> None:
        """Have all nodes again: a nanny whose process is killed before it is up gives up."""
        names = [name for name in self.started if name.startswith("node-")]
        try:
            self.wait(len(names), 20)
        except TimeoutError:
            for name in names:
                self.remove(name)
                self.add(name)
            self.wait(len(names))

    def wait(self, count: int, seconds: float = 300) -> None:
        """Until so many nodes are up."""
        from distributed import Client

        deadline = time.monotonic() + 300
        while not self.address.is_file():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        with Client(scheduler_file=str(self.address), set_as_default=False) as client:
            client.wait_for_workers(count, timeout=seconds)

    def kill(self, name: str, *, whole: bool = False) -> bool:
        """``kill -9`` a node's process, which its nanny starts again, or the nanny too; was there one?"""
        nanny = self.started[name].pid
        processes = [pid for pid in tree(nanny)[1:] if _is_worker(pid)]
        for pid in [nanny, *processes] if whole else processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return bool(processes)

    def close(self) -> None:
        for name in [*self.started]:
            self.remove(name)

    def remove(self, name: str) -> None:
        self.kill(name, whole=True)
        self.started.pop(name).wait(20)

    def _start(self, name: str, module: str, *arguments: object, **variables: str) -> None:
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", str(self.address)]
        with (self.folder / f"{name}.log").open("wb") as log:
            self.started[name] = subprocess.Popen(
                [*command, *map(str, arguments)],
                stdout=log,
                stderr=log,
                env={
                    **os.environ,
                    "PYTHONPATH": f"{ROOT}:{HERE}",
                    "DASK_CONFIG": str(ROOT / "deploy" / "dask.yaml"),
                    **variables,
                },
            )


def _is_worker(pid: int) -> bool:
    """Whether it is a node's own process, not one that it judges with."""
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """Three nodes, or what tests left of them."""
    if importlib.util.find_spec("distributed") is None:
        missing("Dask is not installed; install nl2fix[cluster]")
    made = Nodes(tmp_path_factory.mktemp("cluster"))
    try:
        for number in range(3):
            made.add(f"node-{number}")
        made.wait(3)
        yield made
    finally:
        made.close()


@pytest.fixture
def nodes(cluster: Nodes) -> Nodes:
    """Three nodes that are up."""
    cluster.restore()
    return cluster


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """``anywhere`` is imported here as it is on the nodes."""
    monkeypatch.syspath_prepend(str(HERE))
