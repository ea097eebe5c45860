"""Examples that a text states: what is called with what, and what is to come of it.

Found are ``f(2, 3) == 5`` with any arrow or verb (``→``, ``returns``, ``should be``), doctests, assertions,
and ``Input: x = [1, 2], k = 1 … Output: 2``. A text of any length costs linear time; what is not plainly an
example is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nl2fix.languages.values import Thrown, Token, Unreadable, Value, tokens, value_at

_MOST = 200
"""Examples of one text."""
_LONGEST = 150
"""Characters of a stated outcome; observers tell about as much."""
_FAR = 120
"""Pieces between inputs and their output."""
_VERBS = frozenset(
    {
        *("returns", "return", "returned", "gives", "give", "gave", "yields", "yield", "produces"),
        *("outputs", "output", "evaluates", "is", "equals", "equal", "be", "becomes", "results"),
        *("result", "prints", "answers", "are"),
    }
)
"""Words that tell an outcome."""
_FIRM = frozenset({"should", "must", "shall", "expected", "expect", "ought", "needs"})
"""Words by which it is what is wanted, not what is seen."""
_FILLERS = frozenset(
    {
        *("to", "in", "the", "a", "an", "value", "will", "would", "of", "array", "list", "string"),
        *("tuple", "number", "integer"),
    }
)
_THROWS = frozenset({"throws", "throw", "raises", "raise", "throwing", "raising"})
_MARKS = frozenset("`#/:,}*")
"""Signs that may stand between a call and its outcome."""
_ENDS = frozenset(".,;)#/`}|!*")
"""Signs that may follow an outcome."""
_GOES_ON = frozenset({"and", "since", "because", "as", "not", "which", "where", "but"})
"""Words that may follow an outcome; after others it may be part of a condition or a count."""
_OUTPUTS = frozenset({"output", "outputs", "return", "returns", "returned", "result", "answer"})
_MOST_BETWEEN = 8
_MOST_INPUTS = 10


class Example(NamedTuple):
    """One example, as a text states it."""

    name: str
    """What is called, as written; empty where only inputs and output are given."""
    arguments: tuple[Value, ...]
    names: tuple[str, ...]
    """Of the arguments, where each has one; else none."""
    said: str
    """The outcome as written, on one line; ``throws X`` of an exception."""
    outcome: Value
    firm: bool
    """Whether the text says what is wanted, not only what happens."""


def examples(text: str) -> list[Example]:
    """The examples in a text, in order."""
    reader = _Finder(text)
    found = []
    for example in reader.found():
        if len(example.said) <= _LONGEST:
            found.append(example)
        if len(found) == _MOST:
            break
    return found


class _Finder:
    """Goes through the pieces of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces = tokens(text)
        self._prompted = False
        """Whether the line began with a prompt."""

    def found(self) -> Iterator[Example]:
        at = 0
        while at < len(self._pieces):
            piece = self._pieces[at]
            at += 1
            if piece.kind in ("line", "prompt"):
                self._prompted = piece.kind == "prompt"
            if piece.kind != "word":
                continue
            example, end = self._example(piece, at)
            if example is not None:
                at = max(at, end)
                yield example

    def _example(self, word: Token, at: int) -> tuple[Example | None, int]:
        """The example that begins with a word, ``at`` the piece after it, and where the text goes on."""
        try:
            simple = word.text.rpartition(".")[2]
            if self._is(at, "(") and simple.startswith("assert"):
                return self._assertion(simple, at + 1)
            if self._is(at, "("):
                return self._call(word, at)
            if self._is(at, "=") or word.text.lower() == "input":
                return self._inputs(word, at)
        except Unreadable:
            pass
        return None, at

    # -- calls --------------------------------------------------------------------------------------

    def _call(self, word: Token, at: int) -> tuple[Example, int]:
        arguments, at = self._arguments(at)
        said, value, firm, end = self._outcome(at, self._prompted)
        return Example(word.text, arguments, (), said, value, firm), end

    def _arguments(self, at: int) -> tuple[tuple[Value, ...], int]:
        """What stands in the brackets that open here."""
        values: list[Value] = []
        at = self._after_lines(at + 1)
        while not self._is(at, ")"):
            if values and not self._is(at, ","):
                raise Unreadable
            value, at = value_at(self._pieces, self._after_lines(at + 1 if values else at))
            at = self._after_lines(at)
            values.append(value)
        return tuple(values), at + 1

    def _assertion(self, kind: str, at: int) -> tuple[Example, int]:
        """``assertEquals(5, f(2, 3))`` and its like, from what stands in the brackets."""
        wanted: list[tuple[str, Value]] = []
        while not self._at_call(at):
            value, end = self._thrown_class(at) if "Throw" in kind else value_at(self._pieces, at)
            wanted.append((self._slice(at, end), value))
            at = self._after_comma(end)
        name = self._pieces[at].text
        arguments, end = self._arguments(at + 1)
        fixed = {"assertTrue": True, "assertFalse": False, "assertNull": None}
        if kind in fixed:
            return Example(name, arguments, (), str(fixed[kind]), fixed[kind], True), end
        if kind in ("assertEquals", "assertEqual", "assertSame", "assertArrayEquals", "assertThrows"):
            if not wanted:
                self._expect(end, ",")
                value, last = value_at(self._pieces, end + 1)
                wanted, end = [(self._slice(end + 1, last), value)], last
            return Example(name, arguments, (), wanted[-1][0], wanted[-1][1], True), end
        raise Unreadable

    def _at_call(self, at: int) -> bool:
        if at + 1 >= len(self._pieces):
            raise Unreadable
        piece, after = self._pieces[at], self._pieces[at + 1]
        return piece.kind == "word" and after.text == "(" and not _reads(self._pieces, at)

    def _thrown_class(self, at: int) -> tuple[Value, int]:
        piece = self._pieces[at]
        if piece.kind != "word":
            raise Unreadable
        return Thrown(piece.text.removesuffix(".class").rpartition(".")[2]), at + 1

    def _after_comma(self, at: int) -> int:
        """After a comma, and after what opens a lambda."""
        self._expect(at, ",")
        at = self._after_lines(at + 1)
        if [piece.text for piece in self._pieces[at : at + 3]] == ["(", ")", "->"]:
            return at + 3
        return at

    # -- outcomes -----------------------------------------------------------------------------------

    def _outcome(self, at: int, prompted: bool) -> tuple[str, Value, bool, int]:
        """What is said to come of a call that ends here: as written, read, whether firmly, and its end."""
        told, firm, first = prompted, prompted, at
        while at - first < _MOST_BETWEEN:
            piece = self._piece(at)
            word = piece.text.lower()
            if piece.kind == "arrow":
                told = firm = True
            elif piece.kind == "word" and word in _THROWS:
                return self._exception(at + 1, firm)
            elif piece.kind == "word" and word in _VERBS | _FIRM:
                told, firm = told or word in _VERBS, firm or word in _FIRM
            elif piece.kind == "line" and not (told or self._piece(at + 1).kind == "arrow"):
                raise Unreadable
            elif not (piece.kind == "line" or word in _FILLERS or piece.text in _MARKS):
                break
            at += 1
        if not told:
            raise Unreadable
        return self._told(at, firm)

    def _told(self, at: int, firm: bool, turns: int = 3) -> tuple[str, Value, bool, int]:
        """The value here, or that after the last of so many arrows or words that correct it."""
        piece = self._piece(at)
        if turns == 0:
            raise Unreadable
        if piece.kind == "word" and piece.text.endswith(("Exception", "Error")):
            return self._exception(at, firm)
        value, end = value_at(self._pieces, at)
        after = self._pieces[end] if end < len(self._pieces) else None
        if after is not None and (
            after.kind == "arrow" or (after.text in "+-*/^%" and not self._comment(end))
        ):
            return self._told(self._last_arrow(end), firm, turns - 1)
        better = self._instead(end)
        if better is not None:
            return self._told(better, True, turns - 1)
        if after is not None and not (after.kind in ("line", "prompt") or self._may_follow(after)):
            raise Unreadable
        return self._slice(at, end), value, firm, end

    def _may_follow(self, after: Token) -> bool:
        return after.text in _ENDS or after.text.lower() in _GOES_ON

    def _comment(self, at: int) -> bool:
        """Whether a comment in code begins here, or one ends."""
        return self._text.startswith(("//", "/*", "*/"), self._pieces[at].start)

    def _exception(self, at: int, firm: bool) -> tuple[str, Value, bool, int]:
        while self._piece(at).text.lower() in _FILLERS or self._piece(at).text in _MARKS:
            at += 1
        name = self._piece(at).text.rpartition(".")[2]
        if not name.endswith(("Exception", "Error")):
            raise Unreadable
        return f"throws {name}", Thrown(name), firm, at + 1

    def _last_arrow(self, at: int) -> int:
        """After the last arrow of the line: ``1 + 9 = 10``."""
        last = None
        for place in range(at, min(at + _FAR, len(self._pieces))):
            if self._pieces[place].kind == "line":
                break
            if self._pieces[place].kind == "arrow":
                last = place
        if last is None:
            raise Unreadable
        return last + 1

    def _instead(self, at: int) -> int | None:
        """Where the wanted outcome begins, after one that is said to be wrong."""
        words = [piece.text.lower() for piece in self._pieces[at : at + _MOST_BETWEEN]]
        if words[:2] in (["instead", "of"], ["rather", "than"]):
            return at + 2
        place = next((i for i, word in enumerate(words) if word in _FIRM), None)
        if place is None or any(word in ".\n" for word in words[:place]):
            return None
        place += at + 1
        while self._piece(place).text.lower() in _VERBS | _FILLERS | {":", "`"}:
            place += 1
        return place if _reads(self._pieces, place) else None

    # -- inputs and output ----------------------------------------------------------------------------

    def _inputs(self, word: Token, at: int) -> tuple[Example, int]:
        """``x = 1, y = 2`` or ``Input: 1, 2``, then what comes of it."""
        names: list[str] = []
        values: list[Value] = []
        if word.text.lower() == "input":
            self._expect(at, ":")
            at += 1
        else:
            at -= 1
        at = self._after_lines(at)
        for _ in range(_MOST_INPUTS):
            if self._piece(at).kind == "word" and self._is(at + 1, "="):
                names.append(self._pieces[at].text)
                at += 2
            value, at = value_at(self._pieces, at)
            values.append(value)
            follows = self._next_input(at, named=bool(names))
            if follows is None:
                break
            at = follows
        if names and len(names) != len(values):
            raise Unreadable
        said, value, end = self._output(at)
        return Example("", tuple(values), tuple(names), said, value, True), end

    def _next_input(self, at: int, named: bool) -> int | None:
        """Where a further input begins, if one does."""
        while at < len(self._pieces) and (
            self._pieces[at].kind == "line" or self._pieces[at].text in (",", "and", ";")
        ):
            at += 1
        if named:
            more = self._is(at + 1, "=") and self._pieces[at].kind == "word" and _reads(self._pieces, at + 2)
            return at if more and self._pieces[at].text.lower() not in _OUTPUTS else None
        return at if self._is(at - 1, ",") and _reads(self._pieces, at) else None

    def _output(self, at: int) -> tuple[str, Value, int]:
        for place in range(at, min(at + _FAR, len(self._pieces))):
            word = self._pieces[place].text.lower()
            if word == "input":
                break
            if word in _OUTPUTS:
                start = self._after_telling(place + 1)
                if _reads(self._pieces, start):
                    said, value, _, end = self._told(start, firm=True)
                    return said, value, end
        raise Unreadable

    def _after_telling(self, at: int) -> int:
        for place in range(at, min(at + _MOST_BETWEEN, len(self._pieces))):
            piece = self._pieces[place]
            if piece.kind != "arrow" and piece.text.lower() not in _VERBS | _FIRM | _FILLERS | {":", "`"}:
                return place
        return len(self._pieces)

    # -- pieces ---------------------------------------------------------------------------------------

    def _piece(self, at: int) -> Token:
        if at >= len(self._pieces):
            raise Unreadable
        return self._pieces[at]

    def _is(self, at: int, text: str) -> bool:
        return 0 <= at < len(self._pieces) and self._pieces[at].text == text

    def _expect(self, at: int, text: str) -> None:
        if not self._is(at, text):
            raise Unreadable

    def _after_lines(self, at: int) -> int:
        while at < len(self._pieces) and self._pieces[at].kind == "line":
            at += 1
        return at

    def _slice(self, start: int, end: int) -> str:
        written = self._text[self._pieces[start].start : self._pieces[end - 1].end]
        return " ".join(line.strip() for line in written.splitlines())


def _reads(pieces: Sequence[Token], at: int) -> bool:
    try:
        value_at(pieces, at)
    except Unreadable:
        return False
    return True
