"""A light copy of a syntax tree, quick to walk from Python; offsets are those of the parsed text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as TreeNode


class Node:
    """A syntax node, lighter and quicker to walk than tree-sitter's."""

    __slots__ = ("children", "end", "field", "kind", "named", "parent", "start")

    def __init__(self, kind: str, span: tuple[int, int], field: str, named: bool) -> None:
        self.kind, self.field, self.named = kind, field, named
        self.start, self.end = span
        self.parent: Node | None = None
        self.children: list[Node] = []

    def get(self, field: str) -> Node | None:
        return next((child for child in self.children if child.field == field), None)

    def parts(self) -> list[Node]:
        """Named children without comments."""
        return [child for child in self.children if child.named and not child.kind.endswith("comment")]

    def arguments(self) -> list[Node]:
        """What a call is given."""
        listed = self.get("arguments")
        return listed.parts() if listed is not None else []

    def siblings(self) -> list[Node]:
        """The parts of what holds it, itself included where it is one."""
        return self.parent.parts() if self.parent is not None else []

    def following(self) -> Node | None:
        """The next sibling."""
        siblings = self.siblings()
        place = siblings.index(self) + 1 if self in siblings else len(siblings)
        return siblings[place] if place < len(siblings) else None

    def preceding(self) -> Node | None:
        """The sibling before."""
        siblings = self.siblings()
        place = siblings.index(self) if self in siblings else 0
        return siblings[place - 1] if place else None

    def walk(self) -> Iterator[Node]:
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def up(self, *kinds: str) -> Node | None:
        """The nearest node around this one of these kinds."""
        node = self.parent
        while node is not None and node.kind not in kinds:
            node = node.parent
        return node


def light(root: TreeNode) -> Node:
    """Copy a tree; one pass with a cursor."""
    cursor = root.walk()
    top = current = Node(root.type, (root.start_byte, root.end_byte), "", True)
    while True:
        if cursor.goto_first_child():
            parent = current
        else:
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent() or current.parent is None:
                    return top
                current = current.parent
                if current is top:
                    return top
            parent = current.parent or top
        node = cursor.node
        assert node is not None
        current = Node(node.type, (node.start_byte, node.end_byte), cursor.field_name or "", node.is_named)
        current.parent = parent
        parent.children.append(current)
