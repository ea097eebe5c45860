"""Entry point: the list of commands, loaded when called, and how errors end a command.

Every error a user can cause or meet is one line on standard error: exit code 2 for usage, 1 for
failed work, 130 after Ctrl-C. ``--debug`` shows the traceback instead.
"""

from __future__ import annotations

import io
import logging
import os
import signal
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

import nl2fix
from nl2fix.core.errors import Interrupted, Nl2fixError
from nl2fix.core.registry import nearest
from nl2fix.core.visible import visible

COMMANDS = {
    "run": ("work:run", "Sample, validate, rank and report: the whole job."),
    "suggest": ("suggest:suggest", "Ranked, tested patches for a method of your own Java project."),
    "serve": ("serve:serve", "Show a run in the browser."),
    "mcp": ("mcp:mcp", "Serve suggestions to a coding assistant (Model Context Protocol)."),
    "suites": ("look:suites", "List the suites, or the problems of one."),
    "prepare": ("work:prepare", "Make a suite's problems ready for validation."),
    "lint-problems": ("lint_problems:lint_problems", "Make linter problems of any source code."),
    "gold": ("work:gold", "Check that every reference is plausible and no unedited program is."),
    "sample": ("work:sample", "Ask a model for candidates."),
    "validate": ("work:validate", "Give the candidates of a run their verdicts."),
    "observe": ("observe:observe", "See what the candidates of a run do when they are called."),
    "agree": ("agree:agree", "Compare verdicts of a run with the plain defects4j test."),
    "rank": ("rank:rank", "Order the candidates of a run again, or explain an order."),
    "train": ("train:train", "Train the ranker `learned` on validated runs."),
    "edits": ("edits:edits", "From commits to a better editor: mine edit pairs, train on them, compare."),
    "report": ("look:report", "Write the HTML report of a run and print its table."),
    "compare": ("look:compare", "Write a page that shows several runs side by side."),
    "leaderboard": ("look:leaderboard", "Write a page of many runs and their places, as static files."),
    "study": ("study:study", "Every table and figure of the studies, from one run or several."),
    "excess": ("excess:excess", "Lines of plausible candidates that no test runs."),
    "export": ("look:export", "Write the samples of a run for other tools."),
    "record": ("record:record", "Write the answers of a run, to be replayed."),
    "convert": ("work:convert", "Make a run of an earlier version one of this version."),
    "issues": ("issues:issues", "The issues of the Defects4J bugs: index, texts, statistics."),
    "plugins": ("plugins:plugins", "What installed packages add: suites, models, rankers, metrics, …"),
    "show": ("look:show", "Show one bug: issue, code, ranked candidates as diffs."),
}


class LazyGroup(click.Group):
    """Imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"nl2fix.cli.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command {args[0]!r}{nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(nl2fix.__version__, prog_name="nl2fix")
@click.option("--debug", is_flag=True, help="Show tracebacks instead of one-line errors.")
def cli(debug: bool) -> None:
    """Fix bugs from plain-language issue reports: benchmark and tool."""
    if debug:
        os.environ["NL2FIX_DEBUG"] = "1"


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    signal.signal(signal.SIGTERM, _terminate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a letter that the user's encoding lacks ends no command
            stream.reconfigure(errors="backslashreplace")
    logging.getLogger().addHandler(logging.NullHandler())  # libraries' logs are no lines for the user
    warnings.showwarning = _warn  # type: ignore[assignment]
    try:
        sys.path.append(str(Path.cwd()))  # last, for your own components; never before installed packages
        code = cli.main(standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        code = _fail("stopped", Interrupted.exit_code)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except Nl2fixError as error:
        code = _fail(str(error), error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except OSError as error:
        code = _fail(_describe(error), 1)
    except Exception as error:  # noqa: BLE001 - the outermost boundary: no traceback unless asked for
        kind = type(error).__name__
        code = _fail(f"internal error ({kind}: {error}); please report it with the output of --debug", 1)
    sys.exit(code if isinstance(code, int) else 0)


def _warn(message: Warning | str, category: type[Warning], *_: Any) -> None:
    """One line for the user; warnings meant for developers are theirs to ask for."""
    if issubclass(category, UserWarning | RuntimeWarning) or os.environ.get("NL2FIX_DEBUG"):
        click.echo(f"nl2fix: warning: {' '.join(str(message).split())}", err=True)


def _terminate(*_: Any) -> NoReturn:
    raise KeyboardInterrupt


def _describe(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def _fail(message: str, code: int) -> int:
    """Print one line, or let the traceback through with --debug."""
    if os.environ.get("NL2FIX_DEBUG"):
        raise  # noqa: PLE0704 - called from an except clause only
    line = visible(" ".join(message.split()))
    click.echo(f"nl2fix: {line}", err=True)
    return code
