"""The user's method as a problem, and the project that it is built in as a workspace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Problem
from nl2fix.languages.java import JAVA
from nl2fix.languages.java.units import JavaUnit
from nl2fix.suggestion.building.builds import Project
from nl2fix.suggestion.localisation.report import IssueReport
from nl2fix.suggestion.localisation.target import Target, read_source
from nl2fix.validation.jvm.workspace import Workspace


def _code(text: str, unit: JavaUnit) -> str:
    return text[unit.span.start : unit.span.end]


def problem_of(repo: Path, target: Target, report: IssueReport) -> Problem:
    """What a method and an issue ask of a model."""
    before = _code(target.text, target.unit)
    return Problem(
        id=f"{target.unit.owner or target.file.stem}#{target.unit.signature}",
        suite="suggest",
        project=repo.name,
        language="java",
        path=target.file.relative_to(repo).as_posix(),
        text=target.text,
        region=target.unit.span,
        entity=target.entity,
        visible=JAVA.strip_comments(before),
        instructions={"title": report.title, "description": report.description},
    )


def as_compiled(target: Target, file: Path, project: Project) -> Target:
    """The method where something else of its file was left out; ``DataError`` where it was itself."""
    path = inside(project, file)
    fault = project.faults.get(path, "")
    cut = next((cut for folder in project.cut if path and (cut := folder / path).is_file()), None)
    if cut is None and fault:
        raise DataError(fault)
    if cut is None:
        return target
    text = read_source(cut)
    unit = JAVA.find(text, target.entity)
    if unit is None or _code(text, unit) != _code(target.text, target.unit):
        raise DataError(f"{target.entity} is left out itself: {fault}")
    return replace(target, text=text, unit=unit)


def inside(project: Project, file: Path) -> str:
    """Path of a source inside its source folder; empty where it is in none of the build."""
    paths = (file.relative_to(s).as_posix() for s in project.sources if file.is_relative_to(s))
    return next(paths, "")


def describe(project: Project, problem: Problem, file: Path, folder: Path) -> Workspace:
    """The workspace of a problem whose source is a file of the build; ``UsageError`` where it is none."""
    path = inside(project, file)
    if not path:
        raise UsageError(
            f"{problem.path} is in no source folder of the build; name a method of the main sources"
        )
    return workspace_of(project, folder, problem.id, path)


def workspace_of(project: Project, folder: Path, problem: str, source_file: str) -> Workspace:
    """A built project as a workspace, with no test measured."""
    return Workspace(
        root=folder,
        problem=problem,
        source_file=source_file,
        source_level=project.level.removeprefix("1."),
        encoding=project.encoding,
        javac_options=project.options,
        jvm_arguments=("-ea", *project.jvm_arguments),  # as build tools run tests
        environment=dict(pair.split("=", 1) for pair in project.environment),
        processors=tuple(map(str, project.processors)),
        classes=tuple(map(str, project.classes)),
        test_classes=tuple(map(str, project.test_classes)),
        libraries=tuple(map(str, project.libraries)),
        sources=tuple(dict.fromkeys(map(str, (*project.cut, *project.sources, *project.tests)))),
        working_directory=str(project.module),
    )
