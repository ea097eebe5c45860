"""From a repository to a workspace: which tests count, what is kept, what awkward projects do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix import pipeline
from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, Nl2fixError, UsageError
from nl2fix.core.records import Candidate
from nl2fix.suggestion import api, deciding, pulse, running
from nl2fix.suggestion.building import builds, notices, shelves
from nl2fix.suggestion.building.once import Builds
from nl2fix.suggestion.building.testclasses import WantedTests
from nl2fix.suggestion.deciding import Trial
from nl2fix.suggestion.localisation import report, target
from nl2fix.suggestion.localisation.caught import Caught
from nl2fix.suggestion.localisation.judges import Judges
from nl2fix.suggestion.localisation.meaning import Meaning
from nl2fix.suggestion.output import apply, exports
from nl2fix.suggestion.output.result import SuggestResult
from nl2fix.suggestion.pulse import Pulse
from nl2fix.suggestion.setup import Choices, Prepared, Setup, silent
from nl2fix.validation.jvm import baseline, reach, worker, workspace
from nl2fix.validation.jvm.bench import Bench
from nl2fix.validation.jvm.validator import JvmValidator
from nl2fix.validation.jvm.worker import Limit, Plan, Report
from nl2fix.validation.jvm.workers import Workers
from tests.suggestion.conftest import JARS, PAGER, commit, git, write

TESTS = "src/test/java/examples/pages"
PLAIN = Choices()
METHOD = "examples.pages.Pager#pageCount()"
HEAD = "package examples.pages;\nimport org.junit.Test;\nimport static org.junit.Assert.*;\n"
LOOKING = ("looking which", "looking whether")
"""How lines begin that tell which test classes are looked for."""


def add_test(repo: Path, name: str, body: str) -> None:
    (repo / TESTS / f"{name}.java").write_text(f"{HEAD}public class {name} {{\n{body}\n}}\n")


def prepare(repo: Path, cache: Path, choices: Choices = PLAIN, said: list[str] | None = None) -> Prepared:
    environment = Environment(cache=cache)
    lines = said if said is not None else []
    jars = Choices(choices.tests, choices.triggers, tuple(JARS), choices.build)
    found = target.find(repo, METHOD)
    ready = Setup(repo, jars, environment, lines.append).prepare(found, report.parse("empty last page"))
    ready.workers.close()
    return ready


TESTNG = """package examples.pages;
import java.util.Arrays;
import org.testng.Assert;
import org.testng.annotations.*;
public class TestNGPagerTest {
    @DataProvider public Object[][] pages() { return new Object[][] {{3, 2}, {4, 2}}; }
    @Test(dataProvider = "pages") public void count(int size, int pages) {
        Pager<Integer> pager = new Pager<Integer>(Arrays.asList(1, 2, 3, 4).subList(0, size), 2);
        Assert.assertEquals(pager.pageCount(), pages);
    }
    @Test(dependsOnMethods = "count") public void after() { Assert.assertNotNull(Pager.class); }
}
"""


def test_testng_tests_judge_as_junit_ones_do(repo: Path, cache: Path) -> None:
    shutil.rmtree(repo / TESTS)
    write(repo, f"{TESTS}/TestNGPagerTest.java", TESTNG)
    commit(repo)
    jars = tuple(Path("/usr/share/java") / f"{name}.jar" for name in ("testng", "jcommander"))
    setup = Setup(repo, Choices(classpath=jars), Environment(cache=cache), print)
    ready = setup.prepare(target.find(repo, METHOD), report.parse("empty last page"))
    ready.workers.close()
    name = "examples.pages.TestNGPagerTest::"
    assert ready.tests == 3
    assert ready.failing == (f"{name}after", f"{name}count[2]")
    right = "(items.size() + pageSize - 1) / pageSize"
    codes = [ready.problem.before.replace("items.size() / pageSize + 1", to) for to in (right, "2", "1")]
    made = JvmValidator(lambda _: ready.folder, Workers(Environment(cache=cache)))
    with closing(made) as validator, validator.session(ready.problem) as session:
        told = [session.validate(Candidate(code)) for code in codes]
    assert [verdict.outcome.value for verdict in told] == ["plausible", "plausible", "wrong"]
    assert [verdict.evidence.mended for verdict in told[:2]] == [ready.failing] * 2
    assert told[2].evidence.failing_test == f"{name}count"


FAILING = ("fullLastPage", "navigationEndsAtTheLastPage", "noItemsNoPages")


FLAKY = """@Test public void everySecondTime() {
        boolean passes = !java.net.HttpURLConnection.getFollowRedirects();
        java.net.HttpURLConnection.setFollowRedirects(passes);
        assertTrue(passes && new Pager<Integer>(java.util.Collections.<Integer>emptyList(), 2) != null); }"""


def test_a_test_that_fails_only_at_times_is_fixed_by_no_edit(repo: Path, cache: Path) -> None:
    """Whatever was tried made it pass sooner or later, came first, and decided which method was meant."""
    add_test(repo, "FlakyTest", FLAKY)
    said: list[str] = []
    ready = prepare(repo, cache, said=said)
    flaky = "examples.pages.FlakyTest::everySecondTime"
    assert flaky not in ready.failing and len(ready.failing) == 3
    assert [line for line in said if "at times" in line and flaky in line]
    made = JvmValidator(lambda _: ready.folder, Workers(Environment(cache=cache)))
    code = ready.problem.before.replace("items.size() / pageSize + 1", "1 + items.size() / pageSize")
    with closing(made) as validator, validator.session(ready.problem) as session:
        verdict = session.validate(Candidate(code))
    assert (verdict.plausible, verdict.evidence.mended) == (True, ())
    for _ in ("from the workspace that is known", "measured"):
        with pytest.raises(UsageError, match="only at times"):
            prepare(repo, cache, Choices(triggers=(flaky,)))
        shutil.rmtree(ready.folder, ignore_errors=True)


def test_a_test_that_fails_only_at_times_decides_nothing(repo: Path, cache: Path) -> None:
    """Edits were drawn and judged until it passed, of javassist by a test that judged none of them."""
    add_test(repo, "FlakyTest", FLAKY)
    found, asked = target.find(repo, METHOD), report.parse("empty last page")
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), print)
    flaky = Trial(found, until="examples.pages.FlakyTest::everySecondTime")
    with pytest.raises(DataError, match=r"^examples\.pages\.FlakyTest#everySecondTime fails only at times"):
        deciding.prepared(setup, flaky, asked)
    deciding.prepared(setup, Trial(found), asked).workers.close()


BEFORE = """@org.junit.BeforeClass public static void up() {
        if (pages(0) != 0) throw new IllegalStateException(); }
    static int pages(int size) {
        return new Pager<Integer>(java.util.Collections.nCopies(size, 1), 2).pageCount(); }
    @Test public void none() { assertEquals(0, pages(0)); }
    @Test public void two() { assertEquals(1, pages(2)); }
    @Test public void three() { assertEquals(2, pages(3)); }"""


@pytest.mark.parametrize("triggers", [(), ("BeforeTest#two",)])
def test_tests_that_could_not_be_made_today_are_mended(
    repo: Path, cache: Path, triggers: tuple[str, ...]
) -> None:
    """The right fix was wrong: more tests ran than today, when their class could not be set up."""
    add_test(repo, "BeforeTest", BEFORE)
    ready = prepare(repo, cache, Choices(triggers=triggers))
    made = JvmValidator(lambda _: ready.folder, Workers(Environment(cache=cache)))
    bug, right = "items.size() / pageSize + 1", "(items.size() + pageSize - 1) / pageSize"
    codes = [ready.problem.before.replace(bug, to) for to in (right, f"items.isEmpty() ? 0 : {bug}")]
    with closing(made) as validator, validator.session(ready.problem) as session:
        fix, part = (session.validate(Candidate(code)) for code in codes)
    name = "examples.pages.BeforeTest::"
    assert (fix.plausible, part.plausible) == (True, False)
    assert {f"{name}none", f"{name}two", f"{name}three"} <= set(fix.evidence.mended)
    assert part.evidence.failing_test == f"{name}two"


def classes(prepared: Prepared) -> set[str]:
    return {item.name.rpartition(".")[2] for item in workspace.load(prepared.folder).regression}


def test_only_tests_that_reach_the_file_count_and_failing_ones_are_tolerated(repo: Path, cache: Path) -> None:
    add_test(repo, "FarTest", "@Test public void far() { assertEquals(4, 2 + 2); }")
    add_test(repo, "SlowIT", "@Test public void slow() { new Pager<String>(null, 1).pageCount(); }")
    (repo / TESTS / "Base.java").write_text(
        f"{HEAD}public abstract class Base {{ @Test public void inherited() "
        "{ assertNotNull(new Pager<String>(new java.util.ArrayList<String>(), 3)); } }\n"
    )
    (repo / TESTS / "HeirTest.java").write_text(
        "package examples.pages;\npublic class HeirTest extends Base { }"
    )
    commit(repo)
    said: list[str] = []
    ready = prepare(repo, cache, said=said)
    assert classes(ready) == {"PagerTest", "HeirTest"}
    assert ready.failing == tuple(f"examples.pages.PagerTest::{name}" for name in FAILING)
    told = next(line for line in said if "tests fail today" in line)
    assert all(f"  examples.pages.PagerTest#{name}" in told.splitlines() for name in FAILING)
    said.clear()
    again = prepare(repo, cache, said=said)
    assert again.folder == ready.folder
    assert not any("building" in line or "running" in line for line in said), "nothing is done twice"


def test_where_every_test_fails_today_it_is_said_what_that_leaves(repo: Path, cache: Path) -> None:
    """ "0 of 8 tests pass, 8 fail as today" stood beside suggestions as if these had been judged."""
    said: list[str] = []
    prepare(repo, cache, said=said)
    assert notices.NONE_PASSES not in said
    add_test(repo, "PagerTest", f"@Test public void full() {{ {FAILS} }}")
    prepare(repo, cache, said=said)
    assert said.count(notices.NONE_PASSES) == 1


FAILS = "assertEquals(2, new Pager<>(java.util.Arrays.asList(1, 2, 3, 4), 2).pageCount());"


def test_of_a_test_with_parameters_few_failing_cases_are_listed(repo: Path, cache: Path) -> None:
    """joda-money's 79 cases of one test were 79 lines."""
    every = """package examples.pages;
import java.util.*;
@org.junit.runner.RunWith(org.junit.runners.Parameterized.class)
public class EveryTest {
    @org.junit.runners.Parameterized.Parameters
    public static List<Object[]> all() { return Collections.nCopies(9, new Object[] {2}); }
    private final int size;
    public EveryTest(int size) { this.size = size; }
    @org.junit.Test public void full() {
        org.junit.Assert.assertEquals(1, new Pager<>(Arrays.asList(1, 2), size).pageCount());
    }
}
"""
    write(repo, "src/test/java/examples/pages/EveryTest.java", every)
    commit(repo)
    said: list[str] = []
    prepare(repo, cache, said=said)
    told = next(line for line in said if "tests fail today" in line).splitlines()
    assert [line for line in told if "PagerTest" not in line][1:] == [
        *(f"  examples.pages.EveryTest#full[{case}]" for case in range(3)),
        "  and 6 more cases of it",
    ]


