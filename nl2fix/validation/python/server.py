"""Fork server for Python programs of unknown origin; runs inside a sandbox as ``python -c TEXT``.

Contract: uses the standard library of Python 3.8 or newer only. Speaks frames (4 bytes of length, big
endian, then JSON) on the standard input and output it was started with. First comes ``hello`` with a
nonce, which every answer repeats. Then, for each program::

    ours   {"source", "path", "cpu", "wall", "memory_mb"}     its file's text and limits (seconds, MiB)
    server {"event": "built", "sha256"}                       hash of its syntax tree
    ours   {"script"} or {}                                   tests to run behind it, or: no more needed
    server {"event": "end", "outcome", "stage", "message", "seconds", "clean"}

Outcomes: ``passed``, ``failed``, ``exited`` (ended before the tests' last statement), ``timeout``,
``uncompilable``, ``stopped``. Each program runs in a forked child in its own session, with nothing open but
a channel to the server. The tests arrive there after the file was executed, with a token, and only
that token, sent when the tests' last statement is done, counts as a pass. (Code that shares an
interpreter with its tests could dig the token out of the interpreter's memory; this stops exits,
patched functions and blind forgery, not an attack written against this file.)
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import gc
import hashlib
import json
import os
import platform
import resource
import secrets
import select
import shutil
import signal
import socket
import struct
import sys
import time
import types
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, NoReturn

MESSAGE = 2000
"""Characters kept of a failure's message."""
FILE_BYTES = 64 << 20
FRAME_BYTES = 16 << 20
CLEANING_SECONDS = 5.0
TESTS = "<tests>"
# Loaded once, so that programs need not.
WARM = "bisect collections copy datetime functools heapq itertools math operator random re string typing"

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_prctl = ctypes.CDLL(None).prctl


class Ended(Exception):
    """A child is gone or out of time; the arguments are outcome and message."""


def read_frame(handle: int, wait: Callable[[], None] | None = None) -> Any:
    """The next frame; ``EOFError`` at the end of input. ``wait`` is called before each read."""
    header = _read(handle, 4, wait)
    size = struct.unpack(">I", header)[0]
    if size > FRAME_BYTES:
        raise ValueError("frame too long")
    return json.loads(_read(handle, size, wait))


def _read(handle: int, size: int, wait: Callable[[], None] | None) -> bytes:
    data = b""
    while len(data) < size:
        if wait is not None:
            wait()
        block = os.read(handle, min(size - len(data), 1 << 20))
        if not block:
            raise EOFError
        data += block
    return data


def write_frame(handle: int, value: dict[str, Any]) -> None:
    """Send one frame."""
    data = json.dumps(value).encode()
    data = struct.pack(">I", len(data)) + data
    while data:
        data = data[os.write(handle, data) :]


def main() -> None:
    """Serve until standard input ends."""
    incoming, outgoing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    # Nobody inside may read this process's memory or descriptors; orphans of a child become ours.
    _prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    sys.path.pop(0)
    for name in WARM.split():
        __import__(name)
    gc.freeze()
    hello = read_frame(incoming)
    nonce, scratch = hello["nonce"], [Path(folder) for folder in hello["scratch"]]
    kept = {path for folder in scratch for path in folder.iterdir()}
    home = Path(hello["home"], "run-" + secrets.token_hex(8))

    def answer(values: dict[str, Any]) -> None:
        write_frame(outgoing, {**values, "nonce": nonce})

    def ask(sha: str) -> str | None:
        answer({"event": "built", "sha256": sha})
        script: str | None = read_frame(incoming).get("script")
        return script

    answer({"event": "ready", "version": platform.python_version()})
    while True:
        try:
            request = read_frame(incoming)
        except EOFError:
            return
        home.mkdir()
        result = judge(request, home, ask)
        answer({"event": "end", "clean": end_children() and empty(home, scratch, kept), **result})


def judge(request: dict[str, Any], home: Path, ask: Callable[[str], str | None]) -> dict[str, Any]:
    """Run one program; returns the fields of ``end``. ``ask(hash)`` gives the tests, or ``None``."""
    ours, theirs = socket.socketpair()
    started = time.monotonic()
    pid = os.fork()
    if pid == 0:
        ours.close()
        child(theirs.detach(), request, home)
    theirs.close()
    watch = Watch(pid, ours, started + request["wall"], request["cpu"])
    stage = "build"
    try:
        first = watch.receive()
        if "uncompilable" in first:
            return _end("uncompilable", stage, first["uncompilable"], started)
        paused = time.monotonic()
        script = ask(str(first["built"])[:64])
        started += time.monotonic() - paused
        watch.deadline += time.monotonic() - paused
        if script is None:
            return _end("stopped", stage, "", started)
        stage = "load"
        watch.send({"go": True})
        loaded = watch.receive()
        if "failed" in loaded:
            return _end("failed", stage, loaded["failed"], started)
        stage = "tests"
        token = secrets.token_hex(16)
        watch.send({"script": script, "token": token})
        last = watch.receive()
        if last.get("token") == token:
            return _end("passed", stage, "", started)
        return _end("failed", stage, last["failed"], started)
    except Ended as end:
        return _end(end.args[0], stage, end.args[1], started)
    except (KeyError, TypeError, AttributeError, ValueError):
        return _end("exited", stage, "wrote to the channel of the tests", started)
    finally:
        watch.finish()


def _end(outcome: str, stage: str, message: object, started: float) -> dict[str, Any]:
    seconds = time.monotonic() - started
    return {"outcome": outcome, "stage": stage, "message": str(message)[:MESSAGE], "seconds": seconds}


