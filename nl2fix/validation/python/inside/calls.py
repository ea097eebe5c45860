"""Calls of what an edit changes, and what each did: a digest free of identities, and short words.

Numbers count by value, floating point ones by 12 digits; lists and tuples by order, sets and dictionaries
without; objects of the program by class and attributes; exceptions by their class; of a generator the
first items. Of what is larger than a bound only the first part counts.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import signal
import time
import types
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

MOST_PARTS, DEEPEST, MOST_ITEMS, LONGEST, MOST_CHARACTERS = 3000, 24, 100, 200, 5000
LATE = 30.0
"""Seconds on the clock, for each of processor time, of a call that waits."""

Tell = Callable[[dict[str, Any]], None]


class Stopped(BaseException):
    """A call takes too long."""


class Portrait:
    """One value, read once: ``text`` is equal for values that look alike, ``told`` is for people."""

    def __init__(self, value: Any, *, consume: bool = True) -> None:
        """Reading a generator uses it up, unless that is not to be."""
        self._left, self._consume = MOST_PARTS, consume
        self._open: list[int] = []
        self.text, told = self._of(value)
        self.told = told if len(told) <= LONGEST else told[: LONGEST - 1] + "…"

    def _of(self, value: Any) -> tuple[str, str]:
        self._left -= 1
        if self._left < 0 or len(self._open) > DEEPEST:
            return "…", "…"
        if value is None or isinstance(value, (bool, str, bytes, bytearray)):
            return _text(value)
        if isinstance(value, (int, float, complex)):
            return _number(value)
        if id(value) in self._open:
            return f"^{self._open.index(id(value))}", "…"
        self._open.append(id(value))
        try:
            return self._content(value)
        finally:
            self._open.pop()

    def _content(self, value: Any) -> tuple[str, str]:
        if isinstance(value, types.GeneratorType) and self._consume:
            value, kind = list(itertools.islice(value, MOST_ITEMS)), "generator"
        else:
            kind = type(value).__name__
        if isinstance(value, (list, tuple)):
            texts, tolds = self._all(value)
            signs = {"list": "[]", "tuple": "()"}.get(kind, "")
            told = f"{signs[0]}{', '.join(tolds)}{signs[1]}" if signs else f"{kind}({', '.join(tolds)})"
            return f"{kind}({texts})", told
        if isinstance(value, Set):
            parts = sorted(map(self._of, value))
            shown = ", ".join(told for _, told in parts)
            return f"set({[text for text, _ in parts]})", f"{{{shown}}}" if parts else "set()"
        if isinstance(value, Mapping):
            pairs = sorted((self._of(key), self._of(value[key])) for key in value)
            told = ", ".join(f"{key[1]}: {one[1]}" for key, one in pairs)
            return f"map({[(key[0], one[0]) for key, one in pairs]})", f"{{{told}}}"
        if isinstance(value, BaseException):
            return f"raised {_name(type(value))}", _name(type(value))
        if isinstance(value, (type, types.FunctionType, types.ModuleType, types.BuiltinFunctionType)):
            name = getattr(value, "__name__", "?")
            return f"named {name}", str(name)
        return self._object(value)

    def _all(self, values: Iterable[Any]) -> tuple[list[str], list[str]]:
        parts = [self._of(value) for value in itertools.islice(values, MOST_PARTS)]
        return [text for text, _ in parts], [told for _, told in parts]

    def _object(self, value: Any) -> tuple[str, str]:
        names = sorted({*getattr(value, "__dict__", {}), *_slots(type(value))})
        if not names:
            shown = repr(value)
            return (_name(type(value)), type(value).__name__) if " at 0x" in shown else (shown, shown)
        parts = [(name, self._of(getattr(value, name, None))) for name in names]
        told = ", ".join(f"{name}={one[1]}" for name, one in parts)
        return (
            f"{_name(type(value))}({[(name, one[0]) for name, one in parts]})",
            f"{type(value).__name__}({told})",
        )


def _text(value: Any) -> tuple[str, str]:
    """Of a long one the beginning, its length and a digest."""
    if value is None or value is True or value is False or len(value) <= MOST_CHARACTERS:
        return repr(value), repr(value)
    content = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)
    start = repr(value[:LONGEST])
    return f"{start} {len(value)} {hashlib.blake2b(content, digest_size=8).hexdigest()}", start


def _number(value: Any) -> tuple[str, str]:
    if isinstance(value, float) and math.isfinite(value):
        rounded = float(f"{value:.11e}")
        return repr(int(rounded)) if rounded.is_integer() and abs(rounded) < 1e15 else repr(rounded), repr(
            value
        )
    if isinstance(value, int) and value.bit_length() > 10_000:
        return f"{value:x}", f"an int of {value.bit_length()} bits"
    return repr(value), repr(value)


def _name(kind: type) -> str:
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _slots(kind: type) -> list[str]:
    found = [getattr(owner, "__slots__", ()) for owner in kind.__mro__]
    return [name for slots in found for name in ([slots] if isinstance(slots, str) else slots)]


def make_calls(module: types.ModuleType, wanted: Mapping[str, Any], tell: Tell) -> None:
    """Make the calls one after the other and tell of each: kind, digest, words, seconds."""
    stops = wanted["stops"]

    def stop(*_: object) -> None:
        raise Stopped

    signal.signal(signal.SIGVTALRM, stop)
    signal.signal(signal.SIGALRM, stop)
    for call in wanted["calls"]:
        tell({"begins": True})
        started = time.process_time()
        try:
            # A call that swallows the first stop meets another, and in the end the limit of its process.
            signal.setitimer(signal.ITIMER_VIRTUAL, wanted["seconds"], wanted["seconds"])
            signal.setitimer(signal.ITIMER_REAL, LATE * wanted["seconds"], LATE)
            done = _made(module, call)
        except Stopped:
            done = ("E", "", "does not end")
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        tell({"call": [*done, time.process_time() - started]})
        stops -= done[0] == "E"
        if stops <= 0:
            break


def _made(module: types.ModuleType, call: Mapping[str, Any]) -> tuple[str, str, str]:
    names = module.__dict__
    try:
        receiver = [eval(call["receiver"], names)] if call["receiver"] else []
        arguments = [eval(text, names) for text in call["arguments"]]
    except Exception as error:  # noqa: BLE001 - what a constructor raises makes a value that cannot be made
        return "U", "", type(error).__name__
    unit: Any = receiver[0] if receiver else module
    try:
        for name in [call["unit"].rpartition(".")[2]] if receiver else call["unit"].split("."):
            unit = getattr(unit, name)
    except AttributeError:
        return "A", digest("absent"), "is not there"
    before = [Portrait(value).text for value in (*receiver, *arguments)]
    try:
        result = Portrait(unit(*arguments))
    except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001 - what it raised is what it did
        return "X", *raised(error)
    return "R", *after(before, [*receiver, *arguments], 0 if receiver else 1, result)


def raised(error: BaseException) -> tuple[str, str]:
    """Digest and words of a call that raised: nobody can rely on what became of objects."""
    portrait = Portrait(error)
    return digest(repr(["X", portrait.text])), f"raises {portrait.told}"


def after(before: Sequence[str], values: Sequence[Any], first: int, result: Portrait) -> tuple[str, str]:
    """Digest and words of a call that returned; value 0 is told as ``self`` where ``first`` is 0."""
    now = [Portrait(value, consume=False) for value in values]
    words = [result.told]
    for i, one in enumerate(now):
        if one.text != before[i]:
            words.append(f"{f'argument {i + first}' if i + first else 'self'} becomes {one.told}")
    if len(words) > 1 and result.told == "None":
        words = words[1:]
    return digest(repr(["R", result.text, [one.text for one in now]])), "; ".join(words)


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
