"""Which lines failing tests reach and passing ones do not: a spectrum of a project's own tests.

Contract: test classes run once, as they are, in a warm worker in which each line of the project's classes
notes that it was reached; first those that are said to fail, then others while there is time. Nothing is
judged by it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from nl2fix.validation.jvm.alone import together
from nl2fix.validation.jvm.bench import classes_of
from nl2fix.validation.jvm.worker import Item, Limit, Phase, Plan, Reached, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

_FAILING, _OTHERS = Limit(20.0, 60.0), Limit(6.0, 20.0)
"""Seconds that the classes said to fail, and all others, may take together."""

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
    workers: Workers, workspace: Workspace, failing: Sequence[str], others: Sequence[str]
) -> Reached:
    """Of test classes by binary name; what ends the JVM leaves nothing behind."""
    isolated = set(workspace.isolated)
    phases = [
        Phase(limit, tuple(Item(name, isolated=name in isolated) for name in names))
        for limit, names in ((_FAILING, failing), (_OTHERS, others))
        if names
    ]
    wall = sum(phase.limit.wall for phase in phases)
    plan = Plan({}, (), "", (), stop=False, phases=tuple(phases), wall=wall, notice=True)
    try:
        worker = workers.take(workers.spec(workspace), classes_of(workspace))
        with closing(worker), together():
            return worker.run(plan).reached or Reached()
    except WorkerLost:
        return Reached()
