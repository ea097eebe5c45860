from __future__ import annotations

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.core.registry import Registry, nearest


def test_loads_by_name_and_by_path() -> None:
    registry = Registry("thing", {"dumps": "json:dumps"})
    assert registry.load("dumps")([1]) == "[1]"
    assert registry.load("json:loads")("[1]") == [1]
    assert list(registry) == ["dumps"]


def test_unknown_name_gets_the_nearest() -> None:
    registry = Registry("model", {"mutation": "json:dumps", "replay": "json:loads"})
    with pytest.raises(UsageError, match=r"unknown model 'mutatoin'; did you mean 'mutation'\?"):
        registry.load("mutatoin")
    with pytest.raises(UsageError, match="known: mutation, replay"):
        registry.load("xyz")


def test_a_path_that_leads_nowhere_is_the_users_error() -> None:
    registry = Registry("model", {})
    with pytest.raises(UsageError, match="cannot load model 'no_such_module:x'"):
        registry.load("no_such_module:x")
    with pytest.raises(UsageError, match="cannot load model 'json:nothing'"):
        registry.load("json:nothing")


def test_added_names_cannot_replace_others() -> None:
    registry = Registry("ranker", {})
    registry.add("mine", "json:dumps")
    assert registry.load("mine") is not None
    with pytest.raises(UsageError, match="registered already"):
        registry.add("mine", "json:loads")


def test_describe_is_the_modules_first_line() -> None:
    assert Registry("thing", {"json": "json:dumps"}).describe("json").startswith("JSON")


def test_nearest_of_nothing_is_silent() -> None:
    assert nearest("x", []) == ""