def test_a_trigger_of_a_nested_class_may_be_written_as_it_is_shown(repo: Path, cache: Path) -> None:
    nested = """package examples.pages;
import java.util.Arrays;
@org.junit.runner.RunWith(org.junit.experimental.runners.Enclosed.class)
public class OuterTest {
    public static class Full {
        @org.junit.Test public void one() {
            org.junit.Assert.assertEquals(1, new Pager<>(Arrays.asList(1, 2), 2).pageCount());
        }
    }
}
"""
    write(repo, "src/test/java/examples/pages/OuterTest.java", nested)
    commit(repo)
    ready = prepare(repo, cache, Choices(triggers=("OuterTest$Full#one",)))
    assert ready.triggers == ("examples.pages.OuterTest$Full::one",)


def test_a_trigger_that_fails_ends_a_candidate_in_the_warm_jvm(repo: Path, cache: Path) -> None:
    triggers = ("examples.pages.PagerTest#fullLastPage", "examples.pages.PagerTest#noItemsNoPages")
    ready = prepare(repo, cache, Choices(triggers=triggers))
    prepared = workspace.load(ready.folder)
    assert set(prepared.trigger_tests) == {trigger.replace("#", "::") for trigger in triggers}
    assert prepared.fresh_only == ()
    still_wrong = Candidate(ready.problem.before.replace("pageSize + 1", "pageSize + 2"))
    made = JvmValidator(lambda _: ready.folder, Workers(Environment(cache=cache)))
    with closing(made) as validator, validator.session(ready.problem) as session:
        verdict = session.validate(still_wrong)
    assert (verdict.outcome.value, verdict.evidence.stage) == ("wrong", "trigger")


def test_a_trigger_is_found_by_the_name_that_labels_give_it(repo: Path, cache: Path) -> None:
    """``fixes PagerTest#fullLastPage`` is what a suggestion says; only the class's full name was taken."""
    ready = prepare(repo, cache, Choices(triggers=("PagerTest#fullLastPage",)))
    assert ready.triggers == ("examples.pages.PagerTest::fullLastPage",)


