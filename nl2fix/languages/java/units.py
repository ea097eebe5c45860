"""Methods and constructors of a Java file, and the notation that names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from nl2fix.core.records import Span
from nl2fix.languages.java.lexemes import scan, strip_comments
from nl2fix.languages.syntax import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Query

GRAMMAR = Grammar("tree_sitter_java")

CLASSES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)


UNITS = frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"})


_QUERY = f"""
[{" ".join(f"({kind})" for kind in sorted(UNITS))}] @unit
[{" ".join(f"({kind})" for kind in sorted(CLASSES))}] @class
(object_creation_expression (class_body) @anonymous)
(enum_constant (class_body) @anonymous)
"""

_PACKAGE = re.compile(r"\bpackage\s+[\w.]+\s*;")
_DECLARED = re.compile(r"^\ufeff?\s*package\s+([\w.]+)\s*;", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class JavaUnit:
    """A method or constructor as it stands in a text."""

    name: str
    parameters: tuple[str, ...] | None
    """Normalised parameter types; ``None`` for the compact constructor of a record."""
    owner: str
    """Path of enclosing classes, ``Outer.Inner``; empty for a unit that stands alone."""
    span: Span
    body: Span | None
    """From brace to brace; ``None`` for an abstract or native method."""
    kind: str
    """``method`` or ``constructor``."""
    clean: bool
    """No syntax error inside."""
    owner_body: Span | None
    """The enclosing class's body, from brace to brace."""

    @property
    def signature(self) -> str:
        """``name(Type1, Type2)``; the entity without the path of classes."""
        return self.name if self.parameters is None else f"{self.name}({', '.join(self.parameters)})"


class Wanted(NamedTuple):
    """An entity notation taken apart."""

    owner: str
    name: str
    parameters: tuple[str, ...] | None
    any_parameters: bool


def class_named(path: str) -> str:
    """Qualified name of the class that a source is called after, by its path below its source folder."""
    return path.removesuffix(".java").replace("/", ".")


@lru_cache(maxsize=1)
def _query() -> Query:
    return GRAMMAR.query(_QUERY)


@lru_cache(maxsize=64)
def units_of(text: str) -> tuple[JavaUnit, ...]:
    """Methods and constructors of a file or fragment in text order, abstract ones included."""
    return units_below(GRAMMAR.root(text), text)


def top_level_types(text: str) -> set[str]:
    """Names of the file's outermost classes that have a method or a constructor."""
    return {unit.owner.partition(".")[0] for unit in units_of(text)}


def units_below(root: Node, text: str) -> tuple[JavaUnit, ...]:
    """All units of a parsed text, in text order."""
    from tree_sitter import QueryCursor

    captures = QueryCursor(_query()).captures(root)
    nodes = [(node.start_byte, -node.end_byte, kind, node) for kind in captures for node in captures[kind]]
    nodes.sort(key=lambda item: item[:3])
    open_classes: list[tuple[int, str, Span | None]] = []
    anonymous: Counter[str] = Counter()
    units: list[JavaUnit] = []
    for _, negative_end, kind, node in nodes:
        while open_classes and open_classes[-1][0] < -negative_end:
            open_classes.pop()
        path = ".".join(name for _, name, _ in open_classes)
        if kind == "unit":
            units.append(unit_of(text, node, path, open_classes[-1][2] if open_classes else None))
        elif kind == "class":
            name = node.child_by_field_name("name")
            body = node.child_by_field_name("body")
            open_classes.append((-negative_end, slice_of(text, name), span_of(body) if body else None))
        else:
            anonymous[path] += 1
            open_classes.append((-negative_end, str(anonymous[path]), span_of(node)))
    return tuple(unit for unit in units if unit.name)


def unit_of(text: str, node: Node, path: str, owner_body: Span | None) -> JavaUnit:
    """The unit that a node is, in the class of this path."""
    body = node.child_by_field_name("body")
    compact = node.type == "compact_constructor_declaration"
    return JavaUnit(
        name=slice_of(text, node.child_by_field_name("name")),
        parameters=None if compact else _parameters(text, node.child_by_field_name("parameters")),
        owner=path,
        span=span_of(node),
        body=span_of(body) if body is not None else None,
        kind="method" if node.type == "method_declaration" else "constructor",
        clean=not node.has_error,
        owner_body=owner_body,
    )


