"""Lines on what a call does, ``set(1) on Cart(…): 3 → 4; this becomes Cart(…)``, short enough to be read."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nl2fix.core.records import BEYOND

LONG, LONG_END = 240, 80
"""Characters of a line, and how many of each part of a longer one are shown."""
_CHANGE = re.compile(r"(?P<call>.*?[)…]): (?P<before>.*) → (?P<after>.*)", re.DOTALL)
_BECOMES = re.compile(r"(?:^|; )((?:this|self|argument \d+) becomes )")
_HEAD = re.compile(r"[\w.$]*[({\[]")

Parts = Mapping[str, str]
"""What is given back, by the empty name, and what becomes of objects, by ``argument 2 becomes``."""


def brief(line: str) -> str:
    """What is called, and what becomes of it; of long values what is around their first difference."""
    if len(line) <= LONG:
        return line
    if line.endswith(f": {BEYOND}"):
        return f"{_cut(line.removesuffix(f': {BEYOND}'), 0)}: {BEYOND}"
    change = _CHANGE.fullmatch(line)
    if change is None:
        return f"{line[: LONG - LONG_END]} … {line[-LONG_END:]}"
    call, before, after = change.groups()
    old, new = _parts(before), _parts(after)
    return f"{_cut(call, 0)}: {_told(old, new, call)} → {_told(new, old, call)}"


def _parts(text: str) -> Parts:
    first, *rest = _BECOMES.split(text)
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    return {"": first, **named} if first else named


def _told(parts: Parts, others: Parts, call: str) -> str:
    """What is given back, and of the rest what is not as on the other side."""
    told = (
        name + _cut(value, _first_difference(value, others.get(name, _given(value, call) if name else "")))
        for name, value in parts.items()
        if not name or value != others.get(name)
    )
    return "; ".join(told)


def _given(value: str, call: str) -> str:
    """An object as the call shows it, where only one side says what it becomes; empty if unsure."""
    head = _HEAD.match(value)
    return call[call.index(head[0]) :] if head and call.count(head[0]) == 1 else ""


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _cut(text: str, place: int) -> str:
    """A part of a text that has a place of it."""
    begin = max(0, place - LONG_END // 2) if len(text) > LONG_END else 0
    part = text[begin : begin + LONG_END]
    return ("…" if begin else "") + part + ("…" if begin + LONG_END < len(text) else "")
