"""The clock counts what tests and javac take, not what a busy machine makes them wait."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.prepare import compile_into
from nl2fix.validation.jvm.worker import Item, Limit, Phase, Report
from tests.conftest import standing_still
from tests.validation.jvm.conftest import CALC_TEST, Maker, Project

WAITED = """
    private static double waited() throws Exception {
        String told = new String(java.nio.file.Files.readAllBytes(
            java.nio.file.Paths.get("/proc/thread-self/schedstat")));
        return Double.parseDouble(told.trim().split(" ")[1]) / 1e9;
    }
    private static void workUntilWaited(double seconds) throws Exception {
        for (double before = waited(); waited() - before < seconds; ) { }
    }
"""
WAITS_TEST = f"""package acme;
public class WaitsTest {{ {WAITED}
    @org.junit.Test public void ends() throws Exception {{ workUntilWaited(4); }}
    @org.junit.Test public void endsWithAThread() throws Exception {{
        java.util.concurrent.Callable<?> work = () -> {{ ends(); return 0; }};
        java.util.concurrent.FutureTask<?> task = new java.util.concurrent.FutureTask<>(work);
        new Thread(task).start();
        task.get();
    }}
    @org.junit.Test public void neverEnds() throws Exception {{ workUntilWaited(1e9); }}
    @org.junit.Test public void naps() throws Exception {{
        for (int i = 0; i < 6; i++) Thread.sleep(250);
    }}
    @org.junit.Test public void sleeps() throws Exception {{ Thread.sleep(1000000); }}
}}
"""
PROCESSOR = f"""package acme;
@javax.annotation.processing.SupportedAnnotationTypes("*")
public class Waits extends javax.annotation.processing.AbstractProcessor {{ {WAITED}
    @Override public boolean process(java.util.Set<? extends javax.lang.model.element.TypeElement> types,
            javax.annotation.processing.RoundEnvironment round) {{
        try {{ workUntilWaited(round.processingOver() ? 0 : 6); }}
        catch (Exception error) {{ throw new IllegalStateException(error); }}
        return false;
    }}
}}
"""
CLOCK = 3.0

pytestmark = pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the kernel does not tell who waits"
)


@pytest.fixture(scope="module")
def project(make: Maker) -> Project:
    return make(tests={"acme/CalcTest.java": CALC_TEST, "acme/WaitsTest.java": WAITS_TEST}, measure=False)


def run(project: Project, test: str) -> Report:
    """What a test says that has three seconds by the clock, and all the processor time it may want."""
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        phase = Phase(Limit(cpu=1000, wall=CLOCK), (Item("acme.WaitsTest", (test,)),))
        classes = bench.compile(bench.unedited).classes
        return bench.run_fresh(bench.plan(classes, [phase], (), wall=100))


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("test", ["ends", "endsWithAThread"])
def test_a_program_that_starves_is_not_late(project: Project, test: str) -> None:
    """At a load of 15 to 30 right programs were stopped that had hardly run, or whose threads had."""
    told = run(project, test)
    assert not told.timed_out and not told.failure
    assert [result.outcome for result in told.results] == ["P"]
    assert told.results[0].seconds > CLOCK, "it waited longer than it may take"


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("test", ["neverEnds", "sleeps"])
def test_no_program_waits_for_ever(project: Project, test: str) -> None:
    told = run(project, test)
    assert told.timed_out and told.late and told.running == f"acme.WaitsTest::{test}"


def test_what_the_machine_stands_still_is_not_the_tests_time(project: Project) -> None:
    """Where other virtual machines took the processors for seconds, a right program was late at once."""
    with standing_still(1.2, 3.0):
        told = run(project, "naps")
    assert not told.timed_out and [result.outcome for result in told.results] == ["P"]


@pytest.mark.usefixtures("busy")
def test_javac_that_starves_has_not_taken_long(project: Project, tmp_path: Path) -> None:
    """Of what does not compile whole classes were left out on a busy machine, methods on another."""
    assert compile_into(project.workers, {"acme/Waits.java": PROCESSOR}, tmp_path / "made").compiled
    processing = ("-processorpath", str(tmp_path / "made"), "-processor", "acme.Waits")
    sources, visible = {"acme/Empty.java": "package acme; class Empty {}"}, [tmp_path / "made"]
    built = compile_into(project.workers, sources, tmp_path / "empty", class_path=visible, options=processing)
    assert built.compiled and built.seconds < 6, f"{built.seconds} s, of which it waited 6"
