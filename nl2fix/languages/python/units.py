"""Functions and classes of a Python file, and the notation that names them."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.syntax import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Query

GRAMMAR = Grammar("tree_sitter_python")

_QUERY = "(function_definition) @unit (class_definition) @unit"


@dataclass(frozen=True, slots=True)
class PythonUnit:
    """A function or class as it stands in a text."""

    name: str
    path: str
    """Qualified name, ``Class.method``."""
    number: int
    """1 for the first definition of this path in the text."""
    span: Span
    body: Span
    indent: int
    """Characters of indentation on its first line."""
    kind: str
    """``function`` or ``class``."""
    clean: bool
    """No syntax error inside."""


@lru_cache(maxsize=1)
def _query() -> Query:
    return GRAMMAR.query(_QUERY)


@lru_cache(maxsize=64)
def units_of(text: str) -> tuple[PythonUnit, ...]:
    """Functions and classes of a file or fragment in text order, nested ones included."""
    return units_below(GRAMMAR.root(text), text)


def units_below(root: Node, text: str) -> tuple[PythonUnit, ...]:
    """All units of a parsed text, in text order."""
    from tree_sitter import QueryCursor

    nodes = QueryCursor(_query()).captures(root).get("unit", [])
    nodes = sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))
    outer: list[tuple[int, str]] = []
    seen: Counter[str] = Counter()
    units: list[PythonUnit] = []
    for node in nodes:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            continue
        while outer and outer[-1][0] < node.end_byte:
            outer.pop()
        short = text[name.start_byte : name.end_byte]
        path = ".".join([one for _, one in outer] + [short])
        outer.append((node.end_byte, short))
        seen[path] += 1
        span = _span(text, node)
        units.append(
            PythonUnit(
                name=short,
                path=path,
                number=seen[path],
                span=span,
                body=Span(body.start_byte, body.end_byte),
                indent=indent_before(text, span.start),
                kind="class" if node.type == "class_definition" else "function",
                clean=not node.has_error,
            )
        )
    return tuple(units)


def _span(text: str, node: Node) -> Span:
    """Region of a definition with its decorators and without blanks after it."""
    parent = node.parent
    start = (
        parent.start_byte if parent is not None and parent.type == "decorated_definition" else node.start_byte
    )
    return Span(start, start + len(text[start : node.end_byte].rstrip()))


def indent_before(text: str, position: int) -> int:
    """Characters of indentation before a position; 0 where anything else stands there."""
    line = text[max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1 : position]
    return len(line) if not line.strip() else 0


@lru_cache(maxsize=1024)
def parse_entity(entity: str) -> tuple[str, int | None]:
    """``Class.method#2(…)`` → path and number."""
    name, _, number = entity.partition("#")
    path = name.partition("(")[0].strip().removeprefix("def ").replace(".<locals>", "")
    return path, int(number) if number.isdecimal() else None


def entity(unit: PythonUnit, units: Sequence[PythonUnit]) -> str:
    """The notation that names this unit among all units of its file."""
    alone = sum(other.path == unit.path for other in units) == 1
    return unit.path if alone else f"{unit.path}#{unit.number}"


def find(text: str, entity: str) -> PythonUnit | None:
    """The one unit that ``entity`` names in a whole file; ``None`` for none or several."""
    path, number = parse_entity(entity)
    named = [unit for unit in units_of(text) if unit.path == path]
    if not named and "." not in path:
        named = [unit for unit in units_of(text) if unit.name == path]
    if number is not None:
        named = [unit for unit in named if unit.number == number]
    return named[0] if len(named) == 1 else None


def only_declares(code: str) -> bool:
    """See ``Language.only_declares``."""
    nodes = GRAMMAR.root(textwrap.dedent(code)).named_children
    kinds = {node.type for node in nodes} - {"comment"}
    declarations = {"function_definition", "class_definition", "decorated_definition"}
    return bool(kinds & declarations) and kinds <= declarations | {
        "import_statement",
        "import_from_statement",
    }
