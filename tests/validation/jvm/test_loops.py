"""Loops that never end are told from those that only take long."""

from __future__ import annotations

from contextlib import closing

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from nl2fix.core.records import Outcome
from nl2fix.validation.jvm.bench import Bench, program_of
from nl2fix.validation.jvm.worker import Item, Limit, Phase, Plan, Report, WorkerLost
from tests.validation.jvm.conftest import BUG, CALC, Maker, Project

ENDLESS = {
    "nothing is asked": "while (true) { a++; }",
    "what is asked stays": "while (a < b) { b += 0; } return 0;",
    "what changes is not asked": "int p = 1; while (a < b) { p *= 3; } return p;",
    "it comes again": "int i = 0; while (i < 1000) { i = (i + 1) % 997; } return i;",
    "it comes to a value that stays": "double x = 1; while (x < 2) { x = x / 2; } return 0;",
    "of texts": (
        'String s = "0x"; while (!s.isEmpty() && s.charAt(0) == \'0\') { s = s.trim() + ""; } return 0;'
    ),
    "it joins texts": 'String s = ""; while (a > 0) { s = s.length() > 9 ? "" : s.concat("x"); } return 0;',
    "it appends": (
        "StringBuilder s = new StringBuilder(); while (a > 0) { s.append(a % 3).append('c'); } return 0;"
    ),
    "it adds": (
        "java.util.List<Integer> l = new java.util.ArrayList<>(); while (l != null) { l.add(a); } return 0;"
    ),
    "it asks a list": (
        "java.util.List<Integer> l = java.util.Arrays.asList(1, 2); int i = 0; while (l.size() > 1 "
        "&& l.get(i) > 0) { i = 1 - i; } return 0;"
    ),
    "it reads an array": "int[] x = {1, 2}; long i = 0; while (x[(int) i] > 0) { i ^= 1; } return 0;",
    "it writes one that it does not read": "int[] x = {1}; while (a > 0) { x[0] = a; } return 0;",
    "a loop in a loop": "for (int i = 0; i < b;) { for (int j = 0; j < 3; j++) { a += j; } } return a;",
    "the inner one": "for (int i = 0; i < b; i++) { for (int j = 0; j < 3; i++) { a += j; } } return a;",
    "by do": "do { a = -a; } while (a != 0); return a;",
    "by continue": (
        "l: while (true) { for (int i = 0; i < 3; i++) { if (i == 2) { continue l; } } return 1; }"
    ),
    "by a switch": (
        "while (true) { switch (a) { case 1: return 1; case 2: a = 7; break; default: a = 2; } }"
    ),
    "by a switch with gaps": (
        "while (true) { switch (a) { case -9: return 1; case 2: a = 700; break; case 700: a = 2; "
        "break; default: return 3; } }"
    ),
    "what would end it is caught": "try { while (a > 0) { } } catch (Throwable ended) { } return 3;",
    "it throws at times": (
        'while (a > 0) { if (b > 9) { throw new IllegalStateException("b" + b); } } return 3;'
    ),
    "numbers of all kinds": (
        "long l = 1; float f = 1; double d = 1; while (l > 0 && f > 0 && d > 0) { l = -l * -1; f = f "
        "* 1f; d = Math.max(d, Math.abs(-1.0)); } return 3;"
    ),
}
ENDING = {
    "characters that are filled in": (
        "char[] c = {'a'}; while (c[0] < 'z') { String.valueOf((char) (c[0] + 1)).getChars(0, 1, c, 0); }"
        " return 3;"
    ),
    "characters of a number": (
        "char[] c = {'a'}; while (c[0] < 'z') { Character.toChars(c[0] + 1, c, 0); } return 3;"
    ),
    "what is collected": (
        "new Object() { @Override protected void finalize() { done = true; } };"
        " while (!done) { byte[] c = new byte[1 << 20]; } return 3;"
    ),
    "it takes long": "for (long i = 0; i < 30000000L; i++) { a ^= 1; } return 3;",
    "the same loop again and again": (
        "for (int i = 0; i < 3000000; i++) { for (int j = 0; j < 3; j++) { a ^= j; } } return 3;"
    ),
    "the same call again and again": "for (int i = 0; i < 300000; i++) { spin(5); } return 3;",
    "calls of itself": "deep(20); return 3;",
    "the time": "long end = System.nanoTime() + 90000000L; while (System.nanoTime() < end) { } return 3;",
    "chance": "while (Math.random() > 1e-6) { } return 3;",
    "a property": (
        'System.setProperty("acme.left", "9"); while (Integer.getInteger("acme.left") > 0) { '
        'System.setProperty("acme.left", "" + (Integer.getInteger("acme.left") - 1)); } return 3;'
    ),
    "a field": "while (count++ < 3000000) { } return 3;",
    "another thread": "new Thread(() -> { sleep(); done = true; }).start(); while (!done) { } return 3;",
    "another thread's array": (
        "int[] box = new int[1]; new Thread(() -> { sleep(); box[0] = 1; }).start(); while (box[0] "
        "== 0) { } return 3;"
    ),
    "an element": "int[] x = {0}; while (x[0] < 3000000) { x[0]++; } return 3;",
    "a list by another name": (
        "java.util.List<Integer> l = new java.util.ArrayList<>(), m = l; while (l.size() < 100000) { "
        "m.add(1); } return 3;"
    ),
    "a list of one's own": (
        "java.util.ArrayList<Integer> l = new Shrinking(); while (l.size() > 0) { } return 3;"
    ),
    "lists in turn": (
        "java.util.List<Integer> l = new java.util.ArrayList<>(java.util.Arrays.asList(1)), m = new "
        "Shrinking(); java.util.List<Integer> n = l; while (n.size() > 0) { n = n == l ? m : l; } "
        "return 3;"
    ),
    "a text that grows": (
        "StringBuilder s = new StringBuilder(); while (s.length() < 100000) { s.append('x'); } return 3;"
    ),
    "what is thrown and caught": (
        "int i = 0; while (true) { try { if (i++ > 100000) { throw new RuntimeException(); } } catch "
        "(RuntimeException end) { return 3; } }"
    ),
    "the other's exception": (
        "int[] x = new int[100000]; int i = 0; try { while (true) { x[i++] = 1; } } catch "
        "(ArrayIndexOutOfBoundsException end) { return 3; }"
    ),
    "a division": (
        "int i = 3000000; try { while (true) { a = 1 / i--; } } catch (ArithmeticException end) { return 3; }"
    ),
    "boxes": "Integer i = 0; while (i < 300000) { i++; } return 3;",
    "boxes that are not the same": (
        "Integer i = 1000, j = 1000; int n = 0; while (i != j) { i = Integer.valueOf(1000); if (n++ "
        "> 100000) { j = i; } } return 3;"
    ),
    "another variable first": "int i = 0, j = 0, k = 0; while (k < 2000) { k = j; j = i; i++; } return 3;",
    "by a condition": "int i = 0, k = 0; while (k == 0) { i++; if (i > 3000000) { k = 1; } } return 3;",
    "far jumps": (
        "int i = 0; while (true) { switch (i++ % 3) { case 0: continue; case 1: if (i > 300000) { "
        "return 3; } } }"
    ),
    "minus nothing": (
        "double x = 1e-300, n = 0; while (x != 0) { x /= 1.000001; if (n++ > 3000000) { x = 0; } } return 3;"
    ),
    "long and double": "long l = 0; double d = 0; while (l + d < 6000000) { l++; d++; } return 3;",
}
HELPERS = """
    static volatile boolean done;
    static int count;
    static int spin(int n) { int k = 0; while (k < n) { k++; } return k; }
    static void deep(int n) { for (int i = 0; i < 2; i++) { if (n > 0) { deep(n - 1); } } }
    static void sleep() { try { Thread.sleep(90); } catch (InterruptedException stopped) { } }
    static class Shrinking extends java.util.ArrayList<Integer> {
        int left = 1000000;
        @Override public int size() { return left--; }
    }
"""
TEST = """package acme;
public class CalcTest {
    @org.junit.Test public void mean() { org.junit.Assert.assertEquals(3, Calc.mean(2, 4)); }
}
"""


