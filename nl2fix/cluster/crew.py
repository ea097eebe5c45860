"""The side that asks: a connection to a Dask cluster whose nodes prepare problems and judge slices.

Dask places tasks, notices lost processes and runs their tasks again elsewhere. Here is only what it
cannot know: how many tasks are under way at most (``WINDOW``), that a task of an unfit node goes to
another, and what the user is told.
"""

from __future__ import annotations

import json
import queue
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from nl2fix import __version__
from nl2fix.cluster.node import Lost, MakeSuite, Parcel, Place, Serves, Service, Unfit, Unseen, line
from nl2fix.cluster.settings import of
from nl2fix.cluster.store import SharedStore
from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.files import stamp
from nl2fix.core.protocols import Carrying, Progress, Returned, Slice, Validator
from nl2fix.core.records import Problem, sha256_text

if TYPE_CHECKING:
    from distributed import Client, Future

    from nl2fix.cluster.service import Done, Serving

WINDOW = 2
"""Tasks under way for each that can be worked on at once, so that no node waits for the next one."""
LOST = 3
"""Times a task is sent anew when Dask gives it up because every process that had it was lost."""
TELL = 30.0
"""Seconds between two lines on what each node does."""
_CONNECT = 10.0
_FIRST = 120.0
"""Seconds until the first node must be there."""
_LOOK = 2.0
_GATHER = 10.0
"""Seconds to fetch what a node says is done."""
_TRIES = 5

Say = Callable[[str], None]
N = TypeVar("N", bound="Nodes")
T = TypeVar("T")


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


@contextmanager
def serving(nodes: N) -> Iterator[N]:
    """The nodes, opened and in the end let go."""
    try:
        nodes.open()
        yield nodes
    finally:
        nodes.close()


def run_of(name: str) -> str:
    """What tells commands on one cluster apart."""
    return f"nl2fix-{sha256_text(name)[:12]}"


class NoneFit(UsageError):
    """No node of a cluster can do what is asked."""


