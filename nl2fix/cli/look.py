"""Commands that show what is there: suites, report, export, show."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nl2fix import pipeline
from nl2fix.cli import console, display
from nl2fix.cli.flags import (
    JSON,
    RUN_ARGUMENT,
    SUITE_ARGUMENT,
    gather,
    suite_name,
    suite_options,
    used_options,
    with_defaults,
)
from nl2fix.cli.paths import STDOUT, NamedPath, NewFile
from nl2fix.core.errors import StorageError, UsageError
from nl2fix.core.files import written_atomically
from nl2fix.core.manifest import refuse_run
from nl2fix.core.records import Problem
from nl2fix.core.registry import nearest
from nl2fix.core.results import answers, results
from nl2fix.pipeline.view import View
from nl2fix.report.fitting import Share

if TYPE_CHECKING:
    from nl2fix.report.compare import Compared, PassDifference
    from nl2fix.report.leaderboard import Board


@click.command()
@SUITE_ARGUMENT
@suite_options
@used_options("cache")
@JSON
def suites(named: str | None, as_json: bool, **flags: Any) -> None:
    """List the suites, or the problems of one."""
    chosen = suite_name(named, flags["suite"])
    if chosen is None:
        _list_suites(as_json)
        return
    settings, environment = pipeline.parse(with_defaults(gather({**flags, "suite": chosen})))
    suite = pipeline.make_suite(settings.suite, environment)
    problems = pipeline.select(suite, settings.bugs)
    rows = [
        {"id": p.id, "project": p.project, "language": p.language, "entity": p.entity, "title": p.title}
        | dict(p.metadata)
        for p in problems
    ]
    if as_json:
        console.print_json(rows)
    else:
        console.table(
            f"{suite.name}: {display.counted(len(rows), 'problem')}",
            ("id", "to edit", "title"),
            [(p.id, p.entity or p.path, p.heading) for p in problems],
        )


def _list_suites(as_json: bool) -> None:
    rows = [(name, *_described(name)) for name in pipeline.SUITES]
    if as_json:
        console.print_json([dict(zip(("name", "about", "needs"), row, strict=True)) for row in rows])
    else:
        console.table("Suites", ("name", "about", "needs"), rows)


def _described(name: str) -> tuple[str, str]:
    """What a suite is and needs, or why an installed package's is not there."""
    suites = pipeline.SUITES
    state = pipeline.loadable(suites, name)
    if state != "ok":
        return f"cannot be loaded: {state}", ""
    return suites.describe(name), suites.needs(name).removeprefix("Needs ")


@click.command()
@RUN_ARGUMENT
@used_options()
@click.option(
    "--html",
    "file",
    type=NewFile(path_type=Path),
    help="File of the page [default: report.html in the run's folder].",
)
@JSON
def report(folder: Path, file: Path | None, as_json: bool, **flags: Any) -> None:
    """Write the HTML report of a run and print its table."""
    with pipeline.view(folder, gather(flags)) as opened:
        measured = opened.results()
        display.summary(measured, folder, as_json=as_json)
        try:
            target = display.write_report(measured, opened.store, file)
        except StorageError as error:
            raise StorageError(f"{error}; --html names another file") from error
    console.say(f"report: {target}")


@click.command()
@click.argument("folders", metavar="RUN…", nargs=-1, required=True, type=NamedPath(path_type=Path))
@used_options()
@click.option(
    "--html",
    "file",
    type=NewFile(path_type=Path),
    help="Also write a page with curves and every bug to this file.",
)
@JSON
def compare(folders: tuple[Path, ...], file: Path | None, as_json: bool, **flags: Any) -> None:
    """Show runs side by side, bug by bug and with paired differences."""
    from nl2fix.report import compare as comparison

    runs = []
    for folder in folders:
        with pipeline.view(folder, gather(flags)) as opened:
            runs.append(comparison.collect(opened.results()))
    if file is not None:
        comparison.write(runs, file)
    told = [_compared(run) for run in runs]
    apart = [comparison.difference(run, runs[0]) for run in runs[1:]]
    if as_json:
        beside = [
            None,
            *({"bugs": d.bugs, "pass@1": d.interval, "p": d.p} for d in apart),
        ]
        console.print_json([{**row, "above_first": d} for row, d in zip(told, beside, strict=True)])
    else:
        rows = [[*row.values(), *d] for row, d in zip(told, _beside(apart), strict=True)]
        console.table("Comparison", [*told[0], "in common", "points above the first", "p"], rows)
    for run in runs:
        if run.summary.shortage:
            console.say(f"{run.name}: {run.summary.shortage}")
    if file is not None:
        console.say(f"comparison: {file}")


@click.command()
@click.argument("folders", metavar="RUN…", nargs=-1, required=True, type=NamedPath(path_type=Path))
@used_options()
@click.option(
    "--out",
    type=NamedPath(path_type=Path),
    default=Path("leaderboard"),
    show_default=True,
    help="Folder for the page, its data and the reports; made in the current folder where none is named.",
)
@JSON
def leaderboard(folders: tuple[Path, ...], out: Path, *, as_json: bool, **flags: Any) -> None:
    """Write a page that ranks many runs, with a report of each, as static files for any web server.

    Only runs of one suite, with the same problems and samples a problem, share a table. Where a recording
    has no sample of some problems, places are by those that all runs with a place have.
    """
    from nl2fix.report import leaderboard as places

    refuse_run(out)
    runs = []
    for folder in dict.fromkeys(folders):
        with pipeline.view(folder, gather(flags)) as opened:
            runs.append(opened.results())
    page = places.write(runs, out)
    boards = places.boards(runs)
    if as_json:
        console.print_json(places.as_data(boards))
    for board in () if as_json else boards:
        _show_board(board)
    console.say(f"leaderboard: {page}")


