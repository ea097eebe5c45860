"""Classes changed so that calls of a unit are heard while tests run, and tests so that they reach more.

A unit's code moves to another name, a constructor's to one with one more parameter; in its place stands what
tells ``Tap.java`` of each call and what came of it. Test classes lose JUnit's assertions and gain copies of
their tests in which constants are others. What is no class file stays as it is.
"""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from nl2fix.validation.calls.heard import COPY, moved
from nl2fix.validation.jvm.classedit import (
    DOUBLE,
    FLOAT,
    INTEGER,
    INTERFACE,
    INTERFACE_METHOD,
    LONG,
    METHOD,
    PRIVATE,
    STATIC,
    STRING,
    TYPE,
    ClassEdit,
    Method,
)

_TAP = "nl2fix/jvm/Tap"
_MOVED = "$nl2fix"
_MARK = "[[[Ljava/lang/Void;"
"""What a moved constructor takes besides."""
_SYNTHETIC = 0x1000
_TYPE = re.compile(r"\[*(?:L[^;]+;|[A-Z])")
_BOXES = {"I": "Integer", "J": "Long", "Z": "Boolean", "C": "Character"}
_BOXES |= {"B": "Byte", "S": "Short", "F": "Float", "D": "Double"}
_LOADS = {"J": 22, "F": 23, "D": 24, "L": 25, "[": 25}
"""Instructions that load a local variable, by type; 21 for all others."""
_RETURNS = {"J": 173, "F": 174, "D": 175, "L": 176, "[": 176, "V": 177}
_JUNIT = ("junit/framework/", "org/junit/")
_TESTS = ("()V", "([Ljava/lang/String;)V")
"""Descriptors of tests; programs are tests too."""
_ASSERTION = re.compile(r"assert(?:(?:Not)?(?:Equals|Null|Same)|True|False|ArrayEquals|That)|fail")
_COMPARED = re.compile(
    r"\((?:\[*(?:[BCDFIJSZ]|Ljava/lang/(?:String|Object|Throwable);|Lorg/hamcrest/Matcher;))*\)V"
)
"""What JUnit's assertions take; a project's own, which may do work, mostly take more."""


class Unit(NamedTuple):
    """A unit whose calls are heard."""

    owner: str
    """Binary name of its class."""
    name: str
    """``<init>`` for a constructor."""
    takes: str
    """Descriptor of what it takes, in parentheses."""

    @property
    def told(self) -> str:
        """As calls of it begin."""
        return "new " + self.owner.rpartition(".")[2] if self.name == "<init>" else self.name


def descriptor(types: Sequence[str]) -> str:
    """What a unit takes, of the names that ``Class.getName`` gives."""
    boxes = {box.lower(): kind for kind, box in _BOXES.items()} | {"int": "I", "char": "C"}
    slashed = (name.replace(".", "/") for name in types)
    return "(" + "".join(n if n.startswith("[") else boxes.get(n) or f"L{n};" for n in slashed) + ")"


def tapped(content: bytes, unit: Unit) -> bytes:
    """A class whose calls of a unit are heard; as it is where it has no code of that name."""
    edit = ClassEdit(content)
    fitting = [
        each
        for each in edit.methods
        if each.name == unit.name and each.kind.startswith(unit.takes) and not each.access & _SYNTHETIC
    ]
    if len(fitting) != 1 or not fitting[0].length:
        return content
    [method] = fitting
    made = unit.name == "<init>"
    tag = INTERFACE_METHOD if edit.access & INTERFACE else METHOD
    name, kind = (unit.name, unit.takes[:-1] + _MARK + ")V") if made else (unit.name + _MOVED, method.kind)
    edit.put(method.start, method.access & STATIC | PRIVATE | _SYNTHETIC)
    if made:
        edit.put(method.code - 6, edit.short(method.code - 6) + 1)  # room for what it takes besides
    edit.put(method.start + 2, edit.utf8(name))
    edit.put(method.start + 4, edit.utf8(kind))
    edit.add(
        method.access,
        unit.name,
        method.kind,
        _listening(edit, method, unit, edit.member(edit.name, name, kind, tag)),
    )
    return edit.done()


