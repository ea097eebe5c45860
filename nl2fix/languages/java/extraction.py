"""The unit that an answer means, out of a fragment of Java, with what it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from nl2fix.core.records import Span
from nl2fix.languages.java.lexemes import identifiers, scan
from nl2fix.languages.java.units import (
    CLASSES,
    GRAMMAR,
    UNITS,
    JavaUnit,
    Wanted,
    find,
    fits_exactly,
    fits_simply,
    parse_entity,
    slice_of,
    under,
    unit_of,
    units_below,
    units_of,
)
from nl2fix.languages.syntax import Patience, best_reading

if TYPE_CHECKING:
    from tree_sitter import Node


_MODIFIER_LINE = re.compile(
    r"\s*(?:@|(?:public|protected|private|static|final|abstract|synchronized|native|strictfp|default)\b)[^;{}]*"
)


_WRAPPER = "$Fragment"
_SEARCHED = 32_000
"""Characters, from the end back, in which the unit is looked for when the fragment does not parse."""
_HEADERS = 4
"""Declarations of the unit's name that are tried then, the last first."""


class _Piece(NamedTuple):
    """A member of a class or fragment: what it declares, and its text with comments before it."""

    names: frozenset[str]
    span: Span


def _readings(text: str, name: str) -> Iterator[tuple[str, bool]]:
    """Ways to read a fragment, the likeliest first: as a file, as members, with braces made even.

    With each goes whether it holds every declaration of ``name`` that the fragment has.
    """
    if re.search(r"\b(?:class|interface|enum|record)\b", text):
        yield text, True
    yield f"class {_WRAPPER} {{\n{text}\n}}", True
    yield text, True
    even = _balanced(text)
    if even != text:
        yield even, True
        yield f"class {_WRAPPER} {{\n{even}\n}}", True
    starts = list(_header_starts(text, name))
    for start in starts:
        yield f"class {_WRAPPER} {{\n{_balanced(text[start:], first=True)}\n}}", len(starts) == 1


def _balanced(text: str, first: bool = False) -> str:
    """The text cut at the first brace that closes too much, with missing closing braces added.

    With ``first`` it also ends where the first block closes.
    """
    depth = 0
    for lexeme in scan(text):
        token = text[lexeme.start : lexeme.end]
        if token == "}" and depth == 0:
            return text[: lexeme.start]
        depth += (token == "{") - (token == "}")
        if first and token == "}" and depth == 0:
            return text[: lexeme.end]
    return text + "\n" + "}" * depth if depth else text


def _header_starts(text: str, name: str) -> Iterator[int]:
    """Where a declaration of ``name`` may begin in a text that does not parse, the last first."""
    head = rf"^[ \t]*(?:[\w$@<][^\n;{{}}=]{{0,300}}[\s>\]])?{re.escape(name)}\s{{0,9}}\("
    pattern = head + r"[^;{}]{0,600}?\)[^;{}()]{0,300}\{"
    first = max(0, len(text) - _SEARCHED)
    for match in islice(reversed(list(re.compile(pattern, re.MULTILINE).finditer(text, first))), _HEADERS):
        start = match.start()
        while start:
            line = text.rfind("\n", 0, start - 1) + 1
            if not _MODIFIER_LINE.fullmatch(text[line : start - 1]):
                break
            start = line
        yield start


def _pick(units: Sequence[JavaUnit], wanted: Wanted) -> JavaUnit | None:
    """The unit of a fragment that stands for the wanted one."""
    named = [unit for unit in units if unit.name == wanted.name and unit.body is not None]
    for fits in (fits_exactly, fits_simply):
        fitting = [unit for unit in named if fits(unit, wanted)]
        inside = [unit for unit in fitting if wanted.owner and under(unit.owner, wanted.owner)]
        if inside or fitting:
            return (inside or fitting)[-1]
    return None


def _picked(wanted: Wanted, context: str | None, alone: bool, root: Node, text: str) -> JavaUnit | None:
    """That unit of a reading, or the only one of its name where no other can stand elsewhere."""
    units = units_below(root, text)
    return _pick(units, wanted) or (_renamed(units, wanted, units_of(context or "")) if alone else None)


def _renamed(units: Sequence[JavaUnit], wanted: Wanted, context: Sequence[JavaUnit]) -> JavaUnit | None:
    """The only unit of the wanted name, with other parameter types and no overload of the context."""
    named = [unit for unit in units if unit.name == wanted.name and unit.body is not None]
    taken = {unit.signature for unit in context}
    return named[0] if len(named) == 1 and named[0].signature not in taken else None


