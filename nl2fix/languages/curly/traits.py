"""What distinguishes one language of curly braces from another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nl2fix.languages.flow import Rules


@dataclass(frozen=True)
class Traits:
    """A language as ``curly.Curly`` reads it. Node types are its grammar's."""

    name: str
    title: str
    fences: tuple[str, ...]
    grammar: str
    """Module of the grammar."""
    pattern: re.Pattern[str]
    """Lexemes, as ``lexing`` wants them."""
    keywords: frozenset[str]
    literals: frozenset[str]
    """Words that stand for values."""
    functions: frozenset[str]
    """Nodes with a body that are units, or hold one as their ``value``."""
    owners: frozenset[str]
    """Nodes whose name goes before those of the units inside."""
    imports: frozenset[str]
    """Nodes at the top of a file that bring names in."""
    flow: Rules
    wrapper: tuple[str, str] | None = None
    """Text around a member that stands alone, so that it reads as one."""
    glue: re.Pattern[str] = re.compile(r"\w{2}|[-+&|<>=:]{2}|[-+*/%&|^!=<>]=|->|//|/\*|\.\.|\d\.|\.\d")
    """Pairs of characters that a removed comment kept apart."""


BLOCK = r"/\*[\s\S]*?\*/"
NESTED = r"/\*(?>(?:[^*/]++|\*(?!/)|/(?!\*)|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)\*/"
"""A block comment, and one that holds others."""


def scanner(strings: str, operators: str, numbers: str, words: str, block: str = BLOCK) -> re.Pattern[str]:
    """A pattern of lexemes; line comments are those of C."""
    return re.compile(
        rf"""
          (?P<space>[ \t\f\v\r\n]+)
        | (?P<comment>//[^\r\n]*|{block})
        | (?P<broken>/\*[\s\S]*)
        | (?P<string>{strings})
        | (?P<number>{numbers})
        | (?P<word>{words})
        | (?P<unclosed>"[^\r\n]*|`[\s\S]*)
        | (?P<operator>{operators})
        | (?P<other>[\s\S])
        """,
        re.VERBOSE,
    )
