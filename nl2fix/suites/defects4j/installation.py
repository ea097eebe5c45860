"""Defects4J as seen through its command: check out, compile, export, test; and a workspace made of it.

Only the published contract of the ``defects4j`` command is used, so any 2.0.x installation will do.
Source level, encoding and further compiler options are those that Defects4J's own build passes to
javac, read from its verbose log. Time zone and locale are fixed, as Defects4J prescribes.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from nl2fix.core.errors import DataError, InfrastructureError, UsageError
from nl2fix.suites.command import Output, run

HOME = "DEFECTS4J_HOME"
ENVIRONMENT = {"TZ": "America/Los_Angeles", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
"""Defects4J's results depend on the time zone it prescribes; the locale is ours, so that there is one."""
_GIT = {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "gc.auto", "GIT_CONFIG_VALUE_0": "0"} | {
    "GIT_CONFIG_KEY_1": "maintenance.auto",
    "GIT_CONFIG_VALUE_1": "false",
}
"""No maintenance in the background: it writes into working directories that are being removed."""
_ANT = "ANT_OPTS"
_BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For JVMs that end before optimised code pays: a build takes half the processor time."""
_NOTED = "defects4j.build.properties"
_PLACES = ("bin/defects4j", "framework/bin/defects4j", "defects4j")
_ARGUMENTS = re.compile(r"Compilation arguments:\s*\n((?:\s*\[javac\] '.*'\n)+)")
_QUOTED = re.compile(r"^\s*\[javac\] '(.*)'$", re.MULTILINE)
# Options with a value that are given elsewhere, or that only say where things lie.
_PLACED = frozenset({"-d", "-s", "-h", "-classpath", "-cp", "--class-path", "-sourcepath", "-bootclasspath"})
_TOLD = {"-source": "source", "--source": "source", "-encoding": "encoding"}
_QUIET = re.compile(r"-(?:g(?::.*)?|nowarn|deprecation|verbose|Xlint.*|Werror|proc:.*|implicit:.*)")
_OLDEST_CLASS = 48


class Javac(NamedTuple):
    """How the project's own build compiles its classes."""

    source: str
    encoding: str
    options: tuple[str, ...]


Version = Literal["b", "f"]


@dataclass(frozen=True)
class Defects4J:
    """An installation. Every call is bounded by ``timeout`` seconds and kills what it started."""

    program: Path
    timeout: float = 1800.0

    def check_out(self, project: str, number: int, version: Version, folder: Path) -> None:
        """Make a working directory of the buggy (``b``) or fixed (``f``) version in a new folder.

        In the working directory of the bug's other version this only changes version, and is cheap.
        """
        arguments = ["checkout", "-p", project, "-v", f"{number}{version}", "-w", str(folder)]
        self._do(arguments, folder.parent)

    def compile(self, folder: Path) -> str:
        """Compile classes and tests; returns the build's verbose log."""
        output = self._do(["compile"], folder, {"D4J_DEBUG": "1", **_brief()})
        return output.stdout + output.stderr

    def export(self, folder: Path, name: str) -> list[str]:
        """The lines of an exported property, blank ones left out.

        What checking out has noted in the working directory is read there: the command starts Ant twice.
        """
        noted = _noted(folder).get(f"d4j.{name}")
        lines = (
            self._do(["export", "-p", name], folder, _brief()).stdout.splitlines()
            if noted is None
            else noted.split(",")
        )
        return [line for line in lines if line.strip()]

    def relevant(self, project: str, number: int) -> list[str]:
        """Test classes that load a class the fix of a bug changes."""
        for bug, names in self._query(project, "tests.relevant"):
            if bug == str(number):
                return [name.strip() for name in names.strip('"').split(";") if name.strip()]
        raise DataError(f"`defects4j query` knows no relevant tests of {project}-{number}")

    def test(self, folder: Path, arguments: Sequence[str] = ("-r",)) -> list[str]:
        """Failing tests, ``Class::method`` or ``Class``, of ``defects4j test``."""
        output = self._do(["test", *arguments], folder)
        count = re.search(r"^Failing tests: (\d+)$", output.stdout, re.MULTILINE)
        failing = re.findall(r"^  - (\S.*?)\s*$", output.stdout, re.MULTILINE)
        if count is None or int(count[1]) != len(failing):
            raise InfrastructureError(
                f"`defects4j test` in {folder} gave no list of failing tests: {output.reason}"
            )
        return failing

    def builds(self, folder: Path) -> bool:
        """Whether the working directory compiles."""
        return self._call(["compile"], folder).status == 0

    def fix_dates(self, project: str) -> dict[str, str]:
        """Bug → date of its fix's commit, ISO 8601 with zone, for all bugs of a project."""
        dates = {}
        for number, date in self._query(project, "revision.date.fixed"):
            try:
                moment = datetime.strptime(date.strip('" '), "%Y-%m-%d %H:%M:%S %z")
            except ValueError:
                continue
            dates[f"{project}-{int(number)}"] = moment.isoformat()
        return dates

    def _query(self, project: str, field: str) -> list[tuple[str, str]]:
        """What is noted of each bug of a project, asked in a folder that the command may write to."""
        with TemporaryDirectory(prefix="nl2fix-query-", ignore_cleanup_errors=True) as folder:
            output = self._do(["query", "-p", project, "-q", f"bug.id,{field}"], Path(folder))
        rows = (line.strip().partition(",") for line in output.stdout.splitlines())
        return [(bug, told) for bug, _, told in rows]

    def _do(self, arguments: Sequence[str], folder: Path, extra: dict[str, str] | None = None) -> Output:
        output = self._call(arguments, folder, extra)
        if output.status != 0:
            words = " ".join(arguments)
            failed = f"`defects4j {words}` in {folder} failed with status {output.status}"
            raise InfrastructureError(f"{failed}: {output.reason or 'it printed nothing'}")
        return output

    def _call(self, arguments: Sequence[str], folder: Path, extra: dict[str, str] | None = None) -> Output:
        return run([self.program, *arguments], folder, self.timeout, {**ENVIRONMENT, **_GIT, **(extra or {})})


