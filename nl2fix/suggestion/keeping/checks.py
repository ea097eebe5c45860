"""What tells two programs apart, as assertions of JUnit 3, 4 and 5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nl2fix.suggestion.keeping.code import PRIMITIVE, Code, Inexpressible, Names, boxed, literal
from nl2fix.validation.calls.sketches import Recipe

_SCALARS = "nvft"
_GROUPS = "aluqm"
_CLOSE, _FAR = "1e-9", 1e-6
"""How close numbers must be, and from which distance on between before and after that is close enough."""


class Check(NamedTuple):
    """Something that is so after an edit, and was not before."""

    subject: str
    """An expression; ``{0}`` stands for the call, ``{1}`` for the receiver, ``{2}`` … for arguments."""
    declared: str
    """Binary name of its type."""
    before: Recipe | None
    after: Recipe


def checks(before: tuple[Recipe, ...], after: tuple[Recipe, ...]) -> Iterator[Check]:
    """What differs, the result first, then the receiver, then the arguments."""
    for place, now in enumerate(after):
        was = before[place] if place < len(before) and before[place].kind == "d" else None
        yield from _differing(was, now, f"{{{place}}}")


def _differing(before: Recipe | None, after: Recipe, subject: str) -> Iterator[Check]:
    """``before`` and ``after`` are declared facts."""
    was, now = before.parts[0] if before else None, after.parts[0]
    if was == now:
        return
    if _expressible(now):
        yield Check(subject, after.name, was, now)
    elif now.kind == "o":
        known = {part.words: part for part in was.parts} if was and was.name == now.name else {}
        for part in now.parts:
            yield from _differing(known.get(part.words), part, subject + part.words[0])
    elif now.kind in "al":
        yield from _elements(was, now, subject)


def _elements(was: Recipe | None, now: Recipe, subject: str) -> Iterator[Check]:
    """Of an array or list that has objects in it."""
    before = was.parts if was and was.kind == now.kind else ()
    if len(before) != len(now.parts):
        length = Recipe("v", "Integer", (str(len(now.parts)),))
        yield Check(subject + (".length" if now.kind == "a" else ".size()"), "int", None, length)
    component = now.name if now.kind == "a" else "java.lang.Object"
    for i, part in enumerate(now.parts):
        old = Recipe("d", component, ("",), (before[i],)) if i < len(before) else None
        asked = f"[{i}]" if now.kind == "a" else f".get({i})"
        yield from _differing(old, Recipe("d", component, ("",), (part,)), subject + asked)


def _expressible(fact: Recipe) -> bool:
    if fact.kind in _GROUPS:
        return all(part.kind != "t" and _expressible(part) for part in fact.parts)
    return fact.kind in _SCALARS


class Asserting:
    """Writes assertions as one version of JUnit has them."""

    def __init__(self, junit: int, qualified: bool, names: Names, code: Code) -> None:
        """``qualified``: ``Assert.assertEquals`` instead of a static import."""
        self._junit = junit
        self._qualified = qualified
        self._names = names
        self._code = code

    def statement(self, check: Check, subject: str) -> str:
        """One assertion of what is so after the edit."""
        after = check.after
        match after.kind:
            case "n":
                return self._call("assertNull", subject)
            case "v":
                return self._plain(check, subject)
            case "f":
                constant = f"{self._names.of(after.name)}.{after.words[0]}"
                return self._call("assertEquals", constant, subject)
            case "t":
                text = subject if check.declared == "java.lang.String" else f"{subject}.toString()"
                return self._call("assertEquals", literal("String", after.words[0]), text)
            case "a":
                return self._array(after, subject)
        expected, actual = self._group(after, subject)
        return self._call("assertEquals", expected, actual)

    def throws(self, exception: str, call: str) -> list[str]:
        """That a call throws; with JUnit 4 the annotation says so."""
        name = self._names.of(exception)
        if self._junit == 5:
            return [self._call("assertThrows", f"{name}.class", f"() -> {call}")]
        if self._junit == 4:
            return [f"{call};"]
        fails = self._call("fail", literal("String", f"{name} expected"))
        return [
            "try {",
            f"\t{call};",
            f"\t{fails}",
            f"}} catch ({name} expected) {{",
            "\t// as it should",
            "}",
        ]

    def ends(self, statement: str) -> str:
        """A statement that must end in time, where it did not before."""
        if self._junit == 3:
            raise Inexpressible("the call does not end today, and tests of JUnit 3 have no time limit")
        if self._junit == 4:
            return statement
        limit = f"{self._names.of('java.time.Duration')}.ofSeconds(2)"
        return self._call("assertTimeoutPreemptively", limit, f"() -> {statement.removesuffix(';')}")

    def _call(self, name: str, *arguments: str) -> str:
        shown = name
        if self._junit > 3:
            owner = "org.junit.Assert" if self._junit == 4 else "org.junit.jupiter.api.Assertions"
            shown = self._names.call(owner, name, self._qualified)
        return f"{shown}({', '.join(arguments)});"

    def _plain(self, check: Check, subject: str) -> str:
        after = check.after
        if after.name == "Boolean" and check.declared in ("boolean", "java.lang.Boolean"):
            return self._call("assertTrue" if after.words[0] == "true" else "assertFalse", subject)
        if after.name in ("Double", "Float") and check.declared != "java.lang.Object":
            expected = literal(after.name, after.words[0])
            return self._call("assertEquals", expected, subject, _delta(check))
        if check.declared in ("byte", "short"):
            return self._call("assertEquals", after.words[0], subject)
        plain = check.declared in PRIMITIVE
        expected = literal(after.name, after.words[0]) if plain else boxed(after)
        return self._call("assertEquals", expected, subject)

    def _array(self, after: Recipe, subject: str) -> str:
        if self._junit == 3:
            arrays = self._names.of("java.util.Arrays")
            return self._call("assertTrue", f"{arrays}.equals({self._code.value(_made(after))}, {subject})")
        delta = {"double": ["1e-9"], "float": ["1e-6f"]}.get(after.name, [])
        return self._call("assertArrayEquals", self._code.value(_made(after)), subject, *delta)

    def _group(self, after: Recipe, subject: str) -> tuple[str, str]:
        if after.kind == "q":
            copy = f"new {self._names.of('java.util.ArrayList')}<Object>({subject})"
            return self._code.listed(list(map(_made, after.parts))), copy
        if after.kind == "l":
            return self._code.listed(list(map(_made, after.parts))), subject
        return self._code.value(_made(after)), subject


def _made(fact: Recipe) -> Recipe:
    """The recipe of a value that equals what was seen."""
    kinds = {"l": "java.util.ArrayList", "q": "java.util.ArrayList", "u": "java.util.HashSet"}
    names = {**kinds, "m": "java.util.HashMap"}
    kind = "l" if fact.kind in "uq" else fact.kind
    return Recipe(kind, names.get(fact.kind, fact.name), fact.words, tuple(map(_made, fact.parts)))


def _delta(check: Check) -> str:
    before, after = check.before, check.after
    assert after.words
    suffix = "f" if after.name == "Float" else ""
    if before is not None and before.kind == "v" and before.name == after.name:
        distance = abs(float(before.words[0]) - float(after.words[0]))
        if not distance > _FAR:
            return f"0.0{suffix}"
    return ("1e-6" if suffix else _CLOSE) + suffix
