"""The command that works out the tables and figures of the studies."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nl2fix import pipeline
from nl2fix.cli import console
from nl2fix.cli.flags import JSON, gather, used_options
from nl2fix.cli.paths import NamedPath
from nl2fix.core.manifest import refuse_run

if TYPE_CHECKING:
    from nl2fix.study.table import Table

SETTINGS = ("suite", "model", "prompt", "format", "temperature")
"""Columns that name a run's settings."""


@click.command()
@click.argument("folders", metavar="RUN…", nargs=-1, required=True, type=NamedPath(path_type=Path))
@click.option(
    "--out",
    type=NamedPath(path_type=Path),
    default=Path("study"),
    show_default=True,
    help="Folder for the tables and figures.",
)
@used_options("jobs", "cluster", "store")
@JSON
def study(folders: tuple[Path, ...], out: Path, *, as_json: bool, **flags: Any) -> None:
    """Write every table and figure of the studies, from one run or several.

    Writes study.html, study.md, study.tex, one CSV file per table and one SVG file per figure.
    """
    from nl2fix.study import loading, render, sections

    refuse_run(out)
    overrides = gather(flags)
    runs = [loading.load(folder, overrides) for folder in dict.fromkeys(folders)]
    _, environment = pipeline.reopen(folders[0], overrides)
    name = f"study {out.absolute()} {os.getpid()}"
    with console.bars() as bars, pipeline.spreading(environment, name, bars.say) as spread:
        drawn = sections(runs, environment.jobs, partial(bars.show, "metrics"), spread)
    files = render.write_all(drawn, runs, out)
    if as_json:
        console.print_json([render.as_data(table) for table, *_ in drawn])
    else:
        for table, *_ in drawn:
            _print(table)
    console.say(f"study: {files[0]}")


def _print(table: Table) -> None:
    """A table without the settings that all its rows share."""
    from nl2fix.study import render

    if not table.rows:
        console.say(f"{table.title}: nothing measured. {table.note}")
        return
    places = [
        i
        for i, column in enumerate(table.columns)
        if len(table.rows) < 2 or column.name not in SETTINGS or len({row[i] for row in table.rows}) > 1
    ]
    console.table(
        table.title,
        [render.heading(table.columns[i]) for i in places],
        [[render.shown(row[i], table.columns[i].kind) for i in places] for row in table.rows],
    )