def _brief() -> dict[str, str]:
    """Options of Ant's JVM, unless the user has some: those of Defects4J's own tests stay as they are."""
    return {} if os.environ.get(_ANT) else {_ANT: _BRIEF}


def _noted(folder: Path) -> dict[str, str]:
    """Properties of a working directory that Defects4J's own builds read; none where it notes none."""
    try:
        lines = (folder / _NOTED).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return {key.strip(): value.strip() for key, equals, value in (x.partition("=") for x in lines) if equals}


def find(folder: Path | None, timeout: float) -> Defects4J:
    """The installation in ``folder``, in ``$DEFECTS4J_HOME`` or on the search path."""
    if folder is None and os.environ.get(HOME):
        folder = Path(os.environ[HOME])
    if folder is not None:
        for place in _PLACES:
            if os.access(folder / place, os.X_OK) and (folder / place).is_file():
                return Defects4J((folder / place).resolve(), timeout)
        raise UsageError(f"no defects4j command in {folder} (neither {' nor '.join(_PLACES)})")
    command = shutil.which("defects4j")
    if command is None:
        raise UsageError(f"Defects4J is not installed here: give its folder with --defects4j DIR or {HOME}")
    return Defects4J(Path(command).resolve(), timeout)


def javac(log: str, target: Path, classes: Path) -> Javac:
    """How the build that wrote ``log`` compiled into the folder ``target``.

    A build that tells nothing (Gradle) is judged by ``classes``, a compiled class of it.
    """
    for call in _ARGUMENTS.finditer(log):
        arguments = _QUOTED.findall(call[1])
        if "-d" in arguments and Path(arguments[arguments.index("-d") + 1]).resolve() == target.resolve():
            return _settings(arguments, classes)
    return Javac(source_level(classes), "UTF-8", ())


def source_level(classes: Path) -> str:
    """The source level that a compiled class was made for, by its version: ``1.5``, ``8``, …"""
    try:
        major = int.from_bytes(classes.read_bytes()[6:8], "big")
    except OSError:
        raise DataError(f"{classes} is not there: Defects4J compiled nothing") from None
    java = max(major, _OLDEST_CLASS) - 44
    return f"1.{java}" if java < 9 else str(java)


def _settings(arguments: Sequence[str], classes: Path) -> Javac:
    told: dict[str, str] = {}
    options: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument in _PLACED:
            next(rest, None)
        elif argument in _TOLD:
            told[_TOLD[argument]] = next(rest, "")
        elif argument in ("-target", "--target"):
            options += ["-target", next(rest, "")]
        elif argument.startswith("-") and not _QUIET.fullmatch(argument):
            options.append(argument)
    return Javac(told.get("source") or source_level(classes), told.get("encoding", "UTF-8"), tuple(options))
