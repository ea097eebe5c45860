"""Candidates per second of the JVM validator and of one ``javac`` and one ``java`` per candidate.

    python benchmarks/validator.py --data humanevalpack_java.jsonl [--problems 12] [--n 20] [--every 10]
    python benchmarks/validator.py --suite examples

Candidates are those of the mutation baseline, all distinct, judged one at a time by both sides in this
one run; with ``--every K`` the other side judges each K-th only, and times are a candidate's. The baseline
writes the edited file, compiles it against the prepared classes and runs all test classes in a JVM with
default flags; it confirms nothing. The validator confirms plausible candidates in a fresh JVM, included in
its figures. Both run without a sandbox, so that the CPU time of every process they start is counted. Prints
rates by wall and by CPU time, their ratios (all candidates, and those that neither side stopped for their
time), and every difference of verdicts; the exit code is 1 if a candidate is plausible on one side only. A
loop that fills the memory may be out of time on our side and out of memory on the other, which gives it
20 s and more.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import ended
from settled import settle

from nl2fix import mutation
from nl2fix.core.config import Environment
from nl2fix.core.protocols import Session
from nl2fix.core.records import Candidate, Outcome, Problem, Prompt, Request
from nl2fix.pipeline import choice, make_suite
from nl2fix.sandboxes.jdk import find
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.validator import JvmValidator
from nl2fix.validation.jvm.workspace import Workspace


@dataclass
class Spent:
    """Seconds of one side."""

    wall: float = 0.0
    cpu: float = 0.0
    count: int = 0
    """Candidates it judged."""

    def each(self) -> tuple[float, float]:
        """Wall and processor seconds of a candidate."""
        return self.wall / self.count, self.cpu / self.count


@contextmanager
def measured(spent: Spent) -> Iterator[None]:
    wall, cpu = time.perf_counter(), _cpu()
    yield
    spent.wall += time.perf_counter() - wall
    spent.cpu += _cpu() - cpu


def _cpu() -> float:
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total


def candidates(problem: Problem, n: int) -> list[Candidate]:
    """The first proposals of the mutation baseline."""
    request = Request(problem, Prompt(()), tuple(range(n)))
    answers = mutation.Mutation().complete([request])
    return [Candidate(answer.code) for answer in answers if answer.code is not None]


def naive(workspace: Workspace, text: str, jdk: Path, limit: float) -> Outcome:
    """One compiler process and one test process."""
    folders = (*workspace.classes, *workspace.test_classes, *workspace.libraries)
    path = ":".join(str(workspace.path(folder)) for folder in folders)
    root = Path(tempfile.mkdtemp(prefix="naive-"))
    try:
        source = root / "src" / workspace.source_file
        source.parent.mkdir(parents=True)
        source.write_text(text, encoding=workspace.encoding)
        (root / "out").mkdir()
        level = ["-source", workspace.source_level, "-target", workspace.source_level]
        options = ["-nowarn", "-proc:none", "-g", "-encoding", workspace.encoding, *level]
        compiler = [str(jdk / "bin" / "javac"), *options, "-cp", path, "-d", str(root / "out"), str(source)]
        if _run(compiler, root, 60.0) != 0:
            return Outcome.UNCOMPILABLE
        names = [test.name for test in workspace.regression]
        program = all(test.tests == (f"{test.name}::main",) for test in workspace.regression)
        runner = names if program else ["org.junit.runner.JUnitCore", *names]
        tests = [str(jdk / "bin" / "java"), "-cp", f"{root / 'out'}:{path}", *runner]
        status = _run(tests, root, limit)
        return {0: Outcome.PLAUSIBLE, None: Outcome.TIMEOUT}.get(status, Outcome.WRONG)
    finally:
        shutil.rmtree(root)


def _run(command: Sequence[str], folder: Path, limit: float) -> int | None:
    """Exit status, or None after the time limit."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


@dataclass(frozen=True)
class Pair:
    """One candidate, judged both ways: outcomes and wall seconds, ours first."""

    problem: str
    outcomes: tuple[Outcome, Outcome]
    seconds: tuple[float, float]


def timed(
    judge: Callable[[Candidate], Outcome], proposals: Sequence[Candidate]
) -> list[tuple[Outcome, float]]:
    """Outcome and wall seconds of each candidate."""
    judged = []
    for candidate in proposals:
        start = time.perf_counter()
        judged.append((judge(candidate), time.perf_counter() - start))
    return judged


