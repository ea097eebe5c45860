"""Edit formats: how a completion encodes an edit. Every one raises ``NoEdit`` and nothing else.

No format knows a language: code is found, compared and placed through the ``Language`` Protocol. All that
is to know of a format (what it shows, how it is asked for, its tool, its pathologies) stands in its class.
"""

from __future__ import annotations

from nl2fix.core.errors import UsageError
from nl2fix.core.formats.blocks import NoEdit
from nl2fix.core.formats.diff import Diff, Udiff
from nl2fix.core.formats.faults import PATHOLOGIES
from nl2fix.core.formats.functions import DiffFunc, WholeFunc
from nl2fix.core.formats.method import Method
from nl2fix.core.formats.whole import Whole
from nl2fix.core.protocols import EditFormat
from nl2fix.core.registry import Registry

__all__ = [
    "FORMATS",
    "PATHOLOGIES",
    "Diff",
    "DiffFunc",
    "Method",
    "NoEdit",
    "Udiff",
    "Whole",
    "WholeFunc",
    "edit_format",
]

_PARTS = ("name", "sees", "shapes", "tool", "ask", "answer", "extract", "faults")

FORMATS = Registry(
    "edit format",
    {
        "method": "nl2fix.core.formats.method:Method",
        "whole": "nl2fix.core.formats.whole:Whole",
        "diff": "nl2fix.core.formats.diff:Diff",
        "udiff": "nl2fix.core.formats.diff:Udiff",
        "whole-func": "nl2fix.core.formats.functions:WholeFunc",
        "diff-func": "nl2fix.core.formats.functions:DiffFunc",
    },
    group="nl2fix.formats",
)
"""Name of a format → factory of what satisfies ``EditFormat``."""


def edit_format(name: str, environment: object = None) -> EditFormat:
    """The format of that name, or at that ``package.module:attribute`` path; ``UsageError`` if it is none."""
    made: EditFormat = FORMATS.make(name, {}, environment)
    lacking = [part for part in _PARTS if not hasattr(made, part)]
    if lacking:
        raise UsageError(f"edit format {name!r} has no {', '.join(lacking)} (see EditFormat)")
    return made
