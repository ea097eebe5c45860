"""The forked child: confines itself, loads the edited file, runs the tests, and tells what came of it."""

from __future__ import annotations

import base64
import builtins
import contextlib
import hashlib
import importlib
import importlib.util
import marshal
import os
import resource
import signal
import sys
import types
import unittest
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from nl2fix.validation.python.inside import calls, listening, outcome
from nl2fix.validation.python.inside.frames import read_frame, write_frame
from nl2fix.validation.python.inside.outcome import Tally, describe
from nl2fix.validation.python.inside.shield import LIBC, Shield

FILE_BYTES = 64 << 20
TESTS = "<tests>"
_PR_SET_PDEATHSIG = 1
_LINES = "co_linetable" if hasattr(types.CodeType, "co_linetable") else "co_lnotab"
_WITHOUT_REFERENCES = 2
"""The last version of ``marshal`` that writes equal values as equal bytes."""


def child(channel: int, request: dict[str, Any], home: Path, shield: Shield, held: int) -> NoReturn:
    """Run one program in this process; never returns. ``held``: bytes of the server's own memory."""
    leave = os._exit
    try:
        confine(channel, request, shield, held)
        sys.path.insert(0, str(home))
        ProgramRun(channel, request, home).run()
        leave(0)
    finally:
        leave(1)


def confine(channel: int, request: dict[str, Any], shield: Shield, held: int) -> None:
    """Own session, no open files but the channel, limits, a filter of calls."""
    os.setsid()
    LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.dup2(0, 2)
    os.closerange(3, channel)
    os.closerange(channel + 1, 4096)
    cpu = max(1, int(request["cpu"] + 0.999))
    # What the server holds is shared with it and costs nothing.
    memory = (request["memory_mb"] << 20) + held
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    shield.rise()


