"""The table ``[cluster]``: which cluster, and where its nodes find workspaces and verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nl2fix.core.config import Environment

TABLE = "cluster"


@dataclass(frozen=True)
class ClusterSettings:
    """Settings of the room."""

    address: str = ""
    """Of a Dask scheduler (``tcp://head:8786``), or its scheduler file; empty means this machine alone."""
    store: str = ""
    """Folder or fsspec URL (``s3://…``) that all nodes reach; empty means ``cluster`` inside the cache."""
    cache_mb: int = 20_480
    """MiB of workspaces that a node keeps; the least recently used go."""
    patience: float = 600.0
    """Seconds that a run waits for a node when none is left, before it ends."""


def of(environment: Environment) -> ClusterSettings:
    """What was set; raises ``UsageError`` for what is no setting."""
    return environment.table(TABLE, ClusterSettings)
