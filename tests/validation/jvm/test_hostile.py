"""Candidates that misbehave get their verdict, and their neighbours lose nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.errors import InfrastructureError
from nl2fix.core.records import Candidate, Outcome
from nl2fix.validation.jvm.session import JvmSession
from nl2fix.validation.jvm.workers import Workers
from tests.validation.jvm.conftest import CALC, FIXED, Project


@pytest.fixture(scope="module")
def impatient(workers: Workers, calc: Project) -> Iterator[Project]:
    """The example project with a short time limit. Such code is never run without a sandbox."""
    if workers.sandbox.name == "none":
        pytest.skip("needs a sandbox (apt-get install bubblewrap)")
    environment = workers.environment.having("sandbox", timeout=2.0)
    pool = Workers(environment, sandbox=workers.sandbox)
    yield Project(pool, calc.workspace, calc.problem, calc.reference)
    pool.close()


@pytest.fixture
def session(impatient: Project) -> Iterator[JvmSession]:
    """Each hostile candidate meets a worker that already served, and good neighbours follow it."""
    with impatient.session() as opened:
        assert opened.validate(impatient.body("return a;")).outcome is Outcome.WRONG
        yield opened
        assert opened.validate(impatient.reference).plausible
        assert opened.validate(impatient.body("return 0;")).outcome is Outcome.WRONG
        assert opened.validate(impatient.body("return 0")).outcome is Outcome.UNCOMPILABLE


# Only pipes, and only appending: a descriptor may also be a file of the JDK.
WRITE_CHANNEL = """
    for (int fd = 4; fd < 12; fd++) {
        java.nio.file.Path path = java.nio.file.Paths.get("/proc/self/fd/" + fd);
        try {
            if (!java.nio.file.Files.readSymbolicLink(path).toString().startsWith("pipe:")) { continue; }
            java.io.FileOutputStream out = new java.io.FileOutputStream(path.toString(), true);
            %s
            out.flush();
        } catch (java.io.IOException closed) { }
    }
    return 0;"""


@pytest.mark.parametrize(
    ("body", "outcome", "words"),
    [
        pytest.param("System.exit(0); return 0;", Outcome.WRONG, "JVM ended with status 0", id="exit"),
        pytest.param("Runtime.getRuntime().halt(7); return 0;", Outcome.WRONG, "status 7", id="halt"),
        pytest.param("while (true) { }", Outcome.TIMEOUT, "never ends", id="endless loop"),
        pytest.param(
            "while (true) { try { while (true) { Thread.sleep(1); } } catch (Throwable t) { } }",
            Outcome.TIMEOUT,
            "time limit",
            id="loop that swallows everything",
        ),
        pytest.param(
            "java.util.List<long[]> l = new java.util.ArrayList<>();"
            " while (true) { l.add(new long[1 << 23]); }",
            Outcome.WRONG,
            "OutOfMemoryError",
            id="memory bomb",
        ),
        pytest.param(
            "java.util.List<long[]> l = new java.util.ArrayList<>();"
            "while (true) { try { l.add(new long[1 << 16]); } catch (OutOfMemoryError e) { } }",
            Outcome.TIMEOUT,
            "time limit",
            id="stubborn memory bomb",
        ),
        pytest.param(
            "java.util.List<Object> l = new java.util.ArrayList<>(); while (l.size() < 100000)"
            " { l.add(java.nio.ByteBuffer.allocateDirect(1 << 20)); } return 0;",
            Outcome.WRONG,
            "",
            id="memory outside the heap",
        ),
        pytest.param("return mean(a, b);", Outcome.WRONG, "StackOverflowError", id="deep recursion"),
        pytest.param(
            WRITE_CHANNEL % "out.write(new byte[100000]);", Outcome.WRONG, "channel", id="forged zeros"
        ),
        pytest.param(
            WRITE_CHANNEL % 'out.write("\\0\\0\\0\\022aaaaaaaaaaaaaaaaRP".getBytes());',
            Outcome.WRONG,
            "channel",
            id="forged reply",
        ),
        pytest.param("throw new ThreadDeath();", Outcome.WRONG, "ThreadDeath", id="thread death"),
        pytest.param("throw null;", Outcome.WRONG, "NullPointerException", id="null"),
        pytest.param(
            "class Evil extends RuntimeException { public String getMessage() { throw new Evil(); } }"
            " throw new Evil();",
            Outcome.WRONG,
            "Evil",
            id="unreadable exception",
        ),
        pytest.param(
            "ThreadGroup g = Thread.currentThread().getThreadGroup().getParent();"
            "for (int i = 0; i < 1000; i++) { g.interrupt(); } return 0;",
            Outcome.WRONG,
            "expected:<3> but was:<0>",
            id="interrupts everyone",
        ),
    ],
)
def test_hostile_bodies(
    impatient: Project, session: JvmSession, body: str, outcome: Outcome, words: str
) -> None:
    verdict = session.validate(impatient.body(body))
    assert verdict.outcome is outcome, verdict
    assert words in (verdict.evidence.message or ""), verdict
    assert verdict.evidence.built
    assert verdict.evidence.failing_test == "acme.CalcTest::mean"


def test_a_thread_bomb_is_contained(impatient: Project, session: JvmSession) -> None:
    body = """for (int i = 0; i < 100000; i++) {
            new Thread(() -> {
                while (true) { try { Thread.sleep(9999); } catch (Throwable x) { } }
            }).start();
        } return 0;"""
    assert session.validate(impatient.body(body)).outcome in (Outcome.WRONG, Outcome.TIMEOUT)


def test_a_flood_of_output_is_thrown_away(impatient: Project, session: JvmSession) -> None:
    body = """byte[] page = new byte[1 << 16];
        java.io.FileOutputStream out = new java.io.FileOutputStream(java.io.FileDescriptor.out);
        java.io.FileOutputStream err = new java.io.FileOutputStream(java.io.FileDescriptor.err);
        try {
            for (int i = 0; i < 500; i++) { System.out.write(page); System.err.write(page); out.write(page);
                err.write(page); System.out.println(i); }
        } catch (java.io.IOException e) { throw new IllegalStateException(e); }
        return (a + b) / 2;"""
    assert session.validate(impatient.body(body)).plausible


LEAKS = {
    "static field": "static int n; ",
    "system property": 'System.setProperty("acme.leak", "x");',
    "default locale": 'java.util.Locale.setDefault(new java.util.Locale("tr"));',
    "default time zone": 'java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("Asia/Tokyo"));',
    "standard output": "System.setOut(null); System.setErr(null); System.setIn(null);",
    "class path property": "System.getProperties().clear();",
    "uncaught handler": "Thread.setDefaultUncaughtExceptionHandler((t, e) -> { });",
    "context loader": "Thread.currentThread().setContextClassLoader(null);",
    "security providers": 'java.security.Security.removeProvider("SUN");',
    "temporary file": 'new java.io.File(System.getProperty("java.io.tmpdir"), "leak").mkdir();',
}
CLEAN = """
        if (System.getProperty("acme.leak") != null || System.getProperty("java.home") == null) { return -1; }
        if (java.util.Locale.getDefault().getLanguage().equals("tr")) { return -2; }
        if (java.util.TimeZone.getDefault().getID().equals("Asia/Tokyo")) { return -3; }
        if (System.out == null || System.err == null || System.in == null) { return -4; }
        if (Thread.getDefaultUncaughtExceptionHandler() != null) { return -5; }
        if (Thread.currentThread().getContextClassLoader() != Calc.class.getClassLoader()) { return -6; }
        if (java.security.Security.getProvider("SUN") == null) { return -7; }
        if (new java.io.File(System.getProperty("java.io.tmpdir"), "leak").exists()) { return -8; }
        if (System.getSecurityManager() != null) { return -9; }
        if (N.n++ > 2) { return -10; }
        return (a + b) / 2;
    }
    static class N { static int n; }
    static {"""


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS.keys())
def test_nothing_leaks_to_the_next_candidate(impatient: Project, leak: str) -> None:
    """The neighbour is judged by the same warm worker, unless that had to be replaced."""
    dirty = "N.n += 100; return 0; } static class N { static int n; } static {" if "int n" in leak else leak
    with impatient.session() as session:
        first = session.validate(
            impatient.body(f"if (true) {{ {leak} }} return 0;" if dirty is leak else dirty)
        )
        assert first.outcome is Outcome.WRONG, first
        second = session.validate(impatient.body(CLEAN))
        assert second.plausible, second


def test_threads_left_behind_do_not_reach_the_next_candidate(impatient: Project) -> None:
    body = """new Thread(() -> {
            while (true) { System.setProperty("acme.leak", "x"); Thread.interrupted(); }
        }).start(); return 0;"""
    with impatient.session() as session:
        assert session.validate(impatient.body(body)).outcome is Outcome.WRONG
        for _ in range(3):
            assert session.validate(impatient.body(CLEAN)).plausible


@pytest.mark.parametrize(
    "code",
    [
        pytest.param('String s = "' + "x" * 70000 + '"; return 0;', id="constant too long"),
        pytest.param("int x = 0;" + "x++;" * 30000 + "return x;", id="code too large"),
        pytest.param("return 0" + "+ a" * 50000 + ";", id="long sum"),
        pytest.param("return \ud800;", id="lone surrogate"),
        pytest.param('String s = "\udfff"; return 0;', id="lone surrogate in a text"),
        pytest.param("return \0;", id="zero character"),
        pytest.param("return 0; /*", id="open comment"),
        pytest.param("return 0; }}}}", id="closing braces"),
        pytest.param("\\u00", id="broken escape"),
    ],
)
def test_code_that_troubles_the_compiler(impatient: Project, session: JvmSession, code: str) -> None:
    verdict = session.validate(impatient.body(code))
    assert verdict.outcome is Outcome.UNCOMPILABLE
    assert verdict.evidence.message


def test_deep_nesting_may_exhaust_the_compiler_but_harms_nobody(
    impatient: Project, session: JvmSession
) -> None:
    verdict = session.validate(impatient.body("return " + "(" * 20000 + "1" + ")" * 20000 + ";"))
    assert verdict.outcome in (Outcome.UNCOMPILABLE, Outcome.WRONG)
    assert verdict.evidence.message


def test_files_and_network_are_out_of_reach(impatient: Project, session: JvmSession) -> None:
    secret = impatient.workers.environment.cache / "secret.txt"
    secret.write_text("the reference fix")
    checks = [
        f'new java.io.FileInputStream("{secret}").close();',
        f'new java.io.FileOutputStream("{impatient.workspace.root}/classes/x").close();',
        'new java.io.FileOutputStream("/usr/x").close();',
        'new java.io.FileInputStream("/etc/shadow").close();',
        'new java.net.Socket("192.0.2.1", 80).close();',
        'java.net.InetAddress.getByName("example.org");',
    ]
    tries = "".join(f"try {{ {check} return -1; }} catch (java.io.IOException e) {{ }}\n" for check in checks)
    assert session.validate(impatient.body(tries + FIXED)).plausible


def test_what_passes_only_in_a_used_worker_is_wrong(impatient: Project) -> None:
    """What it left is taken away from the next one, and the fresh JVM has the last word."""
    seen = """java.io.File f = new java.io.File("/tmp/nl2fix-seen"); boolean seen = f.exists();
        try { f.createNewFile(); } catch (java.io.IOException e) { }
        return seen ? (a + b) / 2 : 0;"""
    with impatient.session() as session:
        session.validate(impatient.body(seen))
        again = session.validate(impatient.body("int x = 1;" + seen))
    assert again.outcome is Outcome.WRONG


def test_what_is_missing_in_the_sandbox_is_no_verdict(impatient: Project) -> None:
    missing = replace(impatient.workspace, libraries=("/nowhere/x.jar",))
    session = JvmSession(missing, impatient.problem, impatient.workers)
    with pytest.raises(InfrastructureError, match="/nowhere"):
        session.validate(Candidate(CALC, "file"))


def test_a_damaged_library_is_named(impatient: Project, folder: Path) -> None:
    """It was told as "zip END header not found", of nothing."""
    jar = folder / "damaged.jar"
    jar.write_bytes(b"PK\3\4 and no more")
    damaged = replace(impatient.workspace, libraries=(*impatient.workspace.libraries, str(jar)))
    session = JvmSession(damaged, impatient.problem, impatient.workers)
    with pytest.raises(InfrastructureError, match=r"cannot read .*damaged\.jar"):
        session.validate(Candidate(CALC, "file"))


SLEEPS = "try { Thread.sleep(100000); } catch (InterruptedException e) { } return 0;"
SWALLOWS = "while (true) { try { while (true) { Thread.sleep(1); } } catch (Throwable t) { } }"


@pytest.mark.parametrize(
    ("body", "least"),
    [
        pytest.param(SLEEPS, 2.0, id="waits"),
        pytest.param(SWALLOWS, 2.0, id="swallows everything"),
        pytest.param("while (true) { }", 0.02, id="seen never to end"),
        pytest.param("Runtime.getRuntime().halt(7); return 0;", 0.001, id="ends the JVM"),
    ],
)
def test_what_was_cut_off_took_the_time_it_ran(
    impatient: Project, session: JvmSession, body: str, least: float
) -> None:
    """Exported, each timeout had run for 0.0 seconds."""
    verdict = session.validate(impatient.body(body))
    assert not verdict.plausible and verdict.evidence.built
    assert verdict.evidence.test_seconds >= least
