"""Is a problem still the one that was sampled?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields

from nl2fix.core.protocols import Language
from nl2fix.core.records import Problem

Pair = tuple[Problem, Problem]
"""A problem as first sampled, and as the suite has it now."""

_NAMES = {"instructions": "issue text", "suite": "suite", "project": "project", "language": "language"}
_APART = ("id", "metadata")
"""What changes neither prompts nor verdicts."""


def changed(pairs: Sequence[Pair], languages: Callable[[str], Language]) -> list[str]:
    """What differs, e.g. ``issue text of Math-2 and 3 more``; empty when nothing does."""
    by_aspect: dict[str, list[str]] = {}
    for old, new in pairs:
        for aspect in _differences(old, new, languages):
            by_aspect.setdefault(aspect, []).append(old.id)
    return [
        f"{aspect} of {ids[0]}{f' and {len(ids) - 1} more' if len(ids) > 1 else ''}"
        for aspect, ids in by_aspect.items()
    ]


def _differences(old: Problem, new: Problem, languages: Callable[[str], Language]) -> list[str]:
    names = [f.name for f in fields(Problem) if getattr(old, f.name) != getattr(new, f.name)]
    aspects = dict.fromkeys(_NAMES.get(name, "code") for name in names if name not in _APART)
    if "code" in aspects and old.alone and not new.alone:
        tokens = languages(old.language).tokens
        if not old.before or tokens(old.before) == tokens(new.before):  # its file has become known since
            del aspects["code"]
    return list(aspects)
