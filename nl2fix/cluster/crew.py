"""The side that asks: nodes of a cluster that prepare problems and judge slices of candidates."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nl2fix.cluster.connection import LOOK, Nodes, Say, Shares, client_of, run_of, serving
from nl2fix.cluster.errands import Errand, Errands
from nl2fix.cluster.node import MakeSuite, Parcel, Place, Service, line
from nl2fix.cluster.settings import of
from nl2fix.cluster.store import SharedStore
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError
from nl2fix.core.files import stamp
from nl2fix.core.protocols import Carrying, Progress, Returned, Slice, Validator
from nl2fix.core.records import Problem

if TYPE_CHECKING:
    from distributed import Client, Future

    from nl2fix.cluster.service import Done


def opened(
    environment: Environment, make_suite: MakeSuite, name: str, say: Say
) -> AbstractContextManager[Cluster]:
    """The cluster that the settings name; ``name`` tells runs on it apart, ``say`` the user.

    Raises ``UsageError`` where there is none, or none of its nodes can judge.
    """
    settings = of(environment)
    store = settings.store or str(environment.cache / "cluster")
    tables = {key: dict(table) for key, table in environment.tables.items()}
    service = Service(make_suite, tables, store)
    return serving(Cluster(client_of(settings.address), service, run_of(name), say, settings.patience))


class Cluster(Nodes):
    """Nodes that judge."""

    can = "judge"
    again = "what was judged is stored, so run the same command again"

    def __init__(self, client: Client, service: Service, run: str, say: Say, patience: float) -> None:
        super().__init__(client, service, run, say, patience)
        self.store = SharedStore(service.store)

    def open(self) -> None:
        self.store.check()
        super().open()

    def crew(self, validator: Validator) -> ClusterCrew:
        """Judges for the problems of a validator."""
        return ClusterCrew(self, validator)

    def prepare(self, problems: Sequence[Problem], cache: Path, progress: Progress) -> None:
        """Have problems prepared elsewhere and their files laid into ``cache``; told are those that fail."""
        from nl2fix.cluster import service

        waiting = {self.submit(service.prepare, p, label=f"prepare-{p.id}"): p.id for p in problems}
        for done, future in enumerate(self._as_completed(waiting), 1):
            problem = waiting[future]
            try:
                made = future.result().result
            except Exception as error:  # noqa: BLE001 - whatever broke there: it is prepared here
                made = " ".join(f"{type(error).__name__}: {error}".split())
            if isinstance(made, Parcel):
                self.store.lay(*made, cache)
            else:
                self.say(f"cluster: {problem} is not prepared there: {made}")
            progress(done, len(problems), problem)

    def _as_completed(self, futures: Iterable[Future[Any]]) -> Iterator[Future[Any]]:
        """Each when it is done, or cancelled as it lies on a node that no longer serves this run."""
        left = set(futures)
        finished: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        for future in left:
            future.add_done_callback(finished.put)
        since, doubted = time.monotonic(), set[str]()
        while left:
            try:
                future = finished.get(timeout=LOOK)
            except queue.Empty:
                self.bear(since)
                before, doubted = doubted, self.stranded(str(future.key) for future in left)
                given_up = [future for future in left if future.key in doubted & before]
                if given_up:
                    self.client.cancel(given_up, force=True)
            else:
                left.remove(future)
                yield future


class ClusterCrew:
    """Satisfies ``core.protocols.Crew`` for the problems of one validator."""

    def __init__(self, cluster: Cluster, validator: Validator) -> None:
        self._cluster, self._validator = cluster, validator
        self._turn = threading.Lock()
        self._places: dict[str, Place | None] = {}
        self._tools: dict[tuple[str, ...], Parcel] = {}
        self._far = False
        """Whether some node does not see files as they are here."""
        self._errands = Errands(cluster)
        self._progress = Shares("judged", cluster.say)

    @property
    def judges(self) -> int:
        return self._cluster.threads

    def hand_out(self, task: Slice, back: Callable[[Returned], None]) -> None:
        self._errands.hand_out(self._errand(task, back))

    def _errand(self, task: Slice, back: Callable[[Returned], None]) -> Errand:
        from nl2fix.cluster import service

        def judged(done: Done) -> None:
            back(done.result)
            self._progress.add(done.node, len(task.candidates), done.seconds)

        def given_up(reason: str) -> None:
            back(Returned({}, {candidate.key: reason for candidate in task.candidates}))

        def unseen() -> Errand:
            self._far = True
            return self._errand(task, back)

        name = task.problem.id
        asked, what = (task, self._place(task.problem)), f"a slice of {name}"
        return Errand(service.judge, asked, f"judge-{name}", what, judged, given_up, unseen)

    def wait(self) -> None:
        self._errands.wait()

    def stop(self) -> None:
        self._errands.stop()
        self._progress.tell()

    def _place(self, problem: Problem) -> Place | None:
        """The problem's files, in the store once needed there; ``None`` where nodes make it ready."""
        try:
            with self._turn:
                if problem.id not in self._places:
                    self._places[problem.id] = self._found(problem)
                place, store = self._places[problem.id], self._cluster.store
                if place is not None and self._far and not place.sha256:
                    sha256 = store.keep(place.carried.anchor, place.carried.parts)
                    place = self._places[problem.id] = place._replace(sha256=sha256)
                return place
        except OSError as error:
            gone = f"what was prepared of {problem.id} cannot be read ({line(error)})"
            raise InfrastructureError(f"{gone}; {self._cluster.again}") from error

    def _found(self, problem: Problem) -> Place | None:
        if not isinstance(self._validator, Carrying):
            return None
        carried = self._validator.carried(problem)
        written = stamp(carried.anchor, carried.parts, carried.together)
        return Place(carried, written, self._made(carried.cache, carried.tools))

    def _made(self, cache: Path, tools: tuple[str, ...]) -> Parcel | None:
        if tools and tools not in self._tools:
            self._tools[tools] = Parcel(self._cluster.store.keep(cache, tools), tools)
        return self._tools.get(tools)
