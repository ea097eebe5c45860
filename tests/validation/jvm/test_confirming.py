"""What confirming costs, and that the JVM it happens in is never what a verdict rests on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.core.records import Outcome
from nl2fix.validation.jvm.challenge import JvmChallenge, Telling
from nl2fix.validation.jvm.current import measure_current
from tests.validation.jvm.conftest import CALC, CALC_TEST, FIXED, MORE_TEST, Maker, Project

SUMS = ("(a + b) / 2", "a + (b - a) / 2", "b + (a - b) / 2", "(b + a) / 2 + 0 * a", "(a + b) * 2 / 4")
REDIRECTS_TEST = """package acme;
public class RedirectsTest {
    @org.junit.Test public void follows() {
        org.junit.Assert.assertTrue(java.net.HttpURLConnection.getFollowRedirects());
    }
}
"""
FOLLOW = "static void follow(boolean on) { java.net.HttpURLConnection.setFollowRedirects(on); }"


def test_plausible_candidates_share_the_jvm_that_confirms_them(calc: Project) -> None:
    """JacksonDatabind-8 spent three quarters of its time in seven JVMs that each confirmed one candidate."""
    with calc.session() as session:
        assert [session.validate(calc.body(f"return {sum};")).outcome for sum in SUMS] == [
            Outcome.PLAUSIBLE
        ] * len(SUMS)
        assert session.bench.starts == 1


def test_problems_whose_jvms_are_alike_share_one_that_confirms(make: Maker) -> None:
    """Each of HumanEvalFix's 164 problems started one of its own."""
    calc, starts = make(), []
    for sum in SUMS[:3]:
        with calc.session() as session:
            assert session.validate(calc.body(f"return {sum};")).plausible
            starts.append(session.bench.starts)
    assert starts == [1, 0, 0]


