"""Gold of the nl2fix suite as a table: one line a bug, with what preparing and judging it costs.

    python benchmarks/gold.py [--bugs Math-3,…] [--config FILE] [--set KEY=VALUE …] [--out benchmarks/gold.md]

Each bug is prepared and its reference and unedited program are judged, nothing taken from a cache of
verdicts, in a process of its own; CPU is that of all processes started there, looked at ten times a second.
Its line is written when it is done; the same command goes on with bugs that have no line, and ends with a
list of flaky tests. A bug that was prepared before has no preparation to measure (–). What is written by hand
above the table stays. The exit code is 1 if a bug is not sound.
"""

from __future__ import annotations

import ctypes
import re
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import ended
import flags
from spent import Meter

from nl2fix.core.cache import VerdictCache
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.files import write_atomically
from nl2fix.core.gold import gold
from nl2fix.core.records import Problem
from nl2fix.pipeline import make_suite, parse, prepare
from nl2fix.suites.defects4j.suite import Nl2fixSuite
from nl2fix.validation.jvm.workspace import Workspace, load

_SUBREAPER = 36
"""``PR_SET_CHILD_SUBREAPER`` of ``prctl``."""
_HEAD = (
    "| bug | sound | test classes | tests | fail on both | flaky | prepare CPU, s | gold CPU, s | wall, s |",
    "|---|---|---:|---:|---:|---:|---:|---:|---:|",
)


@dataclass(frozen=True)
class Line:
    """What one line of the table says."""

    bug: str
    reason: str
    """Why it is not sound; empty if it is."""
    workspace: Workspace | None
    prepare_cpu: float | None
    gold_cpu: float
    wall: float

    def __str__(self) -> str:
        w = self.workspace
        tests = [test for item in w.regression for test in item.tests] if w else []
        counts = [len(w.regression), len(tests), len(w.failing), len(w.flaky)] if w else ["–"] * 4
        prepared = "–" if self.prepare_cpu is None else f"{self.prepare_cpu:.1f}"
        sound = "no: " + self.reason.replace("|", "/") if self.reason else "yes"
        cells = [self.bug, sound, *map(str, counts), prepared, f"{self.gold_cpu:.1f}", f"{self.wall:.0f}"]
        return f"| {' | '.join(cells)} |"


def measure(values: dict[str, object], bug: str) -> Line:
    """Prepare and judge one bug, in a process that has done nothing else."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)  # orphans become ours, and so does their CPU time
    environment = parse(values)[1]
    suite = suite_of(values)
    with Meter() as meter:
        place, start = suite.places.bug(bug), time.perf_counter()
        known = place.is_dir()
        problems, errors = prepare(suite, [bug], environment, lambda done, total, label: None)
        between = meter.seconds()
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(VerdictCache(Path(folder) / "none")) as verdicts,
        ):
            results = gold(suite, problems, errors, jobs=1, progress=lambda *_: None, cache=verdicts)
        judging, wall = meter.seconds() - between, time.perf_counter() - start
    reason = results[0].reason or ""
    workspace = load(place) if place.is_dir() else None
    cost = None if known else between
    return Line(bug, " ".join(reason.split()), workspace, cost, judging, wall)


def suite_of(values: dict[str, object]) -> Nl2fixSuite:
    suite = make_suite(parse(values)[0].suite, parse(values)[1])
    assert isinstance(suite, Nl2fixSuite)
    return suite


def in_order(problems: list[Problem]) -> list[str]:
    """Bugs in an order in which an unfinished table holds a part of each project."""
    seen: dict[str, int] = {}
    places = []
    for problem in problems:
        seen[problem.project] = seen.get(problem.project, 0) + 1
        places.append((seen[problem.project], problem.id))
    totals = seen
    share = {bug: place / totals[bug.rpartition("-")[0]] for place, bug in places}
    return sorted(share, key=lambda bug: share[bug])


def apart(values: dict[str, object], bug: str) -> Line:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            return pool.submit(measure, values, bug).result()
        except Nl2fixError as error:
            return Line(bug, str(error), None, None, 0, 0)


_ABOUT = """# Gold of the nl2fix suite

Made by `python benchmarks/gold.py` on Defects4J 2.0.1 and JDK 8. *Sound*: the reference fix is plausible
and the unedited program is not. *Prepare CPU* holds Defects4J's own commands (checkout, compile, export),
the compilation of both versions and all measurements of the tests; *gold CPU* two verdicts with every JVM
start. *Fail on both*: tests that fail on the reference as well.

0 of 0 bugs are sound.

"""


def about(old: str) -> str:
    """What stands above the table, by hand or by us."""
    text, head, _ = old.partition(_HEAD[0])
    return text if head else _ABOUT


def table(above: str, lines: dict[str, str], order: list[str], flaky: dict[str, str]) -> str:
    sound = sum(line.split(" | ")[1] == "yes" for line in lines.values())
    counted = re.sub(r"\d+ of \d+ bugs are sound", f"{sound} of {len(lines)} bugs are sound", above, count=1)
    parts = [
        *_HEAD,
        *(lines[bug] for bug in order if bug in lines),
        "",
        "## Flaky tests",
        "",
        *([f"* {bug}: {tests}" for bug, tests in flaky.items()] or ["None was found."]),
        "",
    ]
    return counted + "\n".join(parts)


def main() -> int:
    ended.by_sigterm()
    parser = flags.arguments(__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "gold.md")
    parser.add_argument(
        "--again", action="store_true", help="also bugs whose line says that they are not sound"
    )
    options = parser.parse_args()
    values = flags.settings(options, jobs=1)
    suite = suite_of(values)
    listed = list(suite.problems())
    order = [problem.id for problem in listed]
    wanted = options.bugs.split(",") if options.bugs else in_order(listed)
    old = options.out.read_text() if options.out.is_file() else ""
    rows = {line.split(" | ")[0].lstrip("| "): line for line in old.splitlines() if line.startswith("| ")}
    lines = {bug: row for bug, row in rows.items() if bug in order}
    listed_flaky = dict(line[2:].split(": ", 1) for line in old.splitlines() if line.startswith("* "))
    if options.again:
        lines = {bug: row for bug, row in lines.items() if row.split(" | ")[1] == "yes"}
    for bug in [bug for bug in wanted if bug not in lines]:
        line = apart(values, bug)
        lines[bug] = str(line)
        print(line, flush=True)
        prepared = [bug for bug in order if bug in lines and suite.places.bug(bug).is_dir()]
        found = {bug: ", ".join(load(suite.places.bug(bug)).flaky) for bug in prepared}
        flaky = {bug: tests for bug in order if (tests := found.get(bug, listed_flaky.get(bug)))}
        write_atomically(options.out, table(about(old), lines, order, flaky))
    return int(any(row.split(" | ")[1] != "yes" for row in lines.values()))


if __name__ == "__main__":
    sys.exit(main())
