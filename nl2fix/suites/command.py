"""External commands that always end: on time-out or interruption the whole process group is killed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nl2fix.core.errors import InfrastructureError

_SHOWN = 400
_GRACE = 10.0
_CAUSE = re.compile(
    r"\berror:|\bfatal:|^Caused by:|\bERROR\b|No space left|Permission denied|command not found"
)
_FRAME = re.compile(r"\s+(?:at |\.\.\. |\S.* called at \S+ line \d)")
"""Of a stack trace of Java or Perl."""


class Output(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    stdout: str
    stderr: str

    @property
    def reason(self) -> str:
        """Why a command failed, on one line: the lines that name a cause, else its last words."""
        lines = [*self.stderr.splitlines(), *self.stdout.splitlines()]
        causes = [i for i, line in enumerate(lines) if _CAUSE.search(line) and not _FRAME.match(line)]
        if causes:
            told = [line for i in causes[:2] for line in lines[i : i + 3] if not _FRAME.match(line)]
            return " ".join(" ".join(dict.fromkeys(told)).split())[:_SHOWN]
        said = (self.stderr.strip() or self.stdout.strip()).splitlines()
        return " ".join(" ".join(line for line in said if not _FRAME.match(line)).split())[-_SHOWN:]


class TooSlow(InfrastructureError):
    """A command was killed because its time was up."""


def run(
    command: Sequence[str | Path],
    folder: Path,
    timeout: float,
    environment: Mapping[str, str] | None = None,
) -> Output:
    """Run a command to its end, without input. ``environment`` is added to ours.

    Raises ``TooSlow`` after ``timeout`` seconds, ``InfrastructureError`` when it cannot be started.
    """
    try:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise InfrastructureError(f"cannot run {command[0]}: {error.strerror}") from error
    try:
        stdout, stderr = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        words = " ".join(str(part) for part in command)
        raise TooSlow(f"`{words}` took longer than {timeout:g} s and was killed") from None
    finally:
        _end(child)
    return Output(child.returncode, stdout, stderr)


def _end(child: subprocess.Popen[str]) -> None:
    """Kill what is left of the group; its leader may be gone while its children are not."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()
    child.wait(_GRACE)
