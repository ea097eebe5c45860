"""nl2fix: benchmark and tool for fixing bugs from plain-language issue reports.

``from nl2fix import suggest`` is the Python form of ``nl2fix suggest``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nl2fix.suggestion.api import SuggestResult, suggest

__version__ = "0.1.0"
__all__ = ["SuggestResult", "__version__", "suggest"]


def __getattr__(name: str) -> Any:
    """``suggest`` and its result, imported when first asked for."""
    if name in ("suggest", "SuggestResult"):
        return getattr(import_module("nl2fix.suggestion.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
