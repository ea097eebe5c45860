"""Our end of the Python fork server: starts one in a sandbox and asks it about programs."""

from __future__ import annotations

import json
import secrets
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.process import printed
from nl2fix.sandboxes.sandbox import Launch, Limits, Runtime, Sandbox
from nl2fix.validation.python.programs import Calls, Listen, PythonProgram, Run, Script

INSIDE = Path(__file__).with_name("inside")
MODULES = (
    "frames",
    "shield",
    "watched_child",
    "cleaning",
    "outcome",
    "calls",
    "listening",
    "child",
    "server",
)
"""Modules of the server, each after those it imports."""
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "TZ": "UTC",
    # By this hypothesis draws the same inputs each time and sets no deadlines, while pytest prints as ever.
    "__TOX_ENVIRONMENT_VARIABLE_ORIGINAL_CI": "1",
    # Libraries that start a thread per core would do so in every child.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Each thread would reserve address space for an arena, which counts as memory, up to eight a core.
    "MALLOC_ARENA_MAX": "2",
}
WALL_FACTOR = 1.4
"""Seconds on the clock allowed per second of processor time; waiting for a processor does not count."""
START_SECONDS = 30.0
"""A server must be ready within this time."""
GRACE = 4.0
"""Seconds beyond a program's own limit before its server counts as lost: cleaning takes up to 2."""
LOADED = 20.0
"""How many times slower than idle a loaded machine may be before a server counts as lost."""
PROCESSES = 256
"""And threads: as many as the memory of a program has address space for."""
OVERHEAD_MB = 128
"""What the server and scratch files may take beside a program."""
_LARGEST = 8 << 20
_LOADER = """
import sys, types
package = {package!r}
for i in range(len(package.split("."))):
    name = ".".join(package.split(".")[: i + 1])
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = []
for name, text in {sources!r}:
    module = types.ModuleType(package + "." + name)
    sys.modules[module.__name__] = module
    setattr(sys.modules[package], name, module)
    exec(compile(text, "<" + name + ">", "exec"), module.__dict__)
module.main()
"""


class ForkServerLost(InfrastructureError):
    """The server ended, hung, or sent what is no answer."""

    def __init__(self, message: str, late: bool) -> None:
        super().__init__(message)
        self.late = late
        """Whether it was ended for overrunning its time."""


@dataclass(frozen=True)
class ProgramBounds:
    """Limits of one program."""

    seconds: float
    """Of processor time."""
    memory_mb: int


@dataclass(frozen=True)
class ProgramFiles:
    """What a child needs before any hidden file."""

    files: Mapping[str, str]
    edited: tuple[str, ...]
    """Paths of the edited files; the first is the one that is loaded."""
    run: Run | Calls | Listen
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hidden:
    """What comes when the edited file was loaded. ``mark`` is the name that notes challenged assertions."""

    tests: Mapping[str, str] = field(default_factory=dict)
    script: str = ""
    mark: str = ""
    calls: Mapping[str, Any] = field(default_factory=dict)
    """What ``inside.calls`` makes."""
    hear: Mapping[str, Any] = field(default_factory=dict)
    """What ``inside.listening`` hears, and of which tests: ``texts`` are paths, in order."""


def hidden_of(program: PythonProgram) -> Hidden:
    """The tests as their authors wrote them."""
    return Hidden(program.tests, program.run.text if isinstance(program.run, Script) else "")


Ask = Callable[[str], Hidden | None]


