from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError


@dataclass(frozen=True)
class Sample:
    name: str
    rate: float = 1.0
    count: int = 1
    folder: Path | None = None
    kind: Literal["a", "b"] = "a"
    tags: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def test_values_are_converted_where_that_is_harmless() -> None:
    made = read(Sample, {"name": "x", "rate": 2, "folder": "/tmp", "tags": ["p", "q"]}, "here")
    assert made == Sample("x", 2.0, 1, Path("/tmp"), "a", ("p", "q"))
    assert isinstance(made.rate, float)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "x", "id": 2}, r"unknown key 'id' in here \(behind its colon stands SETTING=VALUE\)"),
        ({"name": "x", "cuont": 2}, r"unknown key 'cuont' in here; did you mean 'count'\?"),
        ({"name": 5}, "here.name must be a text, not 5"),
        ({"name": "x", "count": True}, "here.count must be an integer, not True"),
        ({"name": "x", "count": 1.5}, "here.count must be an integer"),
        ({"name": "x", "kind": "c"}, "here.kind must be one of a, b, not 'c'"),
        ({"name": "x", "tags": "abc"}, "here.tags must be a list"),
        ({}, "here needs 'name'"),
    ],
)
def test_bad_values_are_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(Sample, options, "here")


@pytest.mark.parametrize("options", [3, "x", ["name"]])
def test_what_is_no_table_is_refused(options: Any) -> None:
    with pytest.raises(UsageError, match="here must be a table, not "):
        read(Sample, options, "here")


def test_none_is_allowed_only_where_it_means_something() -> None:
    assert read(Sample, {"name": "x", "folder": None}, "here").folder is None
    with pytest.raises(UsageError, match="here.count"):
        read(Sample, {"name": "x", "count": None}, "here")


def test_the_cache_is_the_same_folder_for_workers_that_lie_elsewhere() -> None:
    """Through the Python interface a relative one had no JVM start: "Unable to access jarfile"."""
    assert Environment(Path("cache")).cache == Path.cwd() / "cache"
