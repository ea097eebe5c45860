"""What tests enter, in real JVMs: each kind of test, every form of method, what ends a JVM."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.validation.jvm import spectrum as module
from nl2fix.validation.jvm.spectrum import joined, objected, spectrum, suspicious, without_barred
from nl2fix.validation.jvm.worker import Limit, Reached, ReachedLine
from tests.validation.jvm.conftest import CALC, JUNIT3, JUNIT4, JUNIT5, TESTNG, Maker

FORMS = """package acme;

import java.util.function.IntSupplier;

public class Forms {
    private final int size;

    public Forms(int size) {
        this.size = size;
    }

    static int choose(int a, String b) {
        switch (a) {
            case 1: return 10;
            case 2: return 20;
            case 900: return 30;
            default: break;
        }
        for (int i = 0; i < 3; i++) { a += i; }
        try {
            return Integer.parseInt(b) + a;
        } catch (NumberFormatException e) {
            return -1;
        } finally {
            a = 0;
        }
    }

    IntSupplier later() {
        return () ->
            size + 1;
    }

    interface Part {
        default long wide(long a, double b) {
            return a + (long) b;
        }
    }

    static long never(long a) {
        return a;
    }
}
"""
FORMS_TEST = """package acme;
import static org.junit.Assert.*;
import org.junit.*;
public class FormsTest {
    static int ready;
    @BeforeClass public static void first() { ready = new Forms(1).later().getAsInt(); }
    @Test public void a() {
        assertEquals(20, Forms.choose(2, "")); assertEquals(-1, Forms.choose(5, "x"));
        assertEquals(30, Forms.choose(900, "")); assertEquals(15, Forms.choose(5, "7"));
    }
    @Test public void b() { assertEquals(4, new Forms(2).later().getAsInt()); }
    @Test public void c() { assertEquals(7L, new Forms.Part() { }.wide(3, 4.5)); }
}
"""


def test_every_form_of_method_is_noticed_where_it_is_entered(make: Maker) -> None:
    sources = {"acme/Forms.java": FORMS, "acme/Calc.java": CALC}
    made = make(sources=sources, tests={"acme/FormsTest.java": FORMS_TEST}, measure=False)
    found = spectrum(made.workers, made.workspace, ["acme.FormsTest"], [])
    assert (found.tests, set(found.failed)) == (2, {"acme.FormsTest::b"})
    assert {line.source for line in found.lines} == {"acme/Forms.java"}
    codes = FORMS.splitlines()
    passed = {codes[line.line - 1].strip() for line in found.lines if line.passed}
    assert {"case 2: return 20;", "case 900: return 30;", "return -1;", "a = 0;"} <= passed
    assert passed.isdisjoint({"case 1: return 10;", "return a;"})
    lines = {
        codes[line - 1].strip(): score for (_, line), score in suspicious(found, [*found.failed]).items()
    }
    assert lines.keys() >= {"this.size = size;", "return () ->", "size + 1;"}
    # The first test reached them too: what its class set up is its own.
    assert [*lines.values()] == [pytest.approx(0.5**0.5)] * len(lines)


def test_what_each_class_that_ends_took_and_reached_is_told(make: Maker) -> None:
    """Which classes reach an edited file was found by running all of them once more."""
    sources = {"acme/Forms.java": FORMS, "acme/Calc.java": CALC}
    head = "package acme; import static org.junit.Assert.*; import org.junit.*; public class"
    naps = "@Test public void naps() throws Exception { Calc.twice(1); Thread.sleep(400); }"
    nap = f"{head} NapTest {{ {naps} }}"
    idle = f"{head} IdleTest {{ @Test public void idles() {{ assertEquals(2, 1 + 1); }} }}"
    tests = {"acme/FormsTest.java": FORMS_TEST, "acme/NapTest.java": nap, "acme/IdleTest.java": idle}
    made = make(sources=sources, tests=tests, measure=False)
    found = spectrum(made.workers, made.workspace, ["acme.FormsTest"], ["acme.NapTest", "acme.IdleTest"])
    forms, calc = ("acme/Forms.java",), ("acme/Calc.java",)
    told = {name: seen.sources for name, seen in found.classes.items()}
    assert told == {"acme.FormsTest": forms, "acme.NapTest": calc, "acme.IdleTest": ()}
    assert found.classes["acme.NapTest"].seconds >= 0.4 > found.classes["acme.IdleTest"].seconds


KINDS = {
    JUNIT3: ("import junit.framework.TestCase;", " extends TestCase"),
    JUNIT4: ("import org.junit.*; import static org.junit.Assert.*;", ""),
    (*JUNIT5, *JUNIT4): (
        "import org.junit.jupiter.api.*; import static org.junit.jupiter.api.Assertions.*;",
        "",
    ),
    TESTNG: ("import org.testng.annotations.*; import static org.testng.Assert.*;", ""),
}


@pytest.mark.parametrize("libraries", KINDS, ids=["JUnit 3", "JUnit 4", "JUnit 5", "TestNG"])
def test_what_a_failing_test_enters_is_told_apart(make: Maker, libraries: tuple[str, ...]) -> None:
    imports, parent = KINDS[libraries]
    mark = "" if parent else "@Test "
    test = f"""package acme;
{imports}
public class KindTest{parent} {{
    {mark}public void testMean() {{ assertEquals(3, Calc.mean(2, 4)); }}
    {mark}public void testTwice() {{ assertEquals(8, Calc.twice(4)); }}
}}
"""
    made = make(tests={"acme/KindTest.java": test}, libraries=libraries, measure=False)
    found = spectrum(made.workers, made.workspace, [], ["acme.KindTest"])
    assert suspicious(found, ["acme.KindTest::testMean"]) == {("acme/Calc.java", 6): 1.0}
    assert found.tests == 1


MADE = """package acme;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.*;
public class MadeTest {
    @ParameterizedTest(name = "twice {0}") @ValueSource(ints = {0, 1}) void twos(int n) {
        assertEquals(n, Calc.twice(n));
    }
    @TestFactory Stream<DynamicTest> made() {
        return Stream.of("none", "two", "six").map(name ->
            DynamicTest.dynamicTest("calls " + name, () -> assertEquals("none", name)));
    }
    @Test void plain() { fail(); }
}
"""


def test_what_failing_tests_are_called_that_a_method_makes_is_known(make: Maker) -> None:
    made = make(tests={"acme/MadeTest.java": MADE}, libraries=(*JUNIT5, *JUNIT4), measure=False)
    found = spectrum(made.workers, made.workspace, ["acme.MadeTest"], [])
    called = {"acme.MadeTest::twos[2]": "twice 1", "acme.MadeTest::made": "calls two\ncalls six"}
    assert found.called == joined(found, Reached(1)).called == called
    assert set(found.failed) == {*called, "acme.MadeTest::plain"}


def test_a_class_that_cannot_be_set_up_tells_what_it_entered(make: Maker) -> None:
    test = """package acme;