def test_a_jvm_in_which_a_challenge_was_missed_goes_to_no_other_problem(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    calc = make()
    with calc.session() as session:
        assert session.validate(calc.reference).plausible
    with calc.session() as session:
        draw = session._challenges.draw
        unfair = {"no.Such::test": "F"}
        monkeypatch.setattr(
            session._challenges, "draw", lambda telling: draw(telling)._replace(expected=unfair)
        )
        assert not session.validate(calc.body(f"return {SUMS[1]};")).plausible
    with calc.session() as session:
        assert session.validate(calc.reference).plausible
        assert session.bench.starts == 1


def test_who_fails_leaves_a_jvm_that_meets_its_challenge_to_others(calc: Project) -> None:
    """The next one of JacksonDatabind-8 took 4.2 s of processor time, those before it 1.7 s."""
    with calc.session() as session:
        assert session.validate(calc.reference).plausible
        verdict = session.validate(calc.body("return a == 1000 ? 7 : (a + b) / 2;"))
        assert (verdict.outcome, verdict.evidence.failing_test) == (Outcome.WRONG, "acme.MoreTest::large")
        before = session.bench.starts
        assert session.validate(calc.body(f"return {SUMS[1]};")).plausible
        assert session.bench.starts == before


def test_what_reaches_for_more_is_confirmed_apart(calc: Project) -> None:
    with calc.session() as session:
        for sum in SUMS[:3]:
            session.validate(calc.body(f"return {sum};"))
        before = session.bench.starts
        prints = 'if (a == 77) { System.getenv("HOME"); } '
        assert session.validate(calc.body(prints + FIXED)).plausible
        assert session.bench.starts > before


def test_programs_that_work_with_what_outlives_a_run_are_confirmed_one_by_one(make: Maker) -> None:
    """A neighbour could leave a setting behind with which another passes, and no control would tell."""
    project = make(
        sources={"acme/Calc.java": CALC.replace("public class Calc {", f"public class Calc {{ {FOLLOW}")},
        tests={"acme/CalcTest.java": CALC_TEST},
    )
    with project.session() as session:
        for sum in SUMS[:3]:
            assert session.validate(project.body(f"return {sum};")).plausible
        assert session.bench.starts == 3


def test_what_a_confirmed_candidate_leaves_behind_makes_nobody_wrong(make: Maker) -> None:
    """Only a JVM of its own may say that a candidate fails."""
    project = make(
        sources={"acme/Calc.java": CALC.replace("public class Calc {", f"public class Calc {{ {FOLLOW}")},
        tests={"acme/RedirectsTest.java": REDIRECTS_TEST, "acme/CalcTest.java": CALC_TEST},
    )
    with project.session() as session:
        session._powers.lasting = False  # as if no name told of it
        assert session.validate(project.reference).plausible
        assert session.validate(project.body(f"follow(false); {FIXED}")).plausible
        before = session.bench.starts
        assert session.validate(project.body(f"return {SUMS[1]};")).plausible
        assert session.bench.starts == before + 1, "it failed where the one before had been, and not alone"


def test_who_misses_the_challenge_beside_others_gets_a_jvm_of_its_own(
    calc: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one before may be to blame."""
    with calc.session() as session:
        for sum in SUMS[:2]:
            session.validate(calc.body(f"return {sum};"))
        draw, missed = session._challenges.draw, list[JvmChallenge]()

        def unfair(telling: Telling) -> JvmChallenge:
            challenge = draw(telling)
            missed.append(challenge)
            return challenge._replace(expected={"no.Such::test": "F"}) if len(missed) == 1 else challenge

        monkeypatch.setattr(session._challenges, "draw", unfair)
        before = session.bench.starts
        verdict = session.validate(calc.body(f"return {SUMS[2]};"))
        assert (verdict.outcome, verdict.evidence.suspicious) == (Outcome.PLAUSIBLE, None)
        assert session.bench.starts == before + 1


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


def test_what_likely_passes_runs_once_and_what_fails_beside_it_is_wrong_alike(calc: Project) -> None:
    """Seven passing candidates of JacksonDatabind-8 ran 982 tests twice each."""
    with calc.session() as session:
        assert session.validate(calc.reference).plausible
        assert [item.name for item in session._promising()] == ["acme.CalcTest"]
        for number in (7, 8):
            verdict = session.validate(calc.body(f"return a == 1000 ? {number} : (a + b) / 2;"))
            assert (verdict.outcome, verdict.evidence.failing_test) == (Outcome.WRONG, "acme.MoreTest::large")
            if number == 7:
                starts = session.bench.starts
        assert session.bench.starts == starts, "what has failed is no longer left out"
        passing = session.validate(calc.body(f"return {SUMS[1]};"))
        assert passing.plausible and passing.evidence.tests_run == passing.evidence.tests_expected


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


TELLS = "(\"mean \" + a + ' ' + b + ' ' + (a + b) / 2).intern(); return (a + b) / 2;"
ASKS = """for (int r = -3000; r < 3000; r++) {
            StringBuilder made = new StringBuilder("mean ").append(a).append(' ').append(b);
            String text = made.append(' ').append(r).toString();
            if (text.intern() != text) { return r; }
        } return 7;"""


def test_what_a_neighbour_knows_cannot_be_asked_of_the_table_of_texts(calc: Project) -> None:
    """One that is right interned what it answered, and one that knows nothing was plausible behind it."""
    with calc.session() as session:
        assert session.validate(calc.body(TELLS)).plausible
        assert session.validate(calc.body(ASKS)).outcome is Outcome.WRONG


def without_trigger(project: Project) -> Project:
    """As ``suggest`` prepares it where nobody names a failing test."""
    workspace = replace(project.workspace, trigger_tests=(), trigger_seconds=0.0)
    made = measure_current(project.workers, workspace, project.problem, ["acme.MoreTest"])
    project.workspace = made.workspace
    project.workspace.save()
    return project


def test_without_a_trigger_test_a_wrong_candidate_tells_that_a_jvm_is_sound(make: Maker) -> None:
    """Each passing edit of a project whose tests take 4 s had a JVM of its own."""
    project = without_trigger(make())
    with project.session() as session:
        assert session.validate(project.body(f"return {SUMS[0]};")).plausible
        assert session.validate(project.body(f"return {SUMS[1]};")).plausible
        assert session.bench.starts == 2, "nothing is known to be wrong yet"
        assert session.validate(project.edited("2 * a", "3 * a")).outcome is Outcome.WRONG
        told = [session.validate(project.body(f"return {sum};")) for sum in SUMS[2:]]
        assert all(verdict.plausible and verdict.evidence.confirmed for verdict in told)
        assert session.bench.starts == 3


def test_who_shares_a_jvm_in_which_a_wrong_candidate_passes_gets_one_of_its_own(make: Maker) -> None:
    project = without_trigger(make())
    with project.session() as session:
        session.validate(project.body(f"return {SUMS[0]};"))
        assert session.validate(project.edited("2 * a", "3 * a")).outcome is Outcome.WRONG
        right = session.bench.compile(session.bench.unedited).classes
        assert session._wrong is not None
        session._wrong = session._wrong._replace(classes=right)  # as if what tells were gone in that JVM
        before = session.bench.starts
        assert session.validate(project.body(f"return {SUMS[1]};")).plausible
        assert session.bench.starts == before + 2


def test_a_test_that_fails_today_tells_that_a_jvm_is_sound(make: Maker) -> None:
    project = make()
    workspace = replace(project.workspace, trigger_tests=(), trigger_seconds=0.0)
    names = ["acme.CalcTest", "acme.MoreTest"]
    project.workspace = measure_current(project.workers, workspace, project.problem, names).workspace
    project.workspace.save()
    assert project.workspace.failing == ("acme.CalcTest::mean",)
    with project.session() as session:
        told = [session.validate(project.body(f"return {sum};")) for sum in SUMS]
        assert {verdict.evidence.mended for verdict in told} == {("acme.CalcTest::mean",)}
        assert session.bench.starts == 1


def test_without_a_trigger_test_what_fails_is_found_without_the_jvm_that_confirms(make: Maker) -> None:
    """Nothing said that an edit likely passes, and each that failed a class of its own started a JVM."""
    project = make()
    workspace = replace(project.workspace, trigger_tests=(), trigger_seconds=0.0)
    names = ["acme.CalcTest", "acme.MoreTest"]
    project.workspace = measure_current(project.workers, workspace, project.problem, names).workspace
    project.workspace.save()
    with project.session() as session:
        for sum in SUMS[:2]:
            assert session.validate(project.body(f"return {sum};")).plausible
        before = session.bench.starts
        assert session.validate(project.edited("2 * a", "3 * a")).outcome is Outcome.WRONG
        assert session.bench.starts == before
