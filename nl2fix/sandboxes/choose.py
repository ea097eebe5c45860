"""Which sandbox a run uses: the one asked for by name, else bubblewrap, else docker, never ``none``.

A sandbox from outside is one file: ``package.module:factory`` names a function of ``(options,
environment)`` that refuses options it has no use for and returns a ``Sandbox``.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.registry import Registry
from nl2fix.sandboxes.ending import Ending
from nl2fix.sandboxes.sandbox import Sandbox
from nl2fix.sandboxes.settings import SandboxSettings, of

SANDBOXES = Registry(
    "sandbox",
    {
        "bubblewrap": "nl2fix.sandboxes.bubblewrap:make",
        "docker": "nl2fix.sandboxes.docker:make",
        "none": "nl2fix.sandboxes.none:make",
    },
    group="nl2fix.sandboxes",
)
"""Name of a sandbox → its factory; options are ``image`` and ``root``, where they are given."""
WINDOWS = "nothing is compiled or tested on Windows itself: run nl2fix in WSL 2 (see README.md)"


def choose(environment: Environment) -> Sandbox:
    """A ready sandbox, which ends what it started when it is closed.

    ``UsageError`` says in one line what is missing and how to mend it.
    """
    if not hasattr(os, "killpg"):
        raise UsageError(WINDOWS)
    settings = of(environment)
    if settings.name:
        return _made(settings.name, settings, environment)
    reasons = []
    for name in _suitable(settings):
        try:
            return _made(name, settings, environment)
        except UsageError as error:
            reasons.append(str(error))
    raise UsageError(f"no sandbox to run tests in: {'; '.join(reasons)}")


class WhenNeeded:
    """A sandbox that is made when it is first asked for, but not once this was closed. Thread-safe."""

    def __init__(self, environment: Environment, make: Callable[[Environment], Sandbox] = choose) -> None:
        self._environment, self._make = environment, make
        self._lock = threading.Lock()
        self._sandbox: Sandbox | None = None
        self._closed = False

    def __call__(self) -> Sandbox:
        with self._lock:
            if self._sandbox is None and self._closed:
                raise InfrastructureError("the sandbox was closed meanwhile")
            if self._sandbox is None:
                self._sandbox = self._make(self._environment)
            return self._sandbox

    def close(self) -> None:
        """End what is under way in it, or will be once it is made."""
        with self._lock:  # waits for one that is being made
            self._closed = True
        if self._sandbox is not None:
            self._sandbox.close()


def _suitable(settings: SandboxSettings) -> tuple[str, ...]:
    """Names to try: a setting that only one sandbox has decides for it."""
    if settings.root is not None and settings.image:
        raise UsageError("root is a setting of sandbox bubblewrap and image one of docker; give one of them")
    if settings.root is not None:
        return ("bubblewrap",)
    return ("docker",) if settings.image else ("bubblewrap", "docker")


def _made(name: str, settings: SandboxSettings, environment: Environment) -> Sandbox:
    return Ending(SANDBOXES.make(name, settings.options, environment))
