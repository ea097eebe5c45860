"""One worker process: how it is started, asked and ended. Not thread-safe: one request at a time."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.sandbox import MOST_WAITING, Launch, Limits, Process, Sandbox
from nl2fix.validation.calls.heard import SHARE, Heard
from nl2fix.validation.jvm import frames
from nl2fix.validation.jvm.alone import Turn
from nl2fix.validation.jvm.program import MAIN

HEAP_SHARE = 0.5
"""Part of a worker's memory that the Java heap may take; classes, code and stacks need the rest."""
FLAGS = (
    "-Xshare:auto",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-Xss2m",
)
"""JVM flags of every worker: what starts fastest and costs least over a life of seconds.

Code that is compiled in one step only has frames of up to twice the size, so stacks are twice as large, too.
"""
_THREADS = 2048
"""Most threads of a worker: on a busy machine hundreds that have ended still wait for a processor to go."""
_UNVERIFIED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
_ASIDE = re.compile(r"Archived non-system classes are disabled|^WARNING: ")
"""What JVMs say on standard error of a system class loader and of what will go, which ends none."""
_LOADER = "-Djava.system.class.loader=nl2fix.jvm.SystemLoader"
# The channel moves to descriptors of its own, so that nothing printed by code under test can reach it.
_SHELL = 'exec 3<&0 4>&1 </dev/null >/dev/null; exec "$@"'
_CHANNEL = ("/dev/fd/3", "/dev/fd/4")
_DEFAULTS = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "_": "/usr/bin/java"}
"""``_`` is there wherever a shell started the build, and a test may read it by mistake."""
_OPEN_SECONDS = 120.0
_OUT_OF_TIME, _LATE = 2, 3
_COMPILE = "C"
"""Asked only of workers that never run code under test: its answer's nonce may come with the request."""
_DYING_SECONDS = 5.0
_TICK = 0.25
_FIRST_SIGN = 4.0
"""Seconds until a worker that runs tests has told of the first one."""
_SILENCE = 2.5
"""Seconds between two signs of life, which come twice a second from a thread that runs no tests."""
_PATIENT = 4.0
"""How much longer a worker may be silent that runs alone: only a stopped one is silent then."""
_KILLED = {-9, -15, 128 + 9, 128 + 15}


