"""Where two versions of a method differ, by their syntax: from the top down to the smallest parts that do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain

from nl2fix.languages.java import JAVA
from nl2fix.mutation.tree import Node, light

_LISTS = frozenset(
    {
        "block",
        "argument_list",
        "formal_parameters",
        "constructor_body",
        "class_body",
        "switch_block",
        "modifiers",
    }
)
"""Kinds whose children come and go."""


@dataclass(frozen=True)
class Change:
    """Parts of the old version that give way to parts of the new one; one side may be empty."""

    old: Sequence[Node]
    new: Sequence[Node]


class Source:
    """A method's text without comments, and its tree."""

    def __init__(self, code: str) -> None:
        self._text = f"class T {{\n{JAVA.strip_comments(code)}\n}}"
        self._words: dict[int, tuple[str, ...]] = {}
        self.root = light(JAVA.tree(self._text).root_node)

    def words(self, node: Node) -> tuple[str, ...]:
        """The node's tokens."""
        if id(node) not in self._words:
            whole = (self._text[node.start : node.end],)
            parts = [whole] if _is_leaf(node) else map(self.words, node.children)
            self._words[id(node)] = tuple(chain.from_iterable(parts))
        return self._words[id(node)]

    def text(self, node: Node) -> str:
        """The node as it is written, in one line."""
        return " ".join(self._text[node.start : node.end].split())


def changes(old: Source, new: Source) -> Iterator[Change]:
    """The smallest changes that make one version of the other, in the order of the text."""
    return _Differ(old, new).between(old.root, new.root)


class _Differ:
    def __init__(self, old: Source, new: Source) -> None:
        self._old, self._new = old, new

    def between(self, old: Node, new: Node) -> Iterator[Change]:
        if self._same(old, new):
            return
        if old.kind != new.kind:
            yield Change([old], [new])
        elif old.kind == "argument_list" and len(_children(old)) == len(_children(new)):
            yield from self._passed(old, new)
        elif old.kind in _LISTS:
            yield from self._listed(old, new)
        else:
            pairs = self._pairs(old, new)
            if pairs is None:
                yield Change([old], [new])
            else:
                yield from chain.from_iterable(self.between(a, b) for a, b in pairs)

    def _same(self, old: Node, new: Node) -> bool:
        return self._old.words(old) == self._new.words(new)

    def _pairs(self, old: Node, new: Node) -> list[tuple[Node, Node]] | None:
        """The children that differ; ``None`` where the nodes differ as wholes."""
        before, after = _children(old), _children(new)
        apart = [(a, b) for a, b in zip(before, after, strict=False) if not self._same(a, b)]
        most = 1 if old.kind.endswith("_expression") else max(1, len(before) - 1)
        fits = not _is_leaf(old) and len(before) == len(after) and len(apart) <= most
        whole = self._is_passed(self._old, old, self._new, new) or self._is_passed(
            self._new, new, self._old, old
        )
        return apart if fits and not whole and all(a.named and b.named for a, b in apart) else None

    @staticmethod
    def _is_passed(here: Source, call: Node, there: Source, other: Node) -> bool:
        """Whether another call is given what this is made on: ``Objects.equals(a, b)``, ``a.equals(b)``."""
        on, others, given = call.get("object"), other.get("object"), other.get("arguments")
        if on is None or given is None or (others is not None and there.words(others) == here.words(on)):
            return False
        return here.words(on) in map(there.words, given.parts())

    def _passed(self, old: Node, new: Node) -> Iterator[Change]:
        """As many arguments: in another order, which is one change, or others in some places."""
        before, after = _children(old), _children(new)
        if sorted(map(self._old.words, before)) == sorted(map(self._new.words, after)):
            yield Change([old], [new])
        else:
            yield from chain.from_iterable(map(self.between, _named(before), _named(after)))

    def _listed(self, old: Node, new: Node) -> Iterator[Change]:
        before, after = _children(old), _children(new)
        ours, theirs = [self._old.words(n) for n in before], [self._new.words(n) for n in after]
        for tag, i, i2, j, j2 in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            gone, come = _named(before[i:i2]), _named(after[j:j2])
            if len(gone) == len(come):
                yield from chain.from_iterable(map(self.between, gone, come))
            else:
                yield Change(gone, come)


def _is_leaf(node: Node) -> bool:
    return not node.children or node.kind in ("string_literal", "character_literal")


def _children(node: Node) -> list[Node]:
    return [child for child in node.children if not child.kind.endswith("comment")]


def _named(nodes: Sequence[Node]) -> list[Node]:
    return [node for node in nodes if node.named]
