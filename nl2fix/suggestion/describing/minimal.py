"""Minimal diffs: a model's reformatting of lines it did not change is undone.

Contract: the result has the candidate's token sequence. Where two tokens follow each other in both, the
original's text between them (white space and comments included) is kept, its lines indented deeper where
the candidate wraps them in a block; elsewhere the candidate's own, its lines indented by the file's steps.
When that cannot be had, the candidate is returned as it is.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import pairwise

from rapidfuzz.distance import Indel

from nl2fix.core.formats import NoEdit
from nl2fix.core.records import Candidate, Problem
from nl2fix.languages.java import JAVA

_LEADING = re.compile(r"[ \t]*")
_INDENT = re.compile(r"\n([ \t]*)(?=[^\s]|\Z)")


def minimise(before: str, after: str) -> str:
    """``after`` with the formatting of ``before`` wherever their tokens agree."""
    if JAVA.tokens(before) == JAVA.tokens(after):
        return before
    result = _Merge(before, after).text()
    return result if JAVA.tokens(result) == JAVA.tokens(after) else after


class _Side:
    """One text as tokens, each with the gap (white space and comments) before it."""

    def __init__(self, text: str) -> None:
        places = JAVA.lexemes(text)
        self.words = [text[place.start : place.end] for place in places]
        ends = [0, *(place.end for place in places)]
        self.gaps = [text[end : place.start] for end, place in zip(ends, places, strict=False)]
        self.tail = text[ends[-1] :]
        self.depths = _depths(self.words)
        self.base = _base(text)
        self.step = _step(text)


class _Merge:
    """The candidate's tokens with the original's gaps where both sides agree."""

    def __init__(self, before: str, after: str) -> None:
        self.old, self.new = _Side(before), _Side(after)
        self.partner = _partners(self.old.words, self.new.words)

    def text(self) -> str:
        parts = []
        for j, word in enumerate(self.new.words):
            parts += [self._gap(j), word]
        return "".join(parts) + (self.old.tail if self.new.words else "")

    def _gap(self, j: int) -> str:
        i, last = self.partner[j], self.partner[j - 1] if j else -1
        if i is None:
            return self._before_new(j, last)
        old, new = self._ours(i, j), self._theirs(j)
        follows, deletes_lines = False, False
        if last is not None:
            follows, deletes_lines = i == last + 1, "\n" in old and "\n" in self.old.gaps[last + 1]
        if follows or deletes_lines:
            return old
        if self._stands_before(j, old):
            return new
        return old if _speaks(old) or ("\n" in old and "\n" in new) else new

    def _before_new(self, j: int, last: int | None) -> str:
        """The gap before an inserted token: the original's lines where a stretch begins, if they fit."""
        new = self._theirs(j)
        opens = self.new.words[j] == "{" and "\n" not in new
        if last is None or last + 1 >= len(self.old.words) or opens:
            return new
        old = self.old.gaps[last + 1]
        following = next((p for p in self.partner[j:] if p is not None), len(self.old.words))
        replaces = following > last + 1
        if replaces and "\n" in old and "\n" in new:
            return old
        above = old[: len(old) - len(old.lstrip())]
        if not replaces and "\n" in above and _speaks(old) and old.strip() == new.strip():
            return above  # the comment stays with what it is about
        if "\n" in old and "\n" not in new and not replaces:
            return old[old.rindex("\n") :]
        return new

    def _stands_before(self, j: int, gap: str) -> bool:
        """Whether a gap's comment stands in front of what was inserted before a token."""
        while j > 0 and _speaks(gap) and self.partner[j - 1] is None:
            j -= 1
            if gap.strip() in self._before_new(j, self.partner[j - 1] if j else -1):
                return True
        return False

    def _ours(self, i: int, j: int) -> str:
        """The original's gap, its lines indented deeper or less where the token's block is now."""
        deeper = self.new.depths[j] - self.old.depths[i]
        if not deeper:
            return self.old.gaps[i]

        def moved(match: re.Match[str]) -> str:
            indent, step = match[1], self.old.step
            kept = indent + step * deeper if deeper > 0 else indent.removesuffix(step * -deeper)
            return "\n" + kept

        return _INDENT.sub(moved, self.old.gaps[i])

    def _theirs(self, j: int) -> str:
        """The candidate's gap, its lines indented by the file's steps."""
        return _INDENT.sub(lambda match: "\n" + self._indent(match[1]), self.new.gaps[j])

    def _indent(self, theirs: str) -> str:
        depth = (len(theirs.expandtabs(4)) - len(self.new.base.expandtabs(4))) / len(
            self.new.step.expandtabs(4)
        )
        if depth < 0:
            return theirs
        rest = round((depth - int(depth)) * len(self.old.step.expandtabs(4)))
        return self.old.base + self.old.step * int(depth) + " " * rest


def _partners(old: list[str], new: list[str]) -> list[int | None]:
    """For each token of the candidate the equal one of the original, by a longest common subsequence."""
    partner: list[int | None] = [None] * len(new)
    for block in Indel.editops(old, new).as_matching_blocks():
        for offset in range(block.size):
            partner[block.b + offset] = block.a + offset
    return partner


def _depths(words: Sequence[str]) -> list[int]:
    """How many braces are open around each token; a closing one stands outside."""
    depths, depth = [], 0
    for word in words:
        depth -= word == "}"
        depths.append(depth)
        depth += word == "{"
    return depths


def _speaks(gap: str) -> bool:
    """Whether a gap holds a comment."""
    return bool(gap.strip())


def _step(text: str) -> str:
    """One step of indentation: a tab, or the commonest difference between a block's head and what follows."""
    first, *rest = text.split("\n")
    lines = [_base(text) + first.lstrip(), *(line for line in rest if line.strip())]
    if any(_leading(line).startswith("\t") for line in lines):
        return "\t"
    pairs = [(a, b) for a, b in pairwise(lines) if a.rstrip().endswith("{")] or list(pairwise(lines))
    steps = [
        abs(len(_leading(b)) - len(_leading(a))) for a, b in pairs if len(_leading(a)) != len(_leading(b))
    ]
    return " " * (max(sorted(set(steps)), key=steps.count) if steps else 4)


def _base(code: str) -> str:
    """Indentation of the closing line: that of the unit itself."""
    lines = [line for line in code.split("\n")[1:] if line.strip()]
    return _leading(lines[-1]) if lines else ""


def _leading(line: str) -> str:
    blank = _LEADING.match(line)
    return blank[0] if blank else ""


class Reduced:
    """Candidates without needless reformatting and escapes; of equal programs the first stands for all."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, Candidate] = {}

    def __call__(self, drawn: Candidate, problem: Problem) -> Candidate:
        before = problem.before if drawn.scope == "region" else problem.text
        code = JAVA.plain(drawn.code) if JAVA.plain(before) == before else drawn.code
        reduced, meant = minimise(before, code), _meant(code)
        if _meant(reduced) != meant:  # what looks like a comment may end in an escape
            reduced = code
        if meant == _meant(before) and not drawn.others:
            raise NoEdit("unchanged", "nothing changed")
        key = drawn.scope, meant, drawn.others
        return self._seen.setdefault(key, replace(drawn, code=reduced))


def _meant(code: str) -> tuple[str, ...]:
    """Tokens as javac sees them, however their letters are written."""
    return tuple(JAVA.tokens(JAVA.unescaped(code)))