class WorkerLost(InfrastructureError):
    """A worker ended, was ended for overrunning its time, or sent what is no answer."""

    def __init__(self, message: str, test: str, timed_out: bool, killed: bool, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.test = test
        """Id of the test that ran last, or of the class where none of it had begun."""
        self.timed_out = timed_out
        self.killed = killed
        """Whether a signal ended it that the system, or anybody outside, may have sent."""
        self.seconds = seconds
        """From what it was asked to its end, by the clock."""


@dataclass(frozen=True)
class Spec:
    """What a worker process is started with. Workspaces of equal specs can share a process."""

    jdk: Path
    compiles: bool = False
    """Whether it only compiles; such a worker never runs code under test."""
    verifies: bool = False
    """Whether classes are verified as they are loaded, which costs a third of a short test run."""
    jvm_arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    working_directory: Path = Path("/tmp")
    overlay: tuple[Path, ...] = ()
    read_only: tuple[Path, ...] = ()
    hosts: tuple[tuple[str, str], ...] = ()
    memory_mb: int = 2048


@dataclass(frozen=True)
class Classes:
    """A class path in three parts: project, tests, libraries."""

    project: tuple[str, ...]
    tests: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClassFile:
    """A compiled class; ``origin`` tells who has its name already: -1 none, 0 project, 1 tests, 2 library."""

    origin: int
    content: bytes
    source: str = ""
    """Path of what it was compiled from."""


class Fault(NamedTuple):
    """What the compiler refuses of a source."""

    message: str
    """The first error, ``line: message``."""
    places: tuple[int, ...]
    """Where each error is: offsets of characters; -1 where the compiler names no place."""


@dataclass(frozen=True)
class Build:
    """Outcome of a compilation."""

    compiled: bool
    message: str
    sha256: str
    classes: dict[str, ClassFile]
    seconds: float
    """By the clock, without what was waited for a processor."""
    warm: bool = False
    """Whether it shares what javac learned for earlier ones."""
    broken: dict[str, Fault] = field(default_factory=dict)
    """Source → what is wrong there."""


@dataclass(frozen=True)
class Item:
    """A test class to run: all of it, or some methods; isolated ones get a class loader of their own."""

    name: str
    methods: tuple[str, ...] = ()
    isolated: bool = False


@dataclass(frozen=True)
class Limit:
    """Seconds that tests may take. CPU time is that of the whole JVM; a busy machine does not use it up."""

    cpu: float
    wall: float
    more: float = 0.0
    """CPU seconds that are added where something else of ours has run meanwhile."""


@dataclass(frozen=True)
class Phase:
    """Items that share a time limit."""

    limit: Limit
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Plan:
    """What to run on an edit."""

    classes: dict[str, ClassFile]
    replaced: tuple[str, ...]
    """Classes that the unedited file defined."""
    folder: str
    """Where the edit's classes are also written as files; empty: nowhere."""
    tolerated: tuple[str, ...]
    """Ids of tests whose failures do not count."""
    stop: bool
    """Whether the first failure that counts ends the run."""
    phases: tuple[Phase, ...]
    wall: float
    """Seconds for all of it, after which a worker that does not answer is ended."""
    hear: int = 0
    """How many calls of tapped units to tell; see ``tapping``."""
    share: int = SHARE
    """A test may have one of so many that are left."""
    enough: float = 0.0
    """Seconds by the clock after which what still runs is out of time, whatever its own limit; 0: never."""
    brief: bool = False
    """Whether the first failure that counts ends its class, and those behind it run."""
    rest: bool = False
    """Whether the class of the failure that ends the run goes on to its end: all of its failures are told."""
    notice: bool = False
    """Whether to tell which lines of the project tests reach; for workers that do not verify."""
    prove: bool = False
    """Whether to look for loops of the edit that never end; for workers that do not verify."""


@dataclass(frozen=True)
class TestOutcome:
    """What became of a test: ``P`` passed, ``F`` failed, ``S`` skipped; ``C``: a class as a whole failed."""

    item: int
    id: str
    outcome: str
    seconds: float = -1.0
    """By the clock; negative where it did not end."""


class ReachedLine(NamedTuple):
    """A line of the project's code that was loaded."""

    source: str
    """Source file with the folders of its package."""
    line: int
    passed: int
    """Tests that passed and reached it."""


class OfClass(NamedTuple):
    """What a test class did while lines were noticed."""

    seconds: float
    sources: tuple[str, ...]
    """Source files that it reached, with the folders of their packages."""


class Reached(NamedTuple):
    """Lines of the project that tests reached."""

    tests: int = 0
    """That passed."""
    lines: tuple[ReachedLine, ...] = ()
    failed: Mapping[str, tuple[int, ...]] = {}
    """Id of each test that failed, or of a class that could make none → places among the lines."""
    objected: Mapping[str, int] = {}
    """Id of a failed test → place of the line at which the JVM or the JDK threw what it failed with."""
    unrun: int = 0
    """Test classes for which time was too short."""
    late: str = ""
    """The first of them, which may have taken it all."""
    why: str = ""
    """What the first failures say most often."""
    slow: str = ""
    """The test class that took more time than all tests may take that judge candidates."""
    barred: int = 0
    """Tests that failed where the program lacks something here, which are not among ``failed``."""
    bar: str = ""
    """The source file in which most of these met that."""
    said: Mapping[str, str] = {}
    """What the first of the tests that failed say, without frames, by id."""
    hung: tuple[str, ...] = ()
    """Those among ``failed`` that did not end by themselves."""
    items: tuple[tuple[int, ...], ...] = ()
    """Of each item of the plan: the place of a line of each source file that it reached."""
    ending: tuple[str, ...] = ()
    """Test classes that ended or blocked the JVM in which others ran, of which nothing is told."""
    called: Mapping[str, str] = {}
    """What failed tests are called when they run, by id, where that does not say it."""
    classes: Mapping[str, OfClass] = {}
    """Test class → what it took and reached, of those that ended."""


@dataclass(frozen=True)
class Report:
    """What happened to a plan."""

    timed_out: bool
    late: bool
    """Whether it was the wall clock that said so, for which a busy machine may be to blame."""
    phase: int
    running: str
    failure: str
    message: str
    output: str
    """All failures that count, as a build tells them; only the first ones of many."""
    worn: str
    """Why the worker cannot be used again; empty when it can."""
    endless: str
    """The loop, ``File.java:line``, that was seen never to end; empty where none was."""
    results: tuple[TestOutcome, ...]
    seconds: tuple[float, ...]
    """Of each finished item; where no failure ends the plan, without what was waited for a processor."""
    longer: bool = False
    """Whether a test was given more time."""
    heard: tuple[Heard, ...] = ()
    reached: Reached | None = None
    """Where the plan says to notice it."""
    took: float = 0.0
    """Seconds of all of it by the clock: of an item that was cut off ``seconds`` has none."""


@dataclass
class JavaWorker:
    """A started worker."""

    process: Process
    spec: Spec
    opened: Classes | None = None
    patient: bool = False
    """Whether it may be silent for long."""
    lives: Callable[[str], None] = field(default=lambda test: None, repr=False)
    """Called at each sign of life with the test that runs."""
    running: str = field(default="", init=False)
    _late: str = field(default="", init=False)
    _asked: float = field(default=0.0, init=False)
    _deadline: float = field(default=0.0, init=False)
    _spare: float = field(default=0.0, init=False)
    """Seconds that it may still be given for what tests wait for a processor."""
    _silent: int = field(default=0, init=False)
    """Ticks since the last sign of life."""
    _signs: int = field(default=0, init=False)
    _speaks: bool = field(default=False, init=False)
    _turn: Turn | None = field(default=None, init=False)
    _longer: bool = field(default=False, init=False)

    def open(self, classes: Classes) -> None:
        """Set the class path that later requests refer to."""
        if self.opened != classes:
            fields = frames.Writer().texts(classes.project).texts(classes.tests).texts(classes.libraries)
            self.ask("O", fields, _OPEN_SECONDS)
            self.opened = classes

    def compile(
        self,
        sources: dict[str, str],
        level: str,
        options: Sequence[str],
        hidden: Sequence[str] = (),
        *,
        warm: bool = False,
        partly: bool = False,
        seconds: float = 60.0,
    ) -> Build:
        """Compile sources (path → text) against project and libraries, without the ``hidden`` classes.

        A ``warm`` compilation, where the JDK has it, shares what javac learned for earlier ones of the
        same class path and hidden classes; what fails in it otherwise than by its syntax is compiled again
        separately. One that is wanted ``partly`` gives classes of what does compile, where the JDK can and no
        annotation processor runs.
        """
        fields = frames.Writer().text(level).texts(options).texts(hidden).flag(warm).flag(partly)
        fields.number(len(sources))
        for path, text in sources.items():
            fields.text(path).text(text.removeprefix("\ufeff"))  # a byte order mark, which javac refuses
        reply = self.ask(_COMPILE, fields, seconds)
        compiled, shares, message = reply.flag(), reply.flag(), reply.text()
        broken = dict(_fault(reply, sources) for _ in range(reply.number()))
        sha256 = reply.text()
        class_files = dict(_class_file(reply) for _ in range(reply.number()))
        return Build(compiled, message, sha256, class_files, reply.real(), shares, broken)

    def run(self, plan: Plan, again: bool = True, turn: Turn | None = None) -> Report:
        """Run a plan. The worker itself ends overlong phases; we end a worker that cannot.

        With ``again`` the state of the JVM is put back for the next plan. A ``turn`` that turns out not to
        be alone gives tests the time that their limits leave open.
        """
        self._turn, self._longer = turn, False
        fields = frames.Writer().number(len(plan.classes))
        for name, item in plan.classes.items():
            fields.text(name).blob(item.content)
        fields.texts(plan.replaced).text(plan.folder).texts(plan.tolerated)
        fields.flag(again).flag(plan.stop).flag(plan.brief).flag(plan.rest)
        fields.real(plan.enough).number(len(plan.phases))
        for phase in plan.phases:
            limit = phase.limit
            fields.real(limit.cpu).real(limit.more).real(limit.wall).number(len(phase.items))
            for test in phase.items:
                fields.text(test.name).texts(test.methods).flag(test.isolated)
        fields.flag(plan.hear > 0)
        if plan.hear:
            fields.number(plan.hear).number(plan.share)
        fields.flag(plan.notice).flag(plan.prove)
        reply = self.ask("R", fields, 10.0 + 1.2 * plan.wall, speaks=True)
        took = time.monotonic() - self._asked
        status, at = reply.number(), reply.number()
        told = (reply.text(), reply.text(), reply.text(), reply.text(), reply.text(), reply.text())
        results = tuple(
            TestOutcome(reply.number(), reply.text(), chr(reply.number()), reply.real())
            for _ in range(reply.number())
        )
        seconds = tuple(reply.real() for _ in range(reply.number()))
        heard = _heard(reply) if plan.hear else ()
        reached = _reached(reply) if plan.notice else None
        ended = (status >= _OUT_OF_TIME, status == _LATE, at)
        return Report(*ended, *told, results, seconds, self._longer, heard, reached, took)

    def close(self) -> None:
        """End the process; safe to call twice."""
        self.process.kill()

    def tick(self) -> None:
        """A moment has passed: end a worker that has used up its time or gives no sign of life."""
        self._silent += 1
        patience = (_SILENCE if self._signs else _FIRST_SIGN) * (_PATIENT if self.patient else 1.0)
        if self._speaks and self._silent * _TICK > patience:
            self._end("the worker gave no sign of life")
        elif time.monotonic() > self._deadline:
            self._end("the worker did not answer in time")

    def at_rest(self) -> None:
        """Nothing is asked: a tick on its way ends nothing."""
        self._speaks, self._deadline = False, float("inf")

    def ask(self, letter: str, fields: frames.Writer, seconds: float, speaks: bool = False) -> frames.Reader:
        """The answer to a request; raises ``WorkerLost`` where none comes in time.

        One that ``speaks`` gives signs of life until then.
        """
        self.running = self._late = ""
        self._asked = time.monotonic()
        self._deadline, self._spare = self._asked + seconds, MOST_WAITING * seconds
        self._silent = self._signs = 0
        self._speaks = speaks
        with _watch.over(self):
            try:
                if letter == _COMPILE:
                    self._send(fields.frame(letter, nonce := secrets.token_bytes(frames.NONCE)))
                    return self._proven(letter, nonce)
                self._send(fields.frame(letter))
                return self._answer(letter)
            except OSError as error:
                raise self._lost("") from error
            except ValueError as error:
                raise self._lost(str(error)) from error

    def _send(self, content: bytes) -> None:
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def _answer(self, letter: str) -> frames.Reader:
        """Signs of life and waiting, requests for time and for the nonce, then the answer that bears it."""
        while sign := frames.receive(self.process.stdout):
            kind, fields = sign
            self._silent, self._signs = 0, self._signs + 1
            if kind in "SH":
                self.running = fields.text() or self.running
                self.lives(self.running)
            elif kind == "W":
                waited = max(0.0, min(fields.real(), self._spare))
                self._deadline, self._spare = self._deadline + waited, self._spare - waited
            elif kind == "M":
                beside = self._turn is not None and not self._turn.alone()
                self._longer |= beside
                self._send(b"\1" if beside else b"\0")
            elif kind == "D":
                self._send(nonce := secrets.token_bytes(frames.NONCE))
                return self._proven(letter, nonce)
            else:
                raise frames.Malformed("a reply that nobody asked for")
        raise frames.Malformed("")

    def _proven(self, letter: str, nonce: bytes) -> frames.Reader:
        reply = frames.receive(self.process.stdout, nonce)
        if reply is None or reply[0] != letter:
            raise frames.Malformed(reply[1].text() if reply else "")
        return reply[1]

    def _end(self, why: str) -> None:
        self._late = why
        self.process.kill()

    def _lost(self, reason: str) -> WorkerLost:
        seconds = time.monotonic() - self._asked
        status = self._status(0.0 if self._late or reason else _DYING_SECONDS)
        self.process.kill()
        said = self.process.stderr_tail().strip().splitlines()
        tail = "\n".join(line for line in said if not _ASIDE.search(line))
        if self._late:
            what = self._late
        elif reason:  # whatever ended the process since
            what = f"the worker broke its channel ({reason})"
        else:
            what = f"the worker's JVM ended{'' if status is None else f' with status {status}'}"
        told = f"{what}: {tail[-300:]}" if tail else what
        killed = not (self._late or reason) and (status is None or status in _KILLED)
        return WorkerLost(told, self.running, bool(self._late), killed, seconds)

    def _status(self, patience: float) -> int | None:
        """Exit status; a process whose output has ended may take a moment to be gone."""
        deadline = time.monotonic() + patience
        while (status := self.process.poll()) is None and time.monotonic() < deadline:
            time.sleep(0.005)
        return status


def _heard(reply: frames.Reader) -> tuple[Heard, ...]:
    return tuple(
        Heard(reply.text(), reply.flag(), reply.text(), reply.text(), reply.text(), reply.text())
        for _ in range(reply.number())
    )


def _reached(reply: frames.Reader) -> Reached:
    tests = reply.number()
    lines = tuple(ReachedLine(reply.text(), reply.number(), reply.number()) for _ in range(reply.number()))
    failures = [(reply.text(), reply.numbers(), reply.number(), reply.text()) for _ in range(reply.number())]
    failed = {test: places for test, places, *_ in failures}
    objected = {test: place for test, _, place, _ in failures if 0 <= place < len(lines)}
    called = {test: name for test, *_, name in failures if name}
    items = tuple(reply.numbers() for _ in range(reply.number()))
    return Reached(tests, lines, failed, objected=objected, items=items, called=called)


def _class_file(reply: frames.Reader) -> tuple[str, ClassFile]:
    name, source = reply.text(), reply.text()
    return name, ClassFile(reply.number(), reply.blob(), source)


def _fault(reply: frames.Reader, sources: Mapping[str, str]) -> tuple[str, Fault]:
    path, message, places = reply.text(), reply.text(), reply.numbers()
    text = sources.get(path, "")
    return path, Fault(message, tuple(_place(text, place) for place in places))


def _place(text: str, unit: int) -> int:
    """Offset of the character at Java's offset, which counts UTF-16 and no byte order mark."""
    mark = len(text) - len(text.removeprefix("\ufeff"))
    if unit < 0 or text.isascii():
        return unit
    return mark + len(text[mark:].encode("utf-16-le")[: 2 * unit].decode("utf-16-le", "ignore"))


def worker_limits(memory_mb: int) -> Limits:
    """What a worker with so much memory may use."""
    return Limits(memory_mb=memory_mb, processes=_THREADS, cpus=2.0)


class _Watch:
    """One thread that ticks for all workers that are asked something."""

    def __init__(self) -> None:
        self._busy = threading.Condition()
        self._watched: list[JavaWorker] = []
        self._started = False

    @contextmanager
    def over(self, worker: JavaWorker) -> Iterator[None]:
        with self._busy:
            self._watched.append(worker)
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, name="nl2fix-watch", daemon=True).start()
            self._busy.notify()
        try:
            yield
        finally:
            with self._busy:
                self._watched = [other for other in self._watched if other is not worker]
                worker.at_rest()

    def _run(self) -> None:
        while True:
            with self._busy:
                self._busy.wait_for(lambda: self._watched)
                watched = self._watched.copy()
            for worker in watched:
                with suppress(InfrastructureError, OSError, ValueError):  # who does not die hinders nobody
                    worker.tick()
            time.sleep(_TICK)


_watch = _Watch()


def start(sandbox: Sandbox, spec: Spec, program: Path) -> JavaWorker:
    """Start a worker; raises ``InfrastructureError`` when the sandbox cannot."""
    heap = int(spec.memory_mb * HEAP_SHARE)
    flags = FLAGS if spec.verifies else (*FLAGS, *_UNVERIFIED)
    files = "apart" if sandbox.keeps_writes_apart else "shared"
    java = [str(spec.jdk / "bin" / "java"), *flags, f"-Xmx{heap}m", *spec.jvm_arguments]
    # What the archive exports, only the compiler needs; reading that costs a fifth of a JVM's start.
    run = ["-jar", str(program)] if spec.compiles else [_LOADER, "-cp", str(program), MAIN]
    command = ["/bin/sh", "-c", _SHELL, "sh", *java, *run, *_CHANNEL, files]
    launch = Launch(
        command,
        read_only=(program, *spec.read_only),
        overlay=spec.overlay,
        working_directory=spec.working_directory,
        environment={**_DEFAULTS, **dict(spec.environment)},
        hosts=dict(spec.hosts),
        limits=worker_limits(spec.memory_mb),
    )
    return JavaWorker(sandbox.start(launch), spec)
