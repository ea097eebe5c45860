"""Which test classes reach the edited file: read from compiled classes, then tried without the file.

Contract of ``can_reach``: a class refers to every known class whose name stands in its constant pool, be
it as a type, in a signature or as text (``Class.forName``); a test class can reach what it refers to,
directly or not. Names that a program makes up while it runs are not seen.

Contract of ``reaching``: of the classes that can reach the file, those with a test that fails when the
file's classes are taken away. The first failure ends a class, so most of those that reach the file cost
next to nothing; what does not end in time is told apart. Some run together, so that the program's classes are
loaded once for all of them: what one could not initialise for want of the file, another cannot either.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from nl2fix.core.records import Problem
from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.classfile import texts
from nl2fix.validation.jvm.worker import Item, Limit, Phase, Plan, WorkerLost
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

SLOW = Limit(cpu=10.0, wall=30.0)
"""Seconds a test class may take to be among those that judge candidates unasked: no more than all may."""
_LOOK = SLOW
"""Seconds a test class may take without the file."""
_PATIENCE = 60.0
"""Seconds by the clock after which no other class is tried, if some reach the file."""
_TOGETHER = 10
"""Test classes that are tried in one class loader."""

_TYPE = re.compile(r"L([^;<:()]+)[;<]")


class Looked(NamedTuple):
    """Which test classes reach a file, in the order in which they were to be tried."""

    reaching: tuple[str, ...]
    late: tuple[str, ...]
    """Those that did not end in time, or that there was no time for."""


def reaching(workers: Workers, workspace: Workspace, problem: Problem, tests: Sequence[str]) -> Looked:
    """Which of ``tests`` (binary names, the likeliest first) reach the workspace's file.

    Tries as many at a time as the environment has jobs. Raises ``DataError`` when the unedited file does
    not compile.
    """
    bench = Bench(workspace, problem, workers)
    try:
        owned = bench.original()
    finally:
        bench.close()
    folders = [workspace.path(folder) for folder in (*workspace.classes, *workspace.test_classes)]
    possible = can_reach(folders, tests, owned)
    jobs = workers.environment.jobs
    benches = [Bench(workspace, problem, workers) for _ in range(jobs)]
    plan = Plan({}, owned, workers.class_folder(workspace), (), stop=False, phases=(), wall=0.0, brief=True)
    wanted = [test for test in tests if test in possible]
    looking = _Looking(
        deque(tuple(wanted[i : i + _TOGETHER]) for i in range(0, len(wanted), _TOGETHER)), plan
    )
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for future in [pool.submit(looking.by, each) for each in benches]:
                future.result()
        except BaseException:
            looking.left.clear()
            for each in benches:
                each.abort()
            raise
    late = {*looking.late, *chain(*looking.left)}
    return Looked(tuple(t for t in tests if t in looking.found), tuple(t for t in tests if t in late))


@dataclass
class _Looking:
    """Test classes that are tried without the file, by several threads."""

    left: deque[tuple[str, ...]]
    """Those that are tried together, each time."""
    plan: Plan
    found: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)
    end: float = field(default_factory=lambda: time.monotonic() + _PATIENCE)

    def by(self, bench: Bench) -> None:
        """Try classes until none is left, or it took long enough."""
        bench.trusts = True
        try:
            while not (self.found and time.monotonic() > self.end):
                tests = self.left.popleft()
                self._try(bench, tests)
        except IndexError:
            return
        finally:
            bench.close()

    def _try(self, bench: Bench, tests: tuple[str, ...]) -> None:
        """One that ends its JVM may do so for want of the file; which of several it was is tried again."""
        phases = tuple(Phase(_LOOK, (Item(test),)) for test in tests)
        enough = max(self.end - time.monotonic(), 0.01) if self.found else 0.0
        plan = replace(self.plan, phases=phases, wall=_LOOK.wall * len(tests), enough=enough)
        try:
            report = bench.run_warm(plan)
        except WorkerLost:
            bench.drop_tester()
            self.left.extendleft((test,) for test in reversed(tests) if len(tests) > 1)
            self.found.update(tests if len(tests) == 1 else ())
            return
        self.found.update(tests[result.item] for result in report.results if result.outcome in "FC")
        if report.timed_out:
            late = len(report.seconds)
            self.late.update(test for test in tests[late : late + 1] if test not in self.found)
            self.left.extendleft([tests[late + 1 :]] if tests[late + 1 :] else [])


def can_reach(folders: Sequence[Path], tests: Iterable[str], wanted: Iterable[str]) -> set[str]:
    """Those of ``tests`` (binary names) that refer to a wanted class, directly or through others."""
    contents = {name: content for folder in folders for name, content in _classes(folder)}
    users: dict[str, set[str]] = {}
    for name, content in contents.items():
        for other in _mentioned(content):
            if other in contents:
                users.setdefault(other, set()).add(name)
    reached: set[str] = set()
    new = {name.replace(".", "/") for name in wanted}
    while new:
        reached |= new
        new = {user for name in new for user in users.get(name, ())} - reached
    return {test for test in tests if test.replace(".", "/") in reached}


def _mentioned(content: bytes) -> set[str]:
    names = set()
    for text in texts(content):
        names.add(text.replace(".", "/"))
        names.update(_TYPE.findall(text))
    return names


def _classes(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in folder.rglob("*.class"):
        yield file.relative_to(folder).with_suffix("").as_posix(), file.read_bytes()
