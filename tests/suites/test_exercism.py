"""Exercism: our own track is sound; a track is read strictly."""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.formats import Whole
from nl2fix.core.records import Candidate, Outcome
from nl2fix.languages import language
from nl2fix.suites.exercism import OWN, Exercism, make
from nl2fix.suites.exercism.exercises import JOINED_LATER, read_track
from tests.suites.samples import checked


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """A track of two exercises that a test may damage."""
    copy = tmp_path / "track"
    shutil.copytree(OWN / "python", copy)
    for folder in sorted((copy / "exercises" / "practice").iterdir())[2:]:
        shutil.rmtree(folder)
    return copy


def suite(tmp_path: Path, **options: str) -> Exercism:
    return make(options, Environment(tmp_path / "cache").having("sandbox", memory=256))


def test_own_exercises_are_sound(tmp_path: Path) -> None:
    results = checked(suite(tmp_path), tmp_path)
    assert [result.reason for result in results] == [None] * 8
    assert all(result.reference and result.reference.evidence.tests_run >= 5 for result in results)


def test_a_problem_is_the_stub_with_the_texts_and_the_last_instruction(tmp_path: Path) -> None:
    problem = next(p for p in suite(tmp_path).problems() if p.id == "price-list")
    assert problem.path == "price_list.py" and problem.before == problem.text
    text = problem.instructions["descriptive"]
    first, second = text.index("A shop keeps its prices"), text.index("`basket_samples` of their own")
    assert first < second < text.index("modify the supplied files: price_list.py\n")
    assert "assertEqual" not in text and "rpartition" not in text
    assert problem.metadata == {"difficulty": "4"} and problem.project == "difficulty 4"


def test_failing_answers_carry_the_output_of_the_tests(tmp_path: Path) -> None:
    own = suite(tmp_path)
    problem = next(p for p in own.problems() if p.id == "shift-bits")
    with closing(own.validator()) as validator, validator.session(problem) as session:
        verdict = session.validate(Candidate(problem.before))
    assert verdict.outcome is Outcome.WRONG
    assert verdict.evidence.failing_test == "shift_bits_test.ShiftBitsTest.test_around_the_end"
    assert "FAIL: test_around_the_end" in str(verdict.evidence.output)


def test_a_whole_file_in_the_answer_is_the_candidate(tmp_path: Path) -> None:
    own = suite(tmp_path)
    problem = own.problems()[0]
    code = own.reference(problem).apply(problem)
    answer = f"Here it is.\n\n{problem.path}\n```python\n{code}```\n"
    candidate = Whole().extract(answer, problem, language("python"))
    assert candidate.apply(problem) == code


@pytest.mark.parametrize(
    ("file", "change", "reason"),
    [
        ("config.json", None, "cannot read"),
        ("config.json", "{", "no JSON"),
        ("config.json", {"slug": "cobol"}, "slug is 'cobol', not one of python, java"),
        ("config.json", {"slug": "python"}, "exercises.practice is no list"),
        ("{}/.meta/config.json", {}, "no table files"),
        ("{}/.meta/config.json", {"files": {"solution": []}}, "files.solution is no list of paths"),
        ("{}/.meta/config.json", {"files": {"solution": ["a.py"], "test": [1]}}, "files.test is no list"),
        (
            "{}/.meta/config.json",
            {"files": {"solution": ["../../../config.json"], "test": ["t"], "example": ["e"]}},
            "lies outside the exercise",
        ),
        (
            "{}/.meta/config.json",
            {"files": {"solution": ["gone.py"], "test": ["t"], "example": ["e"]}},
            "gone.py",
        ),
        ("{}/.docs/instructions.md", None, "instructions.md is missing"),
    ],
)
def test_a_damaged_track_is_refused_in_one_line(track: Path, file: str, change: object, reason: str) -> None:
    exercise = sorted((track / "exercises" / "practice").iterdir())[0]
    target = track / file.format(exercise.relative_to(track))
    if change is None:
        target.unlink()
    else:
        target.write_text(change if isinstance(change, str) else json.dumps(change))
    with pytest.raises(DataError) as caught:
        read_track(track)
    assert reason in str(caught.value) and "\n" not in str(caught.value)


def test_a_track_of_another_language_than_asked_for_is_refused(track: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is in python, not in java: leave suite.language out"):
        suite(tmp_path, data=str(track), language="java").problems()


def test_the_study_s_subset_leaves_out_what_joined_later(track: Path, tmp_path: Path) -> None:
    practice = track / "exercises" / "practice"
    shutil.copytree(next(practice.iterdir()), practice / "camicia")
    assert "camicia" in JOINED_LATER
    everything = {p.id for p in suite(tmp_path, data=str(track)).problems()}
    assert everything - {p.id for p in suite(tmp_path, data=str(track), subset="study").problems()} == {
        "camicia"
    }


def test_tests_that_are_functions_alone_are_run_by_pytest(track: Path, tmp_path: Path) -> None:
    """By unittest not one of them ran, and the reference was wrong."""
    folder = track / "exercises" / "practice" / "clamp-reading"
    (folder / "clamp_reading_test.py").write_text(
        "import clamp_reading\n\ndef test_it():\n    assert 1 == 1\n"
    )
    own = make({"data": str(track)}, Environment(tmp_path / "cache").having("sandbox", python=sys.executable))
    problem = next(problem for problem in own.problems() if problem.id == "clamp-reading")
    assert own.prepare([problem], 1, lambda *_: None) == {}


def test_data_and_folders_beside_the_tests_are_there(track: Path, tmp_path: Path) -> None:
    """Only Python files of the same folder were: FileNotFoundError: 'words.txt'."""
    folder = track / "exercises" / "practice" / "clamp-reading"
    module = folder / "clamp_reading_test.py"
    module.write_text(f"import helpers.words\nassert open('words.txt').read() == 'ä'\n{module.read_text()}")
    (folder / "words.txt").write_text("ä")
    (folder / "picture.png").write_bytes(b"\x89PNG\xff")
    (folder / "link.txt").symlink_to(track / "config.json")
    for name in ("helpers", "__pycache__", ".pytest_cache"):
        (folder / name).mkdir()
        (folder / name / "words.py").write_text("")
    exercise = next(each for each in read_track(track) if each.slug == "clamp-reading")
    assert [file.path for file in exercise.tests[1:]] == ["helpers/words.py", "words.txt"]
    own = suite(tmp_path, data=str(track))
    assert own.prepare([p for p in own.problems() if p.id == exercise.slug], 1, lambda *_: None) == {}
