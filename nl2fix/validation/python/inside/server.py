"""The server: forks a child for each program and judges it from outside; see the package's docstring."""

from __future__ import annotations
import __future__

import base64
import functools
import gc
import importlib
import marshal
import os
import platform
import re
import resource
import secrets
import socket
import sys
import time
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nl2fix.validation.python.inside.child import TESTS, child, put
from nl2fix.validation.python.inside.cleaning import Ground
from nl2fix.validation.python.inside.frames import read_frame, write_frame
from nl2fix.validation.python.inside.outcome import MESSAGE
from nl2fix.validation.python.inside.shield import LIBC, Shield
from nl2fix.validation.python.inside.watched_child import Ended, Watch

# Loaded once, so that programs need not.
WARM = "bisect collections copy datetime functools heapq itertools math operator random re string typing"
_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36

_HIDDEN: list[types.ModuleType] = []
MOST_CALLS = 1000
"""Of one program."""
_SIGNS = {"calls": ("begins", "call"), "listen": ("heard", "torn", "stopped")}
"""What a program of that kind may tell before its end."""

_POSTPONES = re.compile(r"^from[ \t]+__future__[ \t]+import\b[\w\s,()]{1,400}\bannotations\b", re.MULTILINE)

Ask = Callable[[str], dict[str, Any]]


def main() -> None:
    """Serve until standard input ends."""
    incoming, outgoing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    hello = read_frame(incoming)
    ready(hello["path"])
    ground = Ground([Path(folder) for folder in hello["scratch"]])

    def answer(values: dict[str, Any]) -> None:
        write_frame(outgoing, {**values, "nonce": hello["nonce"]})

    def ask(sha: str) -> dict[str, Any]:
        answer({"event": "built", "sha256": sha})
        more: dict[str, Any] = read_frame(incoming)
        return more

    answer({"event": "ready", "version": platform.python_version()})
    while True:
        try:
            request = read_frame(incoming)
        except EOFError:
            return
        result = missing(request["libraries"])
        with room() as home:
            run = pristine if request["pristine"] else judge
            result = result or run(request, home, ask)
        answer({"event": "end", **result, "clean": ground.restored(home)})


@contextmanager
def room() -> Iterator[Path]:
    """A new folder in which the next child finds itself. Nothing is ever imported from there here."""
    home = Path("/tmp", "run-" + secrets.token_hex(8))
    home.mkdir()
    os.chdir(home)
    os.environ["HOME"] = os.environ["TMPDIR"] = str(home)
    try:
        yield home
    finally:
        os.chdir("/")


def pristine(request: dict[str, Any], home: Path, ask: Ask) -> dict[str, Any]:
    """Judge in a copy of this process that serves one program only: nothing of others is in its memory.

    Where the copy does not come to an answer this process ends, too.
    """
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            adopt()
            write_frame(theirs, judge(request, home, ask))
        finally:
            os._exit(0)
    os.close(theirs)
    try:
        result: dict[str, Any] = read_frame(ours)
    finally:
        os.close(ours)
        os.waitpid(pid, 0)
    return result


def ready(path: Iterable[str]) -> None:
    """Close this process's memory and descriptors to its children, adopt orphans, load modules."""
    LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    adopt()
    sys.path[:] = [folder for folder in sys.path if folder] + list(path)
    sys.argv = ["tests"]
    for name in WARM.split():
        __import__(name)
    hide()
    settle()


def hide() -> None:
    """Take this program's own modules off the list of modules, which children inherit."""
    own = __name__.partition(".")[0]
    _HIDDEN.extend(sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == own)
    _HIDDEN.append(sys.modules.pop("__main__"))
    sys.modules["__main__"] = types.ModuleType("__main__")


def settle() -> None:
    """Keep the collector of garbage off what is there: a child that looks at it copies it."""
    gc.collect()
    gc.freeze()


def missing(libraries: Iterable[str]) -> dict[str, Any] | None:
    """Load libraries, once for all programs; the end of a program whose library cannot be loaded."""
    new = [name for name in libraries if name not in sys.modules]
    for name in new:
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - a library that cannot be imported is missing
            return _end("missing", "build", f"{name}: {error}", time.monotonic())
    if new:
        settle()
    return None


