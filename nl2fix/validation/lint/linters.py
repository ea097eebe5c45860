"""The linters: how each is called, told its settings, and how its messages are read.

A linter reads the text of one file, in a sandbox, without any configuration but the settings of the
problem. ``honour`` says whether it heeds comments and annotations in the text that silence messages: the
published verdict does, ours does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from reprlib import repr as shortened
from typing import Any, NamedTuple, Protocol

from nl2fix.core.config import read
from nl2fix.core.errors import UsageError
from nl2fix.core.registry import nearest
from nl2fix.sandboxes.sandbox import Runtime
from nl2fix.validation.lint import java_texts

BROKEN = "broken"
"""Code of the message that stands for a text that is no program."""


class Message(NamedTuple):
    """What a linter says of one place."""

    code: str
    line: int
    """1-based; 0 when it is of the whole file."""
    column: int
    """1-based; 0 when it is of the whole line."""
    text: str

    @property
    def told(self) -> str:
        """As CodeLinterEval writes it."""
        return f"{self.code}: {self.text} in {self.line} line"


class Call(NamedTuple):
    """A command and the files it reads; paths are relative to its working folder."""

    command: Sequence[str]
    files: Mapping[str, str]


class Linter(Protocol):
    """A linter with its settings."""

    name: str
    language: str
    runtime: str
    """Kind of runtime it runs on."""
    package: str
    """Debian package that ships it; empty where none does."""

    @property
    def settings(self) -> Mapping[str, str]:
        """All that differs from its defaults."""
        ...

    def version(self, runtime: Runtime) -> Sequence[str]:
        """The command that tells its version."""
        ...

    def call(self, runtime: Runtime, path: str, text: str, honour: bool) -> Call:
        """How to lint one file."""
        ...

    def may_silence(self, text: str) -> bool:
        """Whether something in a text may silence it."""
        ...

    def messages(self, stdout: str, stderr: str, status: int) -> list[Message] | None:
        """What it said, in order; ``None`` when it broke."""
        ...


def feedback(messages: Sequence[Message]) -> str:
    """The messages as a model reads them, one a line, each line ended."""
    return "".join(f"{message.told}\n" for message in messages)


# -- Python -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Flake8Settings:
    """What of flake8 can be set; empty means its default."""

    select: str = ""
    ignore: str = ""
    max_line_length: str = ""
    max_complexity: str = ""


class Flake8:
    """Satisfies ``Linter``."""

    name, language, runtime = "flake8", "python", "python"
    package = "python3-flake8"

    def __init__(self, settings: Flake8Settings) -> None:
        self.settings = _given(settings)

    def version(self, runtime: Runtime) -> Sequence[str]:
        return [str(runtime.program), "-I", "-m", "flake8", "--version"]

    def call(self, runtime: Runtime, path: str, text: str, honour: bool) -> Call:
        heed = [] if honour else ["--disable-noqa"]
        form = "--format=%(row)d:%(col)d:%(code)s:%(text)s"
        command = [*self.version(runtime)[:-1], "--isolated", "-j1", form, *_flags(self.settings), *heed]
        return Call([*command, "--", path], {path: text})

    def may_silence(self, text: str) -> bool:
        return "noqa" in text.lower()

    def messages(self, stdout: str, stderr: str, status: int) -> list[Message] | None:
        told = [Message(m[3], int(m[1]), int(m[2]), m[4]) for m in _FLAKE8.finditer(stdout)]
        return told if status == 0 or (status == 1 and told) else None


_FLAKE8 = re.compile(r"^(\d+):(\d+):([A-Z]+\d+):(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class RuffSettings:
    """What of ruff can be set; empty means its default."""

    select: str = ""
    extend_select: str = ""
    ignore: str = ""
    line_length: str = ""
    target_version: str = ""


class Ruff:
    """Satisfies ``Linter``."""

    name, language, runtime = "ruff", "python", "python"
    package = ""

    def __init__(self, settings: RuffSettings) -> None:
        self.settings = _given(settings)

    @property
    def options(self) -> list[str]:
        """The settings as its flags."""
        return _flags(self.settings)

    def version(self, runtime: Runtime) -> Sequence[str]:
        return [str(runtime.program), "-I", "-m", "ruff", "--version"]

    def call(self, runtime: Runtime, path: str, text: str, honour: bool) -> Call:
        heed = [] if honour else ["--ignore-noqa"]
        command = [*self.version(runtime)[:-1], "check", "--isolated", "--no-cache", "--output-format=json"]
        read_as = text if honour else _ACTION.sub(lambda match: match[1] + "-" * len(match[2]), text)
        return Call([*command, *self.options, *heed, "--", path], {path: read_as})

    def may_silence(self, text: str) -> bool:
        return "noqa" in text.lower() or _ACTION.search(text) is not None

    def messages(self, stdout: str, stderr: str, status: int) -> list[Message] | None:
        try:
            return [_of_ruff(one) for one in json.loads(stdout)] if status in (0, 1) else None
        except (ValueError, KeyError, TypeError):
            return None


_ACTION = re.compile(r"(#[^\n#]*?)\b(isort|ruff)(?=\s*:)", re.IGNORECASE)
"""Comments that tell ruff what to leave alone, and that it heeds whatever its flags say."""


def _of_ruff(one: Mapping[str, Any]) -> Message:
    place = one["location"] or {"row": 0, "column": 0}
    code = one["code"] or BROKEN
    return Message(
        BROKEN if code == "invalid-syntax" else code, place["row"], place["column"], one["message"]
    )


# -- Java ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CheckstyleSettings:
    """What of Checkstyle can be set."""

    checks: str = ""
    """``sun`` or ``google`` (those that come with it), or the text of a configuration; empty means ours."""


class Checkstyle:
    """Satisfies ``Linter``. Filters that heed comments and annotations are taken out of a configuration for
    our verdict; ``sun`` and ``google`` have none that stands in the text."""

    name, language, runtime = "checkstyle", "java", "java"
    package = "checkstyle"

    def __init__(self, settings: CheckstyleSettings) -> None:
        given = settings.checks
        if given and given not in _SHIPPED and not given.lstrip().startswith("<"):
            raise UsageError(
                f"checkstyle has no checks {shortened(given)}; give sun, google or a configuration in XML"
            )
        self._settings, self.settings = settings, _given(settings)

    def version(self, runtime: Runtime) -> Sequence[str]:
        return ["/usr/bin/env", f"JAVA_HOME={runtime.home}", f"JAVA_ARGS={_BRIEF}", "checkstyle", "--version"]

    def call(self, runtime: Runtime, path: str, text: str, honour: bool) -> Call:
        shipped = _SHIPPED.get(self._settings.checks)
        checks = self._settings.checks or OWN_CHECKS.read_text(encoding="utf-8")
        files = {} if shipped else {_CHECKS: checks if honour else java_texts.without_filters(checks)}
        command = [*self.version(runtime)[:-1], "-c", shipped or _CHECKS, path]
        return Call(command, {**files, path: text})

    def may_silence(self, text: str) -> bool:
        checks = self._settings.checks
        return java_texts.without_filters(checks) != checks

    def messages(self, stdout: str, stderr: str, status: int) -> list[Message] | None:
        if "Starting audit..." not in stdout or "Audit done." not in stdout or _EXCEPTION in stdout + stderr:
            return None
        told = (m.groupdict("0") for m in _CHECKSTYLE.finditer(stdout))
        return [Message(m["code"], int(m["line"]), int(m["column"]), m["text"]) for m in told]


OWN_CHECKS = Path(__file__).with_name("checks.xml")
_SHIPPED = {"sun": "/sun_checks.xml", "google": "/google_checks.xml"}
_CHECKS = "nl2fix-checks.xml"
_BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss2m"
_EXCEPTION = "CheckstyleException"
_CHECKSTYLE = re.compile(
    r"^\[(?:ERROR|WARN|INFO)\] .*?\.java:(?P<line>\d+)(?::(?P<column>\d+))?: (?P<text>.*) \[(?P<code>\w+)\]$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class JavacSettings:
    """What of javac can be set."""

    lint: str = ""
    """Keys of ``-Xlint``, e.g. ``rawtypes,unchecked``; empty means all."""


class Javac:
    """Satisfies ``Linter``. Our verdict reads the text without ``@SuppressWarnings``."""

    name, language, runtime = "javac", "java", "java"
    package = "default-jdk-headless"

    def __init__(self, settings: JavacSettings) -> None:
        if not re.fullmatch(r"[a-z0-9,-]*", settings.lint):
            raise UsageError(f"javac has no -Xlint:{settings.lint}; give its keys with commas between them")
        self._settings, self.settings = settings, _given(settings)

    def version(self, runtime: Runtime) -> Sequence[str]:
        return [str(runtime.home / "bin" / "javac"), "-version"]

    def call(self, runtime: Runtime, path: str, text: str, honour: bool) -> Call:
        program = str(runtime.home / "bin" / "javac")
        jvm = [f"-J{option}" for option in _BRIEF.split()]
        lint = f"-Xlint:{self._settings.lint or 'all'}"
        quiet = ["-proc:none", "-implicit:none", "-encoding", "UTF-8", "-Xmaxwarns", "10000", "-d", "/tmp"]
        read_as = text if honour else java_texts.without_suppressions(text)
        return Call(
            ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", program, *jvm, lint, *quiet, path], {path: read_as}
        )

    def may_silence(self, text: str) -> bool:
        return "SuppressWarnings" in text or "\\u" in text

    def messages(self, stdout: str, stderr: str, status: int) -> list[Message] | None:
        told = [
            Message(m[3] or (BROKEN if m[2] == "error" else "other"), int(m[1]), 0, m[4])
            for m in _JAVAC.finditer(stdout)
        ]
        return told if status == 0 or (status == 1 and told) else None


_JAVAC = re.compile(r"^\S[^\n]*?\.java:(\d+): (error|warning): (?:\[([\w-]+)\] )?(.*)$", re.MULTILINE)

# -- by name ------------------------------------------------------------------------------------------

_KINDS: Mapping[str, tuple[type[Any], type[Any]]] = {
    "flake8": (Flake8, Flake8Settings),
    "ruff": (Ruff, RuffSettings),
    "checkstyle": (Checkstyle, CheckstyleSettings),
    "javac": (Javac, JavacSettings),
}
LINTERS = tuple(_KINDS)
SETTINGS = {name: tuple(kind.__dataclass_fields__) for name, (_, kind) in _KINDS.items()}
"""Linter → names of its settings; every value is a text."""


def make(name: str, settings: Mapping[str, Any]) -> Linter:
    """A linter by name; ``UsageError`` for an unknown one, and for settings that it has not."""
    if name not in _KINDS:
        raise UsageError(f"unknown linter {name!r}{nearest(name, LINTERS)}")
    kind, options = _KINDS[name]
    made: Linter = kind(read(options, settings, f"the settings of {name}"))
    return made


def _given(settings: Any) -> dict[str, str]:
    return {key: value for key, value in asdict(settings).items() if value}


def _flags(settings: Mapping[str, str]) -> list[str]:
    return [f"--{key.replace('_', '-')}={value}" for key, value in settings.items()]


def base(path: str) -> str:
    """The name under which a file is linted: its own, without folders."""
    return PurePosixPath(path).name
