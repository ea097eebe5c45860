"""Whose fault an error is: that of a part from outside of nl2fix, or nl2fix's own.

The innermost line of either decides: what a library raises is the fault of who called it, and what
nl2fix raises when a part calls it back is nl2fix's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from reprlib import repr as shortened
from traceback import walk_tb
from typing import NamedTuple, TypeVar

from nl2fix.core.errors import Nl2fixError
from nl2fix.core.records import Problem

T = TypeVar("T")

_OURS = __name__.partition(".")[0]
_parts: dict[str, list[str]] = {}
"""Module → the parts that were taken from it, as the user names them."""


class _Line(NamedTuple):
    """A line of Python that was at work."""

    module: str
    file: Path
    number: int


def note(part: str, module: str) -> None:
    """Remember that a part, ``model mine:Model``, comes from a module; modules of nl2fix are its own."""
    if _package(module) != _OURS and part not in _parts.setdefault(module, []):
        _parts[module].append(part)


def is_part(component: object) -> bool:
    """Whether a component is made by code from outside of nl2fix."""
    return _package(type(component).__module__) != _OURS


def giving(
    kind: type[T], give: Callable[[Problem], T], who: str = "the suite", what: str = "tests"
) -> Callable[[Problem], T]:
    """What a part gives for a problem; ``Nl2fixError`` where that is of another kind."""

    def checked(problem: Problem) -> T:
        given = give(problem)
        if not isinstance(given, kind):
            wanted = f"as {what} of {problem.id}, not a {kind.__name__}"
            raise Nl2fixError(f"{who} gives {shortened(given)} {wanted}")
        return given

    return checked


def told(error: BaseException) -> str | None:
    """One line on an error of a part from outside: which, what and where; ``None`` where it is not one."""
    packages = {_OURS, *map(_package, _parts)}
    lines = [line for line in _lines(error) if _package(line.module) in packages]
    if lines and _package(lines[-1].module) != _OURS:
        modules = [line.module for line in lines]
        return f"{_named(modules)}: {_words(error)} ({_shown(lines[-1].file)}, line {lines[-1].number})"
    if isinstance(error, AttributeError) and _package(owner := type(error.obj).__module__) in packages - {
        _OURS
    }:
        return f"{_named([owner])} has no {error.name!r}, which nl2fix asks of it"
    return None


def _lines(error: BaseException) -> list[_Line]:
    """From the outermost to the innermost, without those that Python makes up itself."""
    frames = [
        (frame.f_globals.get("__name__", ""), frame.f_code.co_filename, number)
        for frame, number in walk_tb(error.__traceback__)
    ]
    return [_Line(module, Path(file), number) for module, file, number in frames if not file.startswith("<")]


def _named(modules: list[str]) -> str:
    """The parts that the innermost of these modules holds, or else those of the innermost's package."""
    holding = next((module for module in reversed(modules) if module in _parts), None)
    near = [holding] if holding else [m for m in _parts if _package(m) == _package(modules[-1])]
    return " or ".join(part for module in near for part in _parts[module])


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _shown(file: Path) -> Path:
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def _package(module: str) -> str:
    return module.partition(".")[0]
