"""Which test classes can reach a class at all, read from the names in compiled classes.

Contract: a class refers to every known class whose name stands in its constant pool, be it as a type, in
a signature or as text (``Class.forName``); a test class can reach what it refers to, directly or not.
Names that a program makes up while it runs are not seen. Format: JVM specification, chapter 4.4.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

_TYPE = re.compile(r"L([^;<:()]+)[;<]")
_UTF8, _LONG, _DOUBLE = 1, 5, 6
_SIZES = {3: 4, 4: 4, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
_WIDE = 8


def can_reach(folders: Sequence[Path], tests: Iterable[str], wanted: Iterable[str]) -> set[str]:
    """Those of ``tests`` (binary names) that refer to a wanted class, directly or through others."""
    contents = {name: content for folder in folders for name, content in _classes(folder)}
    users: dict[str, set[str]] = {}
    for name, content in contents.items():
        for other in _mentioned(content):
            if other in contents:
                users.setdefault(other, set()).add(name)
    found: set[str] = set()
    new = {name.replace(".", "/") for name in wanted}
    while new:
        found |= new
        new = {user for name in new for user in users.get(name, ())} - found
    return {test for test in tests if test.replace(".", "/") in found}


def texts(content: bytes) -> Iterator[str]:
    """The texts in a class file's constant pool; none of a file that is no class."""
    if content[:4] != b"\xca\xfe\xba\xbe":
        return
    (count,) = struct.unpack_from(">H", content, 8)
    index, at = 1, 10
    while index < count:
        tag = content[at]
        if tag == _UTF8:
            (length,) = struct.unpack_from(">H", content, at + 1)
            yield content[at + 3 : at + 3 + length].decode("utf-8", "replace")
            at += 3 + length
        else:
            at += 1 + (_WIDE if tag in (_LONG, _DOUBLE) else _SIZES[tag])
        index += 2 if tag in (_LONG, _DOUBLE) else 1


def _mentioned(content: bytes) -> set[str]:
    names = set()
    for text in texts(content):
        names.add(text.replace(".", "/"))
        names.update(_TYPE.findall(text))
    return names


def _classes(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in folder.rglob("*.class"):
        yield file.relative_to(folder).with_suffix("").as_posix(), file.read_bytes()
