"""Short name → component, loaded when first asked for; unknown names get the known ones listed.

A component comes with nl2fix, from an installed package (an entry point in the kind's group, e.g.
``nl2fix.suites``), or from a module of the user's (``package.module:factory`` in place of a name). All
are factories of one shape, ``factory(options, environment)``: ``options`` is the table the user wrote,
``environment`` says where and with how much work things are done. A class without parameters is its own
factory, and ``always`` makes one of any component that needs neither.
"""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import Any, NamedTuple, TypeVar

from nl2fix.core import outside
from nl2fix.core.errors import UsageError

T = TypeVar("T")


_SHORT = 4
"""Letters of a short word."""
_PATH = re.compile(r"[^:.][^:]*:")
"""How the path of a component of the user's begins: with a module."""
MOST_LISTED = 30
"""Names that fit into one line for people."""


def nearest(name: str, choices: Iterable[str]) -> str:
    """``; did you mean 'x'?`` for the closest known name, or the list of known names."""
    names = {choice.casefold(): choice for choice in sorted(choices, key=_counted)}
    close = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.65)
    if close and _is_slip(name.casefold(), close[0]):
        return f"; did you mean {names[close[0]]!r}?"
    listed = [*names.values()][:MOST_LISTED]
    more = f", … ({len(names) - len(listed)} more)" if len(names) > len(listed) else ""
    return f"; known: {', '.join(listed)}{more}" if names else ""


def _is_slip(written: str, meant: str) -> bool:
    """Whether one may have been written for the other: of a short word, no letter was replaced.

    Too many words of four letters share three of them.
    """
    short, long = sorted((written, meant), key=len)
    letters = iter(long)
    return len(meant) > _SHORT or all(each in letters for each in short) or sorted(short) == sorted(long)


def _counted(name: str) -> list[tuple[int, str]]:
    """Sorts ``Cli-2`` before ``Cli-10``."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def always(component: T) -> Callable[[Mapping[str, Any], object], T]:
    """A factory for a component that takes no options: it is the same whatever the environment."""

    def factory(options: Mapping[str, Any], environment: object) -> T:
        if options:
            named = getattr(component, "name", getattr(component, "__name__", type(component).__name__))
            raise UsageError(f"{named!r} takes no options, not {', '.join(map(repr, options))}")
        return component

    return factory


class Plugin(NamedTuple):
    """A component that an installed package brings."""

    kind: str
    name: str
    target: str
    package: str


class Registry:
    """Names of one kind of component, each ``package.module:attribute``."""

    def __init__(self, kind: str, entries: Mapping[str, str], *, group: str) -> None:
        """``group`` is the name under which installed packages declare components of this kind."""
        self.kind = kind
        self.group = group
        self._entries = dict(entries)

    def __iter__(self) -> Iterator[str]:
        yield from self._entries
        yield from (name for name in self._installed if name not in self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries or name in self._installed

    @property
    def built_in(self) -> tuple[str, ...]:
        """Names that come with nl2fix."""
        return tuple(self._entries)

    @property
    def added(self) -> tuple[str, ...]:
        """Names that installed packages bring."""
        return tuple(sorted(self._installed))

    def plugins(self) -> list[Plugin]:
        """What installed packages bring, sorted by name."""
        return [self._plugin(point) for _, point in sorted(self._installed.items())]

    def hidden(self) -> list[tuple[Plugin, str]]:
        """What installed packages bring under a name that stands for something else, and whose that is."""
        return [
            (self._plugin(point), "nl2fix" if point.name in self._entries else _package(kept))
            for point in self._points
            if (kept := self._installed.get(point.name)) is not point
        ]

    def describe(self, name: str) -> str:
        """First line of the docstring of the module that makes the component."""
        module = import_module(self.check(name).partition(":")[0])
        return (module.__doc__ or "").strip().partition("\n")[0]

    def needs(self, name: str) -> str:
        """The paragraph of that docstring which begins with ``Needs``, on one line; empty without one."""
        module = import_module(self.check(name).partition(":")[0])
        paragraphs = (" ".join(part.split()) for part in (module.__doc__ or "").split("\n\n"))
        return next((part.replace("``", "") for part in paragraphs if part.startswith("Needs ")), "")

    def check(self, name: str) -> str:
        """What a name stands for, not loaded: its path; a ``package.module:attribute`` path is its own."""
        target = self._entries.get(name)
        if target is None and _PATH.match(name):
            target = name
        if target is None and name in self._installed:
            target = self._installed[name].value
        if target is None:
            raise UsageError(f"unknown {self.kind} {name!r}{nearest(name, self)}")
        return target

    def load(self, name: str) -> Any:
        """The factory. A ``package.module:attribute`` path may stand for a name."""
        target = self.check(name)
        module, _, attribute = target.partition(":")
        outside.note(f"{self.kind} {name}", module)
        self._tell_hidden(name)
        try:
            factory = import_module(module)
            for part in attribute.split("."):
                factory = getattr(factory, part)
        except (ImportError, AttributeError, SyntaxError, ValueError) as error:
            if name in self._entries:
                raise
            raise UsageError(f"cannot load {self.kind} {name!r}: {error}") from error
        return factory

    def make(self, name: str, options: Mapping[str, Any], environment: object) -> Any:
        """The component, made by its factory; one that is no factory is the user's error."""
        factory = self.load(name)
        if isinstance(factory, type) and not signature(factory).parameters:
            return always(factory())(options, environment)
        if not callable(factory):
            raise UsageError(
                f"{self.kind} {name!r} is no factory: it cannot be called with (options, environment)"
            )
        try:
            made = factory(options, environment)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            raise UsageError(
                f"{self.kind} {name!r} is no factory of (options, environment): {error}"
            ) from error
        if made is None:
            raise UsageError(f"{self.kind} {name!r} is no factory: it gives None")
        return made

    def _plugin(self, point: EntryPoint) -> Plugin:
        return Plugin(self.kind, point.name, point.value, _package(point))

    def _tell_hidden(self, name: str) -> None:
        """Warn where several packages bring what is asked for."""
        others = [plugin.package for plugin, _ in self.hidden() if plugin.name == name]
        if others and name not in self._entries:
            taken = f"{self.kind} {name!r} is that of package {_package(self._installed[name])}"
            warnings.warn(f"{taken}; {', '.join(others)} has one of that name, too", stacklevel=3)

    @cached_property
    def _points(self) -> list[EntryPoint]:
        """Entry points of the kind's group, in an order that is the same on every machine."""
        return sorted(entry_points(group=self.group), key=lambda point: (point.name, _package(point)))

    @cached_property
    def _installed(self) -> dict[str, EntryPoint]:
        """Name → what it stands for; built-in names cannot be taken over."""
        return {point.name: point for point in reversed(self._points) if point.name not in self._entries}


def _package(point: EntryPoint | None) -> str:
    return point.dist.name if point is not None and point.dist else "?"
