"""Compiling projects and measuring what their tests do on the reference fix."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Outcome
from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.prepare import compile_into, compile_project, measure_baseline
from nl2fix.validation.jvm.worker import Item, Plan, Report
from nl2fix.validation.jvm.workers import Workers
from nl2fix.validation.jvm.workspace import load
from tests.validation.jvm.conftest import BUG, CALC, CALC_TEST, FIXED, MORE_TEST, Maker


def test_compiled_classes_run(workers: Workers, tmp_path: Path) -> None:
    sources = {
        "a/Main.java": "package a; public class Main { public static void main(String[] x) "
        "{ System.out.print(new b.Other().word()); } static class In { } }",
        "b/Other.java": 'package b; public class Other { public String word() { return "grüße"; } }',
    }
    compile_project(workers, sources, tmp_path)
    assert sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.class")) == [
        "a/Main$In.class",
        "a/Main.class",
        "b/Other.class",
    ]
    if workers.sandbox.name == "bubblewrap":
        java = workers.runtime("").home / "bin" / "java"
        ran = subprocess.run(
            [java, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", tmp_path, "a.Main"],
            capture_output=True,
            timeout=60,
            check=True,
        )
        assert ran.stdout.decode() == "grüße"


def test_later_compilations_see_what_earlier_ones_wrote(workers: Workers, tmp_path: Path) -> None:
    shared = Workers(workers.environment, shared=[tmp_path], sandbox=workers.sandbox)
    for number in range(3):
        folder = tmp_path / "classes"
        user = f"class U {{ int f() {{ return A.n{number}; }} }}"
        compile_project(shared, {"A.java": f"class A {{ static int n{number}; }}"}, folder)
        compile_project(shared, {"U.java": user}, folder, class_path=[folder])
    shared.close()


def test_old_source_levels_are_raised_to_what_the_jdk_supports(workers: Workers, tmp_path: Path) -> None:
    compile_project(
        workers, {"A.java": "class A { Object f(Integer i) { return i; } }"}, tmp_path, level="1.4"
    )
    assert (tmp_path / "A.class").is_file()


@pytest.mark.parametrize(
    ("source", "words"),
    [("class A { int f() { } }", "A.java:1: missing return statement"), ("class A {", "reached end of file")],
)
def test_broken_sources_are_reported(workers: Workers, tmp_path: Path, source: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        compile_project(workers, {"A.java": source}, tmp_path)
    assert not list(tmp_path.iterdir())


def test_classes_of_sources_that_compile_are_had_beside_others(workers: Workers, tmp_path: Path) -> None:
    """javac makes none once it has found an error, and tells of a body's flow only before."""
    sources = {
        "First.java": "class First { Bad bad; class In { } }",
        "Bad.java": "class Bad { int n = none; void f() { int x; x++; } } class Beside { }",
        "Below.java": "class Below extends Bad { Object o = new Bad() { }; }",
        "Flow.java": "class Flow { int f() { } }",
        "Pair.java": "class Pair { Integer n = 0; Object next() { return n++; } } class Pear { Last last; }",
        "Last.java": "class Last { Object o = new Bad() { }; Beside beside; }",
    }
    build = compile_into(workers, sources, tmp_path, partly=True)
    assert not build.compiled
    assert {path: len(fault.places) for path, fault in build.broken.items()} == {
        "Bad.java": 1,
        "Flow.java": 1,
    }
    there = {file.stem for file in tmp_path.rglob("*.class")}
    assert {"First", "First$In", "Pair", "Pear"} <= there and not there & {"Bad", "Beside", "Flow"}
    assert {name: item.source for name, item in build.classes.items()}["First$In"] == "First.java"


def test_the_baseline_names_tests_and_times(make: Maker) -> None:
    project = make()
    saved = load(project.workspace.root)
    assert saved == project.workspace
    assert [test.name for test in saved.regression] == ["acme.CalcTest", "acme.MoreTest"]
    assert saved.regression[0].tests == ("acme.CalcTest::mean", "acme.CalcTest::twice")
    assert all(test.seconds > 0 for test in saved.regression)
    assert saved.trigger_tests == ("acme.CalcTest::mean",)
    assert (saved.failing, saved.isolated, saved.fresh_only) == ((), (), ())


