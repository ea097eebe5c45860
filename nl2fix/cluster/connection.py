"""A connection to a Dask cluster whose nodes serve one run.

Dask places tasks, notices lost processes and runs their tasks again elsewhere. Here is only what it
cannot know: that a task of an unfit node goes to another, and what the user is told.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nl2fix import __version__
from nl2fix.cluster.node import Serves
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.records import sha256_text

if TYPE_CHECKING:
    from distributed import Client, Future

    from nl2fix.cluster.service import Serving

WINDOW = 2
"""Tasks under way for each that can be worked on at once, so that no node waits for the next one."""
TELL = 30.0
"""Seconds between two lines on what each node does."""
LOOK = 2.0
"""Seconds between two looks at which nodes are there."""
_CONNECT = 10.0
_FIRST = 120.0
"""Seconds until the first node must be there."""
_TRIES = 5

Say = Callable[[str], None]
N = TypeVar("N", bound="Nodes")


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
                told = bool(self._fit) or self._changed.wait(LOOK)
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
        if time.monotonic() - self._looked > LOOK:
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
