"""Edit formats: how a completion encodes an edit. Every one raises ``NoEdit`` and nothing else.

No format knows a language: code is found, compared and placed through the ``Language`` Protocol.
"""

from __future__ import annotations

from nl2fix.core.formats.blocks import NoEdit
from nl2fix.core.formats.method import Method
from nl2fix.core.formats.whole import Whole

__all__ = ["Method", "NoEdit", "Whole"]
