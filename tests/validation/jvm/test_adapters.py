"""Test classes of every kind run, report the same ids, and see a program as Ant would show it."""

from __future__ import annotations

import pytest

from nl2fix.core.records import Candidate, Outcome
from nl2fix.validation.jvm.current import measure_current
from tests.validation.jvm.conftest import CALC, FIXED, JUNIT3, JUNIT4, JUNIT5, TESTNG, Maker

JUNIT3_TEST = """package acme;
import junit.framework.*;
public class CalcTest extends TestCase {
    public CalcTest(String name) { super(name); }
    public void testMean() { assertEquals(3, Calc.mean(2, 4)); }
    public void testTwice() { assertEquals(8, Calc.twice(4)); }
    public static Test suite() {
        TestSuite all = new TestSuite(CalcTest.class);
        all.addTest(new TestCase("extra") { protected void runTest() { assertEquals(2, Calc.twice(1)); } });
        return all;
    }
}
"""
JUNIT5_TEST = """package acme;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class CalcTest {
    @Test void mean() { assertEquals(3, Calc.mean(2, 4)); }
    @ParameterizedTest @ValueSource(ints = {1, 2}) void twice(int n) { assertEquals(n + n, Calc.twice(n)); }
    @Disabled @Test void off() { fail("never"); }
    @Nested class Inner { @Test void zero() { assertEquals(0, Calc.twice(0)); } }
}
"""
PARAMETERIZED_TEST = """package acme;
import java.util.*;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
@RunWith(Parameterized.class)
public class CalcTest {
    private final int n;
    public CalcTest(int n, Object unnamed) { this.n = n; }
    @Parameterized.Parameters(name = "{0} {1}") public static List<Object[]> data() {
        return Arrays.asList(new Object[] {2, new Object()}, new Object[] {4, new Object()});
    }
    @Test public void mean() { Assert.assertEquals(n, Calc.mean(n, n)); }
    @Test public void twice() { Assert.assertEquals(n + n, Calc.twice(n)); }
    @Ignore @Test public void off() { Assert.fail(); }
}
"""
TESTNG_TEST = """package acme;
import org.testng.SkipException;
import org.testng.annotations.*;
import static org.testng.Assert.*;
public class CalcTest {
    private int begun;
    @BeforeMethod public void begin() { begun++; }
    @Test public void mean() { assertEquals(Calc.mean(2, 4), 3); }
    @Test(dependsOnMethods = "twice") public void later() { assertTrue(begun > 1); }
    @DataProvider(parallel = true) public Object[][] numbers() { return new Object[][] {{1}, {2}}; }
    @Test(dataProvider = "numbers") public void twice(int n) { assertEquals(Calc.twice(n), n + n); }
    @Test(enabled = false) public void off() { fail("never"); }
    @Test public void gives() { throw new SkipException("not here"); }
    public static void main(String[] words) { throw new AssertionError("no test"); }
}
"""
MAIN_TEST = """package acme;
public class CalcTest {
    public static void main(String[] args) {
        if (Calc.mean(2, 4) != 3) { throw new AssertionError("mean"); }
    }
}
"""


