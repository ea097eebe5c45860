"""What values are made of: the Python side of ``Sketch.java`` and ``Recipe.java``.

A sketch says how values of a type can be made, a recipe how one value is made. Both are trees of the same
shape: a letter, a name, words and parts; the letters are explained there.
"""

from __future__ import annotations

from typing import NamedTuple

from nl2fix.validation.jvm.frames import Reader, Writer


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


class TakenApart(NamedTuple):
    """One call, and what became of it in two programs, as a test of the same package could see it."""

    signature: Signature
    call: Call
    before: tuple[Recipe, ...]
    """What ``Facts.java`` tells of result, receiver and each argument; empty where the call did not end."""
    after: tuple[Recipe, ...]


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


def read_sketch(reader: Reader) -> Sketch:
    kind, name = chr(reader.number()), reader.text()
    words = tuple(reader.text() for _ in range(reader.number()))
    return Sketch(kind, name, words, read_sketches(reader))


def read_sketches(reader: Reader) -> tuple[Sketch, ...]:
    return tuple(read_sketch(reader) for _ in range(reader.number()))


def read_recipes(reader: Reader) -> tuple[Recipe, ...]:
    return tuple(
        Recipe(
            chr(reader.number()),
            reader.text(),
            tuple(reader.text() for _ in range(reader.number())),
            read_recipes(reader),
        )
        for _ in range(reader.number())
    )


def write_recipe(writer: Writer, recipe: Recipe) -> None:
    writer.number(ord(recipe.kind)).text(recipe.name).texts(recipe.words)
    write_recipes(writer, recipe.parts)


def write_recipes(writer: Writer, recipes: tuple[Recipe, ...]) -> None:
    writer.number(len(recipes))
    for recipe in recipes:
        write_recipe(writer, recipe)
