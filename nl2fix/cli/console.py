"""Progress and tables on the terminal; plain lines when there is none."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import click

from nl2fix.core.protocols import Progress
from nl2fix.core.visible import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

PLAIN_EVERY = 5.0
"""Seconds between plain progress lines."""
SPELLED = "nl2fix.spelled"
"""How streams are to write letters that their encoding lacks."""
_SIGNS = {"–": "-", "—": "-", "─": "-", "…": "...", "→": "->", "×": "x", "«": '"', "»": '"'}


def _spelled(error: UnicodeError) -> tuple[str, int]:
    """Our own signs in ASCII, all else as escapes."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    told = (_SIGNS.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in lacking)
    return "".join(told), error.end


codecs.register_error(SPELLED, _spelled)


def console() -> Console:
    """Standard output, as wide as the terminal (or 120 columns)."""
    from rich.console import Console

    if not sys.stdout.isatty():
        return Console(width=120, highlight=False)
    # rich takes a terminal that only writes lines for one of 80 columns, and does not ask it.
    width, height = shutil.get_terminal_size() if _writes_lines() else (None, None)
    return Console(width=width, height=height, highlight=False)


def _writes_lines() -> bool:
    """Whether nothing that a terminal has written can be drawn anew."""
    return os.environ.get("TERM", "").lower() in ("dumb", "unknown")


def say(text: str) -> None:
    """A line for the user that is not the command's output."""
    click.echo(visible(text), err=True)


def over_ctrl_c() -> None:
    """The next line stands where a terminal has written ``^C``, not behind it."""
    if sys.stderr.isatty():
        click.echo("\n" if _writes_lines() else "\r\x1b[2K", nl=False, err=True)


def out(text: str) -> None:
    """A line of the command's output; text of unknown origin in it steers no terminal."""
    click.echo(visible(text))


def print_json(value: Any) -> None:
    """ASCII, so that no text in it can steer a terminal or is no valid UTF-8."""
    click.echo(json.dumps(value, indent=1, default=str))


class Bars(Protocol):
    """Several progresses at once, each by its title."""

    def show(self, title: str, done: int, total: int, label: str) -> None:
        """How far one is. The label of a call with nothing done yet is a message of its own."""
        ...

    def say(self, text: str) -> None:
        """A line for the user among them."""
        ...


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A bar with count, rate and time left on a terminal; a line every few seconds elsewhere."""
    with bars() as shown:
        yield partial(shown.show, title)


@contextmanager
def bars(below: Callable[[], RenderableType] | None = None) -> Iterator[Bars]:
    """As ``progress``, for work that goes on side by side; ``below`` is drawn under the bars."""
    if not sys.stderr.isatty() or _writes_lines():
        plain = _Lines()
        yield plain
        plain.finish()
        return
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (
        rich_progress.TextColumn("{task.description:<9}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TextColumn("{task.fields[rate]}"),
        rich_progress.TimeRemainingColumn(),
        rich_progress.TextColumn("{task.fields[label]}", markup=False),
    )

    class Shown(rich_progress.Progress):
        """Asks for what it draws four times a second."""

        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            if below is not None:
                yield below()

    console = Console(stderr=True)
    with Shown(*columns, console=console, refresh_per_second=4, transient=below is not None) as drawn:
        yield _Drawn(drawn)


class _Drawn:
    """Bars on a terminal."""

    def __init__(self, drawn: RichProgress) -> None:
        self._drawn = drawn
        self._tasks: dict[str, tuple[TaskID, float, int]] = {}

    def show(self, title: str, done: int, total: int, label: str) -> None:
        if title not in self._tasks:
            task = self._drawn.add_task(title, total=None, label="", rate="")
            self._tasks[title] = task, time.monotonic(), done
        task, start, first = self._tasks[title]
        if label and not done:
            self.say(f"{title}: {label}")
        rate = (done - first) / max(time.monotonic() - start, 1e-3)
        self._drawn.update(task, completed=done, total=total, label=visible(label), rate=f"{rate:.1f}/s")

    def say(self, text: str) -> None:
        self._drawn.console.print(visible(text), markup=False)


class _Lines:
    """Progress for logs."""

    def __init__(self) -> None:
        self._lines: dict[str, _Plain] = {}

    def show(self, title: str, done: int, total: int, label: str) -> None:
        self._lines.setdefault(title, _Plain(title))(done, total, label)

    def say(self, text: str) -> None:
        say(text)

    def finish(self) -> None:
        for line in self._lines.values():
            line.finish()


class _Plain:
    """Progress for logs: few lines, the last one always complete."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._start = self._last = self._told = time.monotonic()
        self._first: int | None = None
        """What was done before: by an earlier command, it says nothing about the rate."""
        self._state: tuple[int, int] | None = None
        self._printed: tuple[int, int] | None = None

    def __call__(self, done: int, total: int, label: str) -> None:
        self._state, self._told = (done, total), time.monotonic()
        self._first = done if self._first is None else self._first
        if label and not done:
            say(f"{self._title}: {label}")
        if self._told - self._last >= PLAIN_EVERY:
            self._print()

    def finish(self) -> None:
        if self._state is not None and self._state != self._printed:
            self._print()

    def _print(self) -> None:
        if self._state is None:
            return
        done, total = self._state
        self._last = self._told
        elapsed = self._told - self._start
        rate = (done - (self._first or 0)) / max(elapsed, 1e-3)
        known = f", {rate:.1f}/s" if rate and elapsed >= 1 else ""  # nothing where all came at once
        left = f", about {(total - done) / rate:.0f} s left" if rate and done < total else ""
        say(f"{self._title}: {done}/{total}{known}, {elapsed:.0f} s{left}")
        self._printed = self._state


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table."""
    from nl2fix.report.fitting import Fitted

    console().print(Fitted(title, columns, rows))
