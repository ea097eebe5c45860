"""``nl2fix rank``: a stored run ranked again, without judging, and why an order is as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from nl2fix import pipeline
from nl2fix.cli import console, display
from nl2fix.cli.flags import JSON, RANKER, gather, used_options
from nl2fix.cli.look import find
from nl2fix.cli.paths import NamedPath
from nl2fix.core import stages
from nl2fix.core.changes import in_place, patch
from nl2fix.core.protocols import Ranker
from nl2fix.core.results import ProblemResult, results
from nl2fix.core.store import RunStore
from nl2fix.core.summary import summarise
from nl2fix.ranking.order import reasons

TOP = 5
"""Places explained."""


@click.command()
@click.argument("folder", metavar="RUN", type=NamedPath(path_type=Path))
@RANKER
@click.option(
    "--explain", "bug", metavar="BUG", help="Say why the first five of a bug stand where they stand."
)
@used_options("cache")
@JSON
def rank(folder: Path, bug: str | None, as_json: bool, **flags: Any) -> None:
    """Rank the candidates of a run again; nothing is asked or judged.

    The run alone is read, so the suite it was made on need not be there.
    """
    settings, environment = pipeline.reopen(folder, gather(flags), usable=("bugs", "rankers"))
    seen = {"bugs": settings.bugs}
    rankers = pipeline.make_rankers(settings.rankers, environment)
    if bug is not None:
        _explain(folder, bug, rankers, seen, as_json=as_json)
        return
    with RunStore(folder, writable=True) as store:
        excluded = store.excluded()
        problems = [p for p in store.problems(settings.bugs) if p.id not in excluded]
        stages.rank(store, problems, rankers)
    with pipeline.view(folder, seen) as opened:
        run_results = opened.results()
    display.not_judged(run_results.problems, folder)
    if as_json:
        console.print_json([asdict(score) for score in summarise(run_results).ranked])
    else:
        display.summary(run_results, folder, as_json=False)


def _explain(
    folder: Path, bug: str, rankers: list[Ranker], seen: Mapping[str, Any], *, as_json: bool
) -> None:
    with pipeline.view(folder, seen) as opened:
        problem = find(opened.problems, bug)
        [item] = results(opened.store, [problem], opened.config.n).problems
    told = {ranker.name: _places(ranker, item) for ranker in rankers}
    if as_json:
        console.print_json(told)
        return
    columns = ("place", "verdict", "why", "changes")
    shown: dict[str, str] = {}
    for name, places in told.items():
        rows = []
        for place in places:
            above = shown.get(place["candidate"])
            shown.setdefault(place["candidate"], f"as place {place['place']} by {name}")
            rows.append((*(place[column] for column in columns[:-1]), above or place["changes"]))
        console.table(f"{bug} by {name}", columns, rows)


def _places(ranker: Ranker, item: ProblemResult) -> list[dict[str, Any]]:
    """The first places of a ranking, each with its reason."""
    words = reasons(ranker, item.pool)
    [order] = ranker.rank([item.pool])
    return [
        {
            "place": place,
            "candidate": item.pool.entries[i].candidate.key,
            "verdict": verdict.outcome.value if (verdict := item.verdicts[i]) else "not judged",
            "why": words[i],
            "changes": _changes(item, i),
        }
        for place, i in enumerate(order[:TOP], 1)
    ]


def _changes(item: ProblemResult, i: int) -> str:
    """The changed lines of a candidate, as a patch without context."""
    candidate = in_place(item.problem, item.pool.entries[i].candidate)
    lines = patch(item.problem, candidate, context=0).splitlines()[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))
