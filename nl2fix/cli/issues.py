"""``nl2fix issues``: the index of the 283 bugs and the texts of their issues."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nl2fix.cli import console
from nl2fix.cli.flags import JSON, listed
from nl2fix.cli.paths import NamedPath
from nl2fix.core.errors import DataError, Nl2fixError

if TYPE_CHECKING:
    from nl2fix.suites.defects4j.index import Row
    from nl2fix.suites.defects4j.sizes import Line

FILE = NamedPath(path_type=Path, exists=True, dir_okay=False)
FOLDER = NamedPath(path_type=Path, file_okay=False)
TEXTS = click.option("--texts", type=FOLDER, help="Folder of the texts [default: in your data folder].")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def issues() -> None:
    """Pair bugs with their issues; fetch, import and measure the issues' texts."""


@issues.command("build-index", short_help="Build the index from the published dataset.")
@click.argument("dataset", type=FILE)
@click.argument("bugs", type=FILE)
@click.option("--out", type=FOLDER, help="Folder for the index [default: defects4j_issues].")
@click.option(
    "--defects4j", type=FOLDER, help="Installation to ask for dates of fixes; otherwise known ones are kept."
)
@JSON
def build_index(dataset: Path, bugs: Path, out: Path | None, defects4j: Path | None, as_json: bool) -> None:
    """Build the index from the published DATASET (JSON) and Defects4J's list of BUGS (CSV)."""
    from nl2fix.suites.defects4j import index

    folder = out or index.default_folder()
    fixed = {row.bug: row.fixed for row in _known(folder)}
    if defects4j is not None:
        fixed |= _fix_dates(defects4j, sorted({key.project for key in index.load_dataset(dataset)}))
    rows = index.build(dataset, bugs, fixed)
    file = index.write(rows, folder)
    if as_json:
        console.print_json({"file": file, "bugs": len(rows), "dated": sum(bool(row.fixed) for row in rows)})
    else:
        dated = sum(bool(row.fixed) for row in rows)
        click.echo(f"{file}: {len(rows)} bugs, fix dates of {dated}")


def _finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number of seconds")
    return value


@issues.command(short_help="Fetch the texts that are missing from their trackers.")
@click.option("--bugs", help="Only these bugs, e.g. Math-2,Csv-1.")
@click.option(
    "--interval",
    type=click.FloatRange(0.0),
    callback=_finite,
    help="Seconds between two requests to one tracker.",
)
@TEXTS
@JSON
def fetch(bugs: str | None, interval: float | None, texts: Path | None, as_json: bool) -> None:
    """Fetch the issues' texts from their trackers; texts that are there are not fetched again.

    GITHUB_TOKEN in the environment raises GitHub's limit from 60 to 5000 requests an hour.
    """
    from nl2fix.suites.defects4j import fetching, index
    from nl2fix.suites.defects4j.issue_texts import default_texts
    from nl2fix.trackers.polite import Politeness

    wanted = [] if bugs is None else listed(bugs)
    rows = [row for row in index.read() if not wanted or row.bug in wanted]
    if missing := [name for name in wanted if name not in {row.bug for row in rows}]:
        raise click.UsageError(f"no such bugs: {', '.join(missing)}")
    politeness = Politeness() if interval is None else Politeness(interval=interval)
    folder = texts or default_texts()
    with console.progress("fetch") as progress:
        outcome = fetching.fetch(rows, folder, progress, politeness=politeness)
    if as_json:
        console.print_json({"folder": folder, **vars(outcome)})
    else:
        click.echo(f"{folder}: {len(outcome.stored)} of {len(rows)} texts, {outcome.requests} requests")
        click.echo(f"{outcome.dropped} comments not older than their fix were dropped")
        for bug, error in sorted(outcome.failed.items()):
            console.out(f"{bug}: {error}")
    if outcome.failed:
        several = len(outcome.failed) > 1
        raise Nl2fixError(f"{len(outcome.failed)} text{'s are' if several else ' is'} missing")


@issues.command("import", short_help="Take texts and methods from the published dataset.")
@click.argument("file", type=FILE)
@TEXTS
@JSON
def import_file(file: Path, texts: Path | None, as_json: bool) -> None:
    """Take texts and methods from the published dataset FILE instead of fetching."""
    from nl2fix.suites.defects4j import index
    from nl2fix.suites.defects4j.issue_texts import default_texts, import_dataset

    folder = texts or default_texts()
    count = import_dataset(file, index.read(), folder)
    if as_json:
        console.print_json({"folder": folder, "imported": count})
    else:
        click.echo(
            f"{folder}: {count} texts and methods imported; its comments bear no dates and were dropped"
        )


@issues.command()
@TEXTS
@JSON
def stats(texts: Path | None, as_json: bool) -> None:
    """Print the study's Table 1 beside the published figures."""
    from nl2fix.suites.defects4j import sizes
    from nl2fix.suites.defects4j.issue_texts import default_texts, load, load_methods

    folder = texts or default_texts()
    lines = sizes.table(load_methods(folder), load(folder))
    if not lines:
        raise DataError(f"no methods in {folder}; run `nl2fix issues import FILE` with the published dataset")
    if as_json:
        console.print_json({project: _as_json(project, line) for project, line in lines.items()})
        return
    rows = [(project, *_cells(project, line)) for project, line in lines.items()]
    console.table(
        "Table 1 of the study: measured / published, * where they differ",
        ("project", *sizes.COLUMNS),
        rows,
    )
    cells = sum(sum(sizes.differences(project, line)) for project, line in lines.items())
    click.echo(f"{cells} of {len(rows) * len(sizes.COLUMNS)} cells differ from the published ones")


def _known(folder: Path) -> list[Row]:
    from nl2fix.suites.defects4j import index

    return index.read(folder) if (folder / index.FILE_NAME).is_file() else []


def _fix_dates(installation: Path, projects: Sequence[str]) -> dict[str, str]:
    from nl2fix.suites.defects4j.installation import find

    defects4j = find(installation, timeout=600.0)
    dates: dict[str, str] = {}
    with console.progress("dates") as progress:
        for done, project in enumerate(projects, 1):
            dates |= defects4j.fix_dates(project)
            progress(done, len(projects), project)
    return dates


def _as_json(project: str, line: Line) -> dict[str, object]:
    from nl2fix.suites.defects4j.sizes import COLUMNS, PUBLISHED, differences

    published = PUBLISHED.get(project)
    differs = zip(COLUMNS, differences(project, line), strict=True)
    return {
        "measured": asdict(line),
        "published": None if published is None else asdict(published),
        "differs": [name for name, different in differs if different],
    }


def _cells(project: str, line: Line) -> list[str]:
    """Measured and published values side by side; a star where they differ."""
    from nl2fix.suites.defects4j.sizes import PUBLISHED, differences

    published = PUBLISHED.get(project)
    theirs = ("-",) * len(astuple(line)) if published is None else tuple(map(_number, astuple(published)))
    return [
        f"{'*' if different else ''}{_number(ours)} / {value}"
        for ours, value, different in zip(astuple(line), theirs, differences(project, line), strict=True)
    ]


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"
