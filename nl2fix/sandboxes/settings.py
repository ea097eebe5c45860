"""Settings of the room: which sandbox runs tests, and how much of it they may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nl2fix.core.errors import UsageError

if TYPE_CHECKING:
    from nl2fix.core.config import Environment

IMAGE = "nl2fix-java"
"""Image of the docker sandbox where none is named."""
LEAST_MEMORY, MOST_MEMORY = 128, 1 << 20
"""MiB a worker may be given. With less a JVM cannot work: it is killed, or collects garbage all the time."""
_PARTICULAR = {"image": "docker", "root": "bubblewrap"}


@dataclass(frozen=True)
class SandboxSettings:
    """The table ``[sandbox]``."""

    name: str = ""
    """``docker``, ``bubblewrap``, ``none`` or ``package.module:maker``; empty picks one."""
    image: str = ""
    """Image of the docker sandbox; empty means ``nl2fix-java``."""
    root: Path | None = None
    """Folder of another system, e.g. one with an old JDK, that bubblewrap shows instead of ours."""
    memory: int = 2048
    """MiB per worker."""
    timeout: float = 0.0
    """Seconds a candidate's tests may take; 0 means derived from the measured baseline."""
    python: str = ""
    """Interpreter whose libraries Python programs may use; empty means ours, without its libraries."""

    @property
    def options(self) -> dict[str, object]:
        """What is given of the settings that not every sandbox has."""
        return {name: getattr(self, name) for name in _PARTICULAR if getattr(self, name)}


def refuse(sandbox: str, options: Mapping[str, object], *supported: str) -> None:
    """``UsageError`` for the first option that ``sandbox`` has no use for."""
    for name in options:
        if name not in supported:
            hint = f" ({_PARTICULAR[name]} has)" if name in _PARTICULAR else ""
            raise UsageError(f"sandbox {sandbox} has no setting {name!r}{hint}; leave it out")


def of(environment: Environment) -> SandboxSettings:
    """The sandbox's part of what every component is given; ``UsageError`` for what cannot be."""
    settings = environment.table("sandbox", SandboxSettings)
    if settings.timeout < 0:
        raise UsageError(f"sandbox.timeout must be at least 0, not {settings.timeout:g}")
    if not LEAST_MEMORY <= settings.memory <= MOST_MEMORY:
        limits = f"{LEAST_MEMORY} to {MOST_MEMORY} (MiB)"
        raise UsageError(f"sandbox.memory must be {limits}, not {settings.memory}")
    return settings