def bare(code: types.CodeType) -> types.CodeType:
    """Code without its file's name and lines: equal for programs that do the same."""
    inner = tuple(bare(item) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    lines: dict[str, Any] = {_LINES: b""}
    return code.replace(co_consts=inner, co_filename="", co_firstlineno=1, **lines)


def put(home: Path, files: dict[str, str]) -> None:
    """Write texts by path."""
    for path, text in files.items():
        target = home / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8", "surrogatepass"))


class ProgramRun:
    """One program's way from text to the result of its tests."""

    def __init__(self, channel: int, request: dict[str, Any], home: Path) -> None:
        self._channel, self._home = channel, home
        self._files: dict[str, str] = request["files"]
        self._edited: list[str] = request["edited"]
        self._run: dict[str, Any] = request["run"]
        self._compile = compile
        self._stream = outcome.First()
        self._write = write_frame
        self._decode, self._code = base64.b64decode, marshal.loads

    def run(self) -> None:
        code = self._build()
        if code is None:
            return
        read_frame(self._channel)
        path = self._edited[0]
        try:
            self._redirect()
            module = self._load(path, code, bool(self._run.get("main")))
        except BaseException as error:  # noqa: BLE001 - whatever a program raises is its failure
            self._tell({"failed": describe(error, str(self._home / path)), **self._printed()})
            return
        self._tell({"loaded": True})
        hidden = read_frame(self._channel)
        put(self._home, hidden["tests"])
        importlib.invalidate_caches()
        marks = self._challenge(hidden.get("mark", ""))
        tally = Tally()
        try:
            getattr(self, "_" + self._run["kind"])(module, hidden, tally)
        except BaseException as error:  # noqa: BLE001
            tally.fail("tests", self._shown(error, hidden))
        self._tell({"done": True, **tally.told(), **self._printed(), "marks": marks})

    def _build(self) -> types.CodeType | None:
        """Compile every edited file; the code of the first, ``None`` when one does not compile."""
        codes, digest, path = [], hashlib.sha256(), ""
        try:
            for path in self._edited:
                source = self._files[path]
                # As an import reads it from disk: by the coding line, if it has one.
                content = source.encode("utf-8", "surrogatepass")
                if path.endswith(".py"):
                    codes.append(self._compile(content, str(self._home / path), "exec", 0, True))
                    content = marshal.dumps(bare(codes[-1]), _WITHOUT_REFERENCES)
                digest.update(repr((path, content)).encode("utf-8", "surrogatepass"))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as refusal:
            self._tell({"uncompilable": describe(refusal, path)})
            return None
        self._tell({"built": digest.hexdigest()})
        return codes[0]

    def _load(self, path: str, code: types.CodeType, main: bool = False) -> types.ModuleType:
        """Execute a file's code as the module of its name (or as ``__main__``)."""
        name = ".".join(PurePosixPath(path).with_suffix("").parts).removesuffix(".__init__")
        parent, _, stem = name.rpartition(".")
        owner = importlib.import_module(parent) if parent else None
        name = "__main__" if main else name
        spec = importlib.util.spec_from_file_location(name, str(self._home / path))
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        exec(code, module.__dict__)
        if owner is not None:
            setattr(owner, stem, module)
        return module

    def _challenge(self, mark: str) -> dict[str, list[int]]:
        """Where assertions of a challenge note how they came out: site → times failed, times held."""
        marks: dict[str, list[int]] = {}
        if mark:

            def note(site: int, held: bool) -> None:
                marks.setdefault(str(site), [0, 0])[held] += 1

            setattr(builtins, mark, note)
        return marks

    # -- ways to run tests ------------------------------------------------------------------------

    def _script(self, module: types.ModuleType, hidden: dict[str, Any], tally: Tally) -> None:
        code = self._code(self._decode(hidden["code"][TESTS]))
        tally.start("tests")
        try:
            exec(code, module.__dict__)
        except SystemExit as end:
            if end.code or not outcome.is_of_unittest(end, TESTS):
                raise

    def _unittest(self, _: types.ModuleType, hidden: dict[str, Any], tally: Tally) -> None:
        loader, suite = unittest.TestLoader(), unittest.TestSuite()
        for path in self._run["modules"]:
            code = self._code(self._decode(hidden["code"][path]))
            suite.addTests(loader.loadTestsFromModule(self._load(path, code)))
        outcome.UnittestResult.tally = tally
        runner = unittest.TextTestRunner(stream=sys.stderr, resultclass=outcome.UnittestResult)  # type: ignore[arg-type]
        if not runner.run(suite).wasSuccessful():
            tally.fail("tests", "the test run says that it failed")

    def _pytest(self, _: types.ModuleType, hidden: dict[str, Any], tally: Tally) -> None:
        status = self._pytest_main(self._run["modules"], [], outcome.PytestPlugin(tally))
        if status:
            tally.fail("tests", f"pytest ended with status {status}")

    def _pytest_main(self, modules: Sequence[str], more: Sequence[str], plugin: object) -> int:
        import pytest

        # What else is installed has no say, and would cost two seconds of each run.
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        options = ["-q", "--capture=no", "-p", "no:cacheprovider", "--color=no"]
        places = ["--rootdir", str(self._home), *modules]
        return int(pytest.main([*options, *more, *places], plugins=[plugin, outcome.Markers()]))

    def _calls(self, module: types.ModuleType, hidden: dict[str, Any], tally: Tally) -> None:
        calls.make_calls(module, hidden["calls"], self._tell)
        tally.start("calls")

    def _listen(self, module: types.ModuleType, hidden: dict[str, Any], tally: Tally) -> None:
        """Run tests, as they are and as copies of them are, and tell what they call. None of them fails."""
        tap = listening.Tap(hidden["hear"], self._tell)
        tap.put_on(module)
        tally.start("tests")
        run = getattr(self, "_hear_" + self._run["way"])
        names = hidden["hear"]["texts"]
        for path in names[:1] if self._run["way"] == "pytest" else names:
            if tap.stops > 0:
                with contextlib.suppress(Exception, SystemExit, KeyboardInterrupt, calls.Stopped):
                    run(tap, module, path, hidden)

    def _hear_script(
        self, tap: listening.Tap, module: types.ModuleType, path: str, hidden: dict[str, Any]
    ) -> None:
        before = dict(vars(module))
        try:
            with tap.test(path):
                exec(self._code(self._decode(hidden["code"][path])), module.__dict__)
        finally:
            vars(module).clear()
            vars(module).update(before)

    def _hear_unittest(
        self, tap: listening.Tap, _: types.ModuleType, path: str, hidden: dict[str, Any]
    ) -> None:
        module = self._load(path, self._code(self._decode(hidden["code"][path])))
        for test in _each(unittest.TestLoader().loadTestsFromModule(module)):
            if tap.stops > 0:
                with contextlib.suppress(calls.Stopped), tap.test(f"{path}::{test.id()}"):
                    test.run(unittest.TestResult())

    def _hear_pytest(
        self, tap: listening.Tap, _: types.ModuleType, path: str, hidden: dict[str, Any]
    ) -> None:
        import pytest

        class Hears:
            @pytest.hookimpl(hookwrapper=True)
            def pytest_runtest_protocol(self, item: Any) -> Any:
                if tap.stops <= 0:
                    pytest.exit("enough tests were stopped")
                with tap.test(item.nodeid):
                    yield

        self._pytest_main(hidden["hear"]["texts"], ["--assert=plain"], Hears())

    # -- telling ----------------------------------------------------------------------------------

    def _shown(self, error: BaseException, hidden: dict[str, Any]) -> str:
        return describe(error, TESTS, hidden.get("script") or "")

    def _tell(self, value: dict[str, Any]) -> None:
        self._write(self._channel, value)

    def _redirect(self) -> None:
        if self._run["kind"] != "script":
            sys.stdout = sys.stderr = outcome.text_stream(self._stream)

    def _printed(self) -> dict[str, str]:
        text = bytes(self._stream.kept).decode("utf-8", "replace")
        return {"output": text.replace(str(self._home) + "/", "").replace(str(self._home), ".")}


def _each(suite: Any) -> Iterator[unittest.TestCase]:
    """The tests of a suite of suites, in order."""
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _each(item)
        else:
            yield item
