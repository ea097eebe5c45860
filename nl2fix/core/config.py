"""Settings: strict reading of plain mappings into dataclasses, and what every component is given."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nl2fix.core.errors import UsageError
from nl2fix.core.registry import nearest

T = TypeVar("T")


@dataclass(frozen=True)
class Environment:
    """Where and with how much work is done, and the settings of rooms that are no component of a run."""

    cache: Path
    """Folder for workspaces, verdicts and vectors shared between runs; absolute, as workers have working
    directories of their own.
    """
    jobs: int = 2
    """Problems worked on at once."""
    tables: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    """Name → settings as the user wrote them, e.g. ``sandbox``; read by the room of that name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cache", self.cache.absolute())

    def table(self, name: str, target: type[T]) -> T:
        """The settings of one room; raises ``UsageError`` as ``read`` does."""
        return read(target, self.tables.get(name, {}), name)

    def having(self, table: str, /, **values: Any) -> Environment:
        """The same with these values in a table."""
        return dataclasses.replace(
            self, tables={**self.tables, table: {**self.tables.get(table, {}), **values}}
        )


class UnknownKey(UsageError):
    """A setting that its component does not have."""

    def __init__(self, key: str, where: str, nearest: str) -> None:
        hint = " (behind its colon stands SETTING=VALUE)" if key == "id" else ""
        super().__init__(f"unknown key {key!r} in {where}{hint}{nearest}")
        self.key, self.where = key, where


def read(target: type[T], options: Mapping[str, Any], where: str) -> T:
    """Make a dataclass of a mapping.

    Unknown keys and values of the wrong type raise ``UsageError`` naming the key, ``where`` it stood
    and the nearest known key. Integers pass for floats, strings for paths, lists for tuples.
    """
    if not isinstance(options, Mapping):
        raise UsageError(f"{where} must be a table, not {options!r}")
    hints = typing.get_type_hints(target)
    fields = {f.name: hints[f.name] for f in dataclasses.fields(target) if f.init}  # type: ignore[arg-type]
    for key in options:
        if key not in fields:
            raise UnknownKey(key, where, nearest(key, fields))
    values = {key: _convert(fields[key], value, _setting(key, where)) for key, value in options.items()}
    if missing := [name for name in _needed(target) if name not in values]:
        raise UsageError(f"{where} needs {' and '.join(map(repr, missing))}")
    return target(**values)


def _setting(key: str, where: str) -> str:
    """How a setting is called: ``language of suite linter``, ``sampling.seed`` in a table of one word."""
    return f"{key} of {where}" if " " in where else f"{where}.{key}"


def _needed(target: Any) -> Iterator[str]:
    """The fields of a dataclass that have no default."""
    for field in dataclasses.fields(target):
        if field.init and field.default is field.default_factory is dataclasses.MISSING:
            yield field.name


def _finite(value: float, where: str) -> float:
    try:
        if math.isfinite(float(value)):
            return float(value)
    except OverflowError:
        pass
    raise UsageError(f"{where} must be a finite number, not {str(value)[:20]}")


def _convert(hint: Any, value: Any, where: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = [a for a in arguments if a is not type(None)]
        return None if value is None and len(inner) < len(arguments) else _convert(inner[0], value, where)
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_convert(arguments[0], item, where) for item in value)
    if origin is typing.Literal:
        if value in arguments:
            return value
        raise UsageError(f"{where} must be one of {', '.join(map(str, arguments))}, not {value!r}")
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return _finite(value, where)
    if hint is Path and isinstance(value, str):
        return Path(value)
    plain = origin or hint
    if plain is Any or (isinstance(value, plain) and not (plain is int and isinstance(value, bool))):
        return value
    if isinstance(plain, type) and issubclass(plain, Mapping) and isinstance(value, Mapping):
        return value
    raise UsageError(f"{where} must be {_WORDS.get(plain, 'another kind of value')}, not {value!r}")


_WORDS: Mapping[Any, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "a text",
    Path: "a text",
    tuple: "a list",
    list: "a list",
    dict: "a table",
    Mapping: "a table",
}
"""What users call the types of settings."""
