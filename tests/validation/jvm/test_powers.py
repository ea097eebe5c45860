"""What edits newly reach for is found in their classes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nl2fix.validation.jvm.powers import Power, Powers
from nl2fix.validation.jvm.prepare import compile_project
from nl2fix.validation.jvm.workers import Workers
from tests.validation.jvm.conftest import JUNIT4, jars

Compile = Callable[..., list[bytes]]
OPENS = "reflection that opens or changes members"
HEAD = "import java.util.*; import java.io.*; class A { static Object f(String s) throws Exception { "


@pytest.fixture
def compiled(workers: Workers, tmp_path: Path) -> Compile:
    def compiled(body: str, number: int = 0, before: str = "") -> list[bytes]:
        folder = tmp_path / str(number)
        compile_project(workers, {"A.java": f"{HEAD}{before}{body} }} }}"}, folder)
        return [file.read_bytes() for file in sorted(folder.rglob("*.class"))]

    return compiled


def nothing(name: str) -> bytes | None:
    return None


@pytest.mark.parametrize(
    "body",
    [
        "return s.length() > 3 ? Arrays.asList(s) : new TreeMap<String, Integer>();",
        "Runnable r = () -> f2(s); r.run(); return s + 1; } static void f2(String s) { assert s != null;",
        'synchronized (s) { return String.format("%s", s); }',
        "try { return Integer.parseInt(s); } catch (NumberFormatException e) { throw new IOException(e); }",
        "StringWriter w = new StringWriter(); new PrintWriter(w).println(s); return w.toString();",
        'switch (s) { case "a": return A.class; default: return Thread.State.valueOf(s); }',
        'return s + System.getProperty("line.separator");',
        "return java.lang.reflect.Array.newInstance(s.getClass(), 1);",
        "return s; } public boolean equals(Object o) { return o instanceof A && hashCode() == o.hashCode();",
        "return new Object() { public String toString() { return A.class.getSimpleName(); } };",
        "return new TreeSet<String>((a, b) -> a.length() - b.length());",
        "return new ArrayList<String>() {{ add(s); }};",
        "return new B2(s).registerFactory(s); } static class B2 extends ArrayList<String> { B2(String s) { }"
        " String registerFactory(String s) { return s; }",
        "return new IOException(s) { public void printStackTrace() { } };",
    ],
)
def test_what_fixes_need_is_no_power(compiled: Compile, body: str) -> None:
    powers = Powers(compiled("return null;", 1), nothing)
    assert powers.of(compiled(body, 2)) is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return System.getenv(s);", "how it was started"),
        ("return System.getProperty(s);", "how it was started"),
        ('return System.getProperties().getProperty("java.class".concat(".path"));', "how it was started"),
        ("return ResourceBundle.getBundle(s);", "what it reads"),
        ("return new File(s) { }.list();", "what it reads"),
        (
            "java.nio.file.Path p = new File(s).toPath();"
            " return p.getFileSystem().provider().newInputStream(p);",
            "what it reads",
        ),
        ("return new javax.imageio.stream.FileImageInputStream(new File(s)).readLine();", "what it reads"),
        (
            "return javax.xml.stream.XMLInputFactory.newInstance()"
            ".createXMLStreamReader(new StringReader(s));",
            "what it reads",
        ),
        (
            "return javax.xml.validation.SchemaFactory.newInstance(s).newSchema(new File(s));",
            "what it reads",
        ),
        ("new org.xml.sax.helpers.XMLFilterImpl().parse(s); return s;", "what it reads"),
        ("org.w3c.dom.ls.LSParser p = null; return p.parseURI(s);", "what it reads"),
        ("return org.xml.sax.helpers.XMLReaderFactory.createXMLReader(s);", "calls by name"),
        ("return javax.xml.parsers.SAXParserFactory.newInstance(s, null);", "calls by name"),
        ("return ClassLoader.getSystemResource(s);", "what it reads"),
        (
            "return javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(s);",
            "what it reads",
        ),
        ("return new javax.swing.UIDefaults.ProxyLazyValue(s);", "calls by name"),
        ("return java.util.spi.ToolProvider.findFirst(s);", "calls by name"),
        ("System.exit(1); return s;", "the end of the JVM"),
        ("return new ProcessBuilder(s).start();", "processes"),
        ("return Runtime.getRuntime().exec(s);", "processes"),
        ("return Class.forName(s);", "reflection"),
        (
            "A.class.getDeclaredFields()[0].setAccessible(true); return s;",
            "reflection that opens or changes members",
        ),
        ("return java.lang.invoke.MethodHandles.lookup();", "reflection that opens or changes members"),
        ("return new Throwable().getStackTrace();", "stack frames"),
        ("return new IOException().getStackTrace();", "stack frames"),
        ("class T extends Throwable { } return new T().getStackTrace();", "stack frames"),
        (
            "StringWriter w = new StringWriter(); new Exception().printStackTrace(new PrintWriter(w));"
            " return w;",
            "stack frames",
        ),
        ("return A.class.getClassLoader();", "class loaders"),
        ("return java.security.MessageDigest.getInstance(s).getProvider();", "security settings"),
        ("ObjectInputFilter.Config.setSerialFilter(null); return s;", "security settings"),
        ("javax.security.auth.login.Configuration.setConfiguration(null); return s;", "security settings"),
        ("return Thread.currentThread().getThreadGroup();", "other threads"),
        ("Thread.currentThread().run(); return s;", "other threads"),
        ("return new ObjectInputStream(null).readObject();", "serialization"),
        ("return java.lang.management.ManagementFactory.getRuntimeMXBean();", "the JVM from within"),
        ('return "/proc/self/mem";', "a name of the system"),
        ('return "nl2" + "fix.jvm.TestRun";', "the harness"),
        ("return s; } protected void finalize() { int x = 0;", "finalizers"),
        ("Thread.dumpStack(); return s;", "stack frames"),
        ("System.setErr(null); new Error().printStackTrace(); return s;", "stack frames"),
        ("return new java.util.logging.LogRecord(null, s).getSourceClassName();", "stack frames"),
        ("new ObjectOutputStream(null).writeObject(new Error()); return s;", "serialization"),
        ('return A.class.getResourceAsStream("B.class");', "what it reads"),
        ("return new FileInputStream(s);", "what it reads"),
        ("return new Scanner(new File(s));", "what it reads"),
        ("return new File(s).list();", "what it reads"),
        ("return java.nio.file.Files.lines(java.nio.file.Paths.get(s));", "what it reads"),
        ('return System.getProperty("java.class.path");', "a name of the system"),
        (
            "return new A() { public boolean equals(Object o) { return o != s; } };",
            "equality of its own",
        ),
        ("return s; } public boolean equals(Object o) { return true;", "equality of its own"),
        (
            "return new AbstractSet<String>() { public int size() { return 2; }"
            " public Iterator<String> iterator() { return Collections.emptyIterator(); } };",
            "equality of its own",
        ),
        ("return new Date() { public long getTime() { return 3; } };", "equality of its own"),
        ("return new java.sql.Date(0) { public long getTime() { return 3; } };", "equality of its own"),
        (
            "return new GregorianCalendar() { public long getTimeInMillis() { return 3; } };",
            "equality of its own",
        ),
        (
            "return new java.util.concurrent.CopyOnWriteArraySet<String>() {"
            " public boolean containsAll(Collection<?> all) { return true; } };",
            "equality of its own",
        ),
        ("return new TreeSet<String>((a, b) -> 0);", "equality of its own"),
    ],
)
def test_powers_that_are_told(compiled: Compile, body: str, kind: str) -> None:
    power = Powers(compiled("return null;", 1), nothing).of(compiled(body, 2))
    assert power is not None
    assert (power.kind, power.suspicious) == (kind, True)
    assert str(power) == f"{kind} ({power.name})"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return new FileOutputStream(s);", "files"),
        ("new File(s).delete(); return s;", "files"),
        ("return new java.net.Socket(s, 1);", "the network"),
        ("new Thread(() -> { }).start(); return s;", "threads"),
        ("return Arrays.asList(s).parallelStream();", "threads"),
        (
            "return new java.util.concurrent.RecursiveAction() { protected void compute() { } }.fork();",
            "threads",
        ),
        ('return new Formatter("/pr".concat("oc/self/fd/5"));', "files"),
        ("return new java.util.concurrent.ConcurrentHashMap<>().reduceKeys(1, null);", "threads"),
        ("return s.intern() == s;", "what all share"),
        ("return Runtime.getRuntime().freeMemory();", "what all share"),
        ("return Thread.currentThread().getId();", "what all share"),
        ("Locale.setDefault(Locale.ROOT); return s;", "settings of the JVM"),
        ("return System.setProperty(s, s);", "settings of the JVM"),
    ],
)
def test_what_only_asks_for_a_jvm_of_its_own(compiled: Compile, body: str, kind: str) -> None:
    power = Powers(compiled("return null;", 1), nothing).of(compiled(body, 2))
    assert power is not None
    assert (power.kind, power.suspicious) == (kind, False)


def test_what_tests_may_inherit_of_their_framework_is_told(
    workers: Workers, compiled: Compile, tmp_path: Path
) -> None:
    """A method that JUnit calls before each test knows when one asks."""
    source = f"{HEAD}return null; }} @org.junit.Before public void before() {{ }} }}"
    junit = [Path(jar) for jar in jars(JUNIT4)]
    compile_project(workers, {"A.java": source}, tmp_path / "hook", class_path=junit)
    power = Powers(compiled("return null;", 1), nothing).of([(tmp_path / "hook" / "A.class").read_bytes()])
    assert power == Power("the test framework", "org.junit.Before", True)


def test_a_long_line_of_parents_is_followed(compiled: Compile) -> None:
    line = "".join(f"static class P{n} extends P{n + 1} {{ }} " for n in range(400))
    body = f"new P0().start(); return s; }} {line} static class P400 extends Thread {{"
    power = Powers(compiled("return null;", 1), nothing).of(compiled(f"{body} }} static void g() {{", 2))
    assert power is not None and power.kind == "threads"


def test_what_was_there_before_is_nothing_new(compiled: Compile) -> None:
    body = "new Thread(() -> { }).start(); System.exit(0); return new File(s).delete();"
    powers = Powers(compiled(body, 1), nothing)
    assert powers.of(compiled(body, 2, before="s += 1;")) is None
    assert powers.of(compiled(body, 3, before="new FileOutputStream(s).close();")) is None
    again = powers.of(compiled(body, 4, before="Runtime.getRuntime().halt(1);"))
    assert again == Power("the end of the JVM", "java.lang.Runtime.halt", True)


def test_the_power_of_a_class_that_is_used_counts(
    compiled: Compile, workers: Workers, tmp_path: Path
) -> None:
    helper = "class Helper { static void go() { System.exit(1); } }"
    source = f"{HEAD}Helper.go(); return s; }} }}"
    compile_project(workers, {"A.java": source, "Helper.java": helper}, tmp_path / "both")
    powers = Powers(
        compiled("return null;", 1), lambda name: (tmp_path / "both" / f"{name}.class").read_bytes()
    )
    power = powers.of([(tmp_path / "both" / "A.class").read_bytes()])
    assert power == Power("the end of the JVM", "java.lang.System.exit in Helper", True)