def test_a_changed_file_is_built_again(repo: Path, cache: Path) -> None:
    first = prepare(repo, cache)
    text = (repo / PAGER).read_text()
    (repo / PAGER).write_text(text.replace("pageSize + 1", "pageSize + 2"))
    said: list[str] = []
    second = prepare(repo, cache, said=said)
    assert second.folder != first.folder
    assert any("building" in line for line in said)


HANGS = "@Test public void hangs() { assertNotNull(Pager.class); while (true) { } }"
SHORT = Limit(cpu=2.0, wall=60.0)


def test_a_slow_test_class_is_left_out_and_named(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baseline, "SLOW", SHORT)
    add_test(repo, "AHangTest", HANGS)
    add_test(repo, "ZHangTest", HANGS)
    said: list[str] = []
    assert classes(prepare(repo, cache, said=said)) == {"PagerTest"}
    assert any(re.search(r"left out slow.*all of .*AHangTest, .*ZHangTest;.*--tests", s) for s in said)


def test_slow_test_classes_are_not_all_waited_for(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of JCTools 13 ran for three minutes before an edit was judged by four tests of some milliseconds."""
    monkeypatch.setattr(baseline, "BUDGET", 1.0)
    monkeypatch.setattr(baseline, "PATIENCE", 4.0)
    nap = "@Test public void naps%d() throws Exception { new Pager<>(new java.util.ArrayList<Integer>(), 1); "
    body = "\n".join(nap % n + "Thread.sleep(700); }" for n in range(4))
    for name in ("AQueueTest", "BQueueTest", "CQueueTest", "DQueueTest"):
        add_test(repo, name, body)
    fails = "@Test public void fails() { new Pager<>(new java.util.ArrayList<Integer>(), 1); fail(); }"
    add_test(repo, "EQueueTest", fails)
    said: list[str] = []
    ready = prepare(repo, cache, said=said)
    assert "PagerTest" in classes(ready)
    assert ready.failing and not [test for test in ready.failing if "EQueueTest" in test], "it was begun"
    [told] = [line for line in said if line.startswith("left out slow tests")]
    assert "all of examples.pages.CQueueTest, all of examples.pages.DQueueTest" in told, told


def test_which_tests_are_quick_is_found_once_for_all_files(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of javassist's suite each method of another file cost a minute of the same slow tests."""
    monkeypatch.setattr(baseline, "SLOW", SHORT)
    run_first, ran = Bench.run_first, list[tuple[str, tuple[str, ...]]]()

    def noted(bench: Bench, plan: Plan) -> Report:
        ran.extend((item.name, item.methods) for phase in plan.phases for item in phase.items)
        return run_first(bench, plan)

    monkeypatch.setattr(Bench, "run_first", noted)
    write(
        repo,
        PAGER.replace("Pager", "Other"),
        "package examples.pages; class Other { int one() { return 1; } }",
    )
    quick = (
        "@Test public void quick() { new Pager<>(new java.util.ArrayList<Integer>(), new Other().one()); }"
    )
    add_test(repo, "HangTest", quick + HANGS.replace("while", "new Other(); while"))
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), silent)
    for method in (METHOD, "Other#one()"):
        ready = setup.prepare(target.find(repo, method), report.parse("empty last page"))
        ready.workers.close()
        assert "HangTest" in classes(ready)
    assert [methods for name, methods in ran if name.endswith("HangTest")].count(()) == 1


def test_a_file_whose_tests_cannot_be_measured_is_not_measured_again(repo: Path, cache: Path) -> None:
    """Of javassist three methods of one file were tried, and each cost a minute to say the same."""
    add_test(
        repo, "ExitTest", "@Test public void exits() { new Pager<>(null, 1); Runtime.getRuntime().halt(3); }"
    )
    said: list[str] = []
    choices = Choices(classpath=tuple(JARS), tests="*")
    setup = Setup(repo, choices, Environment(cache=cache), said.append)
    for each in (setup, setup.insisting(["PagerTest#noItemsNoPages"])):
        with pytest.raises(DataError, match="end their JVM before any edit"):
            each.prepare(target.find(repo, METHOD), report.parse("empty last page"))
    assert said.count("running the project's tests as they are") == 1


