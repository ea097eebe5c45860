"""Where the first failure ends all, nothing behind it runs, and nothing else is any different."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.worker import Report
from tests.validation.jvm.conftest import JUNIT4, JUNIT5, Maker, Project

TEST = """package acme;
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
@TestMethodOrder(MethodOrderer.MethodName.class)
class CalcTest {
    @BeforeAll static void begin() {
        assertSame(Calc.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
    }
    @AfterAll static void end() { fail("all has ended"); }
    @Test void a() { assertEquals(8, Calc.twice(4)); }
    %s
    @Nested class Inner { @Test void z() { assertEquals(0, Calc.twice(0)); } }
}
"""
MEAN = "assertEquals(n, Calc.mean(n, n));"
KINDS = {
    "@Test void b() { int n = 2; MEAN } @Test void c() { }": ["b", "c"],
    "@ParameterizedTest @ValueSource(ints = {1, 2, 3}) void b(int n) { MEAN }": ["b[1]", "b[2]", "b[3]"],
    "@RepeatedTest(2) void b() { int n = 2; MEAN }": ["b[1]", "b[2]"],
    "@TestFactory Stream<DynamicNode> b() { return IntStream.range(0, 2).mapToObj("
    'n -> DynamicTest.dynamicTest("n" + n, () -> { MEAN })); }': ["b", "b"],
}


def unedited(project: Project, stop: bool) -> Report:
    """What all tests say of the unedited program."""
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        bench.original()
        names = [project.workspace.regression[0]]
        phases = TimeLimits(60.0).classes(names, ())
        return bench.run_there(bench.plan(bench.compile(bench.unedited).classes, phases, (), stop))


@pytest.mark.parametrize("tests", KINDS, ids=["methods", "parameters", "repeated", "dynamic"])
def test_nothing_runs_behind_a_failure(make: Maker, tests: str) -> None:
    """A wrong edit of a project with JUnit 5 paid for all tests of the class that had told so."""
    project = make(
        tests={"acme/CalcTest.java": TEST % tests.replace("MEAN", MEAN)}, libraries=(*JUNIT5, *JUNIT4)
    )
    name, (first, *others) = "acme.CalcTest", KINDS[tests]
    told = unedited(project, stop=True)
    assert told.failure == f"{name}::{first}"
    ran = [(test.id, test.outcome) for test in told.results if test.outcome != "S"]
    assert ran == [(f"{name}::a", "P"), (f"{name}::{first}", "F"), (name, "C")], "what ends a class runs"
    every = [test.id for test in unedited(project, stop=False).results]
    assert every == [
        f"{name}::a",
        f"{name}::{first}",
        *(f"{name}::{other}" for other in others),
        f"{name}$Inner::z",
        name,
    ]


FAILING = """package acme;
public class %s {
    @org.junit.Test public void a() { org.junit.Assert.assertEquals(3, Calc.mean(2, 4)); }
    @org.junit.Test public void b() { org.junit.Assert.assertEquals(3, Calc.mean(2, 4)); }
    @org.junit.Test public void c() { org.junit.Assert.assertEquals(8, Calc.twice(4)); }
}
"""


@pytest.mark.parametrize("jupiter", [True, False])
def test_where_all_failures_are_told_the_class_goes_on_and_no_other_begins(
    make: Maker, jupiter: bool
) -> None:
    """Of three failures that a build tells a model's second attempt was told one."""
    tests = {f"acme/{name}.java": FAILING % name for name in ("CalcTest", "LaterTest")}
    if jupiter:
        to = {
            "org.junit.Test": "org.junit.jupiter.api.Test",
            "org.junit.Assert": "org.junit.jupiter.api.Assertions",
        }
        for old, new in to.items():
            tests = {path: text.replace(old, new) for path, text in tests.items()}
    project = make(tests=tests, libraries=(*JUNIT5, *JUNIT4))
    workspace = replace(project.workspace, tells=True)
    with closing(Bench(workspace, project.problem, project.workers)) as bench:
        bench.original()
        phases = TimeLimits(60.0).classes(workspace.regression, ())
        told = bench.run_there(bench.plan(bench.compile(bench.unedited).classes, phases, ()))
    ran = sorted((test.id, test.outcome) for test in told.results)
    owner = told.failure.partition("::")[0]
    assert ran == [(f"{owner}::a", "F"), (f"{owner}::b", "F"), (f"{owner}::c", "P")]
    assert told.output.count(" FAILED\n") == 2


EXTENSION = """package acme;
public class Eager implements org.junit.jupiter.api.extension.BeforeAllCallback {
    public void beforeAll(org.junit.jupiter.api.extension.ExtensionContext context) { CalcTest.eager = true; }
}
"""
EXTENDED = """package acme;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class CalcTest {
    static boolean eager;
    @Test void a() { assertEquals(EAGER, eager); }
    @Test void b() { assertEquals(3, Calc.mean(2, 4)); }
    @Test void c() { assertEquals(3, Calc.mean(2, 4)); }
}
"""
SERVICES = "META-INF/services/org.junit.jupiter.api.extension.Extension"


@pytest.mark.parametrize("wanted", [True, False])
def test_extensions_of_the_project_are_found_where_it_says_so(make: Maker, wanted: bool) -> None:
    says = {"tests/junit-platform.properties": "junit.jupiter.extensions.autodetection.enabled=true"}
    project = make(
        tests={
            "acme/CalcTest.java": EXTENDED.replace("EAGER", str(wanted).lower()),
            "acme/Eager.java": EXTENSION,
        },
        resources={f"tests/{SERVICES}": "acme.Eager", **(says if wanted else {})},
        libraries=(*JUNIT5, *JUNIT4),
        trigger_tests=("acme.CalcTest::b", "acme.CalcTest::c"),
    )
    assert project.differences == ()
    told = unedited(project, stop=True)
    failed = [test.id for test in told.results if test.outcome == "F"]
    assert failed in (["acme.CalcTest::b"], ["acme.CalcTest::c"])
