"""What calls of tests show of edits, in real JVMs: set-up receivers, varied tests, hostile edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from nl2fix.core.protocols import HearsTests
from nl2fix.core.records import Candidate, OnTests, SourceFile
from nl2fix.validation.jvm.workspace import TestClass
from tests.validation.jvm.conftest import BUG, JUNIT3, Maker, Project
from tests.validation.jvm.test_witness import CLOCK, HOSTILE, unit

ENGINE = """package acme;
import java.util.*;
public class Calc {
    public interface Part { int run(long a, double b, String... c); }
    public abstract static class Engine {
        final Part part;
        int runs;
        protected Engine(long start, double rate, Part part) {
            this.part = Objects.requireNonNull(part);
            for (long i = 0; i < start; i++) { runs += i % 2 == 0 ? 1 : 0; }
            if (rate < 0) { throw new IllegalArgumentException("negative"); }
        }
        public synchronized double work(long times, double by, int[] log) {
            if (times > 90) { throw new IllegalStateException("too often"); }
            if (times > 50) { return work(times - 50, by, log); }
            runs += part.run(times, by);
            log[0] = runs;
            return by * runs;
        }
    }
    static class Motor extends Engine {
        Motor(int runs) { super(runs, 1.5, (a, b, c) -> (int) a); }
    }
    public static Engine engine(int runs) { return new Motor(runs); }
    public static int mean(int a, int b) { return (a + b) / 2 + 1; }
    private static int seen;
    static int count(int a) { seen += a; return seen; }
    static int chance(int a) { return new Random().nextInt(1 << 30); }
}
"""
ENGINE_TEST = """package acme;
import static org.junit.Assert.*;
import org.junit.Test;
public class CalcTest {
    @Test public void mean() { assertEquals(3, Calc.mean(2, 4)); Calc.mean(6, 8); }
    @Test public void works() {
        int[] log = new int[1];
        Calc.Engine engine = Calc.engine(7);
        for (int i = 3; i < 9; i++) { engine.work(i, 2.5, log); }
        assertEquals(12, engine.runs);
        engine.work(60L, 1.25, log);
        try { engine.work(95, 0.5, log); fail("more"); } catch (IllegalStateException good) { log[0] = 1; }
    }
    @Test(expected = IllegalStateException.class)
    public void stops() { Calc.engine(1).work(99, 1, new int[1]); }
    @Test public void refuses() {
        for (int i = 0; i < 4; i++) {
            try { new Calc.Engine(i, 2 - i, (a, b, c) -> 1) { }; } catch (IllegalArgumentException good) { }
        }
    }
    @Test public void counts() {
        for (int i = 0; i < 3; i++) { Calc.count(1); Calc.count(2); Calc.chance(i); }
    }
}
"""
WORK = "work(long, double, int[])"
STEP = "runs += part.run(times, by);"


@pytest.fixture(scope="module")
def engine(make: Maker) -> Project:
    return make(sources={"acme/Calc.java": ENGINE}, tests={"acme/CalcTest.java": ENGINE_TEST})


def hear(project: Project, *bodies: tuple[str, str], fix: tuple[str, str] | None = None) -> Sequence[OnTests]:
    """What calls of tests show of edits of the unit, each one text replaced by another."""
    before = project.problem.before
    assert all(old in before for old, _ in bodies)
    reference = Candidate(before.replace(*fix)) if fix else None
    with project.validator().witness(project.problem, 5) as witness:
        assert isinstance(witness, HearsTests)
        told = witness.on_tests([Candidate(before.replace(*body)) for body in bodies], reference)
    assert None not in told
    return [each for each in told if each is not None]


def test_tests_set_up_receivers_that_no_call_could_make(engine: Project) -> None:
    same, twice = hear(
        unit(engine, WORK),
        (STEP, "runs = part.run(times, by) + runs;"),
        (STEP, "runs += 2 * part.run(times, by);"),
        fix=(STEP, "int made = part.run(times, by); runs += made;"),
    )
    assert same.apart is None and same.beside >= 8 and not same.changes and same.dropped == 0
    assert twice.apart is not None
    assert twice.apart.call.startswith("work(3L, 2.5, {0}) on Motor(")
    assert twice.apart.before.startswith("17.5; this becomes Motor(")
    assert twice.apart.after.startswith("25.0; this becomes Motor(")


def test_an_edit_that_changes_what_a_passing_test_calls_is_known(engine: Project) -> None:
    """``mean`` fails today, so that a fix changes its calls; ``refuses`` passes."""
    (fixed,) = hear(unit(engine, "mean(int, int)"), ("(a + b) / 2 + 1", "(a + b) / 2"))
    assert fixed.changes and fixed.against is None
    check = "if (rate < 0)"
    constructor = unit(engine, "Engine(long, double, Part)")
    same, lazy = hear(constructor, (check, "if (0 > rate)"), (check, "if (rate < -1.5)"))
    assert same.against is None
    assert lazy.against is not None
    assert lazy.against.before == "throws an exception"


def test_constructors_and_what_they_throw_are_heard(engine: Project) -> None:
    constructor = unit(engine, "Engine(long, double, Part)")
    check = "if (rate < 0)"
    (lazy, same) = hear(
        constructor, (check, "if (rate < -1.5)"), (check, "if (0 > rate)"), fix=(check, "if (!(rate >= 0))")
    )
    assert same.apart is None and same.beside >= 4
    assert lazy.apart is not None and lazy.apart.call.startswith("new Calc$Engine(3L, -1.0, ")
    assert lazy.apart.before == "throws an exception"


def test_tests_with_other_constants_reach_what_the_tests_do_not(engine: Project) -> None:
    learned = "if (a == 2 && b == 4) { return 3; } if (a == 6 && b == 8) { return 7; } return 0;"
    (by_heart,) = hear(unit(engine, "mean(int, int)"), (BUG, learned), fix=(BUG, "return (a + b) / 2;"))
    assert by_heart.apart is not None
    assert by_heart.apart.call not in ("mean(2, 4)", "mean(6, 8)")


def test_an_edit_of_a_result_s_type_is_heard_by_tests_compiled_against_it(engine: Project) -> None:
    """As they had been compiled before, tests found no such method, and nothing was heard of it."""
    wide, other = "static long mean(int a, int b)", "return a + b;"
    same, sums = hear(
        unit(engine, "mean(int, int)"),
        ("static int mean(int a, int b)", wide),
        (f"static int mean(int a, int b) {{ {BUG} }}", f"{wide} {{ {other} }}"),
    )
    assert [(row.call, row.after) for row in same.changes[:2]] == [("mean(2, 4)", "4L"), ("mean(6, 8)", "8L")]
    assert [row.after for row in sums.changes[:2]] == ["6L", "14L"]


def test_equal_problems_hear_equal_calls(engine: Project) -> None:
    mean = unit(engine, "mean(int, int)")
    edit = (BUG, "return b / 2 + a / 2;")
    assert hear(mean, edit, fix=edit) == hear(mean, edit, fix=edit)


def test_what_is_heard_does_not_depend_on_measured_time(make: Maker) -> None:
    """Two machines, one under load, prepare a project with other times, and hear the same tests."""
    far = """package acme; import org.junit.Test;
        public class FarTest { @Test public void nothing() { new StringBuilder(); } }"""
    beside = """package acme; import org.junit.Test;
        public class NearTest { @Test public void near() throws Exception {
            Thread.sleep(300);
            for (int i = 0; i < 12; i++) { Calc.mean(i, 70 + i); } } }"""
    tests = {"acme/CalcTest.java": ENGINE_TEST, "acme/FarTest.java": far, "acme/NearTest.java": beside}
    project = make(sources={"acme/Calc.java": ENGINE}, tests=tests, measure=False)
    fix = (BUG, "return (a + b) / 2;")

    def on_a_machine(*seconds: float) -> Sequence[OnTests]:
        names = ("acme.FarTest", "acme.NearTest")
        measured = tuple(TestClass(*each) for each in zip(names, ((), ()), seconds, strict=True))
        replace(project.workspace, trigger_tests=("acme.CalcTest::mean",), regression=measured).save()
        return hear(
            unit(project, "mean(int, int)"), (BUG, "return a == 11 && b == 81 ? 0 : (a + b) / 2;"), fix=fix
        )

    fast = on_a_machine(0.01, 0.3)
    assert fast == on_a_machine(40.0, 500.0)
    assert fast[0].apart is not None and fast[0].apart.call == "mean(11, 81)" and not fast[0].late


def test_a_limit_of_time_that_strikes_is_told(make: Maker) -> None:
    slow = """package acme; import org.junit.Test; public class CalcTest {
        @Test public void mean() { Calc.mean(2, 4); }
        @Test public void slow() throws Exception { Thread.sleep(1200); Calc.mean(12, 14); } }"""
    project = make(tests={"acme/CalcTest.java": slow}, measure=False)
    replace(project.workspace, trigger_tests=("acme.CalcTest::mean",)).save()
    fix = (BUG, "return (a + b) / 2;")
    (seen,) = hear(unit(project, "mean(int, int)"), fix, fix=fix)
    assert seen.late and seen.beside > 0 and all(change.call != "mean(12, 14)" for change in seen.changes)


def test_a_copy_that_does_not_end_is_left_out_and_no_other(make: Maker) -> None:
    """Another constant made a loop endless: 20 s of processor time went, and what came then was not heard."""
    loop = """package acme; import org.junit.Test; public class CalcTest {
        @Test public void mean() { Calc.mean(2, 4); }
        @Test public void often() { for (int i = 8; i < 40000; i = i * 20) { Calc.mean(i, 14); } } }"""
    project = make(tests={"acme/CalcTest.java": loop}, measure=False)
    replace(project.workspace, trigger_tests=("acme.CalcTest::mean",)).save()
    (seen,) = hear(unit(project, "mean(int, int)"), (BUG, "return (a + b) / 2 + 9;"))
    assert seen.late
    assert seen.beside > 19, "calls of copies behind the endless one are not heard"


def test_a_slow_test_that_judges_none_is_not_run_for_the_trigger_of_its_class(make: Maker) -> None:
    """Of metrics' CachedGauge, where one test takes 10 s, looking at one edit took 26 s so."""
    slow = """package acme; import org.junit.Test; public class CalcTest {
        @Test public void mean() { Calc.mean(2, 4); }
        @Test public void other() { Calc.mean(6, 8); }
        @Test public void slow() throws Exception { Thread.sleep(1200); Calc.mean(12, 14); } }"""
    project = make(tests={"acme/CalcTest.java": slow}, measure=False)
    name = "acme.CalcTest"
    kept = TestClass(name, (f"{name}::mean", f"{name}::other"), methods=("other",))
    replace(project.workspace, trigger_tests=(f"{name}::mean",), regression=(kept,)).save()
    (seen,) = hear(unit(project, "mean(int, int)"), (BUG, "return (a + b) / 2;"))
    assert {"mean(2, 4)", "mean(6, 8)"} <= {change.call for change in seen.changes}
    assert not seen.late, "the slow test ran"