def test_declared_triggers_are_checked(make: Maker) -> None:
    project = make(trigger_tests=("acme.CalcTest::twice", "acme.MoreTest"))
    assert tuple(map(str, project.differences)) == (
        "trigger test acme.CalcTest::twice passes with the bug",
        "trigger test acme.MoreTest passes with the bug",
        "acme.CalcTest::mean fails with the bug but is no declared trigger test",
    )
    assert make(trigger_tests=("acme.CalcTest",)).differences == ()


def test_a_bug_without_trigger_tests_is_refused(make: Maker) -> None:
    with pytest.raises(DataError, match="Bug-1 has no trigger test"):
        make(tests={"acme/MoreTest.java": MORE_TEST})


def test_a_reference_that_does_not_compile_is_refused(make: Maker) -> None:
    project = make(measure=False)
    with pytest.raises(DataError, match="the reference fix does not compile"):
        measure_baseline(
            project.workers,
            project.workspace,
            project.problem,
            Candidate(CALC.replace(BUG, FIXED[:-1]), "file"),
            ["acme.CalcTest"],
        )


def test_tests_that_end_their_jvm_are_reported(make: Maker) -> None:
    test = CALC_TEST.replace("assertEquals(8, Calc.twice(4));", "Runtime.getRuntime().halt(3);")
    with pytest.raises(DataError, match="end their JVM: the worker's JVM ended with status 3"):
        make(tests={"acme/CalcTest.java": test})


def test_a_jvm_that_gets_no_processor_for_seconds_is_waited_for(make: Maker) -> None:
    """Beside other work and our own loops one was silent for too long, and a bug could not be prepared."""
    stopped = "kill -STOP $PPID; sleep 4; kill -CONT $PPID"
    test = CALC_TEST.replace(
        "assertEquals(8, Calc.twice(4));",
        f'try {{ new ProcessBuilder("sh", "-c", "{stopped}").start().waitFor(); }}'
        " catch (Exception e) { throw new Error(e); }",
    )
    workspace = make(tests={"acme/CalcTest.java": test}).workspace
    assert workspace.trigger_tests == ("acme.CalcTest::mean",)


def test_an_endless_loop_is_a_bug_like_any_other(make: Maker) -> None:
    source = CALC.replace(BUG, "while (a != b) { a += 0; } return a;")
    project = make(
        sources={"acme/Calc.java": source},
        mend=("while (a != b) { a += 0; } return a;", FIXED),
        tests={"acme/CalcTest.java": CALC_TEST, "acme/MoreTest.java": MORE_TEST},
    )
    assert project.workspace.trigger_tests == ("acme.CalcTest::mean",)


SETS_TEST = """package acme;
import org.junit.*;
public class ASetsTest {
    @BeforeClass public static void set() { Calc.mean(2, 4); }
    @Test public void twice() { Assert.assertEquals(2, Calc.twice(1)); }
}
"""


def test_an_endless_loop_in_the_set_up_of_the_first_class_ends_there(make: Maker) -> None:
    """That class ran for ever, as no test of it was there to be left out."""
    source = CALC.replace(BUG, "while (a != b) { a += 0; } return a;")
    project = make(
        sources={"acme/Calc.java": source},
        mend=("while (a != b) { a += 0; } return a;", FIXED),
        tests={"acme/ASetsTest.java": SETS_TEST},
    )
    assert project.workspace.trigger_tests == ("acme.ASetsTest",)


SHARED_STATE = """package acme;
public class State { public static boolean used; }
"""
FIRST_TEST = """package acme;
public class FirstTest { @org.junit.Test public void first() { State.used = true; } }
"""
SECOND_TEST = """package acme;
import static org.junit.Assert.*;
public class SecondTest { @org.junit.Test public void clean() { assertFalse(State.used); } }
"""


def test_test_classes_that_disturb_each_other_get_loaders_of_their_own(make: Maker) -> None:
    """Ant's junit task gives each test class a new loader; most do not need the expense."""
    project = make(
        sources={"acme/Calc.java": CALC, "acme/State.java": SHARED_STATE},
        tests={
            "acme/CalcTest.java": CALC_TEST,
            "acme/FirstTest.java": FIRST_TEST,
            "acme/SecondTest.java": SECOND_TEST,
        },
    )
    assert project.workspace.isolated == ("acme.SecondTest",)
    assert project.workspace.failing == ()
    with project.session() as session:
        assert session.validate(project.reference).plausible


