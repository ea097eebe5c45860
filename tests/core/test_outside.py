"""Whose fault an error is: that of a part from outside of nl2fix, told with its place, or nl2fix's own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core import outside
from nl2fix.core.errors import UsageError
from nl2fix.core.outside import told
from nl2fix.core.registry import Registry

PART = """
import dataclasses, json
from outside_helper import half
from nl2fix.core.records import Candidate

class Part:
    def raises(self):
        raise ValueError("boom")
    def helped(self):
        return half("x")
    def parsed(self):
        return json.loads("{")
    def changes(self):
        Candidate("x").code = "y"
    def empty(self):
        raise StopIteration
    def calls(self, back):
        return back()
"""


@pytest.fixture(autouse=True)
def _no_parts_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those lie in packages of their own, ``tests`` among them."""
    monkeypatch.setattr(outside, "_parts", {})


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A part in a module of the user's, which has a helper beside it."""
    (tmp_path / "outside_part.py").write_text(PART)
    (tmp_path / "outside_helper.py").write_text("def half(x):\n    return x / 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield Registry("model", {}, group="nl2fix.none").make("outside_part:Part", {}, None)
    for name in ("outside_part", "outside_helper"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("method", "line"),
    [
        ("raises", "model outside_part:Part: ValueError: boom (outside_part.py, line 8)"),
        (
            "helped",
            "model outside_part:Part: TypeError: unsupported operand type(s) for /: 'str' and 'int' "
            "(outside_part.py, line 10)",
        ),
        (
            "changes",
            "model outside_part:Part: FrozenInstanceError: cannot assign to field 'code' "
            "(outside_part.py, line 14)",
        ),
        ("empty", "model outside_part:Part: StopIteration (outside_part.py, line 16)"),
    ],
)
def test_what_a_part_of_the_users_raises_is_told_with_its_place(part: Any, method: str, line: str) -> None:
    with pytest.raises(Exception) as caught:
        getattr(part, method)()
    assert told(caught.value) == line


def test_what_a_library_raises_is_told_at_the_line_that_called_it(part: Any) -> None:
    with pytest.raises(ValueError) as caught:
        part.parsed()
    assert "JSONDecodeError" in str(told(caught.value))
    assert str(told(caught.value)).endswith("(outside_part.py, line 12)")


def test_what_nl2fix_raises_when_a_part_calls_it_back_is_its_own(part: Any) -> None:
    with pytest.raises(UsageError) as caught:
        part.calls(lambda: Registry("model", {}, group="nl2fix.none").check("x"))
    assert told(caught.value) is None


def test_what_a_part_lacks_is_told_by_name(part: Any) -> None:
    with pytest.raises(AttributeError) as caught:
        part.complete  # noqa: B018 - it is not there
    assert told(caught.value) == "model outside_part:Part has no 'complete', which nl2fix asks of it"


def test_an_error_without_a_part_is_nobodys(part: Any) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        1 / 0  # noqa: B018 - it fails
    assert told(caught.value) is None


def test_all_parts_of_a_module_are_named(part: Any) -> None:
    Registry("ranker", {}, group="nl2fix.none").load("outside_part:Part")
    with pytest.raises(ValueError, match="boom") as caught:
        part.raises()
    assert str(told(caught.value)).startswith("model outside_part:Part or ranker outside_part:Part: Value")


def test_a_module_that_fails_when_it_is_imported_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside_failing.py").write_text("import os\nos.environ['NOT_SET_ANYWHERE']\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    importlib.invalidate_caches()
    with pytest.raises(KeyError) as caught:
        Registry("suite", {}, group="nl2fix.none").load("outside_failing:make")
    assert (
        told(caught.value)
        == "suite outside_failing:make: KeyError: 'NOT_SET_ANYWHERE' (outside_failing.py, line 2)"
    )
