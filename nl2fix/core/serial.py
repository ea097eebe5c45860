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
from nl2fix.core.records import (
    Behaviour,
    Candidate,
    Completion,
    Evidence,
    Observation,
    OnTests,
    Problem,
    Prompt,
    Verdict,
)

_Reader = Callable[[Any], Any]
"""Makes a value of what JSON has of it; raises ``ValueError`` where that is of another kind."""

T = TypeVar("T")


def _plain(value: Any) -> dict[str, Any]:
    """Fields of a record that differ from their defaults."""
    result = {}
    for field in dataclasses.fields(value):
        content = getattr(value, field.name)
        if field.default is dataclasses.MISSING or content != field.default:
            result[field.name] = content
    return result


def _encode(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return dict(value)


def dumps(record: Behaviour | Completion | Candidate | Evidence | OnTests | Problem | Prompt) -> str:
    """One line of ASCII JSON."""
    return json.dumps(_plain(record), default=_encode, separators=(",", ":"))


def completion(text: str) -> Completion:
    return _read(Completion, text)


def candidate(text: str) -> Candidate:
    return _read(Candidate, text)


def dump_verdict(verdict: Verdict) -> str:
    return json.dumps(
        {"outcome": verdict.outcome.value, "evidence": _plain(verdict.evidence)}, separators=(",", ":")
    )


def verdict(text: str) -> Verdict:
    return _read(Verdict, text)


def problem(text: str) -> Problem:
    return _read(Problem, text)


def prompt(text: str) -> Prompt:
    return _read(Prompt, text)


def dump_observation(observation: Observation) -> str:
    fields = {**_plain(observation), "unedited": _plain(observation.unedited)}
    return json.dumps(fields, separators=(",", ":"))


def observation(text: str) -> Observation:
    return _read(Observation, text)


def behaviour(text: str) -> Behaviour:
    return _read(Behaviour, text)


def on_tests(text: str) -> OnTests:
    return _read(OnTests, text)


def order(text: str) -> list[str]:
    """Keys of candidates, as a ranking is stored."""
    return list(_read(tuple[str, ...], text))


def _read(target: Callable[..., T], text: str) -> T:
    """A record, every field of which is of the kind that it should be."""
    try:
        made: T = _reader(target)(json.loads(text))
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
