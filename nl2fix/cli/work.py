"""Commands that do work: run and its stages."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click

from nl2fix import pipeline
from nl2fix.cli import agree, console, display
from nl2fix.cli.flags import (
    JSON,
    LOCAL,
    RUN_ARGUMENT,
    SUITE_ARGUMENT,
    environment_options,
    gather,
    run_options,
    suite_name,
    suite_options,
    used_options,
    with_defaults,
)
from nl2fix.cli.paths import NamedPath
from nl2fix.cli.watch import watched
from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError

FORK = click.option(
    "--fork",
    metavar="RUN",
    type=NamedPath(path_type=Path),
    help="Start a new run that takes over what still holds of this one.",
)


@click.command()
@run_options
@FORK
@JSON
def run(fork: Path | None, as_json: bool, **flags: Any) -> None:
    """Sample, validate, rank and report: the whole job.

    The same command continues a stopped run; nothing is asked or judged twice.
    """
    settings, environment = pipeline.parse(_forked(fork, gather(flags)))
    pipeline.check(settings, environment)
    folder = flags["out"] or (fork.with_name(f"{fork.name}-fork") if fork else None)
    with pipeline.open_run(settings, environment, folder, fork) as opened:
        with watched() as observer:
            opened.work(observer)
        results, place = opened.results(), opened.store.folder
        report = display.write_report(results, opened.store)
        display.summary(results, place, as_json=as_json)
        console.say(f"report: {report}")
        _fail_on_failures(opened)
        _fail_on_silence(opened)


def _forked(fork: Path | None, values: dict[str, Any]) -> dict[str, Any]:
    """The settings of the run that is forked under those given now."""
    if fork is None:
        return with_defaults(values)
    return pipeline.overlaid(pipeline.stored_options(pipeline.read_manifest(fork)), values)


@click.command()
@RUN_ARGUMENT
@used_options(*LOCAL)
def convert(folder: Path, **flags: Any) -> None:
    """Bring a run of an earlier version up to date, in place; its suite must be there."""
    for line in pipeline.convert(folder, gather(flags)):
        console.say(line)
    console.say(f"{folder} is converted; go on with it by: nl2fix run --fork {folder}")


def _fail_on_failures(opened: pipeline.Run) -> None:
    failures = opened.store.failures()
    if failures:
        first = failures[0]
        many = display.counted(len(failures), "candidate")
        raise Nl2fixError(
            f"{many} got no verdict (first: {first.problem}: {first.message}); run the same command again"
        )


def _fail_on_silence(opened: pipeline.Run) -> None:
    """A model whose calls fail says so itself; one of the user's own may leave answers out without a word."""
    if missing := opened.unanswered:
        name, many = opened.config.model.name, display.counted(missing, "sample")
        raise Nl2fixError(f"model {name} gave no answer to {many}; run the same command again")


@click.command()
@SUITE_ARGUMENT
@suite_options
@environment_options
@JSON
def prepare(named: str | None, as_json: bool, **flags: Any) -> None:
    """Make a suite's problems ready for validation."""
    settings, environment = _suite_settings(named, flags)
    suite = pipeline.make_suite(settings.suite, environment)
    with _cluster(settings, environment) as cluster, console.progress("prepare") as progress:
        problems, errors = pipeline.prepare(suite, settings.bugs, environment, progress, cluster)
    if as_json:
        console.print_json({"prepared": len(problems) - len(errors), "errors": errors})
    else:
        click.echo(f"{len(problems) - len(errors)} of {len(problems)} problems are prepared")
        for problem, error in errors.items():
            console.out(f"{problem}: {error}")
    if errors:
        raise Nl2fixError(f"{display.counted(len(errors), 'problem')} could not be prepared")


@click.command()
@SUITE_ARGUMENT
@suite_options
@environment_options
@JSON
def gold(named: str | None, as_json: bool, **flags: Any) -> None:
    """Check that every reference fix is plausible and no unedited program is."""
    settings, environment = _suite_settings(named, flags)
    suite = pipeline.make_suite(settings.suite, environment)
    with _cluster(settings, environment) as cluster:
        with console.progress("prepare") as progress:
            problems, unprepared = pipeline.prepare(suite, settings.bugs, environment, progress, cluster)
        with console.progress("gold") as progress:
            results = pipeline.check_gold(suite, problems, unprepared, environment, progress, cluster=cluster)
    display.gold(results, as_json=as_json)
    unsound = sum(result.reason is not None for result in results)
    if unsound:
        raise Nl2fixError(f"{unsound} of {len(results)} problems fail gold")


@click.command()
@run_options
@click.option("--dry-run", is_flag=True, help="Only print the first prompts, requests, tokens and cost.")
@JSON
def sample(dry_run: bool, as_json: bool, **flags: Any) -> None:
    """Ask a model for candidates; nothing is validated."""
    settings, environment = pipeline.parse(with_defaults(gather(flags)))
    if dry_run:
        display.dry_run(settings, environment, as_json=as_json)
        return
    pipeline.check(settings, environment)
    with pipeline.open_run(settings, environment, flags["out"]) as opened:
        with watched() as observer:
            opened.sample(observer)
        display.sampled(opened, as_json=as_json)
        _fail_on_silence(opened)


@click.command()
@RUN_ARGUMENT
@click.option(
    "--confirm",
    type=click.Choice(["defects4j"]),
    help="Re-run every plausible candidate with the real `defects4j test`.",
)
@environment_options
@JSON
def validate(folder: Path, confirm: str | None, as_json: bool, **flags: Any) -> None:
    """Compile and test the candidates of a run, and store their verdicts."""
    settings, environment = pipeline.reopen(folder, gather(flags))
    with pipeline.open_run(settings, environment, folder) as opened:
        with watched() as observer:
            opened.check(observer)
            opened.validate(observer)
            opened.try_again(observer)
        if confirm is None:
            display.summary(opened.results(), folder, as_json=as_json)
        else:
            agree.compare(opened, count=None, seed=0, plausible_only=True, as_json=as_json)
        _fail_on_failures(opened)


def _cluster(settings: pipeline.RunConfig, environment: Environment) -> AbstractContextManager[Any]:
    name = f"{settings.suite.name} {os.getpid()}"
    return pipeline.connected(environment, settings.suite, name, console.say)


def _suite_settings(named: str | None, flags: dict[str, Any]) -> tuple[pipeline.RunConfig, Environment]:
    chosen = {**flags, "suite": suite_name(named, flags["suite"])}
    return pipeline.parse(with_defaults(gather(chosen)))
