"""Functions for interfaces of one method: what ``StandIn.java`` answers, and how Java writes it."""

from __future__ import annotations

from collections.abc import Sequence

from nl2fix.validation.calls.sketches import RANGES, plain_name

_POLYNOMIALS = ((0, 1, 0), (0, -1, 0), (-1, 1, 0), (-2, 0, 1), (0, 0, 1), (3, -2, 0), (1, 0, 0), (0, 0, 0))
"""Coefficients, lowest power first."""
_CONSTANTS = ((1, 0, 0), (0, 0, 0), (-1, 0, 0))
_NUMBERS = (*RANGES, "float", "double")
_NAMES = "xyzuvw"


def functions(result: str, parameters: Sequence[str]) -> list[tuple[str, ...]]:
    """Words of each function that may be drawn, the expression last; types are names of classes."""
    names = [_NAMES[i] if i < len(_NAMES) else f"x{i}" for i in range(len(parameters))]
    head = f"{names[0]} -> " if len(names) == 1 else f"({', '.join(names)}) -> "
    kind, first = plain_name(result), plain_name(parameters[0]) if parameters else ""
    if kind == "int" and len(parameters) == 2 and not set(parameters) & {*_NUMBERS, "boolean", "char"}:
        return [("compare", "1", head + "x.compareTo(y)"), ("compare", "-1", head + "y.compareTo(x)")]
    if kind in (*_NUMBERS, "boolean", "char"):
        known = _POLYNOMIALS if first in _NUMBERS else _CONSTANTS
        return [("poly", *map(str, each), head + _result(each, kind, first)) for each in known]
    if result == "void":
        return [("null", head + "{}")]
    same = [("same", head + "x")] if result in parameters[:1] else []
    return [*same, ("null", head + "null")]


def _result(coefficients: tuple[int, int, int], kind: str, first: str) -> str:
    value = _sum(coefficients)
    if kind == "boolean":
        return f"{value} > 0"
    taken = first if "x" in value else "int"
    fits = kind == "double" or (kind in ("int", "long", "float") and taken in (kind, "int"))
    return value if fits else f"({kind}) ({value})"


def _sum(coefficients: tuple[int, int, int]) -> str:
    """``x * x - 2`` for (-2, 0, 1)."""
    written = ""
    for power in (2, 1, 0):
        number = coefficients[power]
        if not number:
            continue
        factors = ([] if power and abs(number) == 1 else [str(abs(number))]) + ["x"] * power
        sign = ("-" if number < 0 else "") if not written else (" - " if number < 0 else " + ")
        written += sign + " * ".join(factors)
    return written or "0"
