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

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.core.registry import always
from nl2fix.languages.java import extraction, lexemes, probes, units
from nl2fix.languages.java.flow import RULES
from nl2fix.languages.java.units import JavaUnit
from nl2fix.languages.lexing import Lexeme
from nl2fix.languages.syntax import describe_error, innermost, masked, without_bodies

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Tree


class Java:
    """The Java language; satisfies ``nl2fix.core.protocols.Language`` and all capabilities."""

    name = "java"
    title = "Java"
    fences: tuple[str, ...] = ("java", "java8", "java11", "java17", "jav")
    keywords = lexemes.KEYWORDS
    flow = RULES

    def tokens(self, code: str) -> list[str]:
        """Tokens as javac's parser sees them: ``>>`` that closes two type arguments is two tokens."""
        return lexemes.tokens(code)

    def lexemes(self, code: str) -> list[Lexeme]:
        """Tokens with their places, comments left out; never fails."""
        return lexemes.code_lexemes(code)

    def strip_comments(self, code: str) -> str:
        """The code without comments and Javadoc; tokens, literals and remaining formatting unchanged."""
        return lexemes.strip_comments(code)

    def unescaped(self, code: str) -> str:
        """The code with a letter for each Unicode escape, as javac reads it before it looks for lexemes."""
        return lexemes.unescaped(code)

    def plain(self, code: str) -> str:
        """The same program without needless Unicode escapes."""
        return lexemes.plain(code)

    def identifiers(self, code: str) -> list[str]:
        """Names in order of appearance, keywords and literals left out, repeats included."""
        return lexemes.identifiers(code)

    def tree(self, text: str) -> Tree:
        """Syntax tree whose byte offsets are character offsets of ``text``."""
        return units.parser().parse(masked(text))

    def grammar(self) -> Language:
        """The tree-sitter grammar, for queries."""
        return units.grammar()

    def parser(self) -> Parser:
        """A new parser, for callers that parse incrementally."""
        return units.parser()

    def flattened(self, code: str) -> str:
        """The code as one line of ASCII of the same length and tree: comments blanked, texts filled."""
        return lexemes.flattened(code)

    def skeleton(self, text: str) -> str:
        """Imports, types, fields and signatures of a whole file; comments left out."""
        plain = self.strip_comments(text)
        return without_bodies(plain, [unit.body for unit in self.units(plain) if unit.body], "{ ... }")

    def only_declares(self, code: str) -> bool:
        """Whether a fragment holds types, methods, imports and nothing else; variables may be statements."""
        return units.only_declares(code)

    def syntax_error(self, text: str) -> str | None:
        """``line N: …`` for the first syntax error of a whole file; ``None`` when there is none.

        The grammar takes a little more than Java; javac has the last word.
        """
        return describe_error(self.tree(text).root_node, text)

    def units(self, text: str) -> tuple[JavaUnit, ...]:
        """Methods and constructors of a file or fragment in text order, abstract ones included."""
        return units.units_of(text)

    def entity(self, unit: JavaUnit, beside: Sequence[JavaUnit]) -> str:
        """The shortest notation that names this unit among all units of its file."""
        return units.entity(unit, beside)

    def entities(self, text: str) -> dict[str, Span]:
        """Entity → region for every unit that has a body, in text order."""
        every = self.units(text)
        return {units.entity(unit, every): unit.span for unit in every if unit.body is not None}

    def unit_at_line(self, text: str, line: int) -> JavaUnit | None:
        """The innermost unit whose region holds the 1-based line."""
        return innermost(self.units(text), text, line)

    def find(self, text: str, entity: str) -> JavaUnit | None:
        """The one unit that ``entity`` names in a whole file; ``None`` for none or several."""
        return units.find(text, entity)

    def locate(self, text: str, entity: str) -> Span | None:
        """Region of ``entity`` in a whole file; ``None`` when it is not there exactly once."""
        unit = units.find(text, entity)
        return None if unit is None else unit.span

    def signature(self, text: str, entity: str) -> str | None:
        """The unit's text from its first modifier up to and including the opening brace."""
        unit = units.find(text, entity)
        return None if unit is None or unit.body is None else text[unit.span.start : unit.body.start + 1]

    def extract(self, text: str, entity: str, context: str | None = None) -> str | None:
        """See ``extraction.extract``."""
        return extraction.extract(text, entity, context)

    def adopt_imports(self, text: str, fragment: str) -> str:
        """``text``, a whole file, with the imports of ``fragment`` that it uses and lacks."""
        return extraction.adopt_imports(text, fragment)

    def probes(self, text: str, region: Span) -> dict[int, tuple[str, str]]:
        """See ``capabilities.HasProbes``."""
        return probes.probes(text, region)


JAVA = Java()

make = always(JAVA)
