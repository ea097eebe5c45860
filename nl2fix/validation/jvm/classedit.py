"""A class file to which constants and methods are added. Format: JVM specification, chapter 4.

What is there keeps its place in the constant pool, so that all that refers to it stays right.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from nl2fix.validation.jvm.classfile import SIZES, constants

STATIC, PRIVATE, INTERFACE = 0x0008, 0x0002, 0x0200
_CODELESS = 0x0100 | 0x0400
UTF8, INTEGER, FLOAT, LONG, DOUBLE, TYPE, STRING, METHOD, INTERFACE_METHOD, NAMED = (
    1,
    3,
    4,
    5,
    6,
    7,
    8,
    10,
    11,
    12,
)
_LENGTHS = {
    **dict.fromkeys((16, 18, *range(21, 26), *range(54, 59), 169, 188), 2),
    **dict.fromkeys((17, 19, 20, 132, *range(153, 169), *range(178, 185), 187, 189, 192, 193, 198, 199), 3),
    197: 4,
    **dict.fromkeys((185, 186, 200, 201), 5),
}
"""Bytes of an instruction; 1 for all others but the switches and ``wide``."""


class Method(NamedTuple):
    start: int
    """Where it begins in the class file."""
    end: int
    access: int
    name: str
    kind: str
    """Its descriptor."""
    code: int
    """Where its instructions begin."""
    length: int
    """Of its instructions; 0: it has none."""


class ClassEdit:
    """A class file being changed; ``ValueError``, ``IndexError`` or ``struct.error`` for anything else."""

    def __init__(self, content: bytes) -> None:
        self.pool, self.tags, self._pool_end = constants(content)
        self.content = bytearray(content)
        self._count = len(self.pool)
        self._constants: dict[bytes, int] = {}
        self._methods: list[bytes] = []
        at = self._pool_end
        self.access, self.name = self.short(at), self.entry(self.short(at + 2))
        self._members = self._behind_members(at + 8 + 2 * self.short(at + 6))
        self.methods = tuple(self._walk())

    def short(self, at: int) -> int:
        return int.from_bytes(self.content[at : at + 2], "big")

    def entry(self, index: int) -> str:
        """The text of a constant, or the one that it names."""
        value = self.pool[index]
        return str(self.pool[value] if isinstance(value, int) else value)

    def pair(self, index: int) -> tuple[int, int]:
        """The two constants that one names."""
        value = self.pool[index]
        if not isinstance(value, bytes):
            raise ValueError("no class file: a constant of another kind is expected")
        first, second = struct.unpack(">2H", value)
        return first, second

    def constant(self, tag: int, value: bytes) -> int:
        """Index of an added constant."""
        entry = bytes([tag]) + value
        if entry not in self._constants:
            self._constants[entry] = self._count
            self._count += 2 if tag in (LONG, DOUBLE) else 1
        return self._constants[entry]

    def utf8(self, text: str) -> int:
        return self.constant(UTF8, struct.pack(">H", len(text.encode())) + text.encode())

    def naming(self, tag: int, text: str) -> int:
        """A type or a text."""
        return self.constant(tag, struct.pack(">H", self.utf8(text)))

    def member(self, owner: str, name: str, kind: str, tag: int = METHOD) -> int:
        return self.constant(tag, struct.pack(">2H", self.naming(TYPE, owner), self.named(name, kind)))

    def named(self, name: str, kind: str) -> int:
        return self.constant(NAMED, struct.pack(">2H", self.utf8(name), self.utf8(kind)))

    def put(self, at: int, value: int) -> None:
        """Two bytes of what is there."""
        self.content[at : at + 2] = struct.pack(">H", value)

    def add(self, access: int, name: str, kind: str, code: bytes) -> None:
        """A method; ``code`` is the content of its only attribute."""
        head = struct.pack(">4H", access, self.utf8(name), self.utf8(kind), 1)
        self._methods.append(head + struct.pack(">HI", self.utf8("Code"), len(code)) + code)

    def copy(self, method: Method, name: str, changed: dict[int, bytes]) -> None:
        """A method once more, under another name, with other bytes at some places of its instructions."""
        content = self.content[method.start : method.end]
        content[2:4] = struct.pack(">H", self.utf8(name))
        for place, values in changed.items():
            at = method.code - method.start + place
            content[at : at + len(values)] = values
        self._methods.append(bytes(content))

    def done(self) -> bytes:
        """The class file as it is now."""
        end = self.methods[-1].end if self.methods else self._members + 2
        pool = self.content[10 : self._pool_end] + b"".join(self._constants)
        count = struct.pack(">H", len(self.methods) + len(self._methods))
        methods = count + self.content[self._members + 2 : end] + b"".join(self._methods)
        fields = self.content[self._pool_end : self._members]
        return bytes(
            self.content[:8] + struct.pack(">H", self._count) + pool + fields + methods + self.content[end:]
        )

    def refers(self) -> list[str]:
        """Binary names of the classes that it refers to."""
        return [self.entry(i).replace("/", ".") for i, tag in enumerate(self.tags) if tag == TYPE]

    def places(self) -> dict[int, int]:
        """Where each constant stands."""
        found, at = {}, 10
        for index, tag in enumerate(self.tags):
            if tag:
                found[index] = at
                at += 3 + self.short(at + 1) if tag == UTF8 else 1 + SIZES[tag]
        return found

    def instructions(self, method: Method) -> Iterator[int]:
        """Where each instruction begins, counted from the first."""
        at = 0
        while at < method.length:
            yield at
            at += self._length(method.code, at)

    def _length(self, code: int, at: int) -> int:
        here, opcode = code + at, self.content[code + at]
        if opcode in (170, 171):
            table = here + 4 - at % 4
            if opcode == 171:
                return table - here + 8 + 8 * self._long(table + 4)
            return table - here + 12 + 4 * (self._long(table + 8) - self._long(table + 4) + 1)
        if opcode == 196:
            return 6 if self.content[here + 1] == 132 else 4
        return _LENGTHS.get(opcode, 1)

    def _long(self, at: int) -> int:
        return int.from_bytes(self.content[at : at + 4], "big", signed=True)

    def _behind_members(self, at: int) -> int:
        """Where what follows the fields begins."""
        count, at = self.short(at), at + 2
        for _ in range(count):
            at = self._attributes(at + 6)[0]
        return at

    def _walk(self) -> Iterator[Method]:
        at = self._members + 2
        for _ in range(self.short(self._members)):
            access, name, kind = (
                self.short(at),
                self.entry(self.short(at + 2)),
                self.entry(self.short(at + 4)),
            )
            end, code = self._attributes(at + 6)
            length = 0 if access & _CODELESS or not code else self._long(code - 4)
            yield Method(at, end, access, name, kind, code, length)
            at = end

    def _attributes(self, at: int) -> tuple[int, int]:
        """Where a member's attributes end, and where its instructions begin; 0 where there are none."""
        count, at, code = self.short(at), at + 2, 0
        for _ in range(count):
            if self.entry(self.short(at)) == "Code":
                code = at + 14
            at += 6 + self._long(at + 2)
        return at, code