def test_a_jvm_in_which_tests_as_they_are_say_nothing_for_a_while_works(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of javassist's tests one makes a method that takes a busy machine seconds to verify, during which
    nothing else runs: its tests were said not to end in time.
    """
    monkeypatch.setattr(worker, "_SILENCE", 0.3)
    monkeypatch.setattr(worker, "_PATIENT", 100.0)
    add_test(
        repo,
        "NapTest",
        "@Test public void naps() throws Exception { new Pager<>(null, 1); Thread.sleep(3000); }",
    )
    assert "NapTest" in classes(prepare(repo, cache))


def test_quick_tests_of_a_class_that_does_not_end_judge(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test of a millisecond that the issue was about was gone, or it was an internal error."""
    monkeypatch.setattr(baseline, "SLOW", SHORT)
    monkeypatch.setattr(baseline, "_ALONE", 60.0)
    fails = "@Test public void fails() { new Pager<>(new java.util.ArrayList<Integer>(), 1); fail(); }"
    passes = "@Test public void passes() { new Pager<>(new java.util.ArrayList<Integer>(), 1); }"
    add_test(repo, "HangTest", "\n".join((HANGS, HANGS.replace("hangs", "alsoHangs"), fails, passes)))
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    commit(repo)
    said: list[str] = []
    ready = prepare(repo, cache, said=said)
    assert ready.failing == ("examples.pages.HangTest::fails",), said
    assert ready.tests == 2
    must = prepare(repo, cache, Choices(triggers=("HangTest#fails",)))
    assert must.triggers == ("examples.pages.HangTest::fails",)


def test_where_every_test_takes_too_long_that_is_told(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker was asked to run nothing and broke: the tests were said to end their JVM."""
    monkeypatch.setattr(baseline, "SLOW", SHORT)
    monkeypatch.setattr(baseline, "_ALONE", 1.0)
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    add_test(repo, "HangTest", HANGS)
    said: list[str] = []
    with pytest.raises(DataError, match=r"no test that reaches \S+Pager\.java ends in time; .*--tests"):
        prepare(repo, cache, said=said)
    assert any("all of examples.pages.HangTest" in line for line in said)


def test_of_a_slow_class_the_quick_tests_and_those_that_fail_are_kept(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class of sleeping tests was left out with the only test that failed."""
    monkeypatch.setattr(baseline, "BUDGET", 2.0)
    monkeypatch.setattr(pulse, "EVERY", 0.5)
    sleeps = "{ assertNotNull(Pager.class); try { Thread.sleep(%d); } catch (InterruptedException e) { } %s }"
    tests = (
        "@Test public void quick() " + sleeps % (0, ""),
        "@Test public void sleeps() " + sleeps % (1900, ""),
        "@Test public void fails() " + sleeps % (600, "fail();"),
        "@Test public void naps() " + sleeps % (1000, ""),
    )
    add_test(repo, "SleepyTest", "\n".join(tests))
    said: list[str] = []
    ready = prepare(repo, cache, said=said)
    assert classes(ready) == {"PagerTest", "SleepyTest"}
    kept = {t for c in workspace.load(ready.folder).regression for t in c.tests if "Sleepy" in t}
    assert kept == {f"examples.pages.SleepyTest::{name}" for name in ("quick", "fails", "naps")}
    assert "examples.pages.SleepyTest::fails" in ready.failing
    assert any("all but 3 of examples.pages.SleepyTest;" in line for line in said)
    assert any(re.search(r"^  \d+ tests? begun, now examples\.pages\.SleepyTest#", line) for line in said)


def test_tests_asked_for_that_never_end_are_told(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baseline, "BASELINE", SHORT)
    add_test(repo, "HangTest", HANGS)
    with pytest.raises(Nl2fixError, match=r"HangTest did not end in time; choose others with --tests"):
        prepare(repo, cache, Choices(tests="all"))


def test_a_class_that_takes_too_long_without_the_file_is_told(
    repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five of commons-collections' take 80 s each and do not reach the file: minutes without a suggestion."""
    monkeypatch.setattr(reach, "_LOOK", SHORT)
    waits = "try { new Pager<String>(null, 1); } catch (NoClassDefFoundError gone) { while (true) { } }"
    add_test(repo, "WaitsTest", f"@Test public void waits() {{ {waits} }}")
    ends = waits.replace("while (true) { }", "Runtime.getRuntime().halt(1);")
    add_test(repo, "EndsTest", f"@Test public void ends() {{ {ends} }}")
    said: list[str] = []
    assert classes(prepare(repo, cache, said=said)) == {"PagerTest", "EndsTest"}
    assert any(line.endswith("; 1 took too long to look at, --tests names them") for line in said)


def test_a_class_that_names_the_file_but_does_not_use_it_is_no_judge(repo: Path, cache: Path) -> None:
    add_test(
        repo,
        "NearTest",
        "@Test public void near() { if (System.nanoTime() == 0) new Pager<String>(null, 1); }",
    )
    assert classes(prepare(repo, cache)) == {"PagerTest"}


def test_a_quick_class_next_to_the_failing_test_judges_before_all_do(repo: Path, cache: Path) -> None:
    """Somebody waited a minute for a suggestion while tests of dnsjava and commons-bcel were looked for and
    measured, most of which had just been run.
    """
    uses = "new Pager<String>(new java.util.ArrayList<String>(), 1);"
    add_test(repo, "NapTest", f"@Test public void naps() throws Exception {{ {uses} Thread.sleep(2500); }}")
    add_test(repo, "NearTest", f"@Test public void near() {{ {uses} }}")
    add_test(repo, "FarTest", "@Test public void far() { assertEquals(5, 2 + 3); }")
    commit(repo)
    said = list[str]()
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    setup.reached(repo / PAGER, WantedTests(frozenset(), (), ()), lambda _: True)
    found, asked = target.find(repo, METHOD), report.parse("empty last page")
    failing = "examples.pages.PagerTest::fullLastPage"
    judges = []
    nested = "examples.pages.PagerTest$Nested::any"  # of dnsjava's NameTest
    for each in (setup.beginning_with(nested), setup.insisting([failing]), setup):
        ready = each.prepare(found, asked)
        ready.workers.close()
        judges.append(classes(ready))
    assert judges == [{"PagerTest", "NearTest"}, *[{"PagerTest", "NearTest", "NapTest"}] * 2]
    assert [line for line in said if "of 4 test classes" in line] == [
        "judging first by 2 of 4 test classes (PagerTest and 1 near it), then by all that reach the method",
        f"3 of 4 test classes reach {PAGER}",
    ]
    assert not any(line.startswith(LOOKING) for line in said), "all were run before"


def test_of_the_failing_test_s_slow_class_quick_tests_judge_first(repo: Path, cache: Path) -> None:
    """The first ten edits of JavaFastPFOR took its one class 124 s, and none mended anything."""
    body = "new Pager<String>(new java.util.ArrayList<String>(), 1); Thread.sleep(%d); %s"
    tests = ("quick", 0, ""), ("naps", 2100, ""), ("fails", 2200, "fail();")
    add_test(
        repo,
        "SleepyTest",
        "\n".join(
            f"@Test public void {name}() throws Exception {{ {body % (nap, end)} }}"
            for name, nap, end in tests
        ),
    )
    (repo / "src/test/java/examples/pages/PagerTest.java").unlink()
    commit(repo)
    said = list[str]()
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    setup.reached(repo / PAGER, WantedTests(frozenset(), (), ()), lambda _: True)
    found, asked = target.find(repo, METHOD), report.parse("empty last page")
    first = setup.beginning_with("examples.pages.SleepyTest::fails").prepare(found, asked)
    then = setup.prepare(found, asked)
    first.workers.close()
    then.workers.close()
    assert (first.tests, then.tests) == (2, 3)
    assert first.failing == then.failing == ("examples.pages.SleepyTest::fails",)
    assert "slow tests do not judge yet: all but 2 of examples.pages.SleepyTest" in said
    assert not [line for line in said if line.startswith("left out slow tests")]


def test_where_all_tests_are_quick_they_judge_at_once(repo: Path, cache: Path) -> None:
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), silent)
    setup.reached(repo / PAGER, WantedTests(frozenset(), (), ()), lambda _: True)
    found, asked = target.find(repo, METHOD), report.parse("empty last page")
    first = setup.beginning_with("examples.pages.PagerTest::fullLastPage").prepare(found, asked)
    then = setup.prepare(found, asked)
    first.workers.close()
    then.workers.close()
    assert first.folder == then.folder


def test_the_failing_test_that_decides_is_listed_first(repo: Path, cache: Path) -> None:
    """Of jfreechart's 15 that fail the bug's was among "and 3 more"."""
    said, decides = list[str](), max(FAILING)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    found, asked = target.find(repo, METHOD), report.parse("empty last page")
    ready = setup.beginning_with(f"examples.pages.PagerTest::{decides}").prepare(found, asked)
    ready.workers.close()
    told = next(line for line in said if "tests fail today" in line).splitlines()
    names = decides, *(name for name in FAILING if name != decides)
    assert told[1:] == [f"  examples.pages.PagerTest#{name}" for name in names]


def test_one_test_class_is_told_of_in_the_singular(repo: Path, cache: Path) -> None:
    said: list[str] = []
    prepare(repo, cache, said=said)
    assert f"looking whether examples.pages.PagerTest reaches {PAGER}" in said
    assert f"1 of 1 test class reaches {PAGER}" in said


def test_naming_a_trigger_later_does_not_look_for_tests_again(repo: Path, cache: Path) -> None:
    add_test(repo, "FarTest", "@Test public void far() { assertEquals(5, 2 + 2); }")
    said: list[str] = []
    prepare(repo, cache, said=said)
    assert any(line.startswith(LOOKING) for line in said)
    said.clear()
    ready = prepare(repo, cache, Choices(triggers=("examples.pages.FarTest#far",)), said)
    assert not any(line.startswith(LOOKING) for line in said)
    assert classes(ready) == {"PagerTest", "FarTest"}, "a named test counts though it does not reach the file"
    add_test(repo, "NewTest", "@Test public void made() { assertNotNull(new Pager<String>(null, 1)); }")
    assert "NewTest" in classes(prepare(repo, cache))


def test_a_test_that_ends_its_jvm_is_left_out_unless_it_is_asked_for(repo: Path, cache: Path) -> None:
    add_test(
        repo,
        "ExitTest",
        "@Test public void exits() { assertNotNull(Pager.class); Runtime.getRuntime().halt(3); }",
    )
    said: list[str] = []
    assert classes(prepare(repo, cache, said=said)) == {"PagerTest"}
    assert any("end the JVM" in line and "ExitTest" in line for line in said)
    with pytest.raises(Nl2fixError, match="end their JVM before any edit"):
        prepare(repo, cache, Choices(tests="*"))


def windows(repo: Path) -> None:
    for file in (repo / "src").rglob("*.java"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))


