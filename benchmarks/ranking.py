"""Rankers side by side on judged runs: every ranker, random order and oracle on the same candidates.

    python benchmarks/ranking.py RUN… [--ranker NAME…] [--embedder MODEL] [--learned] [--out FILE]

Runs of one suite belong together: a table of one run's candidates at a time (mean over the runs), and,
where there are several runs, one of the candidates of all of them in one pool a bug. Share of bugs in per
cent with a plausible patch at place 1 and among the first 5; 95 % intervals and paired sign-flip tests
against ``vote`` count a bug once, however many runs it occurs in. *way* is the share of the distance from
the study's ``cosine`` with the hopeless mixed in (100 % is the oracle). Below each table stands what choosing
by such figures is worth: each fold of a run's bugs in the order that wins on other bugs of other runs.

``--learned`` trains the ranker ``learned`` anew for each run, on the other runs only, and ranks each bug
by the fold that never saw it; in the pooled table by the folds alone. ``--embedder`` measures ``cosine``
with a model of sentence-transformers (a folder or its name), ``--ranker`` what you name.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from nl2fix import pipeline, ranking
from nl2fix.core.config import Environment
from nl2fix.core.passk import ranked_pass_at_k
from nl2fix.core.protocols import Ranker
from nl2fix.core.records import Entry, Pool
from nl2fix.core.results import ProblemResult
from nl2fix.metrics.statistics import Estimate
from nl2fix.ranking import embedders, learned
from nl2fix.ranking.evaluate import ORACLE, UNRANKED, Judged, compare, ranked_table

KS = (1, 5)
FOLDS = 5
MIXED = {"hopeless_last": False}
BASE: tuple[tuple[str, Mapping[str, Any]], ...] = (("vote", {}), ("cosine", MIXED))
"""What the others are measured by."""
UNSTATED = "vote, no stated examples"
OTHERS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("cosine", {}),
    ("vote", {"behaviour": False}),
    ("similarity", {}),
    ("hybrid", MIXED),
    ("hybrid", {}),
    ("vote", MIXED),
)
Run = Sequence[ProblemResult]


def load(folder: Path) -> Run:
    """The problems of a run that count."""
    with pipeline.view(folder, {}) as opened:
        return opened.results().counted


def pooled(runs: Sequence[Run]) -> Run:
    """Per bug the candidates of all runs, their samples numbered in turn as if drawn together."""
    found: dict[str, list[tuple[int, ProblemResult]]] = defaultdict(list)
    for number, run in enumerate(runs):
        for item in run:
            found[item.key].append((number, item))
    return [_merged(items, len(runs)) for items in found.values()]


def _merged(items: Sequence[tuple[int, ProblemResult]], runs: int) -> ProblemResult:
    entries: dict[str, Entry] = {}
    verdicts = {}
    for number, item in items:
        for entry, verdict in zip(item.pool.entries, item.verdicts, strict=True):
            key, drawn = entry.candidate.key, tuple(sample * runs + number for sample in entry.samples)
            known = entries.get(key, replace(entry, samples=()))
            entries[key] = replace(known, samples=tuple(sorted((*known.samples, *drawn))))
            verdicts[key] = verdict
    order = sorted(entries, key=lambda key: entries[key].samples)
    first = items[0][1]
    return replace(
        first,
        pool=replace(first.pool, entries=tuple(entries[key] for key in order)),
        verdicts=tuple(verdicts[key] for key in order),
        tries=tuple(tries for _, item in items for tries in item.tries),
    )


def learned_orders(runs: Sequence[Run], environment: Environment) -> list[list[list[int]]]:
    """Per run the orders of a model trained on the other runs, or on the run itself where it is alone."""
    from nl2fix.ranking.order import HopelessLast

    embedder = embedders.make("hashing", {}, environment)
    found = []
    for run in runs:
        others = [item for other in runs if other is not run or len(runs) == 1 for item in other]
        model = learned.train([item.pool for item in others], [item.correct for item in others], embedder)
        found.append(HopelessLast(learned.LearnedRanker(model, embedder)).rank([item.pool for item in run]))
    return found


def orders(runs: Sequence[Run], rankers: Sequence[Ranker]) -> dict[str, list[list[int]]]:
    pools: list[Pool] = [item.pool for run in runs for item in run]
    found = {ranker.name: ranker.rank(pools) for ranker in rankers}
    if any(pool.stated for pool in pools):
        found[UNSTATED] = rankers[0].rank([replace(pool, stated=()) for pool in pools])
    return found


def table(runs: Sequence[Run], found: Mapping[str, Sequence[Sequence[int]]]) -> list[str]:
    """Markdown lines: bounds and rankers, best first by r.pass@1."""
    judged = [
        Judged(item.key, tuple(item.correct), tuple(len(e.samples) for e in item.pool.entries), item.samples)
        for run in runs
        for item in run
    ]
    rows = ranked_table(judged, found, KS)
    del rows[UNRANKED]
    study = next(name for name in found if name.startswith("cosine(hashing") and name.endswith("+hopeless"))
    lines = ["| order | r.pass@1 | r.pass@5 | way @1, @5 | p @1, @5 |", "|---|---|---|---|---|"]
    for name, cells in sorted(rows.items(), key=lambda row: -_value(row[1][1])):
        way = ", ".join(_way(cells[k], rows[study][k], rows[ORACLE][k]) for k in KS)
        tests = ""
        if name in found and name != "vote":
            tests = ", ".join(f"{compare(judged, found[name], found['vote'], k).p:.3f}" for k in KS)
        shown = [_shown(cells[k]) for k in KS]
        lines.append(f"| {name} | {shown[0]} | {shown[1]} | {way} | {tests} |")
    return lines


def chosen(runs: Sequence[Run], found: Mapping[str, Sequence[Sequence[int]]]) -> list[str]:
    """How the order fares that wins on other bugs (five folds) of other runs, by both r.pass@k."""
    folds = {key: number % FOLDS for number, key in enumerate(sorted({i.key for run in runs for i in run}))}
    parts: dict[tuple[int, int], list[dict[str, tuple[float, ...]]]] = defaultdict(list)
    items = ((number, item) for number, run in enumerate(runs) for item in run)
    for (number, item), *orders in zip(items, *found.values(), strict=True):
        hits = [tuple(ranked_pass_at_k([item.correct[i] for i in order], k) for k in KS) for order in orders]
        parts[number, folds[item.key]].append(dict(zip(found, hits, strict=True)))
    picks: Counter[str] = Counter()
    reached = []
    for (number, fold), members in parts.items():
        others = [
            hits
            for (other, other_fold), known in parts.items()
            if other_fold != fold and (other != number or len(runs) == 1)
            for hits in known
        ]
        best = max(found, key=lambda name: sum(sum(hits[name]) for hits in others))
        picks[best] += 1
        reached += [hits[best] for hits in members]
    means = ", ".join(f"{100 * fmean(column):.1f}" for column in zip(*reached, strict=True))
    times = ", ".join(f"{name} {count} of {len(parts)}" for name, count in picks.most_common())
    rest = "other bugs and runs" if len(runs) > 1 else "other bugs"
    return [f"Chosen among these {len(found)} on {rest}: {times}; reaches {means}."]


def _value(estimate: Estimate | None) -> float:
    return estimate.value if estimate else 0.0


def _shown(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    if not estimate.bounded:
        return f"{100 * estimate.value:.1f}"
    return f"{100 * estimate.value:.1f} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def _way(one: Estimate | None, low: Estimate | None, high: Estimate | None) -> str:
    span = _value(high) - _value(low)
    return f"{100 * (_value(one) - _value(low)) / span:.0f} %" if span else "–"


def report(suite: str, runs: Sequence[Run], rankers: Sequence[Ranker], trained: Environment | None) -> str:
    """The tables of one suite."""
    sections = [(f"{suite}: one run at a time, mean of {len(runs)}", runs)]
    if len(runs) > 1:
        sections.append((f"{suite}: {len(runs)} runs pooled", [pooled(runs)]))
    lines = []
    for title, members in sections:
        found = orders(members, rankers)
        if trained is not None:
            found["learned"] = [order for own in learned_orders(members, trained) for order in own]
        bugs = {item.key for run in members for item in run}
        lines += [
            f"## {title}, {len(bugs)} bugs",
            "",
            *table(members, found),
            "",
            *chosen(members, found),
            "",
        ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", metavar="RUN", nargs="+", type=Path)
    parser.add_argument(
        "--ranker", action="append", default=[], help="as `nl2fix rank` takes it; instead of the usual"
    )
    parser.add_argument("--embedder", help="model of sentence-transformers")
    parser.add_argument("--learned", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    environment = Environment(cache=pipeline.default_cache())
    given = [pipeline.choice(name, "rankers") for name in options.ranker]
    wanted = [*BASE, *((choice.name, choice.options) for choice in given)]
    if options.embedder:
        named = {"embedder": "sentence-transformers", "embedder_options": {"model": options.embedder}}
        wanted += [("cosine", named), ("cosine", {**named, **MIXED})]
    elif not given:
        wanted += OTHERS
    rankers = [ranking.make(name, own, environment) for name, own in wanted]
    suites: dict[str, list[Run]] = defaultdict(list)
    for folder in options.folders:
        run = load(folder)
        suites[f"{run[0].problem.suite} {run[0].problem.language}"].append(run)
    trained = environment if options.learned else None
    text = "\n".join(report(suite, runs, rankers, trained) for suite, runs in suites.items())
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
