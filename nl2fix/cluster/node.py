"""What a node keeps between tasks, and what it does: prepare a problem, judge a slice.

A node needs this package, a sandbox, the tools of the problem's language, and the store. It judges only
what it would judge exactly as the machine that asks (``Validator.identity``); the first difference ends
its service with one line that names it.
"""

from __future__ import annotations

import importlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from nl2fix.cluster.settings import of
from nl2fix.cluster.shelf import Shelf
from nl2fix.cluster.store import SharedStore
from nl2fix.core.cache import VerdictCache
from nl2fix.core.config import Environment
from nl2fix.core.engine import Judging, judge
from nl2fix.core.errors import DataError, Nl2fixError, UsageError
from nl2fix.core.files import stamp
from nl2fix.core.protocols import Carried, Made, Returned, Slice, Suite, Validator, Verdicts
from nl2fix.core.records import EMPTY, Problem, Verdict, fingerprint
from nl2fix.sandboxes.choose import choose

MakeSuite = Callable[[Environment], Suite]
Found = tuple[Path, tuple[Path, ...], Verdicts]
"""A problem's files: what holds them, what may be seen together, and where verdicts on them are kept."""


class Unfit(Nl2fixError):
    """This node must not go on: a sandbox, tool, store or disk fails it, or its verdicts would differ."""


class Unseen(Nl2fixError):
    """A node does not see a problem's files as who asks does, or they were written meanwhile."""


class Lost(Nl2fixError):
    """A process of this node ended with what it worked on, which may be tried again."""


class Closing(Protocol):
    """What serves a run in one process of a cluster."""

    places: int
    """Tasks that it is sent at once, at most."""
    identity: Mapping[str, str]
    """What results depend on as it is here, which who asks cannot know; the first node is right."""

    def close(self) -> None:
        """Let go of all it has."""
        ...


class Serves(Protocol):
    """What a node is told once: the work it serves. Sent to every node, also to those that join later."""

    def node(self, threads: int) -> Closing:
        """What serves there; raises ``Unfit`` where nothing can."""
        ...


@dataclass(frozen=True)
class Service:
    """Preparing and judging: satisfies ``Serves``."""

    make_suite: MakeSuite
    """By reference; called only for what cannot be carried."""
    tables: Mapping[str, Mapping[str, object]]
    """Settings of rooms, as in ``Environment``."""
    store: str
    """Folder or URL that all nodes reach."""

    def node(self, threads: int) -> Node:
        return Node(self, threads)


class Parcel(NamedTuple):
    """Files of a prepared problem, or of anything else, in the store."""

    sha256: str
    parts: tuple[str, ...]


class Place(NamedTuple):
    """A prepared problem where it lies with who asks, to be judged there by who sees the same disk."""

    carried: Carried
    stamp: str
    """``core.files.stamp`` of it."""
    tools: Parcel | None
    """In the store."""
    sha256: str = ""
    """Its name in the store, for who does not see it; empty: it is not there yet."""

    def seen(self) -> bool:
        """Whether it is on this disk, and nothing in it was written since."""
        carried = self.carried
        try:
            return stamp(carried.anchor, carried.parts, carried.together) == self.stamp
        except OSError:
            return False


class _Later:
    """A verdict cache that is written to once it is known that nothing was wrong."""

    def __init__(self, cache: VerdictCache) -> None:
        self._cache = cache
        self._kept: dict[str, dict[str, Verdict]] = {}

    def get(self, fingerprint: str, candidate: str) -> Verdict | None:
        return self._cache.get(fingerprint, candidate)

    def put(self, fingerprint: str, verdicts: Mapping[str, Verdict]) -> None:
        self._kept.setdefault(fingerprint, {}).update(verdicts)

    def write(self) -> None:
        """Keep them all."""
        for kept_under, verdicts in self._kept.items():
            self._cache.put(kept_under, verdicts)


