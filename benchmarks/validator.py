"""Candidates per second of the JVM validator and of one ``javac`` and one ``java`` per candidate.

    python benchmarks/validator.py --data humanevalpack_java.jsonl [--problems 12] [--n 20]
    python benchmarks/validator.py --suite examples

Candidates are those of the mutation baseline, all distinct, judged one at a time by both sides in this
one run. The baseline writes the edited file, compiles it against the prepared classes and runs all test
classes in a JVM with default flags; it confirms nothing. The validator confirms plausible candidates in
a fresh JVM, included in its figures. Both run without a sandbox, so that the CPU time of every process
they start is counted. Prints rates by wall and by CPU time, their ratios, and every difference of
verdicts; the exit code is 1 if there is one.
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
from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.core.records import Candidate, Outcome, Problem, Prompt, Request
from nl2fix.models import mutation
from nl2fix.pipeline import choice, make_suite
from nl2fix.validation.jdk import find
from nl2fix.validation.jvm.validator import JvmValidator, TimeLimits
from nl2fix.validation.workspace import Workspace


@dataclass
class Spent:
    """Seconds of one side."""

    wall: float = 0.0
    cpu: float = 0.0


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


def compare(
    validator: JvmValidator, problems: Sequence[Problem], n: int, progress: Callable[[str], None]
) -> tuple[Spent, Spent, list[tuple[str, Outcome, Outcome]]]:
    """Judge all candidates both ways."""
    jdk, ours, theirs, pairs = find(), Spent(), Spent(), []
    for problem in problems:
        workspace, proposals = validator.workspace(problem), candidates(problem, n)
        with measured(ours), validator.session(problem) as session:
            mine = [session.validate(candidate).outcome for candidate in proposals]
        limit = TimeLimits.of(workspace, 0).total.wall
        with measured(theirs):
            other = [naive(workspace, candidate.apply(problem), jdk, limit) for candidate in proposals]
        pairs += [(problem.id, a, b) for a, b in zip(mine, other, strict=True)]
        progress(f"{problem.id}: {len(proposals)} candidates")
    with measured(ours):
        validator.close()
    return ours, theirs, pairs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--suite", default="humanevalfix")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--problems", type=int, default=12)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "nl2fix")
    options = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)
    environment = Environment(cache=options.cache, jobs=1, sandbox="none")
    chosen = {"name": options.suite} | ({"data": str(options.data)} if options.data else {})
    suite = make_suite(choice(chosen, "suite"), environment)
    every = max(1, len(suite.problems()) // options.problems)
    problems = list(suite.problems())[::every][: options.problems]
    if errors := suite.prepare(problems, 1, lambda done, total, label: None):
        raise SystemExit(str(errors))
    validator = suite.validator()
    if not isinstance(validator, JvmValidator):
        raise SystemExit(f"suite {options.suite} is not judged by the JVM validator")
    ours, theirs, pairs = compare(validator, problems, options.n, lambda line: print(line, file=sys.stderr))
    count = len(pairs)
    print(f"{count} distinct candidates of {len(problems)} problems of {options.suite}")
    print("outcomes:", ", ".join(f"{o.value} {k}" for o, k in Counter(a for _, a, _ in pairs).most_common()))
    for name, spent in (("validator", ours), ("javac + java", theirs)):
        wall, cpu = spent.wall, spent.cpu
        print(f"{name:>12}: {count / wall:8.2f} per s wall  {cpu / count * 1000:9.2f} ms CPU each")
    print(f"{'ratio':>12}: {theirs.wall / ours.wall:8.1f} × wall      {theirs.cpu / ours.cpu:9.1f} × CPU")
    different = [pair for pair in pairs if pair[1] is not pair[2]]
    print(f"same verdicts: {count - len(different)} of {count}")
    for problem, a, b in different:
        print(f"  {problem}: validator {a.value}, javac + java {b.value}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