def ours_on(session: Session, proposals: Sequence[Candidate]) -> list[tuple[Outcome, float]]:
    """Outcome and wall seconds of each candidate, those included in which it is judged again."""

    def judge(candidate: Candidate) -> Outcome:
        return session.validate(candidate).outcome

    def again(candidate: Candidate) -> None:
        ((outcome, seconds),) = timed(judge, [candidate])
        place = places[candidate.key]
        judged[place] = outcome, judged[place][1] + seconds

    judged = timed(judge, proposals)
    places = {candidate.key: place for place, candidate in enumerate(proposals)}
    settle(session, again)
    return judged


def both(
    validator: JvmValidator,
    problem: Problem,
    proposals: Sequence[Candidate],
    every: int,
    spent: tuple[Spent, Spent],
) -> Iterator[Pair]:
    """Candidates of one problem, judged by the validator, then each of so many by the baseline."""
    workspace, jdk = validator.workspace(problem), find()
    limit = sum(phase.limit.wall for phase in TimeLimits().classes(workspace.regression, ()))
    with measured(spent[0]), validator.session(problem) as session:
        mine = ours_on(session, proposals)
    with measured(spent[1]):
        some = proposals[::every]
        other = timed(lambda candidate: naive(workspace, candidate.apply(problem), jdk, limit), some)
    spent[0].count += len(proposals)
    spent[1].count += len(some)
    for (a, x), (b, y) in zip(mine[::every], other, strict=True):
        yield Pair(problem.id, (a, b), (x, y))


def compare(
    validator: JvmValidator, problems: Sequence[Problem], n: int, every: int, progress: Callable[[str], None]
) -> tuple[Spent, Spent, list[Pair]]:
    """Judge all candidates both ways."""
    ours, theirs = Spent(), Spent()
    pairs: list[Pair] = []
    for problem in problems:
        pairs += both(validator, problem, candidates(problem, n), every, (ours, theirs))
        progress(f"{problem.id}: {ours.count} candidates so far")
    with measured(ours):
        validator.close()
    return ours, theirs, pairs


def main() -> int:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--suite", default="humanevalfix")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--problems", type=int, default=12)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "nl2fix")
    options = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)
    environment = Environment(cache=options.cache, jobs=1).having("sandbox", name="none")
    chosen = {"name": options.suite} | ({"data": str(options.data)} if options.data else {})
    suite = make_suite(choice(chosen, "suite"), environment)
    every = max(1, len(suite.problems()) // options.problems)
    problems = list(suite.problems())[::every][: options.problems]
    if errors := suite.prepare(problems, 1, lambda done, total, label: None):
        raise SystemExit(str(errors))
    validator = suite.validator()
    if not isinstance(validator, JvmValidator):
        raise SystemExit(f"suite {options.suite} is not judged by the JVM validator")
    tell = partial(print, file=sys.stderr)
    ours, theirs, pairs = compare(validator, problems, options.n, options.every, tell)
    print(f"{ours.count} distinct candidates of {len(problems)} problems of {options.suite}")
    return table(ours, theirs, pairs)


def table(ours: Spent, theirs: Spent, pairs: Sequence[Pair]) -> int:
    """Print what was measured; 1 if the sides disagree on what is plausible."""
    count = len(pairs)
    print("outcomes:", ", ".join(f"{o.value} {k}" for o, k in Counter(p.outcomes[0] for p in pairs).items()))
    for name, spent in (("validator", ours), ("javac + java", theirs)):
        wall, cpu = spent.each()
        print(f"{name:>12}: {1 / wall:8.2f} per s wall  {cpu * 1000:9.2f} ms CPU each, {spent.count} judged")
    wall, cpu = (b / a for a, b in zip(ours.each(), theirs.each(), strict=True))
    print(f"{'ratio':>12}: {wall:8.1f} × wall      {cpu:9.1f} × CPU")
    prompt = [pair for pair in pairs if Outcome.TIMEOUT not in pair.outcomes]
    a, b = (sum(pair.seconds[side] for pair in prompt) for side in (0, 1))
    print(f"without time-outs: {len(prompt)} candidates, {b / a:.1f} × wall")
    different = [pair for pair in pairs if len(set(pair.outcomes)) > 1]
    serious = sum(Outcome.PLAUSIBLE in pair.outcomes for pair in different)
    print(f"plausible or not, alike: {count - serious} of {count}; same outcome: {count - len(different)}")
    for pair in different:
        print(f"  {pair.problem}: validator {pair.outcomes[0].value}, javac + java {pair.outcomes[1].value}")
    return int(serious > 0)


if __name__ == "__main__":
    sys.exit(main())
