"""``nl2fix observe``: what the candidates of a judged run do when they are called."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from nl2fix import pipeline
from nl2fix.cli import console, display
from nl2fix.cli.flags import JSON, LOCAL, RUN_ARGUMENT, gather, used_options
from nl2fix.cli.watch import watched
from nl2fix.core.apart import seen
from nl2fix.core.observing import CALLS, MOST_CALLS
from nl2fix.core.records import INSTRUMENT
from nl2fix.core.results import results
from nl2fix.core.store import RunStore

_COLUMNS = ("problem", "calls", "dropped", "candidates", "different", "as before", "plausible", "as the fix")


@click.command()
@RUN_ARGUMENT
@click.option(
    "--behaviour",
    metavar="N",
    type=click.IntRange(min=1, max=MOST_CALLS),
    help=f"Calls to observe candidates by [default: as before, else {CALLS}].",
)
@used_options(*LOCAL)
@JSON
def observe(folder: Path, as_json: bool, **flags: Any) -> None:
    """Observe what a run's candidates do when the edited method is called.

    The same calls are made of the unedited program, of each candidate and of the reference. `nl2fix rank`
    uses what was seen of candidates; what a reference did is for reports only.
    """
    settings, environment = pipeline.reopen(folder, gather(flags), usable=("suite", "bugs", "behaviour"))
    suite = pipeline.make_suite(settings.suite, environment)
    with RunStore(folder, writable=True) as store:
        excluded = store.excluded()
        problems = [p for p in store.problems(settings.bugs) if p.id not in excluded]
        older = [p.id for p in problems if (o := store.observation(p.id)) and o.instrument != INSTRUMENT]
        if older:
            console.say(f"{len(older)} problems were observed by an earlier version; they are observed anew")
        with watched() as observer:
            errors = pipeline.observe_stored(
                store,
                suite,
                problems,
                environment=environment,
                most=settings.behaviour or 0,
                observer=observer,
            )
        found = results(store, problems, settings.n).problems
    display.not_judged(found, folder)
    rows = [asdict(row) for row in seen(found)]
    if as_json:
        console.print_json({"run": str(folder), "not_observed": errors, "problems": rows})
        return
    console.table("Behaviour", _COLUMNS, [tuple(row.values()) for row in rows])
    for problem, reason in errors.items():
        console.say(f"not observed: {problem}: {reason}")