def span_of(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def slice_of(text: str, node: Node | None) -> str:
    """A node as written; empty without one."""
    return "" if node is None else text[node.start_byte : node.end_byte]


def _parameters(text: str, node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    types: list[str] = []
    for child in node.named_children:
        if child.type == "formal_parameter":
            dimensions = child.child_by_field_name("dimensions")
            types.append(
                _normal_type(slice_of(text, child.child_by_field_name("type")) + slice_of(text, dimensions))
            )
        elif child.type == "spread_parameter":
            kinds = [c for c in child.named_children if c.type not in ("modifiers", "variable_declarator")]
            types.append(_normal_type(slice_of(text, kinds[0]) if kinds else "") + "...")
    return tuple(types)


@lru_cache(maxsize=4096)
def _normal_type(written: str) -> str:
    """A type as in an entity: no annotations, type arguments, comments, blanks; ``final`` dropped."""
    if written.isalnum():
        return written
    parts: list[str] = []
    depth = 0
    tokens = [written[t.start : t.end] for t in scan(written) if t.kind != "comment"]
    skip_name = False
    for token in tokens:
        if token == "<":
            depth += 1
        elif token.strip(">") == "":
            depth -= len(token)
        elif token == "@":
            skip_name = True
        elif skip_name:
            skip_name = False
        elif depth == 0 and token not in ("final", "(", ")"):
            parts.append(token)
    return "".join(parts)


@lru_cache(maxsize=1024)
def parse_entity(entity: str) -> Wanted:
    """An entity notation taken apart."""
    owner, _, rest = entity.rpartition("#")
    name, parenthesis, inside = rest.strip().partition("(")
    written = _split_types(inside.strip().removesuffix(")"))
    parameters = tuple(_normal_type(_drop_name(one)) for one in written)
    return Wanted(owner.strip(), name.strip(), parameters if parenthesis else None, not parenthesis)


def _split_types(inside: str) -> list[str]:
    """Cut at commas outside angle brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(inside):
        depth += (character == "<") - (character == ">")
        if character == "," and depth == 0:
            parts.append(inside[start:index])
            start = index + 1
    rest = inside[start:]
    return [*parts, rest] if rest.strip() or parts else []


def _drop_name(written: str) -> str:
    """``final String[] names`` as people write it in a notation → ``final String[]``."""
    match = re.fullmatch(r"(.*[\w$>\].])\s+(?!extends\b|super\b)[A-Za-z_$][\w$]*\s*((?:\[\])*)\s*", written)
    if match is None or match[1].split()[-1] == "final":
        return written
    return match[1] + match[2]


def _simple(parameters: Sequence[str] | None) -> tuple[str, ...]:
    """Parameter types by their simple names; ``a.b.C...`` → ``C...``."""
    return tuple(re.sub(r"(?:[\w$]+\.)+(?=[\w$])", "", one) for one in parameters or ())


def fits_exactly(unit: JavaUnit, wanted: Wanted) -> bool:
    """Equal as written, or no parameters are asked for."""
    return wanted.any_parameters or unit.parameters == wanted.parameters


def fits_simply(unit: JavaUnit, wanted: Wanted) -> bool:
    """Equal by simple names, an array standing for varargs and the other way round."""
    if unit.parameters is None or wanted.parameters is None:
        return False
    ours, theirs = (
        [one.replace("...", "[]") for one in _simple(p)] for p in (unit.parameters, wanted.parameters)
    )
    return ours == theirs


def under(owner: str, suffix: str) -> bool:
    """Whether a path of classes ends in another."""
    return owner == suffix or owner.endswith("." + suffix)


def entity(unit: JavaUnit, units: Sequence[JavaUnit]) -> str:
    """The shortest notation that names this unit among all units of its file."""
    same = [other for other in units if other.signature == unit.signature and other is not unit]
    if not same or not unit.owner:
        return unit.signature
    parts = unit.owner.split(".")
    for count in range(1, len(parts)):
        suffix = ".".join(parts[-count:])
        if not any(under(other.owner, suffix) for other in same):
            return f"{suffix}#{unit.signature}"
    return f"{unit.owner}#{unit.signature}"


def find(text: str, entity: str) -> JavaUnit | None:
    """The one unit that ``entity`` names in a whole file; ``None`` for none or several."""
    wanted = parse_entity(entity)
    named = [unit for unit in units_of(text) if unit.name == wanted.name]
    for fits in (fits_exactly, fits_simply):
        fitting = [unit for unit in named if fits(unit, wanted)]
        exact = [unit for unit in fitting if unit.owner == wanted.owner]
        if wanted.owner:
            fitting = exact or [unit for unit in fitting if under(unit.owner, wanted.owner)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def only_declares(code: str) -> bool:
    """See ``Language.only_declares``."""
    kinds = {node.type for node in GRAMMAR.root(code).named_children}
    kinds -= {"line_comment", "block_comment"}
    declarations = {*UNITS, *CLASSES, "annotation_type_declaration"}
    return bool(kinds & declarations) and kinds <= declarations | {
        "package_declaration",
        "import_declaration",
    }


def package_of(text: str) -> str:
    """The package a source file declares; empty for the default one."""
    for declaration in _PACKAGE.finditer(text):
        # Whether it is one or stands in a comment, only what is before it tells.
        if declared := _DECLARED.search(strip_comments(text[: declaration.end()] + "*/")):
            return declared[1]
    return ""


def documentation(text: str, start: int) -> str:
    """The Javadoc comment before an offset, up to there; empty when there is none."""
    before = text[:start].rstrip()
    opened = before.rfind("/*") if before.endswith("*/") else -1
    return text[opened:start] if opened >= 0 and before.startswith("/**", opened) else ""
