"""Names of files in an answer: at the end of a line, in a fence's info string, in a comment.

Prose is full of words with dots in them (``java.util.List``, ``this.size``, ``1.2``), so what only looks
like a name of no file that is known is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PATH_CHARACTERS = re.compile(r"[\w.$+/-]*+")
_BEFORE_PATH = frozenset(" \t`*#:(\"'")
_AFTER_PATH = "`*:)\"'"
_COMMENT = re.compile(r"[ \t]*+(?://|#|--|;|%|/\*|<!--|\"\"\")[ \t]*+(?:[Ff]ile(?:name)?:?[ \t]++)?(.*)")
_COMMENT_END = re.compile(r"[ \t]*+(?:\*/|-->|\"\"\")?[ \t\r]*+")
_LONGEST_INFO = 500
"""Characters of an info string in which a path is looked for."""
_SUFFIXES = frozenset(
    re.findall(
        r"\w+",
        "adb ads bat c cc cfg clj cpp cs css csv cxx dart erl exs fs go gradle groovy h hpp hs htm html hxx "
        "ini ipynb java jl js json jsx kt kts lua md mjs ml php pl properties py pyi rb rs rst scala scss sh "
        "sql svelte swift toml ts tsx txt vb vue xml yaml yml zig",
    )
)


def path_on(line: str) -> str | None:
    """A file's path at the end of a line, as ``**src/A.java**`` or ``File: `A.java` ``."""
    text = line.strip().rstrip(_AFTER_PATH)
    backwards = _PATH_CHARACTERS.match(text[::-1])
    size = backwards.end() if backwards else 0
    path = text[len(text) - size :]
    stem, dot, suffix = path.rpartition(".")
    named = dot and suffix.replace("_", "a").isalnum() and stem and not stem.endswith("/")
    before = text[len(text) - size - 1 : len(text) - size]
    if not named or "" in path.split("/") or (before and before not in _BEFORE_PATH):
        return None
    return path


def path_in_info(info: str) -> tuple[str, str | None]:
    """The language and the path in an info string, as ``java:src/A.java`` or ``java title="src/A.java"``."""
    first, *more = info[:_LONGEST_INFO].split() or [""]
    if ":" in first:
        word, path = first.partition(":")[0], path_on(first.rpartition(":")[2])
        if is_file(path):
            return "" if word.isdigit() else word, path
    if is_file(path_on(first)):
        return "", path_on(first)
    told = (path_on(word.strip("{}").rpartition("=")[2].strip("\"'")) for word in more)
    return first, next((path for path in told if is_file(path)), None)


def path_in_comment(code: str) -> str | None:
    """The path that the first line of code names, where it is a comment and holds nothing else."""
    line = code.lstrip("\r\n").partition("\n")[0]
    comment = _COMMENT.match(line[:_LONGEST_INFO])
    if comment is None:
        return None
    path = _PATH_CHARACTERS.match(comment[1])
    if path is None or not _COMMENT_END.fullmatch(comment[1][path.end() :]):
        return None
    named = path_on(path[0])
    return named if is_file(named) else None


def is_file(path: str | None, files: Iterable[str] = ()) -> bool:
    """Whether a path must be a file's: it has folders, or ends as source files do, or as one of these."""
    if path is None:
        return False
    suffix = path.rpartition(".")[2]
    return (
        "." not in path
        or "/" in path
        or suffix in _SUFFIXES
        or any(suffix == file.rpartition(".")[2] for file in files)
    )


def names_file(path: str | None, wanted: str) -> bool:
    """Whether a path in an answer can mean the wanted file: equal, or one ends in the other."""
    if path is None:
        return False
    ours, theirs = wanted.split("/"), path.removeprefix("./").split("/")
    count = min(len(ours), len(theirs))
    return ".." not in theirs and ours[-count:] == theirs[-count:]
