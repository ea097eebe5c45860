"""What confirming costs, and that the JVM it happens in is never what a verdict rests on."""

from __future__ import annotations

from dataclasses import replace

from nl2fix.core.records import Outcome
from tests.validation.jvm.conftest import CALC, CALC_TEST, MORE_TEST, Maker


def test_the_longest_tests_run_once_for_what_passes_and_still_find_what_fails(make: Maker) -> None:
    """They took a third of the warm worker's time and found none of 114 failures."""
    project = make(tests={"acme/CalcTest.java": CALC_TEST, "acme/MoreTest.java": MORE_TEST})
    regression = [
        replace(item, seconds=2.0 if item.name == "acme.MoreTest" else 0.01)
        for item in project.workspace.regression
    ]
    project.workspace = replace(project.workspace, regression=tuple(regression))
    project.workspace.save()
    with project.session() as session:
        assert [item.name for item in session._promising()] == ["acme.CalcTest"]
        for number in (7, 8):
            verdict = session.validate(project.body(f"return a == 1000 ? {number} : (a + b) / 2;"))
            assert (verdict.outcome, verdict.evidence.failing_test) == (Outcome.WRONG, "acme.MoreTest::large")
            assert verdict.evidence.tests_expected == 5
            if number == 7:
                starts = session.bench.starts
        assert starts == 2, "a failure in a fresh JVM must come twice"
        assert session.bench.starts == starts, "what has failed is no longer left out"
        assert session.validate(project.reference).evidence.tests_run == 5


def test_all_classes_of_a_run_meet_one_adapter(make: Maker) -> None:
    """One for each class was a tenth of a fresh JVM's time with 175 classes."""
    callers = """package acme;
    public class Callers extends SecurityManager {
        static Class<?> adapter;
        public static boolean same() {
            for (Class<?> type : new Callers().getClassContext()) {
                if (type.getName().startsWith("nl2fix.jvm.adapter.")) {
                    adapter = adapter == null ? type : adapter;
                    return adapter == type;
                }
            }
            return false;
        }
    }"""
    check = "@org.junit.Test public void same() { assertEquals(true, Callers.same()); }"
    project = make(
        sources={"acme/Calc.java": CALC, "acme/Callers.java": callers},
        tests={
            f"acme/{name}.java": test.replace(f"{name} {{", f"{name} {{ {check}")
            for name, test in {"CalcTest": CALC_TEST, "MoreTest": MORE_TEST}.items()
        },
    )
    assert not project.workspace.failing
    with project.session() as session:
        assert session.validate(project.reference).plausible
