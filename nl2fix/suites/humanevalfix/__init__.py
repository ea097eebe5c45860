"""HumanEvalFix (OctoPack, Muennighoff et al. 2023): 164 functions with a planted bug, in six languages.

Reads a HumanEvalPack file in JSON lines (option ``data``); all its problems must be in one language,
which their ``task_id`` names. Without a file it offers a few problems of our own in the same layout, in
the language of option ``language``. The program is ``declaration`` + ``buggy_solution``; the region is the
function whose body the solution is. The task's two variants differ in what goes with the instruction
``Fix bugs in <entry_point>.``: ``tests`` shows the hidden test's code (and no docstring), ``docs`` the
docstring (and no test); where the file defines helper functions, both show them too. So both variants
share program, workspace and verdicts.

Java: the test, a ``Main`` class whose ``main`` throws when a check fails, is compiled into a file of its
own under the program's imports. Sources are compiled at level 17 where the JDK knows it, as solutions
may use what came after Java 8; Java/75 needs it (JDK 16), and many tests need Java 9. Python: program
and test script are run as one module. The file begins with the imports that the task's own evaluation
puts before every program, less numpy, which no solution uses and the sandbox does not have. JavaScript:
the test's ``console.assert`` are checks, in a realm of their own. Go, C++ and Rust: see ``programs``.
A problem whose libraries are not there is not prepared, with the reason.

Needs the language's tools (Debian: default-jdk-headless, nodejs, golang-go with
golang-github-stretchr-testify-dev, g++, rustc; nothing for Python). ``--data`` is a file of HumanEvalPack
(dataset ``bigcode/humanevalpack``, JSON lines); without it, problems of our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import DataError
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Problem, Span, candidate_from_file
from nl2fix.core.tables import rows
from nl2fix.languages import language
from nl2fix.sandboxes.choose import choose
from nl2fix.suites.humanevalfix import recipes
from nl2fix.suites.plain_java import JavaProject, PlainJava
from nl2fix.suites.plain_python import PlainPython
from nl2fix.suites.spoken import check_language
from nl2fix.validation.command import CommandProgram, CommandValidator
from nl2fix.validation.command.suspicion import reach
from nl2fix.validation.javascript import JavaScriptValidator
from nl2fix.validation.python import PythonProgram, Script

EXPECTED = "a HumanEvalPack file"
FIELDS = (
    *("task_id", "declaration", "buggy_solution", "canonical_solution"),
    *("test", "entry_point", "docstring"),
)
FILES = {"java": "Solution.java", "python": "solution.py", **recipes.FILES}
"""Language → name of the edited file."""
JAVA_LEVELS = ("17", "11", "8")
PYTHON_IMPORTS = """\
import math
import re
import sys
import copy
import datetime
import itertools
import collections
import heapq
import statistics
import functools
import hashlib
import string
from typing import *
from collections import *

"""
RUNTIMES = {"javascript": "node", "go": "go", "cpp": "cpp", "rust": "rust"}
"""Language → kind of runtime, where it is not of its own name."""
OWN = Path(__file__).with_name("own")


@dataclass(frozen=True)
class HumanEvalFixConfig:
    """Options of the suite."""

    data: Path | None = None
    """A HumanEvalPack file, e.g. ``humanevalpack_java.jsonl``; without it, problems of our own."""
    language: Literal["java", "python", "javascript", "go", "cpp", "rust"] | None = None
    """Language of our own problems, Java unless told otherwise; a file says its own."""
    instruction: Literal["tests", "docs"] = "tests"
    """What goes with the instruction: the test's code, or the docstring."""


@dataclass(frozen=True)
class Task:
    """One line of the file, and what it makes."""

    problem: Problem
    reference: Candidate
    test: str
    setup: str = ""
    """Head of Go's test file."""
    libraries: frozenset[str] = frozenset()
    """What it needs that does not come with its language."""


