"""Runs linters, fixers and compilers on one text, each in a sandbox of its own, within limits."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.sandboxes.choose import WhenNeeded, choose
from nl2fix.sandboxes.once import CommandBounds, Finished, run
from nl2fix.sandboxes.runtimes import real_place
from nl2fix.sandboxes.sandbox import Limits, Runtime, Sandbox
from nl2fix.sandboxes.settings import of
from nl2fix.validation.lint.linters import Linter, Message, base

SECONDS = 20
"""Processor time of one command; a linter takes a fraction of a second for a file of usual size."""
WALL_SECONDS = 120.0
PROCESSES = 256
OUTPUT_BYTES = 4 << 20
_NOWHERE = "Debian ships none; `--sandbox bubblewrap` sees the one that pip installed"
_BOUNDED = 'ulimit -S -t "$1"; ulimit -H -t "$(($1+1))"; shift; exec "$@"'
_CAUSE = re.compile(
    r"^(?:Caused by: )?(?:\w+\.)+\w+(?:Exception|Error)(?:: |; systemId: \S+; )(.+)$", re.MULTILINE
)
"""Why a JVM ended, the innermost last."""
_SIGKILL = 128 + 9


class Linted(NamedTuple):
    """What a linter made of a text."""

    messages: tuple[Message, ...] = ()
    late: bool = False
    """It did not end within its time."""
    broken: str = ""
    """Why it broke on the text."""

    @property
    def clean(self) -> bool:
        return not (self.messages or self.late or self.broken)


class Desk:
    """Thread-safe; keeps no process."""

    def __init__(
        self, environment: Environment, make_sandbox: Callable[[Environment], Sandbox] = choose
    ) -> None:
        self.sandbox = WhenNeeded(environment, make_sandbox)
        self._memory = max(1024, of(environment).memory)
        self._versions: dict[str, str] = {}

    def close(self) -> None:
        """End what is under way."""
        self.sandbox.close()

    def tools(self, kind: str) -> Runtime:
        """The runtime of linters and fixers: for Python the one we run on, with its packages."""
        if kind != "python":
            return self.sandbox().runtime(kind)
        try:
            return self.sandbox().runtime(kind, sys.executable)
        except UsageError:  # another system's sandbox has its own
            return self.sandbox().runtime(kind)

    def version(self, linter: Linter) -> str:
        """What the linter tells of itself; ``UsageError`` where it is not installed."""
        if linter.name not in self._versions:
            runtime = self.tools(linter.runtime)
            ended = self.run(linter.version(runtime), {}, runtime)
            if ended.status != 0:
                raise self.lacks(linter.name, linter.package, runtime)
            told = " ".join((ended.stdout or ended.stderr).split())
            self._versions[linter.name] = told.partition(" on ")[0]
        return self._versions[linter.name]

    def lacks(self, tool: str, package: str, runtime: Runtime) -> UsageError:
        """What to say where a tool is not installed; Python's come with us where they run on our own."""
        how = self.sandbox().mend.format(package) if package else _NOWHERE
        if runtime.program == real_place(Path(sys.executable)):
            how = "install it with: pip install 'nl2fix[lint]'"
        return UsageError(f"no {tool} in the sandbox {self.sandbox().name}; {how}")

    def lint(self, linter: Linter, path: str, text: str, honour: bool = True) -> Linted:
        """The linter's messages on a file. ``honour``: comments in it may silence some."""
        self.version(linter)
        runtime = self.tools(linter.runtime)
        call = linter.call(runtime, base(path), text, honour)
        ended = self.run(call.command, call.files, runtime)
        if ended.late:
            return Linted(late=True)
        if ended.overrun:
            return Linted(broken="it has more to say than is read")
        messages = linter.messages(ended.stdout, ended.stderr, ended.status or 0)
        if messages is None:
            words = (ended.stderr.strip() or ended.stdout.strip()).splitlines()
            causes = _CAUSE.findall(ended.stdout + ended.stderr)
            return Linted(broken=(causes or words or [f"it ended with status {ended.status}"])[-1][:300])
        return Linted(tuple(messages))

    def run(
        self, command: Sequence[str], files: Mapping[str, str], runtime: Runtime, stdin: str = ""
    ) -> Finished:
        """Run a command on files; one that is killed from outside, or stopped by the clock on the wall, is
        run again, once.
        """
        script = ["/bin/sh", "-c", _BOUNDED, "sh", str(SECONDS), *command]
        limits = Limits(memory_mb=self._memory, processes=PROCESSES, cpus=2.0)
        bounds = CommandBounds(WALL_SECONDS, OUTPUT_BYTES, limits)
        mounts = runtime.mounts
        for _ in range(2):
            ended = run(self.sandbox(), script, files, bounds, read_only=mounts, stdin=stdin)
            if ended.status != _SIGKILL and ended.overrun != "time":
                return ended
        if ended.late or ended.stderr.strip():
            return ended
        raise InfrastructureError(f"{command[0]} is killed, again and again: too little memory?")
