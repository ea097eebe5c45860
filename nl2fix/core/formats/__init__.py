"""Edit formats: how a completion encodes an edit. Every one raises ``NoEdit`` and nothing else.

No format knows a language: code is found, compared and placed through the ``Language`` Protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nl2fix.core.formats.blocks import NoEdit
from nl2fix.core.formats.diff import Diff
from nl2fix.core.formats.functions import DiffFunc, WholeFunc
from nl2fix.core.formats.method import Method
from nl2fix.core.formats.pathologies import PATHOLOGIES, pathologies
from nl2fix.core.formats.whole import Whole

__all__ = [
    "PATHOLOGIES",
    "Diff",
    "DiffFunc",
    "Method",
    "NoEdit",
    "Whole",
    "WholeFunc",
    "pathologies",
    "tool",
]

_TOOLS: Mapping[str, Mapping[str, Any]] = {form.name: form.tool for form in (WholeFunc, DiffFunc)}


def tool(edit_format: str) -> Mapping[str, Any] | None:
    """The tool that a request in this format must offer, in the form of the chat completions API.

    Its ``function.parameters`` is the JSON schema of the arguments. ``None`` for formats in plain text.
    """
    return _TOOLS.get(edit_format)
