"""Lexemes of Java, as javac's parser sees them."""

from __future__ import annotations

import re

from nl2fix.languages.lexing import Lexeme, lexemes, without
from nl2fix.languages.syntax import masked

_BLANK = r"[ \t\f\r\n]+"
_COMMENT = r"//[^\r\n]*|/\*[\s\S]*?\*/"
_BROKEN = r"/\*[\s\S]*"
_STRING = r"""
      \"""[ \t\f]*+[\r\n](?>(?:[^\\"]++|\\[\s\S]|"(?!""))*)\"""
    | "(?>(?:[^"\\\r\n]++|\\[^\r\n])*)" | '(?>(?:[^'\\\r\n]++|\\[^\r\n])*)'
"""
_UNCLOSED = r"""\"""[\s\S]*|"[^\r\n]*|'[^\r\n]*"""
_OTHERS = r"""
      (?P<number>0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]+)?[lLfFdD]?
        | 0[bB][01_]+[lL]?
        | (?:[0-9][0-9_]*(?:\.(?:[0-9][0-9_]*)?)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?[lLfFdD]?)
    | (?P<word>(?:[\w$€£¥¢]++|\\u+[0-9a-fA-F]{4})+)
    | (?P<operator>>>>=|>>>|<<=|>>=|\.\.\.|->|::|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|<<|>>)
    | (?P<other>[\s\S])
"""
_PATTERN = re.compile(
    f"(?P<space>{_BLANK})|(?P<comment>{_COMMENT})|(?P<broken>{_BROKEN})|(?P<string>{_STRING})"
    f"|(?P<unclosed>{_UNCLOSED})|{_OTHERS}",
    re.VERBOSE,
)

_TOKEN = re.compile(
    rf"(?>(?:{_BLANK}|{_COMMENT})*)"
    rf"([A-Za-z_][\w$€£¥¢]*+(?!\\)|{_BROKEN}|{_STRING}|{_UNCLOSED}|{re.sub('[?]P<[a-z]+>', '?:', _OTHERS)})?",
    re.VERBOSE,
)
"""A token behind what is not seen, if there is one. Plain words, the most of all, are tried first."""

_COMMENTS = re.compile(f"({_COMMENT})|{_BROKEN}|{_STRING}|{_UNCLOSED}", re.VERBOSE)
"""Comments, and what their signs may stand in. No other lexeme holds what one of these begins with."""

_ESCAPE = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|[\s\S]?)")
"""A backslash with what it escapes; a group where that is a letter by its number."""

_TYPE_ARGUMENT = re.compile(r"[\w$]+|[.,?&@\[\]<]|>+")


_GLUE = re.compile(
    r"[\w$\\\x80-\U0010ffff]{2}|[-+&|<>=:]{2}|[-+*/%&|^!=<>]=|->|//|/\*|\.\.|\d\.|\.\d|[\w$]['\"]|['\"]{2}"
)


# fmt: off
KEYWORDS = frozenset(
    {"abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const",
    "continue", "default", "do", "double", "else", "enum", "extends", "final", "finally", "float",
    "for", "goto", "if", "implements", "import", "instanceof", "int", "interface", "long", "native",
    "new", "package", "private", "protected", "public", "return", "short", "static", "strictfp",
    "super", "switch", "synchronized", "this", "throw", "throws", "transient", "try", "void",
    "volatile", "while"}
)
# fmt: on
"""Reserved words; contextual keywords such as ``var`` are names."""

LITERALS = frozenset({"true", "false", "null", "_"})
"""Words that stand for values, and the unnamed variable."""


