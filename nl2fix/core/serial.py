"""Records as compact JSON: defaults left out, any text (lone surrogates too) kept exactly."""

from __future__ import annotations

import dataclasses
import functools
import json
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any, TypeVar

from nl2fix.core.errors import DataError
from nl2fix.core.records import (
    Behaviour,
    Candidate,
    Change,
    Completion,
    Evidence,
    Observation,
    OnTests,
    Outcome,
    Problem,
    Prompt,
    Stated,
    Verdict,
)

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


@contextmanager
def _checked() -> Iterator[None]:
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"a stored record is damaged ({error}); restore the file from a copy") from error


def completion(text: str) -> Completion:
    return _read(Completion, text)


def candidate(text: str) -> Candidate:
    return _read(Candidate, text)


def dump_verdict(verdict: Verdict) -> str:
    return json.dumps(
        {"outcome": verdict.outcome.value, "evidence": _plain(verdict.evidence)}, separators=(",", ":")
    )


@_checked()
def verdict(text: str) -> Verdict:
    data = _loads(text)
    evidence = data["evidence"]
    mended = tuple(evidence.get("mended", ()))
    return Verdict(Outcome(data["outcome"]), Evidence(**{**evidence, "mended": mended}))


def problem(text: str) -> Problem:
    return _read(Problem, text)


def prompt(text: str) -> Prompt:
    return _read(Prompt, text)


def dump_observation(observation: Observation) -> str:
    fields = {**_plain(observation), "unedited": _plain(observation.unedited)}
    return json.dumps(fields, separators=(",", ":"))


@_checked()
def observation(text: str) -> Observation:
    data = _loads(text)
    stated = tuple(Stated(*each) for each in data.get("stated", ()))
    before, instrument = _behaviour(data["unedited"]), data.get("instrument", 1)
    calls, most = tuple(data["calls"]), data.get("most", 0)
    return Observation(calls, data["dropped"], before, stated, instrument, most)


@_checked()
def behaviour(text: str) -> Behaviour:
    return _behaviour(_loads(text))


@_checked()
def on_tests(text: str) -> OnTests:
    data = _loads(text)
    changes = tuple(Change(*each) for each in data["changes"])
    apart = Change(*data["apart"]) if "apart" in data else None
    against = Change(*data["against"]) if "against" in data else None
    return OnTests(**{**data, "changes": changes, "apart": apart, "against": against})


def _behaviour(data: dict[str, Any]) -> Behaviour:
    return Behaviour(tuple(data["digests"]), tuple(data["told"]))


@_checked()
def _read(target: Callable[..., T], text: str) -> T:
    """A record whose fields are plain values, mappings, or tuples of either or of named tuples."""
    data, hints = _loads(text), _hints(target)
    return target(**{name: _shaped(hints[name], value) for name, value in data.items()})


@functools.cache
def _hints(target: Any) -> dict[str, Any]:
    return typing.get_type_hints(target)


def _shaped(hint: Any, value: Any) -> Any:
    """JSON's lists as the tuples they were."""
    if not isinstance(value, list):
        return value
    if hasattr(hint, "_fields"):
        return hint(*value)
    inner, *_ = typing.get_args(hint) or (Any,)
    return tuple(_shaped(inner, item) for item in value)


def _loads(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    return data
