"""CanItEdit (Cassano et al. 2023): Python programs, two instructions each, tests behind the program.

``--data`` is a file of the release, JSON lines or Parquet; without it, eight problems of our own in the same
layout. The two instructions are two settings of one problem (``prompt.instruction`` is ``descriptive`` or
``lazy``), so both share program, tests and verdicts. A program and its tests are run as one script, as the
authors run them, with ``__name__`` being ``__main__``.

Libraries (NumPy, Pandas, PyTorch, Z3, …) come from the interpreter that ``sandbox.python`` names; what a
problem needs is read off its imports. One whose library is missing is left out, with the reason.

Needs nothing for our own problems; for the release (dataset ``nuprl/CanItEdit``, JSON lines or Parquet):
``--data FILE`` and an interpreter with numpy, pandas, torch, z3 and others, ``--set sandbox.python=…``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Problem, Span
from nl2fix.core.tables import rows
from nl2fix.suites.plain_python import PlainPython
from nl2fix.validation.python import PythonProgram, Script

OWN = Path(__file__).with_name("problems.jsonl")
TEXTS = ("full_name", "name", "before", "after", "tests", "instruction_descriptive", "instruction_lazy")
TAXONOMY = ("change_kind", "topic")
EXPECTED = "a file of the CanItEdit release"
MEND = f"is this {EXPECTED}?"


@dataclass(frozen=True)
class CanItEditConfig:
    """Options of the suite."""

    data: Path | None = None
    """A file of the release (``.jsonl`` or ``.parquet``); empty means our own eight problems."""


@dataclass(frozen=True)
class EditTask:
    """One row of the file, and what it makes."""

    problem: Problem
    program: PythonProgram


class CanItEdit:
    """Satisfies ``core.protocols.Suite``."""

    name = "canitedit"

    def __init__(self, data: Path, environment: Environment) -> None:
        self._data = data
        self._python = PlainPython(environment, lambda problem: self._tasks[problem.id].program)

    def problems(self) -> Sequence[Problem]:
        """All problems of the file, in its order."""
        return [task.problem for task in self._tasks.values()]

    def reference(self, problem: Problem) -> Candidate:
        return self._tasks[problem.id].program.reference

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """Run every reference once; id → what library is missing, or why it does not pass its tests."""
        return self._python.prepare(problems, jobs, progress)

    def validator(self) -> Validator:
        return self._python.validator()

    @cached_property
    def _tasks(self) -> dict[str, EditTask]:
        return read_tasks(self._data)


def make(options: Mapping[str, Any], environment: Environment) -> CanItEdit:
    """The suite ``canitedit``."""
    config = read(CanItEditConfig, options, "suite canitedit")
    return CanItEdit(config.data or OWN, environment)


def read_tasks(file: Path) -> dict[str, EditTask]:
    """Problem id → task; ``DataError`` names the row and the field that is not as it should be."""
    tasks: dict[str, EditTask] = {}
    for where, row in rows(file, EXPECTED):
        task = _task(where, row)
        if task.problem.id in tasks:
            raise DataError(f"{where}: full_name {task.problem.id!r} is there a second time")
        tasks[task.problem.id] = task
    if not tasks:
        raise DataError(f"{file} holds no problem; {MEND}")
    return tasks


def _task(where: str, row: Mapping[str, Any]) -> EditTask:
    for field in TEXTS:
        if not isinstance(row.get(field), str):
            raise DataError(f"{where}: no text {field}; {MEND}")
    taxonomy = row.get("taxonomy")
    if not isinstance(taxonomy, Mapping):
        raise DataError(f"{where}: no table taxonomy; {MEND}")
    for field in TAXONOMY:
        if not isinstance(taxonomy.get(field), str):
            raise DataError(f"{where}: no text taxonomy.{field}; {MEND}")
    before = row["before"]
    problem = Problem(
        id=row["full_name"],
        suite=CanItEdit.name,
        project=taxonomy["topic"],
        language="python",
        path=f"{row['name']}.py" if row["name"].isidentifier() else "program.py",
        text=before,
        region=Span(0, len(before)),
        entity="",
        visible=before,
        instructions={"descriptive": row["instruction_descriptive"], "lazy": row["instruction_lazy"]},
        metadata={field: taxonomy[field] for field in TAXONOMY},
    )
    needed = libraries(before, row["after"], row["tests"])
    script = Script("\n\n" + row["tests"], main=True)
    return EditTask(problem, PythonProgram(script, Candidate(row["after"]), {}, needed))


def libraries(*programs: str) -> tuple[str, ...]:
    """Top-level modules that programs import and that are not part of Python, sorted."""
    names: set[str] = set()
    for program in programs:
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names.update(name.name.partition(".")[0] for name in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return tuple(sorted(names - sys.stdlib_module_names))
