"""Speed of the JavaScript validator beside one Node process a candidate, on HumanEvalFix.

Each problem's candidates (its reference, its unedited program and small edits of both) are judged by both
sides in turn, so that both meet the same load. Prints the time a candidate, the ratio, and whether verdicts
agree.

    python benchmarks/javascript.py [--data humanevalpack_js.jsonl] [--problems 20] [--n 20]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path

import ended
from spent import Spent, spent

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Validator
from nl2fix.core.records import Candidate, Problem
from nl2fix.suites.humanevalfix import HumanEvalFix, make

SECONDS = 10


def candidates(suite: HumanEvalFix, problem: Problem, count: int) -> list[Candidate]:
    """Distinct programs: reference, unedited program, and both with one number or operator changed."""
    codes: dict[str, None] = {}
    for code in (suite.reference(problem).code, problem.before):
        codes[code] = None
        for match in re.finditer(r"\b\d+\b|<=|>=|<|>|\+|-(?!>)", code):
            for new in ("1", "2") if match[0].isdigit() else ("<", "+", "*"):
                codes[code[: match.start()] + new + code[match.end() :]] = None
    return [Candidate(code) for code in list(codes)[:count]]


def plainly(source: str, tests: str) -> bool:
    """One process of its own, as the benchmark's authors run it: whatever is printed is a failure."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "test.js")
        file.write_text(f"{source}\n{tests}")
        try:
            ended = subprocess.run(["node", file], capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return ended.returncode == 0 and not ended.stderr and not ended.stdout


def main() -> int:
    ended.by_sigterm()
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--problems", type=int, default=20)
    parser.add_argument("--n", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        data = {"data": str(options.data)} if options.data else {"language": "javascript"}
        return compare(make(data, Environment(Path(cache), jobs=1)), options.problems, options.n)


def compare(suite: HumanEvalFix, problems: int, n: int) -> int:
    every = max(1, len(suite.problems()) // problems)
    ours, theirs = Spent(), Spent()
    here, there = list[bool](), list[bool]()
    judged = list[tuple[Problem, Candidate]]()
    with closing(suite.validator()) as validator:
        for problem in list(suite.problems())[::every][:problems]:
            drawn = candidates(suite, problem, n)
            judged += [(problem, candidate) for candidate in drawn]
            ours = ours.and_(spent(partial(warm, validator, problem, drawn, here)))
            theirs = theirs.and_(spent(partial(one_by_one, suite, problem, drawn, there)))
            print(f"{problem.id}: {len(here)} candidates, {theirs.times(ours)}", file=sys.stderr)
    count = len(here)
    print(f"{count} candidates, {sum(here)} plausible; ours {ours.each(count)}; by Node {theirs.each(count)}")
    print(theirs.times(ours))
    different = [each for each, one, other in zip(judged, here, there, strict=True) if one != other]
    print(f"verdicts that differ: {len(different)}")
    for problem, candidate in different:
        print(f"{problem.id}\n{candidate.apply(problem)}", file=sys.stderr)
    return int(bool(different))


def warm(validator: Validator, problem: Problem, drawn: list[Candidate], plausible: list[bool]) -> None:
    with validator.session(problem) as session:
        plausible += [session.validate(candidate).plausible for candidate in drawn]


def one_by_one(suite: HumanEvalFix, problem: Problem, drawn: list[Candidate], plausible: list[bool]) -> None:
    tests = suite._tasks[problem.id].test
    plausible += [plainly(candidate.apply(problem), tests) for candidate in drawn]


if __name__ == "__main__":
    sys.exit(main())