def latin_1(repo: Path) -> None:
    said(repo, "größer".encode("iso-8859-1"))


def windows_1252(repo: Path) -> None:
    said(repo, "GROß – 5 €".encode("cp1252"))


def any_bytes(repo: Path) -> None:
    """Those that Windows-1252 lacks, beside some that it has."""
    said(repo, bytes([0x80, 0x81, 0x8D, 0x8F, 0x90, 0x96, 0x9D]))


def said(repo: Path, comment: bytes) -> None:
    content = (repo / PAGER).read_bytes()
    content = content.replace(b"public int pageCount", b"/* " + comment + b" */ public int pageCount")
    (repo / PAGER).write_bytes(content)


def module(repo: Path) -> None:
    (repo / "src/main/java/module-info.java").write_text("module pager { exports examples.pages; }")


def marked(repo: Path) -> None:
    """A byte order mark, as some editors write it, before a line that the patch shows."""
    text = (repo / PAGER).read_text()
    (repo / PAGER).write_text("\ufeff" + re.sub(r"(?s)/\*.*?\*/|\s*\n(?=\s)", " ", text), encoding="utf-8")


def kotlin(repo: Path) -> None:
    (repo / "src/main/java/examples/pages/Extra.kt").write_text("package examples.pages\nclass Extra\n")


def links(repo: Path) -> None:
    (repo / "current").symlink_to(repo / "src", target_is_directory=True)
    (repo / "gone").symlink_to(repo / "nowhere")
    (repo / "round").symlink_to(repo, target_is_directory=True)
    (repo / "near").symlink_to(".", target_is_directory=True)
    (repo / "src/main/java/again").symlink_to("../java", target_is_directory=True)
    (repo / "src/main/java/examples/pages/Gone.java").symlink_to("Nothing.java")
    (repo / "src/test/java/examples/pages/GoneTest.java").symlink_to("Nothing.java")
    (repo / "lib").mkdir()
    (repo / "lib/gone.jar").symlink_to("nothing.jar")


def spaces(repo: Path) -> None:
    (repo / "notes (old) ü.txt").write_text("x")


def everything(repo: Path) -> None:
    for twist in (module, kotlin, spaces, windows, links):
        twist(repo)


@pytest.mark.parametrize("twist", [everything, latin_1, windows_1252, any_bytes, marked])
@pytest.mark.parametrize("versioned", [True, False])
def test_awkward_projects_are_prepared_and_patched(
    repo: Path, cache: Path, twist: Callable[[Path], None], versioned: bool
) -> None:
    twist(repo)
    if versioned:
        commit(repo)
    else:
        shutil.rmtree(repo / ".git")
    before = (repo / PAGER).read_bytes()
    ready = prepare(repo, cache)
    problem = ready.problem
    edited = problem.text.replace("pageSize + 1", "pageSize + 0")
    result = session_result(repo, ready, edited)
    suggestion = result.suggestions[0]
    if versioned:
        check = ["git", "-C", str(repo), "apply", "--check", "-"]
        done = subprocess.run(check, input=exports.patch(result), capture_output=True)
        assert done.returncode == 0, done.stderr
    apply.apply(result, suggestion)
    assert (repo / PAGER).read_bytes() == before.replace(b"pageSize + 1", b"pageSize + 0")


def session_result(repo: Path, ready: Prepared, text: str) -> SuggestResult:
    """A result with one suggestion, as a session makes it."""
    from nl2fix.core.changes import unified
    from nl2fix.core.records import Evidence, sha256_text
    from nl2fix.suggestion.output.result import Suggestion

    problem = ready.problem
    patch = unified(problem.path, problem.text, text)
    suggestion = Suggestion(1, "", text, "", patch, Evidence(), "", 1, (), (), 1, 1)
    return SuggestResult(
        repo=str(repo),
        file=problem.path,
        method=problem.entity,
        line=1,
        column=1,
        title="",
        issue="",
        before=problem.before,
        suggestions=(suggestion,),
        judged=1,
        outcomes={},
        tests=ready.tests,
        failing=ready.failing,
        complete=True,
        seconds=0.0,
        file_sha256=sha256_text(problem.text),
    )


def test_what_javac_does_not_read_is_told_in_its_words(repo: Path, cache: Path) -> None:
    (repo / PAGER).write_text((repo / PAGER).read_text() + "#\n")
    with pytest.raises(Nl2fixError, match=r"Pager\.java does not compile: line \d+: illegal character"):
        prepare(repo, cache)


def shelf(root: Path) -> Path:
    """JUnit 4 as Maven keeps it."""
    for jar in JARS:
        artifact, version = jar.stem.rsplit("-", 1)
        home = root / artifact / artifact / version
        home.mkdir(parents=True)
        shutil.copy(jar, home)
        needs = "<groupId>hamcrest</groupId><artifactId>hamcrest</artifactId><version>2.2</version>"
        needs = f"<dependency>{needs}</dependency>" if artifact == "junit" else ""
        pom = f"<project><dependencies>{needs}</dependencies></project>"
        (home / f"{jar.stem}.pom").write_text(pom)
    return root


def no_tool(*_: object) -> list[str]:
    raise UsageError("Maven is not installed")


