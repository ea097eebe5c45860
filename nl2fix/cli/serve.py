"""``nl2fix serve``: a local web page for one run."""

from __future__ import annotations

import threading
from contextlib import closing, suppress
from pathlib import Path

import click

from nl2fix.cli import console
from nl2fix.cli.flags import RUN_ARGUMENT
from nl2fix.core.errors import UsageError
from nl2fix.core.store import RunStore
from nl2fix.server.pages import EVERYWHERE, Page, Server
from nl2fix.server.views import RunPage

HOST = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
PORT = click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port to listen on [default: a free one].",
)


@click.command()
@RUN_ARGUMENT
@HOST
@PORT
def serve(folder: Path, host: str, port: int) -> None:
    """Show a run in the browser until Ctrl-C (for a session at work: `nl2fix suggest --serve`)."""
    RunStore(folder).close()
    server = announce(RunPage(folder), host, port)
    with closing(server), suppress(KeyboardInterrupt):  # which is how it ends
        threading.Event().wait()


def announce(page: Page, host: str, port: int) -> Server:
    """Start a server and print its address, the only place where the token is shown."""
    if not host:
        raise UsageError("--host names no address")
    server = Server(page, host, port)
    if host not in ("127.0.0.1", "localhost", "::1"):
        listens = "each address of this machine" if host in EVERYWHERE else host
        console.say(
            f"warning: {listens} can be reached from other machines; whoever has the whole address below "
            "can read the run"
        )
    click.echo(server.url)
    return server
