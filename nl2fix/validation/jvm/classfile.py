"""What a compiled class shows to others. Format: JVM specification, chapter 4."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

_UTF8, _LONG, _DOUBLE, _CLASS, _STRING = 1, 5, 6, 7, 8
_MEMBERS = (9, 10, 11)
_CLASS_CONSTANTS = 49
"""First version of class files where ``X.class`` needs no ``Class.forName``."""
SIZES = {
    3: 4,
    4: 4,
    5: 8,
    6: 8,
    7: 2,
    8: 2,
    9: 4,
    10: 4,
    11: 4,
    12: 4,
    15: 3,
    16: 2,
    17: 4,
    18: 4,
    19: 2,
    20: 2,
}
_PRIVATE, _STATIC, _SYNTHETIC, _ANNOTATION = 0x0002, 0x0008, 0x1000, 0x2000
_RECORD = "java/lang/Record"
_OF_CLASS = 0x0001 | 0x0010 | 0x0200 | 0x0400 | 0x2000 | 0x4000
_OF_FIELD = 0x0001 | 0x0004 | 0x0008 | 0x0010
_OF_METHOD = _OF_FIELD | 0x0080 | 0x0400
"""Flags that callers can tell: ``synchronized`` or ``native`` are nobody's business."""


@dataclass(frozen=True)
class Shown:
    """A class as its users see it."""

    name: str
    """Binary name with slashes."""
    supertypes: tuple[str, ...]
    source: str
    """Name of the source file without its folder; empty when the compiler did not note it."""
    members: frozenset[str]
    """One text for the class and for each member that is not private: flags, name, types, exceptions."""
    constants: frozenset[str]
    """Name and value of each constant that compilers copy into other classes."""
    private: bool = False


def read(content: bytes) -> Shown:
    """Read a class file; raises ``ValueError`` for anything else."""
    try:
        return _ClassFileReader(content).shown()
    except (struct.error, IndexError, KeyError) as error:
        raise ValueError(f"no class file: {error}") from error


@dataclass(frozen=True)
class References:
    """What classes refer to. Names are binary ones with slashes."""

    types: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()
    """Each ``owner.name:descriptor``."""
    texts: frozenset[str] = frozenset()
    """Text constants."""
    names: frozenset[str] = frozenset()
    """All names and texts of the constant pools, descriptors among them."""

    def __or__(self, other: References) -> References:
        return References(
            self.types | other.types,
            self.members | other.members,
            self.texts | other.texts,
            self.names | other.names,
        )

    def __sub__(self, other: References) -> References:
        return References(
            self.types - other.types,
            self.members - other.members,
            self.texts - other.texts,
            self.names - other.names,
        )


@lru_cache(maxsize=128)  # an edit's are looked at before its tests and after, and most are as before
def references(content: bytes) -> References:
    """What a class file refers to; nothing where it is no class file."""
    try:
        return _ClassFileReader(content).references()
    except (ValueError, struct.error, IndexError, KeyError):
        return References()


@dataclass(frozen=True)
class Family:
    """What a class inherits from, and what it declares by itself."""

    name: str = ""
    supertypes: tuple[str, ...] = ()
    methods: Mapping[str, bytes] = field(default_factory=dict)
    """``name:descriptor`` → byte code."""


@lru_cache(maxsize=128)
def family(content: bytes) -> Family:
    """Of a class file; nothing where it is no class file."""
    try:
        return _ClassFileReader(content).family()
    except (ValueError, struct.error, IndexError, KeyError):
        return Family()


def texts(content: bytes) -> list[str]:
    """The texts in a class file's constant pool; none of a file that is no class."""
    try:
        return [entry for entry in _ClassFileReader(content).pool if isinstance(entry, str)]
    except (ValueError, struct.error, IndexError, KeyError):
        return []


def _element(name: str) -> str:
    """The type of an array's elements; any other type as it is."""
    return name.lstrip("[").removeprefix("L").removesuffix(";") if name.startswith("[") else name


@lru_cache(maxsize=32)  # one class is read for several purposes, one after the other
def constants(content: bytes) -> tuple[Sequence[object], Sequence[int], int]:
    """Constant pool, its tags, and where what follows begins."""
    if content[:4] != b"\xca\xfe\xba\xbe":
        raise ValueError("no class file: wrong first bytes")
    pool: list[object] = [None]
    tags: list[int] = [0]
    count, at = int.from_bytes(content[8:10], "big"), 10
    while len(pool) < count:
        tag = content[at]
        tags.append(tag)
        if tag == _UTF8:
            end = at + 3 + int.from_bytes(content[at + 1 : at + 3], "big")
            pool.append(content[at + 3 : end].decode("utf-8", "replace"))
        else:
            end = at + 1 + SIZES[tag]
            value = content[at + 1 : end]
            # Classes and texts refer to their name; resolved when asked for.
            pool.append(int.from_bytes(value, "big") if len(value) == 2 else value)
            if tag in (_LONG, _DOUBLE):
                pool.append(None)
                tags.append(0)
        at = end
    return pool, tags, at