@pytest.mark.parametrize("entity", ["count(int)", "chance(int)"])
def test_what_values_do_not_decide_is_left_out(engine: Project, entity: str) -> None:
    (seen,) = hear(unit(engine, entity), ("(int a)", "(final int a)"), fix=("(int a)", "(final  int a)"))
    assert seen.apart is None and not seen.changes and seen.dropped > 0


def test_what_only_time_has_changed_is_not_held_against_an_edit(make: Maker) -> None:
    """Of prettytime an edit seemed to change calls with today's date, of a test that passes."""
    test = """package acme;
    import static org.junit.Assert.*;
    import org.junit.Test;
    public class CalcTest {
        @Test public void mean() { assertEquals(3, Calc.mean(2, 4)); }
        @Test public void tells() throws Exception { for (int i = 2; i < 5; i++) { Calc.now(i); } } }"""
    project = make(
        sources={"acme/Calc.java": CLOCK},
        tests={"acme/CalcTest.java": test},
        resources={"classes/clock": "1"},
    )
    now = unit(project, "now(int)")
    with now.validator().witness(now.problem, 5) as witness:
        assert isinstance(witness, HearsTests)
        codes = [now.problem.before.replace(*body) for body in (("int a", "final int a"), ("before", "by"))]
        witness.on_tests([Candidate(codes[0])])
        (now.workspace.root / "classes/clock").write_text("2")
        same, other = witness.on_tests([Candidate(code) for code in codes])
    assert same is not None and same.against is None and not same.changes and same.dropped > 0
    assert other is not None and other.against is not None
    assert (other.against.before, other.against.after) == ('"before 2"', '"by 2"')


