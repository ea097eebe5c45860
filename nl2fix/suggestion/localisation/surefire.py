"""What the last build said: failing tests and their stack traces, from JUnit's XML results.

Maven's surefire (``target/surefire-reports``) and Gradle (``build/test-results/test``) write the same
form: one ``TEST-*.xml`` for each test class, with a ``testcase`` for each test and in it a ``failure`` or
``error`` with the stack trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from nl2fix.core.errors import DataError, UsageError
from nl2fix.suggestion.localisation.report import TITLE_LENGTH, IssueReport, frames

LARGEST = 50_000_000
"""Bytes that a result file may have; what is longer holds captured output that nobody reads here."""


@dataclass(frozen=True, slots=True)
class FailedTest:
    """A test that failed in the last build."""

    test: str
    """``Class::method``, as ``--trigger`` takes it."""
    message: str = ""
    trace: str = ""


def failed_tests(folder: Path) -> list[FailedTest]:
    """The tests that failed, in order of file and place.

    ``UsageError`` where the folder holds no results or none that failed, ``DataError`` for a file that
    cannot be read.
    """
    files = sorted(folder.rglob("TEST-*.xml")) if folder.is_dir() else []
    if not files:
        raise UsageError(
            f"{folder} holds no TEST-*.xml; name the folder where the build leaves test results, e.g. "
            "target/surefire-reports or build/test-results/test"
        )
    failed = list(dict.fromkeys(test for file in files for test in _failed(file)))
    if not failed:
        raise UsageError(f"no test failed in the {len(files)} results of {folder}; run the build again")
    return failed


def as_report(failed: FailedTest) -> IssueReport:
    """A failure as an issue: its message as title, its stack trace as description."""
    title = f"{failed.test.replace('::', '#')} fails: {failed.message}".strip(": ")
    return IssueReport(title[:TITLE_LENGTH], failed.trace)


def _failed(file: Path) -> Iterator[FailedTest]:
    for case in _root(file).iter("testcase"):
        fault = next((part for part in case if part.tag in ("failure", "error")), None)
        owner = case.get("classname", "")
        if fault is None or not owner:
            continue
        message = fault.get("message") or fault.get("type") or ""
        trace = (fault.text or "").strip()
        method = _method(case.get("name", ""), owner, trace)
        yield FailedTest(f"{owner}::{method}" if method else owner, " ".join(message.split()), trace)


def method_of(shown: str) -> str:
    """A test's method without parameters and number, of ``bar(int)[2]``."""
    return re.split(r"[(\[{]", shown)[0].strip()


def _method(shown: str, owner: str, trace: str) -> str:
    """The test's method; where a name of its own is shown, the outermost one of its class in the trace."""
    name = method_of(shown)
    if name.isidentifier():
        return name
    return next(
        (f.method for f in reversed(frames(trace)) if f.owner == owner and f.method.isidentifier()), ""
    )


def _root(file: Path) -> ElementTree.Element:
    try:
        if file.stat().st_size > LARGEST:
            raise DataError(f"{file} has more than {LARGEST} bytes; run the failing tests alone")
        content = file.read_bytes()
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
            raise DataError(f"{file} declares entities, which no test result does")
        return ElementTree.fromstring(content)
    except OSError as error:
        raise DataError(f"cannot read {file}: {error.strerror}") from error
    except ElementTree.ParseError as error:
        raise DataError(f"{file} is no XML ({error}); run the build again") from error