def _pieces(root: Node, text: str, unit: JavaUnit) -> list[_Piece]:
    """Members beside the unit, each with the comments directly before it."""
    node = root.named_descendant_for_byte_range(unit.span.start, unit.span.end)
    container = node.parent if node is not None and node.type in UNITS else None
    pieces: list[_Piece] = []
    comments: int | None = None
    for child in container.named_children if container is not None else ():
        if child.type.endswith("comment"):
            comments = child.start_byte if comments is None else comments
            continue
        start = child.start_byte if comments is None else comments
        comments = None
        names = _declared(text, child)
        if names and not child.has_error:
            pieces.append(_Piece(names, Span(start, child.end_byte)))
    return pieces


def _declared(text: str, node: Node) -> frozenset[str]:
    """What a member declares: ``name(Types)`` of a unit, the name of a class, the names of fields."""
    if node.type in UNITS:
        return frozenset({unit_of(text, node, "", None).signature})
    if node.type in CLASSES:
        return frozenset({"class " + slice_of(text, node.child_by_field_name("name"))})
    if node.type in ("field_declaration", "constant_declaration", "local_variable_declaration"):
        declarators = [c for c in node.named_children if c.type == "variable_declarator"]
        return frozenset("field " + slice_of(text, c.child_by_field_name("name")) for c in declarators)
    return frozenset()


@lru_cache(maxsize=64)
def _declared_beside(context: str, entity: str) -> frozenset[str]:
    """What the class of ``entity`` declares in the file before the edit."""
    unit = find(context, entity)
    if unit is None:
        return frozenset()
    around = frozenset(f"class {name}" for name in unit.owner.split("."))
    root = GRAMMAR.root(context)
    return around | {name for piece in _pieces(root, context, unit) for name in piece.names}


def _imports(text: str) -> list[str]:
    root = GRAMMAR.root(text)
    return [slice_of(text, node) for node in root.children if node.type == "import_declaration"]


def _last_name(line: str) -> str:
    """``Objects`` of ``import java.util.Objects;``; ``*`` of an import on demand."""
    return line.rstrip("; ").rpartition(".")[2].strip()


def _squeeze(line: str) -> str:
    return " ".join(line.split())


def extract(text: str, entity: str, context: str | None = None) -> str | None:
    """The unit, with new helpers that stand next to it, out of a fragment of code.

    The fragment may be the bare unit, several members, a class or a file, with its last braces
    missing or with text around it. Of several units that fit, the last one counts. A unit of
    the right name with other parameter types is taken when it is the only one of that name and
    not another overload of ``context``, the file before the edit. Members next to the unit come
    along when ``context`` does not have them; without ``context`` only those of a bare fragment.
    """
    wanted = parse_entity(entity)
    if wanted.name not in text:
        return None
    readings = (
        (reading, partial(_picked, wanted, context, alone)) for reading, alone in _readings(text, wanted.name)
    )
    best = best_reading(Patience(GRAMMAR.parser, text), readings)
    return None if best is None else _with_helpers(*best, entity, context)


def _with_helpers(root: Node, text: str, unit: JavaUnit, entity: str, context: str | None) -> str:
    alone = text[unit.span.start : unit.span.end]
    if context is None and unit.owner not in ("", _WRAPPER):
        return alone
    before = _declared_beside(context, entity) if context is not None else frozenset()
    taken = before | {unit.signature}
    new = [p for p in _pieces(root, text, unit) if p.span != unit.span and not p.names & taken]
    above = [text[p.span.start : p.span.end] for p in new if p.span < unit.span]
    below = [text[p.span.start : p.span.end] for p in new if p.span > unit.span]
    return "\n\n".join([*above, alone, *below])


def adopt_imports(text: str, fragment: str) -> str:
    """``text``, a whole file, with the imports of ``fragment`` that it uses and lacks."""
    if "import" not in fragment:
        return text
    used = {*identifiers(text), "*"}
    wanted = [_squeeze(line) for line in _imports(fragment)]
    present = {_squeeze(line) for line in _imports(text)}
    new = [line for line in dict.fromkeys(wanted) if line not in present and _last_name(line) in used]
    if not new:
        return text
    root = GRAMMAR.root(text)
    heads = [n for n in root.children if n.type in ("package_declaration", "import_declaration")]
    place = heads[-1].end_byte if heads else 0
    lines = "\n".join(new)
    return text[:place] + (f"\n{lines}" if place else f"{lines}\n") + text[place:]
