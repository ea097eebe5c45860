"""The 283 single-method bugs of Defects4J 2.0 with the issues that reported them.

With the published dataset (``nl2fix issues import``) bugs can be sampled from texts and methods alone; with
fetched texts (``nl2fix issues fetch``) their methods are found by preparing. They are validated in
workspaces that ``prepare`` makes with a Defects4J installation. A prepared problem's text is the buggy
file; an unprepared one's is the method as published, and its region the whole of it.

Needs issue texts (``nl2fix issues fetch``, or the published dataset) and, for verdicts, Defects4J 2.0.1 from
github.com/rjust/defects4j with its JDK 8, or the Docker image with both (``make prepare``).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import DataError, Nl2fixError, UsageError
from nl2fix.core.protocols import Needs, Progress, Validator
from nl2fix.core.records import Candidate, Problem, Span, candidate_from_file
from nl2fix.core.threads import side_by_side
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit
from nl2fix.suites.defects4j import checkout, index, issue_texts
from nl2fix.suites.defects4j.checkout import CHECKOUT, Places
from nl2fix.suites.defects4j.index import Row
from nl2fix.suites.defects4j.installation import Defects4J, find
from nl2fix.suites.defects4j.issue_texts import IssueText, PublishedMethod
from nl2fix.validation.jvm import workspace as workspaces
from nl2fix.validation.jvm.prepare import measure_baseline
from nl2fix.validation.jvm.validator import JvmValidator
from nl2fix.validation.jvm.workers import Workers

NAME = "nl2fix"
_PREPARE = f"nl2fix prepare {NAME} --bugs"
_UNPREPARED = "neither prepared nor in an imported dataset; run `nl2fix prepare`"
Source = Literal["plain", "tokens"]


@dataclass(frozen=True)
class Nl2fixOptions:
    """Options of the suite."""

    source: Source = "plain"
    """How a model sees the method: ``plain`` without comments, or the study's one line of ``tokens``."""
    texts: Path | None = None
    """Folder of issue texts; by default in the user's data folder."""
    index: Path | None = None
    """Folder of an index of other bugs; by default ``defects4j_issues``."""
    workspaces: Path | None = None
    """Folder of prepared bugs; by default inside the cache."""
    defects4j: Path | None = None
    """Defects4J's folder; by default ``$DEFECTS4J_HOME`` or the command on the search path."""
    jdk: str = ""
    """Home of the JDK that tests run on (Defects4J 2.0 wants JDK 8); empty means the one found."""
    timeout: float = 1800.0
    """Seconds one call of Defects4J may take."""


def make(options: Mapping[str, Any], environment: Environment) -> Nl2fixSuite:
    """The suite with the given options."""
    return Nl2fixSuite(read(Nl2fixOptions, options, f"suite {NAME}"), environment)