def test_units_of_other_files_are_heard_where_an_edit_changes_them(make: Maker) -> None:
    sources = {
        "acme/Calc.java": "package acme; public class Calc { int a(int x) { return new Other().b(x); } }",
        "acme/Other.java": "package acme;class Other { int b(int x) { return x + 2; } int c() { return 0; }}",
    }
    test = """package acme; import org.junit.Test; public class CalcTest {
        @Test public void a() { for (int i = 0; i < 12; i++) { new Calc().a(i); new Other().c(); } } }"""
    project = unit(
        make(
            sources=sources,
            tests={"acme/CalcTest.java": test},
            editable=["acme/Other.java"],
            mend=("b(x)", "b(x - 1)"),
            measure=False,
        ),
        "a(int)",
    )
    workspace = replace(project.workspace, trigger_tests=("acme.CalcTest::a",))
    workspace.save()
    text, other = project.problem.text, sources["acme/Other.java"]
    fix = Candidate(text.replace("b(x)", "b(x - 1)"), "file")

    def edit(old: str, new: str) -> Candidate:
        return Candidate(text, "file", (SourceFile("acme/Other.java", other.replace(old, new)),))

    with project.validator().witness(project.problem, 5) as witness:
        inside, beyond = witness.on_tests([edit("x + 2", "x + 1"), edit("return 0;", "return 1;")], fix)
    assert inside is not None and inside.beside >= 10 and inside.apart is None
    assert beyond is not None and beyond.apart is not None and beyond.apart.call.startswith("a(")