class _ClassFileReader:
    """Walks through one class file."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.pool, self._tags, self._at = constants(content)

    def shown(self) -> Shown:
        flags, name, superclass = self._short() & _OF_CLASS, self._name(), self._name()
        supertypes = (superclass, *(self._name() for _ in range(self._short())))
        members, constants, state = set(), set(), []
        for mask in (_OF_FIELD, _OF_METHOD):
            for _ in range(self._short()):
                access, called, kind = self._short(), self._text(), self._text()
                extras = self._attributes()
                if mask == _OF_FIELD and not access & _STATIC:
                    state.append(f"{called} {kind}")
                if access & (_PRIVATE | _SYNTHETIC) or called == "<clinit>":
                    continue
                told = [extras.get(extra, b"") for extra in ("Exceptions", "Signature")]
                members.add(f"{access & mask} {called} {kind} {[self._resolved(part) for part in told]}")
                if "ConstantValue" in extras:
                    constants.add(f"{called} {self._resolved(extras['ConstantValue'])}")
        extras = self._attributes()
        generic = self._resolved(extras.get("Signature", b""))
        nested = self._nested(extras, name)
        permitted = self._resolved(extras.get("PermittedSubclasses", b""))
        components = state if superclass == _RECORD else []  # patterns take them in their order
        members.add(f"{flags} {name} {supertypes} {generic} {nested} {permitted} {components}")
        if flags & _ANNOTATION:  # where it may stand and what may be left out: all that it says
            members.add(str(sorted(entry for entry in self.pool if isinstance(entry, str))))
        source = self._resolved(extras.get("SourceFile", b""))
        return Shown(
            name,
            supertypes,
            str(source[0]) if source else "",
            frozenset(members),
            frozenset(constants),
            bool(nested & _PRIVATE),
        )

    def family(self) -> Family:
        self._at += 2
        name, superclass = self._name(), self._name()
        supertypes = (superclass, *(self._name() for _ in range(self._short())))
        methods: dict[str, bytes] = {}
        for _ in range(2):  # what follows the fields stays
            methods = {}
            for _ in range(self._short()):
                self._at += 2
                member = f"{self._text()}:{self._text()}"
                code = self._attributes().get("Code", b"")
                methods[member] = code[8 : 8 + int.from_bytes(code[4:8], "big")]
        return Family(name, supertypes, methods)

    def references(self) -> References:
        types, members, texts = set(), set(), set()
        for index, tag in enumerate(self._tags):
            if tag == _CLASS:
                types.add(_element(str(self._entry(index))))
            elif tag == _STRING:
                texts.add(str(self._entry(index)))
            elif tag in _MEMBERS:
                owner, named = self._pair(index)
                name, kind = self._pair(named)
                owner_name = _element(str(self._entry(owner)))
                members.add(f"{owner_name}.{self.pool[name]}:{self.pool[kind]}")
        (version,) = struct.unpack_from(">H", self._content, 6)
        if version < _CLASS_CONSTANTS:
            members.discard("java/lang/Class.forName:(Ljava/lang/String;)Ljava/lang/Class;")
        names = frozenset(entry for entry in self.pool if isinstance(entry, str))
        return References(frozenset(types), frozenset(members), frozenset(texts), names)

    def _pair(self, index: int) -> tuple[int, int]:
        value = self.pool[index]
        assert isinstance(value, bytes)
        first, second = struct.unpack(">2H", value)
        return first, second

    def _attributes(self) -> dict[str, bytes]:
        attributes = {}
        for _ in range(self._short()):
            name = self._text()
            (length,) = struct.unpack_from(">I", self._content, self._at)
            attributes[name] = self._content[self._at + 4 : self._at + 4 + length]
            if len(attributes[name]) < length:
                raise IndexError("attribute cut short")
            self._at += 4 + length
        return attributes

    def _resolved(self, attribute: bytes) -> list[object]:
        """What an attribute names in the pool: one entry, or several behind their count."""
        indexes: tuple[int, ...] = struct.unpack(f">{len(attribute) // 2}H", attribute)
        return [self._entry(index) for index in (indexes[1:] or indexes)]

    def _nested(self, attributes: dict[str, bytes], name: str) -> int:
        """Flags that a nested class was declared with."""
        for inner, _, _, flags in struct.iter_unpack(">4H", attributes.get("InnerClasses", b"\0\0")[2:]):
            if self._entry(inner) == name:
                return int(flags)
        return 0

    def _entry(self, index: int) -> object:
        entry = self.pool[index]
        return self.pool[entry] if isinstance(entry, int) else entry

    def _short(self) -> int:
        (value,) = struct.unpack_from(">H", self._content, self._at)
        self._at += 2
        return int(value)

    def _text(self) -> str:
        return str(self.pool[self._short()])

    def _name(self) -> str:
        return str(self._entry(self._short()))
