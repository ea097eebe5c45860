"""Java: units (methods and constructors) of a file, lexemes, comments, syntax.

Entity notation of a unit: ``name(Type1, Type2)``. Types stand as written in the source without
annotations, ``final``, type arguments and blanks; varargs keep ``...``, dimensions after a
parameter's name move to its type. A constructor bears its class's name, ``Point(int, int)``; the
compact constructor of a record is ``Point`` without parentheses. Where a file has several such units,
the path of enclosing classes goes before it, only as far as needed: ``Inner#name(...)``,
``Outer.Inner#name(...)``; the n-th anonymous class inside ``Outer`` is ``Outer.n``. A lookup also takes
simple names for qualified ones (``List`` for ``java.util.List``) and a bare ``name`` that occurs once.

A unit's region goes from its first modifier or annotation to the closing brace, Javadoc excluded.
All offsets count characters. Nothing here fails on malformed text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.core.registry import always
from nl2fix.languages.java import extraction as _extraction
from nl2fix.languages.java import lexemes as _lexemes
from nl2fix.languages.java import probes as _probes
from nl2fix.languages.java import units as _units
from nl2fix.languages.java.flow import RULES
from nl2fix.languages.java.units import JavaUnit
from nl2fix.languages.syntax import describe_error, innermost, without_bodies

if TYPE_CHECKING:
    from tree_sitter import Language


class Java:
    """The Java language; satisfies ``nl2fix.core.protocols.Language`` and all capabilities."""

    name = "java"
    title = "Java"
    fences: tuple[str, ...] = ("java", "java8", "java11", "java17", "jav")
    keywords = _lexemes.KEYWORDS
    flow = RULES
    tokens = staticmethod(_lexemes.tokens)
    unescaped = staticmethod(_lexemes.unescaped)
    plain = staticmethod(_lexemes.plain)
    flattened = staticmethod(_lexemes.flattened)
    parser = staticmethod(_units.GRAMMAR.parser)
    strip_comments = staticmethod(_lexemes.strip_comments)
    lexemes = staticmethod(_lexemes.code_lexemes)
    asides = staticmethod(_lexemes.asides)
    identifiers = staticmethod(_lexemes.identifiers)
    tree = staticmethod(_units.GRAMMAR.tree)
    only_declares = staticmethod(_units.only_declares)
    units = staticmethod(_units.units_of)
    entity = staticmethod(_units.entity)
    find = staticmethod(_units.find)
    extract = staticmethod(_extraction.extract)
    adopt_imports = staticmethod(_extraction.adopt_imports)
    probes = staticmethod(_probes.probes)

    def grammar(self) -> Language:
        """The tree-sitter grammar, for queries."""
        return _units.GRAMMAR.language

    def skeleton(self, text: str) -> str:
        """Imports, types, fields and signatures of a whole file; comments left out."""
        plain = self.strip_comments(text)
        return without_bodies(plain, [unit.body for unit in self.units(plain) if unit.body], "{ ... }")

    def syntax_error(self, text: str) -> str | None:
        """``line N: …`` for the first syntax error of a whole file; ``None`` when there is none.

        The grammar takes a little more than Java; javac has the last word.
        """
        return describe_error(self.tree(text).root_node, text)

    def entities(self, text: str) -> dict[str, Span]:
        """Entity → region for every unit that has a body, in text order."""
        every = self.units(text)
        return {_units.entity(unit, every): unit.span for unit in every if unit.body is not None}

    def unit_at_line(self, text: str, line: int) -> JavaUnit | None:
        """The innermost unit whose region holds the 1-based line."""
        return innermost(self.units(text), text, line)

    def locate(self, text: str, entity: str) -> Span | None:
        """Region of ``entity`` in a whole file; ``None`` when it is not there exactly once."""
        unit = _units.find(text, entity)
        return None if unit is None else unit.span

    def signature(self, text: str, entity: str) -> str | None:
        """The unit's text from its first modifier up to and including the opening brace."""
        unit = _units.find(text, entity)
        return None if unit is None or unit.body is None else text[unit.span.start : unit.body.start + 1]


JAVA = Java()

make = always(JAVA)
