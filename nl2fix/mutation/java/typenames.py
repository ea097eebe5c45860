"""Types by what they are called: ``List<String>``, as written; ``None`` where one is not known."""

from __future__ import annotations

import re

INTEGRAL = ("byte", "short", "char", "int", "long")
NUMERIC = (*INTEGRAL, "float", "double")
BOXES = {
    "Byte": "byte",
    "Short": "short",
    "Character": "char",
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
    "Boolean": "boolean",
}
_ELEMENT = re.compile(
    r"^[\w.$]*?(?:List|Set|Collection|Iterable|Iterator|Optional|Queue|Deque|Stream)<(.*)>$"
)


def squeeze(text: str) -> str:
    """A type's text without blanks, comments and annotations."""
    if text.isalnum():
        return text
    text = re.sub(r"/\*.*?\*/|//[^\n]*|@\w+(?:\([^)]*\))?", "", text, flags=re.DOTALL)
    return re.sub(r"\s+(?=\W)|(?<=\W)\s+", "", text).strip()


def erased(kind: str | None) -> str:
    """A type without its arguments and package."""
    return re.sub(r"<.*>", "", kind or "").rpartition(".")[2]


def unboxed(kind: str | None) -> str | None:
    return BOXES.get(kind, kind) if kind else kind


def element(kind: str | None) -> str | None:
    """Element type of an array or collection."""
    if not kind:
        return None
    if kind.endswith("[]"):
        return kind[:-2]
    match = _ELEMENT.match(kind)
    return match[1] if match else None


def fits(have: str | None, wanted: str | None) -> float:
    """How well a value of one type stands for another: 1 same, less for convertible, 0 not at all."""
    if not have or not wanted:
        return 0.0
    if have == wanted or erased(have) == erased(wanted):
        return 1.0
    ours, theirs = unboxed(have), unboxed(wanted)
    if ours == theirs:
        return 0.9
    if ours in NUMERIC and theirs in NUMERIC:
        return 0.5 if NUMERIC.index(ours) <= NUMERIC.index(theirs) else 0.15
    return 0.2 if wanted == "Object" and ours not in NUMERIC else 0.0


def promoted(left: str | None, right: str | None) -> str | None:
    """Type of an arithmetic operation; ``boolean`` for logical operators without short circuit."""
    ours, theirs = unboxed(left), unboxed(right)
    if ours in NUMERIC and theirs in NUMERIC:
        wider = max(ours, theirs, key=NUMERIC.index)
        return wider if NUMERIC.index(wider) > NUMERIC.index("int") else "int"
    if ours == theirs == "boolean":
        return "boolean"
    return ours if theirs is None and ours in ("double", "float", "long") else None