def test_a_build_that_fails_gives_way_to_its_sources_and_the_jars_of_the_machine(
    repo: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Maven could not fetch a plug-in everything was refused, and jars were to be named by hand."""
    monkeypatch.setattr(shelves, "SHELVES", (shelf(tmp_path / "shelf"),))
    monkeypatch.setattr(builds, "_command", no_tool)
    (repo / "pom.xml").write_text("<project/>")
    commit(repo)
    said: list[str] = []
    environment, asked = Environment(cache=cache), report.parse("empty last page")
    found = target.find(repo, METHOD)
    ready = Setup(repo, Choices(), environment, said.append).prepare(found, asked)
    ready.workers.close()
    assert ready.failing == tuple(f"examples.pages.PagerTest::{name}" for name in FAILING)
    assert any("Maven is not installed" in line and "without maven instead" in line for line in said)
    assert any(line.startswith("jars found on this machine: junit-4") for line in said)
    with pytest.raises(Nl2fixError, match="^Maven is not installed$"):
        Setup(repo, Choices(build="maven"), environment, said.append).prepare(found, asked)
    (repo / PAGER).write_text(
        "package examples.pages; class Pager extends No { int pageCount() { return 1; } }"
    )
    with pytest.raises(Nl2fixError, match=r"^\S+Pager.java does not compile: line 1: cannot"):
        Setup(repo, Choices(), environment, said.append).prepare(target.find(repo, METHOD), asked)


def test_what_fails_today_is_told_once(repo: Path, cache: Path) -> None:
    """A list of 15 lines stood there before the first method tried, and again before the last."""
    said: list[str] = []
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    for each in (setup, setup.insisting(()), setup):
        each.prepare(target.find(repo, METHOD), report.parse("empty last page")).workers.close()
    assert len([line for line in said if "3 tests fail today" in line]) == 1


def test_a_part_of_a_project_is_told_where_the_project_is(repo: Path, cache: Path) -> None:
    """Its build lacked what lies outside, and a jar was said to be missing."""
    write(repo, "pom.xml", "<project/>")
    commit(repo)
    said: list[str] = []
    for folder in (repo, repo / "src/main"):
        Setup(folder, Choices(), Environment(cache=cache), said.append).close()
    assert said == [f"this is a part of the project in {repo}: to build and test it there, say --repo {repo}"]


GIVEN = """<project><version>1.0</version><build>
<resources><resource><directory>src/main/resources</directory><filtering>true</filtering></resource></resources>
<plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration>
<systemPropertyVariables><pages.mode>test</pages.mode></systemPropertyVariables>
<environmentVariables><PAGES>few</PAGES></environmentVariables>
</configuration></plugin></plugins></build></project>"""
WANTS = """@Test public void property() { use(); assertEquals("test", System.getProperty("pages.mode")); }
    @Test public void variable() { use(); assertEquals("few", System.getenv("PAGES")); }
    @Test public void resource() throws Exception {
        use();
        java.io.InputStream in = Pager.class.getResourceAsStream("/pages.properties");
        java.util.Properties read = new java.util.Properties();
        read.load(in);
        assertEquals("1.0 ${who}", read.getProperty("version"));
    }
    void use() { new Pager<Integer>(java.util.Collections.<Integer>emptyList(), 2).pageCount(); }"""


def test_what_a_pom_gives_tests_they_have_without_maven(repo: Path, cache: Path) -> None:
    """They failed only for want of it, and were told as if they might fail because of the bug."""
    write(repo, "pom.xml", GIVEN)
    write(repo, "src/main/resources/pages.properties", "version=${project.version} ${who}\n")
    add_test(repo, "GivenTest", WANTS)
    commit(repo)
    ready = prepare(repo, cache, Choices(build="plain"))
    assert not [name for name in ready.failing if "GivenTest" in name] and ready.tests > 6


def test_a_tool_that_fails_for_all_modules_is_run_once_and_its_reason_told_once(
    repo: Path, cache: Path
) -> None:
    """Of 72 s 55 went into five calls of Maven that failed alike, and the reason was told eleven times."""
    for name in ("one", "two"):
        write(repo, f"{name}/pom.xml", "<project/>")
        write(repo, f"{name}/src/main/java/{name}/A.java", f"package {name}; class A {{ }}")
    write(repo, "pom.xml", "<project><modules><module>one</module></modules></project>")
    wrapper = '[ "$1" = --version ] && exit 0\necho "[ERROR] Extension a:b:1 could not be resolved"\nexit 1'
    write(repo, "mvnw", f"#!/bin/sh\n{wrapper}\n")
    commit(repo)
    said: list[str] = []
    jar = write(repo.parent, "broken.jar", "none")
    setup = Setup(repo, Choices(classpath=(jar,)), Environment(cache=cache), said.append)
    meaning = Meaning(report.IssueReport("", ""), (), frozenset(), {}, ())
    nobody, nothing = Judges([], frozenset()), WantedTests(frozenset(), (), ())
    looking = running._Looking(setup, meaning, nobody, Caught([]), nothing)
    for name in ("one", "two"):
        looking.at(repo / f"{name}/src/main/java/{name}/A.java")
    assert said.count("building the project (maven)") == 1
    assert "".join(said).count("could not be resolved") == 1
    assert "compiling two without maven, too" in said
    assert said[-1].startswith("two: no tests were run: without maven: cannot read the jar ")


def test_a_generated_parser_that_two_modules_need_is_told_once(repo: Path, cache: Path) -> None:
    """What core lacks for want of it was told again for app, which is compiled with core's sources."""
    write(repo, "core/src/main/java/core/Rules.jjt", "void Sum() #Add : {}")
    write(repo, "core/src/main/java/core/Sum.java", "package core; public class Sum extends ASTAdd { }")
    write(repo, "core/src/main/java/core/Core.java", "package core; public class Core { }")
    write(repo, "app/src/main/java/app/App.java", "package app; import core.Core; class App { Core core; }")
    write(repo, "app/src/main/java/app/Sums.java", "package app; import core.Sum; class Sums extends Sum { }")
    said: list[str] = []
    made = Builds(repo, "", Environment(cache=cache), Pulse(said.append), classpath=(), tool="plain")
    for module in ("core/src/main/java/core/Core.java", "app/src/main/java/app/App.java"):
        made.of(repo / module)
    first, second = [line for line in said if line.startswith("left out ")]
    assert first.endswith("of src/main/java/core/Rules.jjt: build once and name its classes with --classpath")
    assert second == "left out 1 class (Sums) that needs what was left out before"


def test_the_same_failure_of_two_modules_builds_is_told_once(repo: Path, cache: Path) -> None:
    for name in ("core", "app"):
        write(repo, f"{name}/pom.xml", "<project/>")
        write(repo, f"{name}/src/main/java/{name}/A.java", f"package {name}; class A {{ }}")
    write(repo, "pom.xml", "<project><modules><module>core</module></modules></project>")
    wrapper = (
        '[ "$1" = --version ] && exit 0\necho "[ERROR] Failed to execute goal: not found in core"\nexit 1'
    )
    write(repo, "mvnw", f"#!/bin/sh\n{wrapper}\n")
    said: list[str] = []
    made = Builds(repo, "", Environment(cache=cache), Pulse(said.append), classpath=(), tool="")
    for name in ("core", "app"):
        made.of(repo / f"{name}/src/main/java/{name}/A.java")
    assert "".join(said).count("Failed to execute goal") == 1
    assert said[-1] == "compiling app without maven, too"


def test_what_was_left_out_is_told_again_and_compiled_once_its_jar_is_there(
    repo: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second call was silent about it, and jars installed as it had been told changed nothing."""
    jars = shelf(tmp_path / "shelf")
    monkeypatch.setattr(shelves, "SHELVES", (jars,))
    (repo / TESTS / "LateTest.java").write_text(LATE)
    commit(repo)

    def judges() -> tuple[set[str], list[str]]:
        said: list[str] = []
        setup = Setup(repo, Choices(), Environment(cache=cache), said.append)
        ready = setup.prepare(target.find(repo, METHOD), report.parse("empty last page"))
        ready.workers.close()
        return classes(ready), said

    assert judges()[0] == {"PagerTest"}
    known, said = judges()
    assert known == {"PagerTest"}
    assert [line for line in said if "left out 1 class (" in line and "that needs late" in line]
    assert not any("building" in line for line in said)
    compiled = tmp_path / "late"
    source = write(compiled, "late/Late.java", "package late; public class Late { }")
    subprocess.run(["javac", "-d", compiled / "classes", source], check=True)
    with zipfile.ZipFile(jars / "late-1.jar", "w") as made:
        made.write(compiled / "classes/late/Late.class", "late/Late.class")
    known, said = judges()
    assert known == {"PagerTest", "LateTest"}
    assert not any("left out" in line for line in said)


LATE = (
    HEAD
    + """import late.Late;
public class LateTest { @Test public void late() { assertNotNull(new Late()); assertNotNull(Pager.class);
    new Pager<String>(java.util.Arrays.asList("a"), 1); } }
"""
)


def test_a_file_that_no_test_reaches_is_told(repo: Path, cache: Path) -> None:
    """It ended in an ``UnboundLocalError``."""
    (repo / TESTS / "PagerTest.java").unlink()
    add_test(repo, "OtherTest", "@Test public void one() { assertEquals(1, 1); }")
    commit(repo)
    with pytest.raises(Nl2fixError, match="^no test reaches .*Pager.java; choose some with --tests, add one"):
        prepare(repo, cache)


def test_tests_that_cannot_be_made_are_told(repo: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Hamcrest no JUnit 4 test runs: every edit was as good as any other."""
    monkeypatch.setattr(shelves, "SHELVES", ())
    junit = tuple(jar for jar in JARS if "hamcrest" not in jar.name)
    setup = Setup(repo, Choices(classpath=junit), Environment(cache=cache), lambda _: None)
    with pytest.raises(Nl2fixError, match="no test that reaches .*Pager.java can be run: .*hamcrest"):
        setup.prepare(target.find(repo, METHOD), report.parse("empty last page"))


def test_insisting_on_a_test_that_fails_runs_no_tests_again(repo: Path, cache: Path) -> None:
    """Each method that a failing test was asked about cost the project's tests twice."""
    told = Choices(triggers=("PagerTest#noItemsNoPages",))
    plain, said = prepare(repo, cache), list[str]()
    insisting = prepare(repo, cache, told, said)
    assert insisting.folder != plain.folder and said == []
    again = workspace.load(insisting.folder)
    test = "examples.pages.PagerTest::noItemsNoPages"
    assert again.trigger_tests == (test,) and test not in again.failing
    assert {*again.failing, test} == {*workspace.load(plain.folder).failing}
    shutil.rmtree(plain.folder)
    shutil.rmtree(insisting.folder)
    assert prepare(repo, cache, told).failing == insisting.failing, "as when they are run"


SLOW = """@Test public void slow() throws Exception {
        Thread.sleep(400); assertNotNull(new Pager<Integer>(new java.util.ArrayList<Integer>(), 2)); }
    @Test public void none() {
        assertEquals(0, new Pager<Integer>(new java.util.ArrayList<Integer>(), 2).pageCount()); }"""


def test_insisting_on_a_quick_test_of_a_slow_class_runs_no_others(repo: Path, cache: Path) -> None:
    """All tests ran once more, and those that were left out as too slow judged from then on."""
    add_test(repo, "SlowTest", SLOW)
    prepare(repo, cache)
    said: list[str] = []
    insisting = prepare(repo, cache, Choices(triggers=("SlowTest#none",)), said)
    again = workspace.load(insisting.folder)
    assert said == []
    assert again.trigger_tests == ("examples.pages.SlowTest::none",)
    assert again.trigger_seconds < 0.4


def test_insisting_first_runs_the_projects_tests_once(repo: Path, cache: Path) -> None:
    said: list[str] = []
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), said.append)
    for tests in (("examples.pages.PagerTest::noItemsNoPages",), ()):
        setup.insisting(tests).prepare(
            target.find(repo, METHOD), report.parse("empty last page")
        ).workers.close()
    assert said.count("running the project's tests as they are") == 1