class Nl2fixSuite:
    """Satisfies ``core.protocols.Suite``."""

    name = NAME

    def __init__(self, options: Nl2fixOptions, environment: Environment) -> None:
        self._options = options
        self._environment = environment
        self.places = Places(options.workspaces or environment.cache / NAME)
        self.texts_folder = options.texts or issue_texts.default_texts()

    def problems(self) -> Sequence[Problem]:
        """All bugs whose issue text is at hand, sorted by project and number."""
        listed = [problem for row in self._rows.values() if (problem := self._problem(row)) is not None]
        if not listed:
            raise DataError(
                f"no issue texts in {self.texts_folder}; get them with `nl2fix issues fetch` "
                "or `nl2fix issues import FILE`"
            )
        return listed

    def reference(self, problem: Problem) -> Candidate:
        """The fixed method; the whole fixed file where the fix touches more than the method."""
        if self._prepared(problem.id) and not problem.alone:
            fixed = _text(self.places.reference(problem.id), _encoding(self.places, problem.id))
            return candidate_from_file(problem, fixed)
        method = self._methods.get(problem.id)
        if method is None:
            raise DataError(f"{problem.id} has no reference; run `{_PREPARE} {problem.id}`")
        return Candidate(method.after)

    def workspace(self, problem: Problem) -> Path:
        """Folder of a problem's workspace; ``UsageError`` where the problem is not that of one."""
        if not self._prepared(problem.id):
            raise UsageError(f"{problem.id} is not prepared; run `{_PREPARE} {problem.id}`")
        if problem.alone:  # as before its file was known
            raise UsageError(f"{problem.id} was listed before it was prepared; list the problems again")
        return self.places.bug(problem.id)

    def installation(self) -> Defects4J:
        """Defects4J on this machine; ``UsageError`` says how to name it where it is not found."""
        return find(self._options.defects4j, self._options.timeout)

    def disk_needed_mb(self, problems: Sequence[Problem], jobs: int) -> int:
        """MiB of disk that preparing these problems takes at its peak; 0 when all are prepared."""
        todo = [problem.project for problem in problems if not self._prepared(problem.id)]
        return checkout.disk_needed_mb(todo, jobs) if todo else 0

    def needs(self, problems: Sequence[Problem], samples: int, jobs: int) -> Needs:
        """As ``core.protocols.Foreseeing`` wants it."""
        todo = [problem.project for problem in problems if not self._prepared(problem.id)]
        preparing = sum(checkout.takes(project).seconds for project in todo)
        judging = samples * len(problems) * checkout.JUDGE_SECONDS
        return Needs(self.disk_needed_mb(problems, jobs), preparing + judging)

    def prepare(self, problems: Sequence[Problem], jobs: int, progress: Progress) -> dict[str, str]:
        """Make the workspaces that are not there yet; problem id → one line on what went wrong.

        The disk needed is told first, as the label of a progress call with nothing done.
        """
        todo = [problem for problem in problems if not self._prepared(problem.id)]
        if not todo:
            return {}
        installation = self.installation()
        self._check_disk(todo, jobs, progress)
        for folder in self.places.compiled():
            folder.mkdir(exist_ok=True)
        errors: dict[str, str] = {}
        workers = self._workers()
        try:
            for done, (bug, error) in enumerate(self._made(todo, installation, workers, jobs), 1):
                if error:
                    errors[bug] = error
                progress(done, len(todo), bug)
        finally:
            workers.close()
        return errors

    def made(self, problems: Sequence[Problem]) -> dict[str, list[Path]]:
        """As ``core.protocols.Made``."""
        return {problem.id: self._files(problem.id) for problem in problems if self._prepared(problem.id)}

    def _files(self, bug: str) -> list[Path]:
        """A prepared bug's folder, its hidden reference, and the shared jars it names."""
        root = self.places.bug(bug)
        named = (root / name for name in workspaces.load(root).libraries)
        beside = {path.resolve() for path in named if not path.resolve().is_relative_to(root.resolve())}
        return [root, self.places.reference(bug), *sorted(beside)]

    def validator(self) -> Validator:
        """Judges candidates of prepared bugs."""
        return JvmValidator(self.workspace, self._workers())

    def _workers(self) -> Workers:
        """Bugs share a compiler, which never runs code under test, and does not see the references."""
        return Workers(self._environment, compiled=[path for path in self.places.compiled() if path.is_dir()])

    @cached_property
    def _rows(self) -> dict[str, Row]:
        return {row.bug: row for row in index.read(self._options.index)}

    @cached_property
    def _texts(self) -> dict[str, IssueText]:
        return issue_texts.load(self.texts_folder)

    @cached_property
    def _methods(self) -> dict[str, PublishedMethod]:
        return issue_texts.load_methods(self.texts_folder)

    def _prepared(self, bug: str) -> bool:
        return (self.places.bug(bug) / workspaces.FILE_NAME).is_file() and self.places.reference(
            bug
        ).is_file()

    def _check_disk(self, todo: Sequence[Problem], jobs: int, progress: Progress) -> None:
        needed = self.disk_needed_mb(todo, jobs)
        self.places.root.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self.places.root).free >> 20
        progress(0, len(todo), f"about {needed} MiB of disk needed, {free} MiB free")
        if free < needed:
            raise UsageError(
                f"preparing {len(todo)} bugs needs {needed} MiB in {self.places.root}, {free} are free: "
                "make room, use fewer --jobs or name fewer --bugs"
            )

    def _made(
        self, todo: Sequence[Problem], installation: Defects4J, workers: Workers, jobs: int
    ) -> Iterator[tuple[str, str]]:
        """Each bug with the error that stopped it, or nothing, as they come."""
        work = partial(self._make, installation, workers)
        with side_by_side(work, todo, jobs, "prepare") as made:
            for problem, future in made:
                try:
                    future.result()
                    yield problem.id, ""
                except Nl2fixError as error:
                    yield problem.id, str(error)
                except OSError as error:
                    yield problem.id, f"{error.filename or 'the file system'}: {error.strerror}"

    def _make(self, installation: Defects4J, workers: Workers, problem: Problem) -> None:
        """Check out, compile, measure; the finished workspace appears in one step."""
        row = self._rows[problem.id]
        made = checkout.make(installation, row, self.places, self._options.jdk)
        text = _text(made.root / CHECKOUT / row.path, made.encoding)
        buggy = replace(problem, text=text, region=method_in(row, text).span)
        fixed = _text(self.places.reference(row.bug), made.encoding)
        names = [test.name for test in made.regression]
        measured = measure_baseline(workers, made, buggy, candidate_from_file(buggy, fixed), names)
        wrong = [difference for difference in measured.differences if difference.of_trigger]
        if wrong:
            raise DataError(f"{row.bug}: {wrong[0]}")
        checkout.publish(measured.workspace, self.places, [*map(str, measured.differences)])

    def _problem(self, row: Row) -> Problem | None:
        text, method = self._texts.get(row.bug), self._methods.get(row.bug)
        if text is None:
            return None
        if self._prepared(row.bug):
            file = self.places.bug(row.bug) / CHECKOUT / row.path
            code = _text(file, _encoding(self.places, row.bug))
            unit = method_in(row, code)
            return self._of(row, text, code, unit.span, JAVA.entity(unit, JAVA.units(code)))
        if method is None:
            empty = self._of(row, text, "", Span(0, 0), row.method)
            return replace(empty, metadata={**empty.metadata, "lacks": _UNPREPARED})
        return self._of(row, text, method.before, Span(0, len(method.before)), row.method)

    def _of(self, row: Row, text: IssueText, code: str, region: Span, entity: str) -> Problem:
        return Problem(
            id=row.bug,
            suite=NAME,
            project=row.project,
            language=JAVA.name,
            path=row.path,
            text=code,
            region=region,
            entity=entity,
            visible=visible(code[region.start : region.end], self._options.source),
            instructions={"title": text.title, "description": text.description},
            metadata={"tracker": row.tracker, "issue": row.issue, "url": row.url, "origin": text.origin},
        )


def visible(method: str, source: Source) -> str:
    """A method as a model sees it: without comments (those of the fix leak into the buggy version).

    ``plain`` keeps the formatting; ``tokens`` is the study's form, all tokens on one line.
    """
    return JAVA.strip_comments(method) if source == "plain" else " ".join(JAVA.tokens(method))


def method_in(row: Row, text: str) -> JavaUnit:
    """The method the index names, in the buggy file."""
    unit = JAVA.unit_at_line(text, row.start)
    if unit is None or unit.signature != row.method:
        raise DataError(f"{row.bug}: line {row.start} of {row.path} is not in {row.method}")
    return unit


def _text(file: Path, encoding: str) -> str:
    """A source file as javac reads it, line ends kept."""
    return file.read_bytes().decode(encoding, errors="replace")


def _encoding(places: Places, bug: str) -> str:
    return workspaces.load(places.bug(bug)).encoding
