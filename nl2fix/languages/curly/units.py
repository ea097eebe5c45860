"""Functions and methods of a file, and the notation that names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.curly.traits import Traits
from nl2fix.languages.syntax import walk

if TYPE_CHECKING:
    from tree_sitter import Node

_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})
# Declarations around a function that belong to it: `const f = …;`, `template <…>`.
_AROUND = frozenset({"lexical_declaration", "variable_declaration", "template_declaration"})


@dataclass(frozen=True, slots=True)
class CurlyUnit:
    """A function or method as it stands in a text."""

    name: str
    path: str
    """Qualified name, ``Owner.name``."""
    number: int
    """1 for the first unit of this path in the text."""
    span: Span
    body: Span
    clean: bool
    """No syntax error inside."""


def units_of(traits: Traits, root: Node, text: str) -> tuple[CurlyUnit, ...]:
    """All units below a node in text order."""
    seen: Counter[str] = Counter()
    made: list[CurlyUnit] = []
    for node in walk(root):
        body = _body(traits, node)
        name = name_of(text, node) if body is not None else ""
        if body is None or not name:
            continue
        path = ".".join([*_owners(traits, node, text), name])
        seen[path] += 1
        whole = outermost(node)
        span, inner = Span(whole.start_byte, whole.end_byte), Span(body.start_byte, body.end_byte)
        made.append(CurlyUnit(name.rpartition(".")[2], path, seen[path], span, inner, not whole.has_error))
    return tuple(made)


def only_declares(traits: Traits, root: Node, text: str) -> bool:
    """See ``Language.only_declares``."""
    nodes = [node for node in root.named_children if not node.type.endswith("comment")]
    declared = [
        node.type in traits.owners
        or (node.type in _AROUND | traits.functions and bool(units_of(traits, node, text)))
        for node in nodes
    ]
    brought = [node.type in (traits.imports - _AROUND) | {"package_clause"} for node in nodes]
    return any(declared) and all(one or other for one, other in zip(declared, brought, strict=True))


def find(units: Sequence[CurlyUnit], entity: str) -> CurlyUnit | None:
    """The one unit that ``entity`` names; ``None`` for none or several."""
    path, number = parse_entity(entity)
    named = [unit for unit in units if unit.path == path]
    if not named and "." not in path:
        named = [unit for unit in units if unit.name == path]
    if number is not None:
        named = [unit for unit in named if unit.number == number]
    return named[0] if len(named) == 1 else None


def parse_entity(entity: str) -> tuple[str, int | None]:
    """``Owner.name#2(…)`` → path and number."""
    path, _, number = entity.partition("(")[0].strip().replace("::", ".").partition("#")
    return path, int(number) if number.isdigit() else None


def outermost(node: Node) -> Node:
    """The declaration that a unit's node is all of."""
    parent = node.parent
    return parent if parent is not None and parent.type in _AROUND and _only(parent) else node


def name_of(text: str, node: Node) -> str:
    """What a declaration is called; parts of a qualified name are joined by dots."""
    inner: Node | None = node
    while inner is not None and inner.type.endswith(("declarator", "function_definition")):
        if inner.type == "variable_declarator":
            inner = inner.child_by_field_name("name")
            break
        inner = inner.child_by_field_name("declarator") or next(
            (child for child in inner.named_children if child.type != "type_qualifier"), None
        )
    if inner is node and inner is not None:
        inner = node.child_by_field_name("name") or node.child_by_field_name("type")
    if inner is None:
        return ""
    written = text[inner.start_byte : inner.end_byte]
    return re.sub(r"\s+", "", written.partition("<")[0]).replace("::", ".").strip("*&")


def _body(traits: Traits, node: Node) -> Node | None:
    if node.type not in traits.functions:
        return None
    value = node.child_by_field_name("value")
    if value is not None:
        return value.child_by_field_name("body") if value.type in _VALUES else None
    return node.child_by_field_name("body")


def _owners(traits: Traits, node: Node, text: str) -> list[str]:
    path: list[str] = []
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        words = re.findall(r"\w+", text[receiver.start_byte : receiver.end_byte].partition("[")[0])
        path = words[-1:]
    parent = node.parent
    while parent is not None:
        if parent.type in traits.owners and (name := name_of(text, parent)):
            path.insert(0, name)
        parent = parent.parent
    return path


def _only(parent: Node) -> bool:
    """Whether a declaration declares nothing else; a template's parameters are its own."""
    return parent.type == "template_declaration" or parent.named_child_count == 1
