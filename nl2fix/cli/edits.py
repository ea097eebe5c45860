"""``nl2fix edits``: from commits to a better editor."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nl2fix import pipeline
from nl2fix.cli import console
from nl2fix.cli.flags import JSON, gather, used_options
from nl2fix.cli.paths import NamedPath
from nl2fix.core.config import read

if TYPE_CHECKING:
    from nl2fix.edits.mining import Mined, Source
    from nl2fix.edits.settings import MiningConfig


@click.group()
def edits() -> None:
    """Mine edit pairs from commits, train a model on them, compare it with its base."""


@edits.command(short_help="Mine edit pairs from repositories, CommitPack or runs.")
@click.argument(
    "places", metavar="SOURCE…", nargs=-1, required=True, type=NamedPath(exists=True, path_type=Path)
)
@click.option(
    "--to", "folder", type=NamedPath(path_type=Path), required=True, help="New folder for the dataset."
)
@click.option("--unit", type=click.Choice(["file", "method"]), help="What a pair is [default: file].")
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="NAME",
    help="Language of the pairs; may be repeated [default: python, java].",
)
@click.option(
    "--against",
    multiple=True,
    metavar="SUITE[:DATA]",
    help="Leave out what would leak this suite; may be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "parquet"]),
    default="jsonl",
    show_default=True,
    help="File of the pairs.",
)
@used_options("cache")
@JSON
def mine(
    places: tuple[Path, ...],
    folder: Path,
    against: tuple[str, ...],
    form: Any,
    *,
    as_json: bool,
    **flags: Any,
) -> None:
    """Mine edit pairs from git repositories, CommitPack or CommitPackFT files, and runs.

    A SOURCE is a git repository, a data file (JSON lines or Parquet) or a run's folder, of which the
    plausible samples are taken. All thresholds are settings, e.g. --set most_files=3; see docs/edits.md.
    """
    from nl2fix.edits import folder as folders
    from nl2fix.edits import mining
    from nl2fix.report import dataset_card

    config, rest = _mining_config(flags)
    _, environment = pipeline.parse(rest)
    suites = [pipeline.make_suite(pipeline.choice(name, "suite"), environment) for name in against]
    started = time.monotonic()
    with folders.new_dataset(folder, form) as writer:
        sources = [_source(place, config) for place in places]
        leaks = _leaks(suites, config) if suites else None
        with console.progress("mine") as progress:
            mined = mining.mine(sources, config, leaks, writer, progress)
        card = mining.full_card(mined, sources, config, against)
        writer.finish(card)
        dataset_card.write(writer.folder, card)
    if as_json:
        console.print_json(card)
    else:
        _show(mined)
    seconds = time.monotonic() - started
    console.say(f"dataset: {folder} ({mined.kept} of {mined.found} kept, {seconds:.0f} s)")


def _places_in(values: dict[str, Any]) -> dict[str, Any]:
    """Where and how to work, taken out of all settings."""
    return {key: values.pop(key) for key in ("environment", "sandbox", "cluster") if key in values}


def _mining_config(flags: Mapping[str, Any]) -> tuple[MiningConfig, dict[str, Any]]:
    """The settings of mining, and what is left for the environment."""
    from nl2fix.edits.settings import MiningConfig

    values = gather({key: value for key, value in flags.items() if key not in ("unit", "languages")})
    rest = _places_in(values)
    for key in ("unit", "languages"):
        if flags[key]:
            values[key] = flags[key]
    config = read(MiningConfig, values, "the settings of mining")
    config.check()
    return config, rest


def _source(place: Path, config: MiningConfig) -> Source:
    from nl2fix.edits import mining

    if place.is_file():
        return mining.rows_source(place, config)
    if (place / "run.json").is_file():
        with pipeline.view(place, {}) as opened:
            return mining.run_source(opened.results())
    return mining.repository_source(place, config)


def _leaks(suites: Any, config: MiningConfig) -> Any:
    from nl2fix.edits.leaks import learned

    leaks = learned(suites, config)
    if leaks.unknown:
        console.say(
            f"{leaks.unknown} references are not known, only the code before: prepare the suite to know them"
        )
    return leaks


def _show(mined: Mined) -> None:
    rows = [(reason, count) for reason, count in mined.reasons.most_common()]
    console.table("Mined", ("what", "count"), [("kept", mined.kept), *rows])


@edits.command(short_help="Fine-tune a model on a dataset of edit pairs.")
@click.argument("dataset", type=NamedPath(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--base",
    required=True,
    type=NamedPath(exists=True, file_okay=False, path_type=Path),
    help="Folder of the base model.",
)
@click.option(
    "--to", "folder", type=NamedPath(path_type=Path), required=True, help="Folder for the trained model."
)
@click.option("--preset", default="small", show_default=True, help="Named settings: editcoder or small.")
@used_options()
@JSON
def train(dataset: Path, base: Path, folder: Path, preset: str, *, as_json: bool, **flags: Any) -> None:
    """Fine-tune a model on a dataset of edit pairs; the same command continues a stopped training.

    All settings are flags --set KEY=VALUE, e.g. --set method=full; see docs/edits.md. On several GPUs:
    accelerate launch -m nl2fix edits train …
    """
    from nl2fix.edits.training.train import leads
    from nl2fix.edits.training.train import train as learn
    from nl2fix.pipeline import tuning
    from nl2fix.report import loss_curve

    values = gather(flags)
    rest = _places_in(values)
    config = tuning.training_config(preset, values)
    _, environment = pipeline.parse(rest)
    lesson = tuning.lesson(dataset, base, config, environment)
    with console.progress("train") as progress:
        done = learn(lesson, config, folder, progress)
    if not leads():
        return
    loss_curve.write(folder, done.losses)
    for reason, count in done.left_out.items():
        console.say(f"left out: {count} pairs: {reason}")
    if as_json:
        console.print_json(done._asdict())
    else:
        console.table("Loss", ("step", "loss"), [(step, f"{loss:.4f}") for step, loss in done.losses])
    rate = f", {done.tokens_per_second:.0f} tokens/s" if done.tokens_per_second else ""
    console.say(
        f"model: {folder} ({done.examples} pairs, {done.steps} steps{rate}); use it with --model hf:{folder}"
    )


_RUNS: dict[str, Any] = {
    "multiple": True,
    "required": True,
    "metavar": "RUN",
    "type": NamedPath(path_type=Path),
}


@edits.command(short_help="Compare base and tuned model on any suites.")
@click.option("--base", **_RUNS, help="Run of the base model; repeat, one for each suite.")
@click.option("--tuned", **_RUNS, help="Run of the tuned model on the same suite; repeat likewise.")
@click.option("--to", "folder", type=NamedPath(path_type=Path), help="Folder for a page and data.")
@used_options()
@JSON
def report(
    base: tuple[Path, ...], tuned: tuple[Path, ...], folder: Path | None, *, as_json: bool, **flags: Any
) -> None:
    """Compare base and tuned model on any suites: pass@k, edit size, exact matches, excess code."""
    from nl2fix.study import loading, render
    from nl2fix.study.table import Section
    from nl2fix.study.tuning import tuning_table

    overrides = gather(flags)
    runs = [[loading.load(place, overrides) for place in places] for places in (base, tuned)]
    table = tuning_table(*runs)
    if as_json:
        console.print_json(render.as_data(table))
    else:
        names = [render.heading(column) for column in table.columns]
        console.table(table.title, names, render.cells(table, table.rows))
        console.say(table.note)
    if folder is not None:
        files = render.write_all([Section(table)], [*runs[0], *runs[1]], folder)
        console.say(f"report: {files[0]}")
