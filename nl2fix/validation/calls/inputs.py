"""Draws what to call a unit with: small values, what the file and the issue mention, values like those.

Equal seeds draw equal calls. Nothing here looks at tests, candidates or references.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from nl2fix.validation.calls.functions import functions
from nl2fix.validation.calls.sketches import NULL, RANGES, Call, Recipe, Signature, Sketch, plain_name

_INTEGER = re.compile(r"(?<![\w.])-?\d{1,9}(?![\w.]*\d)")
_REAL = re.compile(r"(?<![\w.])-?\d{1,9}\.\d{1,9}")
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.){1,80})\"|(?<!\w)'((?:[^'\\\n]|\\.){1,80})'")
_LIST = re.compile(r"[\[{(]([^\[\]{}()\n]{1,200})[\]})]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_LENGTHS = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11)
_LETTERS = "abcdexyzABCXYZ"
_MOST_CHARACTERS = 40
_MOST_VALUES = 100
"""In one call; what is drawn beyond is empty."""
_SPECIAL = (math.nan, math.inf, -math.inf, -0.0)
_ANY = ("Integer", "String", "Double")
"""What stands for ``Object`` and the like."""


class Mentions(NamedTuple):
    """Values that texts mention."""

    integers: tuple[int, ...]
    reals: tuple[float, ...]
    texts: tuple[str, ...]
    lists: tuple[tuple[str, ...], ...]
    """Texts of their elements, as written."""


def mentions(texts: Sequence[str]) -> Mentions:
    """The values in code, comments and issues; each once, in order."""
    whole = "\n".join(texts)
    lists = (tuple(part.strip() for part in m[1].split(",")) for m in _LIST.finditer(whole) if "," in m[1])
    return Mentions(
        tuple(dict.fromkeys(int(m[0]) for m in _INTEGER.finditer(whole))),
        tuple(dict.fromkeys(float(m[0]) for m in _REAL.finditer(whole))),
        tuple(dict.fromkeys(_unescaped(m[1] or m[2]) for m in _QUOTED.finditer(whole))),
        tuple(dict.fromkeys(lists)),
    )


def calls(signature: Signature, mentioned: Mentions, seed: str) -> Iterator[Call]:
    """Different calls, without end unless there are no more to be found."""
    drawn: set[Call] = set()
    chance, misses = random.Random(seed), 0
    while misses < 200:
        call = _Draw(chance, mentioned).call(signature)
        misses = misses + 1 if call in drawn else 0
        if call not in drawn:
            drawn.add(call)
            yield call


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text)


class _Draw:
    """One call being drawn; its collections tend to be of one length."""

    def __init__(self, chance: random.Random, mentioned: Mentions) -> None:
        self._chance = chance
        self._known = mentioned
        self._length = chance.choice(_LENGTHS)
        self._any = chance.choice(_ANY)
        self._left = _MOST_VALUES

    def call(self, signature: Signature) -> Call:
        receiver = self.value(signature.receiver) if signature.receiver else None
        return Call(receiver, tuple(self.value(sketch) for sketch in signature.parameters))

    def value(self, sketch: Sketch, inside: bool = False) -> Recipe:
        if sketch.kind not in "vo?" and not inside and self._chance.random() < 0.02:
            return NULL
        makers: dict[str, Callable[[Sketch], Recipe]] = {
            "v": self._plain,
            "a": self._filled,
            "l": self._filled,
            "m": self._map,
            "e": self._constant,
            "o": self._object,
            "i": self._function,
        }
        return makers[sketch.kind](sketch) if sketch.kind in makers else NULL

    def _constant(self, sketch: Sketch) -> Recipe:
        if not sketch.words:
            return NULL
        return Recipe("f", sketch.name, (self._chance.choice(sketch.words),))

    def _object(self, sketch: Sketch) -> Recipe:
        way = self._chance.choice(sketch.parts)
        if way.kind == "f":
            return Recipe("f", sketch.name, (way.name,))
        parts = tuple(self.value(part, inside=True) for part in way.parts)
        if way.kind == "c":
            return Recipe("o", way.name, way.words, parts)
        return Recipe("s", sketch.name, (way.name, *way.words), parts)

    def _function(self, sketch: Sketch) -> Recipe:
        result, *parameters = sketch.words
        return Recipe("i", sketch.name, self._chance.choice(functions(result, parameters)))

    def _filled(self, sketch: Sketch) -> Recipe:
        (element,) = sketch.parts
        mentioned = self._mentioned(element)
        if mentioned and self._chance.random() < 0.35:
            parts = list(self._chance.choice(mentioned))
            if self._chance.random() < 0.4:
                self._chance.shuffle(parts)
                parts = parts[: self._chance.randint(0, len(parts))]
            return Recipe(sketch.kind, sketch.name, (), tuple(parts))
        return Recipe(sketch.kind, sketch.name, (), tuple(self._elements(element)))

    def _elements(self, element: Sketch) -> list[Recipe]:
        length = self._few(self._length if self._chance.random() < 0.6 else self._chance.choice(_LENGTHS))
        if self._chance.random() < 0.4:  # few different ones, many times
            palette = [self.value(element, inside=True) for _ in range(self._chance.randint(1, 3))]
            return [self._chance.choice(palette) for _ in range(length)]
        values = [self.value(element, inside=True) for _ in range(length)]
        order = self._chance.random()
        if order < 0.3 and element.kind == "v" and plain_name(element.name) in RANGES:
            values.sort(key=lambda recipe: int(recipe.words[0]) if recipe.words else 0, reverse=order < 0.1)
        return values

    def _mentioned(self, element: Sketch) -> list[tuple[Recipe, ...]]:
        """Lists that the texts mention and whose elements are of this kind."""
        if element.kind != "v":
            return []
        read = [tuple(_read(element.name, word) for word in words) for words in self._known.lists]
        return [tuple(r for r in row if r is not None) for row in read if None not in row]

    def _map(self, sketch: Sketch) -> Recipe:
        key, value = sketch.parts
        length = self._few(min(self._length, 6))
        pairs = [(self.value(key, inside=True), self.value(value, inside=True)) for _ in range(length)]
        return Recipe("m", sketch.name, (), tuple(part for pair in dict(pairs).items() for part in pair))

    def _few(self, wanted: int) -> int:
        length = max(0, min(wanted, self._left))
        self._left -= length
        return length

    def _plain(self, sketch: Sketch) -> Recipe:
        name = plain_name(sketch.name) or plain_name("java.lang." + self._any)
        nullable = sketch.name.startswith("java.lang.")
        if nullable and self._chance.random() < 0.01:
            return NULL
        return Recipe("v", name, (self._word(name),))

    def _word(self, name: str) -> str:
        if name == "boolean":
            return self._chance.choice(("true", "false"))
        if name == "char":
            return str(ord((self._text() or "a")[0]))
        if name in RANGES:
            return str(self._integer(RANGES[name]))
        if name in ("float", "double"):
            return _written(self._real())
        return self._text()

    def _integer(self, bits: int) -> int:
        draw, mentioned = self._chance.random(), self._known.integers
        if draw < 0.25 and mentioned:
            value = self._chance.choice(mentioned) + self._chance.choice((0, 0, 0, -1, 1))
        elif draw < 0.55:
            value = self._chance.randint(0, 10)
        elif draw < 0.7:
            value = self._chance.randint(-10, -1)
        elif draw < 0.9:
            value = self._chance.randint(10, 120)
        elif draw < 0.97:
            value = self._chance.randint(-2000, 20000)
        else:
            value = self._chance.choice(((1 << bits) - 1, -(1 << bits)))
        return max(-(1 << bits), min((1 << bits) - 1, value))

    def _real(self) -> float:
        draw, mentioned = self._chance.random(), self._known.reals
        if draw < 0.3 and mentioned:
            return self._chance.choice(mentioned)
        if draw < 0.65:
            return float(self._integer(15))
        if draw < 0.8:
            return float(self._chance.choice((-1, 0, 0, 1, 2)))
        if draw < 0.98:
            return round(self._chance.uniform(-20, 100), self._chance.randint(1, 3))
        return self._chance.choice(_SPECIAL)

    def _text(self) -> str:
        draw, mentioned = self._chance.random(), self._known.texts
        if mentioned and draw < 0.35:
            return self._chance.choice(mentioned)
        if mentioned and draw < 0.5:
            return self._changed(self._chance.choice(mentioned))
        if mentioned and draw < 0.7:
            letters = "".join(sorted(set("".join(mentioned))))
            return self._letters(self._chance.sample(letters, min(len(letters), self._chance.randint(1, 6))))
        if draw < 0.8:
            return " ".join(self._letters(_LETTERS, 6) for _ in range(self._chance.randint(0, 5)))
        if draw < 0.9:
            return "".join(str(self._integer(7)) for _ in range(self._chance.randint(0, 3)))
        return self._letters(_LETTERS[: self._chance.randint(1, len(_LETTERS))])

    def _letters(self, alphabet: Sequence[str], most: int = 11) -> str:
        return "".join(self._chance.choice(alphabet) for _ in range(self._chance.randint(0, most)))

    def _changed(self, text: str) -> str:
        """A text with one part left out, doubled, turned round or in the other case."""
        start, end = sorted((self._chance.randint(0, len(text)), self._chance.randint(0, len(text))))
        part = text[start:end]
        changes = ("", part + part, part[::-1], part.swapcase())
        return (text[:start] + self._chance.choice(changes) + text[end:])[:_MOST_CHARACTERS]


def _read(name: str, word: str) -> Recipe | None:
    """A plain value as a text mentions it; ``None`` where it is of another kind."""
    kind = plain_name(name)
    try:
        if kind in RANGES:
            return Recipe("v", kind, (str(int(word)),))
        if kind in ("float", "double"):
            return Recipe("v", kind, (_written(float(word)),))
    except ValueError:
        return None
    quoted = _QUOTED.fullmatch(word)
    if quoted is None or kind not in ("String", "char"):
        return None
    text = _unescaped(quoted[1] or quoted[2])
    return Recipe("v", kind, (text if kind == "String" else str(ord(text[0])),))


def _written(real: float) -> str:
    """As Java reads and writes it."""
    return repr(real).replace("inf", "Infinity").replace("nan", "NaN")
