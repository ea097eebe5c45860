"""A model that computes its answers, on the nodes of a cluster: in one process of each node that can.

The process is beside those of Dask, which may start no others as some models do, and beside the threads that
judge, so that neither waits for the other. It loads the model with the first piece and keeps it.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from nl2fix.cluster.connection import Nodes, Say, Shares, client_of, run_of, serving
from nl2fix.cluster.errands import Errand, streamed
from nl2fix.cluster.hands import Hands
from nl2fix.cluster.node import Lost, Unfit, check_same, line, node_folder
from nl2fix.cluster.settings import of
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, Nl2fixError
from nl2fix.core.protocols import Computing, Model
from nl2fix.core.records import Completion, Request

if TYPE_CHECKING:
    from distributed import Client, Future

    from nl2fix.cluster.service import Done

_CORES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_LONGEST = 300
"""Characters of what broke that are told."""

MakeModel = Callable[[Environment], Model]


@contextmanager
def answering(
    environment: Environment, make: MakeModel, model: Computing, name: str, say: Say
) -> Iterator[Model]:
    """The same model on the nodes of the cluster; ``make``, sent by reference, makes it there.

    Raises ``UsageError`` where there is no cluster, ``NoneFit`` where none of its nodes can answer.
    """
    settings = of(environment)
    tables = {key: dict(table) for key, table in environment.tables.items()}
    client, run = client_of(settings.address), run_of(f"answers of {name}")
    with serving(Answerers(client, Answering(make, tables), run, say, settings.patience)) as nodes:
        yield Elsewhere(model, nodes)


@dataclass(frozen=True)
class Answering:
    """Satisfies ``node.Serves``: whoever can make the model, and has what it runs on, can answer."""

    make: MakeModel
    tables: Mapping[str, Mapping[str, object]]
    """Settings of rooms, as in ``Environment``."""

    def node(self, threads: int) -> Answerer:
        try:
            environment = Environment(cache=node_folder(), jobs=threads, tables=self.tables)
        except OSError as error:
            raise Unfit(line(error)) from error
        return Answerer(pickle.dumps(partial(self.make, environment)), threads)


class Answerer:
    """A process with a model. Thread-safe."""

    places = 2
    """One piece is answered, the next one is there."""

    def __init__(self, make: bytes, threads: int) -> None:
        """Raises ``Unfit`` where the model cannot be made, or would take much longer than it need."""
        cores = dict.fromkeys(_CORES, str(threads))  # Dask's processes have one each
        self._make, self._hands, self._turn = make, Hands(1, cores), threading.Lock()
        self._unfit: Unfit | None = None
        try:
            self.identity: Mapping[str, str] = self._did(partial(_identity, make))
        except Lost as error:
            raise Unfit(f"its model is lost with {error}") from error

    def answer(self, piece: Sequence[Request], wanted: Mapping[str, str]) -> tuple[list[Completion], float]:
        """Answers and their seconds; raises ``Unfit`` where they would not be those of other nodes."""
        check_same(self.identity, wanted)
        with self._turn:
            if self._unfit is not None:
                raise self._unfit
            began = time.monotonic()
            given: list[Completion] = self._did(partial(answers, self._make, piece))
            return given, time.monotonic() - began

    def close(self) -> None:
        """End the process."""
        self._hands.close()

    def _did(self, work: Callable[[], object]) -> Any:
        made = self._hands.do(work)
        if isinstance(made, Exception):
            self._unfit = Unfit(line(made))
            self.close()
            raise self._unfit
        return made


@cache
def _opened(make: bytes) -> Computing:
    """The one model of this process."""
    model: Computing = pickle.loads(make)()
    return model


def _identity(make: bytes) -> dict[str, str]:
    try:
        model = _opened(make)
        if why := model.hampered():
            raise Unfit(why)
        return model.identity()
    except Exception as error:
        raise _told(error) from error


def answers(make: bytes, piece: Sequence[Request]) -> list[Completion]:
    """Of the one model of this process."""
    try:
        return [*_opened(make).complete(piece)]
    except Exception as error:
        raise _told(error) from error


def _told(error: Exception) -> Unfit:
    """What broke, without classes of libraries that who hears of it may lack."""
    ours = isinstance(error, Nl2fixError | OSError)
    return Unfit((line(error) if ours else f"{type(error).__name__}: {line(error)}")[:_LONGEST])


class Answerers(Nodes):
    """Nodes that answer."""

    can = "answer"
    unfit = "does not answer"
    again = "what was answered is stored, so run the same command again"
    window = 1

    def __init__(self, client: Client, service: Answering, run: str, say: Say, patience: float) -> None:
        super().__init__(client, service, run, say, patience)
        self._pieces: Counter[str] = Counter()

    def submit(self, function: Callable[..., Any], *arguments: Any, label: str, **where: Any) -> Future[Any]:
        """Have the node answer that is at least: Dask does not count what is beside its threads."""
        with self._changed:
            if not self._fit:
                return super().submit(function, *arguments, label=label)
            node = min(self._fit, key=self._pieces.__getitem__)
            self._pieces[node] += 1
            place = self._addresses[node]
        future = super().submit(function, *arguments, label=label, workers=[place], priority=1)
        future.add_done_callback(lambda _: self._ended(node))
        return future

    def _ended(self, node: str) -> None:
        with self._changed:
            self._pieces[node] -= 1

    def _count(self) -> str:
        count = len(self._fit)
        return f"answers come from {count} node{'s' * (count != 1)}"


class Elsewhere:
    """Satisfies ``core.protocols.Model``: the answers of a model on nodes."""

    def __init__(self, model: Computing, nodes: Answerers) -> None:
        self.name = model.name
        self._model, self._nodes = model, nodes

    def complete(self, requests: Iterable[Request]) -> Generator[Completion]:
        shares = Shares("answered", self._nodes.say)
        try:
            with closing(streamed(self._nodes, self._model.pieces(requests), self._errand)) as done:
                for _, (given, node, seconds) in done:
                    shares.add(node, len(given), seconds)
                    yield from given
        finally:
            shares.tell()

    def _errand(self, piece: Sequence[Request], back: Callable[[Done], None]) -> Errand:
        from nl2fix.cluster.service import answer

        what = f"a piece of prompts, from {piece[0].problem.id} on,"

        def given_up(reason: str) -> None:
            raise InfrastructureError(f"{what} got no answers: {reason}; {self._nodes.again}")

        return Errand(answer, (piece, self._nodes.identity), "answer", what, back, given_up)
