"""Whether two Java files are one program: the same tokens, or the same classes.

Classes are compiled without debug information, each file alone. Where a message asks for type arguments,
generic signatures do not count: then the instructions, as ``javap`` prints them, must be equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nl2fix.languages.java import JAVA
from nl2fix.validation.lint.desk import Desk
from nl2fix.validation.lint.linters import Message, base

GENERIC = {"rawtypes", "unchecked", "cast"}
_COMPILE = """
file="$1"; javac="$2"; shift 2
"$javac" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -g:none -proc:none -implicit:none -nowarn \
  -encoding UTF-8 -d /tmp/out "$file" >&2 || exit $?
cd /tmp/out; find . -name '*.class' -print0 | LC_ALL=C sort -z > /tmp/classes
"""
_HASH = _COMPILE + "exec xargs -0 -r sha256sum < /tmp/classes"
_PRINT = _COMPILE + 'exec xargs -0 -r "$1" -p -c -s < /tmp/classes'
_NUMBER = re.compile(r"#\d+(?:,\s*\d+)?\s*")
_ARGUMENTS = re.compile(r"<(?!init>|clinit>)[^<>]*>")


class Late(Exception):
    """The compiler did not end within its time."""


def difference(desk: Desk, path: str, before: str, after: str, messages: Iterable[Message]) -> str | None:
    """Why two files are not known to be one program; ``None`` if they are. Raises ``Late``."""
    # javac reads an escape before it knows of comments, so one may end a comment.
    if "\\u" not in before + after and JAVA.tokens(before) == JAVA.tokens(after):
        return None
    prints = any(message.code in GENERIC for message in messages)
    shown = [_classes(desk, path, text, prints) for text in (before, after)]
    if shown[0] is None:
        return "its tokens changed, and as the file does not compile alone nothing else can be compared"
    if shown[1] is None:
        return "it does not compile"
    return None if shown[0] == shown[1] else "its classes are not those of the code before"


def _classes(desk: Desk, path: str, text: str, prints: bool) -> str | None:
    runtime = desk.tools("java")
    tools = [str(runtime.home / "bin" / name) for name in ("javac", "javap")]
    script = ["/bin/sh", "-c", _PRINT if prints else _HASH, "sh", base(path), *tools]
    ended = desk.run(script, {base(path): text}, runtime)
    if ended.late:
        raise Late
    if ended.status != 0 or ended.overrun:
        return None
    return _plain(ended.stdout) if prints else ended.stdout


def _plain(printed: str) -> str:
    """Printed classes without numbers of constants and type arguments."""
    text = _NUMBER.sub("", printed)
    for _ in range(20):
        shorter = _ARGUMENTS.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text
