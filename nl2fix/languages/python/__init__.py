"""Python: units (functions and classes) of a file, lexemes, comments, syntax.

Entity notation of a unit: its qualified name without ``<locals>``: ``name``, ``Class.method``,
``Class``, ``outer.inner``. Where a file defines a name several times (``@overload``, property setters,
branches), the n-th of them is ``name#n``, counted from 1. A parameter list after the name is ignored.

A unit's region goes from its first decorator or ``def``/``class``/``async``, without the indentation
before it, to the end of its last statement. All offsets count characters. Nothing here fails on
malformed text. Docstrings are code, not comments.
"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

from nl2fix.core.records import Span
from nl2fix.core.registry import always
from nl2fix.languages.python import extraction as _extraction
from nl2fix.languages.python import lexemes as _lexemes
from nl2fix.languages.python import probes as _probes
from nl2fix.languages.python import units as _units
from nl2fix.languages.python.flow import RULES
from nl2fix.languages.python.units import PythonUnit
from nl2fix.languages.syntax import describe_error, innermost, line_of, without_bodies

if TYPE_CHECKING:
    from tree_sitter import Language


class Python:
    """The Python language; satisfies ``nl2fix.core.protocols.Language`` and all capabilities."""

    name = "python"
    title = "Python"
    fences: tuple[str, ...] = ("python", "py", "python3", "python2")
    keywords = _lexemes.KEYWORDS
    flow = RULES
    strip_comments = staticmethod(_lexemes.strip_comments)
    lexemes = staticmethod(_lexemes.code_lexemes)
    identifiers = staticmethod(_lexemes.identifiers)
    tree = staticmethod(_units.GRAMMAR.tree)
    only_declares = staticmethod(_units.only_declares)
    units = staticmethod(_units.units_of)
    entity = staticmethod(_units.entity)
    find = staticmethod(_units.find)
    extract = staticmethod(_extraction.extract)
    adopt_imports = staticmethod(_extraction.adopt_imports)
    probes = staticmethod(_probes.probes)

    def tokens(self, code: str) -> list[str]:
        """Lexical tokens with layout tokens for line ends and changes of indentation."""
        return _lexemes.with_layout(code, _lexemes.code_lexemes(code))

    def grammar(self) -> Language:
        """The tree-sitter grammar, for queries."""
        return _units.GRAMMAR.language

    def skeleton(self, text: str) -> str:
        """Imports, types, fields and signatures of a whole file; comments left out."""
        plain = self.strip_comments(text)
        bodies = [unit.body for unit in self.units(plain) if unit.kind == "function"]
        return without_bodies(plain, bodies, "...")

    def syntax_error(self, text: str) -> str | None:
        """``line N: …`` for the first syntax error of a whole file; ``None`` when there is none.

        The grammar takes a little more than Python; the interpreter has the last word. Units without a body,
        which it takes, too, are refused here: what follows a signature would be none of it.
        """
        error = describe_error(self.tree(text).root_node, text)
        empty = next((unit for unit in self.units(text) if unit.body.start == unit.body.end), None)
        if error is None and empty is not None:
            return f"line {line_of(text, empty.span.start)}: {empty.path} has no body"
        return error

    def refused(self, text: str) -> str | None:
        """``line N: …`` when this interpreter cannot parse a whole file; ``None`` when it can."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what it has to say on a program that it takes
                ast.parse(text)
        except SyntaxError as error:
            return f"line {error.lineno}: {error.msg}"
        except (ValueError, RecursionError, MemoryError) as error:
            return str(error) or "nested too deeply"
        return None

    def entities(self, text: str) -> dict[str, Span]:
        """Entity → region for every unit, in text order."""
        every = self.units(text)
        return {_units.entity(unit, every): unit.span for unit in every}

    def unit_at_line(self, text: str, line: int) -> PythonUnit | None:
        """The innermost unit whose region holds the 1-based line."""
        return innermost(self.units(text), text, line)

    def locate(self, text: str, entity: str) -> Span | None:
        """Region of ``entity`` in a whole file; ``None`` when it is not there exactly once."""
        unit = _units.find(text, entity)
        return None if unit is None else unit.span

    def signature(self, text: str, entity: str) -> str | None:
        """The unit's text from its first decorator up to and including the colon."""
        unit = _units.find(text, entity)
        return None if unit is None else text[unit.span.start : text.rindex(":", 0, unit.body.start) + 1]


PYTHON = Python()

make = always(PYTHON)
