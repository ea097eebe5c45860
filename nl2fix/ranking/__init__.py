"""Rankers and embedders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import ranker_record
from nl2fix.core.registry import Registry

RANKERS = Registry(
    "ranker",
    {
        name: f"nl2fix.ranking.{name}:make"
        for name in ("cosine", "vote", "logprob", "similarity", "hybrid", "learned")
    },
    group="nl2fix.rankers",
)
"""Name of a ranker → its factory ``(options, environment) -> Ranker``."""

DEFAULT = "vote"
"""The ranker of ``run`` and ``suggest``, chosen on real samples: benchmarks/ranking.md has the figures."""


def make(name: str, options: Mapping[str, Any], environment: Environment) -> Ranker:
    """The ranker of that name (or ``package.module:factory`` path) with its options.

    Whatever its own order, what changes nothing and what does not compile come last, unless the option
    ``hopeless_last`` is false.
    """
    from nl2fix.ranking.order import HopelessLast, RecordedRanker

    settings = dict(options)
    wanted = settings.pop("hopeless_last", True)
    if not isinstance(wanted, bool):
        raise UsageError(f"ranker {name}: hopeless_last is true or false, not {wanted!r}")
    ranker: Ranker = RANKERS.make(name, settings, environment)
    label = ranker.name if wanted else f"{ranker.name}+hopeless"
    return RecordedRanker(HopelessLast(ranker) if wanted else ranker, ranker_record(name, options, label))
