"""Lexemes of Python, and layout tokens for line ends and indentation."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from nl2fix.languages.lexing import Lexeme, without

INDENT, DEDENT, NEWLINE, UNEVEN = "<indent>", "<dedent>", "\n", "<uneven>"
"""Layout tokens, so that programs that differ in indentation alone differ in their tokens."""


_PATTERN = re.compile(
    r"""
      (?P<space>[ \t\f]+|\\(?:\r\n|\r|\n))
    | (?P<line>\r\n|\r|\n)
    | (?P<comment>\#[^\r\n]*)
    | (?P<string>(?i:[rbuft]{0,2})(?:\"""(?>(?:[^\\"]++|\\[\s\S]|"(?!""))*)\"""
        | '''(?>(?:[^\\']++|\\[\s\S]|'(?!''))*)'''
        | "(?!"")(?>(?:[^"\\\r\n]++|\\(?:\r\n|[\s\S]))*)" | '(?!'')(?>(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S]))*)'
        | ""(?!") | ''(?!')))
    | (?P<unclosed>(?i:[rbuft]{0,2})(?:\"""[\s\S]*|'''[\s\S]*|"[^\r\n]*|'[^\r\n]*))
    | (?P<number>0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+
        | (?:[0-9][0-9_]*(?:\.(?:[0-9][0-9_]*)?)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?[jJ]?)
    | (?P<word>\w+)
    | (?P<operator>\*\*=|//=|>>=|<<=|\.\.\.|[-+*/%&|^@!=<>:]=|->|\*\*|//|<<|>>)
    | (?P<other>[\s\S])
    """,
    re.VERBOSE,
)


_FORMATTED = re.compile(r"(?i:[rf]?f[rf]?|[rt]?t[rt]?)(\"\"\"|'''|\"|')")


_GLUE = re.compile(r"\w{2}|\w['\"]")


# fmt: off
KEYWORDS = frozenset(
    {"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    "match", "case", "type"}
)
# fmt: on
"""Reserved words, and those reserved in some places (as codebleu 0.7.0 has them)."""


def scan(code: str) -> list[Lexeme]:
    """All lexemes but blanks; a formatted string is one lexeme even where its fields hold quotes."""
    lexemes: list[Lexeme] = []
    position = 0
    while position < len(code):
        match = _PATTERN.match(code, position)
        if match is None:
            break
        kind, end = match.lastgroup or "", match.end()
        if kind in ("string", "unclosed"):
            formatted = _FORMATTED.match(code, position)
            whole = _string_end(code, formatted.end(), formatted[1]) if formatted else None
            kind, end = ("string", whole) if whole is not None else (kind, end)
        if kind != "space":
            lexemes.append(Lexeme(kind, position, end))
        position = end
    return lexemes


def _string_end(code: str, position: int, quote: str) -> int | None:
    """Where a formatted string ends whose text begins at ``position``; ``None`` if it does not."""
    while position < len(code):
        character = code[position]
        if code.startswith(quote, position):
            return position + len(quote)
        if character in "\r\n" and len(quote) == 1:
            return None
        if character == "{" and not code.startswith("{{", position):
            end = _field_end(code, position + 1)
            if end is None:
                return None
            position = end
        else:
            position += 2 if character == "\\" or code.startswith(("{{", "}}"), position) else 1
    return None


def _field_end(code: str, position: int) -> int | None:
    """Where a replacement field of a formatted string ends, after its ``}``."""
    depth = 1
    while position < len(code):
        match = _PATTERN.match(code, position)
        if match is None or match.lastgroup in ("comment", "unclosed"):
            return None
        formatted = _FORMATTED.match(code, position) if match.lastgroup == "string" else None
        end = _string_end(code, formatted.end(), formatted[1]) if formatted else match.end()
        if end is None:
            return None
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0:
            return match.end()
        position = end
    return None


def with_layout(code: str, lexemes: Sequence[Lexeme]) -> list[str]:
    """Tokens with those of layout between them: line ends, changes of indentation."""
    tokens: list[str] = []
    levels, depth, line_start = [0], 0, True
    for lexeme in lexemes:
        token = code[lexeme.start : lexeme.end]
        if lexeme.kind == "line":
            if not line_start and depth == 0:
                tokens.append(NEWLINE)
                line_start = True
            continue
        if line_start:
            tokens += _indentation(levels, column_of(code, lexeme.start))
            line_start = False
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth = max(depth - 1, 0)
        tokens.append(token)
    while tokens and tokens[-1] == NEWLINE:
        tokens.pop()
    return tokens


def column_of(code: str, position: int) -> int:
    """Column of a position, from 0, with tabs as Python counts them."""
    start = max(code.rfind("\n", 0, position), code.rfind("\r", 0, position)) + 1
    return len(code[start:position].expandtabs(8))


def _indentation(levels: list[int], column: int) -> list[str]:
    """Layout tokens for a line that begins at this column; updates the open levels."""
    if column > levels[-1]:
        levels.append(column)
        return [INDENT] if len(levels) > 2 or levels[0] == 0 else []
    tokens: list[str] = []
    while len(levels) > 1 and column < levels[-1]:
        levels.pop()
        tokens.append(DEDENT)
    if column != levels[-1]:
        levels.append(column)
        tokens.append(UNEVEN)
    return tokens


def code_lexemes(code: str) -> list[Lexeme]:
    """Tokens with their places; ends of lines are kind ``line``, comments left out."""
    return [lexeme for lexeme in scan(code) if lexeme.kind != "comment"]


def strip_comments(code: str) -> str:
    """The code without comments; docstrings, tokens and remaining formatting unchanged."""
    if "#" not in code:
        return code
    comments = [
        lexeme
        for lexeme in scan(code)
        if lexeme.kind == "comment" and not code[: lexeme.start].rstrip(" \t\f").endswith("\\")
    ]
    return without(code, comments, lambda pair: _GLUE.match(pair) is not None)


def identifiers(code: str) -> list[str]:
    """Names in order of appearance, keywords left out, repeats included."""
    words = [code[token.start : token.end] for token in code_lexemes(code) if token.kind == "word"]
    return [word for word in words if not keyword.iskeyword(word)]
