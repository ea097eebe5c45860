"""Exercism's Java: our own track is sound; stubs, several files, shown files, what failing tests say."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.formats import Whole
from nl2fix.core.protocols import Validator
from nl2fix.core.records import Candidate, Outcome, Problem, candidate_from_files
from nl2fix.languages import language
from nl2fix.languages.java import Java
from nl2fix.suites.exercism import OWN, Exercism, java, make
from nl2fix.suites.exercism.exercises import read_track
from tests.suites.samples import checked, quiet

JAVA = {"language": "java"}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Workspaces that all tests share; each is prepared once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def own(cache: Path) -> Exercism:
    return make(JAVA, Environment(cache=cache, jobs=1))


@pytest.fixture(scope="module")
def prepared(own: Exercism) -> Iterator[Validator]:
    assert own.prepare(own.problems(), 1, quiet) == {}
    with closing(own.validator()) as validator:
        yield validator


def problem(own: Exercism, slug: str) -> Problem:
    return next(p for p in own.problems() if p.id == slug)


def test_own_exercises_are_sound(own: Exercism, prepared: Validator, tmp_path: Path) -> None:
    results = checked(own, tmp_path, errors={})
    assert [result.reason for result in results] == [None] * 8
    assert all(result.reference and result.reference.evidence.tests_run >= 5 for result in results)


def test_a_problem_spans_all_stubs_and_names_them(own: Exercism) -> None:
    several = problem(own, "price-list")
    assert list(several.files) == ["src/main/java/PriceList.java", "src/main/java/Basket.java"]
    text = several.instructions["descriptive"]
    assert "modify the supplied files: src/main/java/PriceList.java src/main/java/Basket.java\n" in text
    assert text.index("A shop keeps its prices") < text.index("The tests bring a class `Samples`")
    assert "BigDecimal" not in text and "assertThat" not in text


def test_files_that_stay_are_shown_and_may_not_be_defined_again(own: Exercism, prepared: Validator) -> None:
    queue = problem(own, "ticket-queue")
    assert [file.path for file in queue.shown] == ["src/main/java/NobodyWaitsException.java"]
    right = own.reference(queue).apply(queue)
    again = right + "class NobodyWaitsException extends Exception {}\n"
    with prepared.session(queue) as session:
        verdict = session.validate(candidate_from_files(queue, {queue.path: right}))
        assert verdict.plausible, verdict.evidence
        twice = session.validate(candidate_from_files(queue, {queue.path: again}))
    assert twice.outcome is Outcome.UNCOMPILABLE and "duplicate class" in str(twice.evidence.message)


def test_a_stub_without_what_the_tests_use_does_not_compile(own: Exercism, prepared: Validator) -> None:
    ferry = problem(own, "river-crossing")
    half = "import java.util.List;\nclass RiverCrossing { RiverCrossing(List<Integer> all, int weight) {} }\n"
    with prepared.session(ferry) as session:
        for answer in (ferry.text, half):
            verdict = session.validate(candidate_from_files(ferry, {ferry.path: answer}))
            assert verdict.outcome is Outcome.UNCOMPILABLE
            assert "RiverCrossingTest.java" in str(verdict.evidence.output)
        assert session.validate(own.reference(ferry)).plausible


def test_what_an_example_adds_to_the_stubs_lies_in_the_first_file(own: Exercism) -> None:
    ferry = problem(own, "river-crossing")
    text = own.reference(ferry).apply(ferry)
    assert text.index("import java.util.ArrayList;") < text.index("class RiverCrossing {")
    assert "\nfinal class Load {" in text and text.count("import java.util.List;") == 1
    assert Java.parser().parse(text.encode()).root_node.has_error is False


def test_failing_answers_carry_all_failures_as_a_build_tells_them(own: Exercism, prepared: Validator) -> None:
    clamp = problem(own, "clamp-reading")
    code = "class ClampReading {\n    static int clamp(int value, int low, int high) { return value; }\n}\n"
    with prepared.session(clamp) as session:
        verdict = session.validate(Candidate(code))
    output = str(verdict.evidence.output)
    assert verdict.outcome is Outcome.WRONG
    assert output.count(" FAILED\n") == 3 and "ClampReadingTest > below() FAILED\n" in output
    assert "at ClampReadingTest.below(ClampReadingTest.java:" in output
    assert "at org.junit" not in output and "onABound" not in output


def test_tests_of_junit_4_run_too(own: Exercism, prepared: Validator) -> None:
    ladder = problem(own, "word-ladder")
    with prepared.session(ladder) as session:
        verdict = session.validate(own.reference(ladder))
    assert verdict.plausible and verdict.evidence.tests_run == 6


def test_answered_files_are_the_candidate(own: Exercism) -> None:
    several = problem(own, "price-list")
    reference = own.reference(several)
    texts = {several.path: reference.apply(several), **dict(reference.others)}
    answer = "".join(f"{path}\n```java\n{text}```\n\n" for path, text in texts.items())
    assert Whole().extract(answer, several, language("java")) == reference


def test_every_test_is_enabled() -> None:
    text = '@Disabled("Remove to run test")\n    @Test\n  @Ignore\n@Disabled\n@DisplayName("@Disabled")\n'
    assert java.enabled(text) == '\n    @Test\n\n\n@DisplayName("@Disabled")\n'


def test_an_exercise_that_needs_another_library_is_listed(tmp_path: Path) -> None:
    copy = tmp_path / "track"
    practice = copy / "exercises" / "practice"
    shutil.copytree(OWN / "java", copy)
    for folder in sorted(practice.iterdir())[1:]:
        shutil.rmtree(folder)
    (exercise,) = practice.iterdir()
    (exercise / "build.gradle").write_text(
        'dependencies {\n    implementation "io.reactivex.rxjava2:rxjava:2.2.12"\n'
        '    testImplementation "org.assertj:assertj-core:3.25.1"\n'
        '    testImplementation "junit:junit:4.13"\n}\n'
    )
    assert [e.requires for e in read_track(copy)] == [("io.reactivex.rxjava2:rxjava:2.2.12",)]
    suite = make({"data": str(copy)}, Environment(cache=tmp_path / "cache", jobs=1))
    assert suite.prepare(suite.problems(), 1, quiet) == {
        exercise.name: "needs io.reactivex.rxjava2:rxjava:2.2.12; put the jars into the folder suite.jars"
    }


def test_jars_of_the_user_go_before_debian_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "assertj-core-3.25.1.jar").write_bytes(b"")
    assert java.libraries(tmp_path)["assertj-core"] == tmp_path / "assertj-core-3.25.1.jar"
    monkeypatch.setattr(java, "DEBIAN", tmp_path / "nothing")
    with pytest.raises(UsageError, match="need junit-jupiter-api.*: apt install junit5 .*suite.jars=FOLDER"):
        java.libraries(tmp_path)
    with pytest.raises(UsageError, match="is no folder"):
        java.libraries(tmp_path / "gone")


@pytest.mark.parametrize(
    ("stub", "example", "call"),
    [
        (
            "class ClampReading { static int clamp(int value, int low, int high) { return value; } }\n",
            "class ClampReading { static Integer clamp(int value, int low, int high) "
            "{ return Math.max(low, Math.min(value, high)); } }\n",
            "ClampReading.clamp(50, 0, 40)",
        ),
        (
            "class ClampReading { static Reading of(int value) { return new Reading(); }\n"
            "  static class Reading { int clamp(int low, int high) { return -1; } } }\n",
            "class ClampReading { static Reading of(int value) { return new Reading(value); } }\n"
            "class Reading { int value; Reading(int v) { value = v; }\n"
            "  int clamp(int low, int high) { return Math.max(low, Math.min(value, high)); } }\n",
            "ClampReading.of(50).clamp(0, 40)",
        ),
    ],
    ids=["another type", "a type moved out"],
)
def test_tests_are_compiled_again_beside_an_example_that_changes_what_they_use(
    tmp_path: Path, stub: str, example: str, call: str
) -> None:
    copy = tmp_path / "track"
    shutil.copytree(OWN / "java", copy)
    for folder in (copy / "exercises" / "practice").iterdir():
        if folder.name != "clamp-reading":
            shutil.rmtree(folder)
            continue
        (folder / "src/main/java/ClampReading.java").write_text(stub)
        (folder / ".meta/src/reference/java/ClampReading.java").write_text(example)
        (folder / "src/test/java/ClampReadingTest.java").write_text(
            "import static org.assertj.core.api.Assertions.assertThat;\nclass ClampReadingTest {\n"
            f"  @org.junit.jupiter.api.Test void above() {{ assertThat({call}).isEqualTo(40); }}\n}}\n"
        )
    suite = make({"data": str(copy)}, Environment(cache=tmp_path / "cache", jobs=1))
    assert suite.prepare(suite.problems(), 1, quiet) == {}
    (only,) = suite.problems()
    with closing(suite.validator()) as validator, validator.session(only) as session:
        assert session.validate(suite.reference(only)).plausible
