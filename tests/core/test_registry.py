from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.core.registry import Registry, always, nearest


def test_loads_by_name_and_by_path() -> None:
    registry = Registry("thing", {"dumps": "json:dumps"}, group="nl2fix.none")
    assert registry.load("dumps")([1]) == "[1]"
    assert registry.load("json:loads")("[1]") == [1]
    assert list(registry) == ["dumps"]


def test_unknown_name_gets_the_nearest() -> None:
    registry = Registry("model", {"mutation": "json:dumps", "replay": "json:loads"}, group="nl2fix.none")
    with pytest.raises(UsageError, match=r"unknown model 'mutatoin'; did you mean 'mutation'\?"):
        registry.load("mutatoin")
    with pytest.raises(UsageError, match="known: mutation, replay"):
        registry.load("xyz")


def test_a_path_that_leads_nowhere_is_the_users_error() -> None:
    registry = Registry("model", {}, group="nl2fix.none")
    with pytest.raises(UsageError, match="cannot load model 'no_such_module:x'"):
        registry.load("no_such_module:x")
    with pytest.raises(UsageError, match="cannot load model 'json:nothing'"):
        registry.load("json:nothing")


def test_an_entry_point_that_names_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """``x =`` in a package's list ended in an internal error."""
    empty = EntryPoint("x", "", "nl2fix.none")
    monkeypatch.setattr("nl2fix.core.registry.entry_points", lambda **_: [empty])
    registry = Registry("model", {}, group="nl2fix.none")
    with pytest.raises(UsageError, match="cannot load model 'x': Empty module name"):
        registry.load("x")


def test_all_factories_have_one_shape() -> None:
    registry = Registry("metric", {}, group="nl2fix.none")
    with pytest.raises(UsageError, match=r"metric 'math:pi' is no factory"):
        registry.make("math:pi", {}, None)
    with pytest.raises(UsageError, match=r"metric 'math:isqrt' is no factory of \(options, environment\)"):
        registry.make("math:isqrt", {}, None)


@pytest.mark.parametrize("name", [":", ":x", ".:x"])
def test_a_path_without_a_module_is_an_unknown_name(name: str) -> None:
    """Python's "Empty module name" was an internal error."""
    with pytest.raises(UsageError, match="unknown model"):
        Registry("model", {}, group="nl2fix.none").load(name)


def test_a_factory_that_gives_nothing_is_told() -> None:
    """A ``return`` left out was an internal error: 'NoneType' has no 'name'."""
    with pytest.raises(UsageError, match="model 'builtins:print' is no factory: it gives None"):
        Registry("model", {}, group="nl2fix.none").make("builtins:print", {}, None)


def test_a_class_without_parameters_is_its_own_factory() -> None:
    registry = Registry("thing", {}, group="nl2fix.none")
    assert registry.make("threading:Event", {}, None).is_set() is False
    with pytest.raises(UsageError, match="takes no options"):
        registry.make("threading:Event", {"k": 1}, None)


def test_a_component_without_options_refuses_them() -> None:
    factory = always(len)
    assert factory({}, None) is len
    with pytest.raises(UsageError, match="'len' takes no options, not 'k'"):
        factory({"k": 1}, None)


def test_an_error_inside_a_factory_is_its_own() -> None:
    def broken(options: object, environment: object) -> None:
        raise TypeError("inside")

    registry = Registry("model", {"broken": f"{__name__}:_BROKEN"}, group="nl2fix.none")
    globals()["_BROKEN"] = broken
    with pytest.raises(TypeError, match="inside"):
        registry.make("broken", {}, None)


def test_describe_is_the_modules_first_line() -> None:
    assert Registry("thing", {"json": "json:dumps"}, group="nl2fix.none").describe("json").startswith("JSON")


def test_of_many_names_some_are_listed_as_people_count() -> None:
    """283 bugs filled the screen, ``Cli-10`` before ``Cli-2``."""
    bugs = [f"Cli-{number}" for number in range(283)]
    assert nearest("nope", reversed(bugs)) == f"; known: {', '.join(bugs[:30])}, … (253 more)"
    assert nearest("cli-10", bugs) == "; did you mean 'Cli-10'?"


@pytest.mark.parametrize("name", ["nope", "hone", "cosne", "chroot"])
def test_no_sandbox_at_all_is_not_offered_for_a_word_that_looks_like_none(name: str) -> None:
    assert nearest(name, ["bubblewrap", "docker", "none"]) == "; known: bubblewrap, docker, none"


@pytest.mark.parametrize(("name", "meant"), [("non", "none"), ("noen", "none"), ("NONE", "none")])
def test_a_slip_in_a_short_word_is_still_one(name: str, meant: str) -> None:
    assert nearest(name, ["bubblewrap", "docker", "none"]) == f"; did you mean {meant!r}?"


def test_nearest_of_nothing_is_silent() -> None:
    assert nearest("x", []) == ""
