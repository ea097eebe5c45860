"""Edits that change what other classes can see: these are compiled again, as a build would."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nl2fix.core.records import Outcome
from nl2fix.validation.jvm.worker import Build
from tests.validation.jvm.conftest import BUG, CALC, CALC_TEST, FIXED, Maker, Project

USER = """package acme;

public class User {
    public static int half(int a) { return Calc.mean(a, 0); }
}
"""
CHILD = """package acme;

public class Child extends Calc { }
"""
HEIR_TEST = """package acme;

public class HeirTest {
    @org.junit.Test public void inherited() { org.junit.Assert.assertEquals(6, Child.twice(3)); }
}
"""
SIGNATURE = "public static int mean(int a, int b)"


@pytest.fixture(scope="module")
def used(make: Maker) -> Project:
    """The example project with a class that no test runs, a subclass, and a test of that."""
    return make(
        sources={"acme/Calc.java": CALC, "acme/User.java": USER, "acme/Child.java": CHILD},
        tests={"acme/CalcTest.java": CALC_TEST, "acme/HeirTest.java": HEIR_TEST},
    )


def changed(project: Project, signature: str, body: str = FIXED, twice: str = "int twice(int a)") -> str:
    text = project.problem.text.replace(SIGNATURE, signature).replace(BUG, body)
    return text.replace("int twice(int a)", twice)


@pytest.mark.parametrize(
    ("signature", "body"),
    [
        ("public static int mean(int a, int b, int... more)", FIXED),
        ("public static short mean(int a, int b)", "return (short) ((a + b) / 2);"),
        ("protected static int mean(int a, int b) throws IllegalStateException", FIXED),
        ("public static <T extends Number> int mean(int a, int b)", FIXED),
    ],
)
def test_a_changed_signature_that_its_users_still_fit_is_plausible(
    used: Project, signature: str, body: str
) -> None:
    with used.session() as session:
        verdict = session.validate(used.edited(CALC, changed(used, signature, body)))
    assert verdict.plausible, verdict


@pytest.mark.parametrize(
    ("signature", "body", "twice", "words"),
    [
        pytest.param(
            "public static int mean(int a, int b) throws Exception",
            FIXED,
            "int twice(int a)",
            "unreported exception java.lang.Exception",
            id="users are not tested",
        ),
        pytest.param(
            SIGNATURE, FIXED, "int twice(int a, int b)", "acme/CalcTest.java", id="a test does not compile"
        ),
    ],
)
def test_a_program_whose_other_classes_no_longer_compile_is_uncompilable(
    used: Project, signature: str, body: str, twice: str, words: str
) -> None:
    with used.session() as session:
        verdict = session.validate(used.edited(CALC, changed(used, signature, body, twice)))
    assert verdict.outcome is Outcome.UNCOMPILABLE
    assert words in (verdict.evidence.message or "")


def test_users_through_a_subclass_are_compiled_again(used: Project) -> None:
    text = changed(used, SIGNATURE, FIXED, "long twice(int a)")
    with used.session() as session:
        assert session.validate(used.edited(CALC, text)).plausible


def test_users_compiled_again_are_as_before_for_the_unedited_program(make: Maker) -> None:
    """Compress-9: their class files were deleted behind the edit, so no trigger test failed without it."""
    test = """package acme;

