"""No sandbox: workers run as plain child processes with this user's rights, and see the network.

Only for code that is trusted; never chosen on its own. Time-outs, the memory limit and the killing
of whole process trees work as in a sandbox; paths are the host's, and writes go to the real folders.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.sandboxes import cgroups
from nl2fix.sandboxes.process import LocalProcess, spawn
from nl2fix.sandboxes.runtimes import INSTALL, Known, ask, of_host, system_name
from nl2fix.sandboxes.sandbox import Launch, Process, Runtime
from nl2fix.sandboxes.settings import refuse

PATH = "/usr/bin:/bin"
WARNING = "no sandbox: generated code runs with your rights and can read, write and send anything you can"


class Unprotected:
    """Satisfies ``sandbox.Sandbox``; warns (``RuntimeWarning``) when made."""

    name = "none"
    keeps_writes_apart = False
    shows: tuple[Path, ...] = (Path("/"),)
    mend = INSTALL

    def __init__(self) -> None:
        self._runtimes = Known(self._look_up)
        warnings.warn(WARNING, RuntimeWarning, stacklevel=2)

    def start(self, launch: Launch) -> Process:
        """Start a worker. Scratch folders are made where they are missing, not emptied."""
        for path in launch.scratch:
            path.mkdir(parents=True, exist_ok=True)
        if not launch.working_directory.is_dir():
            raise InfrastructureError(f"{launch.working_directory} is gone; it is the working directory")
        group = cgroups.create(launch.limits)
        environment = {"PATH": PATH, "HOME": "/tmp", "LANG": "C.UTF-8", **launch.environment}
        child = spawn(launch.command, group, environment, folder=launch.working_directory)
        return LocalProcess(child, group, launch.limits)

    def runtime(self, kind: str, wanted: str = "") -> Runtime:
        """This machine's."""
        return self._runtimes.get(kind, wanted)

    def close(self) -> None:
        """Nothing to release."""

    def _look_up(self, kind: str, wanted: str) -> Runtime:
        if kind != "java" and sys.platform != "linux":
            raise UsageError(f"without a sandbox, {kind} runs on Linux only; use `--sandbox docker`")
        where = f"{system_name(Path('/'))} without a sandbox"
        return of_host(kind, wanted, self.shows, where) or ask(self, kind, wanted, where)


def make(options: Mapping[str, Any], environment: Environment) -> Unprotected:
    """As ``choose.SANDBOXES`` wants it."""
    refuse("none", options)
    return Unprotected()
