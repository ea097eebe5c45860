"""What edits newly reach for is found in their classes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nl2fix.validation.jvm.powers import Power, Powers
from nl2fix.validation.jvm.prepare import compile_project
from nl2fix.validation.jvm.workers import Workers

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
        ("return ResourceBundle.getBundle(s);", "what it reads"),
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
        ("return A.class.getClassLoader();", "class loaders"),
        ("return java.security.MessageDigest.getInstance(s).getProvider();", "security settings"),
        ("return Thread.currentThread().getThreadGroup();", "other threads"),
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
        ("Locale.setDefault(Locale.ROOT); return s;", "settings of the JVM"),
        ("return System.setProperty(s, s);", "settings of the JVM"),
    ],
)
def test_what_only_asks_for_a_jvm_of_its_own(compiled: Compile, body: str, kind: str) -> None:
    power = Powers(compiled("return null;", 1), nothing).of(compiled(body, 2))
    assert power is not None
    assert (power.kind, power.suspicious) == (kind, False)


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
