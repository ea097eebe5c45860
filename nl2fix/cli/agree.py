"""``nl2fix agree``: our verdicts beside those of the plain ``defects4j test``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nl2fix import pipeline
from nl2fix.cli import console
from nl2fix.cli.flags import JSON, RUN_ARGUMENT, environment_options, gather
from nl2fix.cli.paths import NamedPath
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.results import answers

if TYPE_CHECKING:
    from nl2fix.suites.defects4j.confirm import Confirmation, ToConfirm


@click.command()
@RUN_ARGUMENT
@click.option(
    "--sample",
    "count",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    help="Verdicts to re-run.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random sample.")
@click.option(
    "--facts",
    type=NamedPath(dir_okay=False, path_type=Path),
    help="File of plain verdicts: those it has are not run again, new ones are added.",
)
@environment_options
@JSON
def agree(folder: Path, count: int, seed: int, facts: Path | None, as_json: bool, **flags: Any) -> None:
    """Re-run a sample of a run's verdicts with the real `defects4j test`; print the confusion table."""
    settings, environment = pipeline.reopen(folder, gather(flags))
    with pipeline.open_run(settings, environment, folder) as opened:
        compare(opened, count=count, seed=seed, plausible_only=False, as_json=as_json, facts=facts)


def compare(
    opened: pipeline.Run,
    *,
    count: int | None,
    seed: int,
    plausible_only: bool,
    as_json: bool,
    facts: Path | None = None,
) -> None:
    """Judge stored candidates the plain way too; raises ``Nl2fixError`` when verdicts differ."""
    from nl2fix.suites.defects4j import confirm
    from nl2fix.suites.defects4j.facts import PlainFacts
    from nl2fix.suites.defects4j.suite import Nl2fixSuite

    suite = opened.suite
    if not isinstance(suite, Nl2fixSuite):
        raise UsageError(f"suite {suite.name!r} has no Defects4J to compare with; use suite nl2fix")
    judged = _judged(opened, plausible_only)
    chosen = judged if count is None else confirm.sample(judged, count, seed)
    plain_facts = PlainFacts(facts)
    told_before, asked = plain_facts.split(chosen)
    with console.progress("defects4j") as progress:
        made = confirm.compare(suite, asked, opened.environment.jobs, progress, plain_facts.add)
    comparison = [*told_before, *made]
    _tell(comparison, as_json)
    differing = sum(item.plain is not None and not item.agrees for item in comparison)
    if differing:
        raise Nl2fixError(f"{differing} of {len(comparison)} verdicts differ from defects4j's")


def _judged(opened: pipeline.Run, plausible_only: bool) -> list[ToConfirm]:
    """The distinct candidates of a run that have a verdict."""
    from nl2fix.suites.defects4j.confirm import ToConfirm

    distinct = {
        (problem.id, a.candidate.key): ToConfirm(problem, a.candidate, a.verdict.outcome)
        for problem, given, excluded in answers(opened.store, opened.problems)
        for a in given
        if a.candidate and a.verdict and excluded is None and (a.verdict.plausible or not plausible_only)
    }
    return list(distinct.values())


def _tell(comparison: Sequence[Confirmation], as_json: bool) -> None:
    """The confusion table, and each verdict that differs or is missing."""
    from nl2fix.suites.defects4j import confirm

    differing = [item for item in comparison if item.plain is not None and not item.agrees]
    silent = [item for item in comparison if item.plain is None]
    rows = confirm.table(confirm.confusion(comparison))
    told = [
        {
            "problem": item.judged.problem.id,
            "candidate_sha256": item.judged.candidate.sha256,
            "ours": item.judged.outcome.value,
            "defects4j": item.plain.value if item.plain else None,
            "note": item.note,
        }
        for item in (*differing, *silent)
    ]
    if as_json:
        console.print_json({"compared": len(comparison) - len(silent), "table": rows, "differences": told})
    else:
        outcomes = [str(row[0]) for row in rows]
        console.table("ours (rows) and defects4j (columns)", ("", *outcomes), rows)
        for item in told:
            console.out(
                f"{item['problem']}: ours {item['ours']}, defects4j {item['defects4j']} ({item['note']})"
            )
