"""Many runs as a table of places, in static files: one page, the data behind it, a report of each run.

Only runs of the same suite, settings of it, number of samples and problems stand in one table. A mean over
fewer problems than another run's is no rank among them: such a run (half finished, say) has no place.
Where a recording has no sample of some problems, all places are by the problems that all runs with a place
have; but one that has none of half of them or more has no place, so that no scrap of a recording decides
those of others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from nl2fix.core.files import write_together
from nl2fix.core.passk import pass_at_k
from nl2fix.core.results import RunResults
from nl2fix.metrics.statistics import Estimate, mean_interval
from nl2fix.pipeline.origin import cost, sampled, task_sha256, with_languages, without_folders
from nl2fix.report.html import render, run_report

DATA = "leaderboard.json"


@dataclass(frozen=True, slots=True)
class Standing:
    """One run in its table."""

    run: str
    report: str
    """File name of its report, beside the page."""
    model: str
    prompt: str
    format: str
    temperature: float | None
    bugs: int
    """Problems that count."""
    left_out: tuple[str, ...]
    """Problems of the table that do not count here: excluded, not finished or without any sample."""
    short: int
    """Problems that count with fewer samples than the table's, as a recording may have."""
    missing: int
    """Problems that count in another run of the table, but not here."""
    without: tuple[str, ...]
    """Those of them of which there is no sample, as a recording may have none."""
    fixed: int
    pass_at_1: Estimate | None
    """Mean over bugs with a 95 % bootstrap interval; ``None`` where nothing counts."""
    tokens: int
    uncounted: int
    """Answers of which nobody counted the tokens: ``tokens`` and ``cost`` are without them."""
    cost: float | None
    begun: str
    versions: str
    ranked_by: Estimate | None = None
    """As ``pass_at_1``, over the problems that decide on places; ``None`` where some of them do not count."""
    place: int | None = None
    """1 is best; equal values share a place."""

    @property
    def lack(self) -> str:
        """Why there is no place; empty where there is one."""
        if self.place is not None:
            return ""
        lost, every = self.missing - len(self.without), self.bugs + self.missing
        told = []
        if lost:
            told.append(f"{lost} of {every} problems that count in other runs are not finished or left out")
        if self.without:
            more = f" and {len(self.without) - 3} more" if len(self.without) > 3 else ""
            named = f"{', '.join(self.without[:3])}{more}"
            told.append(f"no sample of {named} ({len(self.without)} of {every} problems)")
        return "; ".join(told) or "no problem is finished"

    @property
    def comparable(self) -> bool:
        """Whether it may have a place: it has most problems of the table, and of the others no sample."""
        return self.missing == len(self.without) < self.bugs


@dataclass(frozen=True, slots=True)
class Board:
    """Runs that can be compared."""

    suite: str
    options: str
    n: int
    problems: tuple[str, ...]
    standings: tuple[Standing, ...]
    ranked_on: int
    """Problems that decide on places: those that count in every run that has one."""
    unranked: int
    """Further problems that count in some of these runs."""

    @property
    def basis(self) -> str:
        """One line on which problems decide, where those of some runs with a place do not; else empty."""
        if not self.unranked:
            return ""
        common = f"the {self.ranked_on} problem{'s' * (self.ranked_on != 1)}"
        more = f"{self.unranked} more count{'s' * (self.unranked == 1)} in some of them only"
        return f"places are by pass@1 over {common} of which all runs with a place have samples; {more}"


def boards(runs: Sequence[RunResults]) -> list[Board]:
    """One table per suite, its options, samples a problem and problems; the largest suite's tables first."""
    groups: dict[tuple[str, str, int, tuple[tuple[str, str], ...]], list[tuple[RunResults, str]]] = {}
    for results, file, name in zip(runs, _files(runs), _suites(runs), strict=True):
        suite = results.settings["suite"]
        options = ", ".join(
            f"{key} {value}" for key, value in sorted(without_folders(suite["options"]).items())
        )
        tasks = tuple(sorted((item.problem.id, task_sha256(item.problem)) for item in results.problems))
        groups.setdefault((name, options, results.n, tasks), []).append((results, file))
    tables = [
        Board(suite, options, n, tuple(name for name, _ in tasks), *_standings(group))
        for (suite, options, n, tasks), group in groups.items()
    ]
    return sorted(tables, key=lambda board: (board.suite, -len(board.problems), -board.n, board.options))


def _suites(runs: Sequence[RunResults]) -> list[str]:
    spoken = [frozenset(item.problem.language for item in results.problems) for results in runs]
    names = [results.settings["suite"]["name"] for results in runs]
    return with_languages(list(zip(names, spoken, strict=True)))


