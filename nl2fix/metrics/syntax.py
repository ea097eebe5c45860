"""Syntax trees as metrics look at them: pieces that texts of one language have in common are read once.

Contract: a piece is a node apart from its place. Nodes without errors that are of one kind, span equal texts
and hold equally many nodes are one piece. Reading takes time and memory that grow with the text alone,
however deeply it is nested.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Tree, TreeCursor

_LONGEST = 4000
"""Characters of a piece that is remembered; else nested code would be kept once per level."""
_ERROR = 0xFFFF
"""Kind of a node that could not be read."""
_MOST = 256
"""Numbers of shapes kept at a piece, for the same reason."""
_WHOLE = frozenset({"string_literal", "string", "character_literal"})
"""Nodes that are one occurrence although they have parts."""

Named = tuple[str, int]
"""A name or literal, and its place behind the beginning of the piece."""


class Link(NamedTuple):
    """One occurrence of a name at a place (offset) and the occurrences it takes its value from."""

    name: str
    place: int
    relation: str
    sources: tuple[str, ...] = ()
    places: tuple[int, ...] = ()


States = dict[str, tuple[int, ...]]
"""Name → places of its last definitions."""


class Readings(NamedTuple):
    """The links inside a piece, and the names it defines anew, by which of its names are defined before."""

    names: frozenset[str]
    known: dict[frozenset[str], tuple[list[Link], States]]


_Key = tuple[int, int, str] | None
"""Kind of a node, number of nodes in it and its text; ``None`` for one that is read where it stands."""


class Child(NamedTuple):
    """A piece inside another."""

    place: int
    """Characters behind the beginning of the piece around it."""
    field: str | None
    piece: Piece


class Piece:
    """A node of a syntax tree with all that is inside."""

    __slots__ = (
        "children",
        "is_clean",
        "is_leaf",
        "names",
        "parts",
        "readings",
        "shape",
        "shapes",
        "shown",
        "size",
        "text",
        "type",
    )

    def __init__(self, node: Node, text: str, children: tuple[Child, ...], shape: int, shown: bool) -> None:
        self.type = node.type
        self.size = node.descendant_count
        self.is_clean = not node.has_error
        self.is_leaf = not children or self.type in _WHOLE
        """It is one word of the text, a string included."""
        self.text = text[node.start_byte : node.end_byte] if self.is_leaf else ""
        self.children = children
        self.shape = shape
        """Equal where S-expressions are."""
        self.shown = shown
        """It is part of the S-expression around it."""
        self.shapes: list[int] | None = self._small_shapes()
        """Those of this piece and of every one below that holds others; ``None`` when there are many."""
        self.names: list[Named] | None = None
        """Names and literals inside, once ``dataflow`` asked for them."""
        self.parts: list[tuple[int, Piece]] | None = None
        """What ``dataflow`` reads one by one, once it did."""
        self.readings: Readings | None = None
        """What ``dataflow`` found inside, once it did."""

    def _small_shapes(self) -> list[int] | None:
        if not self.children:
            return []
        shapes = [self.shape] if self.shown else []
        for child in self.children:
            if child.piece.shapes is None:
                return None
            shapes += child.piece.shapes
            if len(shapes) > _MOST:
                return None
        return shapes

    def all_shapes(self) -> list[int]:
        """The shapes of this piece and of every one below that holds others.

        Signs of several words (``not in``) are none, though today's grammars have the words inside.
        """
        if not self.children:
            return [self.shape]
        shapes: list[int] = []
        stack = [self]
        while stack:
            piece = stack.pop()
            if piece.shapes is not None:
                shapes += piece.shapes
            else:
                shapes += [piece.shape] if piece.shown else []
                stack += [child.piece for child in piece.children]
        return shapes


class TreeReader:
    """Reads trees of one language and remembers their pieces."""

    def __init__(self) -> None:
        self._pieces: dict[tuple[int, int, str], Piece] = {}
        self._shapes: dict[object, int] = {}

    def number(self, shape: object) -> int:
        """A number that stands for ``shape``, the same each time."""
        return self._shapes.setdefault(shape, len(self._shapes))

    def read(self, tree: Tree, text: str) -> Piece:
        """The root; places in ``tree`` are those of characters in ``text``."""
        clean = not tree.root_node.has_error
        cursor = tree.walk()
        opened: list[_Opened] = []
        children: list[Child] = []
        while True:
            node = _node(cursor)
            key = _key(node, text, clean)
            piece = self._pieces.get(key) if key is not None else None
            if piece is None and cursor.goto_first_child():
                opened.append(_Opened(node, key, children))
                children = []
                continue
            if piece is None:
                piece = self._leaf(node, key, text)
            while True:
                if not opened:
                    return piece
                around = opened[-1]
                place = node.start_byte - around.node.start_byte
                children.append(_new_child((place, cursor.field_name, piece)))
                if cursor.goto_next_sibling():
                    break
                cursor.goto_parent()
                piece = self._inner(opened.pop(), tuple(children), text)
                node, children = around.node, around.before

    def _leaf(self, node: Node, key: _Key, text: str) -> Piece:
        """An S-expression shows named and missing leaves only."""
        shown = node.is_named or node.is_missing
        shape: object = (node.type, True, ())
        if not shown:
            shape = None
        elif node.is_missing or node.is_error:
            shape = str(node)
        return self._keep(key, Piece(node, text, (), self.number(shape), shown))

    def _inner(self, opened: _Opened, children: tuple[Child, ...], text: str) -> Piece:
        parts = tuple([(child.field, child.piece.shape) for child in children if child.piece.shown])
        node = opened.node
        shape = self.number((node.type, node.is_named, parts))
        return self._keep(opened.key, Piece(node, text, children, shape, node.is_named))

    def _keep(self, key: _Key, piece: Piece) -> Piece:
        if key is not None:
            self._pieces[key] = piece
        return piece


class _Opened(NamedTuple):
    """A node whose children are being read."""

    node: Node
    key: _Key
    before: list[Child]
    """The pieces read before it in the node around it."""


_new_child: Callable[[tuple[object, ...]], Child] = partial(tuple.__new__, Child)
"""``Child``, made of its parts three times as fast."""


def _node(cursor: TreeCursor) -> Node:
    node = cursor.node
    assert node is not None
    return node


def _key(node: Node, text: str, clean: bool) -> _Key:
    start, end, kind = node.start_byte, node.end_byte, node.kind_id
    if not 0 < end - start <= _LONGEST or kind == _ERROR or not (clean or not node.has_error):
        return None
    return kind, node.descendant_count, text[start:end]
