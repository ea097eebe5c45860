"""Sketches and recipes as the worker reads and writes them, and calls taken apart for people."""

from __future__ import annotations

from typing import NamedTuple

from nl2fix.validation.calls.sketches import Call, Recipe, Signature, Sketch
from nl2fix.validation.jvm.frames import Reader, Writer


class TakenApart(NamedTuple):
    """One call, and what became of it in two programs, as a test of the same package could see it."""

    signature: Signature
    call: Call
    before: tuple[Recipe, ...]
    """What ``Facts.java`` tells of result, receiver and each argument; empty where the call did not end."""
    after: tuple[Recipe, ...]


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
