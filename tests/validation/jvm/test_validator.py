"""Verdicts on ordinary candidates."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Outcome
from nl2fix.validation.jvm.limits import TimeLimits
from nl2fix.validation.jvm.session import JvmSession
from nl2fix.validation.jvm.validator import opened
from nl2fix.validation.jvm.worker import Item, Limit, Phase
from nl2fix.validation.jvm.workspace import TestClass
from tests.validation.jvm.conftest import BUG, CALC, CALC_TEST, FIXED, Maker, Project


def test_the_reference_is_plausible_and_confirmed(calc: Project, session: JvmSession) -> None:
    verdict = session.validate(calc.reference)
    assert verdict.outcome is Outcome.PLAUSIBLE
    evidence = verdict.evidence
    assert (evidence.stage, evidence.built, evidence.confirmed) == ("done", True, True)
    assert evidence.tests_run == evidence.tests_expected == 5
    assert session.bench.starts == 1


def test_the_unedited_program_is_wrong(calc: Project, session: JvmSession) -> None:
    verdict = session.validate(Candidate(calc.problem.before))
    assert verdict.outcome is Outcome.WRONG
    assert verdict.evidence.stage == "trigger"
    assert verdict.evidence.failing_test == "acme.CalcTest::mean"
    assert "expected:<3> but was:<4>" in (verdict.evidence.message or "")
    assert session.bench.starts == 0, "a failing trigger test needs no second opinion"


def test_a_regression_is_wrong_when_the_unedited_program_passes_beside_it(
    calc: Project, session: JvmSession
) -> None:
    """The first is found by the JVM that confirms; from then on its class runs in the warm one."""
    first = session.validate(calc.body("return a == 1000 ? 1 : (a + b) / 2;"))
    assert (first.outcome, first.evidence.stage) == (Outcome.WRONG, "confirm")
    before = session.bench.starts
    verdict = session.validate(calc.body("return a == 1000 ? 0 : (a + b) / 2;"))
    assert verdict.outcome is Outcome.WRONG
    assert verdict.evidence.failing_test == first.evidence.failing_test == "acme.MoreTest::large"
    assert verdict.evidence.stage == "regression"
    assert session.bench.starts == before, "the warm JVM is shown to be sound, a fresh one is not needed"


LARGE = "acme.RedirectsTest::large"
REDIRECTS = """package acme;
    import static org.junit.Assert.*;
    public class RedirectsTest {
        @org.junit.Test public void follows() { assertTrue(java.net.HttpURLConnection.getFollowRedirects()); }
        @org.junit.Test public void large() { assertEquals(1000, Calc.mean(1000, 1000) / 1000 * 1000); }
    }"""


def test_a_regression_of_the_warm_jvm_itself_is_left_to_a_fresh_one(make: Maker) -> None:
    """What the file could do before an edit is nothing that an edit newly reaches for."""
    follow = "static void follow(boolean on) { java.net.HttpURLConnection.setFollowRedirects(on); }"
    project = make(
        sources={"acme/Calc.java": CALC.replace("public class Calc {", f"public class Calc {{ {follow}")},
        tests={"acme/CalcTest.java": CALC_TEST, "acme/RedirectsTest.java": REDIRECTS},
    )
    with project.session() as session:
        spoil = "if (a == 1000) { follow(false); return 7; }"
        assert session.validate(project.body(f"{spoil} {FIXED}")).evidence.failing_test == LARGE
        assert session.bench.warmed_up, "still the JVM whose redirects are off"
        assert session.validate(project.reference).plausible
        assert (
            session.validate(project.body("return a == 1000 ? 7 : (a + b) / 2;")).evidence.failing_test
            == LARGE
        )


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("return (a + b) / 2", "';' expected"),
        ("return a + c;", "cannot find symbol"),
        ('return "x";', "incompatible types"),
        ("", "missing return statement"),
        ("return acme.CalcTest.class.hashCode();", "cannot find symbol"),
    ],
)
def test_what_does_not_compile(calc: Project, session: JvmSession, body: str, word: str) -> None:
    verdict = session.validate(calc.body(body))
    assert verdict.outcome is Outcome.UNCOMPILABLE
    assert word in (verdict.evidence.message or "")
    assert not verdict.evidence.built
    assert verdict.evidence.stage == "build"


@pytest.mark.parametrize(
    "call",
    [
        "new javax.swing.JTable(a, b, 3, 4) == null ? 0 : 1",
        "new java.util.concurrent.ThreadPoolExecutor(a) == null ? 0 : 1",
    ],
)
def test_a_wrong_call_of_what_was_not_read_before_is_told_as_javac_tells_it(calc: Project, call: str) -> None:
    """The words name types that javac reads only then; after its end it could not, and the worker broke."""
    with calc.session() as session:
        session.validate(calc.body("return a;"))
        starts = calc.workers.starts
        verdict = session.validate(calc.body(f"return {call};"))
        assert verdict.outcome is Outcome.UNCOMPILABLE
        assert "no suitable constructor found for" in (verdict.evidence.message or "")
        assert calc.workers.starts == starts


def test_equal_byte_code_shares_a_verdict(calc: Project, session: JvmSession) -> None:
    first = session.validate(calc.body(FIXED))
    same = session.validate(calc.body("// half of the sum\n\n        return ((a + b)) / 2;"))
    assert first.plausible and same.plausible
    assert first.evidence.build_sha256 == same.evidence.build_sha256
    other = session.validate(calc.body("return a + (b - a) / 2;"))
    assert other.plausible
    assert other.evidence.build_sha256 != first.evidence.build_sha256
    assert same.evidence.test_seconds == first.evidence.test_seconds, "it ran once"


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param((BUG, "int sum = a + b; return sum / 2;"), id="local variable"),
        pytest.param(
            (
                CALC[CALC.index("    /**") : CALC.index("    public static int twice")],
                "    private static final int HALF = 2;\n    private Calc() {}\n"
                "    public static int mean(int a, int b) { return helper(a, b); }\n"
                "    private static int helper(int a, int b) { return (a + b) / HALF; }\n",
            ),
            id="field, constructor and helper",
        ),
        pytest.param(
            (BUG, "return new Object() { int f() { return (a + b) / 2; } }.f();"), id="anonymous class"
        ),
        pytest.param(
            (BUG, "java.util.function.IntSupplier s = () -> (a + b) / 2; return s.getAsInt();"), id="lambda"
        ),
        pytest.param(
            (f"int b) {{\n        {BUG}", f"int b, int... c) {{\n        {FIXED}"),
            id="signature that its callers are compiled for again",
        ),
    ],
)
def test_edits_of_any_kind_compile(calc: Project, session: JvmSession, edit: tuple[str, str]) -> None:
    verdict = session.validate(calc.edited(*edit))
    assert verdict.evidence.built, verdict
    assert verdict.plausible, verdict


def test_a_new_top_level_helper_is_allowed(calc: Project, session: JvmSession) -> None:
    text = CALC.replace(BUG, "return CalcHelper.half(a + b);")
    helper = "class CalcHelper { static int half(int a) { return a / 2; } }\n"
    assert session.validate(Candidate(text + helper, "file")).plausible


@pytest.mark.parametrize("package", ["acme", "org.junit"])
def test_classes_of_tests_and_libraries_cannot_be_redefined(
    calc: Project, session: JvmSession, package: str
) -> None:
    name = "CalcTest" if package == "acme" else "Assert"
    text = CALC.replace("package acme;", f"package {package};") + f"class {name} {{ }}\n"
    verdict = session.validate(Candidate(text, "file"))
    assert verdict.outcome is Outcome.UNCOMPILABLE
    assert verdict.evidence.message == f"duplicate class: {package}.{name}"


def test_a_class_of_another_file_cannot_be_redefined(make: Maker) -> None:
    project = make(sources={"acme/Calc.java": CALC, "acme/Other.java": "package acme;\nclass Other { }\n"})
    with project.session() as session:
        verdict = session.validate(Candidate(CALC + "class Other { }\n", "file"))
    assert verdict.evidence.message == "duplicate class: acme.Other"


def test_classes_that_the_edit_removes_are_gone(make: Maker) -> None:
    """Their files are still in the class folder, but neither compiler nor program may see them."""
    inner = CALC.replace(BUG, "return new Sum(a, b).half() + 1;").replace(
        "public class Calc {",
        "public class Calc {\n    static class Sum { int s; Sum(int a, int b)"
        " { s = a + b; } int half() { return s / 2; } }",
    )
    project = make(sources={"acme/Calc.java": inner}, mend=("half() + 1", "half()"))
    with project.session() as session:
        assert session.validate(project.reference).plausible
        text = CALC.replace(BUG, FIXED)
        assert session.validate(Candidate(text, "file")).plausible
        user = CALC.replace(BUG, "return new Calc.Sum(a, b).half();")
        assert session.validate(Candidate(user, "file")).outcome is Outcome.UNCOMPILABLE
        lookup = (
            'try { Class.forName("acme.Calc$Sum"); return -1; }'
            " catch (ClassNotFoundException e) { return (a + b) / 2; }"
        )
        assert session.validate(Candidate(CALC.replace(BUG, lookup), "file")).plausible


@pytest.mark.parametrize("text", ["package acme;\nclass Unrelated { }\n", ""])
def test_an_edit_that_drops_the_class_leaves_its_users_uncompilable(session: JvmSession, text: str) -> None:
    verdict = session.validate(Candidate(text, "file"))
    assert verdict.outcome is Outcome.UNCOMPILABLE
    assert "Calc" in (verdict.evidence.message or "")


def test_fingerprints_follow_what_verdicts_depend_on(make: Maker, calc: Project) -> None:
    validator = calc.validator()
    first = validator.identity(calc.problem)
    assert first == validator.identity(calc.problem)
    other = make(system_properties={"x": "1"})
    assert other.validator().identity(other.problem) != first
    (other.workspace.root / "tests" / "late.txt").write_text("x")
    assert other.validator().identity(other.problem) != first


def test_a_workspace_that_was_written_since_it_was_first_looked_at_is_another_one(make: Maker) -> None:
    """Its fingerprint was kept until ``workspace.json`` was another file."""
    project = make()
    first = project.validator().identity(project.problem)
    (project.workspace.root / "tests" / "late.txt").write_text("x")
    assert project.validator().identity(project.problem)["workspace"] != first["workspace"]


def test_a_workspace_that_does_not_fit_its_problem_is_reported(calc: Project) -> None:
    from dataclasses import replace

    broken = replace(calc.problem, text=CALC.replace("int", "inn"))
    with (
        calc.validator().session(broken) as session,
        pytest.raises(DataError, match="unedited acme/Calc"),
    ):
        session.validate(Candidate(CALC, "file"))


def test_known_failures_of_the_baseline_do_not_count(make: Maker) -> None:
    tests = {
        "acme/CalcTest.java": """package acme;
            public class CalcTest extends junit.framework.TestCase {
                public void testMean() { assertEquals(3, Calc.mean(2, 4)); }
                public void testBroken() { fail("always"); }
            }"""
    }
    project = make(tests=tests)
    assert project.workspace.failing == ("acme.CalcTest::testBroken",)
    assert project.workspace.trigger_tests == ("acme.CalcTest::testMean",)
    with project.session() as session:
        verdict = session.validate(project.reference)
        assert verdict.plausible
        assert verdict.evidence.tests_run == 2
        assert not session.validate(Candidate(project.problem.before)).plausible


def test_a_test_that_does_not_run_is_not_passed(make: Maker) -> None:
    tests = {
        "acme/CalcTest.java": """package acme;
            import static org.junit.Assert.*;
            public class CalcTest {
                @org.junit.Test public void mean() { assertEquals(3, Calc.mean(2, 4)); }
                @org.junit.Test public void giveUp() {
                    org.junit.Assume.assumeTrue(Calc.twice(2) == 4);
                }
            }"""
    }
    project = make(tests=tests)
    with project.session() as session:
        skipping = CALC.replace(BUG, FIXED).replace("2 * a", "3 * a")
        verdict = session.validate(Candidate(skipping, "file"))
    assert verdict.outcome is Outcome.WRONG
    assert verdict.evidence.failing_test == "acme.CalcTest::giveUp"
    assert verdict.evidence.tests_run == 1
    assert verdict.evidence.tests_expected == 2


def test_time_limits_follow_the_baseline(calc: Project) -> None:
    tests = (TestClass("A", ("A::a",), 2.0), TestClass("B", ("B::b",), 4.0))
    workspace = replace(calc.workspace, trigger_tests=("A::a",), trigger_seconds=1.5, regression=tests)
    cold, warm, given = TimeLimits(), TimeLimits(warm=True), TimeLimits(3)
    assert cold.triggers(workspace) == Phase(Limit(7.5, 40.0), (Item("A", ("a",)),))
    assert warm.triggers(workspace).limit == Limit(4.75, 40.0)
    assert given.triggers(workspace).limit == Limit(3, 3)
    assert [phase.limit for phase in cold.classes(tests, ())] == [Limit(15, 40.0), Limit(25, 60.0)]
    assert [phase.limit for phase in warm.classes(tests, ())] == [Limit(12, 40.0), Limit(22, 60.0)]
    beside = TimeLimits(warm=True, beside=True)
    assert beside.triggers(workspace).limit == Limit(4.75, 40.0, more=4.75)
    assert beside.classes(tests, ())[0].limit == Limit(12, 40.0, more=12)
    assert TimeLimits(3, beside=True).triggers(workspace).limit == Limit(3, 3, more=3)
    assert given.classes(tests, ["B"]) == (Phase(Limit(3, 3), (Item("A"), Item("B", isolated=True))),)
    assert (cold.whole(workspace), given.whole(workspace)) == (60 + 20 * 7.5, 6)
    many = replace(workspace, regression=(replace(tests[0], seconds=0.1),) * 200)
    assert cold.whole(many) < sum(phase.limit.wall for phase in cold.classes(many.regression, ()))
    unmeasured = replace(workspace, trigger_seconds=0.0)
    assert warm.triggers(unmeasured).limit.cpu > 3


FROM_DISK = """package acme;