@pytest.fixture(scope="module")
def project(make: Maker) -> Project:
    return of_level(make, "17")


def of_level(make: Maker, level: str) -> Project:
    source = CALC.replace("public static int twice", HELPERS + "public static int twice")
    return make(sources={"acme/Calc.java": source}, tests={"acme/CalcTest.java": TEST}, level=level)


def looked(project: Project, body: str, seconds: float = 20) -> Report:
    """What is told of a body in whose loops is looked for what never ends."""
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        build = bench.compile(program_of(project.problem, project.body(body)))
        assert build.compiled, build.message
        phase = Phase(Limit(cpu=seconds, wall=seconds), (Item("acme.CalcTest", ("mean",)),))
        plan = bench.plan(build.classes, [phase], (), wall=100)
        try:
            return bench.run_proving(plan)
        except WorkerLost:  # as a busy machine may have it, and sessions ask again, too
            bench.drop_tester()
            return bench.run_proving(plan)


@pytest.mark.parametrize("name", ENDLESS)
def test_a_loop_that_never_ends_is_told(project: Project, name: str) -> None:
    told = looked(project, ENDLESS[name])
    assert told.timed_out and told.endless == "Calc.java:6"
    assert not told.worn, "another program can use the JVM"


def test_texts_may_be_joined_as_older_classes_do_it(make: Maker) -> None:
    project = of_level(make, "8")
    assert looked(project, ENDLESS["of texts"]).endless == "Calc.java:6"
    ends = 'String s = ""; int n = 0; while (s.length() < 3000) { s = s + "x" + n++; } return 3;'
    named = 'String s = ""; while (s.length() < 3000) { StringBuilder c;'
    named += " (c = new StringBuilder(s)).append('x'); s = c.toString(); } return 3;"
    assert not looked(project, ends).endless and not looked(project, named).endless


