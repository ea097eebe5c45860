"""The command that trains the learned ranker."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import click

from nl2fix import pipeline
from nl2fix.cli import console
from nl2fix.cli.flags import JSON, gather, used_options
from nl2fix.cli.paths import NamedPath, NewFile


@click.command()
@click.argument("folders", metavar="RUN…", nargs=-1, required=True, type=NamedPath(path_type=Path))
@click.option("--to", "target", type=NewFile(path_type=Path), required=True, help="Model file to write.")
@click.option(
    "--by",
    type=click.Choice(["bug", "project"]),
    default="bug",
    show_default=True,
    help="What is held out together: no bug is ranked by a model that saw it, or its project.",
)
@used_options()
@JSON
def train(
    folders: tuple[Path, ...], target: Path, *, by: Literal["bug", "project"], as_json: bool, **flags: Any
) -> None:
    """Train the ranker `learned` on validated runs; use it with --ranker learned:FILE.

    Only features that need no tests are used. Bugs of the training runs may be ranked with the same
    file: each by a model of the folds that never saw it.
    """
    from nl2fix.ranking import embedders, learned
    from nl2fix.study import loading

    overrides = gather(flags)
    bugs = [bug for folder in dict.fromkeys(folders) for bug in loading.load(folder, overrides).bugs]
    _, environment = pipeline.reopen(folders[0], overrides)
    model = learned.train(
        [bug.pool for bug in bugs],
        [bug.correct for bug in bugs],
        embedders.make("hashing", {}, environment),
        by,
    )
    model.save(target)
    if as_json:
        console.print_json(asdict(model.card))
    else:
        console.table("Model card", ("what", "value"), [*map(_row, asdict(model.card).items())])
    console.say(f"model: {target}; rank with: nl2fix rank RUN --ranker learned:{target}")


def _row(item: tuple[str, Any]) -> tuple[str, str]:
    """A line of the card, numbers as a person reads them."""
    name, value = item
    parts = value if isinstance(value, list) else [value]
    return name, ", ".join(f"{part:.4g}" if isinstance(part, float) else str(part) for part in parts)