def _closing(tokens: list[str]) -> set[int]:
    """Indices of ``>>`` and ``>>>`` that close type arguments.

    Decided by tokens alone, so that a piece of code reads the same wherever it stands: from ``<`` on
    only names, ``. , ? & @ [ ]`` and brackets, and the brackets come out even.
    """
    closing: set[int] = set()
    opened: list[int] = []
    undecided: list[int] = []
    for index, token in enumerate(tokens):
        if _TYPE_ARGUMENT.fullmatch(token) is None:
            opened, undecided = [], []
        elif token == "<":
            opened.append(index)
        elif token[0] == ">":
            if len(token) > 1:
                undecided.append(index)
            even = opened[-len(token)] if len(token) <= len(opened) else len(tokens)
            del opened[-len(token) :]
            while undecided and undecided[-1] > even:
                closing.add(undecided.pop())
    return closing


def scan(code: str) -> list[Lexeme]:
    """All lexemes but blanks, comments among them; never fails."""
    return lexemes(_PATTERN, code)


def tokens(code: str) -> list[str]:
    """The tokens of ``code_lexemes`` as they stand; ``>>`` that closes two type arguments is two."""
    found: list[str] = [token for token in _TOKEN.findall(code) if token]
    closing = _closing(found) if ">>" in code else ()
    if not closing:
        return found
    return [part for i, token in enumerate(found) for part in (token if i in closing else (token,))]


def code_lexemes(code: str) -> list[Lexeme]:
    """Tokens with their places, comments left out."""
    scanned = [lexeme for lexeme in scan(code) if lexeme.kind != "comment"]
    closing = _closing([code[one.start : one.end] for one in scanned]) if ">>" in code else ()
    if not closing:
        return scanned
    result: list[Lexeme] = []
    for index, lexeme in enumerate(scanned):
        if index in closing:
            result += [Lexeme("operator", at, at + 1) for at in range(lexeme.start, lexeme.end)]
        else:
            result.append(lexeme)
    return result


def asides(code: str) -> list[Lexeme]:
    """Comments and strings; far sooner found than all lexemes."""
    found = _COMMENTS.finditer(code)
    return [Lexeme("comment" if code[match.start()] == "/" else "string", *match.span()) for match in found]


def strip_comments(code: str) -> str:
    """The code without comments and Javadoc; tokens, literals and remaining formatting unchanged."""
    if "/" not in code:
        return code
    comments = [Lexeme("comment", *match.span()) for match in _COMMENTS.finditer(code) if match[1]]
    return without(code, comments, lambda pair: _GLUE.match(pair) is not None)


def unescaped(code: str) -> str:
    """The code with a letter for each Unicode escape, as javac reads it before it looks for lexemes."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[0], code)


def plain(code: str) -> str:
    """The same program without needless escapes: those of blanks, letters and signs of ASCII."""

    def letter(match: re.Match[str]) -> str:
        read = unescaped(match[0])
        seen = read.isascii() and (read.isprintable() or read.isspace())
        return read if seen and read != "\\" else match[0]

    shorter = _ESCAPE.sub(letter, code)
    return shorter if unescaped(shorter) == unescaped(code) else code


def identifiers(code: str) -> list[str]:
    """Names in order of appearance, keywords and literals left out, repeats included."""
    words = [code[token.start : token.end] for token in code_lexemes(code) if token.kind == "word"]
    return [word for word in words if word not in KEYWORDS and word not in LITERALS]


def flattened(code: str) -> str:
    """The code as one line of ASCII of the same length and tree: comments blanked, texts filled."""
    parts: list[str] = []
    position = 0
    for lexeme in scan(code):
        size = lexeme.end - lexeme.start
        if lexeme.kind == "comment":
            parts += [code[position : lexeme.start], " " * size]
            position = lexeme.end
        elif lexeme.kind == "string" and size > 2:
            quote = code[lexeme.start]
            filled = "'a'" if quote == "'" else f'"{"a" * (size - 2)}"'
            parts += [code[position : lexeme.start], filled.ljust(size)]
            position = lexeme.end
    parts.append(code[position:])
    return masked("".join(parts).replace("\r", " ").replace("\n", " ")).decode("ascii")