def _show_board(board: Board) -> None:
    problems, samples = display.counted(len(board.problems), "problem"), display.counted(board.n, "sample")
    title = f"{board.suite}: {problems}, {samples} each"
    rows = [
        (s.place, s.model, s.prompt, *(v and _share(v.value) for v in values), s.fixed, s.bugs, s.run)
        for s in board.standings
        for values in [(s.pass_at_1, s.ranked_by) if board.basis else (s.pass_at_1,)]
    ]
    shares = ("pass@1", f"over {board.ranked_on}") if board.basis else ("pass@1",)
    console.table(title, ("place", "model", "prompt", *shares, "fixed", "of", "run"), rows)
    if board.basis:
        console.say(board.basis)
    for standing in board.standings:
        if standing.lack:
            console.say(f"{standing.run} has no place: {standing.lack}")
        if standing.short:
            few = f"{standing.short} of its problems ha{'s' if standing.short == 1 else 've'}"
            console.say(f"{standing.run}: {few} fewer samples than that")


def _compared(run: Compared) -> dict[str, object]:
    """A run's own numbers, by column."""
    return {
        "run": run.name,
        "model": run.sampled.model,
        "prompt": run.settings["prompt"]["name"],
        "bugs": len(run.rows),
        "fixed": run.summary.fixed,
        "pass@1": _share(run.summary.pass_at.get(1)),
    }


def _beside(apart: Sequence[PassDifference]) -> list[tuple[object, ...]]:
    """Bugs in common with the first run, points of pass@1 above it over those, and p; nothing for itself."""
    return [(None, None, None), *((difference.bugs, *difference.told) for difference in apart)]


def _share(value: float | None) -> Share | None:
    return None if value is None else Share(value)


@click.command()
@RUN_ARGUMENT
@used_options()
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "parquet", "hf"]),
    default="jsonl",
    show_default=True,
    help="JSON lines, one Parquet file, or a folder for Hugging Face datasets.",
)
@click.option(
    "--to",
    "target",
    type=NewFile(path_type=Path),
    help="File or folder to write; - is standard output [default for jsonl: -].",
)
def export(folder: Path, form: str, target: Path | None, **flags: Any) -> None:
    """Write the samples of a run for other tools; docs/export.md has the columns."""
    from nl2fix.report import export as exports
    from nl2fix.report import parquet

    target = None if target == STDOUT else target
    if target is None and form != "jsonl":
        kind = "FOLDER" if form == "hf" else "FILE"
        raise UsageError(f"--format {form} needs --to {kind}; standard output takes JSON lines only")
    with pipeline.view(folder, gather(flags)) as opened:
        rows = exports.rows(opened.store.manifest, answers(opened.store, opened.problems))
        if target is None:
            exports.write_jsonl(sys.stdout, rows)
            return
        if form == "hf":
            count = parquet.write_dataset(target, rows, opened.store.manifest)
        elif form == "parquet":
            with written_atomically(target) as temporary:
                count = parquet.write(temporary, rows)
        else:
            with written_atomically(target) as temporary, temporary.open("w", encoding="ascii") as stream:
                count = exports.write_jsonl(stream, rows)
        console.say(f"{count} row{'s' * (count != 1)} written to {target}")


@click.command()
@RUN_ARGUMENT
@click.argument("bug", required=False)
@used_options()
@click.option(
    "--top", metavar="N", type=click.IntRange(min=0), default=5, show_default=True, help="Candidates to show."
)
@click.option("--ranker", "ranker_name", help="Ranking to show [default: the run's first].")
@JSON
def show(
    folder: Path, bug: str | None, *, top: int, ranker_name: str | None, as_json: bool, **flags: Any
) -> None:
    """Show one bug: issue, buggy code, ranked candidates as coloured diffs with verdicts.

    Without BUG, all bugs of the run are listed.
    """
    from nl2fix.report import contents, terminal

    with pipeline.view(folder, gather(flags)) as opened:
        if bug is None:
            _list_bugs(opened, as_json=as_json)
            return
        problem = find(opened.problems, bug)
        measured = results(opened.store, [problem], opened.config.n)
    names = {ranker.key: ranker.key for ranker in measured.rankers}
    names |= {ranker.label: ranker.key for ranker in measured.rankers}
    if ranker_name is not None and ranker_name not in names:
        raise UsageError(f"run {folder} has no ranking {ranker_name!r}{nearest(ranker_name, list(names))}")
    key = names[ranker_name] if ranker_name else next(iter(names.values()), None)
    block = contents.bug_block(measured.problems[0], key)
    if as_json:
        console.print_json({**block, "candidates": block["candidates"][:top]})
    else:
        terminal.print_bug(console.console(), block, problem.language, top)


def _list_bugs(opened: View, *, as_json: bool) -> None:
    from nl2fix.report import contents, terminal

    rows = contents.bug_rows(opened.results())
    if as_json:
        console.print_json(rows)
    else:
        console.console().print(terminal.bug_list(rows))


def find(problems: list[Problem], bug: str) -> Problem:
    """The problem of that name; ``UsageError`` with the nearest when there is none."""
    by_id = {problem.id: problem for problem in problems}
    if bug not in by_id:
        raise UsageError(f"this run has no bug {bug!r}{nearest(bug, by_id)}")
    return by_id[bug]