@pytest.mark.parametrize(
    ("test", "libraries", "ids", "trigger"),
    [
        pytest.param(
            JUNIT3_TEST,
            JUNIT3,
            ("acme.CalcTest$1::extra", "acme.CalcTest::testMean", "acme.CalcTest::testTwice"),
            ("acme.CalcTest::testMean",),
            id="JUnit 3.8",
        ),
        pytest.param(
            JUNIT3_TEST,
            JUNIT4,
            ("acme.CalcTest$1::extra", "acme.CalcTest::testMean", "acme.CalcTest::testTwice"),
            ("acme.CalcTest::testMean",),
            id="JUnit 3 class under JUnit 4",
        ),
        pytest.param(
            PARAMETERIZED_TEST,
            JUNIT4,
            (
                "acme.CalcTest::mean[2 java.lang.Object@]",
                "acme.CalcTest::mean[4 java.lang.Object@]",
                "acme.CalcTest::twice[2 java.lang.Object@]",
                "acme.CalcTest::twice[4 java.lang.Object@]",
            ),
            ("acme.CalcTest::mean",),
            id="JUnit 4 with parameters",
        ),
        pytest.param(
            JUNIT5_TEST,
            (*JUNIT5, *JUNIT4),
            (
                "acme.CalcTest$Inner::zero",
                "acme.CalcTest::mean",
                "acme.CalcTest::twice[1]",
                "acme.CalcTest::twice[2]",
            ),
            ("acme.CalcTest::mean",),
            id="JUnit 5",
        ),
        pytest.param(
            TESTNG_TEST,
            TESTNG,
            (
                "acme.CalcTest::later",
                "acme.CalcTest::mean",
                "acme.CalcTest::twice",
                "acme.CalcTest::twice[2]",
            ),
            ("acme.CalcTest::mean",),
            id="TestNG",
        ),
        pytest.param(MAIN_TEST, (), ("acme.CalcTest::main",), ("acme.CalcTest::main",), id="program"),
    ],
)
def test_kinds_of_tests(
    make: Maker, test: str, libraries: tuple[str, ...], ids: tuple[str, ...], trigger: tuple[str, ...]
) -> None:
    project = make(tests={"acme/CalcTest.java": test}, libraries=libraries, trigger_tests=trigger)
    assert project.differences == ()
    assert project.workspace.failing == ()
    assert project.workspace.regression[0].tests == ids
    assert project.workspace.trigger_tests == trigger
    with project.session() as session:
        verdict = session.validate(project.reference)
        assert verdict.plausible, verdict
        assert verdict.evidence.tests_run == len(ids)
        wrong = session.validate(Candidate(project.problem.before))
        assert wrong.outcome is Outcome.WRONG
        assert wrong.evidence.failing_test is not None
        assert wrong.evidence.failing_test.startswith(trigger[0])


def test_a_class_that_cannot_be_set_up_fails_as_a_whole(make: Maker) -> None:
    test = """package acme;
        import org.junit.*;
        public class CalcTest {
            @BeforeClass public static void start() { Assert.assertEquals(3, Calc.mean(2, 4)); }
            @Test public void twice() { Assert.assertEquals(8, Calc.twice(4)); }
        }"""
    project = make(tests={"acme/CalcTest.java": test})
    assert project.workspace.trigger_tests == ("acme.CalcTest",)
    with project.session() as session:
        assert session.validate(project.reference).plausible
        assert session.validate(Candidate(project.problem.before)).evidence.failing_test == "acme.CalcTest"


PROVIDER = """package acme;
import java.nio.charset.*;
import java.util.*;
public class Calcs extends java.nio.charset.spi.CharsetProvider {
    public Iterator<Charset> charsets() { return Collections.<Charset>emptySet().iterator(); }
    public Charset charsetForName(String name) {
        return name.equals("x-calc-" + Calc.mean(2, 4)) ? StandardCharsets.UTF_8 : null;
    }
}
"""
SERVICE_TEST = """package acme;
import static org.junit.Assert.*;
public class CalcTest {
    @org.junit.Test public void mean() { assertEquals(3, Calc.mean(2, 4)); }
    @org.junit.Test public void provided() {
        assertEquals("UTF-8", java.nio.charset.Charset.forName("x-calc-3").name());
    }
}
"""


def test_a_service_that_the_program_provides_to_the_jdk_is_found_anew_by_each_candidate(make: Maker) -> None:
    """memoryfilesystem's provider was not, after which 626 tests failed that pass in its build."""
    project = make(
        sources={"acme/Calc.java": CALC, "acme/Calcs.java": PROVIDER},
        tests={"acme/CalcTest.java": SERVICE_TEST},
        resources={"classes/META-INF/services/java.nio.charset.spi.CharsetProvider": "acme.Calcs"},
    )
    assert project.workspace.trigger_tests == ("acme.CalcTest::mean", "acme.CalcTest::provided")
    with project.session() as session:
        for _ in range(3):
            assert session.validate(project.reference).plausible
            assert not session.validate(Candidate(project.problem.before)).plausible


