"""``nl2fix mcp``: the tools for coding assistants, on standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from nl2fix.cli import console
from nl2fix.cli.flags import environment_options
from nl2fix.cli.paths import NamedPath
from nl2fix.cli.suggest import choices, session_settings
from nl2fix.server import tools
from nl2fix.suggestion import api
from nl2fix.suggestion.builds import TOOLS


@click.command()
@click.option(
    "--repo", type=NamedPath(path_type=Path), default=".", show_default=True, help="Folder of your project."
)
@click.option(
    "--tests",
    default="",
    help="Pattern of the test classes that judge, or all [default: those that reach the file].",
)
@click.option("--classpath", default="", help="Further jars, separated by ':'.")
@click.option(
    "--build", type=click.Choice(TOOLS), help="Build tool [default: that of the nearest build file]."
)
@click.option("--model", metavar="NAME[:ID]", help="Model that proposes patches [default: mutation].")
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server.")
@click.option("--n", metavar="N", type=click.IntRange(min=1), help="Samples to draw [default: 100].")
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Suggestions to give.",
)
@environment_options
def mcp(repo: Path, **flags: Any) -> None:
    """Serve localise, suggest, explain and apply to a coding assistant (Model Context Protocol)."""
    config, environment = session_settings(flags)
    desk = tools.Desk(api.repository(repo), config, environment, choices(flags), console.say)
    tools.server(desk).run("stdio")