class HumanEvalFix:
    """Satisfies ``core.protocols.Suite``."""

    name = "humanevalfix"

    def __init__(self, config: HumanEvalFixConfig, environment: Environment) -> None:
        self._config, self._environment = config, environment

    def problems(self) -> Sequence[Problem]:
        """All problems of the file, in its order."""
        return [task.problem for task in self._tasks.values()]

    def reference(self, problem: Problem) -> Candidate:
        return self._tasks[problem.id].reference

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """Compile Java; measure what Python's references do; ask others for their tools and libraries."""
        if self._language == "java":
            return self._java.prepare(problems, jobs, progress)
        if self._language in RUNTIMES:
            return self._lacking(problems)
        return self._python.prepare(problems, jobs, progress)

    def made(self, problems: Sequence[Problem]) -> dict[str, list[Path]]:
        """As ``core.protocols.Made``; only Java's problems are files."""
        if self._language != "java":
            return {problem.id: [] for problem in problems}
        return self._java.made(problems)

    def validator(self) -> Validator:
        if self._language == "java":
            return self._java.validator()
        if self._language == "javascript":
            return JavaScriptValidator(self._environment, lambda problem: self._tasks[problem.id].test)
        if self._language in RUNTIMES:
            return CommandValidator(self._environment, self._program, suspicious=reach)
        return self._python.validator()

    @cached_property
    def _python(self) -> PlainPython:
        made = {n: PythonProgram(Script("\n" + task.test), task.reference) for n, task in self._tasks.items()}
        return PlainPython(self._environment, lambda problem: made[problem.id])

    def _program(self, problem: Problem) -> CommandProgram:
        task = self._tasks[problem.id]
        crypto = any(name.startswith("openssl/") for name in task.libraries)
        sources = recipes.Sources(problem.path, task.test, task.setup, crypto, problem.text, problem.entity)
        return recipes.program(problem.language, sources)

    def _lacking(self, problems: Sequence[Problem]) -> dict[str, str]:
        """Problem id → why it cannot be tested here. Missing tools end it all with one line."""
        wanted = sorted({name for p in problems for name in self._tasks[p.id].libraries})
        sandbox = choose(self._environment)
        try:
            sandbox.runtime(RUNTIMES[self._language])
            absent = recipes.missing(sandbox, self._language, wanted)
        finally:
            sandbox.close()
        reasons = {p.id: [absent[n] for n in self._tasks[p.id].libraries if n in absent] for p in problems}
        return {identifier: "; ".join(sorted(lines)) for identifier, lines in reasons.items() if lines}

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        data = self._config.data or OWN / f"{self._config.language or 'java'}.jsonl"
        tasks = read_tasks(data, self._config.instruction)
        check_language(self._config.language, next(iter(tasks.values())).problem.language, data)
        return tasks

    @property
    def _language(self) -> str:
        return next(iter(self._tasks.values())).problem.language

    @cached_property
    def _java(self) -> PlainJava:
        return PlainJava(self.name, self._environment, lambda problem: _java_project(self._tasks[problem.id]))


def make(options: Mapping[str, Any], environment: Environment) -> HumanEvalFix:
    """The suite ``humanevalfix``."""
    return HumanEvalFix(read(HumanEvalFixConfig, options, "suite humanevalfix"), environment)


def read_tasks(file: Path, instruction: Literal["tests", "docs"]) -> dict[str, Task]:
    """Problem id → task; raises ``DataError`` that names the first line which is not as it should be."""
    tasks: dict[str, Task] = {}
    languages: set[str] = set()
    for where, row in _rows(file):
        name = row["task_id"].partition("/")[0].lower()
        languages.add(name)
        if name not in FILES:
            choices = " or ".join([", ".join([*FILES][:-1]), [*FILES][-1]])
            raise DataError(f"{where}: task {row['task_id']!r} is not in {choices}")
        if len(languages) > 1:
            raise DataError(f"{where}: task {row['task_id']!r} is in another language than those before it")
        if row["task_id"] in tasks:
            raise DataError(f"{where}: task {row['task_id']!r} is there a second time")
        tasks[row["task_id"]] = _task(row, name, instruction, where)
    if not tasks:
        raise DataError(f"{file} holds no task; point --data at a HumanEvalPack file in JSON lines")
    return tasks


