"""``nl2fix record``: a run's answers as a file that model ``replay`` takes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from nl2fix.cli import console
from nl2fix.cli.flags import RUN_ARGUMENT
from nl2fix.cli.paths import STDOUT, NewFile
from nl2fix.core.store import RunStore
from nl2fix.pipeline.origin import sampled


@click.command()
@RUN_ARGUMENT
@click.option(
    "--to", "file", type=NewFile(path_type=Path), required=True, help="File to write; - is standard output."
)
def record(folder: Path, file: Path) -> None:
    """Write the answers of a run as JSON lines, to replay them bit for bit with --model replay:FILE.

    Second attempts depend on verdicts and are left out.
    """
    from nl2fix.models.recording import record as write

    with RunStore(folder) as store:
        origin = {key: value for key, value in sampled(store.manifest)._asdict().items() if value is not None}
        first = (answer for answer in store.completions() if answer.attempt == 1)
        if file != STDOUT:
            count = write(first, file, origin)
            console.say(f"{count} answer{'s' * (count != 1)} written to {file}")
            return
        with TemporaryDirectory() as scratch:  # what cannot be recorded whole is not begun
            write(first, whole := Path(scratch, "answers.jsonl"), origin)
            with whole.open(encoding="ascii") as lines:
                shutil.copyfileobj(lines, sys.stdout)