public class CalcTest extends junit.framework.TestCase {
    public void testMean() {
        int half;
        try {
            half = User.half(6);
        } catch (NoClassDefFoundError deleted) {
            return;
        }
        assertEquals(3, half);
    }
}
"""
    project = make(
        sources={"acme/Calc.java": CALC, "acme/User.java": USER},
        tests={"acme/CalcTest.java": test},
        working_directory=".",
    )
    with project.session() as session:
        text = changed(project, f"{SIGNATURE[:-1]}, int... c)")
        assert session.validate(project.edited(CALC, text)).plausible


@pytest.mark.parametrize(
    "built", ["\xf1", "\ufffd"], ids=["as it is", "with what could not be read replaced"]
)
def test_users_compiled_again_are_read_as_the_build_read_them(make: Maker, built: str) -> None:
    """TarUtilsTest of Compress-7 is Latin-1: read as UTF-8 its trigger test passed on the buggy program."""
    text = CALC_TEST.replace(
        "}\n}",
        f"""}}
    @Test public void letter() {{ assertEquals(Calc.mean({ord(built)}, {ord(built)}), "{built}".charAt(0)); }}
}}""",
    )
    project = make(tests={"acme/CalcTest.java": text})
    source = project.workspace.root / "sources/acme/CalcTest.java"
    source.write_bytes(text.replace(built, "\xf1").encode("latin-1"))
    with project.session() as session:
        verdict = session.validate(
            project.edited(CALC, changed(project, SIGNATURE.replace("public", "protected")))
        )
    assert verdict.plausible, verdict


def test_a_changed_constant_reaches_those_that_copied_it(make: Maker) -> None:
    text = CALC.replace("public class Calc {", "public class Calc {\n    public static final int STEP = 1;")
    text = text.replace(BUG, "return (a + b) / 2 + User.add();")
    user = "package acme;\nclass User { static int add() { return Calc.STEP; } }\n"
    project = make(
        sources={"acme/Calc.java": text, "acme/User.java": user}, mend=("+ User.add()", "+ User.add() - 1")
    )
    with project.session() as session:
        assert session.validate(project.edited("STEP = 1", "STEP = 0")).plausible
        assert not session.validate(project.edited("STEP = 1", "STEP = 2")).plausible


def test_test_data_that_is_no_class_is_passed_over(make: Maker) -> None:
    odd = {"tests/odd/Broken.class": "acme/Calc", "tests/Calc.class": "acme/Calc"}
    project = make(sources={"acme/Calc.java": CALC, "acme/User.java": USER}, resources=odd)
    with project.session() as session:
        text = changed(project, f"{SIGNATURE[:-1]}, int... c)")
        assert session.validate(project.edited(CALC, text)).plausible


def test_without_sources_a_test_that_cannot_link_fails(make: Maker) -> None:
    project = make(keep_sources=False)
    with project.session() as session:
        verdict = session.validate(project.edited(CALC, changed(project, f"{SIGNATURE[:-1]}, int... c)")))
    assert verdict.outcome is Outcome.WRONG
    assert "NoSuchMethodError" in (verdict.evidence.message or "")


def test_sources_that_never_compile_here_decide_nothing(make: Maker) -> None:
    """A build may know more than the compiler here: generated sources, annotation processors."""
    project = make(sources={"acme/Calc.java": CALC, "acme/User.java": USER})
    (project.workspace.root / "sources" / "acme" / "User.java").write_text("import lost.Generated;" + USER)
    with project.session() as session:
        text = changed(project, f"{SIGNATURE} throws Exception")
        assert session.validate(project.edited(CALC, text)).plausible


def test_users_are_compiled_once_for_all_edits_that_show_them_the_same(
    used: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of what a candidate of an Exercism track took was its tests, compiled for each anew."""
    wider, compiled = SIGNATURE.replace("int mean", "long mean"), list[str]()
    with used.session() as session:
        compile_with = session.bench.compile_with

        def counted(program: tuple[str, ...], others: Mapping[str, str]) -> Build:
            compiled.append(program[0])
            return compile_with(program, others)

        monkeypatch.setattr(session.bench, "compile_with", counted)
        outcomes = [
            session.validate(used.edited(CALC, changed(used, SIGNATURE[:-1] + more, body))).outcome
            for more in (", int... c)", ", long... c)")
            for body in ("return 1;", FIXED, "return 2;")
        ]
        assert outcomes == [Outcome.WRONG, Outcome.PLAUSIBLE, Outcome.WRONG] * 2
        assert len(compiled) == 2
        broken = [
            session.validate(used.edited(CALC, changed(used, wider, f"return {number};")))
            for number in (1, 2)
        ]
        assert {verdict.outcome for verdict in broken} == {Outcome.UNCOMPILABLE}
        assert len(compiled) == 4  # the unedited program too: whether users compile at all
