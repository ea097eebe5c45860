"""What runs inside the processes of a Dask cluster: a plugin that makes the node, and the tasks.

A node that is fit offers the resource of its run, once for each of its threads, and only such nodes are
sent tasks. Whatever makes it unfit takes the offer back and is told under the run's topic.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from distributed import Worker, WorkerPlugin, get_worker, secede

from nl2fix import __version__
from nl2fix.cluster.node import Closing, Place, Serves, Unfit
from nl2fix.core.protocols import Returned, Slice
from nl2fix.core.records import Problem, Request


class Done(NamedTuple):
    """A task's result and who did it."""

    result: Any
    node: str
    seconds: float


class Serving(WorkerPlugin):
    """Makes a process of the cluster a node of one run, which names resource and topic, too."""

    def __init__(self, run: str, service: Serves, version: str, opening: str) -> None:
        """``opening`` marks what is told to the one command that sent this; a killed one's may linger."""
        self.name, self._service, self._version, self.opening = run, service, version, opening
        self.node: Closing | None = None

    async def setup(self, worker: Worker) -> None:
        """Offer what this process can do, or tell why it can do nothing."""
        try:
            if self._version != __version__:
                raise Unfit(f"it has nl2fix {__version__}, not {self._version}")
            node = await asyncio.to_thread(self._service.node, worker.state.nthreads)
        except Unfit as error:
            self.tell(worker, unfit=str(error))
        else:
            self.node = node
            await worker.set_resources(**{self.name: node.places})
            told = {"address": worker.contact_address, "identity": dict(node.identity)}
            self.tell(worker, fit=node.places, **told)

    def tell(self, worker: Worker, **state: object) -> None:
        """What a node says of itself under the run's topic."""
        worker.log_event(self.name, {"node": str(worker.name), "opening": self.opening, **state})

    async def teardown(self, worker: Worker) -> None:
        node, self.node = self.node, None
        await worker.set_resources(**{self.name: 0})
        if node is not None:
            await asyncio.to_thread(node.close)


def judge(run: str, task: Slice, place: Place | None) -> Done:
    """A slice, judged on this node."""
    began = time.monotonic()
    returned: Returned = _serving(run, lambda node: node.judge(task, place))
    return Done(returned, str(get_worker().name), time.monotonic() - began)


def prepare(run: str, problem: Problem) -> Done:
    """A problem, prepared on this node: its ``Parcel``, or one line on why not."""
    began = time.monotonic()
    made = _serving(run, lambda node: node.prepare(problem))
    return Done(made, str(get_worker().name), time.monotonic() - began)


def apply(run: str, work: Callable[[], object]) -> Done:
    """Any work, done by a process of this node: its result, or what it raised."""
    began = time.monotonic()
    answer = _serving(run, lambda node: node.do(work))
    return Done(answer, str(get_worker().name), time.monotonic() - began)


def answer(run: str, piece: Sequence[Request], wanted: Mapping[str, str]) -> Done:
    """Prompts, answered on this node, beside what its threads work on."""
    secede()
    answers, seconds = _serving(run, lambda node: node.answer(piece, wanted))
    return Done(answers, str(get_worker().name), seconds)


def _serving(run: str, work: Any) -> Any:
    """Work on this process's node; an unfit one takes its offer back before it says so."""
    worker = get_worker()
    plugin = worker.plugins.get(run)
    node = plugin.node if isinstance(plugin, Serving) else None
    try:
        if node is None:
            raise Unfit("it does not serve this run")
        return work(node)
    except Unfit as error:
        worker.loop.add_callback(_withdraw, worker, run)
        if isinstance(plugin, Serving):
            plugin.tell(worker, unfit=str(error))
        raise


async def _withdraw(worker: Worker, run: str) -> None:
    """Offer nothing any more. Tasks that are here already begin, and say so: left to wait they would hold up
    those of other runs behind them."""
    left = {**worker.state.total_resources, run: 0}
    await worker.scheduler.set_resources(resources=left, worker=worker.contact_address)
