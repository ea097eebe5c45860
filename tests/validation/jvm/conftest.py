"""A small Java project on disk, and everything needed to judge edits of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.records import Candidate, Problem, SourceFile, Span, candidate_from_file
from nl2fix.sandboxes.choose import choose
from nl2fix.validation.jvm.prepare import Mismatch, compile_project, measure_baseline
from nl2fix.validation.jvm.session import JvmSession
from nl2fix.validation.jvm.validator import JvmValidator
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import Workspace

JARS = Path("/usr/share/java")
JUNIT4 = ("junit4.jar", "hamcrest-core.jar")
JUNIT3 = ("junit.jar",)
JUNIT5 = (
    "junit-platform-launcher.jar",
    "junit-platform-engine.jar",
    "junit-platform-commons.jar",
    "junit-jupiter-api.jar",
    "junit-jupiter-engine.jar",
    "junit-jupiter-params.jar",
    "junit-vintage-engine.jar",
    "opentest4j.jar",
    "apiguardian-api.jar",
)
TESTNG = ("testng.jar", "jcommander.jar")

CALC = """package acme;

public class Calc {
    /** Mean of two numbers, rounded down. */
    public static int mean(int a, int b) {
        return (a + b) / 2 + 1;
    }

    public static int twice(int a) {
        return 2 * a;
    }
}
"""
FIXED = "return (a + b) / 2;"
BUG = "return (a + b) / 2 + 1;"

CALC_TEST = """package acme;

import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class CalcTest {
    @Test public void mean() { assertEquals(3, Calc.mean(2, 4)); }
    @Test public void twice() { assertEquals(8, Calc.twice(4)); }
}
"""
MORE_TEST = """package acme;

import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class MoreTest {
    @Test public void one() { assertEquals(2, Calc.twice(1)); }
    @Test public void negative() { assertEquals(-4, Calc.twice(-2)); }
    @Test public void large() { assertEquals(1000, Calc.mean(1000, 1000) / 1000 * 1000); }
}
"""


def jars(names: tuple[str, ...]) -> tuple[str, ...]:
    """Paths of Debian's jars; the test is skipped where they are not installed."""
    missing = [name for name in names if not (JARS / name).exists()]
    if missing:
        pytest.skip(
            f"{missing[0]} is not installed (apt-get install junit junit4 junit5 libhamcrest-java testng)"
        )
    return tuple(str((JARS / name).resolve()) for name in names)


@dataclass
class Project:
    """A prepared bug."""

    workers: Workers
    workspace: Workspace
    problem: Problem
    reference: Candidate
    differences: tuple[Mismatch, ...] = field(default=())

    def validator(self) -> JvmValidator:
        return JvmValidator(lambda _: self.workspace.root, self.workers)

    def session(self) -> AbstractContextManager[JvmSession]:
        return self.validator().session(self.problem)

    def edited(self, old: str, new: str) -> Candidate:
        """The buggy file with one text replaced."""
        assert old in self.problem.text
        return candidate_from_file(self.problem, self.problem.text.replace(old, new))

    def body(self, statement: str) -> Candidate:
        """The example project's method with another body."""
        return self.edited(BUG, statement)


Maker = Callable[..., Project]


@pytest.fixture(scope="session")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    environment = Environment(cache=tmp_path_factory.mktemp("cache")).having("sandbox", memory=1024)
    try:
        sandbox = choose(environment.having("sandbox", name="bubblewrap"))
    except UsageError:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sandbox = choose(environment.having("sandbox", name="none"))
    pool = Workers(environment, sandbox=sandbox)
    yield pool
    pool.close()
    sandbox.close()


def build(
    workers: Workers,
    root: Path,
    *,
    sources: Mapping[str, str] | None = None,
    tests: Mapping[str, str] | None = None,
    edited: str = "acme/Calc.java",
    mend: tuple[str, str] = (BUG, FIXED),
    libraries: tuple[str, ...] = JUNIT4,
    level: str = "8",
    resources: Mapping[str, str] | None = None,
    measure: bool = True,
    editable: Sequence[str] = (),
    keep_sources: bool = True,
    **settings: Any,
) -> Project:
    """Write, compile and measure a project in an empty folder."""
    sources = sources or {"acme/Calc.java": CALC}
    tests = tests or {"acme/CalcTest.java": CALC_TEST, "acme/MoreTest.java": MORE_TEST}
    found = jars(libraries)
    kept = {f"sources/{name}": text for name, text in {**sources, **tests}.items()} if keep_sources else {}
    for name, content in {"classes/.keep": "", "tests/.keep": "", **kept, **(resources or {})}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    compile_project(workers, sources, root / "classes", level=level)
    path = [root / "classes", *map(Path, found)]
    compile_project(workers, tests, root / "tests", class_path=path, level=level)
    text = sources[edited]
    problem = Problem("Bug-1", "tests", "acme", "java", edited, text, Span(0, len(text)), "x", text, {})
    problem = replace(problem, editable=tuple(SourceFile(name, sources[name]) for name in editable))
    workspace = Workspace(
        root=root,
        problem="Bug-1",
        source_file=edited,
        source_level=level,
        classes=("classes",),
        test_classes=("tests",),
        libraries=found,
        sources=("sources",) if keep_sources else (),
        working_directory=settings.pop("working_directory", "/tmp"),
        **settings,
    )
    names = [name.removesuffix(".java").replace("/", ".") for name in tests]
    reference = Candidate(text.replace(*mend), "file")
    assert reference.code != text
    project = Project(workers, workspace, problem, reference)
    if measure:
        measured = measure_baseline(workers, workspace, problem, reference, names)
        project.workspace, project.differences = measured.workspace, measured.differences
        project.workspace.save()
    return project


@pytest.fixture(scope="session")
def make(workers: Workers, tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """Writes, compiles and measures a project."""
    return lambda **parts: build(workers, tmp_path_factory.mktemp("workspace"), **parts)


@pytest.fixture(scope="session")
def calc(make: Maker) -> Project:
    """The example project."""
    return make()


@pytest.fixture
def session(calc: Project) -> Iterator[JvmSession]:
    with calc.session() as opened:
        yield opened
