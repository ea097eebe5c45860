"""Seconds per candidate of the JVM validator and of the plain ``defects4j`` way, and their verdicts.

    python benchmarks/defects4j.py --defects4j DIR --bugs Cli-2,Csv-1,… [--n 100] [--plain 25]

Per bug, the validator judges the first n candidates of the mutation baseline, all distinct, then the
reference fix; a plausible one's confirmation in a fresh JVM is included. Of these the plain way judges the
plausible ones (at most 5), one time-out, and a random part of the others: ``defects4j compile``, then
``test -t`` with one trigger test, then ``test -r``; the first failure ends it. Both sides work one
candidate of a bug at a time. Ours judges one bug after the other in one process, where they share a warm
compiler, as in a run; the plain way has a process for each bug. CPU time is that of all processes started.
*limit* is what compiling the edited file in a warm compiler and its tests alone take of *s/smp*, the
validator's CPU seconds a sample. ``--json FILE`` keeps every candidate's figures; the exit code is 1 if
verdicts differ.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import ended
import flags
from settled import settle
from spent import Counting, metered

from nl2fix import mutation
from nl2fix.core.records import Candidate, Outcome, Problem, Prompt, Request
from nl2fix.pipeline import make_suite, parse, prepare
from nl2fix.sandboxes.table import tree
from nl2fix.suites.command import TooSlow
from nl2fix.suites.defects4j.checkout import CHECKOUT
from nl2fix.suites.defects4j.confirm import Plain
from nl2fix.suites.defects4j.suite import Nl2fixSuite
from nl2fix.validation.jvm.validator import JvmValidator
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import load

Given = TypeVar("Given")
Told = TypeVar("Told")
PLAUSIBLE = 5
_SUBREAPER = 36


@dataclass(frozen=True)
class Judged:
    """A verdict with what it cost."""

    outcome: str
    wall: float
    cpu: float
    limit: float = 0.0
    """Seconds on the clock of compiling the edited file in a warm compiler, and of its tests; not told of the
    plain side."""


@dataclass(frozen=True)
class Side:
    """All that one side did for one bug; candidates by their place."""

    judged: dict[int, Judged]
    wall: float
    cpu: float
    peak_mb: float
    """Of the largest process; not known of the plain side."""
    starts: int = 0
    """JVMs."""


@dataclass(frozen=True)
class Bug:
    """Both sides of one bug."""

    bug: str
    ours: Side
    plain: Side


def apart(work: Callable[[Given], Told], given: Given) -> Told:
    """Do work in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_alone, work, given).result()


def _alone(work: Callable[[Given], Told], given: Given) -> Told:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)  # orphans become ours, and so does their CPU time
    return work(given)


@dataclass(frozen=True)
class Case:
    """One bug and the candidates of one side, by their place."""

    values: dict[str, object]
    """Settings of suite and environment."""
    problem: Problem
    candidates: dict[int, Candidate]

    def suite(self) -> Nl2fixSuite:
        settings, environment = parse(self.values)
        suite = make_suite(settings.suite, environment)
        assert isinstance(suite, Nl2fixSuite)
        return suite


def ours(cases: Sequence[Case]) -> list[Side]:
    """The validator's side of all bugs, one after the other; they share a compiler, as in a run."""
    places, (_, environment) = cases[0].suite().places, parse(cases[0].values)
    workers = Workers(environment, compiled=[path for path in places.compiled() if path.is_dir()])
    validator = JvmValidator(lambda problem: places.bug(problem.id), workers)
    with metered() as meter, closing(validator):
        return [judge(validator, workers, case, meter) for case in cases]


