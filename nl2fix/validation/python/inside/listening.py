"""Hears what tests call of an edited module: what each call was given, and what came of it.

Its functions, and the methods of its classes, are put behind others that tell of each call. Only the
outermost call of a thread is heard. Calls with equal values are one; where they did not do the same, state
that no value shows decided, and they are marked. How much is heard goes by numbers.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import os
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from nl2fix.validation.python.inside.calls import MOST_ITEMS, Portrait, Stopped, Tell, after, digest, raised

LEAST, TRIED = 2, 4
"""Calls that any test may add; calls that are looked at for each of them."""
FEWEST_TRIED = 20
_UNHEARD = {
    *("__repr__", "__str__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__del__"),
    *("__new__", "__hash__", "__init_subclass__", "__class_getitem__", "__set_name__", "__format__"),
}
"""Methods that are called unasked."""
_MOST_WORDS = 1000
_PATIENCE = 2


class Tap:
    """What was heard of one program."""

    def __init__(self, wanted: Mapping[str, Any], tell: Tell) -> None:
        """``wanted``: how many calls, a test's share, seconds of a test, tests that may be stopped."""
        self._most, self._share, self._tell = wanted["most"], wanted["share"], tell
        self._seconds, self.stops = wanted["seconds"], wanted["stops"]
        self._known: dict[str, str] = {}
        self._torn: set[str] = set()
        self._test, self._room, self._tries = "", 0, 0
        self._busy: set[int] = set()
        self._signals, self._leave = 0, os._exit

    @contextmanager
    def test(self, name: str) -> Iterator[None]:
        """While a test runs, in which ``Stopped`` is raised when it takes too long."""
        self._test, self._signals = name, 0
        self._room = max(LEAST, (self._most - len(self._known)) // self._share)
        self._tries = max(FEWEST_TRIED, TRIED * self._room)
        signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds, self._seconds)
        signal.setitimer(signal.ITIMER_REAL, 30 * self._seconds, self._seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _stop(self, *_: object) -> None:
        """End a test; one that goes on after two stops ends with its program."""
        self._signals += 1
        if self._signals == 1:
            self.stops -= 1
            self._tell({"stopped": self._test})
        if self._signals > _PATIENCE:
            self._leave(0)
        raise Stopped

    def put_on(self, module: types.ModuleType) -> None:
        """Hear all that a module defines."""
        sys.setrecursionlimit(2 * sys.getrecursionlimit())
        signal.signal(signal.SIGVTALRM, self._stop)
        signal.signal(signal.SIGALRM, self._stop)
        for name, value in list(vars(module).items()):
            if getattr(value, "__module__", None) != module.__name__:
                continue
            if isinstance(value, types.FunctionType):
                setattr(module, name, self._heard(value, name))
            elif isinstance(value, type):
                self._put_on_class(value)

    def _put_on_class(self, owner: type) -> None:
        for name, value in list(vars(owner).items()):
            heard: Any = None
            if name in _UNHEARD:
                continue
            if isinstance(value, types.FunctionType):
                heard = self._heard(value, name, method=True)
            elif isinstance(value, (staticmethod, classmethod)) and inspect.isfunction(value.__func__):
                full = f"{owner.__name__}.{name}"
                heard = type(value)(self._heard(value.__func__, full, unbound=isinstance(value, classmethod)))
            elif isinstance(value, property) and inspect.isfunction(value.fget):
                heard = value.getter(self._heard(value.fget, name, method=True))
            if heard is not None:
                try:
                    setattr(owner, name, heard)
                except (TypeError, AttributeError):  # a class may refuse
                    continue

    def _heard(
        self, function: Callable[..., Any], name: str, *, method: bool = False, unbound: bool = False
    ) -> Callable[..., Any]:
        """``unbound``: the first argument, a class, is no value of the call."""
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            return function
        busy = self._busy

        @functools.wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            thread = threading.get_ident()
            if thread in busy:
                return function(*args, **named)
            busy.add(thread)
            try:
                told = _Call(name, method and bool(args), args[unbound:], named)
                return self._made(told, lambda: function(*args, **named))
            finally:
                busy.discard(thread)

        return call

    def _made(self, call: _Call, make: Callable[[], Any]) -> Any:
        key = self._begun(call)
        if not key:
            return make()
        try:
            result = make()
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            self._keep(key, call, *raised(error))
            raise
        shown: Any = result
        if isinstance(result, types.GeneratorType):
            shown = list(itertools.islice(result, MOST_ITEMS))
            result = _continued(shown, result)
        try:
            seen = after(call.before, call.values, 0 if call.method else 1, call.result(shown))
        except Exception as error:  # noqa: BLE001 - attributes are the program's code
            seen = (digest(repr(["unreadable", type(error).__name__])), "cannot be read")
        self._keep(key, call, *seen)
        return result

    def _begun(self, call: _Call) -> str:
        """The key of a call that is to be heard; else nothing."""
        self._tries -= 1
        if self._tries < 0:
            return ""
        try:
            call.look()
        except Exception:  # noqa: BLE001 - attributes are the program's code
            return ""
        key = digest(repr([call.name, call.before, list(call.named)]))
        if key not in self._known:
            if self._room <= 0 or len(self._known) >= self._most:
                return ""
            self._room -= 1
        return key

    def _keep(self, key: str, call: _Call, done: str, words: str) -> None:
        if key not in self._known:
            self._known[key] = done
            self._tell({"heard": [key, done, words[:_MOST_WORDS], call.told, self._test]})
        elif self._known[key] != done and key not in self._torn:
            self._torn.add(key)
            self._tell({"torn": key})


class _Call:
    """One call: its values before, and its words."""

    def __init__(self, name: str, method: bool, args: Sequence[Any], named: Mapping[str, Any]) -> None:
        self.name, self.method, self.named = name, method, named
        self.values = [*args, *named.values()]
        self._args = len(args)
        self.before: list[str] = []
        self.told = ""

    def look(self) -> None:
        portraits = [Portrait(value, consume=False) for value in self.values]
        self.before = [each.text for each in portraits]
        words = [each.told for each in portraits]
        for place, name in enumerate(self.named, self._args):
            words[place] = f"{name}={words[place]}"
        owner = ""
        if self.method:
            owner, words = words[0] + ".", words[1:]
        name = self.name
        if self.method and name == "__init__":
            owner, name = "", type(self.values[0]).__name__
        self.told = f"{owner}{name}({', '.join(words)})"[:_MOST_WORDS]

    def result(self, result: Any) -> Portrait:
        """Of a constructor the object."""
        made = self.method and self.name == "__init__"
        return Portrait(self.values[0] if made else result, consume=False)


def _continued(items: Sequence[Any], rest: Iterator[Any]) -> Iterator[Any]:
    """A generator of which the first items were looked at."""
    yield from items
    yield from rest