@dataclass(frozen=True)
class ProgramResult:
    """How a program ended; fields as in ``inside``."""

    outcome: str
    stage: str
    message: str
    seconds: float = 0.0
    """On the clock."""
    cpu: float = 0.0
    """Processor seconds it and its descendants used."""
    build_sha256: str | None = None
    build_seconds: float = 0.0
    ran: tuple[str, ...] = ()
    """Names of the tests that ran."""
    failed_test: str | None = None
    output: str = ""
    """The start of what was printed, where tests print."""
    marks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Site → how often its assertion failed, and how often it held."""
    seen: tuple[tuple[Any, ...], ...] = ()
    """Of each call that was begun: what became of it, digest, words, seconds; of each call of tests what
    ``Heard`` has, and one without values for each test that was stopped."""
    clean: bool = True
    """Whether the program left nothing behind that could not be undone."""


class ForkServer:
    """A fork server in a sandbox. Not thread-safe."""

    def __init__(self, sandbox: Sandbox, runtime: Runtime, memory_mb: int, libraries: bool) -> None:
        """Start it and wait until it is ready; ``InfrastructureError`` when it does not come up."""
        self.usable = True
        """Whether the last program ended by itself and left nothing behind."""
        isolated = [] if libraries else ["-S"]
        launch = Launch(
            command=[str(runtime.program), "-s", *isolated, "-c", server_text()],
            read_only=runtime.mounts,
            environment=ENVIRONMENT,
            limits=worker_limits(memory_mb),
        )
        self._process = sandbox.start(launch)
        self._nonce = secrets.token_hex(16)
        scratch = ["/tmp", "/dev/shm"] if sandbox.keeps_writes_apart else []
        self._send({"nonce": self._nonce, "path": [], "scratch": scratch})
        self._receive(START_SECONDS, "ready")

    def judge(
        self, task: ProgramFiles, bounds: ProgramBounds, tests: Ask, pristine: bool = False
    ) -> ProgramResult:
        """Run a program. ``tests`` is given the build's hash; ``None`` from it ends the run.

        ``pristine``: in a copy of the server that serves no other.
        """
        wall = bounds.seconds * WALL_FACTOR
        patience = wall * LOADED + GRACE
        started = time.monotonic()
        limits = {"cpu": bounds.seconds, "wall": wall, "memory_mb": bounds.memory_mb}
        self._send({**_plain(task), **limits, "pristine": pristine})
        answer = self._receive(patience)
        built, build_seconds = None, time.monotonic() - started
        if answer["event"] == "built":
            built = str(answer["sha256"])
            hidden = tests(built)
            self._send({} if hidden is None else {**vars(hidden), "tests": dict(hidden.tests)})
            answer = self._receive(patience, "end")
        self.usable = bool(answer["clean"]) and answer["outcome"] in _USUAL
        return _result(answer, built, build_seconds)

    def close(self) -> None:
        """End the server and all it started."""
        self.usable = False
        self._process.kill()

    def _send(self, value: Mapping[str, Any]) -> None:
        data = json.dumps(value).encode()
        try:
            self._process.stdin.write(struct.pack(">I", len(data)) + data)
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._lost("does not listen") from error

    def _receive(self, seconds: float, *expected: str) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        size = struct.unpack(">I", self._read(4, deadline))[0]
        if size > _LARGEST:
            raise self._lost("sent what is no answer")
        try:
            answer = json.loads(self._read(size, deadline))
            genuine = secrets.compare_digest(str(answer["nonce"]), self._nonce)
            if not genuine or answer["event"] not in (expected or ("built", "end")):
                raise self._lost("sent what is no answer")
        except (ValueError, TypeError, KeyError) as error:
            raise self._lost("sent what is no answer") from error
        return dict(answer)

    def _read(self, size: int, deadline: float) -> bytes:
        data = b""
        while len(data) < size:
            block = printed(self._process, size - len(data), deadline - time.monotonic())
            if not block:
                late = block is None
                raise self._lost("does not answer" if late else "ended", late)
            data += block
        return data

    def _lost(self, what: str, late: bool = False) -> ForkServerLost:
        self.close()
        detail = self._process.stderr_tail().strip().splitlines()
        return ForkServerLost(f"the Python worker {what}{': ' + detail[-1] if detail else ''}", late)


_USUAL = ("passed", "failed", "uncompilable", "stopped", "missing")
"""Outcomes of programs that ended as programs do."""


def _plain(task: ProgramFiles) -> dict[str, Any]:
    kind = type(task.run).__name__.lower()
    run: dict[str, Any] = {"kind": kind, **vars(task.run)}
    run.pop("text", None)
    way = run.get("way", kind)
    warm = [way] if way in ("unittest", "pytest") else []
    return {
        "files": dict(task.files),
        "edited": list(task.edited),
        "run": run,
        "libraries": [*warm, *task.libraries],
    }


def _result(answer: Mapping[str, Any], built: str | None, build_seconds: float) -> ProgramResult:
    return ProgramResult(
        outcome=str(answer["outcome"]),
        stage=str(answer["stage"]),
        message=str(answer["message"]),
        seconds=float(answer["seconds"]),
        cpu=float(answer.get("cpu", 0.0)),
        build_sha256=built,
        build_seconds=build_seconds,
        ran=tuple(answer.get("ran", ())),
        failed_test=answer.get("failed_test"),
        output=str(answer.get("output", "")),
        marks={site: (counts[0], counts[1]) for site, counts in answer.get("marks", {}).items()},
        seen=tuple(tuple(call) for call in answer.get("seen", ())),
        clean=bool(answer["clean"]),
    )


@cache
def server_text() -> str:
    """The server as one text for ``python -c``."""
    package = f"{__package__}.{INSIDE.name}"
    sources = [(name, (INSIDE / f"{name}.py").read_text(encoding="utf-8")) for name in MODULES]
    return _LOADER.format(package=package, sources=sources)


def worker_limits(memory_mb: int) -> Limits:
    """What a server may use whose programs may use so much memory."""
    return Limits(memory_mb=memory_mb + OVERHEAD_MB, processes=PROCESSES)
