"""What a verdict may rest on: sound workers, failures that come again, no clock, no killer from outside."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.core.protocols import Vouching
from nl2fix.core.records import Candidate, Outcome, Verdict
from nl2fix.sandboxes.table import tree
from nl2fix.validation.jvm import alone, program
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.session import JvmSession
from nl2fix.validation.jvm.worker import Phase, Plan, Report
from nl2fix.validation.jvm.workspace import Workspace
from tests.validation.jvm.conftest import BUG, CALC, CALC_TEST, FIXED, Maker, Project

FLAG = "flag.txt"
MOODY_TEST = """package acme;
import static org.junit.Assert.*;
public class MoodyTest {
    static boolean raised() throws Exception {
        try (java.io.InputStream flag = MoodyTest.class.getResourceAsStream("/flag.txt")) {
            return flag.read() == '1';
        }
    }
    @org.junit.Test public void calm() throws Exception { assertFalse(raised()); }
    @org.junit.Test(timeout = 400) public void quick() throws Exception { %s }
}
"""
DEEP_TEST = """package acme;
import static org.junit.Assert.*;
public class DeepTest {
    static long mix(long a, long b, long c, long d) {
        long e = a * 31 + b, f = b * 37 + c, g = c * 41 + d, h = d * 43 + a;
        return (e ^ f) + (g ^ h) * (e & h) - (f | g);
    }
    static long down(int n, long a, long b, long c, long d) {
        if (n == 0) return a;
        long e = mix(a, b, c, d), f = mix(b, c, d, e), g = mix(c, d, e, f), h = mix(d, e, f, g);
        long rest = down(n - 1, e, f, g, h);
        return rest + mix(a, b, c, d) + mix(e, f, g, h) + mix(a, f, c, h) + mix(e, b, g, d);
    }
    @org.junit.Test public void deep() throws Exception {
        for (int i = 0; i < 20000; i++) down(5, i, 1, 2, 3);
        Thread.sleep(300);
        assertTrue(down(6000, 1, 2, 3, 4) != 0);
    }
}
"""


def moody(make: Maker, slow: bool) -> Project:
    """A project with a test that fails, or is out of time, whenever a file says so."""
    test = MOODY_TEST % ("if (raised()) { Thread.sleep(9000); }" if slow else "")
    if slow:
        test = test.replace("assertFalse(raised());", "")
    return make(
        tests={"acme/CalcTest.java": CALC_TEST, "acme/MoodyTest.java": test},
        resources={f"tests/{FLAG}": "0"},
    )


@pytest.mark.parametrize("slow", [False, True], ids=["fails", "is late"])
def test_a_test_that_does_not_fail_again_alone_makes_nothing_wrong(
    make: Maker, slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = moody(make, slow)
    flag = project.workspace.root / "tests" / FLAG
    with project.session() as session:
        assert session.validate(project.body("return 0;")).outcome is Outcome.WRONG
        run = session.bench.run_challenged
        monkeypatch.setattr(session.bench, "run_challenged", lowering(flag, run, session))
        flag.write_text("1")
        verdict = settled(session, project.reference)
    assert verdict.plausible, verdict
    assert flag.read_text() == "0"


def test_a_brief_test_that_fails_twice_by_chance_has_not_failed_again(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mockito-27's ThreadsShareGenerouslyStubbedMockTest made its reference wrong once in 20 at load 40."""
    project, test = moody(make, slow=False), "acme.MoodyTest::calm"
    regression = [replace(item, seconds=0.01) for item in project.workspace.regression]
    with project.session() as session:
        build = session.bench.compile(session.bench.unedited)
        for failed, again in (((True, False, True), False), ((True, True, True), True)):
            told = [(test, fails) for fails in failed]
            monkeypatch.setattr(session, "_there", lambda _, runs, __, told=told: told[: len(runs)])
            assert session._fails_again(build, test, regression) is again


