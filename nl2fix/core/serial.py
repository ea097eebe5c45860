"""Records as compact JSON: defaults left out, any text (lone surrogates too) kept exactly."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Mapping
from enum import Enum
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from nl2fix.core.errors import DataError

_Reader = Callable[[Any], Any]
"""Makes a value of what JSON has of it; raises ``ValueError`` where that is of another kind."""

T = TypeVar("T")


def dumps(record: Any) -> str:
    """A record as one line of ASCII JSON."""
    return json.dumps(record, default=_encode, separators=(",", ":"))


def _encode(value: Any) -> Any:
    """What JSON has no word for: of a record, the fields that differ from their defaults."""
    if isinstance(value, Enum):
        return value.value
    if not dataclasses.is_dataclass(value):
        return dict(value)
    told = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
    return {field.name: content for field, content in told if content != field.default}


def read(kind: Callable[..., T], text: str) -> T:
    """A record, every field of which is of the kind that it should be."""
    try:
        made: T = _reader(kind)(json.loads(text))
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"a stored record is damaged ({error}); restore the file from a copy") from error
    return made


@functools.cache
def _reader(kind: Any) -> _Reader:
    """Whoever reads values of a type: records are objects of JSON, tuples lists, all else is itself."""
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return functools.partial(_record, kind, fields(kind))
    if hasattr(kind, "_fields"):
        return functools.partial(_named_tuple, kind, tuple(fields(kind).values()))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if origin is tuple:
        return functools.partial(_tuple, _reader(inner[0]))
    if origin is Mapping:
        return _object
    if origin is UnionType:
        return functools.partial(_optional, _reader(inner[0]))
    kinds = {float: (float, int), Literal: (str,)}.get(origin or kind, (kind,))
    return functools.partial(_itself, kinds, inner)


def fields(kind: Any) -> dict[str, _Reader]:
    """Name → who reads it, of each field of a record or named tuple."""
    return {name: _reader(hint) for name, hint in get_type_hints(kind).items()}


def _record(kind: Callable[..., Any], readers: Mapping[str, _Reader], value: Any) -> Any:
    unknown = _object(value).keys() - readers.keys()
    if unknown:
        raise ValueError(f"there is no field {min(unknown)!r:.40}")
    return kind(**{name: readers[name](inner) for name, inner in value.items()})


def _named_tuple(kind: Callable[..., T], readers: tuple[_Reader, ...], value: Any) -> T:
    return kind(*(read(inner) for read, inner in zip(readers, _list(value), strict=True)))


def _tuple(read: _Reader, value: Any) -> tuple[Any, ...]:
    return tuple(map(read, _list(value)))


def _optional(read: _Reader, value: Any) -> Any:
    return None if value is None else read(value)


def _itself(kinds: tuple[type, ...], allowed: tuple[Any, ...], value: Any) -> Any:
    if type(value) not in kinds or (allowed and value not in allowed):
        raise ValueError(f"{value!r:.40} cannot stand where it does")
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r:.40} is no object")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r:.40} is no list")
    return value