def test_insisting_on_a_test_that_passes_is_refused_when_its_tests_were_run_before(
    repo: Path, cache: Path
) -> None:
    prepare(repo, cache)
    passes = Choices(triggers=("PagerTest#firstPage",))
    with pytest.raises(UsageError, match="passes already|no test"):
        prepare(repo, cache, passes)


def test_a_submodule_is_another_repository(repo: Path, cache: Path) -> None:
    """ "git ignores …" it said, which git did not; its methods were offered and could not be worked on."""
    around = repo.parent / "around"
    around.mkdir()
    git(around, "init", "-q")
    git(around, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo), "sub")
    setup = Setup(around, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    asked, inside = report.IssueReport("x", ""), re.escape(str(around / "sub"))
    told = f"below .*; sub is a repository of its own: say --repo {inside} for it"
    with pytest.raises(UsageError, match=f"no class 'Pager' {told}"):
        target.find(around, "Pager#pageCount()")
    with pytest.raises(UsageError, match=f"no Java method with a body {told}"):
        api.places(around, asked, 10, (), setup)
    named = target.find(around, f"sub/{PAGER}:12")
    with pytest.raises(UsageError, match=f"is of another repository: say --repo {inside}"):
        setup.prepare(named, asked)


def test_a_file_that_git_ignores_is_told(repo: Path, cache: Path) -> None:
    (repo / ".gitignore").write_text("Pager.java\n")
    git(repo, "rm", "-q", "--cached", PAGER)
    commit(repo)
    with pytest.raises(UsageError, match=r"git ignores .*Pager\.java"):
        prepare(repo, cache)


def test_a_read_only_repository_is_read(repo: Path, cache: Path) -> None:
    for path in (repo, *repo.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert prepare(repo, cache).tests > 0
    finally:
        for folder in (repo, *(p for p in repo.rglob("*") if p.is_dir())):
            folder.chmod(0o755)
    assert os.access(repo, os.W_OK)


def test_the_jvms_that_prepared_a_session_serve_it(repo: Path, cache: Path) -> None:
    environment = Environment(cache=cache, jobs=1)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), environment, lambda _: None)
    ready = setup.prepare(target.find(repo, METHOD), report.parse("empty last page"))
    before = ready.workers.starts
    config = api.SuggestConfig(n=1)
    model = pipeline.make_model(config.model, environment)
    result = api.run(setup, ready, config, model, Trial(target.find(repo, METHOD)))
    assert result.judged == 1
    told = "the fresh JVM that confirms, and one in which calls of the unedited program are made again"
    assert ready.workers.starts - before <= 2, told
    assert (ready.folder / workspace.FILE_NAME).is_file()


