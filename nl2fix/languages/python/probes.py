"""Probes in Python; see ``capabilities.HasProbes``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.python.units import GRAMMAR
from nl2fix.languages.syntax import inside, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_SOFT = 'raise AssertionError("nl2fix probe")'
_HARD = '__import__("os")._exit(97)'


def probes(text: str, region: Span) -> dict[int, tuple[str, str]]:
    """Line → the text with a soft and with a hard probe before it."""
    probed: dict[int, tuple[str, str]] = {}
    for node in walk(GRAMMAR.root(text)):
        line = node.start_point[0] + 1
        parent = node.parent
        if line in probed or not inside(node, region) or parent is None or parent.type != "block":
            continue
        if node.type.endswith(("_statement", "_definition")) and not _is_docstring(node):
            probed[line] = _probe(text, node, _SOFT), _probe(text, node, _HARD)
    return probed


def _is_docstring(node: Node) -> bool:
    return node.type == "expression_statement" and [c.type for c in node.children] == ["string"]


def _probe(text: str, node: Node, probe: str) -> str:
    """The probe on the same line, before the statement, or on a line of its own before a compound one."""
    start = node.start_byte
    line_start = text.rfind("\n", 0, start) + 1
    indent = text[line_start:start]
    if indent.strip():
        return f"{text[:start]}{probe}; {text[start:]}"
    return f"{text[:line_start]}{indent}{probe}\n{text[line_start:]}"
