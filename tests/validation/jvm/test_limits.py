"""The clock's limit counts what tests take, not what a busy machine makes them wait."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.worker import Item, Limit, Phase, Report
from tests.validation.jvm.conftest import CALC_TEST, Maker, Project

WAITS_TEST = """package acme;
import java.nio.file.*;
import java.util.concurrent.FutureTask;
public class WaitsTest {
    private static double waited() throws Exception {
        String told = new String(Files.readAllBytes(Paths.get("/proc/thread-self/schedstat")));
        return Double.parseDouble(told.trim().split(" ")[1]) / 1e9;
    }
    private static void workUntilWaited(double seconds) throws Exception {
        for (double before = waited(); waited() - before < seconds; ) { Calc.twice(4); }
    }
    @org.junit.Test public void ends() throws Exception { workUntilWaited(3); }
    @org.junit.Test public void endsWithAThread() throws Exception {
        FutureTask<?> task = new FutureTask<>(() -> { ends(); return 0; });
        new Thread(task).start();
        task.get();
    }
    @org.junit.Test public void neverEnds() throws Exception { workUntilWaited(1e9); }
    @org.junit.Test public void sleeps() throws Exception { Thread.sleep(1000000); }
}
"""
CLOCK = 2.0

pytestmark = pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the kernel does not tell who waits"
)


@pytest.fixture(scope="module")
def project(make: Maker) -> Project:
    return make(tests={"acme/CalcTest.java": CALC_TEST, "acme/WaitsTest.java": WAITS_TEST}, measure=False)


def run(project: Project, test: str) -> Report:
    """What a test says that has two seconds by the clock, and all the processor time it may want."""
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