import static org.junit.Assert.assertEquals;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.Test;

public class CalcTest {
    @Test public void mean() throws Exception {
        URL[] folder = {Calc.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader own = new URLClassLoader(folder, null)) {
            Class<?> calc = own.loadClass("acme.Calc");
            assertEquals(3, calc.getMethod("mean", int.class, int.class).invoke(null, 2, 4));
        }
    }
}
"""


def test_a_test_that_loads_class_files_itself_finds_those_of_the_candidate(make: Maker) -> None:
    project = make(tests={"acme/CalcTest.java": FROM_DISK}, working_directory=".")
    assert project.workspace.trigger_tests == ("acme.CalcTest::mean",)
    with project.session() as session:
        helped = project.body(
            "return new Help().half(a + b); } } class Help { int half(int a) { return a / 2;"
        )
        assert session.validate(helped).plausible
        assert session.validate(project.body("return a;")).outcome is Outcome.WRONG
        assert session.validate(project.reference).plausible
        assert session.validate(project.body(BUG)).outcome is Outcome.WRONG
    kept = (project.workspace.root / "classes" / "acme").iterdir()
    assert [file.name for file in kept] == ["Calc.class"], "the prepared classes stay as they were"


@pytest.mark.parametrize("shares", [False, True])
def test_prepared_problems_of_a_node_share_a_compiler_wherever_they_lie(tmp_path: Path, shares: bool) -> None:
    """Starting one costs a second of processor time; what judges them is each one's own."""
    places = [tmp_path / name / "classes" for name in ("one", "other")]
    environment = Environment(tmp_path / "cache")
    with closing(opened(environment, [tmp_path], shares, lambda problem: tmp_path / problem.id)) as validator:
        one, other = (validator._workers.compiling("", [place]) for place in places)
    assert one == other


def test_a_lane_without_trigger_tests_is_worth_a_second_judge(make: Maker, tmp_path: Path) -> None:
    """As long as a compilation each candidate seemed to take, so that one judge did all, its fellow none."""
    project = make()
    validator = opened(Environment(tmp_path), [], False, lambda _: project.workspace.root)
    slow = tuple(replace(test, seconds=5.0) for test in project.workspace.regression)
    expected = []
    for triggers in (project.workspace.trigger_tests, ()):
        replace(project.workspace, trigger_tests=triggers, trigger_seconds=0.1, regression=slow).save()
        expected.append(validator.expected_seconds(project.problem))
    validator.close()
    assert expected[0] < 0.2
    assert expected[1] > 5 * len(slow)