def _listening(edit: ClassEdit, method: Method, unit: Unit, moved: int) -> bytes:
    """A ``Code`` attribute: tells of the call, makes it, tells what came of it."""
    types, result = _TYPE.findall(unit.takes[1:-1]), method.kind.rpartition(")")[2]
    made, alone = unit.name == "<init>", bool(method.access & STATIC)
    text = struct.pack(">BH", 19, edit.naming(STRING, unit.told))
    told = (
        text
        + (b"\x01" if made or alone else b"\x2a")
        + struct.pack(">BHBH", 17, len(types), 189, edit.naming(TYPE, "java/lang/Object"))
    )
    passed, at = b"" if alone else b"\x2a", 0 if alone else 1
    for place, kind in enumerate(types):
        load = struct.pack(">BBH", 196, _LOADS.get(kind[0], 21), at)
        told += struct.pack(">BBH", 89, 17, place) + load + _boxed(edit, kind) + b"\x53"
        passed += load
        at += _width(kind)
    told += _call(edit, "enter", "(Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V")
    call = passed + (b"\x01" if made else b"") + struct.pack(">BH", 184 if alone else 183, moved)
    out = b"\x2a" + _call(edit, "returned", "(Ljava/lang/Object;)V") if made else _out(edit, result)
    body = told + call + out + struct.pack(">B", _RETURNS.get(result[0], 172))
    if made:  # whose call of another constructor no handler may cover
        return struct.pack(">HHI", at + 9, at, len(body)) + body + struct.pack(">2H", 0, 0)
    caught = b"\x59" + _call(edit, "threw", "(Ljava/lang/Throwable;)V") + b"\xbf"
    code = struct.pack(">HHI", at + 9, at, len(body + caught)) + body + caught
    code += struct.pack(">5H", 1, len(told), len(told + call), len(body), 0)
    frame = struct.pack(">HBHHHBH", 1, 255, len(body), 0, 1, 7, edit.naming(TYPE, "java/lang/Throwable"))
    return code + struct.pack(">HHI", 1, edit.utf8("StackMapTable"), len(frame)) + frame


def _out(edit: ClassEdit, result: str) -> bytes:
    """Tells of what is on the stack, and leaves it there."""
    if result == "V":
        return _call(edit, "returned", "()V")
    twice = struct.pack(">B", 92 if _width(result) == 2 else 89)
    return twice + _boxed(edit, result) + _call(edit, "returned", "(Ljava/lang/Object;)V")


def _boxed(edit: ClassEdit, kind: str) -> bytes:
    if kind not in _BOXES:
        return b""
    box = f"java/lang/{_BOXES[kind]}"
    return struct.pack(">BH", 184, edit.member(box, "valueOf", f"({kind})L{box};"))


def _call(edit: ClassEdit, name: str, kind: str) -> bytes:
    return struct.pack(">BH", 184, edit.member(_TAP, name, kind))


def _width(kind: str) -> int:
    return 2 if kind in "JD" else 1


def quiet(content: bytes) -> bytes:
    """A class in which JUnit's assertions do nothing."""
    edit = ClassEdit(content)
    places, own = edit.places(), {(each.name, each.kind) for each in edit.methods}
    ignored = set()
    for index in [i for i, tag in enumerate(edit.tags) if tag == METHOD]:
        owner, named = edit.pair(index)
        name, kind = map(edit.entry, edit.pair(named))
        theirs = edit.entry(owner).startswith(_JUNIT)
        inherited = edit.entry(owner) == edit.name and (name, kind) not in own
        if (theirs or inherited) and _ASSERTION.fullmatch(name) and _COMPARED.fullmatch(kind):
            ignored.add(kind)
            edit.put(places[index] + 1, edit.naming(TYPE, edit.name))
            edit.put(places[index] + 3, edit.named(_MOVED, kind))
    for kind in sorted(ignored):
        room = sum(map(_width, _TYPE.findall(kind[1:-2])))
        edit.add(STATIC | _SYNTHETIC, _MOVED, kind, struct.pack(">HHIBHH", 0, room, 1, 177, 0, 0))
    return edit.done()


