"""Candidates of an Exercism track and of CanItEdit-like problems: our validator against one process each.

Prints the time per distinct candidate for both sides, on the clock and of processors, run problem by problem
in turns, and their ratio. The other side is what the benchmarks themselves do, files in a fresh folder and
one process: for exercises ``pytest``, as aider runs them today, and ``python -m unittest discover -p
'*_test.py'``, as it did at first; else ``python program.py``.

    python benchmarks/python_suites.py exercism TRACK 20
    python benchmarks/python_suites.py canitedit FILE 20
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path

from spent import Spent, spent

from nl2fix.core.config import Environment
from nl2fix.core.records import Candidate, Problem
from nl2fix.pipeline.components import SUITES
from nl2fix.validation.python import PythonProgram, PythonValidator, Script
from nl2fix.validation.python.programs import files_after

PYTEST, UNITTEST, SCRIPT = "-m pytest -p no:cacheprovider", "-m unittest discover -p *_test.py", "-B"
_WITHOUT_PLUGINS = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""pytest as it comes: what else is installed here is not aider's."""
DISTINCT = 20
"""Candidates of each problem: so many of CanItEdit's completions are distinct at most."""


def main() -> None:
    name, data, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as cache:
        suite = SUITES.load(name)({"data": data} if data else {}, Environment(cache=Path(cache), jobs=1))
        problems = list(suite.problems())[:count]
        with closing(suite.validator()) as validator:
            errors = validator.prepare(problems, 1, lambda *_: None)
            chosen = [problem for problem in problems if problem.id not in errors]
            for label, share in (("none right", 0), ("one in four right", 4)):
                compare(label, validator, chosen, share)


def compare(label: str, validator: PythonValidator, problems: list[Problem], share: int) -> None:
    ours, theirs, judged = Spent(), dict[str, Spent](), 0
    for problem in problems:
        program = validator._programs(problem)
        candidates = variants(problem, program, share)
        judged += len(candidates)
        for words in (SCRIPT,) if isinstance(program.run, Script) else (PYTEST, UNITTEST):
            one = spent(partial(one_by_one, problem, candidates, program, words.split()))
            theirs[words] = theirs.get(words, Spent()).and_(one)
        ours = ours.and_(spent(partial(warm, validator, problem, candidates)))
    print(f"{label}: {judged} candidates; ours {ours.each(judged)}")
    for words, one in theirs.items():
        print(f"{label}: python {words} each {one.each(judged)}: {one.times(ours)}", flush=True)


def variants(problem: Problem, program: PythonProgram, share: int) -> list[Candidate]:
    """Distinct candidates: the stub, and where it is their turn the reference, each with its own name."""
    reference = program.reference.apply(problem)
    texts = [reference if share and i % share == 0 else problem.text for i in range(DISTINCT)]
    return [Candidate(f"{text}\n_variant_{i} = {i}\n") for i, text in enumerate(texts)]


def warm(validator: PythonValidator, problem: Problem, candidates: list[Candidate]) -> None:
    with validator.session(problem) as session:
        for candidate in candidates:
            session.validate(candidate)


def one_by_one(
    problem: Problem, candidates: list[Candidate], program: PythonProgram, words: list[str]
) -> None:
    for candidate in candidates:
        with tempfile.TemporaryDirectory() as folder:
            files = files_after(problem, candidate) | dict(program.tests)
            if isinstance(program.run, Script):
                files[problem.path] += program.run.text
            for path, text in files.items():
                Path(folder, path).write_text(text, encoding="utf-8")
            command = [sys.executable, *words, *([problem.path] if words == [SCRIPT] else [])]
            subprocess.run(command, cwd=folder, capture_output=True, timeout=60, env=_WITHOUT_PLUGINS)


if __name__ == "__main__":
    main()
