"""Plain values as texts write them, in the notations of several languages, and when two are alike.

Read are numbers, texts in either quotes, truth, nothing, lists, arrays, tuples, sets and maps, inside each
other. Work is linear in the text; nothing is evaluated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias


class Listed(NamedTuple):
    """A list, array, tuple or set."""

    values: tuple[Value, ...]
    ordered: bool = True


class Mapped(NamedTuple):
    """A map, its pairs as written."""

    pairs: tuple[tuple[Value, Value], ...]


class Thrown(NamedTuple):
    """An exception, by its simple name; empty where none is said."""

    name: str


class Other(NamedTuple):
    """What no notation here reads."""

    text: str


Value: TypeAlias = "bool | int | float | str | Listed | Mapped | Thrown | Other | None"


class Token(NamedTuple):
    """A piece of a text: ``line`` ends one, ``mark`` is a sign of one character."""

    kind: Literal["line", "prompt", "text", "number", "arrow", "word", "mark"]
    text: str
    start: int
    end: int


class Unreadable(Exception):
    """No value stands here."""


_TOKEN = re.compile(
    r"""
      (?P<line>\n)
    | (?P<prompt>>>>(?!>))
    | (?P<text>(?<!\w)(?:"(?>(?:[^"\\\n]|\\[^\n]){0,400})"|'(?>(?:[^'\\\n]|\\[^\n]){0,400})'))
    | (?P<number>(?:\d{1,40}+(?:\.\d{1,40}+)?|(?<!\w)\.\d{1,40}+)(?:[eE][-+]?\d{1,4}+)?[lLfFdD]?(?!\w))
    | (?P<arrow>={1,4}>|[-–—]{1,4}>|===?|=|➞|→|⇒|⟶|➜|≡)
    | (?P<word>[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*)
    | (?P<mark>\S)
    """,
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_WORDS: dict[str, Value] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "None", "nil"), None),
    **dict.fromkeys(("NaN", "nan", "Double.NaN", "Float.NaN"), math.nan),
    **dict.fromkeys(("Infinity", "inf", "Double.POSITIVE_INFINITY", "Float.POSITIVE_INFINITY"), math.inf),
    **dict.fromkeys(("Double.NEGATIVE_INFINITY", "Float.NEGATIVE_INFINITY"), -math.inf),
    **{f"{kind}.MAX_VALUE": (1 << bits) - 1 for kind, bits in (("Integer", 31), ("Long", 63))},
    **{f"{kind}.MIN_VALUE": -(1 << bits) for kind, bits in (("Integer", 31), ("Long", 63))},
}
_LISTS = frozenset({"List.of", "Arrays.asList", "asList", "list", "tuple", "ArrayDeque", "deque"})
_SETS = frozenset({"Set.of", "set", "frozenset", "PriorityQueue"})
_MAPS = frozenset({"Map.of"})
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DEEPEST = 20
_NEARLY = 1e-6
"""Numbers with a fraction are alike when they differ by no more than this, relatively where above 1."""


def tokens(text: str) -> list[Token]:
    """The pieces of a text; blanks are left out."""
    return [Token(m.lastgroup or "mark", m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]  # type: ignore[arg-type]


def value_at(pieces: Sequence[Token], at: int) -> tuple[Value, int]:
    """The value that begins at a piece, and where the text goes on; ``Unreadable`` where none begins."""
    reader = _Reader(pieces, at)
    value = reader.value(0)
    return value, reader.at


def outcome(text: str) -> Value:
    """What became of a call, as an observer tells it: a value, or ``throws`` and a class.

    What happened to arguments (after ``;``) is left out. What was cut or cannot be read is ``Other``.
    """
    if text.startswith("throws "):
        return Thrown(text.removeprefix("throws ").partition(";")[0].rpartition(".")[2])
    pieces = tokens(text)
    try:
        value, at = value_at(pieces, 0)
    except Unreadable:
        return Other(text)
    return value if at == len(pieces) or pieces[at].text == ";" else Other(text)


def alike(one: Value, other: Value) -> bool:
    """Whether two values are the same but for the kind of number or collection that holds them."""
    if isinstance(one, bool | None) or isinstance(other, bool | None):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return _near(one, other)
    if isinstance(one, Listed | Mapped) and isinstance(other, Listed | Mapped):
        return _hold_alike(one, other)
    if isinstance(one, Thrown) and isinstance(other, Thrown):
        return one.name == other.name or not one.name or not other.name
    return type(one) is type(other) and one == other


def _near(one: float, other: float) -> bool:
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    one, other = _real(one), _real(other)
    if not (math.isfinite(one) and math.isfinite(other)):
        return one == other or (math.isnan(one) and math.isnan(other))
    return abs(one - other) <= _NEARLY * max(1.0, abs(one), abs(other))


def _real(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def _hold_alike(one: Listed | Mapped, other: Listed | Mapped) -> bool:
    if isinstance(one, Mapped) and isinstance(other, Mapped):
        return _all_found(
            [Listed(p) for p in dict(one.pairs).items()], [Listed(p) for p in dict(other.pairs).items()]
        )
    if isinstance(one, Listed) and isinstance(other, Listed):
        if not (one.ordered and other.ordered):
            return _all_found(one.values, other.values)
        pairs = zip(one.values, other.values, strict=False)
        return len(one.values) == len(other.values) and all(alike(a, b) for a, b in pairs)
    return not one[0] and not other[0]


def _all_found(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Whether each value of one stands somewhere in the other, and none is left."""
    left = list(other)
    for value in one:
        place = next((i for i, each in enumerate(left) if alike(value, each)), None)
        if place is None:
            return False
        del left[place]
    return not left


class _Reader:
    """Reads values from the pieces of a text, one after the other."""

    def __init__(self, pieces: Sequence[Token], at: int) -> None:
        self._pieces = pieces
        self.at = at

    def value(self, depth: int) -> Value:
        piece = self._next()
        if depth > _DEEPEST:
            raise Unreadable
        if piece.kind == "text":
            return unquoted(piece.text)
        if piece.text in ("-", "+") or piece.kind == "number":
            return self._number(piece)
        if piece.kind == "word":
            return self._word(piece.text, depth)
        if piece.text in _CLOSING:
            return self._filled(piece.text, depth)
        raise Unreadable

    def _next(self) -> Token:
        if self.at >= len(self._pieces):
            raise Unreadable
        self.at += 1
        return self._pieces[self.at - 1]

    def _skip_lines(self) -> None:
        while self.at < len(self._pieces) and self._pieces[self.at].kind == "line":
            self.at += 1

    def _taken(self, text: str) -> bool:
        self._skip_lines()
        if self.at < len(self._pieces) and self._pieces[self.at].text == text:
            self.at += 1
            return True
        return False

    def _number(self, piece: Token) -> int | float:
        sign = -1 if piece.text == "-" else 1
        if piece.kind != "number":
            piece = self._next()
        if piece.kind == "word" and _WORDS.get(piece.text) == math.inf:
            return sign * math.inf
        if piece.kind != "number":
            raise Unreadable
        written = piece.text.rstrip("lLfFdD")
        return sign * (int(written) if written.isdigit() and piece.text[-1] not in "fFdD" else float(written))

    def _word(self, word: str, depth: int) -> Value:
        if word in _WORDS:
            return _WORDS[word]
        if word == "new":
            return self._new(depth)
        if word in _LISTS | _SETS | _MAPS and self._taken("("):
            return self._named(word, self._inside(")", depth))
        raise Unreadable

    def _named(self, word: str, inside: Listed | Mapped) -> Value:
        """What a word in front of values makes of them."""
        values = inside.values if isinstance(inside, Listed) else ()
        if word in _MAPS:
            return Mapped(tuple(zip(values[::2], values[1::2], strict=False)))
        if word.islower() and len(values) == 1 and isinstance(values[0], Listed):
            values = values[0].values
        return Listed(values, word not in _SETS)

    def _new(self, depth: int) -> Value:
        """``new int[][] {…}``, after ``new``."""
        if self._next().kind != "word":
            raise Unreadable
        while self._taken("["):
            if not self._taken("]"):
                raise Unreadable
        if not self._taken("{"):
            raise Unreadable
        return self._inside("}", depth)

    def _filled(self, opening: str, depth: int) -> Value:
        inside = self._inside(_CLOSING[opening], depth)
        if isinstance(inside, Mapped):
            return inside
        grouped = opening == "(" and len(inside.values) == 1 and self._pieces[self.at - 2].text != ","
        return inside.values[0] if grouped else inside

    def _inside(self, closing: str, depth: int) -> Listed | Mapped:
        """Values, or pairs of them, with commas between, to the closing mark, which is taken."""
        values: list[Value] = []
        named: list[Value] = []
        while not self._taken(closing):
            if values and not self._taken(","):
                raise Unreadable
            if values and self._taken(closing):
                break
            self._skip_lines()
            values.append(self.value(depth + 1))
            if closing == "}" and (self._taken(":") or self._taken("=")):
                self._skip_lines()
                named.append(self.value(depth + 1))
            if named and len(named) != len(values):
                raise Unreadable
        return Mapped(tuple(zip(values, named, strict=True))) if named else Listed(tuple(values))


def unquoted(text: str) -> str:
    """The text between quotes, its escapes resolved."""
    return _ESCAPE.sub(_character, text[1:-1])


def _character(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else _ESCAPES.get(escape[3], escape[3])