def _rows(file: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Where it stands, and the checked content of each row."""
    for where, row in rows(file, EXPECTED):
        missing = [key for key in FIELDS if not isinstance(row.get(key), str)]
        if missing:
            raise DataError(f"{where}: no text {', '.join(missing)}; is this {EXPECTED}?")
        yield where, dict(row)


def _task(row: Mapping[str, str], name: str, instruction: Literal["tests", "docs"], where: str) -> Task:
    declaration, needed = _declaration(row, name)
    text = declaration + row["buggy_solution"].rstrip() + "\n"
    region, entity, helpers = _dissect(text, name, len(declaration.rstrip()), where)
    shown = row["test"] if instruction == "tests" else row["docstring"]
    facts = {key: row[key] for key in ("bug_type", "failure_symptoms") if key in row}
    problem = Problem(
        id=row["task_id"],
        suite=HumanEvalFix.name,
        project=row.get("bug_type", "HumanEvalFix"),
        language=name,
        path=FILES[name],
        text=text,
        region=region,
        entity=entity,
        visible=language(name).strip_comments(text[region.start : region.end]),
        instructions={
            "title": f"Fix bugs in {row['entry_point']}.",
            "description": "\n\n".join([*helpers, shown.strip()]),
        },
        metadata=facts if instruction == "docs" else {**facts, "tests": "description"},
    )
    fixed = declaration + row["canonical_solution"].rstrip() + "\n"
    texts = (declaration, row["canonical_solution"], row["test"], row.get("test_setup", ""))
    others = recipes.libraries(name, texts) if name in RUNTIMES else set()
    return Task(
        problem,
        candidate_from_file(problem, fixed),
        row["test"],
        row.get("test_setup", ""),
        frozenset({*others, *needed}),
    )


def _declaration(row: Mapping[str, str], name: str) -> tuple[str, list[str]]:
    """What stands before the solution, and crates it needs; Rust's that nothing names are left out."""
    if name == "python":
        return PYTHON_IMPORTS + row["declaration"], []
    if name == "go":
        return f"package main\n\n{row.get('import', '').strip()}\n{row['declaration']}", []
    if name != "rust":
        return row["declaration"], []
    behind = row["canonical_solution"] + row["buggy_solution"] + row["test"]
    whole, needed = recipes.without_crates(row["declaration"] + "\0" + behind)
    return whole.partition("\0")[0], needed


def _dissect(text: str, name: str, at: int, where: str) -> tuple[Span, str, list[str]]:
    """Region and entity of the function whose head ends at an offset, and the code of those beside it.

    Found by place because the file's ``entry_point`` misspells some functions.
    """
    spoken: Any = language(name)
    units: dict[str, Span] = spoken.entities(text)
    holding = {entity: span for entity, span in units.items() if span.start < at <= span.end}
    if not holding:
        raise DataError(f"{where}: declaration and buggy_solution make no function")
    entity = max(holding, key=lambda e: holding[e].start)
    region = holding[entity]
    beside = [text[s.start : s.end] for s in units.values() if s.end <= region.start or s.start >= region.end]
    return region, entity, beside


def _java_project(task: Task) -> JavaProject:
    imports = task.problem.text.partition("class Solution")[0]
    return JavaProject(
        problem=task.problem,
        reference=task.reference,
        source_file=FILES["java"],
        sources={},
        tests={"Main.java": imports + task.test},
        test_classes=("Main",),
        levels=JAVA_LEVELS,
        trigger_tests=("Main::main",),
    )
