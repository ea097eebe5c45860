"""The unit that an answer means, out of a fragment of code, with the helpers it brings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.curly.traits import Traits
from nl2fix.languages.curly.units import CurlyUnit, name_of, outermost, parse_entity, units_of
from nl2fix.languages.lexing import lexemes
from nl2fix.languages.syntax import Patience, best_reading

if TYPE_CHECKING:
    from tree_sitter import Node

    from nl2fix.languages.curly import Curly

_NO_NAMES = frozenset({"import", "const", "let", "var", "use", "as", "std", "pub", "self", "crate"})
_NOT_HELPERS = frozenset({"main", "tests", "_"})
"""What a file is run or tested by, which is not the unit's."""


def extract(language: Curly, traits: Traits, text: str, entity: str, context: str | None) -> str | None:
    """The unit named, with helpers that ``context`` lacks; ``None`` when nothing can replace it."""
    path, _ = parse_entity(entity)

    def pick(root: Node, text: str) -> CurlyUnit | None:
        return _pick(units_of(traits, root, text), path)

    readings = ((reading, pick) for reading in _readings(traits, text))
    best = best_reading(Patience(language.parser, text), readings)
    if best is None:
        return None
    root, reading, unit = best
    unit_text = reading[unit.span.start : unit.span.end]
    if context is None:
        return unit_text
    original = language.find(context, entity)
    taken = {unit.name}
    if original is not None:
        around = language.tree(context).root_node
        taken |= {name for name, _ in _members(around, context, original)}
    beside = [span for name, span in _members(root, reading, unit) if name not in taken]
    before = [reading[span.start : span.end] for span in beside if span < unit.span]
    after = [reading[span.start : span.end] for span in beside if span > unit.span]
    return "\n\n".join([*before, unit_text, *after])


def adopt_imports(language: Curly, traits: Traits, text: str, fragment: str) -> str:
    """``text`` with the imports of ``fragment`` that it uses and lacks, behind its own."""
    present = list(_imports(language, traits, text))
    bound = {name for _, _, names in present for name in names}
    used = set(language.identifiers(text))
    lines: list[str] = []
    for written, _, names in _imports(language, traits, fragment):
        present_already = any(written == other for other, _, _ in present) or written in lines
        wanted = not names or (names & used and not names & bound)
        if wanted and not present_already:
            lines.append(written)
    if not lines:
        return text
    place = max((end for _, end, _ in present), default=_after_package(language, text))
    added = "\n".join(lines)
    return text[:place] + (f"\n{added}" if place else f"{added}\n") + text[place:]


def _pick(units: Sequence[CurlyUnit], path: str) -> CurlyUnit | None:
    """The last clean unit of that path, or of that name where what is around it is missing."""
    exact = [unit for unit in units if unit.path == path]
    name = path.rpartition(".")[2]
    bare = [u for u in units if u.path in (name, f"$Fragment.{name}") or path.endswith(f".{u.path}")]
    return max(exact or bare, key=lambda unit: (unit.clean, unit.span.start), default=None)


def _readings(traits: Traits, text: str) -> Iterator[str]:
    """Ways to read a fragment, the likeliest first: as it is, as a member, with braces made even."""
    even = _balanced(traits, text)
    for reading in dict.fromkeys((text, even)):
        yield reading
        if traits.wrapper is not None:
            yield f"{traits.wrapper[0]}{reading}{traits.wrapper[1]}"


def _balanced(traits: Traits, text: str) -> str:
    """The text cut at the first brace that closes too much, with missing closing braces added."""
    depth = 0
    for lexeme in lexemes(traits.pattern, text):
        token = text[lexeme.start : lexeme.end]
        if token == "}" and depth == 0:
            return text[: lexeme.start]
        depth += (token == "{") - (token == "}")
    return text + "\n" + "}" * depth if depth else text


def _members(root: Node, text: str, unit: CurlyUnit) -> list[tuple[str, Span]]:
    """Declarations beside the unit: their names and regions."""
    node = root.named_descendant_for_byte_range(*unit.span)
    container = outermost(node).parent if node is not None else None
    members: list[tuple[str, Span]] = []
    for child in container.named_children if container is not None else ():
        name = "" if child.has_error else _declared(text, child)
        span = Span(child.start_byte, child.end_byte)
        if name and name not in _NOT_HELPERS and span != unit.span:
            members.append((name, span))
    return members


def _declared(text: str, node: Node) -> str:
    """The name a declaration brings; nothing for statements."""
    if not node.type.endswith(("declaration", "definition", "_item", "_specifier")):
        return ""
    name = name_of(text, node)
    if not name:
        inner = [child for child in node.named_children if child.type.endswith(("declarator", "_spec"))]
        inner += [child for child in node.named_children if child.type.endswith(("definition", "_specifier"))]
        name = name_of(text, inner[0]) if inner else ""
    return name.rpartition(".")[2]


def _imports(language: Curly, traits: Traits, text: str) -> Iterator[tuple[str, int, frozenset[str]]]:
    """Imports of a file: their text, where they end, the names they bind (none where nobody knows)."""
    for node in language.tree(text).root_node.named_children:
        written = text[node.start_byte : node.end_byte].strip()
        if node.type in traits.imports and not node.has_error and _brings(node, written):
            yield written, node.start_byte + len(written), _bound(node, written)


def _brings(node: Node, written: str) -> bool:
    """A variable's declaration is an import only where it requires a module."""
    return node.type not in ("lexical_declaration", "variable_declaration") or "require(" in written


def _bound(node: Node, written: str) -> frozenset[str]:
    if node.type in ("preproc_include", "using_declaration"):
        return frozenset()
    if node.type == "import_declaration":
        paths = re.findall(r'(?:(\w+)[ \t]+)?"([^"\n]+)"', written.removeprefix("import").strip())
        return frozenset(alias or path.rpartition("/")[2] for alias, path in paths)
    head = re.split(r"\bfrom\b|\brequire\(", written)[0]
    return frozenset(re.findall(r"\w+", head)) - _NO_NAMES


def _after_package(language: Curly, text: str) -> int:
    """End of Go's package clause; 0 where there is none."""
    heads = [n for n in language.tree(text).root_node.named_children if n.type == "package_clause"]
    return heads[0].end_byte if heads else 0