ENVIRONMENT_TEST = """package acme;
import static org.junit.Assert.*;
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;
public class CalcTest {
    @org.junit.Test public void mean() { assertEquals(3, Calc.mean(2, 4)); }
    @org.junit.Test public void resources() throws Exception {
        URL own = Calc.class.getResource("data.txt");
        assertEquals("file", own.getProtocol());
        assertEquals("hello", new String(Files.readAllBytes(Paths.get(own.toURI()))));
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        assertSame(Calc.class.getClassLoader(), context);
        assertSame(CalcTest.class.getClassLoader(), context);
        assertEquals(2, Collections.list(context.getResources("acme/data.txt")).size());
        assertNotNull(context.getResource("org/junit/Test.class"));
        assertNotNull(context.getResource("java/lang/Object.class"));
        assertNull(context.getResource("acme/none.txt"));
    }
    @org.junit.Test public void systemResources() throws Exception {
        assertNotNull(ClassLoader.getSystemResource("acme/data.txt"));
        assertEquals(2, Collections.list(ClassLoader.getSystemResources("acme/data.txt")).size());
        assertNotNull(ClassLoader.getSystemClassLoader().getResourceAsStream("acme/CalcTest.class"));
        assertNotNull(ClassLoader.getSystemResource("java/lang/Object.class"));
        assertNull(ClassLoader.getSystemResource("acme/none.txt"));
    }
    @org.junit.Test public void classesAsResources() throws Exception {
        DataInputStream in = new DataInputStream(Calc.class.getResourceAsStream("Calc.class"));
        assertEquals(0xCAFEBABE, in.readInt());
        assertNotNull(CalcTest.class.getResource("/acme/CalcTest.class"));
    }
    @org.junit.Test public void packages() {
        assertEquals("acme", Calc.class.getPackage().getName());
        assertNotNull(org.junit.Test.class.getPackage().getImplementationVersion());
        assertTrue(Calc.class.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("classes/"));
        assertTrue(System.getProperty("java.class.path").contains("junit4"));
    }
    @org.junit.Test public void workingDirectory() throws Exception {
        assertEquals("in", new String(Files.readAllBytes(Paths.get("input.txt"))));
        assertEquals("acme", System.getProperty("who"));
        assertEquals("Asia/Tokyo", TimeZone.getDefault().getID());
        assertEquals("yes", System.getenv("MARK"));
        assertNotNull("a shell that starts a build sets it", System.getenv("_"));
        assertTrue(Runtime.getRuntime().maxMemory() < 300L << 20);
        Files.write(Paths.get("output.txt"), new byte[1]);
        File temporary = File.createTempFile("acme", "y");
        assertTrue(temporary.delete());
    }
    @org.junit.Test public void ownStackTrace() {
        assertEquals("Calc.java", Calc.trace().getFileName());
        assertEquals("twice", Calc.trace().getMethodName().replace("trace", "twice"));
    }
}
"""


def test_the_environment_is_what_ant_would_give(make: Maker) -> None:
    source = CALC.replace(
        "    public static int twice",
        "    public static StackTraceElement trace() { return new Throwable().getStackTrace()[0]; }\n"
        "    public static int twice",
    )
    project = make(
        sources={"acme/Calc.java": source},
        tests={"acme/CalcTest.java": ENVIRONMENT_TEST},
        resources={
            "classes/acme/data.txt": "hello",
            "tests/acme/data.txt": "second",
            "work/input.txt": "in",
        },
        working_directory="work",
        system_properties={"who": "acme", "user.timezone": "Asia/Tokyo"},
        environment={"MARK": "yes"},
        jvm_arguments=("-Xmx256m",),
    )
    assert project.workspace.failing == ()
    assert project.workspace.fresh_only == ()
    with project.session() as session:
        verdict = session.validate(project.reference)
        assert verdict.plausible, verdict
    if project.workers.sandbox.name != "none":
        assert not (project.workspace.root / "work" / "output.txt").exists()