def adopt() -> None:
    """Have orphans among this process's descendants become its children."""
    LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def judge(request: dict[str, Any], home: Path, ask: Ask) -> dict[str, Any]:
    """Run one program; returns the fields of ``end``. ``ask(hash)`` gives what is hidden, or nothing."""
    put(home, request["files"])
    ours, theirs = socket.socketpair()
    started, shield, held = time.monotonic(), shielded(os.getpid()), address_space()
    pid = os.fork()
    if pid == 0:
        ours.close()
        child(theirs.detach(), request, home, shield, held)
    theirs.close()
    watch = Watch(pid, ours, request["wall"], request["cpu"])
    stage = ["build"]
    seen: list[list[Any]] = []
    try:
        run = request["run"]
        see = functools.partial(_see, seen, _SIGNS.get(run["kind"], ()))
        flags = flags_of(request["files"][request["edited"][0]])
        result = _follow(watch, stage, see, started, lambda sha: with_code(ask(sha), run, flags))
    except SyntaxError as error:
        result = _end("failed", "tests", f"the tests do not compile: {error}", started)
    except Ended as end:
        result = _end(end.args[0], stage[0], end.args[1], started)
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError):
        result = _end("exited", stage[0], "wrote to the channel of the tests", started)
    finally:
        watch.finish()
    return {**result, "cpu": watch.used, "seen": seen}


@functools.lru_cache(maxsize=1)
def shielded(server: int) -> Shield:
    """The filter of a server's children."""
    return Shield(server)


def address_space() -> int:
    """Bytes of this process's address space."""
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - as fast as can be
        return int(file.read().split()[0]) * resource.getpagesize()


def flags_of(text: str) -> int:
    """What a file has of the future that holds for a script behind it, too."""
    return __future__.annotations.compiler_flag if _POSTPONES.search(text) else 0


def with_code(hidden: dict[str, Any], run: dict[str, Any], flags: int) -> dict[str, Any]:
    """What is hidden, with test modules compiled: once for all candidates, and not by their interpreters.

    ``flags`` are those of a script.
    """
    if not hidden or run["kind"] in ("pytest", "calls") or run.get("way") == "pytest":
        return hidden
    paths = run["modules"] if run["kind"] == "unittest" else hidden["hear"].get("texts", ())
    texts = {path: hidden["tests"][path] for path in paths}
    if run["kind"] == "script":
        texts = {TESTS: hidden["script"]}
    flags = flags if "script" in (run["kind"], run.get("way")) else 0
    return {**hidden, "code": {path: _compiled(path, text, flags) for path, text in texts.items()}}


@functools.lru_cache(maxsize=64)
def _compiled(path: str, text: str, flags: int) -> str:
    code = compile(text, path, "exec", flags, True)
    return base64.b64encode(marshal.dumps(code)).decode("ascii")


def _follow(
    watch: Watch, stage: list[str], see: Callable[[dict[str, Any]], bool], started: float, ask: Ask
) -> dict[str, Any]:
    """The conversation with a child; ``stage[0]`` says how far it is, ``see`` notes what its calls did."""
    first = watch.receive()
    if "uncompilable" in first:
        return _end("uncompilable", "build", first["uncompilable"], started)
    paused = time.monotonic()
    hidden = ask(str(first["built"])[:64])
    paused = time.monotonic() - paused
    watch.deadline += paused
    if not hidden:
        return _end("stopped", "build", "", started)
    stage[0] = "load"
    watch.send({"go": True})
    loaded = watch.receive()
    if "failed" in loaded:
        output = str(loaded["output"])
        return {**_end("failed", "load", loaded["failed"], started + paused), "output": output}
    stage[0] = "tests"
    watch.send(hidden)
    told = watch.receive()
    while see(told):
        told = watch.receive()
    failed = told["failed_test"]
    end = _end(
        "passed" if failed is None and told["done"] is True else "failed", "tests", "", started + paused
    )
    more = {"ran": [str(name) for name in told["ran"]], "output": str(told["output"])}
    return {
        **end,
        **more,
        "message": str(told["message"])[:MESSAGE],
        "failed_test": None if failed is None else str(failed)[:MESSAGE],
        "marks": {str(site): [int(n) for n in counts] for site, counts in told["marks"].items()},
    }


def _see(seen: list[list[Any]], signs: Collection[str], told: dict[str, Any]) -> bool:
    """Note what a call did; one that has begun does not end until we hear of it. Whether it is of a call."""
    sign = next((each for each in signs if each in told), "")
    if sign in ("begins", "heard", "stopped") and len(seen) >= MOST_CALLS:
        raise ValueError("more calls than can be")
    if sign == "begins":
        seen.append(["E", "", "does not end", 0.0])
    elif sign == "call":
        kind, digest, words, seconds = told["call"]
        seen[-1] = [str(kind)[:1], str(digest)[:32], str(words)[:MESSAGE], float(seconds)]
    elif sign == "heard":
        values, digest, words, call, test = (str(each)[:MESSAGE] for each in told["heard"])
        seen.append([values, True, digest, words, call, test])
    elif sign == "torn":
        for each in seen:
            each[1] = each[1] and each[0] != told["torn"]
    elif sign == "stopped":
        seen.append(["", False, "", "", "", str(told["stopped"])[:MESSAGE]])
    return bool(sign)


def _end(outcome: str, stage: str, message: object, started: float) -> dict[str, Any]:
    seconds = time.monotonic() - started
    return {"outcome": outcome, "stage": stage, "message": str(message)[:MESSAGE], "seconds": seconds}
