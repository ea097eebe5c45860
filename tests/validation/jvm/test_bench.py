"""What compiling on the bench shares from the first compilation on, and what it never shares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from nl2fix.validation.jvm import worker
from nl2fix.validation.jvm.bench import Bench, Expected
from tests.validation.jvm.conftest import BUG, CALC, FIXED, Maker, Project

ASIDE = """
enum Way { UP }

class Rounding {
    static Way way() { return Way.UP; }
}
"""


CHOOSES = """package acme;

public class Choice {
    static int of(Object x) { return 1; }
    static int of(Calc x) { return Calc.twice(1); }
    static class Nested { static Calc calc() { return null; } }
}
"""


NESTS = """
class Nest {
    class Inner {
        Inner self() { Inner it = this; return it; }
    }
    static class Held<T> {
        T held;
        Inner inner;
    }
}
"""


@pytest.fixture(scope="module")
def project(make: Maker) -> Project:
    return make(sources={"acme/Calc.java": CALC + ASIDE})


@pytest.fixture
def bench(project: Project) -> Iterator[Bench]:
    with closing(Bench(project.workspace, project.problem, project.workers)) as made:
        yield made


def test_the_unedited_program_is_compiled_together_with_all_that_follow(make: Maker) -> None:
    project = make()
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        unedited = bench.compile(bench.unedited)
        fixed = bench.compile((project.problem.text.replace("return (a + b) / 2 + 1;", FIXED),), warm=True)
        separate = bench.compile((project.problem.text.replace("return (a + b) / 2 + 1;", FIXED),))
    assert unedited.warm and fixed.warm and not separate.warm
    assert fixed.sha256 == separate.sha256 != unedited.sha256


def test_all_classes_of_the_unedited_file_are_known_and_none_of_them_is_seen_as_it_was(bench: Bench) -> None:
    assert bench.original() == ("acme.Calc", "acme.Rounding", "acme.Way")
    [text] = bench.unedited
    for warm in (True, False):
        gone = bench.compile((text.replace("enum Way { UP }", ""),), warm)
        assert not gone.compiled and "Way" in gone.message
        more = bench.compile((text.replace("{ UP }", "{ UP, DOWN }").replace("Way.UP", "Way.DOWN"),), warm)
        assert more.compiled and more.warm == warm
        unknown = bench.compile((text.replace("Way.UP", "Way.DOWN"),), warm)
        assert not unknown.compiled, "what an earlier candidate declared"


def test_a_method_is_chosen_alike_whoever_was_compiled_before(make: Maker) -> None:
    """``of(Calc)`` took the ``Calc`` of whoever called it first, and ``of(Object)`` those of all others."""
    project = make(sources={"acme/Calc.java": CALC, "acme/Choice.java": CHOOSES})
    bodies = [
        "return Choice.of(new Calc());",
        "return Choice.of(new Calc()) + 1;",
        "Calc calc = Choice.Nested.calc(); return Choice.of(calc);",
        "return Choice.of(new Calc() { }) + Choice.of(Choice.Nested.calc());",
        "return Choice.of(new Choice.Nested());",
    ]
    texts = [project.problem.text.replace(BUG, body) for body in bodies * 2]
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        shared = [bench.compile((text,), warm=True) for text in texts]
        apart = [bench.compile((text,)) for text in texts]
    assert all(build.compiled and build.warm for build in shared)
    assert [build.sha256 for build in shared] == [build.sha256 for build in apart]


def test_nested_classes_are_compiled_alike_whoever_was_compiled_before(make: Maker) -> None:
    """javac's pool kept their symbols: an inner class had that of the candidate before around it."""
    project = make(sources={"acme/Calc.java": CALC + NESTS})
    [text] = project.problem.files.values()
    edited = text.replace("static class Held<T>", "static class Held<T extends Inner>")
    with closing(Bench(project.workspace, project.problem, project.workers)) as bench:
        shared = [bench.compile((each,), warm=True) for each in (text + " ", edited, text + "  ")]
        apart = [bench.compile((each,)) for each in (text + " ", edited, text + "  ")]
    assert all(build.compiled and build.warm for build in shared)
    assert [build.sha256 for build in shared] == [build.sha256 for build in apart]


@pytest.mark.parametrize(
    "body",
    [
        "return (a + b / 2;",
        "return 0; } }",
        "{ return 0;",
        'String unclosed = "a;',
        'String block = """\n a""";',
        "return a # b;",
        "int enum = 1; return 0;",
        "unknown.asked(); return 0",
        "; ".join(["a b c"] * 5),
        "return 0; } broken() { return 1;",
        "return 0; } } class Later { int a() { return missing; ",
        "return " + "(" * 40 + "0;",
    ],
)
def test_what_is_no_java_is_told_alike_beside_other_candidates(bench: Bench, body: str) -> None:
    """It is compiled only once where compilations are shared."""
    [text] = bench.unedited
    [shared, apart] = [bench.compile((text.replace(BUG, body),), warm) for warm in (True, False)]
    assert not shared.compiled
    assert (shared.message, shared.broken, shared.classes) == (apart.message, apart.broken, apart.classes)
    assert bench.compile((text.replace(BUG, FIXED),), warm=True).warm


def test_a_test_of_which_some_runs_still_fail_is_not_mended() -> None:
    """The dynamic tests of one method share its name; one that always passed had it told as fixed."""
    expected = Expected((("acme.T::each", "acme.T::each"),), ("acme.T::each",))
    ran = [worker.TestOutcome(0, "acme.T::each", outcome) for outcome in "PF"]
    assert expected.mismatch(ran) == ""
    assert expected.mended(ran) == ()
    assert expected.mended([worker.TestOutcome(0, "acme.T::each", "P")] * 2) == ("acme.T::each",)


def test_only_what_stands_for_tests_that_could_not_be_made_may_be_missing() -> None:
    def mismatch(wanted: tuple[str, ...], ran: str, tolerated: tuple[str, ...] = ()) -> str:
        outcomes = [
            worker.TestOutcome(0, each.rstrip("-"), "S" if "-" in each else "P") for each in ran.split()
        ]
        return Expected((wanted,), tolerated).mismatch(outcomes)

    assert mismatch(("T",), "T::a T$In::b") == ""
    assert mismatch(("T",), "") == "T", "none was made instead"
    assert mismatch(("T",), "T::a T::b-") == "T", "nobody knows how it would have ended"
    assert mismatch(("T", "T::a"), "T::a") == "", "clearing up failed"
    assert mismatch(("T", "T::a", "T::b"), "T::a") == "T::b"
    assert mismatch(("T::a", "T::b"), "T::a") == "T::b"
    assert mismatch(("T::a",), "T::a T::b") == "T::b"
    assert mismatch(("T::initializationError",), "T::a[0] T::a[1]") == ""
    assert mismatch(("junit.framework.TestSuite$1::warning",), "T::a") == ""
    assert mismatch(("T::a", "T::b"), "T::a[1] T::a[2] T::b") == "", "its parameters could not be made"
    assert mismatch(("T::a",), "T::a T::a[2]") == "T::a[2]"
    assert mismatch(("T::a",), "T::a T::a[2]", ("T::a",)) == "", "TestNG's first run has the method's name"
    assert mismatch(("T::each",), "T::each T::each T::each", ("T::each",)) == "", "a factory that was mended"
    assert mismatch(("T::each",), "T::each T::each") == "T::each"
    assert mismatch(("T::each", "T::each"), "T::each", ("T::each",)) == "T::each"
