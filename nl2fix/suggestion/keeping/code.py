"""Values as Java source: what a call was made with, and what came of it.

Names are written as short as imports allow; those that are missing are collected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, count

from nl2fix.validation.calls.sketches import Recipe

DIAMONDS = 8
"""Source level from which the compiler finds the type arguments of an argument."""
_IMPORT = re.compile(r"^\s*import\s+(static\s+)?([\w.]+?)(\.\*)?\s*;", re.MULTILINE)
_BOXES = {"int": "Integer", "char": "Character"}
_PRIMITIVES = {
    "Z": "boolean",
    "C": "char",
    "B": "byte",
    "S": "short",
    "I": "int",
    "J": "long",
    "F": "float",
    "D": "double",
}
PRIMITIVE = frozenset(_PRIMITIVES.values())
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\\": "\\\\"}


class Inexpressible(Exception):
    """There is no Java source for it."""


class Names:
    """Names of classes in one source file."""

    def __init__(self, package: str, text: str) -> None:
        """``text`` is the file as it is; empty for a new one."""
        found = list(_IMPORT.finditer(text))
        self._known = {m[2].rpartition(".")[2]: m[2] for m in found if not m[1] and not m[3]}
        self._there = set(self._known.values())
        self._packages = {"", "java.lang", package} | {m[2] for m in found if not m[1] and m[3]}
        self._static = {m[2] + (m[3] or "") for m in found if m[1]}
        self.imports: set[str] = set()
        """Classes that the file must import besides."""
        self.static: set[str] = set()
        """Static methods that the file must import besides."""

    def of(self, binary: str) -> str:
        """The source name of ``java.util.List``, ``acme.Outer$Inner``, ``int`` or ``[I``."""
        if binary.startswith("["):
            element = binary[1:]
            inner = _PRIMITIVES.get(element, element[1:-1] if element.startswith("L") else element)
            return self.of(inner) + "[]"
        if re.search(r"\$(\d|\$|$)", binary):
            raise Inexpressible(f"{binary} has no name in source")
        outer, dollar, inner = binary.partition("$")
        return self._short(outer) + (dollar and "." + inner.replace("$", "."))

    def _short(self, name: str) -> str:
        package, _, simple = name.rpartition(".")
        if self._known.setdefault(simple, name) != name:
            return name
        if name not in self._there and package not in self._packages:
            self.imports.add(name)
        return simple

    def call(self, owner: str, method: str, qualified: bool) -> str:
        """How a static method is called: qualified, or with a static import."""
        if qualified:
            return f"{self.of(owner)}.{method}"
        if not {f"{owner}.*", f"{owner}.{method}"} & self._static:
            self.static.add(f"{owner}.{method}")
        return method


class Code:
    """Writes values; what has no expression of its own is built by statements before."""

    def __init__(self, names: Names, level: int, raw: bool) -> None:
        """``raw``: leaves type arguments out, where the deduced ones do not fit."""
        self._names = names
        self._diamond = "" if raw or level < DIAMONDS else "<>"
        self._raw = raw
        self._taken: set[str] = set()
        self.statements: list[str] = []

    def variable(self, wanted: str) -> str:
        """A name for a new variable."""
        tries = chain([wanted], (f"{wanted}{i}" for i in count(2)))
        name = next(name for name in tries if name not in self._taken)
        self._taken.add(name)
        return name

    def value(self, recipe: Recipe) -> str:
        """An expression for a value that a call is made with."""
        match recipe.kind:
            case "n":
                return "null"
            case "v":
                return literal(recipe.name, recipe.words[0])
            case "f":
                return f"{self._names.of(recipe.name)}.{recipe.words[0]}"
            case "a":
                return f"new {self._names.of(recipe.name)}[] {{{self._all(recipe.parts)}}}"
            case "l":
                return self._collection(recipe)
            case "m":
                return self._map(recipe)
            case "o":
                return f"new {self._names.of(recipe.name)}({self._all(recipe.parts)})"
            case "s":
                return f"{self._names.of(recipe.name)}.{recipe.words[0]}({self._all(recipe.parts)})"
            case "i":
                return recipe.words[-1]
        raise Inexpressible("what it is made with has no source")

    def _collection(self, recipe: Recipe) -> str:
        made = f"new {self._names.of(recipe.name)}{self._diamond}"
        return f"{made}({self.listed(recipe.parts)})" if recipe.parts else f"{made}()"

    def listed(self, parts: Sequence[Recipe]) -> str:
        """A list that is only read."""
        if not parts:
            return f"{self._names.of('java.util.Collections')}.emptyList()"
        alone = len(parts) == 1 and parts[0].kind in "na"
        name = "java.util.Collections" if alone else "java.util.Arrays"
        return f"{self._names.of(name)}.{'singletonList' if alone else 'asList'}({self._all(parts)})"

    def type(self, recipe: Recipe) -> str:
        """The type of a variable, or type argument, that holds a value."""
        match recipe.kind:
            case "v":
                return _box(recipe.name)
            case "a":
                return self._names.of(recipe.name) + "[]"
            case "l":
                return self._names.of(_face(recipe.name)) + self._arguments([recipe.parts])
            case "m":
                sides = [recipe.parts[::2], recipe.parts[1::2]]
                return self._names.of("java.util.Map") + self._arguments(sides)
            case "n":
                return "Object"
        return self._names.of(recipe.name)

    def _arguments(self, sides: Sequence[Sequence[Recipe]]) -> str:
        if self._raw:
            return ""
        kinds = [{self.type(part) for part in side if part.kind != "n"} for side in sides]
        return f"<{', '.join(kind.pop() if len(kind) == 1 else 'Object' for kind in kinds)}>"

    def _map(self, recipe: Recipe) -> str:
        made = f"new {self._names.of(recipe.name)}"
        if not recipe.parts:
            return f"{made}{self._diamond}()"
        name = self.variable("map")
        declared = self.type(recipe)
        arguments = self._diamond or declared[len(self._names.of("java.util.Map")) :]
        puts = [
            f"{name}.put({self.value(key)}, {self.value(value)});"
            for key, value in zip(recipe.parts[::2], recipe.parts[1::2], strict=True)
        ]
        self.statements += [f"{declared} {name} = {made}{arguments}();", *puts]
        return name

    def _all(self, recipes: Sequence[Recipe]) -> str:
        return ", ".join(map(self.value, recipes))


def literal(kind: str, text: str) -> str:
    """A plain value; ``kind`` is that of a recipe or the simple name of a box."""
    kind = {"Integer": "int", "Character": "char"}.get(kind, kind if kind == "String" else kind.lower())
    if kind == "String":
        return '"' + "".join(_escaped(letter, '"') for letter in text) + '"'
    if kind == "char":
        return f"'{_escaped(chr(int(text)), chr(39))}'"
    if kind in ("double", "float"):
        return _real(kind, text)
    if kind == "long":
        return f"{text}L"
    return f"({kind}) {text}" if kind in ("byte", "short") else text


def _real(kind: str, text: str) -> str:
    special = {"NaN": "NaN", "Infinity": "POSITIVE_INFINITY", "-Infinity": "NEGATIVE_INFINITY"}
    if text in special:
        return f"{kind.capitalize()}.{special[text]}"
    return f"{text}f" if kind == "float" else text


def _escaped(letter: str, quote: str) -> str:
    if letter == quote:
        return "\\" + letter
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if " " <= letter <= "~":
        return letter
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def boxed(fact: Recipe) -> str:
    """A plain value as an object."""
    if fact.name == "String":
        return literal(fact.name, fact.words[0])
    return f"{_box(fact.name)}.valueOf({literal(fact.name, fact.words[0])})"


def _box(kind: str) -> str:
    return _BOXES.get(kind, kind[:1].upper() + kind[1:])


def _face(name: str) -> str:
    """The interface by which a collection is known."""
    faces = {
        "java.util.ArrayList": "java.util.List",
        "java.util.LinkedHashSet": "java.util.Set",
        "java.util.TreeSet": "java.util.Set",
        "java.util.ArrayDeque": "java.util.Deque",
    }
    return faces.get(name, name)
