"""How failures are told: errors in one line, what tests print, which tests ran."""

from __future__ import annotations

import io
import sys
import unittest
from typing import Any

MESSAGE = 2000
"""Characters kept of a failure's message."""
OUTPUT = 8000
"""Bytes kept of what tests print, from the start."""
SHOWN = 12
"""Failures told in full, and errors: what is printed of them is longer than what anybody is shown."""


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


def is_of_unittest(end: SystemExit, path: str) -> bool:
    """Whether code of ``path`` ended by calling ``unittest.main``, which leaves when its tests are done."""
    main = sys.modules[unittest.TestProgram.__module__].__file__
    files, trace = list[str](), end.__traceback__
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return path in files and {*files[files.index(path) :]} == {path, main}


class First(io.RawIOBase):
    """Keeps the first bytes written to it."""

    def __init__(self) -> None:
        self.kept = bytearray()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        """Where what other processes write goes: nowhere."""
        return 1

    def write(self, data: Any) -> int:
        block = bytes(data)
        self.kept += block[: max(0, OUTPUT - len(self.kept))]
        return len(block)


def text_stream(target: First) -> io.TextIOWrapper:
    """A stream as ``sys.stdout`` is one, with a buffer, over ``target``."""
    return io.TextIOWrapper(io.BufferedWriter(target, 1), "utf-8", "replace", write_through=True)


class Tally:
    """Names of the tests that ran, and the first that failed."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.failed: str | None = None
        self.message = ""

    def start(self, name: str) -> None:
        self.ran.append(name)

    def skip(self, name: str) -> None:
        if name in self.ran:
            self.ran.remove(name)

    def fail(self, name: str, message: str) -> None:
        if self.failed is None:
            self.failed, self.message = name, message[:MESSAGE]

    def told(self) -> dict[str, Any]:
        return {"ran": self.ran, "failed_test": self.failed, "message": self.message}


class UnittestResult(unittest.TextTestResult):
    """Prints as ``python -m unittest`` does and fills a tally, set as attribute of the class."""

    tally: Tally

    def _exc_info_to_string(self, err: Any, test: unittest.TestCase) -> str:
        """The text of a failure, where it is printed before the output is cut off."""
        failure = issubclass(err[0], getattr(test, "failureException", None) or AssertionError)
        before = self.failures if failure else self.errors
        return super()._exc_info_to_string(err, test) if len(before) < SHOWN else ""  # type: ignore[misc]

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.tally.start(test.id())

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.tally.skip(test.id())

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self.tally.fail(test.id(), describe(err[1], ""))

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self.tally.fail(test.id(), describe(err[1], ""))

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.tally.fail(test.id(), describe(err[1], ""))

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self.tally.fail(test.id(), "passes though it is expected to fail")


class PytestPlugin:
    """Fills a tally from pytest's reports."""

    def __init__(self, tally: Tally) -> None:
        self._tally, self._ran = tally, set[str]()

    def pytest_runtest_logreport(self, report: Any) -> None:
        passed = report.when == "call" and report.outcome == "passed" and not hasattr(report, "wasxfail")
        failed = report.outcome == "failed"
        if (passed or failed) and report.nodeid not in self._ran:
            self._ran.add(report.nodeid)
            self._tally.start(report.nodeid)
        if failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self._tally.fail(report.nodeid, str(crash.message if crash else report.longrepr))

    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome == "failed":
            text = str(report.longrepr)
            said = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
            self._tally.fail(report.nodeid, "\n".join(said) or text)


class Markers:
    """Makes the marker of Exercism's tests known beside those of the tests' own settings."""

    def pytest_configure(self, config: Any) -> None:
        config.addinivalue_line("markers", "task: number of a task")