def judge(validator: JvmValidator, workers: Workers, case: Case, meter: Counting) -> Side:
    """One bug. What looking at the processes itself takes is taken off."""
    judged: dict[int, Judged] = {}
    looking = peak = 0.0
    began, start, starts = meter.seconds(), time.perf_counter(), workers.starts
    places = {candidate.key: place for place, candidate in case.candidates.items()}
    with validator.session(case.problem) as session:

        def one(place: int, candidate: Candidate) -> None:
            """Once, or again, which costs more."""
            nonlocal looking, peak
            so_far = judged.get(place, Judged("", 0.0, 0.0))
            before, moment = meter.seconds(), time.perf_counter()
            verdict = session.validate(candidate)
            wall, cpu = time.perf_counter() - moment, meter.seconds() - before
            limit = verdict.evidence.build_seconds + verdict.evidence.test_seconds
            judged[place] = Judged(verdict.outcome.value, so_far.wall + wall, so_far.cpu + cpu, limit)
            seen, took = look()
            looking, peak = looking + took, max(peak, seen)

        for place, candidate in case.candidates.items():
            one(place, candidate)
        settle(session, lambda candidate: one(places[candidate.key], candidate))
    used, wall = meter.seconds() - began - looking, time.perf_counter() - start
    return Side(judged, wall, used, peak, workers.starts - starts)


def look() -> tuple[float, float]:
    """Size of the largest living process below this one, MiB, and processor seconds that looking took."""
    own = time.process_time()
    peak = max(map(_peak_mb, tree(os.getpid())[1:]), default=0.0)
    return peak, time.process_time() - own


def _peak_mb(process: int) -> float:
    try:
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def plain(case: Case) -> Side:
    """The side of Defects4J, in a throw-away copy of the prepared checkout."""
    suite, problem = case.suite(), case.problem
    folder = Path(tempfile.mkdtemp(prefix="plain-")) / CHECKOUT
    shutil.copytree(suite.places.bug(problem.id) / CHECKOUT, folder, symlinks=True)
    workspace = load(suite.places.bug(problem.id))
    judge = Plain(suite.installation(), folder, workspace, problem)
    judge.learn_baseline(suite.reference(problem))
    judged, began = {}, time.perf_counter()
    with metered() as meter:
        for place, candidate in case.candidates.items():
            start, before = time.perf_counter(), meter.seconds()
            outcome = triage(judge, workspace.trigger_tests[0], candidate)
            judged[place] = Judged(outcome.value, time.perf_counter() - start, meter.seconds() - before)
        used = meter.seconds()
    shutil.rmtree(folder.parent, ignore_errors=True)
    return Side(judged, time.perf_counter() - began, used, 0)


def triage(judge: Plain, trigger: str, candidate: Candidate) -> Outcome:
    """Compile, then one trigger test, then all relevant tests."""
    try:
        if not judge.builds(candidate):
            return Outcome.UNCOMPILABLE
        return Outcome.WRONG if judge.failing("-t", trigger) or judge.failing("-r") else Outcome.PLAUSIBLE
    except TooSlow:
        return Outcome.TIMEOUT


def chosen(judged: dict[int, Judged], count: int, seed: str) -> list[int]:
    """Places of the candidates that the plain way judges too, the reference (the last) among them."""
    places = sorted(judged)
    random.Random(seed).shuffle(places)
    kinds: dict[str, list[int]] = {}
    for place in sorted(places, key=lambda place: place != max(places)):
        kinds.setdefault(judged[place].outcome, []).append(place)
    picked = kinds.pop("plausible", [])[:PLAUSIBLE] + kinds.pop("timeout", [])[:1]
    rest = [place for place in places if any(place in kind for kind in kinds.values())]
    return (picked + rest)[:count]


def case_of(values: dict[str, object], problem: Problem, reference: Candidate, n: int) -> Case:
    """The first n proposals of the mutation baseline, and the reference."""
    answers = mutation.Mutation().complete([Request(problem, Prompt(()), tuple(range(n)))])
    proposals = [Candidate(answer.code) for answer in answers if answer.code is not None]
    return Case(values, problem, dict(enumerate([*proposals, reference])))


def beside(case: Case, mine: Side, count: int) -> Bug:
    """The plain way for some of the candidates that the validator has judged."""
    picked = chosen(mine.judged, count, case.problem.id)
    theirs = Case(case.values, case.problem, {place: case.candidates[place] for place in picked})
    return Bug(case.problem.id, mine, apart(plain, theirs) if picked else Side({}, 0, 0, 0))