FACTORY_TEST = """package acme;
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
class CalcTest {
    @TestFactory Stream<DynamicTest> each() {
        if (Calc.mean(2, 4) != 3) throw new IllegalStateException();
        return IntStream.range(0, 3).mapToObj(
            n -> DynamicTest.dynamicTest("n" + n, () -> assertEquals(n, Calc.mean(n, n))));
    }
    @Test void twice() { assertEquals(8, Calc.twice(4)); }
}
"""


def test_dynamic_tests_that_could_not_be_made_today_are_mended(make: Maker) -> None:
    """The right fix was wrong: its factory's name ran three times, not once as today."""
    tests = {"acme/CalcTest.java": FACTORY_TEST}
    project = make(tests=tests, libraries=(*JUNIT5, *JUNIT4), measure=False)
    names = ["acme.CalcTest"]
    today = measure_current(project.workers, project.workspace, project.problem, names).workspace
    project.workspace = today
    today.save()
    assert today.failing == ("acme.CalcTest::each",)
    with project.session() as session:
        fix, part = (session.validate(project.body(code)) for code in (FIXED, "return a == 2 ? 3 : 7;"))
    assert (fix.outcome, fix.evidence.mended) == (Outcome.PLAUSIBLE, ("acme.CalcTest::each",))
    assert part.evidence.mended == ()


def test_a_test_that_finds_no_memory_is_what_fails(make: Maker) -> None:
    """JUnit 5 gives up the whole class then, and the test counted as none: commons-imaging's two failing
    tests were "0 fail".
    """
    test = """package acme;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
@TestMethodOrder(MethodOrderer.MethodName.class)
class CalcTest {
    @Test void a() { assertEquals(8, Calc.twice(4)); }
    @Test void b() { if (Calc.mean(2, 4) != 3) throw new OutOfMemoryError("too large"); }
    @Test void c() { assertEquals(2, Calc.twice(1)); }
}
"""
    libraries = (*JUNIT5, *JUNIT4)
    project = make(tests={"acme/CalcTest.java": test}, libraries=libraries, measure=False)
    names = ["acme.CalcTest"]
    today = measure_current(project.workers, project.workspace, project.problem, names).workspace
    project.workspace = today
    today.save()
    assert "acme.CalcTest::b" in today.failing
    with project.session() as session:
        fix, other = (session.validate(project.body(code)) for code in (FIXED, "return a == 2 ? 5 : 7;"))
    assert fix.outcome is Outcome.PLAUSIBLE and "acme.CalcTest::b" in fix.evidence.mended
    assert (other.outcome, other.evidence.mended) == (Outcome.PLAUSIBLE, ())


LOADERS_TEST = """package acme;
import static org.junit.Assert.*;
import org.junit.Test;
public class CalcTest {
    static int mean(ClassLoader loader, boolean byName) throws Exception {
        Class<?> calc = byName ? Class.forName("acme.Calc", true, loader) : loader.loadClass("acme.Calc");
        assertSame(Calc.class, calc);
        return (Integer) calc.getMethod("mean", int.class, int.class).invoke(null, 2, 4);
    }
    static ClassLoader child() { return new java.net.URLClassLoader(new java.net.URL[0]); }
    static ClassLoader system() { return ClassLoader.getSystemClassLoader(); }
    @Test public void given() throws Exception { assertEquals(3, mean(system(), false)); }
    @Test public void child1() throws Exception { assertEquals(3, mean(child(), false)); }
    @Test public void child2() throws Exception { assertEquals(3, mean(child(), true)); }
    @Test public void none() throws Exception {
        try { mean(system(), true); } catch (ClassNotFoundException e) { return; }
        fail("the JVM would remember it");
    }
}
"""


def test_loaders_below_the_system_s_find_each_candidate_s_classes(make: Maker) -> None:
    """308 of jte's 397 tests, which compile templates and load them, failed with NoClassDefFoundError."""
    project = make(tests={"acme/CalcTest.java": LOADERS_TEST})
    bodies = (FIXED, "return a == 2 ? 5 : 7;", "return (b + a) / 2;", "return 3 * (a - 1);", "return 4;")
    with project.session() as session:
        outcomes = [session.validate(project.body(code)).outcome for code in bodies]
    right, wrong = Outcome.PLAUSIBLE, Outcome.WRONG
    assert outcomes == [right, wrong, right, right, wrong]


