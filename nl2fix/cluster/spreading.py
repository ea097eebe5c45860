"""Functions of what can be sent, worked out on the nodes of a cluster: what ``jobs`` processes do here."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from nl2fix.cluster.connection import Nodes, Say, client_of, run_of, serving
from nl2fix.cluster.errands import Errand, streamed
from nl2fix.cluster.hands import Helping
from nl2fix.cluster.settings import of
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError

if TYPE_CHECKING:
    from nl2fix.cluster.service import Done

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
        with closing(streamed(self, work, partial(_errand, function))) as done:
            for piece, (answer, *_) in done:
                if isinstance(answer, Exception):
                    raise answer
                yield piece, answer


def _errand(function: Callable[[T], R], piece: T, back: Callable[[Done], None]) -> Errand:
    from nl2fix.cluster.service import apply

    def given_up(reason: str) -> None:
        raise InfrastructureError(f"a piece of the work came to nothing: {reason}")

    return Errand(apply, (partial(function, piece),), "help", "a piece of the work", back, given_up)