import org.junit.*;
public class SetTest {
    @BeforeClass public static void set() { if (Calc.mean(2, 4) != 3) { throw new IllegalStateException(); } }
    @Test public void never() { }
}
"""
    made = make(tests={"acme/SetTest.java": test}, measure=False)
    found = spectrum(made.workers, made.workspace, ["acme.SetTest"], [])
    assert suspicious(found, ["acme.SetTest"]) == {("acme/Calc.java", 6): 1.0}


HANGS = """package acme;
import org.junit.*;
public class HangsTest {
    @Test public void ends() { Assert.assertEquals(8, Calc.twice(4)); }
    @Test public void hangs() { while (Calc.mean(2, 4) != 3) { } }
}
"""


@pytest.mark.parametrize("libraries", [JUNIT4, (*JUNIT5, *JUNIT4)], ids=["JUnit 4", "JUnit 5"])
def test_what_a_test_enters_that_does_not_end_is_told_apart(make: Maker, libraries: tuple[str, ...]) -> None:
    """Nothing was known of it but that time was too short for its class."""
    fifth = HANGS.replace("org.junit.*", "org.junit.jupiter.api.*").replace("Assert.", "Assertions.")
    code = fifth if libraries != JUNIT4 else HANGS
    made = make(tests={"acme/HangsTest.java": code}, libraries=libraries, measure=False)
    found = spectrum(made.workers, made.workspace, [], ["acme.HangsTest"])
    assert (found.tests, found.hung) == (1, ("acme.HangsTest::hangs",))
    assert suspicious(found, found.hung) == {("acme/Calc.java", 6): 1.0}
    assert found.said == {"acme.HangsTest::hangs": "timed out"}


STARVES = """package acme;
import java.nio.file.*;
import org.junit.*;
public class StarvesTest {
    private static double waited() throws Exception {
        String told = new String(Files.readAllBytes(Paths.get("/proc/thread-self/schedstat")));
        return Double.parseDouble(told.trim().split(" ")[1]) / 1e9;
    }
    @Test public void ends() throws Exception {
        for (double before = waited(); waited() - before < 5; ) { }
    }
    @Test public void hangs() { while (Calc.mean(2, 4) != 3) { } }
}
"""


@pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the kernel does not tell who waits"
)
@pytest.mark.usefixtures("busy")
def test_a_test_behind_one_that_starved_hangs_none_the_less(make: Maker) -> None:
    """On a busy machine what a short test waited counted as if it had left the other no time."""
    made = make(tests={"acme/StarvesTest.java": STARVES}, measure=False)
    found = spectrum(made.workers, made.workspace, [], ["acme.StarvesTest"])
    assert (found.tests, found.hung) == (1, ("acme.StarvesTest::hangs",))


def test_a_test_that_had_little_time_when_it_was_up_does_not_hang(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_OTHERS", Limit(2.0, 20.0))
    monkeypatch.setattr(module, "_ALONE", Limit(2.0, 20.0))
    made = make(tests={"acme/HangsTest.java": HANGS}, measure=False)
    found = spectrum(made.workers, made.workspace, [], ["acme.HangsTest"], enough=lambda _: False)
    assert (found.hung, dict(found.failed)) == ((), {})


ENDS = """package acme;
public class EndTest {
    @org.junit.Test public void end() { Runtime.getRuntime().halt(3); }
}
"""


def test_tests_that_end_their_jvm_leave_what_others_reach(make: Maker) -> None:
    """Of junit4 what 737 tests reached was lost, and "no tests ran" was told."""
    made = make(tests={"acme/EndTest.java": ENDS, "acme/ShortTest.java": SHORT}, measure=False)
    alone = spectrum(made.workers, made.workspace, [], ["acme.ShortTest"])
    found = spectrum(made.workers, made.workspace, ["acme.EndTest"], ["acme.ShortTest"])
    assert (found.lines, found.failed) == (alone.lines, alone.failed)
    assert found.failed and found.ending == ("acme.EndTest",)


LONG = """package acme;
import org.junit.*;
public class LongTest {
    @Test public void a() { Assert.assertEquals(8, Calc.twice(4)); }
    @Test public void b() { while (true) { } }
}
"""
SHORT = """package acme;
public class ShortTest {
    @org.junit.Test public void mean() { org.junit.Assert.assertEquals(3, Calc.mean(2, 4)); }
}
"""


def _fails(reached: Reached) -> bool:
    return bool(reached.failed.keys() - {*reached.hung})


SLOW = """package acme;
import java.lang.management.ManagementFactory;
import org.junit.*;
public class SlowTest {
    @Test public void slow() {
        while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < 5e9) { }
        Assert.assertEquals(8, Calc.twice(4));
    }
}
"""


def test_a_test_that_ends_by_itself_does_not_hang_where_that_would_decide(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow one decided for an issue about a loop without end, and those behind it did not run."""
    monkeypatch.setattr(module, "_OTHERS", Limit(4.0, 600.0))
    monkeypatch.setattr(module, "_PATIENT", Limit(20.0, 600.0))
    tests = {"acme/SlowTest.java": SLOW, "acme/ShortTest.java": SHORT}
    made = make(tests=tests, measure=False)
    names = ["acme.SlowTest", "acme.ShortTest"]
    found = spectrum(made.workers, made.workspace, [], names, enough=lambda reached: bool(reached.failed))
    assert ([*found.failed], found.hung, found.tests) == (["acme.ShortTest::mean"], (), 1)
    made = make(tests={**tests, "acme/SlowTest.java": SLOW.replace("8, ", "9, ")}, measure=False)
    found = spectrum(made.workers, made.workspace, [], names, enough=lambda reached: bool(reached.failed))
    assert ([*found.failed], found.hung, found.unrun) == (["acme.SlowTest::slow"], (), 2)


