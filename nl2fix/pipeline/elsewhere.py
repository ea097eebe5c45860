"""What of a run is done on the cluster that its settings name, if any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from nl2fix.cluster import settings as clusters
from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Checked, Computing, Crew, Model, Spread, Validator
from nl2fix.pipeline.components import everywhere, make_model, make_suite, unchecked_model
from nl2fix.pipeline.settings import Choice

if TYPE_CHECKING:
    from nl2fix.cluster.crew import Cluster


@contextmanager
def connected(
    environment: Environment, suite: Choice, name: str, say: Callable[[str], None]
) -> Iterator[Cluster | None]:
    """The cluster that the settings name, if any; ``name`` tells runs on it apart, ``say`` the user."""
    if not clusters.of(environment).address:
        yield None
        return
    from nl2fix.cluster.crew import opened

    with opened(environment, partial(make_suite, everywhere(suite)), name, say) as cluster:
        yield cluster


@contextmanager
def asked(chosen: Choice, environment: Environment, name: str, say: Callable[[str], None]) -> Iterator[Model]:
    """The model: what computes its answers does so on the cluster's nodes, if any can; as ``connected``."""
    model = unchecked_model(chosen, environment)
    if not (clusters.of(environment).address and isinstance(model, Computing)):
        yield make_model(chosen, environment)
        return
    from nl2fix.cluster.answering import answering
    from nl2fix.cluster.connection import NoneFit

    make = partial(make_model, everywhere(chosen))
    with ExitStack() as stack:
        try:
            answers: Model = stack.enter_context(answering(environment, make, model, name, say))
        except NoneFit as error:
            if why := _lacking(model):
                raise UsageError(f"{error}, nor can this machine ({why})") from None
            say(f"{error}; {model.name} answers on this machine")
            answers = model
        yield answers


def _lacking(model: Computing) -> str | None:
    """Why a model had better not answer here."""
    try:
        if isinstance(model, Checked):
            model.check()
    except UsageError as error:
        return str(error)
    return model.hampered()


@contextmanager
def spreading(environment: Environment, name: str, say: Callable[[str], None]) -> Iterator[Spread | None]:
    """Has metrics measured on the cluster that the settings name, if any; as ``connected``."""
    if not clusters.of(environment).address:
        yield None
        return
    from nl2fix.cluster.spreading import helping
    from nl2fix.metrics.measure import identity

    with helping(environment, identity, name, say) as helpers:
        yield helpers


def crew(cluster: Cluster | None, validator: Validator) -> Crew | None:
    """Judges of the cluster for the problems of a validator, where there is one."""
    return None if cluster is None else cluster.crew(validator)