def test_a_jar_that_is_not_there_is_told_first(repo: Path, cache: Path) -> None:
    with pytest.raises(UsageError, match=r"no such jar: .*x\.jar"):
        Setup(repo, Choices(classpath=(Path("x.jar"),)), Environment(cache=cache), print)


SHOP = """package app;
import examples.pages.Pager;
import java.util.Collections;
public class Shop {
    public static String footer(int items) {
        return new Pager<String>(Collections.nCopies(items, "x"), 2).pageCount() + " pages";
    }
}
"""
SHOP_TEST = """package app;
import org.junit.Test;
import static org.junit.Assert.*;
public class ShopTest {
    @Test public void fullPages() { assertEquals("2 pages", Shop.footer(4)); }
    @Test public void partlyFilledPages() { assertEquals("2 pages", Shop.footer(3)); }
}
"""


@pytest.fixture(params=["main", "tests only"])
def modules(tmp_path: Path, repo: Path, request: pytest.FixtureRequest) -> Path:
    """A library with a test that passes, and a module on top whose test fails; with sources or without."""
    add_test(
        repo,
        "PagerTest",
        "@Test public void one() { new Pager<>(java.util.Arrays.asList(1), 2).pageCount(); }",
    )
    root = tmp_path / "modules"
    shutil.copytree(repo / "src", root / "core" / "src")
    kind = "main" if request.param == "main" else "test"
    write(root, f"app/src/{kind}/java/app/Shop.java", SHOP)
    write(root, "app/src/test/java/app/ShopTest.java", SHOP_TEST)
    git(root, "init", "-q")
    commit(root)
    return root


def test_a_test_of_another_module_judges_what_it_is_built_on(modules: Path, cache: Path) -> None:
    """Of xmlunit "no test 'org.xmlunit.placeholder.…' ran" was said of the test that fails."""
    asked = report.parse("Shop shows an empty last page\n\nfooter(4) says 3 pages")
    found = target.find(modules, METHOD)
    alone = Setup(modules, Choices(classpath=tuple(JARS)), Environment(cache=cache), lambda _: None)
    alone.prepare(found, asked).workers.close()  # what is kept of it knows nothing of the other module
    alone.close()
    for triggers in ((), ("ShopTest#fullPages",)):
        choices = Choices(classpath=tuple(JARS), triggers=triggers)
        setup = Setup(modules, choices, Environment(cache=cache), lambda _: None)
        if not triggers:  # it is found to fail where the likeliest methods are looked for
            api.places(modules, asked, 10, (), setup)
        ready = setup.prepare(found, asked)
        ready.workers.close()
        setup.close()
        names = {test.name for test in workspace.load(ready.folder).regression}
        assert {"app.ShopTest", "examples.pages.PagerTest"} <= names
        assert (ready.triggers or ready.failing) == ("app.ShopTest::fullPages",)


@pytest.mark.parametrize("off", [False, True])
def test_assertions_are_on_as_build_tools_have_them(repo: Path, cache: Path, off: bool) -> None:
    """A test that fails by ``assert`` under Maven, Gradle and in editors "passes already"."""
    body = "@Test public void told() { new Pager<>(new java.util.ArrayList<Integer>(), 1).check(); }"
    add_test(repo, "CheckTest", body)
    pager = (repo / PAGER).read_text()
    check = "public void check() { assert pageSize > 1 : pageSize; }\n}"
    (repo / PAGER).write_text(pager.rstrip().removesuffix("}") + check)
    if off:
        write(repo, "build.xml", "<x><enableAssertions>false</enableAssertions></x>")
    commit(repo)
    assert ("examples.pages.CheckTest::told" in prepare(repo, cache).failing) is not off


def test_tests_run_though_nothing_of_the_likeliest_file_compiles(repo: Path, cache: Path) -> None:
    """No test of its module was looked at, and the failing test was not met."""
    write(
        repo, "src/main/java/examples/pages/Sheet.java", "package examples.pages; class Sheet extends No { }"
    )
    commit(repo)
    setup = Setup(repo, Choices(classpath=tuple(JARS)), Environment(cache=cache), silent)
    sheet = repo / "src/main/java/examples/pages/Sheet.java"
    reached = setup.reached(sheet, WantedTests(frozenset(), (), ()), lambda _: True)
    assert len(reached.failed) == len(FAILING)


def test_tests_that_run_into_what_is_left_out_are_told_apart(repo: Path, cache: Path) -> None:
    """Of jackson-core 133 were listed as failing, and edits were to make them pass."""
    sheet = "package examples.pages; class Sheet { static int size() { return org.gone.Sheets.size(); } }"
    write(repo, "src/main/java/examples/pages/Sheet.java", sheet)
    add_test(
        repo, "SheetTest", "@Test public void size() { assertNotNull(new Pager<>(null, Sheet.size())); }"
    )
    commit(repo)
    for _ in range(2):
        said: list[str] = []
        ready = prepare(repo, cache, said=said)
        assert "examples.pages.SheetTest::size" in ready.failing
        [told] = [line for line in said if "for want of what" in line and "Test#" in line]
        assert told.startswith(
            "1 test fails for want of what is left out\n3 tests fail today; edits that make"
        )
        assert "SheetTest" not in told
    must = prepare(repo, cache, Choices(triggers=(f"PagerTest#{FAILING[0]}",)))
    assert len(must.failing) == 3
