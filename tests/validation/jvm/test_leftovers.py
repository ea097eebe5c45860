"""Threads that a candidate leaves behind: which of them wear its JVM out, whatever they say of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.worker import Item, Limit, Phase, Report
from tests.validation.jvm.conftest import BUG, CALC, Maker, Project
from tests.validation.jvm.corpus.candidates import SPOILERS

PARKED = (
    "Thread x = new Thread(() -> { while (true) { java.util.concurrent.locks.LockSupport.park();"
    " Thread.interrupted(); } }); x.setDaemon(true); x.start(); " + BUG
)
ENDING = "Thread x = new Thread(() -> { while (!Thread.interrupted()) { } }); x.start(); " + BUG
OPENED = (
    "java.util.List<Object> x = new java.util.ArrayList<>(); for (int i = 0; i < 100; i++) { try {"
    ' x.add(new java.io.FileInputStream("/dev/null")); } catch (java.io.IOException e) { } } '
)
HELD = OPENED + (
    "java.util.logging.Logger.getGlobal().addHandler(new java.util.logging.StreamHandler() {"
    " java.util.List<Object> held = x; }); "
)
LASTING = (
    "a spinning thread",
    "a sleeping thread",
    "a thread that says it waits",
    "a thread that says it is a known one",
    "a thread that nobody can join",
    "a worker that says its pool is the common one",
)


@pytest.fixture(scope="module")
def project(make: Maker) -> Project:
    return make()


@pytest.fixture
def bench(project: Project) -> Iterator[Bench]:
    with closing(Bench(project.workspace, project.problem, project.workers)) as made:
        made.original()
        yield made


MAIN_TEST = """package acme;
public class CalcTest {
    public static void main(String[] words) { if (Calc.mean(2, 4) != 3) throw new AssertionError("no mean"); }
}
"""


def test_a_jvm_that_was_stopped_in_its_first_test_tells_what_fails(make: Maker) -> None:
    """In one of four such JVMs what tells a failure was stopped as well: those that followed had none."""
    project = make(tests={"acme/CalcTest.java": MAIN_TEST}, libraries=())
    phase = Phase(Limit(0.3, 20.0), (Item("acme.CalcTest"),))
    for _ in range(8):
        with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
            plans = [
                bench.plan(bench.compile((CALC.replace(BUG, body),)).classes, (phase,), ())
                for body in ("while (true) { }", "return 7;")
            ]
            assert bench.run_there(plans[0]).timed_out
            told = bench.run_there(plans[1])
            assert (told.failure, told.message) == (
                "acme.CalcTest::main",
                "java.lang.AssertionError: no mean",
            )
            bench.drop_tester()


STOPPED = "try { while (true) { } } catch (ThreadDeath stopped) { Slow.touch(); throw stopped; }"
SLOW = """
    static class Slow {
        static {
            for (long end = System.nanoTime() + 60_000_000L; System.nanoTime() < end; ) { }
            new Thread(() -> { while (true) { } }).start();
        }
        static void touch() { }
    }
"""
BROKEN = """
    public static class Broken {
        static { if (true) { throw new Error(); } }
        public Broken() { }
    }
"""
BREAKS = (
    'System.setProperty("java.util.concurrent.ForkJoinPool.common.threadFactory", "acme.Calc$Broken");'
    " java.util.concurrent.ForkJoinPool.commonPool();"
)


def told(project: Project, body: str, more: str) -> Report:
    """Of a run of the first test in a JVM that ran nothing."""
    code = CALC.replace(BUG, body).removesuffix("}\n") + more + "}\n"
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        build = bench.compile((code,))
        assert build.compiled, build.message
        phase = Phase(Limit(0.3, 20.0), (Item("acme.CalcTest"),))
        return bench.run_there(bench.plan(build.classes, (phase,), ()))


def test_what_sets_a_class_up_on_its_way_out_is_not_stopped_again(project: Project) -> None:
    """On a busy machine JUnit first sees there what tells of a failure: classes of the JDK were broken."""
    report = told(project, STOPPED, SLOW)
    assert report.timed_out
    assert report.worn, "its set-up came to the thread that it starts and that does not end"


def test_a_jvm_with_a_broken_class_of_the_jdk_says_so_and_what_its_tests_said(project: Project) -> None:
    """Its answer was lost ("Could not initialize class java.util.concurrent.ForkJoinPool")."""
    report = told(project, BREAKS + BUG, BROKEN)
    assert (report.failure, report.message) == ("acme.CalcTest::mean", "java.lang.Error")
    assert "broken" in report.worn


def worn(bench: Bench, body: str) -> str:
    """What a run of all tests with this body of ``mean`` says of its worker."""
    build = bench.compile((CALC.replace(BUG, body),), warm=True)
    assert build.compiled, build.message
    workspace = bench.workspace
    phases = TimeLimits(10.0, warm=True).classes(workspace.regression, workspace.isolated)
    return bench.run_there(bench.plan(build.classes, phases, (), stop=False)).worn


@pytest.mark.parametrize("name", LASTING)
def test_a_thread_that_goes_on_wears_its_worker_out_however_often_asked(bench: Bench, name: str) -> None:
    assert "does not end" in worn(bench, SPOILERS[name])
    assert "does not end" in worn(bench, BUG)
    assert bench.worn


def test_threads_that_end_or_only_wait_wear_nothing_out(bench: Bench) -> None:
    assert [worn(bench, body) for body in (ENDING, PARKED, BUG, PARKED)] == ["", "", "", ""]
    assert not bench.worn


def test_files_that_a_candidate_only_forgot_to_close_wear_nothing_out(bench: Bench) -> None:
    """commons-bcel opens a hundred in its classes: each run of its tests had a JVM of its own."""
    assert [worn(bench, OPENED + BUG) for _ in range(3)] == ["", "", ""]
    assert "open files" in worn(bench, HELD + BUG)


@pytest.mark.parametrize(
    "change",
    ['removeProvider("SUN");', 'insertProviderAt(new java.security.Provider("x", 1, "x") { }, 1);'],
)
def test_other_security_providers_wear_a_worker_out(bench: Bench, change: str) -> None:
    assert worn(bench, BUG) == ""
    assert worn(bench, f"java.security.Security.{change}{BUG}") == "security settings changed"


def test_providers_that_are_only_used_wear_nothing_out(bench: Bench) -> None:
    """They are made when somebody asks for them, which took each JVM as long as its start."""
    used = 'try { java.security.MessageDigest.getInstance("SHA-256"); } catch (Exception e) { }'
    all_of_them = "java.security.Security.getProviders(); java.util.UUID.randomUUID();"
    assert [worn(bench, body + BUG) for body in (used, all_of_them, "")] == ["", "", ""]
    assert not bench.worn
