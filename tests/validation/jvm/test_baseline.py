"""The identity of tests, and what is measured of them."""

from __future__ import annotations

import pytest

from nl2fix.core.records import Outcome
from nl2fix.validation.jvm.baseline import may_vary
from nl2fix.validation.jvm.current import measure_current
from nl2fix.validation.jvm.prepare import Mismatch
from tests.validation.jvm.conftest import CALC_TEST, Maker, Project

IDS = """package acme;

import static org.junit.Assert.*;
import java.util.*;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class NamedTest {
    interface Named { }
    @Parameterized.Parameters(name = "{0}") public static Collection<Object[]> data() {
        Object proxy = java.lang.reflect.Proxy.newProxyInstance(
            NamedTest.class.getClassLoader(), new Class<?>[] {Named.class}, (p, m, a) -> "a proxy");
        Runnable lambda = () -> { };
        return Arrays.asList(new Object[][] {
            {new Object()}, {lambda}, {"of " + proxy.getClass().getName()},
            {"mock, hashCode: " + new Object().hashCode()}});
    }
    public NamedTest(Object value) { }
    @Test public void twice() { assertEquals(8, Calc.twice(4)); }
    @Test public void never() { fail("on the fix too"); }
}
"""


@pytest.fixture(scope="module")
def named(make: Maker) -> Project:
    return make(tests={"acme/CalcTest.java": CALC_TEST, "acme/NamedTest.java": IDS})


def test_a_test_whose_id_holds_an_address_and_that_fails_on_the_fix_too_is_tolerated(named: Project) -> None:
    """The reference was wrong for it, and its bug fell out."""
    failing = named.workspace.failing
    assert len(failing) == 4
    assert failing[0] == "acme.NamedTest::never[acme.NamedTest$$Lambda@]"
    assert failing[2] == "acme.NamedTest::never[mock, hashCode: ]"
    assert named.workspace.fresh_only == ()
    with named.session() as session:
        assert session.validate(named.reference).plausible
        assert session.validate(named.body("return 0;")).outcome is Outcome.WRONG


def test_ids_are_the_same_in_every_jvm(named: Project) -> None:
    names = [test.name for test in named.workspace.regression]
    today = measure_current(named.workers, named.workspace, named.problem, names).workspace
    assert [test.tests for test in today.regression] == [test.tests for test in named.workspace.regression]


def test_differences_know_their_kind() -> None:
    assert Mismatch("passes with the bug", "a.B::c").of_trigger
    assert Mismatch("fails with the fix", "a.B::c").of_trigger
    assert not Mismatch("undeclared", "a.B::c").of_trigger


@pytest.mark.parametrize(
    ("statement", "varies"),
    [
        ("org.junit.Assert.assertEquals(8, Calc.twice(4));", False),
        ("new Thread(() -> { }).start();", True),
        ("org.junit.Assert.assertTrue(Math.random() < 2);", True),
        ("org.junit.Assert.assertNotNull(java.time.Instant.now());", True),
        ("org.junit.Assert.assertTrue(System.nanoTime() != 0);", True),
    ],
)
def test_only_programs_that_know_clocks_threads_or_chance_may_vary(
    make: Maker, statement: str, varies: bool
) -> None:
    test = CALC_TEST.replace("assertEquals(8, Calc.twice(4));", statement)
    project = make(tests={"acme/CalcTest.java": test}, measure=False)
    assert may_vary(project.workspace, {}) == varies


def test_a_test_with_a_time_limit_may_vary(make: Maker) -> None:
    test = CALC_TEST.replace("@Test public void twice", "@Test(timeout = 50) public void twice")
    assert may_vary(make(tests={"acme/CalcTest.java": test}, measure=False).workspace, {})


CROWDED_TEST = """package acme;
public class CrowdedTest {
    @org.junit.Test public void hasTheMachineForItself() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        long[] spent = new long[cores];
        Thread[] threads = new Thread[cores];
        for (int i = 0; i < cores; i++) {
            final int mine = i;
            threads[i] = new Thread(() -> {
                long end = System.nanoTime() + 500_000_000L;
                while (System.nanoTime() < end) { }
                spent[mine] = java.lang.management.ManagementFactory.getThreadMXBean()
                    .getCurrentThreadCpuTime();
            });
        }
        for (Thread thread : threads) { thread.start(); }
        for (Thread thread : threads) { thread.join(); }
        org.junit.Assert.assertTrue(java.util.stream.LongStream.of(spent).sum() > cores * 450_000_000L);
    }
}
"""


@pytest.mark.parametrize("declared", [(), ("acme.CalcTest",)], ids=["", "declared"])
def test_a_test_that_fails_beside_a_busy_machine_is_flaky(make: Maker, declared: tuple[str, ...]) -> None:
    """It is known to fail anyway where the machine is too busy for it already."""
    tests = {"acme/CalcTest.java": CALC_TEST, "acme/CrowdedTest.java": CROWDED_TEST}
    project = make(tests=tests, trigger_tests=declared)
    workspace = project.workspace
    assert workspace.flaky + workspace.failing == ("acme.CrowdedTest::hasTheMachineForItself",)


GUARDED_TEST = """package acme;

public class GuardedTest {
    @org.junit.Test public void readsNoFile() throws Exception {
        System.setSecurityManager(new SecurityManager() {
            @Override public void checkPermission(java.security.Permission asked) { }
            @Override public void checkRead(String file) { throw new SecurityException(file); }
        });
        try {
            Thread.sleep(700);
            org.junit.Assert.assertEquals(8, Calc.twice(4));
        } finally {
            System.setSecurityManager(null);
        }
    }
}
"""


def test_a_test_under_a_security_manager_of_its_own_ends_no_jvm(make: Maker) -> None:
    """XStream's forbids reading files, as the worker itself did to see its time: nothing was judged."""
    project = make(tests={"acme/CalcTest.java": CALC_TEST, "acme/GuardedTest.java": GUARDED_TEST})
    assert not project.workspace.failing
    with project.session() as session:
        assert session.validate(project.reference).plausible


SERVER_TEST = """package acme;
import java.net.*;
public class %s {
    @org.junit.BeforeClass public static void serve() throws Exception {
        try {
            ServerSocket server = new ServerSocket(45671);
            new Thread(() -> { try { server.accept(); } catch (Exception e) { } }).start();
        } catch (BindException taken) { System.exit(100); }
    }
    @org.junit.Test public void mean() { org.junit.Assert.assertEquals(3, Calc.mean(2, 4)); }
}
"""


def test_a_class_that_ends_the_jvm_of_others_is_left_out(make: Maker) -> None:
    """Spark's build has a JVM for each class, as each leaves a server behind: nothing could be suggested."""
    servers = {f"acme/{name}.java": SERVER_TEST % name for name in ("OneTest", "TwoTest", "ThreeTest")}
    project = make(tests={"acme/CalcTest.java": CALC_TEST, **servers}, measure=False)
    names = ["acme.OneTest", "acme.CalcTest", "acme.TwoTest", "acme.ThreeTest"]
    made = measure_current(project.workers, project.workspace, project.problem, names)
    assert made.ending == ("acme.TwoTest", "acme.ThreeTest") and made.slow == ()
    assert [test.name for test in made.workspace.regression] == ["acme.OneTest", "acme.CalcTest"]
    made.workspace.save()
    with project.session() as session:
        assert session.validate(project.reference).plausible
