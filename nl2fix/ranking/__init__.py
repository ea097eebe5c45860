"""Rankers and embedders."""

from __future__ import annotations

from nl2fix.core.registry import Registry

RANKERS = Registry(
    "ranker",
    {
        name: f"nl2fix.ranking.{name}:make"
        for name in ("cosine", "vote", "logprob", "similarity", "hybrid", "learned")
    },
)
"""Name of a ranker → its factory ``(options, environment) -> Ranker``."""