def test_what_each_of_many_failing_tests_says_is_known(make: Maker) -> None:
    """Of cucumber-reporting's those that lack something took all the room there was."""
    methods = (
        f'@Test public void t{i}() {{ throw new IllegalStateException("{"x" * 500} {i}"); }}'
        for i in range(60)
    )
    many = f"package acme; import org.junit.*; public class ManyTest {{ {' '.join(methods)} }}"
    made = make(tests={"acme/ManyTest.java": many}, measure=False)
    found = spectrum(made.workers, made.workspace, [], ["acme.ManyTest"])
    assert {test: said.rpartition(" ")[2] for test, said in found.said.items()} == {
        f"acme.ManyTest::t{i}": str(i) for i in range(60)
    }


SETS = """package acme;
import org.junit.*;
public class SetsTest {
    @BeforeClass public static void set() { while (Calc.twice(1) == 2) { } }
    @Test public void twice() { Assert.assertEquals(2, Calc.twice(1)); }
}
"""


@pytest.mark.parametrize("seconds", [1.0, 4.0], ids=["little time", "time to hang"])
def test_the_test_before_a_class_whose_set_up_takes_all_time_is_no_part_of_it(
    make: Maker, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """What had failed before was forgotten, or said not to end."""
    monkeypatch.setattr(module, "_OTHERS", Limit(seconds, 600.0))
    made = make(tests={"acme/ShortTest.java": SHORT, "acme/SetsTest.java": SETS}, measure=False)
    found = spectrum(made.workers, made.workspace, [], ["acme.ShortTest", "acme.SetsTest"])
    assert ([*found.failed], found.hung, found.unrun) == (["acme.ShortTest::mean"], (), 1)


def test_classes_behind_one_that_takes_all_time_get_some_more(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_OTHERS", Limit(1.0, 20.0))
    tests = {"acme/LongTest.java": LONG, "acme/ShortTest.java": SHORT}
    made = make(tests=tests, measure=False)
    names = ["acme.LongTest", "acme.ShortTest"]
    some = spectrum(made.workers, made.workspace, [], names)
    assert (some.failed, some.unrun) == ({}, 2)
    all_of_them = spectrum(made.workers, made.workspace, [], names, enough=_fails)
    assert ([*all_of_them.failed], all_of_them.unrun) == (["acme.LongTest::b", "acme.ShortTest::mean"], 1)
    assert all_of_them.hung == ("acme.LongTest::b",)
    assert suspicious(all_of_them, ["acme.ShortTest::mean"]) == {("acme/Calc.java", 6): 1.0}
    assert all_of_them.tests == some.tests


ENDLESS = """package acme;
import org.junit.*;
import org.junit.runners.MethodSorters;
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class EndlessTest {
    @Test public void a() { Assert.assertEquals(8, Calc.twice(4)); }
    @Test public void b() { while (true) { } }
    @Test public void c() { while (true) { } }
    @Test public void mean() { Assert.assertEquals(3, Calc.mean(2, 4)); }
    @Test public void z() { Assert.assertEquals(6, Calc.twice(3)); }
}
"""


def test_of_a_class_that_takes_all_time_tests_are_run_one_by_one(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """commons-pool's failing test takes a millisecond, behind others of its class that take minutes."""
    monkeypatch.setattr(module, "_FAILING", Limit(1.0, 20.0))
    monkeypatch.setattr(module, "_ALONE", Limit(1.0, 20.0))
    made = make(tests={"acme/EndlessTest.java": ENDLESS}, measure=False)
    wanted = {"acme.EndlessTest": ["a", "c", "mean", "z"]}
    found = spectrum(made.workers, made.workspace, [*wanted], [], enough=_fails, tests_of=wanted.__getitem__)
    assert (found.tests, [*found.failed], found.unrun) == (2, ["acme.EndlessTest::mean"], 1)


def test_tests_that_are_left_out_of_a_class_are_no_tests_of_junit_s_own(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """commons-math's were told to run: "now org.junit.runner.manipulation.Filter#initializationError"."""
    monkeypatch.setattr(module, "_FAILING", Limit(1.0, 20.0))
    monkeypatch.setattr(module, "_ALONE", Limit(1.0, 20.0))
    made = make(tests={"acme/EndlessTest.java": ENDLESS}, measure=False)
    told = list[str]()
    made.workers.lives = told.append
    wanted = {"acme.EndlessTest": ["left", "out", "mean"]}
    found = spectrum(made.workers, made.workspace, [*wanted], [], enough=_fails, tests_of=wanted.__getitem__)
    assert [*found.failed] == ["acme.EndlessTest::mean"]
    assert {test.partition("::")[0] for test in told} <= {"acme.EndlessTest", ""}
    assert "No tests found" not in found.why


def test_the_reason_for_many_failures_is_the_first_not_what_follows_from_it() -> None:
    follows = "a.BTest::x FAILED\n    java.lang.NoClassDefFoundError: Could not initialize class a.B\n"
    first = "a.BTest::a FAILED\n    java.lang.ExceptionInInitializerError: no resource\n"
    assert module._commonest(first + 3 * follows) == "java.lang.ExceptionInInitializerError: no resource"
    assert module._commonest(follows) == "java.lang.NoClassDefFoundError: Could not initialize class a.B"
    assert module._commonest("") == ""


UNREADY = """package acme;

public class Unready {
    static final int SIZE = size();

    static int size() {
        throw new NoClassDefFoundError("left out");
    }

    static int twice(int a) {
        return 2 * a;
    }
}
"""


def test_what_a_class_that_cannot_be_initialised_reached_is_reached_by_all_that_lack_it(make: Maker) -> None:
    """In commons-geometry 71 tests were said to fail, behind a first one that met what is left out."""
    calls = " ".join(f"@org.junit.Test public void {name}() {{ Unready.twice(4); }}" for name in "abc")
    made = make(
        sources={"acme/Unready.java": UNREADY, "acme/Calc.java": CALC},
        tests={"acme/UnreadyTest.java": f"package acme; public class UnreadyTest {{ {calls} }}"},
        measure=False,
    )
    found = spectrum(made.workers, made.workspace, ["acme.UnreadyTest"], [])
    assert len(found.failed) == 3
    told = without_barred(found, ["acme/Unready.java:7"])
    assert told == found._replace(failed={}, barred=3, bar="acme/Unready.java")


def test_a_line_that_belongs_to_two_methods_counts_once_when_rounds_are_joined() -> None:
    """One with a lambda was more suspicious than any line can be, where slow tests had been run apart."""
    lines = (ReachedLine("a/B.java", 3, 0), ReachedLine("a/B.java", 3, 0))
    both = joined(Reached(1, (ReachedLine("a/C.java", 3, 1),)), Reached(1, lines, {"a.BTest::b": (0, 1)}))
    assert suspicious(both, ["a.BTest::b"]) == {("a/B.java", 3): 1.0}
    assert joined(Reached(), both) == both


def test_what_failing_tests_say_is_kept(make: Maker) -> None:
    test = """package acme;
import org.junit.*;
public class SayTest {
    @Test public void says() { throw new IllegalStateException("one\\n\\n two"); }
}
"""
    made = make(tests={"acme/SayTest.java": test}, measure=False)
    found = spectrum(made.workers, made.workspace, ["acme.SayTest"], [])
    assert found.said == {"acme.SayTest::says": "java.lang.IllegalStateException: one\n\n two"}


THROWS = """package acme;

import java.util.*;

public class Throws {
    static int length(String text) {
        return text.length();
    }

    static int parsed(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalStateException(e);
        }
    }

    static int checked(int size) {
        if (size < 0) throw new IllegalArgumentException("size");
        return size;
    }

    static String called(Comparator<String> by) {
        return Collections.max(Arrays.asList("a", "b"), by);
    }

    static String kept(String text) {
        return Objects.requireNonNull(text);
    }

    static String handed() {
        return kept(null);
    }

    static int deep(int depth) {
        int more = depth + 1;
        return deep(Math.abs(checked(more)));
    }

    static int opened(String name) throws java.io.IOException {
        return new java.io.FileInputStream(name).read();
    }
}
"""
THROWS_TEST = """package acme;
import static org.junit.Assert.*;
import org.junit.*;
public class ThrowsTest {
    @Test public void nothing() { assertEquals(0, Throws.length(null)); }
    @Test public void noNumber() { assertEquals(0, Throws.parsed("one")); }
    @Test public void refused() { assertEquals(0, Throws.checked(-1)); }
    @Test public void wrong() { assertEquals(3, Throws.length("four")); }
    @Test public void ours() { Throws.called((a, b) -> ((String) null).length()); }
}
"""


CHECKS_TEST = """package acme;
import org.junit.*;
public class ChecksTest {
    @Test public void handed() { Throws.handed(); }
    @Test public void given() { Throws.kept(null); }
}
"""


def thrown(make: Maker, tests: str, code: str) -> Reached:
    """What tests of ``Throws`` reach."""
    made = make(
        sources={"acme/Throws.java": THROWS, "acme/Calc.java": CALC},
        tests={f"acme/{tests}.java": code},
        measure=False,
    )
    return spectrum(made.workers, made.workspace, [f"acme.{tests}"], [])


def test_where_a_method_checks_what_it_is_given_the_one_that_gives_it_is_told(make: Maker) -> None:
    """Of geantyref a constructor was told, whose caller hands it the type of no array's elements."""
    found = thrown(make, "ChecksTest", CHECKS_TEST)
    kept, handed = (THROWS[: THROWS.index(code)].count("\n") + 1 for code in ("requireNonNull", "kept(null)"))
    assert objected(found, ["acme.ChecksTest::handed"]) == {("acme/Throws.java", handed)}
    assert objected(found, ["acme.ChecksTest::given"]) == {("acme/Throws.java", kept)}


ENDLESS_TEST = """package acme;
import org.junit.*;
public class EndlessTest {
    @Test public void deep() { Throws.deep(0); }
    @Test public void opened() throws Exception { Throws.opened("/tmp/none"); }
}
"""


def test_where_the_stack_overflowed_the_line_that_calls_itself_is_told(make: Maker) -> None:
    """The innermost frame is chance: any method that is called there may be it."""
    found = thrown(make, "EndlessTest", ENDLESS_TEST)
    deep, opened = (THROWS[: THROWS.index(code)].count("\n") + 1 for code in ("deep(Math", "new java.io"))
    assert objected(found, ["acme.EndlessTest::deep"]) == {("acme/Throws.java", deep)}
    assert objected(found, ["acme.EndlessTest::opened"]) == {("acme/Throws.java", opened)}


def test_where_the_jvm_or_the_jdk_threw_is_told_of_failing_tests(make: Maker) -> None:
    """Not where the program refuses something, a test expects something else, or its own code throws."""
    found = thrown(make, "ThrowsTest", THROWS_TEST)
    assert len(found.failed) == 5
    length, parsed = ("acme/Throws.java", 7), ("acme/Throws.java", 12)
    assert objected(found, list(found.failed)) == {length, parsed}
    assert objected(joined(found, found), list(found.failed)) == {length, parsed}
    assert objected(found, ["acme.ThrowsTest::noNumber", "acme.ThrowsTest::gone"]) == {parsed}
