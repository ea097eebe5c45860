"""Probes: a statement that fails, put in front of one line, tells whether the tests run that line.

A soft probe throws; code that swallows everything may hide it. A hard probe ends the process, which
nothing can hide, but costs a new worker. Lines on which no statement begins (blanks, braces, the
continuation of a statement) cannot run by themselves and get no probe.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nl2fix.core.records import Span

if TYPE_CHECKING:
    from tree_sitter import Node

_JAVA_SOFT = 'if (true) throw new AssertionError("nl2fix probe"); '
_JAVA_HARD = "Runtime.getRuntime().halt(97); "
_PYTHON_SOFT = 'raise AssertionError("nl2fix probe")'
_PYTHON_HARD = '__import__("os")._exit(97)'
_JAVA_BLOCKS = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_JAVA_OTHERS = frozenset({"local_variable_declaration", "switch_expression"})
_JAVA_SKIPPED = frozenset({"labeled_statement"})


def probes(language: str, text: str, region: Span) -> dict[int, tuple[str, str]]:
    """Line (1-based, of the whole text) → the text with a soft and with a hard probe before it.

    Only statements inside ``region`` are probed. An unknown language has no probes.
    """
    if language == "java":
        return _java(text, region)
    if language == "python":
        return _python(text, region)
    return {}


def _java(text: str, region: Span) -> dict[int, tuple[str, str]]:
    from nl2fix.languages.java import JAVA

    found: dict[int, tuple[str, str]] = {}
    for node in _walk(JAVA.tree(text).root_node):
        line = node.start_point[0] + 1
        if line in found or not _inside(node, region) or not _is_java_statement(node):
            continue
        found[line] = _java_probe(text, node, _JAVA_SOFT), _java_probe(text, node, _JAVA_HARD)
    return found


def _is_java_statement(node: Node) -> bool:
    """Statements in their own right; a switch is one only where a block holds it."""
    if node.parent is None or node.type in _JAVA_SKIPPED:
        return False
    if node.type in _JAVA_OTHERS:
        return node.parent.type in _JAVA_BLOCKS
    return node.type.endswith("_statement")


def _java_probe(text: str, node: Node, probe: str) -> str:
    start, end = node.start_byte, node.end_byte
    if node.parent is not None and node.parent.type in _JAVA_BLOCKS:
        return text[:start] + probe + text[start:]
    return f"{text[:start]}{{ {probe}{text[start:end]} }}{text[end:]}"


def _python(text: str, region: Span) -> dict[int, tuple[str, str]]:
    from nl2fix.languages.python import PYTHON

    found: dict[int, tuple[str, str]] = {}
    for node in _walk(PYTHON.tree(text).root_node):
        line = node.start_point[0] + 1
        parent = node.parent
        if line in found or not _inside(node, region) or parent is None or parent.type != "block":
            continue
        if node.type.endswith(("_statement", "_definition")) and not _is_docstring(node):
            found[line] = _python_probe(text, node, _PYTHON_SOFT), _python_probe(text, node, _PYTHON_HARD)
    return found


def _is_docstring(node: Node) -> bool:
    return node.type == "expression_statement" and [c.type for c in node.children] == ["string"]


def _python_probe(text: str, node: Node, probe: str) -> str:
    """The probe on the same line, before the statement, or on a line of its own before a compound one."""
    start = node.start_byte
    line_start = text.rfind("\n", 0, start) + 1
    indent = text[line_start:start]
    if indent.strip():
        return f"{text[:start]}{probe}; {text[start:]}"
    return f"{text[:line_start]}{indent}{probe}\n{text[line_start:]}"


def _inside(node: Node, region: Span) -> bool:
    return region.start < node.start_byte and node.end_byte <= region.end


def _walk(node: Node) -> Iterator[Node]:
    """All named nodes, outermost first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.named_children))