ONCE_TEST = """package acme;
import static org.junit.Assert.*;
import java.net.HttpURLConnection;
public class OnceTest {
    @org.junit.Test public void firstInThisJvm() {
        boolean untouched = HttpURLConnection.getFollowRedirects();
        HttpURLConnection.setFollowRedirects(false); // outlives class loaders
        assertTrue(untouched);
    }
}
"""


@pytest.mark.parametrize("declared", [(), ("acme.CalcTest",)], ids=["", "declared"])
def test_tests_that_need_a_fresh_jvm_are_found(make: Maker, declared: tuple[str, ...]) -> None:
    """What such a test says in a warm worker decides nothing."""
    tests = {"acme/CalcTest.java": CALC_TEST, "acme/OnceTest.java": ONCE_TEST}
    project = make(tests=tests, trigger_tests=declared)
    assert project.workspace.fresh_only == ("acme.OnceTest::firstInThisJvm",)
    with project.session() as session:
        assert session.validate(project.reference).plausible
        assert session.validate(project.body("return a + (b - a) / 2;")).plausible
        assert not session.validate(project.body("return a;")).plausible


def test_a_bug_that_tells_itself_by_its_declared_tests_alone_runs_all_tests_twice(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third run of all tests, on the fix, was a quarter of what preparing JacksonDatabind-8 took."""
    whole, run = list[Item](), Bench.run_there

    def counted(bench: Bench, plan: Plan) -> Report:
        whole.extend(item for phase in plan.phases for item in phase.items if item.name == "acme.MoreTest")
        return run(bench, plan)

    monkeypatch.setattr(Bench, "run_there", counted)
    project = make(trigger_tests=("acme.CalcTest",))
    assert len(whole) == 2
    assert not project.differences and not project.workspace.fresh_only


NEEDS_EXTRA = """package acme;

public class Calc {
    public static Base base() {
        return new Extra();
    }
}
"""
WITHOUT_EXTRA_TEST = """package acme;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.Test;

public class CalcTest {
    @Test public void loadsWithoutExtra() throws Exception {
        URL[] folder = {Calc.class.getProtectionDomain().getCodeSource().getLocation()};
        ClassLoader without = new URLClassLoader(folder, null) {
            @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.equals("acme.Extra")) { throw new ClassNotFoundException(name); }
                return super.findClass(name);
            }
        };
        Class.forName("acme.Calc", true, without);
    }
}
"""


BROKEN_TEST = """package acme;
    public class BrokenTest { @org.junit.Test public void always() { org.junit.Assert.fail("always"); } }
"""


@pytest.mark.parametrize(
    "others", [{}, {"acme/BrokenTest.java": BROKEN_TEST}], ids=["", "beside a broken one"]
)
def test_a_bug_that_shows_only_where_classes_are_verified(make: Maker, others: dict[str, str]) -> None:
    sources = {
        "acme/Calc.java": NEEDS_EXTRA,
        "acme/Base.java": "package acme; public class Base { }",
        "acme/Extra.java": "package acme; public class Extra extends Base { }",
    }
    project = make(
        sources=sources,
        tests={"acme/CalcTest.java": WITHOUT_EXTRA_TEST, **others},
        mend=("return new Extra();", "return new Base();"),
        working_directory=".",
    )
    assert project.workspace.trigger_tests == ("acme.CalcTest::loadsWithoutExtra",)
    with project.session() as session:
        assert session.validate(project.reference).plausible
        assert session.validate(Candidate(NEEDS_EXTRA, "file")).outcome is Outcome.WRONG


def test_a_bug_that_shows_only_in_the_first_test(make: Maker) -> None:
    """As JacksonCore-25, whose buffers are longer once another test has filled them."""
    sources = CALC.replace("public class Calc {", "public class Calc {\n    static int calls;")
    sources = sources.replace(BUG, "return calls++ == 0 ? 0 : (a + b) / 2;")
    tests = {
        "acme/BeforeTest.java": """package acme;
            public class BeforeTest {
                @org.junit.Test public void use() { Calc.mean(1, 1); }
            }""",
        "acme/CalcTest.java": CALC_TEST,
    }
    project = make(
        sources={"acme/Calc.java": sources},
        tests=tests,
        mend=("calls++ == 0 ? 0 : ", ""),
        trigger_tests=("acme.CalcTest::mean",),
    )
    assert project.differences == ()
    with project.session() as session:
        assert session.validate(project.reference).plausible
        assert session.validate(Candidate(project.problem.before)).outcome is Outcome.WRONG
