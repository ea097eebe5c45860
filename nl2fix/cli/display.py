"""What commands print once their work is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from nl2fix import pipeline
from nl2fix.cli import console
from nl2fix.core.config import Environment
from nl2fix.core.gold import GoldResult
from nl2fix.core.results import ProblemResult, RunResults
from nl2fix.core.store import RunStore
from nl2fix.core.summary import RunSummary, summarise


def summary(results: RunResults, folder: Path, *, as_json: bool) -> None:
    """The table of a run."""
    numbers = summarise(results)
    if not results.problems:
        console.say(f"{folder} holds no problem yet, as it was stopped before; the same command goes on")
    if as_json:
        console.print_json({"run": str(folder), **_summary_json(numbers)})
        return
    from nl2fix.report import terminal

    console.console().print(terminal.summary_table(numbers))


def not_judged(items: Sequence[ProblemResult], folder: Path) -> None:
    """Say of how many problems candidates wait for a verdict, and what gives them one."""
    count = sum(item.excluded is None and item.unjudged > 0 for item in items)
    if count:
        waiting = "1 problem is" if count == 1 else f"{count} problems are"
        console.say(f"{waiting} not judged yet; that does: nl2fix validate {folder}")


def _summary_json(numbers: RunSummary) -> dict[str, Any]:
    data = asdict(numbers)
    for row in data["problems"]:
        del row["order"]
    return data


def write_report(results: RunResults, store: RunStore, file: Path | None = None) -> Path:
    """The HTML report, by default inside the run's folder."""
    from nl2fix.report import contents, html

    told = contents.exchanges(store, [item.problem for item in results.problems])
    return html.write_run_report(results, file or store.folder / "report.html", told)


def gold(results: Sequence[GoldResult], *, as_json: bool) -> None:
    """How many problems are sound, and why the others are not."""
    unsound = {r.problem: r.reason for r in results if r.reason is not None}
    if as_json:
        rows = [
            {
                "problem": r.problem,
                "sound": r.reason is None,
                "reason": r.reason,
                "reference": r.reference.outcome.value if r.reference else None,
                "unedited": r.unedited.outcome.value if r.unedited else None,
            }
            for r in results
        ]
        console.print_json({"problems": rows, "sound": len(results) - len(unsound), "all": len(results)})
        return
    plausible = sum(r.reference is not None and r.reference.plausible for r in results)
    failing = sum(r.unedited is not None and not r.unedited.plausible for r in results)
    click.echo(f"references plausible:            {plausible} of {len(results)}")
    click.echo(f"unedited programs not plausible: {failing} of {len(results)}")
    for problem, reason in unsound.items():
        console.out(f"{problem}: {reason}")


def sampled(opened: pipeline.Run, *, as_json: bool) -> None:
    """What a sampling stage left in the store."""
    rows = opened.summary().problems
    samples, distinct = sum(row.n for row in rows), sum(row.distinct for row in rows)
    facts = {
        "run": str(opened.store.folder),
        "problems": len(rows),
        "samples": samples,
        "distinct": distinct,
        "no_edit": sum(row.outcomes.get("no_edit", 0) for row in rows),
    }
    if as_json:
        console.print_json(facts)
    else:
        click.echo(
            f"{counted(samples, 'sample')} of {counted(len(rows), 'problem')}, "
            f"{counted(distinct, 'distinct candidate')}, {facts['no_edit']} without edit, in {facts['run']}"
        )


_NO_PRICE = "cost unknown: no price is set (model.price_prompt, model.price_answer: for a million tokens)"


def counted(count: int, what: str) -> str:
    """``1 bug``, ``2 bugs``."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def dry_run(settings: pipeline.RunConfig, environment: Environment, *, as_json: bool) -> None:
    """The first prompts as they would be sent, and what sending all would take."""
    plan = pipeline.plan(settings, environment)
    if as_json:
        console.print_json(asdict(plan))
        return
    for prompt in plan.prompts:
        console.out(prompt)
        click.echo("─" * 72)
    click.echo(
        f"{counted(plan.requests, 'request')}, {counted(plan.samples, 'sample')}, "
        f"about {plan.prompt_tokens} prompt tokens, at most {plan.completion_tokens} answer tokens; "
        + (_NO_PRICE if plan.cost is None else f"a cost of {plan.cost:.2f} at most")
    )
    if settings.tries > 1:
        click.echo(f"second attempts come on top: for each of up to {plan.samples} samples another request")
    if plan.needs is not None:
        disk, hours = plan.needs.disk_mb, plan.needs.cpu_seconds / 3600
        click.echo(f"preparing and judging: about {disk} MiB of disk, {hours:.1f} hours of one core")
