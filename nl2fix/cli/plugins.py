"""``nl2fix plugins``: what can be named, and which installed package it comes from."""

from __future__ import annotations

import click

from nl2fix.cli import console
from nl2fix.cli.flags import JSON


@click.command()
@click.option("--all", "everything", is_flag=True, help="Include what comes with nl2fix.")
@JSON
def plugins(everything: bool, as_json: bool) -> None:
    """List components of installed packages, and whether they can be loaded."""
    from nl2fix.pipeline.registries import REGISTRIES, installed

    rows = [{**plugin._asdict(), "state": state} for plugin, state in installed()]
    if everything:
        rows += [
            {"kind": r.kind, "name": name, "target": r.check(name), "package": "nl2fix", "state": "ok"}
            for r in REGISTRIES
            for name in r.built_in
        ]
    if as_json:
        console.print_json(rows)
    elif not rows:
        click.echo("no installed package brings a component for nl2fix; docs/extending.md shows how one does")
    else:
        columns = ("kind", "name", "package", "target", "state")
        console.table("Components", columns, [[row[c] for c in columns] for row in rows])
