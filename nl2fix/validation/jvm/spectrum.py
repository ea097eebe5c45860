"""Which lines failing tests reach and passing ones do not: a spectrum of a project's own tests.

Contract: test classes run once, as they are, in a warm worker in which each line of the project's classes
notes that it was reached; first those that are said to fail, then others while there is time. Nothing is
judged by it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing

from nl2fix.validation.jvm.alone import together
from nl2fix.validation.jvm.bench import classes_of
from nl2fix.validation.jvm.worker import Item, Limit, Phase, Plan, Reached, ReachedLine, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

_FAILING, _OTHERS, _MORE = Limit(20.0, 60.0), Limit(6.0, 20.0), Limit(14.0, 40.0)
"""Seconds that the classes said to fail, all others, and those that were late, may take together."""

_SAID = re.compile(r"^\S.* FAILED\n {4}(.+)$", re.MULTILINE)

Line = tuple[str, int]
"""Source file with the folders of its package, and number."""


def suspicious(reached: Reached, failed: Sequence[str]) -> dict[Line, float]:
    """Ochiai's measure (Abreu et al. 2007), 0 to 1, of each line that one of these failing tests reached."""
    bad = Counter(place for test in failed for place in reached.failed[test])
    scores: dict[Line, float] = {}
    for place, count in bad.items():
        source, line, passed = reached.lines[place]
        score = count / math.sqrt(len(failed) * (count + passed))
        scores[source, line] = max(score, scores.get((source, line), 0.0))
    return scores


def spectrum(
    workers: Workers,
    workspace: Workspace,
    failing: Sequence[str],
    others: Sequence[str],
    enough: Callable[[Reached], bool] = lambda reached: True,
) -> Reached:
    """Of test classes by binary name; what ends the JVM leaves nothing behind.

    Where that is not ``enough``, those that time was too short for get some more, without the one that
    took it.
    """
    told, late = _noticed(workers, workspace, ((failing, _FAILING), (others, _OTHERS)))
    rest = late[1:]
    if not rest or enough(told):
        return told
    more, late = _noticed(workers, workspace, ((rest, _MORE),))
    return _joined(told, more)._replace(unrun=1 + len(late))


def _noticed(
    workers: Workers, workspace: Workspace, groups: Sequence[tuple[Sequence[str], Limit]]
) -> tuple[Reached, Sequence[str]]:
    """What classes reach, and those that time was too short for."""
    isolated = set(workspace.isolated)
    phases = [
        Phase(limit, tuple(Item(name, isolated=name in isolated) for name in names))
        for names, limit in groups
        if names
    ]
    wall = sum(phase.limit.wall for phase in phases)
    plan = Plan({}, (), "", (), stop=False, phases=tuple(phases), wall=wall, notice=True)
    try:
        worker = workers.take(workers.spec(workspace), classes_of(workspace))
        with closing(worker), together():
            report = worker.run(plan)
    except WorkerLost:
        return Reached(), ()
    names = [name for group, _ in groups for name in group]
    late = names[len(report.seconds) :] if report.timed_out else []
    reached = report.reached or Reached()
    return reached._replace(unrun=len(late), why=_commonest(report.output)), late


def _commonest(output: str) -> str:
    """The line behind a failed test's name that comes most often."""
    lines = Counter(_SAID.findall(output))
    return lines.most_common(1)[0][0] if lines else ""


def _joined(first: Reached, second: Reached) -> Reached:
    """What tests of both reached."""
    passed = Counter[Line]()
    for reached in (first, second):
        own = dict[Line, int]()
        for source, line, count in reached.lines:
            own[source, line] = max(count, own.get((source, line), 0))
        passed.update(own)
    place = {line: number for number, line in enumerate(passed)}
    failed = {
        test: tuple(place[reached.lines[number][:2]] for number in places)
        for reached in (first, second)
        for test, places in reached.failed.items()
    }
    lines = tuple(ReachedLine(*line, count) for line, count in passed.items())
    return Reached(first.tests + second.tests, lines, failed, why=first.why or second.why)
