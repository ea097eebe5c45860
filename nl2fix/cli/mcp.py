"""``nl2fix mcp``: the tools for coding assistants, on standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from nl2fix.cli import console
from nl2fix.cli.flags import LOCAL, used_options
from nl2fix.cli.paths import NamedPath
from nl2fix.cli.suggest import choices, project_options, session_settings
from nl2fix.server import tools
from nl2fix.suggestion import api


@click.command()
@click.option(
    "--repo", type=NamedPath(path_type=Path), default=".", show_default=True, help="Folder of your project."
)
@project_options
@used_options(*LOCAL)
def mcp(repo: Path, **flags: Any) -> None:
    """Serve localise, suggest, explain and apply to a coding assistant (Model Context Protocol)."""
    config, environment = session_settings(flags)
    desk = tools.Desk(api.repository(repo), config, environment, choices(flags), console.say)
    tools.server(desk).run("stdio")
