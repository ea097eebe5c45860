"""Languages of curly braces read through their grammars: JavaScript, Go, C++, Rust.

Entity notation of a unit: its qualified name, ``name`` or ``Owner.name``; where a file has several units
of one name, the n-th of them is ``name#n``, counted from 1. Owners are classes, name spaces, modules,
implementations and, in Go, the receiver's type. A parameter list after the name is ignored.

A unit's region goes from the first word of its declaration to its end, comments before it excluded. All
offsets count characters. Nothing here fails on malformed text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.languages.curly import extraction, units
from nl2fix.languages.curly.traits import Traits
from nl2fix.languages.curly.units import CurlyUnit
from nl2fix.languages.flow import Rules
from nl2fix.languages.lexing import Lexeme, lexemes, without
from nl2fix.languages.syntax import Grammar, describe_error, innermost

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Tree


class Curly:
    """Satisfies ``nl2fix.core.protocols.Language`` and the capabilities but probes."""

    def __init__(self, traits: Traits) -> None:
        self.name = traits.name
        self.title = traits.title
        self.fences = traits.fences
        self.keywords = traits.keywords
        self.flow: Rules = traits.flow
        self._traits = traits
        self._grammar = Grammar(traits.grammar)

    def tokens(self, code: str) -> list[str]:
        """Lexical tokens without white space and comments."""
        return [code[token.start : token.end] for token in self.lexemes(code)]

    def lexemes(self, code: str) -> list[Lexeme]:
        """Tokens with their places, comments left out; never fails."""
        return [lexeme for lexeme in lexemes(self._traits.pattern, code) if lexeme.kind != "comment"]

    def strip_comments(self, code: str) -> str:
        """The code without comments; tokens, literals and remaining formatting unchanged."""
        comments = [lexeme for lexeme in lexemes(self._traits.pattern, code) if lexeme.kind == "comment"]
        return without(code, comments, lambda pair: self._traits.glue.match(pair) is not None)

    def identifiers(self, code: str) -> list[str]:
        """Names in order of appearance, keywords and literals left out, repeats included."""
        words = [code[token.start : token.end] for token in self.lexemes(code) if token.kind == "word"]
        return [word for word in words if word not in self.keywords and word not in self._traits.literals]

    def tree(self, text: str) -> Tree:
        """Syntax tree whose byte offsets are character offsets of ``text``."""
        return self._grammar.tree(text)

    def parser(self) -> Parser:
        """A new parser."""
        return self._grammar.parser()

    def grammar(self) -> Language:
        """The tree-sitter grammar, for queries."""
        return self._grammar.language

    def syntax_error(self, text: str) -> str | None:
        """``line N: …`` for the first syntax error of a whole file; ``None`` when there is none."""
        return describe_error(self.tree(text).root_node, text)

    def only_declares(self, code: str) -> bool:
        """Whether a fragment holds functions, types, imports and no more; variables may be statements."""
        return units.only_declares(self._traits, self.tree(code).root_node, code)

    def units(self, text: str) -> tuple[CurlyUnit, ...]:
        """Functions and methods that have a body, in text order, nested ones included."""
        return units.units_of(self._traits, self.tree(text).root_node, text)

    def entity(self, unit: CurlyUnit, beside: Sequence[CurlyUnit]) -> str:
        """The notation that names this unit among all units of its file."""
        alone = sum(other.path == unit.path for other in beside) == 1
        return unit.path if alone else f"{unit.path}#{unit.number}"

    def entities(self, text: str) -> dict[str, Span]:
        """Entity → region for every unit, in text order."""
        every = self.units(text)
        return {self.entity(unit, every): unit.span for unit in every}

    def unit_at_line(self, text: str, line: int) -> CurlyUnit | None:
        """The innermost unit whose region holds the 1-based line."""
        return innermost(self.units(text), text, line)

    def find(self, text: str, entity: str) -> CurlyUnit | None:
        """The one unit that ``entity`` names in a whole file; ``None`` for none or several."""
        return units.find(self.units(text), entity)

    def locate(self, text: str, entity: str) -> Span | None:
        """Region of ``entity`` in a whole file; ``None`` when it is not there exactly once."""
        unit = self.find(text, entity)
        return None if unit is None else unit.span

    def signature(self, text: str, entity: str) -> str | None:
        """The unit's text from its first word up to and including the mark that opens its body."""
        unit = self.find(text, entity)
        return None if unit is None else text[unit.span.start : unit.body.start + 1]

    def extract(self, text: str, entity: str, context: str | None = None) -> str | None:
        """See ``core.protocols.Language``; of several units that fit, the last one counts."""
        return extraction.extract(self, self._traits, text, entity, context)

    def adopt_imports(self, text: str, fragment: str) -> str:
        """``text``, a whole file, with the imports of ``fragment`` that it uses and lacks."""
        return extraction.adopt_imports(self, self._traits, text, fragment)
