"""Paths as parameters of commands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

STDOUT = Path("-")
"""What people write for standard output."""


class NamedPath(click.Path):
    """A path that says something: an empty one, as an unset shell variable gives, would be this folder.

    ``./-`` is a file of that name.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("an empty path names nothing", param, ctx)
        given = super().convert(value, param, ctx)
        return Path.cwd() / given if given == STDOUT and str(value) != "-" else given


class NewFile(NamedPath):
    """A file to write: anything but what a run is kept in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        given = super().convert(value, param, ctx)
        file = Path(os.path.realpath(given))
        if file.name in _RUN and (file.parent / "run.json").exists():
            self.fail(f"{given} is what a run is kept in; name another file", param, ctx)
        return given


_RUN = {"run.json", "run.sqlite", "run.sqlite-wal", "run.sqlite-shm", "lock"}