def varied(content: bytes, tests: Sequence[str], copies: int, seed: str) -> bytes:
    """A test class with copies of tests in which constants are others. Equal seeds, equal copies."""
    edit = ClassEdit(content)
    for method in edit.methods:
        if method.name in tests and method.kind in _TESTS and method.length:
            constants = _constants(edit, method)
            for number in range(copies):
                chance = random.Random(f"{seed} {edit.name} {method.name} {number}")
                several = chance.random() < 0.5
                chosen = [
                    each for each in constants if chance.random() < (0.5 if several else 2 / len(constants))
                ]
                changed = {at: value for at, new in chosen if (value := new(chance))}
                if changed:
                    edit.copy(method, f"{method.name}{COPY}{number}", changed)
    return edit.done()


_Other = Callable[[random.Random], bytes]
"""Draws other bytes for an instruction; none where there is no other constant."""


def _constants(edit: ClassEdit, method: Method) -> list[tuple[int, _Other]]:
    """Places of instructions that load a constant, but for lengths of arrays and places in them."""
    places = [*edit.instructions(method)]
    opcodes = [edit.content[method.code + at] for at in places]
    found = []
    for number, (at, opcode) in enumerate(zip(places, opcodes, strict=True)):
        sized = opcodes[number + 1 : number + 2] in ([188], [189]) or (number and opcodes[number - 1] == 89)
        other = _other(edit, method.code + at, opcode)
        if other is not None and not (sized and opcode <= 18):
            found.append((at, other))
    return found


def _other(edit: ClassEdit, at: int, opcode: int) -> _Other | None:
    for first, last in ((2, 8), (9, 10), (11, 13), (14, 15)):
        if first <= opcode <= last:
            return lambda chance: bytes([chance.choice([o for o in range(first, last + 1) if o != opcode])])
    if opcode == 16:
        return lambda chance: struct.pack(">Bb", 16, _near(edit.content[at + 1 : at + 2], chance, 7))
    if opcode == 17:
        return lambda chance: struct.pack(">Bh", 17, _near(edit.content[at + 1 : at + 3], chance, 15))
    if opcode == 18:
        index = edit.content[at + 1]
        return lambda chance: _neighbour(edit, index, chance)
    if opcode in (19, 20):
        index = edit.short(at + 1)
        return lambda chance: _wide(edit, opcode, index, chance)
    return None


def _near(content: bytes | bytearray, chance: random.Random, bits: int) -> int:
    """A whole number like that one."""
    value = int.from_bytes(content, "big", signed=True)
    return max(-(1 << bits), min((1 << bits) - 1, moved(value, chance)))


def _neighbour(edit: ClassEdit, index: int, chance: random.Random) -> bytes:
    """Another constant of the class and of that kind, which one byte can name."""
    others = [
        i for i in range(1, min(256, len(edit.tags))) if edit.tags[i] == edit.tags[index] and i != index
    ]
    fitting = others if edit.tags[index] in (INTEGER, FLOAT, STRING) else []
    return bytes([18, chance.choice(fitting)]) if fitting else b""


def _wide(edit: ClassEdit, opcode: int, index: int, chance: random.Random) -> bytes:
    """A constant like one that two bytes name."""
    tag, value = edit.tags[index], edit.pool[index]
    if not isinstance(value, bytes):
        return b""
    if tag in (INTEGER, LONG):
        bits = 8 * len(value) - 1
        return struct.pack(
            ">BH",
            opcode,
            edit.constant(tag, _near(value, chance, bits).to_bytes(len(value), "big", signed=True)),
        )
    if tag not in (DOUBLE, FLOAT):
        return b""
    form = ">d" if tag == DOUBLE else ">f"
    (old,) = struct.unpack(form, value)
    larger = (2 * old, 1.01 * old, old + 1, old - 1) if tag == DOUBLE else ()
    new = chance.choice((-old, old / 2, 0.0, *larger))
    return struct.pack(">BH", opcode, edit.constant(tag, struct.pack(form, new)))