class Node:
    """Thread-safe; each process of a machine has its own, and they share the folder of its cache."""

    identity: Mapping[str, str] = EMPTY

    def __init__(self, service: Service, threads: int) -> None:
        """Raises ``Unfit`` where nothing can be judged."""
        self._service, self.places = service, threads
        try:
            folder = node_folder()
            self._environment = Environment(cache=folder, jobs=threads, tables=service.tables)
            self._store = SharedStore(service.store)
            self._store.check()
            choose(self._environment).close()
            most = of(self._environment).cache_mb
            self._shelves = {name: Shelf(folder / "shelf" / name, most) for name in ("together", "apart")}
            self._cache = VerdictCache(folder / "verdicts.sqlite")
        except (Nl2fixError, OSError) as error:
            raise Unfit(line(error)) from error
        self._lock = threading.Lock()
        self._validators: dict[tuple[Path, ...], Validator] = {}
        self._places: dict[str, Path] = {}

    def judge(self, task: Slice, place: Place | None) -> Returned:
        """Verdicts on a slice.

        Raises ``Unfit`` where they would not be those of who asks, ``Unseen`` where its files must be stored.
        """
        try:
            with self._ready(task.problem, place) as (validator, cache):
                check_same(validator.identity(task.problem), task.identity)
                work = [(task.problem, task.candidates)]
                sink = judge(work, Judging(validator, cache, 1), lambda *_: None)
        except (OSError, DataError, UsageError) as error:
            raise Unfit(line(error)) from error
        verdicts = sink.verdicts(task.problem.id)
        self._store.keep_verdicts(fingerprint(task.identity), verdicts)
        return Returned(verdicts, {failure.candidate: failure.message for failure in sink.failures()})

    def prepare(self, problem: Problem) -> Parcel | str:
        """Prepare a problem and put its files into the store, or say why that cannot be."""
        try:
            suite = self._service.make_suite(self._environment)
            if not isinstance(suite, Made):
                return f"suite {suite.name} prepares on one machine only"
            if error := suite.prepare([problem], 1, lambda *_: None).get(problem.id):
                return error
            paths = suite.made([problem]).get(problem.id)
            if paths is None:
                return f"suite {suite.name} prepared it and made no files"
            cache = self._environment.cache
            parts = tuple(sorted(str(path.relative_to(cache)) for path in paths))
            return Parcel(self._store.keep(cache, parts), parts)
        except (Nl2fixError, OSError, ValueError) as error:
            return line(error)

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            validators, self._validators = list(self._validators.values()), {}
        for validator in validators:
            validator.close()
        self._cache.close()

    @contextmanager
    def _ready(self, problem: Problem, place: Place | None) -> Iterator[tuple[Validator, Verdicts]]:
        """A validator with everything the problem needs in place, and where its verdicts are kept."""
        if place is None:
            yield self._validator((), self._made), self._cache
            return
        if place.tools is not None:
            self._store.lay(*place.tools, self._environment.cache)
        with self._seen(place) if place.seen() else self._fetched(place) as (folder, folders, cache):
            with self._lock:
                self._places[problem.id] = folder / place.carried.main
            yield self._validator(folders, lambda: self._opened(place.carried, folders)), cache

    @contextmanager
    def _seen(self, place: Place) -> Iterator[Found]:
        """Files where they lie; raises ``Unseen`` where they were written, and keeps no verdict then."""
        cache = _Later(self._cache)
        try:
            yield place.carried.anchor, place.carried.together, cache
        finally:
            if not place.seen():
                raise Unseen("its files were written while it was judged")
        cache.write()

    @contextmanager
    def _fetched(self, place: Place) -> Iterator[Found]:
        """Files from the store."""
        if not place.sha256:
            raise Unseen("its files are on another disk")
        shelf = self._shelves["together" if place.carried.shares else "apart"]
        with shelf.held(place.sha256, partial(self._store.fetch, place.sha256)) as folder:
            yield folder, (shelf.folder,), self._cache

    def _validator(self, folders: tuple[Path, ...], make: Callable[[], Validator]) -> Validator:
        with self._lock:
            if folders not in self._validators:
                self._validators[folders] = make()
            return self._validators[folders]

    def _opened(self, carried: Carried, folders: tuple[Path, ...]) -> Validator:
        module, _, name = carried.opener.partition(":")
        opened: Validator = getattr(importlib.import_module(module), name)(
            self._environment, folders, carried.shares, lambda problem: self._places[problem.id]
        )
        return opened

    def _made(self) -> Validator:
        return self._service.make_suite(self._environment).validator()


def check_same(mine: Mapping[str, str], theirs: Mapping[str, str]) -> None:
    """Raise ``Unfit``, naming the first aspect in which this node is not as who asks."""
    for aspect in sorted({*mine, *theirs}):
        here, there = mine.get(aspect, "none"), theirs.get(aspect, "none")
        if here != there:
            raise Unfit(f"its {aspect} is {here}, not {there}")


def node_folder() -> Path:
    """Where this machine keeps what its tasks need; all its processes share it. On a disk of its own.

    ``$NL2FIX_NODE`` names another one. Raises ``Unfit`` where it is somebody else's.
    """
    named = os.environ.get("NL2FIX_NODE") or f"{tempfile.gettempdir()}/nl2fix-node-{os.getuid()}"
    folder = Path(named).absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise Unfit(f"{folder} is another user's; name another folder by NL2FIX_NODE")
    return folder


def line(error: Exception) -> str:
    """What an error says, on one line."""
    text = (
        f"{error.strerror}: {error.filename}" if isinstance(error, OSError) and error.strerror else str(error)
    )
    return " ".join((text or type(error).__name__).split())