def test_a_test_that_failed_runs_again_without_the_others_of_its_class(
    calc: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole classes again took six per cent of a run's processor time."""
    broken = calc.edited("return 2 * a;", "return a == 1 ? 3 : 2 * a;").apply(calc.problem)
    reports: list[Report] = []
    with calc.session() as session:
        run = session.bench.run_there

        def noted(plan: Plan) -> Report:
            reports.append(run(plan))
            return reports[-1]

        session.validate(calc.body("return 0;"))
        build = session.bench.compile((broken,))
        monkeypatch.setattr(session.bench, "run_there", noted)
        test = "acme.MoreTest::one"
        assert session._fails_again(build, test, calc.workspace.regression)
        assert {result.id for report in reports for result in report.results} == {test}


def lowering(flag: Path, run: Any, session: JvmSession) -> Any:
    """Fresh runs, of which those that run alone find the flag down."""

    def lowered(*arguments: Any) -> Any:
        flag.write_text("0" if session.bench.is_alone else "1")
        return run(*arguments)

    return lowered


def test_a_test_that_is_late_each_time_is_out_of_time(make: Maker) -> None:
    project = moody(make, slow=True)
    (project.workspace.root / "tests" / FLAG).write_text("1")
    with project.session() as session:
        verdict = settled(session, project.reference)
    assert (verdict.outcome, verdict.evidence.failing_test) == (Outcome.TIMEOUT, "acme.MoodyTest::quick")


def settled(session: JvmSession, candidate: Candidate) -> Verdict:
    """The verdict that the session stands by."""
    verdict = session.validate(candidate)
    while candidate in session.doubted():
        verdict = session.validate(candidate)
    return verdict


WAITS = "if (a == 2) new java.util.concurrent.CountDownLatch(1).await(); " + FIXED
UNINTERRUPTED = CALC.replace("mean(int a, int b) {", "mean(int a, int b) throws InterruptedException {")


def test_what_waits_without_end_is_decided_once_others_are_judged(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """commons-exec's edits that wait took up to 108 s each, in which no other was judged."""
    test = CALC_TEST.replace("mean()", "mean() throws Exception")
    more = "package acme; public class MoreTest { @org.junit.Test public void t() { Calc.twice(1); } }"
    project = make(
        sources={"acme/Calc.java": UNINTERRUPTED},
        tests={"acme/CalcTest.java": test, "acme/MoreTest.java": more},
    )
    waiting = project.body(WAITS)
    with project.session() as session, counting_turns(session, monkeypatch) as turns:
        assert session.validate(project.body("return 0;")).outcome is Outcome.WRONG
        assert session.validate(waiting).outcome is Outcome.TIMEOUT
        assert session.validate(project.reference).plausible
        assert not turns, "nothing has had the machine for itself yet"
        assert list(session.doubted()) == [waiting]
        assert session.validate(waiting).outcome is Outcome.TIMEOUT
        assert len(turns) == 1
        assert list(session.doubted()) == []


SETS_TEST = """package acme;
import org.junit.*;
public class SetsTest {
    @BeforeClass public static void set() { while (Calc.twice(7) != 14) { } }
    @Test public void large() { Assert.assertEquals(200, Calc.twice(100)); }
}
"""


def test_a_class_whose_set_up_takes_all_time_is_named_itself(make: Maker) -> None:
    """The last test of the class before it was."""
    project = make(tests={"acme/CalcTest.java": CALC_TEST, "acme/SetsTest.java": SETS_TEST})
    endless = project.reference.code.replace("return 2 * a;", "return a == 7 ? 0 : 2 * a;")
    with project.session() as session:
        verdict = session.validate(replace(project.reference, code=endless))
    assert (verdict.outcome, verdict.evidence.failing_test) == (Outcome.TIMEOUT, "acme.SetsTest")


BURN = "int used = 0; for (int i = 0; i < 1000000000; i++) { used += i; } if (used == 1) { return 7; } "
"""Some tenths of a second of CPU time."""


@contextmanager
def counting_turns(session: JvmSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How often the session had the machine for itself."""
    turns: list[int] = []
    apart = session.bench.alone

    @contextmanager
    def counted() -> Iterator[None]:
        turns.append(1)
        with apart():
            yield

    monkeypatch.setattr(session.bench, "alone", counted)
    yield turns


@pytest.mark.parametrize("others", [True, False], ids=["beside others", "nobody else there"])
def test_only_who_ends_late_beside_others_is_tried_again_alone(
    make: Maker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, others: bool
) -> None:
    """Endless loops that each had the machine for themselves made two jobs no faster than one."""
    triggers = TimeLimits.triggers

    def short(limits: TimeLimits, workspace: Workspace) -> Phase:
        phase = triggers(limits, workspace)
        return replace(phase, limit=replace(phase.limit, cpu=0.05)) if limits.beside else phase

    monkeypatch.setattr(alone, "_file", lambda name: tmp_path / name)
    if others:
        monkeypatch.setattr(alone.Turn, "alone", lambda turn: False)

    monkeypatch.setattr(TimeLimits, "triggers", short)
    project = make()
    project.workspace = replace(project.workspace, trigger_seconds=1.0)
    project.workspace.save()
    slow = project.body(BURN + FIXED)
    with project.session() as session, counting_turns(session, monkeypatch) as turns:
        assert session.validate(project.body("return 0;")).outcome is Outcome.WRONG  # warms the worker up
        assert not turns
        assert session.validate(slow).outcome is (Outcome.PLAUSIBLE if others else Outcome.TIMEOUT)
        assert len(turns) == others
        verdict = session.validate(project.body("while (true) { }"))
        assert (verdict.outcome, len(turns)) == (Outcome.TIMEOUT, others)


def test_a_tests_own_limit_and_ours_are_one_outcome(make: Maker) -> None:
    """Which of them a loop meets first depends on the machine's load."""
    limited = CALC_TEST.replace("@Test", "@Test(timeout = 300)")
    assert limited != CALC_TEST
    outcomes = set()
    for test, seconds in ((limited, 9.0), (CALC_TEST, 0.01)):
        project = make(tests={"acme/CalcTest.java": test})
        project.workspace = replace(project.workspace, trigger_seconds=seconds)
        project.workspace.save()
        with project.session() as session:
            outcomes.add(session.validate(project.body("while (true) { }")).outcome)
    assert outcomes == {Outcome.TIMEOUT}


def test_a_test_that_is_known_to_be_flaky_decides_nothing(make: Maker) -> None:
    project = moody(make, slow=False)
    (project.workspace.root / "tests" / FLAG).write_text("1")
    replace(project.workspace, flaky=("acme.MoodyTest::calm",)).save()
    with project.session() as session:
        assert session.validate(project.reference).plausible
        assert session.validate(project.body("return 0;")).outcome is Outcome.WRONG


MANY_TEST = """package acme;
public class ManyTest {
    @org.junit.Test public void many() throws Exception {
        java.util.concurrent.CountDownLatch end = new java.util.concurrent.CountDownLatch(1);
        Thread[] all = new Thread[1000];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> { try { end.await(); } catch (InterruptedException e) { } });
            all[i].start();
        }
        end.countDown();
        for (Thread each : all) { each.join(); }
        org.junit.Assert.assertEquals(8, Calc.twice(4));
    }
}
"""


def test_threads_that_pile_up_on_a_busy_machine_make_nothing_wrong(make: Maker) -> None:
    """Mockito-34's fix was wrong at a load of 20: of 5,000 threads hundreds that had ended were still there,
    and with 512 no other could begin. The test was said to be flaky in five bugs.
    """
    project = make(tests={"acme/CalcTest.java": CALC_TEST, "acme/ManyTest.java": MANY_TEST})
    assert project.workspace.failing == ()
    with project.session() as session:
        assert session.validate(project.reference).plausible


ASKS_TEST = """package acme;
import static org.junit.Assert.*;
public class AsksTest {
    @org.junit.Test public void follows() { assertTrue(java.net.HttpURLConnection.getFollowRedirects()); }
}
"""


@pytest.fixture(scope="module")
def spoilt(make: Maker) -> Project:
    """A project whose file could always change a setting that all classes of a JVM share."""
    follow = "static void follow(boolean on) { java.net.HttpURLConnection.setFollowRedirects(on); }"
    text = CALC.replace("public class Calc {", f"public class Calc {{ {follow}")
    test = CALC_TEST.replace(
        "assertEquals(3, Calc.mean(2, 4));",
        "org.junit.Assert.assertTrue(java.net.HttpURLConnection.getFollowRedirects());"
        " assertEquals(3, Calc.mean(2, 4));",
    )
    return make(
        sources={"acme/Calc.java": text}, tests={"acme/CalcTest.java": test, "acme/AsksTest.java": ASKS_TEST}
    )


LATER_TEST = """package acme;
public class LaterTest {
    @org.junit.Test public void follows() {
        if (!java.net.HttpURLConnection.getFollowRedirects()) throw new IllegalStateException();
        org.junit.Assert.assertEquals(3, Calc.mean(2, 4));
    }
}
"""


def test_a_trigger_test_that_fails_in_another_way_tells_of_a_spoilt_worker(
    make: Maker, spoilt: Project
) -> None:
    """Behind a candidate that filters what may be read, right ones failed in a trigger test that reads; the
    unedited program failed there, too, and the worker was taken to be sound.
    """
    source = {"acme/Calc.java": spoilt.problem.text}
    project = make(sources=source, tests={"acme/CalcTest.java": CALC_TEST, "acme/LaterTest.java": LATER_TEST})
    with project.session() as session:
        assert session.validate(project.body("return 1;")).outcome is Outcome.WRONG
        assert list(session.doubted()) == []
        assert session.validate(project.body("follow(false); return 0;")).outcome is Outcome.WRONG
        assert session.validate(project.reference).outcome is Outcome.WRONG
        assert project.reference in session.doubted()
        assert session.validate(project.reference).plausible


def test_what_a_spoilt_worker_said_is_said_again_by_fresh_ones(spoilt: Project) -> None:
    with spoilt.session() as session:
        assert isinstance(session, Vouching)
        assert session.validate(spoilt.body("return 1;")).outcome is Outcome.WRONG
        assert list(session.doubted()) == []
        spoiler, innocent = spoilt.body("follow(false); return 0;"), spoilt.reference
        assert session.validate(spoiler).outcome is Outcome.WRONG
        harmed = session.validate(innocent)
        assert (harmed.outcome, harmed.evidence.stage) == (Outcome.WRONG, "trigger")
        assert {item.key for item in session.doubted()} == {spoiler.key, innocent.key}
        assert session.validate(innocent).plausible
        assert session.validate(spoiler).outcome is Outcome.WRONG
        assert list(session.doubted()) == []


def test_a_worker_that_nobody_vouches_for_serves_no_other_session(spoilt: Project) -> None:
    with spoilt.session() as session:
        session.validate(spoilt.body("follow(false); return 0;"))
    with spoilt.session() as session:
        assert session.validate(spoilt.reference).plausible


BREAKS = """return 0; }
    static void deep() { try { deep(); } catch (StackOverflowError e) { } java.time.LocalDate.now(); }
    static { try { deep(); } catch (Throwable t) { } } static void nothing() {"""
DATES = "return java.time.LocalDate.ofEpochDay(0).getYear() == 1970 ? (a + b) / 2 : 0;"


@pytest.mark.parametrize(
    "right",
    [
        DATES,
        f"try {{ {DATES} }} catch (Throwable t) {{ return 0; }}",
        f'try {{ {DATES} }} catch (Error e) {{ throw new IllegalStateException("no dates", e); }}',
        f"try {{ {DATES} }} catch (Error e) {{ while (a != 0) {{ }} return 0; }}",
        f"int x = 0; try {{ {DATES.replace('return', 'x =')} }} finally {{ return x; }}",
    ],
)
def test_a_class_of_the_jdk_that_another_broke_makes_nobody_wrong(make: Maker, right: str) -> None:
    """It was first set up where the stack ends, and never again; the control does not need it."""
    calc = make()
    with calc.session() as session:
        assert session.validate(calc.body("return 1;")).outcome is Outcome.WRONG
        assert not session.validate(calc.body(BREAKS)).plausible
        assert session.validate(calc.body(right)).plausible
        assert session.validate(calc.body(f"int y = 1; {right}")).plausible


def test_a_failure_of_the_project_that_hides_a_broken_class_makes_nobody_wrong(make: Maker) -> None:
    """The project's own code caught it, and told it as a cause."""
    day = "java.time.LocalDate.ofEpochDay(0).getYear()"
    hides = f"""package acme; class Dates {{ static int year() {{
        try {{ return {day}; }} catch (Error e) {{ throw new IllegalStateException("no date", e); }} }} }}"""
    calc = make(sources={"acme/Calc.java": CALC, "acme/Dates.java": hides})
    with calc.session() as session:
        assert session.validate(calc.body("return 1;")).outcome is Outcome.WRONG
        assert not session.validate(calc.body(BREAKS)).plausible
        assert session.validate(calc.body("return Dates.year() == 1970 ? (a + b) / 2 : 0;")).plausible


def test_a_class_of_its_own_that_cannot_begin_is_held_against_a_candidate(calc: Project) -> None:
    own = """try { new N(); } catch (Throwable t) { } new N(); return 0; }
        static class N { static int n = 1 / "".length(); } static {"""
    with calc.session() as session:
        verdict = session.validate(calc.body(own))
        assert "Could not initialize class acme.Calc$N" in str(verdict.evidence.message)
        assert verdict.outcome is Outcome.WRONG
        assert session.bench.has_tester, "nobody else is to blame"


def jvms() -> list[int]:
    """Our Java processes, but for the ones that only start."""
    names = {pid: Path(f"/proc/{pid}/comm") for pid in tree(os.getpid())}
    return [pid for pid, file in names.items() if file.exists() and file.read_text() == "java\n"]


@contextmanager
def killer(times: int) -> Iterator[list[int]]:
    """Kills one of our JVMs every now and then."""
    done, killed, choose = threading.Event(), list[int](), random.Random(7)

    def work() -> None:
        while len(killed) < times and not done.wait(choose.uniform(0.1, 1.5)):
            try:
                pid = choose.choice(jvms() or [0])
                if pid:
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
            except (OSError, ProcessLookupError):
                continue

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def told(verdict: Verdict) -> tuple[Outcome, str, str | None]:
    return verdict.outcome, verdict.evidence.stage, verdict.evidence.failing_test


def test_jvms_killed_at_any_moment_change_no_verdict(calc: Project) -> None:
    bodies = [
        code
        for n in range(12)
        for code in (f"return a + {100 + n};", f"int k = {n}; return (a + b + k - k) / 2;", f"return {n}")
    ]
    with calc.session() as session:
        before = [told(session.validate(calc.body(body))) for body in bodies]
    after = []
    with killer(times=12) as killed:
        for body in bodies:
            with calc.session() as session:
                after.append(told(session.validate(calc.body(body))))
    assert killed
    assert after == before


def test_a_damaged_worker_program_is_named_and_made_again(calc: Project) -> None:
    workers = calc.workers
    home = workers.runtime("").home
    cache = workers.environment.cache
    jar = program.archive(workers.sandbox, home, cache)
    whole = jar.read_bytes()
    for broken in (whole[: len(whole) // 2], whole[:2000] + bytes(64) + whole[2064:]):
        jar.write_bytes(broken)
        with pytest.warns(RuntimeWarning, match=jar.name):
            assert program.archive(workers.sandbox, home, cache) == jar
        assert len(jar.read_bytes()) == len(whole)


def test_the_worker_program_is_compiled_below_a_folder_with_a_space(
    calc: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With such a ``TMPDIR`` no Java problem could be judged: the compiler took each part for a file."""
    (tmp_path / "with space").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "with space"))
    workers = calc.workers
    assert program.archive(workers.sandbox, workers.runtime("").home, tmp_path / "cache").is_file()


@pytest.mark.parametrize("name", ["a:b", "caf\udce9"])
def test_a_cache_that_no_class_path_can_name_is_told(name: str, calc: Project, tmp_path: Path) -> None:
    """A class of ours was not found, or Python's codec was named."""
    with pytest.raises(UsageError, match="--cache"):
        program.archive(calc.workers.sandbox, calc.workers.runtime("").home, tmp_path / name)


def test_a_candidate_that_reaches_for_more_is_told(calc: Project) -> None:
    with calc.session() as session:
        assert session.validate(calc.body("return 0;")).outcome is Outcome.WRONG
        body = f"if (a < b - 1000000) {{ System.exit(0); }} {FIXED}"
        verdict = session.validate(calc.body(body))
        assert verdict.plausible
        assert verdict.evidence.suspicious == "the end of the JVM (java.lang.System.exit)"
        assert session.validate(Candidate(calc.reference.code, "file")).evidence.suspicious is None


def test_a_control_that_is_stopped_leaves_no_worker_behind(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its thread may have been setting up a class of a library, which then is broken for good.
    loop = "while (a == a) { }\n        return 0;"
    project = make(sources={"acme/Calc.java": CALC.replace(BUG, loop)}, mend=(loop, FIXED))
    with project.session() as session:
        bench, told = session.bench, []
        run, drop = bench.run_warm, bench.drop_tester

        def running(plan: Plan) -> Report:
            told.append("run")
            return run(plan)

        def dropping() -> None:
            told.append("drop")
            drop()

        monkeypatch.setattr(bench, "run_warm", running)
        monkeypatch.setattr(bench, "drop_tester", dropping)
        session._control.learn()
        assert told[:2] == ["run", "drop"]


LEAVES_TEST = """package acme;
public class LeavesTest {
    static void sleep() {
        while (true) { try { Thread.sleep(1000); } catch (InterruptedException e) { } }
    }
    @org.junit.Test public void leavesAThread() {
        Thread thread = new Thread(LeavesTest::sleep);
        thread.setDaemon(true);
        thread.start();
        org.junit.Assert.assertEquals(2, Calc.twice(1));
    }
}
"""


def test_where_tests_wear_out_their_jvm_a_failure_takes_no_fresh_ones(make: Maker) -> None:
    """jsoup's tests start servers: each wrong edit took all tests three times, twice while others waited."""
    project = make(tests={"acme/CalcTest.java": CALC_TEST, "acme/LeavesTest.java": LEAVES_TEST})
    regression = [replace(item, seconds=0.1) for item in project.workspace.regression]
    project.workspace = replace(project.workspace, regression=tuple(regression))  # no part of a control
    project.workspace.save()
    with project.session() as session:
        for factor in (3, 4, 5):
            code = project.reference.code.replace("return 2 * a;", f"return a == 1 ? {factor} : 2 * a;")
            verdict = session.validate(replace(project.reference, code=code))
            failed = (Outcome.WRONG, "acme.LeavesTest::leavesAThread")
            assert (verdict.outcome, verdict.evidence.failing_test) == failed
        assert session.bench.starts == 2, "of the first one, which met that class only when it was confirmed"
        assert session.validate(project.reference).plausible


REDIRECTS_TEST = """package acme;
public class RedirectsTest {
    @org.junit.Test public void follows() {
        boolean follows = java.net.HttpURLConnection.getFollowRedirects();
        if (!follows) {
            Thread thread = new Thread(LeavesTest::sleep);
            thread.setDaemon(true);
            thread.start();
        }
        org.junit.Assert.assertTrue(follows);
    }
}
"""
FOLLOW = "static void follow(boolean on) { java.net.HttpURLConnection.setFollowRedirects(on); }"


def test_what_another_left_in_a_jvm_that_wears_out_makes_nobody_wrong(make: Maker) -> None:
    """The unedited program passed in the JVM after it, in which the candidate would have, too."""
    project = make(
        sources={"acme/Calc.java": CALC.replace("public class Calc {", f"public class Calc {{ {FOLLOW}")},
        tests={
            "acme/RedirectsTest.java": REDIRECTS_TEST,
            "acme/CalcTest.java": CALC_TEST,
            "acme/LeavesTest.java": LEAVES_TEST,
        },
    )
    seconds = {"acme.RedirectsTest": 0.9, "acme.CalcTest": 0.1}  # too long for a warm worker and a control
    regression = [
        replace(item, seconds=seconds[item.name])
        for item in project.workspace.regression
        if item.name in seconds
    ]
    project.workspace = replace(project.workspace, regression=tuple(regression))
    project.workspace.save()
    with project.session() as session:
        session._powers.lasting = False  # as if no name told of it
        assert session.validate(project.body(f"follow(false); {FIXED}")).plausible
        session._failures["acme.RedirectsTest"] = 1
        assert session.validate(project.body("return a + (b - a) / 2;")).plausible


def test_a_recursion_that_a_plain_jvm_manages_is_managed(make: Maker) -> None:
    """Frames are larger where code is compiled in one step: a third of the usual depth was missing."""
    project = make(tests={"acme/CalcTest.java": CALC_TEST, "acme/DeepTest.java": DEEP_TEST})
    assert not project.workspace.failing
    with project.session() as session:
        assert session.validate(project.reference).outcome is Outcome.PLAUSIBLE
