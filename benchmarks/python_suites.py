"""Candidates of an Exercism track and of CanItEdit-like problems: our validator against one process each.

Prints the time per distinct candidate for both sides, on the clock and of processors, run problem by problem
in turns, and their ratio. The other side is what the benchmarks themselves do, files in a fresh folder and
one process: for exercises ``pytest``, as aider runs them today, and ``python -m unittest discover -p
'*_test.py'``, as it did at first; else ``python program.py``.

    python benchmarks/python_suites.py exercism TRACK 20
    python benchmarks/python_suites.py canitedit FILE 20

CanItEdit's programs use NumPy, Pandas and others; ours do not. ``--python`` names an interpreter for both
sides, and ``--library`` a module of its that every program of CanItEdit's layout then imports first:

    python benchmarks/python_suites.py canitedit '' 8 --python venv/bin/python --library pandas
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path

import ended
from spent import Spent, spent

from nl2fix.core.config import Environment
from nl2fix.core.records import Candidate, Problem
from nl2fix.core.tables import rows
from nl2fix.pipeline.registries import SUITES
from nl2fix.suites.canitedit import OWN
from nl2fix.validation.python import PythonProgram, PythonValidator, Script
from nl2fix.validation.python.programs import files_after

PYTEST, UNITTEST, SCRIPT = "-m pytest -p no:cacheprovider", "-m unittest discover -p *_test.py", "-B"
_WITHOUT_PLUGINS = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""pytest as it comes: what else is installed here is not aider's."""
DISTINCT = 20
"""Candidates of each problem: so many of CanItEdit's completions are distinct at most."""


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("suite", choices=("exercism", "canitedit"))
    parser.add_argument("data")
    parser.add_argument("problems", type=int)
    parser.add_argument("--python", default="")
    parser.add_argument("--library", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        environment = Environment(cache=Path(cache), jobs=1).having("sandbox", python=given.python)
        data = importing(given.library, given.data, Path(cache)) if given.library else given.data
        suite = SUITES.load(given.suite)({"data": data} if data else {}, environment)
        problems = list(suite.problems())[: given.problems]
        with closing(suite.validator()) as validator:
            errors = validator.prepare(problems, 1, lambda *_: None)
            for problem, why in errors.items():
                print(f"{problem}: {why}", file=sys.stderr)
            chosen = [one for one in problems if one.id not in errors]
            for label, share in (("none right", 0), ("one in four right", 4)):
                compare(label, validator, chosen, share, given.python or sys.executable)


def importing(library: str, data: str, folder: Path) -> str:
    """A file as the data, or as our own problems, of which each program imports a library."""
    read = [dict(row) for _, row in rows(Path(data) if data else OWN, "a CanItEdit file")]
    first = f"import {library}\n"
    changed = [{**row, "before": first + row["before"], "after": first + row["after"]} for row in read]
    file = folder / "importing.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in changed), encoding="utf-8")
    return str(file)


def compare(label: str, validator: PythonValidator, problems: list[Problem], share: int, python: str) -> None:
    ours, theirs, judged = Spent(), dict[str, Spent](), 0
    for problem in problems:
        program = validator._programs(problem)
        candidates = variants(problem, program, share)
        judged += len(candidates)
        for words in (SCRIPT,) if isinstance(program.run, Script) else (PYTEST, UNITTEST):
            one = spent(partial(one_by_one, problem, candidates, program, [python, *words.split()]))
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
    problem: Problem, candidates: list[Candidate], program: PythonProgram, command: list[str]
) -> None:
    command = [*command, problem.path] if isinstance(program.run, Script) else command
    for candidate in candidates:
        with tempfile.TemporaryDirectory() as folder:
            files = files_after(problem, candidate) | dict(program.tests)
            if isinstance(program.run, Script):
                files[problem.path] += program.run.text
            for path, text in files.items():
                Path(folder, path).write_text(text, encoding="utf-8")
            subprocess.run(command, cwd=folder, capture_output=True, timeout=60, env=_WITHOUT_PLUGINS)


if __name__ == "__main__":
    main()
