"""Probes in Java; see ``capabilities.HasProbes``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.java.units import GRAMMAR
from nl2fix.languages.syntax import inside, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_SOFT = 'if (true) throw new AssertionError("nl2fix probe"); '
_HARD = "Runtime.getRuntime().halt(97); "
_BLOCKS = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_OTHERS = frozenset({"local_variable_declaration", "switch_expression"})
_SKIPPED = frozenset({"labeled_statement"})


def probes(text: str, region: Span) -> dict[int, tuple[str, str]]:
    """Line → the text with a soft and with a hard probe before it."""
    probed: dict[int, tuple[str, str]] = {}
    for node in walk(GRAMMAR.root(text)):
        line = node.start_point[0] + 1
        if line not in probed and inside(node, region) and _is_statement(node):
            probed[line] = _probe(text, node, _SOFT), _probe(text, node, _HARD)
    return probed


def _is_statement(node: Node) -> bool:
    """Statements in their own right; a switch is one only where a block holds it."""
    if node.parent is None or node.type in _SKIPPED:
        return False
    if node.type in _OTHERS:
        return node.parent.type in _BLOCKS
    return node.type.endswith("_statement")


def _probe(text: str, node: Node, probe: str) -> str:
    start, end = node.start_byte, node.end_byte
    if node.parent is not None and node.parent.type in _BLOCKS:
        return text[:start] + probe + text[start:]
    return f"{text[:start]}{{ {probe}{text[start:end]} }}{text[end:]}"
