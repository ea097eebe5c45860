"""What values are made of: the Python side of ``Sketch.java`` and ``Recipe.java``.

A sketch says how values of a type can be made, a recipe how one value is made. Both are trees of the same
shape: a letter, a name, words and parts; the letters are explained there. Other languages use those letters
that have a meaning for them.
"""

from __future__ import annotations

from typing import NamedTuple


class Sketch(NamedTuple):
    """How values of a type can be made."""

    kind: str
    name: str
    words: tuple[str, ...] = ()
    parts: tuple[Sketch, ...] = ()


class Recipe(NamedTuple):
    """How a value is made."""

    kind: str
    name: str = ""
    words: tuple[str, ...] = ()
    parts: tuple[Recipe, ...] = ()


class Call(NamedTuple):
    """What a unit is called with."""

    receiver: Recipe | None
    arguments: tuple[Recipe, ...]


class Signature(NamedTuple):
    """A method or constructor as the JVM knows it, and what it takes."""

    owner: str
    """Binary name of its class."""
    name: str
    """``<init>`` for a constructor."""
    types: tuple[str, ...]
    """Names of its parameters' classes."""
    receiver: Sketch | None
    parameters: tuple[Sketch, ...]
    result: Sketch
    """How what it returns could be made; the class's own for a constructor."""


NULL = Recipe("n")
RANGES = {"byte": 7, "short": 15, "int": 31, "long": 63}
"""Kinds of whole numbers and the bits of their magnitude."""
_BOXED = {
    "Boolean": "boolean",
    "Character": "char",
    "Byte": "byte",
    "Short": "short",
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
    "String": "String",
    "CharSequence": "String",
}


def plain_name(name: str) -> str:
    """``int`` for ``int`` and ``java.lang.Integer``; empty for what may be of several kinds."""
    simple = name.removeprefix("java.lang.")
    return _BOXED.get(simple, simple if name == simple else "")
