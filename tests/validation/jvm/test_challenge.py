"""Challenges are met by a sound JVM, whatever kind of tests a workspace has."""

from __future__ import annotations

import pytest

from nl2fix.validation.jvm import challenge as challenges
from nl2fix.validation.jvm.bench import Bench, trigger_items
from nl2fix.validation.jvm.challenge import Challenges, Telling
from nl2fix.validation.jvm.worker import Limit, Phase, Plan
from tests.validation.jvm.conftest import CALC, JUNIT3, JUNIT4, JUNIT5, Maker

MAIN = """package acme;
public class CalcMain {
    public static void main(String[] a) { if (Calc.mean(2, 4) != 3) { throw new AssertionError(); } }
}
"""
OLD = """package acme;
public class OldTest extends junit.framework.TestCase {
    public void testMean() { assertEquals(3, Calc.mean(2, 4)); }
}
"""
NEW = """package acme;
public class NewTest {
    @org.junit.jupiter.api.Test void mean() {
        org.junit.jupiter.api.Assertions.assertEquals(3, Calc.mean(2, 4));
    }
}
"""


@pytest.mark.parametrize(
    ("name", "test", "libraries"),
    [
        ("CalcMain", MAIN, ()),
        ("OldTest", OLD, JUNIT3),
        ("OldTest", OLD, JUNIT4),
        ("NewTest", NEW, (*JUNIT5, *JUNIT4)),
    ],
    ids=["program", "JUnit 3", "JUnit 4", "JUnit 5"],
)
def test_a_sound_jvm_meets_its_challenge(
    make: Maker, name: str, test: str, libraries: tuple[str, ...]
) -> None:
    project = make(tests={f"acme/{name}.java": test}, sources={"acme/Calc.java": CALC}, libraries=libraries)
    bench = Bench(project.workspace, project.problem, project.workers)
    try:
        nothing: Plan = bench.plan({}, [Phase(Limit(5, 60), ())], ())
        unedited = bench.compile(bench.unedited).classes
        challenge = Challenges(bench).draw(
            Telling(unedited, trigger_items(project.workspace.trigger_tests, ()))
        )
        assert set(challenge.expected.values()) == {"P", "F"}
        _, answer = bench.run_challenged(nothing, challenge.plan)
        assert answer is not None
        assert challenge.unmet(answer) == ""
        turned = {test: "FP"["FP".index(told) - 1] for test, told in challenge.expected.items()}
        assert challenge._replace(expected=turned).unmet(answer) == "tests"
        lenient = [r for r in answer.results if r.id in challenge.expected]
        assert challenge.unmet(type(answer)(**{**vars(answer), "results": tuple(lenient)})) == "told"
    finally:
        bench.drop()


def test_a_challenge_for_java_1_3_has_no_newer_calls() -> None:
    """Chart is of Java 1.4: there a text is no list of variable arguments, and nothing could be confirmed."""
    for check in challenges._CHECKS:
        arguments = check.format(a="junit.framework.Assert", x='"a"', y='"b"')
        assert "asList" not in arguments
        assert "<" not in arguments
