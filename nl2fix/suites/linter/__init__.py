"""Linter repair (CodeLinterEval of MERA Code, and problems of your own): code, and what a linter says of it.

``--data`` is a CodeLinterEval file or one that ``nl2fix lint-problems`` made of any source tree; without it,
problems of our own in Python and Java. A problem is one whole file. Two verdicts are told: the published
one, no message is left, and ours, which asks besides that none is silenced and that the code does what it
did (``validation.lint``).

A problem's reference is the file's own ``fixed``; else what the linter's own fixer makes of it; for
CodeLinterEval, whose canonical code is often another program with another name, that only where the fixer
leaves messages. A reference that does not pass is no sound problem: ``nl2fix gold`` lists it.

Needs the linter that wrote the messages: flake8 or ruff for Python, a JDK or Checkstyle for Java. ``--data``
is a CodeLinterEval file, or one made with ``nl2fix lint-problems PATH``.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import UsageError
from nl2fix.core.files import write_atomically
from nl2fix.core.protocols import Progress, Validator
from nl2fix.core.records import Candidate, Problem, Span, sha256_text
from nl2fix.suites.linter import rows
from nl2fix.suites.linter.rows import Row
from nl2fix.validation.command import CommandProgram, CommandValidator
from nl2fix.validation.command.validator import BUILT
from nl2fix.validation.lint import Desk, LintTask, LintValidator, Recorded, fixers
from nl2fix.validation.lint.desk import Linted
from nl2fix.validation.python import PythonProgram, PythonValidator, Script

OWN = Path(__file__).with_name("problems.jsonl")
JAVA_SOURCES = ("Main.java", "Nl2fixTests.java", "$(find src -name '*.java')")
JAVA_TESTS = """\
public class Nl2fixTests {
    public static void main(String[] arguments) throws Throwable {
        String word = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine();
        Main.main(new String[0]);
        System.out.println("\\n" + word);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
"""
"""Runs ``Main`` and says so when it is done."""
_TITLES = {"flake8": "flake8", "ruff": "ruff", "checkstyle": "Checkstyle", "javac": "javac -Xlint"}


@dataclass(frozen=True)
class LinterConfig:
    """Options of the suite."""

    data: Path | None = None
    """A CodeLinterEval file or one of ``nl2fix lint-problems``; empty means our own problems."""


class LinterSuite:
    """Satisfies ``core.protocols.Suite``."""

    name = "linter"

    def __init__(self, data: Path, environment: Environment) -> None:
        self._data, self._environment = data, environment
        self._desk = Desk(environment)
        weakref.finalize(self, self._desk.close)

    def problems(self) -> Sequence[Problem]:
        """All problems of the file, in its order."""
        return [problem_of(row) for row in self._rows.values()]

    def reference(self, problem: Problem) -> Candidate:
        row = self._rows[problem.id]
        return Candidate(row.fixed or self._made(row))

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """Ask each problem's linter whether it still says something; measure tests and recorded inputs."""
        errors, _ = {}, self._desk.sandbox()  # without one there is no problem at all
        for done, problem in enumerate(problems, 1):
            if error := self._unfit(self._rows[problem.id]):
                errors[problem.id] = error
            progress(done, len(problems), problem.id)
        return {**errors, **self._measured([p for p in problems if p.id not in errors], jobs, progress)}

    def validator(self) -> Validator:
        desk = Desk(self._environment)
        recorded = Recorded(self._environment, desk)
        testers: dict[str, Validator] = {"python": self._python(recorded)}
        testers["java"] = CommandValidator(self._environment, self._program)
        return LintValidator(desk, recorded, self._task, testers)

    def _task(self, problem: Problem) -> LintTask:
        row = self._rows[problem.id]
        return LintTask(row.linter, tests=bool(row.tests))

    def _python(self, recorded: Recorded) -> PythonValidator:
        def program(problem: Problem) -> PythonProgram:
            row = self._rows[problem.id]
            text = "\n\n" + row.tests if row.tests else recorded.of(problem).script
            return PythonProgram(Script(text), Candidate(row.fixed if row.tests and row.fixed else row.code))

        return PythonValidator(self._environment, program)

    def _unfit(self, row: Row) -> str:
        """Why a row is no problem here."""
        try:
            return self._silent(row) or self._unfixed(row)
        except UsageError as missing:  # its linter, or its fixer
            return str(missing)

    def _unfixed(self, row: Row) -> str:
        """What a reference made by the fixer leaves."""
        if row.fixed or row.canonical:
            return ""
        linted = self._desk.lint(row.linter, row.path, self._made(row))
        if why := _broken(linted):
            return f"no reference: {row.linter.name} breaks on what its own fixer makes: {why}"
        left = linted.messages
        told = f"{left[0].code} in line {left[0].line}" if left else ""
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        return f"no reference: {row.linter.name}'s own fixer leaves {told}{more}" if left else ""

    def _silent(self, row: Row) -> str:
        """Why a row is no problem for the linter that is installed."""
        linted = self._desk.lint(row.linter, row.path, row.code)
        if why := _broken(linted):
            return f"{row.linter.name} breaks on it: {why}"
        if not linted.messages:
            now = self._desk.version(row.linter)
            return f"{row.linter.name} {now} has nothing to say of it (made with {row.version or 'another'})"
        return ""

    def _measured(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        errors: dict[str, str] = {}
        recorded = Recorded(self._environment, self._desk)
        spoken = [p for p in problems if p.language == "python"]
        tested = [p for p in spoken if self._rows[p.id].tests or recorded.of(p).script]
        with closing(self._python(recorded)) as validator:
            errors.update(validator.prepare(tested, jobs, progress))
        return errors

    def _made(self, row: Row) -> str:
        """The fixer's best; kept, as every command on a run asks for it."""
        key = sha256_text("\0".join([self._desk.version(row.linter), str(row.linter.settings), row.code]))
        file = self._environment.cache / "lint" / f"{key}.fixed"
        try:
            return file.read_text(encoding="utf-8")
        except OSError:
            made = self._fixed(row)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, made)
        return made

    def _fixed(self, row: Row) -> str:
        last = row.code
        for last in fixers.fixed(self._desk, row.linter, row.path, row.code):
            if self._desk.lint(row.linter, row.path, last).clean:
                return last
        return row.canonical or last

    @cached_property
    def _rows(self) -> dict[str, Row]:
        return {row.id: row for row in rows.read(self._data)}

    def _program(self, problem: Problem) -> CommandProgram:
        """How a Java problem is tested: compiled with its ``Main`` into one jar, and that run."""
        home = self._desk.tools("java").home / "bin"
        tests = {"Main.java": self._rows[problem.id].tests, "Nl2fixTests.java": JAVA_TESTS}
        build = (
            f"mkdir out; {home}/javac -proc:none -encoding UTF-8 -nowarn -d out {' '.join(JAVA_SOURCES)}\n"
            f"{home}/jar cf program -C out ."
        )
        return CommandProgram(
            runtime="java",
            assemble=lambda files: {**{f"src/{path}": text for path, text in files.items()}, **tests},
            build=build,
            test=(f"{home}/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", BUILT, "Nl2fixTests"),
        )


def _broken(linted: Linted) -> str:
    """Why a linter has not said what there is to say: that it said nothing means nothing then."""
    return "out of time" if linted.late else linted.broken


def make(options: Mapping[str, Any], environment: Environment) -> LinterSuite:
    """The suite ``linter``."""
    config = read(LinterConfig, options, "suite linter")
    return LinterSuite(config.data or OWN, environment)


def problem_of(row: Row) -> Problem:
    """The problem that a row is."""
    title = f"Fix what {_TITLES[row.linter.name]} says of `{row.path}` and keep what the code does."
    instructions = {"title": title, "description": row.feedback.strip(), "linter": row.feedback}
    if row.instruction:
        instructions["instruction"] = row.instruction
    settings = {f"linter.{key}": value for key, value in row.linter.settings.items()}
    return Problem(
        id=row.id,
        suite=LinterSuite.name,
        project=row.project or row.linter.name,
        language=row.linter.language,
        path=row.path,
        text=row.code,
        region=Span(0, len(row.code)),
        entity="",
        visible=row.code,
        instructions=instructions,
        metadata={"linter": row.linter.name, "version": row.version, **settings},
        layout=True,
    )