AGENT_TEST = """package acme;
import static org.junit.Assert.*;
import java.io.*;
import java.lang.management.ManagementFactory;
import java.util.jar.*;
import org.junit.Test;
public class CalcTest {
    public static class Agent {
        static Object given;
        public static void agentmain(String words, java.lang.instrument.Instrumentation it) { given = it; }
        public static boolean started() { return given != null; }
    }
    @Test public void mean() { assertEquals(3, Calc.mean(2, 4)); }
    @Test public void attached() throws Exception {
        String process = ManagementFactory.getRuntimeMXBean().getName().split("@")[0];
        Class<?> vm = Class.forName("com.sun.tools.attach.VirtualMachine");
        Object self = vm.getMethod("attach", String.class).invoke(null, process);
        vm.getMethod("loadAgent", String.class).invoke(self, jar().getPath());
        Class<?> agent = Class.forName(Agent.class.getName(), true, ClassLoader.getSystemClassLoader());
        assertTrue((Boolean) agent.getMethod("started").invoke(null));
    }
    private static File jar() throws Exception {
        File jar = File.createTempFile("agent", ".jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Agent-Class"), Agent.class.getName());
        JarOutputStream out = new JarOutputStream(new FileOutputStream(jar), manifest);
        out.putNextEntry(new JarEntry("acme/CalcTest$Agent.class"));
        InputStream in = Agent.class.getResourceAsStream("CalcTest$Agent.class");
        for (int value = in.read(); value >= 0; value = in.read()) { out.write(value); }
        out.close();
        return jar;
    }
}
"""


def test_agents_that_start_while_tests_run(make: Maker) -> None:
    """Of Mockito 5, whose mocks need one, every test with a mock failed before any edit."""
    tests = {"acme/CalcTest.java": AGENT_TEST}
    project = make(tests=tests, jvm_arguments=("-Djdk.attach.allowAttachSelf=true",))
    assert project.workspace.failing == ()
    with project.session() as session:
        outcomes = [
            session.validate(project.body(code)).outcome for code in (FIXED, "return 4;", "return 3;")
        ]
    assert outcomes == [Outcome.PLAUSIBLE, Outcome.WRONG, Outcome.PLAUSIBLE]


SET_UP = {
    "JUnit 4": (JUNIT4, "org.junit.Test", "@org.junit.BeforeClass public static void begin()"),
    "Jupiter": (
        (*JUNIT5, *JUNIT4),
        "org.junit.jupiter.api.Test",
        "@org.junit.jupiter.api.BeforeAll static void begin()",
    ),
    "TestNG": (
        TESTNG,
        "org.testng.annotations.Test",
        "@org.testng.annotations.BeforeClass public void begin()",
    ),
    "TestNG's constructor": (TESTNG, "org.testng.annotations.Test", "public LaterTest()"),
    "JUnit 4's initializer": (
        JUNIT4,
        "org.junit.Test",
        "@org.junit.ClassRule public static org.junit.rules.TestRule none = (b, d) -> b; static",
    ),
}


@pytest.mark.parametrize("kind", SET_UP)
def test_what_ends_the_jvm_in_a_class_s_set_up_is_told_of_that_class(make: Maker, kind: str) -> None:
    """The test before it was named, which has nothing to do with it."""
    libraries, annotation, begin = SET_UP[kind]
    first = f"@{annotation} public void a() {{ if (Calc.mean(2, 4) != 3) throw new AssertionError(); }}"
    later = f"{begin} {{ Calc.mean(7, 7); }} @{annotation} public void b() {{ }}"
    project = make(
        tests={
            "acme/CalcTest.java": f"package acme; public class CalcTest {{ {first} }}",
            "acme/LaterTest.java": f"package acme; public class LaterTest {{ {later} }}",
        },
        libraries=libraries,
    )
    with project.session() as session:
        verdict = session.validate(project.body(f"if (a == 7) Runtime.getRuntime().halt(7); {FIXED}"))
    assert (verdict.outcome, verdict.evidence.failing_test) == (Outcome.WRONG, "acme.LaterTest")
