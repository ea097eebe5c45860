"""The head of a method: what a completion model's prompt ends with."""

from __future__ import annotations

import re

_TOKENS = re.compile(
    r'"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/|.', re.DOTALL
)


def signature(code: str) -> str:
    """The code up to and with the bracket or colon that opens the body.

    That is the first ``{`` or ``:`` outside brackets, strings and comments, which holds for languages
    with braces and for those with indentation. The first line where there is none.
    """
    depth = 0
    for match in _TOKENS.finditer(code):
        token = match.group()
        if token in "([" or (token == "{" and depth):
            depth += 1
        elif token in ")]" or (token == "}" and depth):
            depth -= 1
        elif token in "{:" and depth == 0:
            return code[: match.end()]
    return code.partition("\n")[0]
