"""Paths as parameters of commands."""

from __future__ import annotations

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
