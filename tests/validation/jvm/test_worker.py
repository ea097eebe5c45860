"""The watch over workers that do not answer."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.none import Unprotected
from nl2fix.sandboxes.sandbox import Launch
from nl2fix.validation.jvm import frames
from nl2fix.validation.jvm.worker import JavaWorker, Spec, WorkerLost
from tests.validation.jvm.conftest import JARS


@pytest.fixture
def workers() -> Iterator[list[JavaWorker]]:
    """Two that never answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sandbox = Unprotected()
    made = [JavaWorker(sandbox.start(Launch(["sleep", "600"])), Spec(JARS)) for _ in "12"]
    yield made
    for worker in made:
        worker.process.kill()


def test_a_worker_that_does_not_die_leaves_the_watch_over_others(
    workers: list[JavaWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody was ended any more for being late: the next endless loop was waited for without end."""
    stuck, late = workers
    asked = threading.Event()
    kill = stuck.process.kill

    def fails(*_: Any) -> None:
        asked.set()
        raise InfrastructureError("it does not die")

    monkeypatch.setattr(stuck.process, "kill", fails)
    ask = threading.Thread(target=_ask, args=(stuck,), daemon=True)
    ask.start()
    assert asked.wait(60)
    with pytest.raises(WorkerLost, match="did not answer in time"):
        _ended(late)
    monkeypatch.setattr(stuck.process, "kill", kill)
    kill()
    ask.join(60)
    assert not ask.is_alive()


def _ask(worker: JavaWorker) -> None:
    with pytest.raises(InfrastructureError):
        worker.ask("X", frames.Writer(), 0.1)


def _ended(worker: JavaWorker) -> None:
    """Ends it by ourselves where nobody does."""
    timer = threading.Timer(20, worker.process.kill)
    timer.start()
    try:
        worker.ask("X", frames.Writer(), 0.1)
    finally:
        timer.cancel()
