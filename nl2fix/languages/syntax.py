"""Tree-sitter over characters: a text is masked so that byte offsets in the tree are character offsets.

Every character outside ASCII becomes one ASCII byte: a letter where it may stand in an identifier, a
control character elsewhere. The tree's shape is that of the original text (such characters occur in
identifiers, literals and comments only); read a node's text with ``text[node.start_byte:node.end_byte]``.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TypeVar

from nl2fix.core.records import Span

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser, Query, Tree


class Spanned(Protocol):
    @property
    def span(self) -> Span: ...


class Unit(Protocol):
    @property
    def clean(self) -> bool:
        """No syntax error inside."""
        ...


S = TypeVar("S", bound=Spanned)
U = TypeVar("U", bound=Unit)

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_LINE_END = re.compile(r"\r\n|\r|\n")


_STEPS = 0.014
"""Hundreds of operations of the parser a character: real code takes up to 0.0125, in one reading."""
_SPARE = 50
"""Hundreds of operations besides, for further readings: 4,000 characters of real code."""
_CHUNK = 1 << 16
_HEAP = 3_000


def masked(text: str) -> bytes:
    """The text as one byte per character, shaped like the original for a parser."""
    if text.isascii():
        return text.encode("ascii")
    return _FOREIGN.sub(lambda match: _stand_in(match[0]), text).encode("ascii")


@lru_cache(maxsize=4096)
def _stand_in(character: str) -> str:
    if character == "\ufeff":
        return " "
    return "x" if ("a" + character).isidentifier() or character in "€£¥¢" else "\x01"


class Grammar:
    """A tree-sitter grammar by the module that has it, loaded when it is first asked for."""

    def __init__(self, module: str) -> None:
        self._module = module

    @cached_property
    def language(self) -> Language:
        """The grammar itself."""
        from tree_sitter import Language

        return Language(import_module(self._module).language())

    def parser(self) -> Parser:
        """A new parser."""
        from tree_sitter import Parser

        return Parser(self.language)

    def tree(self, text: str) -> Tree:
        """Syntax tree whose byte offsets are character offsets of ``text``."""
        return self.parser().parse(masked(text))

    def root(self, text: str) -> Node:
        """The outermost node of that tree."""
        return self.tree(text).root_node

    def query(self, pattern: str) -> Query:
        """A query of its trees."""
        from tree_sitter import Query

        return Query(self.language, pattern)


def line_of(text: str, offset: int) -> int:
    """1-based line of a character offset; lines end as in an editor (LF, CR LF or CR)."""
    head = text[:offset]
    return 1 + head.count("\n") + head.count("\r") - head.count("\r\n")


def first_error(node: Node) -> Node | None:
    """The first erroneous or missing node in a tree, in text order; ``None`` when it is clean."""
    if not node.has_error:
        return None
    while not (node.is_error or node.is_missing):
        within = next((child for child in node.children if child.has_error), None)
        if within is None:
            break
        node = within
    return node


def describe_error(root: Node, text: str) -> str | None:
    """``line N: …`` for the first syntax error of a text; ``None`` when there is none."""
    error = first_error(root)
    if error is None:
        return None
    piece = text[error.start_byte : error.end_byte].strip().split("\n")[0][:40]
    what = f"missing {error.type!r}" if error.is_missing else f"cannot read {piece!r}"
    return f"line {line_of(text, error.start_byte)}: {what}"


def innermost(units: Sequence[S], text: str, line: int) -> S | None:
    """The innermost unit whose region holds the 1-based line."""
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    lines = [(bisect(starts, unit.span.start), bisect(starts, unit.span.end)) for unit in units]
    held = [unit for unit, (first, last) in zip(units, lines, strict=True) if first <= line <= last]
    return min(held, key=lambda unit: unit.span.end - unit.span.start, default=None)


def inside(node: Node, region: Span) -> bool:
    """Whether a node lies in a region, not at its very start."""
    return region.start < node.start_byte and node.end_byte <= region.end


def walk(node: Node) -> Iterator[Node]:
    """All named nodes, outermost first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.named_children))


def without_bodies(text: str, bodies: Iterable[Span], mark: str) -> str:
    """The text with a mark in place of each body; bodies inside others go with them."""
    parts: list[str] = []
    position = 0
    for start, end in sorted(bodies):
        if start >= position:
            parts += [text[position:start], mark]
            position = end
    return "".join([*parts, text[position:]])


class Patience:
    """Parses readings of one fragment while they take no more work in all than a real unit would.

    Work is counted in the parser's own steps, not in seconds: the same text is always read alike.
    """

    def __init__(self, parser: Callable[[], Parser], text: str) -> None:
        self._parser = parser
        self._left = _SPARE + _STEPS * len(text)

    @property
    def gone(self) -> bool:
        """Nothing more will be parsed."""
        return self._left < 0

    def parse(self, text: str) -> Tree | None:
        """The tree; ``None`` when the text costs too much or is a heap of tokens that belong to nothing."""
        content = masked(text)

        def step(*_: object) -> bool:
            self._left -= 1
            return self._left < 0

        if self._left < 0:
            return None
        try:
            tree = self._parser().parse(lambda at, _: content[at : at + _CHUNK], progress_callback=step)
        except ValueError:  # how the parser says that it was stopped
            return None
        return None if _is_heap(tree.root_node) else tree


def best_reading(
    patience: Patience, readings: Iterable[tuple[str, Callable[[Node, str], U | None]]]
) -> tuple[Node, str, U] | None:
    """Root, text and unit of the first reading without syntax errors, or else with none in the unit.

    With each reading comes what picks the unit out of it; ``None`` where none has it.
    """
    best: tuple[tuple[bool, bool], tuple[Node, str, U]] | None = None
    for text, pick in readings:
        tree = patience.parse(text)
        if patience.gone:
            break
        if tree is None or (unit := pick(tree.root_node, text)) is None:
            continue
        score = (unit.clean, not tree.root_node.has_error)
        if best is None or score > best[0]:
            best = (score, (tree.root_node, text, unit))
        if all(score):
            break
    return None if best is None else best[1]


def _is_heap(root: Node) -> bool:
    """Whether an erroneous part has so many tokens side by side that looking through them is quadratic."""
    erroneous = [root]
    while erroneous:
        node = erroneous.pop()
        if not node.has_error:
            continue
        if node.child_count > _HEAP:
            return True
        erroneous += node.children
    return False