class Watch:
    """A child seen from the server: its messages, its time, its end."""

    def __init__(self, pid: int, channel: socket.socket, deadline: float, cpu: float) -> None:
        self.pid, self.channel, self.deadline, self.cpu = pid, channel, deadline, cpu
        self.status: int | None = None
        self.used = 0.0

    def send(self, value: dict[str, Any]) -> None:
        """Send a message; one that no child receives shows at the next ``receive``."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            write_frame(self.channel.fileno(), value)

    def receive(self) -> Any:
        """The child's next message; raises ``Ended`` when there will be none."""
        try:
            return read_frame(self.channel.fileno(), self._wait)
        except (EOFError, ConnectionResetError):
            self._reap(0)
            raise self._verdict() from None

    def finish(self) -> None:
        """Kill the child's session and reap it."""
        self.channel.close()
        if self.status is None:
            _kill(-self.pid)
            _kill(self.pid)
            self._reap(0)
        _kill(-self.pid)

    def _wait(self) -> None:
        while not select.select([self.channel], [], [], 0.02)[0]:
            if time.monotonic() > self.deadline:
                raise Ended("timeout", "still running when its time was up")
            # Descendants may hold the channel open after the child's end.
            if self._reap(os.WNOHANG) and not select.select([self.channel], [], [], 0)[0]:
                raise self._verdict()

    def _reap(self, flags: int) -> bool:
        if self.status is None:
            pid, status, used = os.wait4(self.pid, flags)
            if pid:
                self.status, self.used = status, used.ru_utime + used.ru_stime
        return self.status is not None

    def _verdict(self) -> Ended:
        status = self.status or 0
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number == signal.SIGXCPU or (number == signal.SIGKILL and self.used >= self.cpu):
                return Ended("timeout", "used up its processor time")
            hint = " (out of memory?)" if number == signal.SIGKILL else ""
            return Ended("exited", f"ended by signal {number}{hint} before the tests' end")
        return Ended("exited", f"exited with status {os.WEXITSTATUS(status)} before the tests' end")


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def end_children() -> bool:
    """Kill and reap whatever a program left behind; whether nothing is left."""
    deadline = time.monotonic() + CLEANING_SECONDS
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return True
        for pid in _children():
            _kill(pid)
        time.sleep(0.001)
    return False


def _children() -> Iterator[int]:
    own = str(os.getpid())
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if fields[1] == own:
                yield int(folder.name)


def empty(home: Path, scratch: list[Path], kept: set[Path]) -> bool:
    """Delete what a program wrote; whether it is all gone. ``kept`` was there before any program."""
    try:
        shutil.rmtree(home)
        for path in {path for folder in scratch for path in folder.iterdir()} - kept:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    except OSError:
        return False
    return True


def child(channel: int, request: dict[str, Any], home: Path) -> NoReturn:
    """In the forked child: confine it, then execute what ``steps`` yields; never returns."""
    leave, run = os._exit, exec
    try:
        confine(channel, request, home)
        plan = steps(channel, request["source"], request["path"])
        del request
        error: BaseException | None = None
        while True:
            # The frames below the program's hold nothing worth finding: the rest sleeps in a generator.
            code, names = plan.send(error)
            error = None
            try:
                run(code, names)
            except BaseException as raised:  # noqa: BLE001 - whatever a program raises is its failure
                error = raised
    except StopIteration:
        leave(0)
    finally:
        leave(1)


def confine(channel: int, request: dict[str, Any], home: Path) -> None:
    """Own session, no open files but the channel, limits, an empty working directory."""
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.dup2(0, 2)
    os.closerange(3, channel)
    os.closerange(channel + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    os.chdir(home)
    os.environ["HOME"] = os.environ["TMPDIR"] = str(home)
    memory, cpu = request["memory_mb"] << 20, max(1, int(request["cpu"] + 0.999))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def steps(
    channel: int, source: str, path: str
) -> Generator[tuple[types.CodeType, dict[str, Any]], BaseException | None, None]:
    """What a child executes, in order, as (code, names); is sent the error each raised, or ``None``."""
    read, write = read_frame, write_frame
    try:
        tree = ast.parse(source, path)
        code = compile(tree, path, "exec", 0, True)
        built = hashlib.sha256(ast.dump(tree).encode("utf-8", "surrogatepass")).hexdigest()
    except (SyntaxError, ValueError, RecursionError, MemoryError) as refusal:
        write(channel, {"uncompilable": describe(refusal, path)})
        return
    del tree, source
    write(channel, {"built": built})
    read(channel)
    module = types.ModuleType("candidate")
    module.__file__ = path
    sys.modules["candidate"] = module
    error = yield code, module.__dict__
    if error is not None:
        write(channel, {"failed": describe(error, path)})
        return
    write(channel, {"loaded": True})
    tests = read(channel)
    script, token = tests["script"], tests["token"]
    error = yield compile(script, TESTS, "exec", 0, True), module.__dict__
    write(channel, {"token": token} if error is None else {"failed": describe(error, TESTS, script)})


def describe(error: BaseException, path: str, text: str = "") -> str:
    """``Type: message`` with the last line of ``path`` on its way, and that line's text."""
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - its own __str__ is the program's code
        message = "?"
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    shown = f"{type(error).__name__}{': ' if message else ''}{message}"[:MESSAGE]
    if not line:
        return shown
    lines = text.splitlines()
    return f"{shown} (line {line}{': ' + lines[line - 1].strip() if line <= len(lines) else ''})"


if __name__ == "__main__":
    main()
