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
import time
import warnings
from _thread import interrupt_main
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread, main_thread
from typing import IO, TYPE_CHECKING, Any, NoReturn, TextIO, cast

import click

import nl2fix
from nl2fix.cli.console import SPELLED, over_ctrl_c
from nl2fix.core import outside
from nl2fix.core.errors import Interrupted, Nl2fixError
from nl2fix.core.registry import nearest
from nl2fix.core.visible import visible

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

SECTIONS = {
    "Start here": {
        "run": ("work:run", "Sample, validate, rank and report: the whole job."),
        "suggest": ("suggest:suggest", "Get ranked, tested patches for a method of your Java project."),
        "mcp": ("mcp:mcp", "Serve suggestions to a coding assistant (Model Context Protocol)."),
    },
    "Step by step": {
        "prepare": ("work:prepare", "Make a suite's problems ready for validation."),
        "gold": ("work:gold", "Check that every reference fix passes and no unedited program does."),
        "sample": ("work:sample", "Ask a model for candidates."),
        "validate": ("work:validate", "Compile and test the candidates of a run."),
        "observe": ("observe:observe", "Observe what a run's candidates do when they are called."),
        "rank": ("rank:rank", "Rank a run's candidates again, or explain a ranking."),
    },
    "Look at runs": {
        "show": ("look:show", "Show a run's bugs, or one with its ranked candidates."),
        "report": ("look:report", "Write the HTML report of a run and print its table."),
        "serve": ("serve:serve", "Show a run in the browser."),
        "compare": ("look:compare", "Show runs side by side."),
        "leaderboard": ("look:leaderboard", "Write a static page that ranks many runs."),
        "study": ("study:study", "Write every table and figure of the studies."),
        "excess": ("excess:excess", "Measure changed lines that no test runs."),
        "agree": ("agree:agree", "Compare a run's verdicts with those of `defects4j test`."),
    },
    "Take runs elsewhere": {
        "export": ("look:export", "Write the samples of a run for other tools."),
        "record": ("record:record", "Write the answers of a run to a file, for replay."),
        "convert": ("work:convert", "Bring a run of an earlier version up to date."),
    },
    "Suites, data and parts": {
        "suites": ("look:suites", "List the suites, or the problems of one."),
        "issues": ("issues:issues", "Fetch, import and measure the issues of Defects4J's bugs."),
        "lint-problems": ("lint_problems:lint_problems", "Make linter problems from any source code."),
        "edits": ("edits:edits", "Mine edit pairs from commits, train a model on them, compare."),
        "train": ("train:train", "Train the ranker `learned` on validated runs."),
        "plugins": ("plugins:plugins", "List what installed packages add: suites, models, rankers, …"),
    },
}
"""Heading → command → where it is, and what it does in a line."""
COMMANDS = {name: command for section in SECTIONS.values() for name, command in section.items()}
UNREAD = 128 + 13
"""Exit status of a command whose output nobody reads any more, as a shell tells of SIGPIPE."""
_WIDEST = max(map(len, COMMANDS))


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

    def invoke(self, ctx: click.Context) -> Any:
        """Click writes an empty line where it is interrupted; a part that ends the program has failed."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None
        except SystemExit as error:
            if (told := outside.told(error)) is None:
                raise
            raise Nl2fixError(told) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command {args[0]!r}{nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, commands in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(_WIDEST), text) for name, (_, text) in commands.items()])


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
    sys.stdout, sys.stderr = _told(sys.stdout, "standard output"), _told(sys.stderr, "standard error")
    logging.getLogger().addHandler(logging.NullHandler())  # libraries' logs are no lines for the user
    warnings.showwarning = _warn  # type: ignore[assignment]
    sys.unraisablehook = _interrupt_again
    try:
        sys.path.append(_here())  # last, for your own components; never before installed packages
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        over_ctrl_c()
        code = _fail("stopped", Interrupted.exit_code)
    except click.ClickException as error:
        _keep_hidden(error)
        error.show()
        code = error.exit_code
    except Nl2fixError as error:
        code = _fail(str(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 - the outermost boundary: no traceback unless asked for
        code = _fail(outside.told(error) or _describe(error), 1)
    sys.exit(code if isinstance(code, int) else 0)


def _here() -> str:
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        raise Nl2fixError("the folder you are in is gone; change to another one") from None


class _Told(io.FileIO):
    """A stream that says which one it is where it cannot be written."""

    def __init__(self, stream: TextIO, name: str) -> None:
        super().__init__(stream.fileno(), "wb", closefd=False)
        self._told = name
        self._stream = stream  # else it is closed

    def write(self, data: Any, /) -> int:
        if not data:  # click tries streams so, and swallows what that raises
            return 0
        try:
            return super().write(data)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())  # what is left is told no more
            if isinstance(error, BrokenPipeError):  # nobody reads on; libraries would make it a failure
                sys.exit(UNREAD)
            error.filename = self._told
            raise


def _told(stream: TextIO, name: str) -> TextIO:
    """The stream, with its name in errors; a letter that the user's encoding lacks ends no command."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.reconfigure(errors=SPELLED)
    if type(getattr(stream.buffer, "raw", stream.buffer)) is not io.FileIO:  # a console of Windows
        return stream
    told = _Told(stream, name)
    buffer = told if stream.write_through else io.BufferedWriter(told)
    return io.TextIOWrapper(
        cast(IO[bytes], buffer),
        stream.encoding,
        SPELLED,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _warn(message: Warning | str, category: type[Warning], *_: Any) -> None:
    """One line for the user; warnings meant for developers are theirs to ask for."""
    if issubclass(category, UserWarning | RuntimeWarning) or os.environ.get("NL2FIX_DEBUG"):
        click.echo(f"nl2fix: warning: {visible(' '.join(str(message).split()))}", err=True)


def _keep_hidden(error: click.ClickException) -> None:
    """An option that help does not show is no suggestion for one that is not there."""
    if isinstance(error, click.NoSuchOption) and error.possibilities and error.ctx:
        shown = {
            name
            for option in error.ctx.command.params
            if not getattr(option, "hidden", False)
            for name in option.opts
        }
        error.possibilities[:] = [name for name in error.possibilities if name in shown]


def _terminate(*_: Any) -> NoReturn:
    raise KeyboardInterrupt


def _interrupt_again(dropped: UnraisableHookArgs) -> None:
    """Python drops what is raised in callbacks of its own, as after each import: Ctrl-C comes again."""
    if not issubclass(dropped.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(dropped)
    elif not sys.is_finalizing():
        Thread(target=_interrupt_behind, args=(sys._getframe(),), daemon=True).start()


def _interrupt_behind(hook: FrameType) -> None:
    """Interrupt the main thread once it has left this frame: what is raised in there is dropped, too."""
    while hook in _frames(sys._current_frames().get(main_thread().ident or 0)):
        time.sleep(0.01)
    interrupt_main()


def _frames(innermost: FrameType | None) -> Iterator[FrameType]:
    while innermost is not None:
        yield innermost
        innermost = innermost.f_back


def _describe(error: Exception) -> str:
    if isinstance(error, OSError):
        if not error.filename:
            return error.strerror or str(error)
        return f"{error.filename}: {error.strerror}{_elsewhere(Path(str(error.filename)))}"
    again = "please report it with what the same command says behind nl2fix --debug"
    return f"internal error ({type(error).__name__}: {error}); {again}"


def _elsewhere(path: Path) -> str:
    """How to use another folder for what runs share, where that one is the trouble."""
    from nl2fix.pipeline.settings import default_cache

    cache = default_cache()
    meant = cache.is_relative_to(path) or path.is_relative_to(cache)
    return "; NL2FIX_CACHE or --cache names another folder for what runs share" if meant else ""


def _fail(message: str, code: int) -> int:
    """Print one line, or let the traceback through with --debug."""
    if os.environ.get("NL2FIX_DEBUG"):
        raise  # noqa: PLE0704 - called from an except clause only
    line = visible(" ".join(message.split()))
    click.echo(f"nl2fix: {line}", err=True)
    return code
