"""Reach read from real compiled classes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.validation.jvm import reach
from nl2fix.validation.jvm.classfile import texts
from nl2fix.validation.jvm.reach import Looked, can_reach, reaching
from nl2fix.validation.jvm.worker import Limit
from tests.validation.jvm.conftest import CALC, JUNIT3, JUNIT4, JUNIT5, TESTNG, Maker

SOURCES = """
package a;
class Wanted { static class Inner { } static final long BIG = 1L << 40; static final double D = 2.5; }
class Direct { Object o = new Wanted(); }
class Through { Direct d; }
class Nested { Object o = new Wanted.Inner(); }
class ByName { Object o() throws Exception { return Class.forName("a.Wanted"); } }
class Generic { java.util.List<Wanted> all; }
class Lambda { Runnable r = () -> new Through(); }
class Array { Wanted[][] all; }
class Not { long n = 1L << 40; double d = 2.5; String s = "Wanted"; }
"""
TESTS = ["Direct", "Through", "Nested", "ByName", "Generic", "Lambda", "Array", "Not", "Missing"]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    (folder / "Wanted.java").write_text(SOURCES)
    subprocess.run(["javac", "-d", str(folder), str(folder / "Wanted.java")], check=True, timeout=300)
    return folder


def test_whatever_mentions_a_class_reaches_it(classes: Path) -> None:
    found = can_reach([classes], [f"a.{name}" for name in TESTS], ["a.Wanted", "a.Wanted$Inner"])
    assert found == {f"a.{name}" for name in TESTS if name not in ("Not", "Missing")}


def test_a_test_of_the_class_itself_reaches_it(classes: Path) -> None:
    assert can_reach([classes], ["a.Wanted"], ["a.Wanted"]) == {"a.Wanted"}


def test_classes_that_refer_to_each_other_end(classes: Path) -> None:
    assert can_reach([classes, classes], ["a.Not"], ["a.Wanted"]) == set()


@pytest.mark.parametrize("content", [b"", b"\xca\xfe", b"PK\x03\x04 no class"])
def test_what_is_no_class_has_no_texts(content: bytes) -> None:
    assert list(texts(content)) == []


def a_test(name: str, body: str) -> dict[str, str]:
    code = f"package acme;\npublic class {name} {{\n    @org.junit.Test public void it() {{ {body} }}\n}}\n"
    return {f"acme/{name}.java": code}


USES = "Calc.twice(4);"
ELSEWHERE = "if (System.nanoTime() == 0) Calc.twice(4);"
SLEEPS = f"try {{ Thread.sleep(3000); }} catch (InterruptedException e) {{ }} {ELSEWHERE}"


def test_what_does_not_end_in_time_is_told_apart(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of commons-collections five classes of 80 s each ran three times, though none reached the file."""
    monkeypatch.setattr(reach, "_LOOK", Limit(1.0, 1.0))
    tests = {**a_test("UsesTest", USES), **a_test("OtherTest", ELSEWHERE), **a_test("SlowTest", SLEEPS)}
    made = make(tests=tests, measure=False)
    names = ["acme.SlowTest", "acme.OtherTest", "acme.UsesTest"]
    found = reaching(made.workers, made.workspace, made.problem, names)
    assert found == Looked(("acme.UsesTest",), ("acme.SlowTest",))


BEHIND = {"a": USES, "b": SLEEPS.replace("3000", "900000")}


HEIR = {"acme/Heir.java": "package acme; public class Heir extends Calc { }"}
"""Cannot be loaded without the file, nor can what has a method that takes it be looked at."""
TAKING = """package acme;
{class_mark} public class TakingTest {parent} {{
    {mark} public void testTwice() {{ taking(new Heir()); }}
    private void taking(Heir heir) {{ heir.twice(4); }}
}}
"""
KINDS = {
    JUNIT3: {"parent": "extends junit.framework.TestCase"},
    JUNIT4: {"mark": "@org.junit.Test"},
    JUNIT5: {"mark": "@org.junit.jupiter.api.Test"},
    TESTNG: {"class_mark": "@org.testng.annotations.Test"},
}


@pytest.mark.parametrize("libraries", KINDS, ids=["JUnit 3", "JUnit 4", "JUnit 5", "TestNG"])
def test_a_class_that_cannot_be_looked_at_without_the_file_reaches_it(
    make: Maker, libraries: tuple[str, ...]
) -> None:
    """TestNG passed over six of failsafe's 35 classes, one with the test that failed, and said nothing."""
    blank = dict.fromkeys(("class_mark", "mark", "parent"), "")
    test = {"acme/TakingTest.java": TAKING.format(**{**blank, **KINDS[libraries]})}
    made = make(sources={"acme/Calc.java": CALC, **HEIR}, tests=test, libraries=libraries, measure=False)
    found = reaching(made.workers, made.workspace, made.problem, ["acme.TakingTest"])
    assert found == Looked(("acme.TakingTest",), ())