class Nodes:
    """Nodes that serve one run."""

    can = "work on this"
    """What the user is told that a node cannot."""
    unfit = "is left out"
    window = WINDOW
    again = "run the same command again"

    def __init__(self, client: Client, service: Serves, run: str, say: Say, patience: float) -> None:
        """``patience`` is how many seconds a run waits once no node is left that is fit."""
        self.client, self.run, self.say = client, run, say
        self._patience = patience
        self._service = service
        self._opening = secrets.token_hex(8)
        self._changed = threading.Condition()
        self._told_fit: dict[str, int] = {}
        self._addresses: dict[str, str] = {}
        self.identity: Mapping[str, str] | None = None
        """Of the first node that is fit."""
        self._alive: set[str] = set()
        self._unfit: dict[str, str] = {}
        self._looked = 0.0
        self._seen = -1.0
        """When a node that can judge was last there."""
        self._there = False
        """Whether one was at the last look."""

    def open(self) -> None:
        """Have all nodes, and those that join later, serve; raises where none can."""
        from nl2fix.cluster.service import Serving

        self.client.subscribe_topic(self.run, self._told)
        self._serve(Serving(self.run, self._service, __version__, self._opening))
        deadline = time.monotonic() + min(_FIRST, self._patience)
        while not self._fit:
            alive = self._look()
            self._listen()
            with self._changed:
                told = bool(self._fit) or self._changed.wait(_LOOK)
                if alive and alive <= self._unfit.keys() and not self._fit:
                    raise NoneFit(f"no node of the cluster can {self.can} (first: {self._reason()})")
            if not told and time.monotonic() > deadline:
                raise InfrastructureError("the cluster has no node; start some with `dask worker`")
        self._there = True
        self._listen()
        self.say(f"cluster: {self._count()}; dashboard {self.client.dashboard_link}")

    def _listen(self) -> None:
        """What nodes told before the scheduler knew that somebody listens, or just now."""
        for event in self.client.get_events(self.run):
            self._told(event)

    def _serve(self, plugin: Serving) -> None:
        """Send it to all nodes; again where one of them dies meanwhile."""
        for left in reversed(range(_TRIES)):
            try:
                self.client.register_plugin(plugin, self.run)
                return
            except OSError as error:
                if not left:
                    raise InfrastructureError(f"the cluster does not listen: {error}") from error

    def close(self) -> None:
        """Let the nodes go."""
        with suppress(Exception):
            self.client.unregister_worker_plugin(self.run)
        self.client.close()

    @property
    def threads(self) -> int:
        """Tasks that can be worked on at once now."""
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        return max(1, sum(self._fit.values()))

    @property
    def _fit(self) -> dict[str, int]:
        """Nodes that can judge, with their threads."""
        return {name: count for name, count in self._told_fit.items() if name in self._alive}

    def _look(self) -> set[str]:
        """See which nodes are there. The scheduler is asked with no lock held: its answers come by a thread
        that tells what nodes say, too."""
        self._looked = time.monotonic()
        alive = {str(about["name"]) for about in self._workers().values()}
        with self._changed:
            self._alive = alive
            left = self._there and not self._fit
            self._there = bool(self._fit)
            self._seen = self._looked if self._there else self._seen
        if left:
            self.say(f"cluster: no node is left; waiting {self._patience:.0f} s for one")
        return alive

    def bear(self, since: float) -> None:
        """Have somebody who waits since then go on; raises where no node could judge for too long."""
        self._look()
        if self._looked - max(since, self._seen) > self._patience:
            first = f" (first of those left out: {self._reason()})" if self._unfit else ""
            raise InfrastructureError(
                f"no node of the cluster was there for {self._patience:.0f} s{first}; {self.again}"
            )

    def submit(self, function: Callable[..., Any], *arguments: Any, label: str, **where: Any) -> Future[Any]:
        """Have a fit node work on something; which one is Dask's choice unless told ``where``."""
        key = f"{label}-{self.run}-{sha256_text(str(time.monotonic_ns()))[:16]}"
        where = where or {"resources": {self.run: 1}}
        return self.client.submit(function, self.run, *arguments, key=key, pure=False, retries=0, **where)

    def stranded(self, keys: Iterable[str]) -> set[str]:
        """Which of these tasks no node has that serves this run, while there is one: Dask leaves them there.

        It neither takes tasks off a node that offers nothing more nor, when a node makes its first offer,
        looks at those that nobody could take before. What was sent or came back just now may be among them.
        """
        sent = self.client.processing()
        serving = [address for address, about in self._workers().items() if about["resources"].get(self.run)]
        held = {str(key) for address in serving for key in sent.get(address, ())}
        return {key for key in keys if key not in held} if serving else set()

    def _workers(self) -> dict[str, Any]:
        try:
            # Not by scheduler_info(): the client renews that in the background, too, without any workers.
            scheduler: Any = self.client.scheduler
            return dict(self.client.sync(scheduler.identity, n_workers=-1)["workers"])
        except (OSError, AttributeError) as error:  # a client that is closed has no scheduler
            raise self.gone() from error

    def gone(self) -> InfrastructureError:
        """What is raised where the scheduler does not answer."""
        return InfrastructureError(f"the cluster's scheduler is gone; {self.again}")

    def _told(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """What a node says of itself."""
        _, message = event
        if message["opening"] != self._opening:
            return
        name = message["node"]
        with self._changed:
            if "fit" in message:
                self._told_fit[name] = message["fit"]
                self._addresses[name] = message["address"]
                if self.identity is None:
                    self.identity = message["identity"]
                self._alive.add(name)
                self._unfit.pop(name, None)
            elif self._unfit.get(name) != message["unfit"]:
                self._told_fit.pop(name, None)
                self._unfit[name] = message["unfit"]
                self.say(f"cluster: {name} {self.unfit}: {message['unfit']}")
            self._changed.notify_all()

    def _count(self) -> str:
        threads = sum(self._fit.values())
        return f"{len(self._fit)} node{'s' * (len(self._fit) != 1)} of {threads} threads"

    def _reason(self) -> str:
        return "{}: {}".format(*next(iter(self._unfit.items())))


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
                future = finished.get(timeout=_LOOK)
            except queue.Empty:
                self.bear(since)
                before, doubted = doubted, self.stranded(str(future.key) for future in left)
                given_up = [future for future in left if future.key in doubted & before]
                if given_up:
                    self.client.cancel(given_up, force=True)
            else:
                left.remove(future)
                yield future


class Errand(NamedTuple):
    """A task for any node that serves the run."""

    function: Callable[..., Done]
    arguments: tuple[Any, ...]
    label: str
    what: str
    """As the user is told of it."""
    back: Callable[[Done], None]
    given_up: Callable[[str], None]
    """Called with the reason when it was lost again and again."""
    unseen: Callable[[], Errand] | None = None
    """What is done in its stead where a node does not see files as they are here."""


class Errands:
    """Tasks under way: not too many at once, and each sent anew until it is done."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._changed = threading.Condition()
        self._under_way: dict[Future[Any], tuple[Errand, int]] = {}
        self._doubted: set[str] = set()
        self._finished: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        self._stopped = False
        self._error: BaseException | None = None
        self._collector = threading.Thread(target=self._collect, name="cluster", daemon=True)
        self._collector.start()

    def hand_out(self, errand: Errand) -> None:
        """Have it done; waits while enough is under way, and raises what ended the work.

        What came of it is told one call at a time, in a thread of its own.
        """
        self.until(lambda: len(self._under_way) < self._nodes.window * self._nodes.threads)
        self._send(errand, 0)

    def wait(self) -> None:
        """Until everything has come back; raises what ended the work."""
        self.until(lambda: not self._under_way)

    def until(self, ready: Callable[[], bool]) -> None:
        """Wait for tasks to come back; raises what broke, or when nobody is left who could do them."""
        since = time.monotonic()
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._stopped or ready(), _LOOK):
                    self._check()
                    return
            self._nodes.bear(since)
            self._free()

    def _free(self) -> None:
        """Send anew what no node has that serves this run, now and when it was looked before."""
        with self._changed:
            keys = [str(future.key) for future in self._under_way]
        before, self._doubted = self._doubted, self._nodes.stranded(keys)
        with self._changed:
            futures = [future for future in self._under_way if future.key in before & self._doubted]
            tasks = [self._under_way.pop(future) for future in futures]
        if futures:
            self._nodes.client.cancel(futures, force=True)
        for errand, lost in tasks:
            self._send(errand, lost)

    def stop(self) -> None:
        """Take back what is under way; who waits is let go."""
        with self._changed:
            self._stopped = True
            under_way, self._under_way = list(self._under_way), {}
            self._changed.notify_all()
        self._finished.put(None)
        if under_way:
            with suppress(Exception):  # the scheduler may be what is gone
                self._nodes.client.cancel(under_way, force=True)

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _send(self, errand: Errand, lost: int) -> None:
        future = self._nodes.submit(errand.function, *errand.arguments, label=errand.label)
        with self._changed:
            self._under_way[future] = (errand, lost)
        future.add_done_callback(self._finished.put)

    def _collect(self) -> None:
        """Hand on what comes back, one task at a time."""
        while (future := self._finished.get()) is not None:
            try:
                self._take(future)
            except BaseException as error:  # noqa: BLE001 - raised where tasks are handed out
                with self._changed:
                    self._error = self._error or error
                    self._stopped = True
                    self._changed.notify_all()

    def _take(self, future: Future[Any]) -> None:
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        with self._changed:
            if future not in self._under_way:
                return
            errand, lost = self._under_way[future]
        try:
            done = future.result(timeout=_GATHER)
        except Unfit:
            self._send(errand, lost)
        except Unseen:
            assert errand.unseen is not None
            self._send(errand.unseen(), lost)
        except TimeoutError:  # its node died with it, so it is done again
            future.add_done_callback(self._finished.put)
            return
        except (CancelledError, OSError) as error:
            if future not in self._under_way:  # freed meanwhile
                return
            raise self._nodes.gone() from error
        except (KilledWorker, Lost) as error:
            whom = error if isinstance(error, Lost) else getattr(error.last_worker, "name", "?")
            self._nodes.say(f"cluster: {errand.what} was lost with {whom}, sent again")
            if lost < LOST:
                self._send(errand, lost + 1)
            else:
                errand.given_up(f"{LOST + 1} times, all processes that had it were lost")
        else:
            errand.back(done)
        with self._changed:
            self._under_way.pop(future, None)
            self._changed.notify_all()


def streamed(
    nodes: Nodes, work: Iterable[T], errand: Callable[[T, Callable[[Done], None]], Errand]
) -> Generator[tuple[T, Done]]:
    """Each piece of work with what came of it, as it comes; no more is taken from ``work`` than is under way.

    Closing it takes back what is under way.
    """
    results: queue.SimpleQueue[tuple[T, Done]] = queue.SimpleQueue()
    errands, left = Errands(nodes), 0
    try:
        for piece in work:
            errands.hand_out(errand(piece, partial(_put, results, piece)))
            left += 1
            while not results.empty():
                left -= 1
                yield results.get()
        while left:
            errands.until(lambda: not results.empty())
            left -= 1
            yield results.get()
    finally:
        errands.stop()


def _put(results: queue.SimpleQueue[tuple[T, Done]], piece: T, done: Done) -> None:
    results.put((piece, done))


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


class Shares:
    """What each node does, told now and then."""

    def __init__(self, what: str, say: Say) -> None:
        self._what, self._say = what, say
        self._judged: Counter[str] = Counter()
        self._busy: Counter[str] = Counter()
        self._told = time.monotonic()

    def add(self, node: str, count: int, seconds: float) -> None:
        self._judged[node] += count
        self._busy[node] += seconds  # type: ignore[assignment]
        if time.monotonic() - self._told >= TELL:
            self.tell()

    def tell(self) -> None:
        self._told = time.monotonic()
        rows = [(node, count, count / max(self._busy[node], 1e-3)) for node, count in self._judged.items()]
        if rows:
            listed = ", ".join(f"{node} {count} ({rate:.1f}/s)" for node, count, rate in sorted(rows))
            self._say(f"cluster: {self._what} by {listed}")


def client_of(address: str) -> Client:
    """A connection to the scheduler there; raises ``UsageError`` where there is none."""
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(f"--cluster needs Dask ({error}); install nl2fix[cluster]") from error
    try:
        at = _scheduler(address)
        return Client(at, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        line = " ".join(str(error).split())
        raise UsageError(f"no cluster at {address} ({line}); start one with `dask scheduler`") from error


def _scheduler(address: str) -> str:
    """The address of a scheduler or of the one whose file that is; ``ValueError`` where it is none.

    A client that is given nonsense leaves threads behind that end in a traceback.
    """
    from distributed.comm.addressing import get_address_host_port

    file = Path(address)
    if file.is_file():
        told = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(told, dict) or not isinstance(told.get("address"), str):
            raise ValueError("the file names no scheduler")
        address = told["address"]
    get_address_host_port(address)
    return address
