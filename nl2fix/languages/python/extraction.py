"""The unit that an answer means, out of a fragment of Python, with what it needs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.python.lexemes import column_of, identifiers, scan
from nl2fix.languages.python.units import GRAMMAR, PythonUnit, find, indent_before, parse_entity, units_below
from nl2fix.languages.syntax import Patience, best_reading

if TYPE_CHECKING:
    from tree_sitter import Node


_SEARCHED = 32_000
"""Characters, from the end back, in which the unit is looked for when the fragment does not parse."""
_HEADERS = 4
"""Definitions of the unit's name that are tried then, the last first."""


def _pick(units: Sequence[PythonUnit], path: str) -> PythonUnit | None:
    """The last unit of that path, or of that name where the fragment lacks what is around it."""
    exact = [unit for unit in units if unit.path == path]
    name = path.rpartition(".")[2]
    bare = [
        unit for unit in units if unit.name == name and (path.endswith("." + unit.path) or "." not in path)
    ]
    fitting = exact or bare
    return max(fitting, key=lambda unit: (unit.clean, unit.span.start), default=None)


def _readings(text: str, name: str) -> Iterator[str]:
    """Ways to read a fragment, the likeliest first."""
    yield text
    even = textwrap.dedent(text)
    if even != text:
        yield even
    header = rf"^([ \t]*)(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b"
    first = max(0, len(text) - _SEARCHED)
    for match in islice(reversed(list(re.compile(header, re.MULTILINE).finditer(text, first))), _HEADERS):
        yield textwrap.dedent(_block(text, match.start(), len(match[1].expandtabs(8))))


def _block(text: str, start: int, column: int) -> str:
    """A definition's lines: decorators above, and everything below that is indented deeper."""
    while start:
        line = text.rfind("\n", 0, start - 1) + 1
        if not text[line:start].lstrip().startswith("@"):
            break
        start = line
    end, header_open, line_start, depth = len(text), True, False, 0
    for lexeme in scan(text[start:]):
        token = text[start + lexeme.start : start + lexeme.end]
        if lexeme.kind == "line":
            line_start = depth == 0
            continue
        if line_start and not header_open and column_of(text, start + lexeme.start) <= column:
            end = start + lexeme.start
            break
        depth = max(depth + (token in "([{") - (token in ")]}"), 0)
        header_open = header_open and not (token == ":" and depth == 0)
        line_start = False
    return text[start:end]


def _members(root: Node, text: str, unit: PythonUnit) -> list[tuple[frozenset[str], Span]]:
    """Definitions and assignments at the level of the unit: their names and regions."""
    node = root.named_descendant_for_byte_range(*unit.span)
    while node is not None and node.parent is not None and node.parent.type not in ("block", "module"):
        node = node.parent
    container = node.parent if node is not None else None
    members: list[tuple[frozenset[str], Span]] = []
    for child in container.named_children if container is not None else ():
        names = frozenset() if child.has_error else _declared(text, child)
        span = Span(
            child.start_byte, child.start_byte + len(text[child.start_byte : child.end_byte].rstrip())
        )
        if names and span != unit.span:
            members.append((names, span))
    return members


def _declared(text: str, node: Node) -> frozenset[str]:
    inner = node
    if node.type == "decorated_definition":
        inner = node.child_by_field_name("definition") or node
    if inner.type in ("function_definition", "class_definition"):
        name = inner.child_by_field_name("name")
    elif (
        node.type == "expression_statement"
        and node.named_child_count
        and (node.named_children[0].type == "assignment")
    ):
        name = node.named_children[0].child_by_field_name("left")
    else:
        name = None
    return frozenset() if name is None else frozenset({text[name.start_byte : name.end_byte]})


def _imports(text: str) -> list[str]:
    kinds = ("import_statement", "import_from_statement")
    nodes = [node for node in GRAMMAR.root(text).children if node.type in kinds]
    return [text[node.start_byte : node.end_byte].strip() for node in nodes]