def mean(side: Side, places: Sequence[int]) -> tuple[float, float]:
    """Wall and CPU seconds per candidate."""
    count = max(1, len(places))
    return sum(side.judged[p].wall for p in places) / count, sum(side.judged[p].cpu for p in places) / count


def row(name: str, bugs: Sequence[Bug]) -> str:
    """One line: cost of both sides on the candidates that both judged, plausible or not."""
    cells = [f"{name:<16}"]
    for plausible in (False, True):
        pairs = [
            (bug.ours.judged[place], other)
            for bug in bugs
            for place, other in bug.plain.judged.items()
            if (bug.ours.judged[place].outcome == "plausible") is plausible
        ]
        count = max(1, len(pairs))
        mine, theirs = (sum(pair[side].cpu for pair in pairs) / count for side in (0, 1))
        walls = [sum(pair[side].wall for pair in pairs) / count for side in (0, 1)]
        ratio = theirs / mine if mine else 0
        cells.append(f"{len(pairs):4} {mine:7.3f} {theirs:8.2f} {ratio:7.0f} {walls[0]:7.3f} {walls[1]:8.2f}")
    samples = sum(len(bug.ours.judged) for bug in bugs)
    limit = sum(judged.limit for bug in bugs for judged in bug.ours.judged.values()) / samples
    spent = sum(bug.ours.cpu for bug in bugs) / samples
    cells.append(f"{spent:7.3f} {limit:6.3f} {sum(b.ours.wall for b in bugs):7.1f}")
    cells.append(f"{max(bug.ours.peak_mb for bug in bugs):6.0f} {sum(bug.ours.starts for bug in bugs):5}")
    return " | ".join(cells)


def report(bugs: Sequence[Bug]) -> int:
    """Print the tables; 1 if verdicts differ."""
    half = "   n  ours s  plain s   ratio ours, w  plain, w"
    kinds = f"{'not plausible, CPU':<46} | {'plausible, CPU':<46}"
    print(f"{'bug':<16} | {kinds} | s/smp  limit   all s |   MiB  JVMs")
    print(f"{'':<16} | {half} | {half}")
    for bug in bugs:
        print(row(bug.bug, [bug]))
    print(row("all", bugs))
    pairs = Counter(
        (bug.ours.judged[place].outcome, other.outcome)
        for bug in bugs
        for place, other in bug.plain.judged.items()
    )
    print("\nverdicts (ours, defects4j):")
    for (mine, theirs), count in sorted(pairs.items()):
        print(f"  {mine:<13}{theirs:<13}{count:5}{'' if alike(mine, theirs) else '  differ'}")
    return int(not all(alike(*pair) for pair in pairs))


def alike(mine: str, theirs: str) -> bool:
    """Whether two verdicts agree; out of time and failing do, as the plain way waits much longer."""
    return mine == theirs or {mine, theirs} == {"wrong", "timeout"}


def main() -> int:
    ended.by_sigterm()
    parser = flags.arguments(__doc__, some_bugs=True)
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--plain", type=int, default=25, help="candidates of the plain way; 0: only ours")
    parser.add_argument("--jobs", type=int, default=1, help="bugs that the plain way judges at once")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    values = flags.settings(options, jobs=1)
    case = Case(values, None, {})  # type: ignore[arg-type]
    suite, wanted = case.suite(), options.bugs.split(",")
    problems, errors = prepare(suite, wanted, parse(values)[1], lambda done, total, label: None)
    if errors:
        raise SystemExit(str(errors))
    cases = [case_of(values, problem, suite.reference(problem), options.n) for problem in problems]
    bugs: list[Bug] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for bug in pool.map(beside, cases, apart(ours, cases), repeat(options.plain)):
            bugs.append(bug)
            print(row(bug.bug, [bug]), file=sys.stderr, flush=True)
            if options.json:
                options.json.write_text(json.dumps([asdict(bug) for bug in bugs], indent=1))
    return report(bugs)


if __name__ == "__main__":
    sys.exit(main())