def test_hostile_edits_are_heard_without_harm_to_neighbours(calc: Project) -> None:
    mean, fix = unit(calc, "mean(int, int)"), (BUG, "return (a + b) / 2;")
    forging = {
        "forges": 'nl2fix.jvm.Tap.returned((Object) 3); nl2fix.jvm.Tap.enter("mean", null, new Object[0]);',
    }
    chosen = ("loops and swallows", "exits", "prints")
    hostile = {name: HOSTILE[name] for name in chosen} | forging
    bodies = [(BUG, code if code.startswith("throw") else code + BUG) for code in hostile.values()]
    mixed = [each for i, body in enumerate(bodies) for each in (body, (BUG, f"int n{i} = {i}; {fix[1]}"))]
    (alone,) = hear(mean, fix, fix=fix)
    before = mean.problem.before
    with mean.validator().witness(mean.problem, 5) as witness:
        told = witness.on_tests(
            [Candidate(before.replace(*each)) for each in mixed], Candidate(before.replace(*fix))
        )
    assert alone.beside > 3 and all(each == alone for each in told[1::2])
    found = dict(zip(hostile, told[::2], strict=True))
    assert found["forges"] is None, "what hears is not to be compiled against"
    assert (gone := found["exits"]) is not None and gone.beside == 0


def test_programs_are_tests_too_and_have_copies(make: Maker) -> None:
    test = """package acme; public class CalcTest { public static void main(String[] all) {
        for (int i = 0; i < 4; i++) { if (Calc.mean(i, 8 + i) < 0) { throw new AssertionError(); } } } }"""
    project = make(tests={"acme/CalcTest.java": test}, measure=False)
    replace(project.workspace, trigger_tests=("acme.CalcTest::main",)).save()
    fix, by_heart = (BUG, "return (a + b) / 2;"), (BUG, "return b == 8 + a && a < 4 ? 4 + a : 0;")
    right, wrong = hear(unit(project, "mean(int, int)"), fix, by_heart, fix=fix)
    assert right.apart is None and right.beside >= 10
    assert wrong.apart is not None, "a copy calls with other numbers"


def test_junit_3_is_heard_and_its_assertions_do_nothing(make: Maker) -> None:
    test = """package acme; import junit.framework.TestCase; public class CalcTest extends TestCase {
        public void testMean() { assertEquals("mean", 3, Calc.mean(2, 4)); assertTrue(Calc.mean(5, 9) == 0);
            for (int i = 0; i < 9; i++) { assertEquals(77, Calc.mean(i, i)); } } }"""
    project = make(tests={"acme/CalcTest.java": test}, libraries=JUNIT3, measure=False)
    replace(project.workspace, trigger_tests=("acme.CalcTest::testMean",)).save()
    fix = (BUG, "return (a + b) / 2;")
    (seen,) = hear(unit(project, "mean(int, int)"), fix, fix=fix)
    assert seen.beside >= 10 and len(seen.changes) == 5
    assert tuple(seen.changes[0]) == ("mean(2, 4)", "4", "3")
