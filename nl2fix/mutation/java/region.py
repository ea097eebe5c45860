"""What an edit makes of the region under repair: its tokens, and whether it is sound."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.java import JAVA
from nl2fix.mutation.proposals import Splice, applied

if TYPE_CHECKING:
    from tree_sitter import Node as TreeNode
    from tree_sitter import Query


class RegionChecker:
    """Tokens and soundness of the region after edits; satisfies ``proposals.Checker``.

    Both look only at what an edit touches: tokens are read again around it, and the parser reuses the
    tree of the unedited region, flattened to one line with comments blanked and strings filled.
    """

    _HEAD, _TAIL = "class A { ", " }"

    def __init__(self, text: str, region: Span) -> None:
        self._text, self._region = text, region
        code = text[region.start : region.end]
        self._lexemes = JAVA.lexemes(code)
        self._starts = [lexeme.start for lexeme in self._lexemes]
        self._ends = [lexeme.end for lexeme in self._lexemes]
        self._tokens = _key(code[lexeme.start : lexeme.end] for lexeme in self._lexemes)
        self._single = len(self._tokens) == len(self._lexemes)
        self._parser = JAVA.parser()
        self._flat = (self._HEAD + flat(code) + self._TAIL).encode("ascii")
        self._tree = self._parser.parse(self._flat)
        self._clean = not self._tree.root_node.has_error
        self._dead = len(_dead_code(self._tree.root_node))

    def tokens(self, edits: Sequence[Splice]) -> tuple[str, ...]:
        offset = self._region.start
        code = self._text[offset : self._region.end]
        tokens: list[str] = []
        done = 0
        for first, last, group in self._groups(edits):
            start = self._starts[first] if first < len(self._starts) else len(code)
            end = self._ends[last - 1] if last > first else start
            end = max([end, *(edit.end - offset for edit in group)])
            start = min([start, *(edit.start - offset for edit in group)])
            piece = applied(
                code[start:end],
                [Splice(e.start - offset - start, e.end - offset - start, e.text) for e in group],
            )
            tokens += self._plain(done, first)
            tokens += [piece[lexeme.start : lexeme.end] for lexeme in JAVA.lexemes(piece)]
            done = last
        tokens += self._plain(done, len(self._lexemes))
        return _key(tokens)

    def _plain(self, first: int, last: int) -> Sequence[str]:
        if self._single:
            return self._tokens[first:last]
        code = self._text[self._region.start : self._region.end]
        return [code[lexeme.start : lexeme.end] for lexeme in self._lexemes[first:last]]

    def _groups(self, edits: Sequence[Splice]) -> list[tuple[int, int, list[Splice]]]:
        """Edits with the tokens to read again (one more on each side), those that touch taken together."""
        groups: list[tuple[int, int, list[Splice]]] = []
        for edit in sorted(edits, key=lambda edit: edit.start):
            first = max(bisect_left(self._ends, edit.start - self._region.start) - 1, 0)
            last = min(bisect_left(self._starts, edit.end - self._region.start) + 1, len(self._lexemes))
            if groups and first < groups[-1][1]:
                before = groups.pop()
                groups.append((before[0], max(last, before[1]), [*before[2], edit]))
            else:
                groups.append((first, last, [edit]))
        return groups

    def sound(self, edits: Sequence[Splice]) -> bool:
        """No syntax error and no statement behind ``return`` and the like, which javac refuses too.

        Always true where the unedited region has a syntax error already.
        """
        if not self._clean:
            return True
        tree, code = self._tree.copy(), self._flat
        shift = len(self._HEAD) - self._region.start
        for _, edit in sorted(enumerate(edits), key=lambda item: (item[1].start, item[0]), reverse=True):
            start, end = edit.start + shift, edit.end + shift
            new = flat(edit.text).encode("ascii")
            code = code[:start] + new + code[end:]
            after = start + len(new)
            tree.edit(start, end, after, (0, start), (0, end), (0, after))
        root = self._parser.parse(code, tree).root_node
        return not root.has_error and len(_dead_code(root)) <= self._dead


_LEAVING = "[(return_statement) (throw_statement) (break_statement) (continue_statement)]"


@lru_cache(maxsize=1)
def _dead_query() -> Query:
    from tree_sitter import Query

    pair = f"{_LEAVING} . (_) @dead"
    return Query(JAVA.grammar(), f"(block {pair}) (constructor_body {pair})")


def _dead_code(root: TreeNode) -> list[TreeNode]:
    """Statements that directly follow one that leaves."""
    from tree_sitter import QueryCursor

    return QueryCursor(_dead_query()).captures(root).get("dead", [])


def flat(code: str) -> str:
    """The code on one line in ASCII, as many characters: comments blank, literals of text filled."""
    if code.isascii() and not any(mark in code for mark in "\"'/\r\n"):
        return code
    return JAVA.flattened(code)


def _key(tokens: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    """Tokens with ``>>`` taken apart everywhere, so that equality needs no context."""
    texts = list(tokens)
    if any(len(token) > 1 and not token.strip(">") for token in texts):
        return tuple(part for token in texts for part in (token if not token.strip(">") else (token,)))
    return tuple(texts)
