"""Short name → component, loaded when first asked for; unknown names get the known ones listed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from nl2fix.core.errors import UsageError


def nearest(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'x'?`` for the closest known name, or the list of known names."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(names)}" if names else ""


class Registry:
    """Names of one kind of component, each ``package.module:attribute``."""

    def __init__(self, kind: str, entries: Mapping[str, str]) -> None:
        self.kind = kind
        self._entries = dict(entries)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def add(self, name: str, target: str) -> None:
        """Register a component, e.g. from a plug-in; an existing name is refused."""
        if name in self._entries:
            raise UsageError(f"{self.kind} {name!r} is registered already")
        self._entries[name] = target

    def describe(self, name: str) -> str:
        """First line of the docstring of the module that makes the component."""
        module = import_module(self._entries[name].partition(":")[0])
        return (module.__doc__ or "").strip().partition("\n")[0]

    def check(self, name: str) -> str:
        """What a name stands for, not loaded: its path; a ``package.module:attribute`` path is its own."""
        target = self._entries.get(name)
        if target is None and ":" in name:
            target = name
        if target is None:
            raise UsageError(f"unknown {self.kind} {name!r}{nearest(name, self._entries)}")
        return target

    def load(self, name: str) -> Any:
        """The registered attribute. A ``package.module:attribute`` path may stand for a name."""
        target = self.check(name)
        module, _, attribute = target.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (ModuleNotFoundError, AttributeError) as error:
            if name in self._entries:
                raise
            raise UsageError(f"cannot load {self.kind} {name!r}: {error}") from error