def test_what_a_library_has_of_the_file_stands_in_for_nothing(make: Maker, tmp_path: Path) -> None:
    """With the classes of its last build named for want of generated ones, 2 of commons-jexl's 57 classes of
    tests were said to reach the class that half of them use; so it is with a release of the project itself.
    """
    made = make(tests=a_test("UsesTest", USES), measure=False)
    old = shutil.copytree(made.workspace.root / "classes", tmp_path / "old")
    workspace = replace(made.workspace, libraries=(*made.workspace.libraries, str(old)))
    found = reaching(made.workers, workspace, made.problem, ["acme.UsesTest"])
    assert found == Looked(("acme.UsesTest",), ())


def test_after_a_while_what_was_found_is_enough(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "_PATIENCE", 0.0)
    monkeypatch.setattr(reach, "_TOGETHER", 2)
    names = [f"Uses{number}Test" for number in range(9)]
    made = make(tests={k: v for name in names for k, v in a_test(name, USES).items()}, measure=False)
    tests = [f"acme.{name}" for name in names]
    found = reaching(made.workers, made.workspace, made.problem, tests)
    assert 1 <= len(found.reaching) <= 2 * made.workers.environment.jobs
    assert sorted((*found.reaching, *found.late)) == tests


ENDS = 'if (new java.io.File(System.getProperty("java.home")).exists()) Runtime.getRuntime().halt(1);'


def test_classes_that_are_tried_together_are_told_apart(make: Maker) -> None:
    """Of commons-bcel 146 classes were tried in a class loader of their own each, which took a minute."""
    bodies = {"UsesTest": USES, "OtherTest": ELSEWHERE, "EndsTest": ENDS + ELSEWHERE, "AlsoTest": USES}
    made = make(
        tests={k: v for name, body in bodies.items() for k, v in a_test(name, body).items()}, measure=False
    )
    names = [f"acme.{name}" for name in bodies]
    found = reaching(made.workers, made.workspace, made.problem, names)
    assert found == Looked(("acme.UsesTest", "acme.EndsTest", "acme.AlsoTest"), ())


def test_the_first_failure_ends_a_class(make: Maker) -> None:
    """What behind it sleeps is not waited for, while the next class is tried."""
    two = "".join(f"@org.junit.Test public void {name}() {{ {body} }}" for name, body in BEHIND.items())
    order = "@org.junit.FixMethodOrder(org.junit.runners.MethodSorters.NAME_ASCENDING)"
    slow = f"package acme;\n{order}\npublic class SlowTest {{ {two} }}"
    made = make(tests={"acme/SlowTest.java": slow, **a_test("UsesTest", USES)}, measure=False)
    begun = time.monotonic()
    found = reaching(made.workers, made.workspace, made.problem, ["acme.SlowTest", "acme.UsesTest"])
    assert found == Looked(("acme.SlowTest", "acme.UsesTest"), ())
    assert time.monotonic() - begun < 600


def test_a_failure_ends_a_class_of_the_junit_platform_too(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of commons-bcel the tests of a class that run javap went on for half a minute behind a failure."""
    monkeypatch.setattr(reach, "_LOOK", Limit(900.0, 900.0))
    api = "org.junit.jupiter.api."
    two = "".join(f"@{api}Test public void {name}() {{ {body} }}" for name, body in BEHIND.items())
    order = f"@{api}TestMethodOrder({api}MethodOrderer.MethodName.class)"
    tests = {
        "acme/SlowTest.java": f"package acme;\n{order}\npublic class SlowTest {{ {two} }}",
        "acme/UsesTest.java": f"package acme;\npublic class UsesTest {{ @{api}Test void it() {{ {USES} }} }}",
    }
    made = make(tests=tests, libraries=JUNIT5, measure=False)
    begun = time.monotonic()
    found = reaching(made.workers, made.workspace, made.problem, ["acme.SlowTest", "acme.UsesTest"])
    assert found == Looked(("acme.SlowTest", "acme.UsesTest"), ())
    assert time.monotonic() - begun < 600


def test_an_interruption_waits_for_no_test(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C was answered after 44 s, when a test class had come to its end."""
    monkeypatch.setattr(reach, "_LOOK", Limit(900.0, 900.0))
    made = make(tests=a_test("SlowTest", SLEEPS.replace("3000", "900000")), measure=False)

    def interrupt() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(5.0, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        reaching(made.workers, made.workspace, made.problem, ["acme.SlowTest"])
