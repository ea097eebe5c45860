"""Which lines failing tests reach and passing ones do not: a spectrum of a project's own tests.

Contract: test classes run once, as they are, in a warm worker in which each line of the project's classes
notes that it was reached; first those that are said to fail, then others while there is time. Of one that
takes more than there is some tests run one by one. Nothing is judged by it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from contextlib import closing
from textwrap import dedent
from typing import NamedTuple

from nl2fix.validation.jvm.alone import together
from nl2fix.validation.jvm.baseline import BUDGET
from nl2fix.validation.jvm.bench import classes_of
from nl2fix.validation.jvm.ids import declared
from nl2fix.validation.jvm.worker import (
    Item,
    Limit,
    OfClass,
    Phase,
    Plan,
    Reached,
    ReachedLine,
    Report,
    WorkerLost,
)
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

_FAILING, _OTHERS, _MORE = Limit(20.0, 60.0), Limit(6.0, 20.0), Limit(14.0, 40.0)
"""Seconds that the classes said to fail, all others, and those that were late, may take together."""
_ALONE, _ROUNDS = Limit(4.0, 10.0), 3
"""Seconds of tests that run one by one, until one takes them all, and how many may do that."""
_HANGS, _PATIENT = 3.0, Limit(20.0, 60.0)
"""Seconds after which a test that does not end is taken to hang, its lines being those of one that fails; and
those within which it has to end by itself, where it would decide."""

_DID_NOT_END = "timed out"
"""What is said of a test that hangs."""
_FOLLOWS = "Could not initialize class "
_SAID = re.compile(r"^(\S.*) FAILED\n((?: {4}(?! {4}at ).*\n)+)", re.MULTILINE)

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


def objected(reached: Reached, failed: Sequence[str]) -> set[Line]:
    """The lines at which the JVM or the JDK threw what some of these failed with."""
    places = (reached.objected[test] for test in failed if test in reached.objected)
    return {reached.lines[place][:2] for place in places}


def without_barred(reached: Reached, throwing: Collection[str]) -> Reached:
    """Without the failing tests that reach one of these lines (``path:line``), of which nothing is told."""
    bars = {
        place: line.source
        for place, line in enumerate(reached.lines)
        if f"{line.source}:{line.line}" in throwing
    }
    failed = {test: places for test, places in reached.failed.items() if bars.keys().isdisjoint(places)}
    met = Counter(
        source
        for places in reached.failed.values()
        for source in {bars[place] for place in places if place in bars}
    )
    most = min(met, key=lambda source: (-met[source], source), default="")
    hung = tuple(test for test in reached.hung if test in failed)
    return reached._replace(failed=failed, hung=hung, barred=len(reached.failed) - len(failed), bar=most)


def spectrum(
    workers: Workers,
    workspace: Workspace,
    failing: Sequence[str],
    others: Sequence[str],
    *,
    enough: Callable[[Reached], bool] = lambda reached: True,
    tests_of: Callable[[str], Sequence[str]] = lambda name: (),
) -> Reached:
    """Of test classes by binary name, without those that end the JVM.

    Where that is not ``enough``, ``tests_of`` the class that took all time run one by one, in that order, and
    the classes that time was too short for get some more.
    """
    items = _whole(failing, workspace), _whole(others, workspace)
    seen = _noticed(workers, workspace, zip(items, (_FAILING, _OTHERS), strict=True))
    sure = _certain(workers, workspace, seen.reached, enough)
    if sure != seen.reached:
        seen = _Noticed(sure, seen.late, {*seen.begun, *seen.reached.hung})
    if not seen.late or enough(seen.reached):
        return seen.reached
    slow, rest = seen.late[0], seen.late[1:]
    alone = [test for test in tests_of(slow.name) if f"{slow.name}::{test}" not in seen.begun]
    cut = declared(seen.cut)
    if cut.startswith(f"{slow.name}::") and cut not in seen.reached.hung:
        alone.append(cut.partition("::")[2])
    told = seen.reached
    for item in _one_by_one(workers, workspace, [Item(slow.name, (test,)) for test in alone]):
        told = joined(told, item)
    told = _certain(workers, workspace, told, enough)
    if rest and not enough(told):
        more = _noticed(workers, workspace, [(rest, _MORE)])
        return joined(told, more.reached)._replace(unrun=1 + len(more.late), late=slow.name)
    return told._replace(unrun=len(seen.late), late=slow.name)


def _one_by_one(workers: Workers, workspace: Workspace, tests: Sequence[Item]) -> Iterator[Reached]:
    """What tests reach; those behind one that takes all time run without it."""
    for _ in range(_ROUNDS):
        if tests:
            seen = _noticed(workers, workspace, [(tests, _ALONE)])
            yield seen.reached
            tests = seen.late[1:]


class _Noticed(NamedTuple):
    """What came of running some items."""

    reached: Reached
    late: Sequence[Item] = ()
    """Those that time was too short for, first the one that took it."""
    begun: Set[str] = frozenset()
    """Ids of tests, of those with parameters without them."""
    cut: str = ""
    """Id of the test that ran when time was up."""


def _whole(names: Sequence[str], workspace: Workspace) -> list[Item]:
    return [Item(name, isolated=name in workspace.isolated) for name in names]


def _noticed(
    workers: Workers, workspace: Workspace, groups: Iterable[tuple[Sequence[Item], Limit]]
) -> _Noticed:
    """What groups of items reach; those that end or block the JVM of the others are left out."""
    left, ending = [(list(items), limit) for items, limit in groups], list[str]()
    for _ in range(_ROUNDS):
        if not any(items for items, _ in left):
            break
        try:
            seen = _noticed_together(workers, workspace, left)
            return seen._replace(reached=seen.reached._replace(ending=tuple(ending)))
        except WorkerLost as lost:
            if not lost.test:  # it ended before any of them ran
                break
            ending.append(lost.test.partition("::")[0])
        left = [([item for item in items if item.name != ending[-1]], limit) for items, limit in left]
    return _Noticed(Reached(ending=tuple(ending)))


def _noticed_together(
    workers: Workers, workspace: Workspace, groups: Iterable[tuple[Sequence[Item], Limit]]
) -> _Noticed:
    """The same, where none does; ``WorkerLost`` where one does."""
    phases = tuple(Phase(limit, tuple(items)) for items, limit in groups if items)
    wall = sum(phase.limit.wall for phase in phases)
    plan = Plan({}, (), "", (), stop=False, phases=phases, wall=wall, notice=True)
    worker = workers.take(workers.spec(workspace), classes_of(workspace))
    worker.patient = True
    with closing(worker), together():
        report = worker.run(plan)
    items = [item for phase in phases for item in phase.items]
    late = items[len(report.seconds) :] if report.timed_out else []
    reached = report.reached or Reached()
    reached = reached._replace(
        items=(),
        classes=_of_classes(items, report.seconds, reached),
        unrun=len(late),
        late=late[0].name if late else "",
        why=_commonest(report.output),
        slow=_slow(phases, report) if late else "",
        said=_said(report.output),
    )
    cut = _cut(report) if late else ""
    begun = {declared(result.id) for result in report.results}
    return _Noticed(_with_hung(reached, cut, phases, report) if cut else reached, late, begun, cut)


def _cut(report: Report) -> str:
    """The test that ran when time was up; none did where a class was being set up."""
    own = (result.id for result in report.results if result.item == len(report.seconds))
    return report.running if report.running in own else ""


def _of_classes(items: Sequence[Item], seconds: Sequence[float], reached: Reached) -> dict[str, OfClass]:
    """What the items took and reached that ended, by class; not of single tests."""
    told = zip(items, seconds, reached.items, strict=False)
    return {
        item.name: OfClass(spent, tuple(reached.lines[place].source for place in places))
        for item, spent, places in told
        if not item.methods
    }


def _slow(phases: Sequence[Phase], report: Report) -> str:
    """The class that was cut off, if it took more time than all tests may that judge candidates."""
    phase, spent = _in_last(phases, report)
    return phase.items[len(spent)].name if phase.limit.cpu - sum(spent) >= BUDGET else ""


def _in_last(phases: Sequence[Phase], report: Report) -> tuple[Phase, Sequence[float]]:
    """The phase that was cut off, and the seconds of its items that ended."""
    return phases[report.phase], report.seconds[sum(len(done.items) for done in phases[: report.phase]) :]


def _with_hung(reached: Reached, cut: str, phases: Sequence[Phase], report: Report) -> Reached:
    """With the test that was cut off among those that hang, or without it where it may only be slow."""
    phase, spent = _in_last(phases, report)
    own = [each.seconds for each in report.results if each.item == len(report.seconds) and each.seconds > 0]
    failed = {test: at for test, at in reached.failed.items() if test != cut}
    if cut in reached.failed and phase.limit.cpu - sum(spent) - sum(own) >= _HANGS:
        test = declared(cut)  # nobody knows which other runs of one with parameters hang
        failed[test] = reached.failed[cut]
        return reached._replace(failed=failed, hung=(test,), said={**reached.said, test: _DID_NOT_END})
    return reached._replace(failed=failed)


def _certain(
    workers: Workers, workspace: Workspace, reached: Reached, enough: Callable[[Reached], bool]
) -> Reached:
    """Where a test that hangs would decide: what it reaches if it ends by itself, as it is only slow then."""
    without = _but_for_hung(reached)
    if not (reached.hung and enough(reached) and not enough(without)):
        return reached
    tests = [Item(name, (method,)) for name, _, method in (test.partition("::") for test in reached.hung)]
    alone = _noticed(workers, workspace, [(tests, _PATIENT)])
    if alone.late:
        return reached
    return joined(without, alone.reached)._replace(unrun=reached.unrun, late=reached.late)


def _but_for_hung(reached: Reached) -> Reached:
    failed = {test: at for test, at in reached.failed.items() if test not in reached.hung}
    return reached._replace(failed=failed, hung=())


def _said(output: str) -> dict[str, str]:
    """What failed tests say, by id."""
    blocks = _SAID.findall(output)
    return {name.removesuffix("()").replace(" > ", "::"): dedent(told).strip() for name, told in blocks}


def headline(lines: Iterable[str]) -> str:
    """The first of the lines that say something; with the next where a message begins in a new one."""
    said = (line.strip() for line in lines)
    first = next(filter(None, said), "")
    return f"{first} {next(filter(None, said), '')}".rstrip() if first.endswith(":") else first


def _commonest(output: str) -> str:
    """What failed tests say first most often, but for what only follows from another."""
    lines = Counter(headline(told.splitlines()) for _, told in _SAID.findall(output))
    first = Counter({line: count for line, count in lines.items() if _FOLLOWS not in line}) or lines
    return first.most_common(1)[0][0] if lines else ""


def joined(first: Reached, second: Reached) -> Reached:
    """What tests of both reached, of one module or of two.

    A line may stand there once for each class that has it, of which the one that most passed counts; where
    nothing is there yet, the other stays as it is.
    """
    if first == Reached():
        return second
    passed = Counter[Line]()
    for reached in (first, second):
        own = dict[Line, int]()
        for source, line, count in reached.lines:
            own[source, line] = max(count, own.get((source, line), 0))
        passed.update(own)
    place = {line: number for number, line in enumerate(passed)}
    failed = {
        test: tuple({place[reached.lines[number][:2]]: None for number in places})
        for reached in (first, second)
        for test, places in reached.failed.items()
    }
    thrown = {
        test: place[reached.lines[number][:2]]
        for reached in (first, second)
        for test, number in reached.objected.items()
    }
    lines = tuple(ReachedLine(*line, count) for line, count in passed.items())
    why, slow = first.why or second.why, first.slow or second.slow
    said = {**first.said, **second.said}
    hung, ending = (*first.hung, *second.hung), (*first.ending, *second.ending)
    told = Reached(first.tests + second.tests, lines, failed, thrown, why=why, slow=slow, said=said)
    called, classes = {**first.called, **second.called}, {**first.classes, **second.classes}
    return told._replace(hung=hung, ending=ending, called=called, classes=classes)
