"""The command that makes problems of linter messages of any source code."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import click

from nl2fix.cli import console
from nl2fix.cli.flags import gather, used_options
from nl2fix.cli.paths import NamedPath, NewFile
from nl2fix.core.errors import UsageError
from nl2fix.core.files import written_atomically

TOLD = 5
"""Left-out files that are named."""


@click.command("lint-problems")
@click.argument("source", metavar="PATH", type=NamedPath(path_type=Path))
@click.option("--out", type=NewFile(path_type=Path), required=True, help="File to write (JSON lines).")
@click.option("--linter", "name", required=True, help="flake8, ruff, checkstyle or javac.")
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Setting of the linter, e.g. max_line_length=100; checks=@FILE reads a Checkstyle configuration.",
)
@used_options("sandbox", "root")
def lint_problems(source: Path, out: Path, name: str, settings: tuple[str, ...], **flags: object) -> None:
    """Make problems for the suite `linter` from a source tree, a file, or an MBPP-like file (JSON lines).

    Use them with `nl2fix run --suite linter --data FILE`.
    """
    from nl2fix import pipeline
    from nl2fix.suites.linter import making
    from nl2fix.validation.lint import Desk, make

    linter = make(name, dict(_setting(text) for text in settings))
    _, environment = pipeline.parse(gather(dict(flags)))
    count, clean, left_out = 0, 0, []
    with closing(Desk(environment)) as desk, written_atomically(out) as temporary:
        with temporary.open("w", encoding="ascii") as stream:
            for made in making.make_rows(source, linter, desk):
                if made.row is not None:
                    stream.write(json.dumps(made.row) + "\n")
                    count += 1
                elif made.reason:
                    left_out.append(f"{made.id}: {made.reason}")
                else:
                    clean += 1
        for line in left_out[:TOLD]:
            console.say(f"left out: {line}")
        if not count:
            raise UsageError(
                f"no problem in {source}: {clean} file{'s' * (clean != 1)} clean, {len(left_out)} left out"
            )
    problems, files = f"{count} problem{'s' * (count != 1)}", f"{clean} file{'s' * (clean != 1)}"
    console.say(f"{problems} written to {out}; {files} clean, {len(left_out)} left out")


def _setting(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise UsageError(f"--setting wants KEY=VALUE, not {text!r}")
    if not value.startswith("@"):
        return key, value
    try:
        return key, Path(value[1:]).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {value[1:]}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read {value[1:]}: it is no UTF-8") from error