def _bound(line: str) -> set[str]:
    """Names that an import statement binds; ``*`` for all of a module's."""
    names = line.partition("import")[2] if line.startswith("from") else line.removeprefix("import")
    parts = (part.split(" as ")[-1].strip(" ()\n\t") for part in names.split(","))
    return {part.partition(".")[0] for part in parts}


def _place_of_imports(root: Node) -> int:
    """End of the last import, future import or docstring at the top of a module; 0 for none."""
    place = 0
    for index, node in enumerate(child for child in root.named_children if child.type != "comment"):
        docstring = index == 0 and node.type == "expression_statement"
        if "import" in node.type or (docstring and node.named_children[0].type == "string"):
            place = node.end_byte
        else:
            break
    return place


def _flush(text: str, span: Span) -> str:
    """A unit's text moved to the left margin; lines inside string literals stay as they are."""
    indent = indent_before(text, span.start)
    return _shift(text[span.start : span.end], -indent)


def _shift(code: str, columns: int) -> str:
    """Move all lines but the first by some blanks, leaving the inside of string literals alone."""
    if columns == 0:
        return code
    strings = [lexeme for lexeme in scan(code) if lexeme.kind in ("string", "unclosed")]
    inside = {
        position + 1
        for lexeme in strings
        for position in range(lexeme.start, lexeme.end)
        if code[position] == "\n"
    }
    parts, offset = [], 0
    for line in code.splitlines(keepends=True):
        if offset == 0 or offset in inside or not line.strip():
            parts.append(line)
        elif columns > 0:
            parts.append(" " * columns + line)
        else:
            blanks = len(line) - len(line.lstrip(" \t"))
            parts.append(line[min(blanks, -columns) :])
        offset += len(line)
    return "".join(parts)


def extract(text: str, entity: str, context: str | None = None) -> str | None:
    """The unit, with new helpers that stand next to it, out of a fragment of code.

    The fragment may be the bare unit, several units, a class or a file, indented as a whole or
    with text around it. Of several units that fit, the last one counts. Functions, classes and
    assignments next to the unit come along when ``context``, the file before the edit, does not
    have them; without ``context`` only those of a bare fragment. The result is indented to stand
    at the unit's place in ``context``, its first line excepted.
    """
    path, _ = parse_entity(entity)
    if path.rpartition(".")[2] not in text:
        return None

    def pick(root: Node, text: str) -> PythonUnit | None:
        return _pick(units_below(root, text), path)

    readings = _readings(text, path.rpartition(".")[2])
    best = best_reading(Patience(GRAMMAR.parser, text), ((reading, pick) for reading in readings))
    if best is None:
        return None
    root, reading, unit = best
    original = find(context, entity) if context is not None else None
    code = _with_helpers(root, reading, unit, context, original)
    return _shift(code, original.indent if original is not None else 0)


def _with_helpers(
    root: Node, text: str, unit: PythonUnit, context: str | None, original: PythonUnit | None
) -> str:
    alone = _flush(text, unit.span)
    if context is None and "." in unit.path:
        return alone
    taken = {unit.name}
    if context is not None and original is not None:
        around = GRAMMAR.root(context)
        taken |= {name for names, _ in _members(around, context, original) for name in names}
    pieces = [span for names, span in _members(root, text, unit) if not names & taken]
    above = [_flush(text, span) for span in pieces if span < unit.span]
    below = [_flush(text, span) for span in pieces if span > unit.span]
    return "\n\n".join([*above, alone, *below])


def adopt_imports(text: str, fragment: str) -> str:
    """``text``, a whole file, with the top-level imports of ``fragment`` that it uses and lacks."""
    if "import" not in fragment:
        return text
    used = {*identifiers(text), "*"}
    present = set(_imports(text))
    wanted = dict.fromkeys(_imports(textwrap.dedent(fragment)))
    new = [line for line in wanted if line not in present and _bound(line) & used]
    if not new:
        return text
    place = _place_of_imports(GRAMMAR.root(text))
    lines = "\n".join(new)
    return text[:place] + (f"\n{lines}" if place else f"{lines}\n") + text[place:]
