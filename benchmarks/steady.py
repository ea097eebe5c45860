"""Whether observing sees the same of a program each time: each reference against itself.

    python benchmarks/steady.py --suite humanevalfix --data humanevalpack_python.jsonl --times 10

Each problem's reference is observed so many times on the same calls. Printed are the references that differ
from themselves, with the first such call, the calls there were and dropped, and what it cost. The named
baseline is the first time.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import ended

from nl2fix import pipeline
from nl2fix.core.apart import differences
from nl2fix.core.config import Environment
from nl2fix.core.errors import Nl2fixError
from nl2fix.core.observing import CALLS
from nl2fix.core.protocols import HearsTests, Observing, Suite
from nl2fix.core.records import Problem


class Steady(NamedTuple):
    """One problem."""

    problem: str
    calls: int
    dropped: int
    differs: str
    """The first call on which the reference did something else; empty where it never did."""
    fixed: int
    """Calls on which the reference differs from the unedited program."""
    heard: int = 0
    """Calls of its tests, and of tests like them, that were heard each time."""


def steady(suite: Suite, problem: Problem, validator: Observing, times: int) -> Steady:
    """Observe a reference so many times."""
    reference = suite.reference(problem)
    with validator.witness(problem, CALLS) as witness:
        seen = witness.unedited()
        told = [witness.behaviours([reference])[0] for _ in range(times)] if seen.calls else []
        heard = []
        if isinstance(witness, HearsTests):
            heard = [on for _ in range(times) for on in witness.on_tests([reference], reference) if on]
    first = told[0] if told else None
    lost = "" if all(told) else "was not observed each time"
    apart = [str(d) for each in told[1:] if first and each for d in differences(seen.calls, first, each, 1)]
    apart += [f"{on.apart} (of a test)" for on in heard if on.apart]
    fixed = len(differences(seen.calls, seen.unedited, first, CALLS)) if first else 0
    return Steady(
        problem.id,
        len(seen.calls),
        seen.dropped,
        next(iter(apart), lost),
        fixed,
        min((on.beside for on in heard), default=0),
    )


def rows(options: argparse.Namespace) -> Iterator[Steady]:
    environment = Environment(cache=pipeline.default_cache(), jobs=1)
    data = {} if options.data is None else {"data": str(options.data.resolve())}
    suite = pipeline.make_suite(pipeline.Choice(options.suite, data), environment)
    problems = list(suite.problems())[:: options.every]
    suite.prepare(problems, 1, lambda *_: None)
    with closing(suite.validator()) as validator:
        assert isinstance(validator, Observing)
        for problem in problems:
            try:
                yield steady(suite, problem, validator, options.times)
            except Nl2fixError as error:
                yield Steady(problem.id, 0, 0, str(error), 0)


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--suite", default="humanevalfix")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--every", type=int, default=1, help="take each such problem only")
    found = []
    for row in rows(parser.parse_args()):
        found.append(row)
        print(
            f"{row.problem}: {row.calls} calls, {row.dropped} dropped, {row.fixed} fixed, {row.heard} heard",
            row.differs,
            flush=True,
        )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unsteady = sum(bool(row.differs) for row in found)
    print(f"{unsteady} of {len(found)} references differ from themselves;")
    print(f"{sum(not row.calls for row in found)} cannot be called;")
    print(f"{sum(not row.fixed for row in found)} show no difference between program and fix;")
    print(f"{used.ru_utime + used.ru_stime:.0f} s of CPU time in workers that have ended")


if __name__ == "__main__":
    main()