def write(runs: Sequence[RunResults], folder: Path) -> Path:
    """Write index.html, the data and the reports into a folder; the page last, when all it links is there."""
    folder.mkdir(parents=True, exist_ok=True)
    found, index = boards(runs), folder / "index.html"
    data = json.dumps(as_data(found), indent=1) + "\n"
    reports = ((folder / file, run_report(results)) for results, file in zip(runs, _files(runs), strict=True))
    write_together(chain([(index, page(found)), (folder / DATA, data)], reports))
    return index


def as_data(found: Sequence[Board]) -> list[dict[str, Any]]:
    """The tables for JSON: an estimate is a list of value, low and high."""
    tables = [asdict(board) for board in found]
    for row in (row for table in tables for row in table["standings"]):
        for name in ("pass_at_1", "ranked_by"):
            row[name] = row[name] and row[name].plain
    return tables


def page(found: Sequence[Board]) -> str:
    """The tables as one HTML file."""
    runs = sum(len(board.standings) for board in found)
    return render("leaderboard.html", boards=found, runs=runs, data=DATA)


def _files(runs: Sequence[RunResults]) -> list[str]:
    """A name for each run's report; where it is taken, it is numbered."""
    files: list[str] = []
    for results in runs:
        safe = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in results.name)
        names = chain([f"run-{safe}.html"], (f"run-{safe}.{i}.html" for i in count(2)))
        files.append(next(name for name in names if name not in files))
    return files


def _standings(group: Sequence[tuple[RunResults, str]]) -> tuple[tuple[Standing, ...], int, int]:
    """The rows, the number of problems that decide on places, and that of those which some lack."""
    kept = [{item.problem.id for item in results.counted} for results, _ in group]
    counting = set[str]().union(*kept)
    rows = [_standing(results, file, counting) for results, file in group]
    able = [own for own, row in zip(kept, rows, strict=True) if row.comparable]
    common = set.intersection(*able) if able else set[str]()
    common = common or counting  # nothing in common: those without a gap alone
    placed = [row.comparable and common <= own for own, row in zip(kept, rows, strict=True)]
    rows = [
        replace(row, ranked_by=_pass_at_1(results, common)) if may else row
        for row, (results, _), may in zip(rows, group, placed, strict=True)
    ]
    some = set[str]().union(*(own for own, may in zip(kept, placed, strict=True) if may))
    return _ranked(rows), len(common), len(some - common)


def _standing(results: RunResults, file: str, counting: Set[str]) -> Standing:
    drawn, settings, counted = sampled(results.manifest), results.settings, results.counted
    kept = {item.problem.id for item in counted}
    prompt, answer = (sum(item.tokens[i] for item in results.problems) for i in (0, 1))
    return Standing(
        run=results.name,
        report=file,
        model=drawn.model,
        prompt=settings["prompt"]["name"],
        format=settings["format"],
        temperature=drawn.temperature,
        bugs=len(counted),
        left_out=tuple(item.problem.id for item in results.problems if item.problem.id not in kept),
        short=sum(item.samples < results.n for item in counted),
        missing=len(counting - kept),
        without=tuple(item.problem.id for item in results.finished if item.problem.id in counting - kept),
        fixed=sum(item.plausible > 0 for item in counted),
        pass_at_1=_pass_at_1(results, kept),
        tokens=prompt + answer,
        uncounted=sum(item.uncounted for item in results.problems),
        cost=cost(results.manifest, prompt, answer),
        begun=str(results.manifest.get("origin", {}).get("begun", ""))[:10],
        versions="; ".join(_versions(results.manifest)),
    )


def _pass_at_1(results: RunResults, over: Set[str]) -> Estimate | None:
    items = [item for item in results.counted if item.problem.id in over]
    values = [pass_at_k(item.samples, item.plausible, 1) or 0.0 for item in items]
    return mean_interval(values, [item.problem.id for item in items]) if values else None


def _versions(manifest: Any) -> Iterator[str]:
    origin = manifest.get("origin", {})
    yield f"nl2fix {origin.get('nl2fix', '?')}"
    yield from origin.get("runtimes", ())


def _ranked(standings: Sequence[Standing]) -> tuple[Standing, ...]:
    """Those with a place by their value; the others behind them, those with most problems first."""

    def order(row: Standing) -> tuple[bool, int, float, str]:
        missing = 0 if row.ranked_by else row.missing
        by = row.ranked_by or row.pass_at_1
        return row.ranked_by is None, missing, -by.value if by else 1.0, row.run

    values = [row.ranked_by.value for row in standings if row.ranked_by]
    return tuple(
        replace(row, place=1 + sum(other > row.ranked_by.value for other in values)) if row.ranked_by else row
        for row in sorted(standings, key=order)
    )
