"""Our end of the JavaScript server: starts one in a sandbox and asks it about programs."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nl2fix.core.errors import InfrastructureError
from nl2fix.sandboxes.process import printed
from nl2fix.sandboxes.sandbox import Launch, Limits, Sandbox

SERVER = Path(__file__).with_name("server.js").resolve()
STARTING_SECONDS = 60.0
GRACE_SECONDS = 20.0
"""Seconds beyond a program's own limits before its server counts as lost."""
PROCESSES = 64
_LARGEST = 1 << 20


class NodeServerLost(InfrastructureError):
    """The server ended, hung, or sent what is no answer."""

    def __init__(self, message: str, late: bool) -> None:
        super().__init__(message)
        self.late = late
        """Whether it was ended for overrunning its time."""


@dataclass(frozen=True)
class ScriptResult:
    """How a program ended; fields as in ``server.js``."""

    outcome: str
    stage: str
    message: str
    checks: int
    """Checks that held."""
    seconds: float
    waited: float = 0.0
    """Seconds of these in which it waited for a processor."""


def worker_limits(memory_mb: int) -> Limits:
    """What a server may use."""
    return Limits(memory_mb=memory_mb, processes=PROCESSES, cpus=2.0)


class NodeServer:
    """A server in a sandbox. Not thread-safe."""

    def __init__(self, sandbox: Sandbox, memory_mb: int) -> None:
        """Start it and wait until it is ready; ``InfrastructureError`` when it does not come up."""
        node = sandbox.runtime("node")
        heap = f"--max-old-space-size={memory_mb // 2}"
        self._process = sandbox.start(
            Launch(
                [str(node.program), heap, "-e", SERVER.read_text(encoding="utf-8")],
                read_only=node.mounts,
                limits=worker_limits(memory_mb),
            )
        )
        self._nonce, self._buffer = secrets.token_hex(16), b""
        self._send({"nonce": self._nonce})
        self._receive(STARTING_SECONDS)

    def judge(self, source: str, tests: str, seconds: float) -> ScriptResult:
        """Run a program in a realm of its own; raises ``NodeServerLost``."""
        self._send({"source": source, "tests": tests, "milliseconds": seconds * 1000})
        answer = self._receive(2 * seconds + GRACE_SECONDS)
        outcome, stage, message = (str(answer[key]) for key in ("outcome", "stage", "message"))
        took, waited = float(answer["seconds"]), float(answer["waited"])
        return ScriptResult(outcome, stage, message, int(answer["checks"]), took, waited)

    def close(self) -> None:
        """End the server."""
        self._process.kill()

    def _send(self, value: Mapping[str, Any]) -> None:
        try:
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._lost("does not listen") from error

    def _receive(self, seconds: float) -> dict[str, Any]:
        line = self._line(time.monotonic() + seconds)
        try:
            answer = json.loads(line)
            if not secrets.compare_digest(str(answer["nonce"]), self._nonce):
                raise self._lost("sent what is no answer")
        except (ValueError, TypeError, KeyError) as error:
            raise self._lost("sent what is no answer") from error
        return dict(answer)

    def _line(self, deadline: float) -> bytes:
        while b"\n" not in self._buffer:
            block = printed(self._process, 1 << 16, deadline - time.monotonic())
            if block is None:
                raise self._lost("does not answer", late=True)
            if not block or len(self._buffer) > _LARGEST:
                raise self._lost("ended")
            self._buffer += block
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _lost(self, what: str, late: bool = False) -> NodeServerLost:
        self.close()
        tail = " ".join(self._process.stderr_tail().split())[-200:]
        return NodeServerLost(f"the JavaScript worker {what}{': ' + tail if tail else ''}", late)
