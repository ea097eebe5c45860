"""Functions of what can be sent, worked out on the nodes of a cluster: what ``jobs`` processes do here."""

from __future__ import annotations

import queue
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, TypeVar

from nl2fix.cluster.crew import Errand, Errands, Nodes, Say, client_of, run_of, serving
from nl2fix.cluster.hands import Helping
from nl2fix.cluster.settings import of
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError

T = TypeVar("T")
R = TypeVar("R")


def helping(
    environment: Environment, look: Callable[[], Mapping[str, str]], name: str, say: Say
) -> AbstractContextManager[Helpers]:
    """The cluster that the settings name, of which those nodes help where ``look`` tells the same as here.

    Raises ``UsageError`` where there is none, or none of its nodes can help; ``name`` tells commands apart.
    """
    settings = of(environment)
    service = Helping(look, look())
    return serving(Helpers(client_of(settings.address), service, run_of(name), say, settings.patience))


class Helpers(Nodes):
    """Nodes that need no more than this package. Satisfies ``core.protocols.Spread``."""

    can = "help"

    def __call__(self, function: Callable[[T], R], work: Sequence[T]) -> Generator[tuple[T, R]]:
        answers: queue.SimpleQueue[tuple[T, Any]] = queue.SimpleQueue()
        errands, waiting, left = Errands(self), [*reversed(work)], len(work)
        try:
            while left:
                if waiting:
                    errands.hand_out(_errand(function, waiting.pop(), answers))
                else:
                    errands.until(lambda: not answers.empty())
                while not answers.empty():
                    piece, answer = answers.get()
                    if isinstance(answer, Exception):
                        raise answer
                    left -= 1
                    yield piece, answer
        finally:
            errands.stop()


def _errand(function: Callable[[T], R], piece: T, answers: queue.SimpleQueue[tuple[T, Any]]) -> Errand:
    from nl2fix.cluster.service import Done, apply

    def back(done: Done) -> None:
        answers.put((piece, done.result))

    def given_up(reason: str) -> None:
        raise InfrastructureError(f"a piece of the work came to nothing: {reason}")

    return Errand(apply, (partial(function, piece),), "help", "a piece of the work", back, given_up)