@pytest.mark.parametrize("name", ENDING)
def test_a_loop_that_ends_is_left_to_end(project: Project, name: str) -> None:
    told = looked(project, ENDING[name])
    assert not told.endless
    assert [(result.id, result.outcome) for result in told.results] == [("acme.CalcTest::mean", "P")]


VARIABLES = st.sampled_from("abij")
VALUES = st.one_of(VARIABLES, st.integers(-3, 9).map(str))
SETS = st.builds("{} = {} {} {};".format, VARIABLES, VALUES, st.sampled_from("+-*^&|"), VALUES)
ASKS = st.builds("{} {} {}".format, VALUES, st.sampled_from(["<", ">", "!=", "==", "<="]), VALUES)
LEAVES = st.sampled_from(["break;", "continue;", "return i;"])
STATEMENTS = st.recursive(
    SETS,
    lambda inner: st.one_of(
        st.builds("if ({}) {{ {} }} else {{ {} }}".format, ASKS, inner, inner),
        st.builds("if ({}) {{ {} }} {}".format, ASKS, LEAVES, inner),
        st.builds("while ({}) {{ /**/ {} }}".format, ASKS, inner),
        st.builds("{} {}".format, inner, inner),
    ),
    max_leaves=8,
)
LOOPS = st.builds("while ({}) {{ /**/ {} }} {}".format, ASKS, STATEMENTS, STATEMENTS)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(LOOPS)
def test_no_loop_is_told_that_ends(project: Project, loop: str) -> None:
    """Who is told never to end goes on for 100,000 rounds at least."""
    start, end = "int i = 0, j = 1, rounds = 100000;", "return 3;"
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        assume(bench.compile(program_of(project.problem, project.body(f"{start} {loop} {end}"))).compiled)
    if looked(project, f"{start} {loop} {end}", seconds=0.2).endless:
        bounded = loop.replace("/**/", "if (--rounds < 0) { return 77; }")
        assert "but was:<77>" in looked(project, f"{start} {bounded} {end}").message


def test_an_endless_candidate_is_out_of_time_and_says_why(project: Project) -> None:
    with project.session() as session:
        assert session.validate(project.reference).plausible
        verdict = session.validate(project.body("while (a < b) { } return 3;"))
        assert verdict.outcome is Outcome.TIMEOUT
        assert "the loop at Calc.java:6 never ends" in (verdict.evidence.message or "")
        assert verdict.evidence.failing_test == "acme.CalcTest::mean"
        slow = project.body(ENDING["the time"])
        assert session.validate(slow).plausible
        assert not session.doubted()


def test_who_stops_what_looks_after_it_is_not_asked_three_times(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at one that gives no sign of life waits for seconds in vain."""
    asked = []

    def lost(bench: Bench, plan: Plan) -> Report:
        asked.append(plan.prove)
        bench.drop_tester()
        raise WorkerLost(
            "the worker gave no sign of life", "acme.CalcTest::mean", timed_out=True, killed=False
        )

    with project.session() as session:
        assert session.validate(project.body("return 0;")).outcome is Outcome.WRONG
        monkeypatch.setattr(Bench, "run_warm", lost)
        assert session.validate(project.body("while (a < b) { } return 4;")).outcome is Outcome.TIMEOUT
        assert asked == [False]
        monkeypatch.undo()


def test_what_a_program_tells_of_its_loops_bends_nobody_elses_verdict(project: Project) -> None:
    """One that reaches what listens, and leaves that behind, is believed of itself at most."""
    tells = (
        'try { Class<?> c = Class.forName("nl2fix.jvm.Loops"); java.lang.reflect.Method at ='
        ' c.getMethod("at", int.class); new Thread(() -> { while (true) { try { at.invoke(null, 0); }'
        " catch (Exception e) { } } }).start(); } catch (Exception e) { } while (a < b) { } return 3;"
    )
    with project.session() as session:
        session.validate(project.body(tells))
        assert session.validate(project.body(ENDING["the time"])).plausible
        assert session.validate(project.reference).plausible
        assert BUG not in project.reference.apply(project.problem)
