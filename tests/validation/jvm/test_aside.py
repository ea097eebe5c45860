"""Tests that fail today and take long once they pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.records import Outcome
from nl2fix.validation.jvm import aside
from nl2fix.validation.jvm.current import measure_current
from nl2fix.validation.jvm.worker import Limit
from nl2fix.validation.jvm.workspace import TestClass, Workspace, load
from tests.validation.jvm.conftest import Maker, Project

FUZZ = """package acme;
import static org.junit.Assert.*;
import org.junit.Test;
public class FuzzTest {
    @Test public void long_() {
        for (long end = System.nanoTime() + 9000000000L; System.nanoTime() < end; ) {
            assertEquals(3, Calc.mean(2, 4));
        }
    }
    @Test public void brief() { assertEquals(8, Calc.twice(4)); }
}
"""


@pytest.fixture
def fuzzed(make: Maker) -> Project:
    """A project judged as it is, without a reference fix."""
    project = make(tests={"acme/FuzzTest.java": FUZZ}, measure=False)
    workspace = replace(project.workspace, trigger_tests=(), trigger_seconds=0.0)
    made = measure_current(project.workers, workspace, project.problem, ["acme.FuzzTest"])
    project.workspace = made.workspace
    project.workspace.save()
    return project


def test_a_test_that_takes_long_once_it_passes_is_not_held_against_the_fix(fuzzed: Project) -> None:
    """javaewah's fuzzer ends at once with the bug; the real fix was out of time."""
    assert fuzzed.workspace.failing == ("acme.FuzzTest::long_",)
    assert load(fuzzed.workspace.root).unmended
    with fuzzed.session() as session:
        assert session.validate(fuzzed.reference).plausible
        wrong = session.validate(fuzzed.body("return a + b;"))
    assert wrong.plausible, "it breaks no test that passes today"


def test_an_edit_that_does_not_end_is_out_of_time(fuzzed: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "_LONGER", Limit(3.0, 60.0))
    with fuzzed.session() as session:
        endless = session.validate(fuzzed.body("while (a != b + 1000) { } return 0;"))
    assert (endless.outcome, endless.evidence.failing_test) == (Outcome.TIMEOUT, "acme.FuzzTest::long_")


def test_what_is_left_of_a_class(tmp_path: Path) -> None:
    tests = (
        TestClass("a.ATest", ("a.ATest::x[1]", "a.ATest::x[2]", "a.ATest::y"), 1.0),
        TestClass("a.BTest", ("a.BTest::x",), 1.0),
        TestClass("a.CTest", ("a.CTest$In::z", "a.CTest::x"), 1.0),
    )
    workspace = Workspace(tmp_path, "p", "a/A.java", "8", regression=tests, failing=("a.ATest::x[1]",))
    left = aside.without(workspace, "a.ATest::x")
    assert left.failing == ()
    assert left.regression[0] == TestClass("a.ATest", ("a.ATest::y",), 1.0, ("y",))
    assert left.regression[1:] == tests[1:]
    assert [item.name for item in aside.without(workspace, "a.BTest::x").regression] == ["a.ATest", "a.CTest"]
    assert [item.name for item in aside.without(workspace, "a.CTest::x").regression] == ["a.ATest", "a.BTest"]
