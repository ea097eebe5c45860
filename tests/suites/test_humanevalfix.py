from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Candidate, Outcome, Problem
from nl2fix.suites.humanevalfix import OWN, HumanEvalFix, make, read_tasks
from tests.suites.samples import JAVA_ROWS, PYTHON_ROWS, checked, quiet, write_rows


def suite(tmp_path: Path, rows: Any, **options: str) -> HumanEvalFix:
    file = write_rows(tmp_path / "data.jsonl", *rows)
    return make({"data": str(file), **options}, Environment(tmp_path / "cache"))


def refusal(tmp_path: Path, content: bytes) -> str:
    file = tmp_path / "data.jsonl"
    file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        make({"data": str(file)}, Environment(tmp_path)).problems()
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(str(file))


class TestProblems:
    def test_java(self, tmp_path: Path) -> None:
        problem = suite(tmp_path, JAVA_ROWS).problems()[0]
        assert (problem.id, problem.language, problem.path) == ("Java/0", "java", "Solution.java")
        assert problem.entity == "largest(List)"
        assert problem.text == JAVA_ROWS[0]["declaration"] + JAVA_ROWS[0]["buggy_solution"]
        assert problem.before.startswith("public int largest(")
        assert problem.before.endswith("}")
        assert "// the largest" in problem.before
        assert "//" not in problem.visible
        facts = {"bug_type": "operator misuse", "failure_symptoms": "incorrect output"}
        assert problem.metadata == {**facts, "tests": "description"}
        assert problem.told == [problem.title]

    def test_python(self, tmp_path: Path) -> None:
        problem = suite(tmp_path, PYTHON_ROWS).problems()[0]
        assert (problem.id, problem.language, problem.path) == ("Python/0", "python", "solution.py")
        assert problem.entity == "mean"
        assert problem.before == "def mean(numbers: List[float]) -> float:\n    return sum(numbers) / 2"
        assert problem.text.startswith("import math\n")
        assert problem.text.endswith(problem.before + "\n")

    @pytest.mark.parametrize("rows", [JAVA_ROWS, PYTHON_ROWS])
    def test_reference_replaces_the_region(self, tmp_path: Path, rows: Any) -> None:
        chosen = suite(tmp_path, rows)
        for problem, row in zip(chosen.problems(), rows, strict=True):
            reference = chosen.reference(problem)
            assert reference.scope == "region"
            assert row["canonical_solution"].strip() in reference.apply(problem)

    def test_order_is_the_files(self, tmp_path: Path) -> None:
        chosen = suite(tmp_path, reversed(PYTHON_ROWS))
        assert [p.id for p in chosen.problems()] == ["Python/2", "Python/1", "Python/0"]

    def test_misspelled_entry_point(self, tmp_path: Path) -> None:
        problem = suite(tmp_path, JAVA_ROWS).problems()[2]
        assert problem.title == "Fix bugs in count_up."
        assert problem.entity == "countUp(int)"


class TestInstructions:
    def test_tests_variant_shows_the_test(self, tmp_path: Path) -> None:
        problem = suite(tmp_path, JAVA_ROWS).problems()[0]
        assert problem.title == "Fix bugs in largest."
        assert problem.description == JAVA_ROWS[0]["test"].strip()
        assert "Docstring" not in str(problem)

    def test_docs_variant_shows_the_docstring(self, tmp_path: Path) -> None:
        problem = suite(tmp_path, JAVA_ROWS, instruction="docs").problems()[0]
        assert problem.title == "Fix bugs in largest."
        assert problem.description == "Docstring of largest."
        assert "AssertionError" not in str(problem)

    @pytest.mark.parametrize("rows", [JAVA_ROWS, PYTHON_ROWS])
    def test_helpers_of_the_file_are_shown(self, tmp_path: Path, rows: Any) -> None:
        for instruction in ("tests", "docs"):
            problem = suite(tmp_path, rows, instruction=instruction).problems()[1]
            helper, _, rest = problem.description.partition("\n\n")
            assert helper in problem.text
            assert helper not in problem.before
            assert helper.startswith(("public String wrap", "def encode"))
            assert rest

    def test_no_variant_shows_the_solution(self, tmp_path: Path) -> None:
        for instruction in ("tests", "docs"):
            for problem, row in zip(
                suite(tmp_path, JAVA_ROWS, instruction=instruction).problems(), JAVA_ROWS, strict=True
            ):
                assert row["canonical_solution"].strip() not in str(problem)

    def test_both_variants_are_the_same_program(self, tmp_path: Path) -> None:
        tests, docs = (suite(tmp_path, PYTHON_ROWS, instruction=i).problems() for i in ("tests", "docs"))
        assert [(p.text, p.region) for p in tests] == [(p.text, p.region) for p in docs]


class TestGold:
    def test_java(self, tmp_path: Path) -> None:
        results = checked(suite(tmp_path, JAVA_ROWS), tmp_path)
        assert [result.reason for result in results] == [None, None, None]
        assert results[2].unedited is not None
        assert results[2].unedited.outcome is Outcome.TIMEOUT

    def test_python(self, tmp_path: Path) -> None:
        results = checked(suite(tmp_path, PYTHON_ROWS), tmp_path)
        assert [result.reason for result in results] == [None, None, None]

    def test_unsound_task_is_named_with_why(self, tmp_path: Path) -> None:
        right = {**PYTHON_ROWS[0], "buggy_solution": PYTHON_ROWS[0]["canonical_solution"]}
        wrong = {**PYTHON_ROWS[1], "canonical_solution": PYTHON_ROWS[1]["buggy_solution"]}
        first, second = checked(suite(tmp_path, [right, wrong]), tmp_path)
        assert first.reason == "unedited program is plausible: no test fails on it"
        assert second.reason is not None
        assert second.reason.startswith("reference is wrong")

    def test_java_task_that_cannot_be_prepared_is_listed(self, tmp_path: Path) -> None:
        broken = {**JAVA_ROWS[0], "test": "public class Main { int x = ; }"}
        chosen = suite(tmp_path, [broken, JAVA_ROWS[1]])
        errors = chosen.prepare(chosen.problems(), 1, quiet)
        assert list(errors) == ["Java/0"]
        assert "Main.java" in errors["Java/0"]


class TestEdits:
    def verdicts(self, chosen: HumanEvalFix, problem: Problem, codes: list[str]) -> list[Outcome]:
        chosen.prepare([problem], 1, quiet)
        validator = chosen.validator()
        try:
            with validator.session(problem) as session:
                return [session.validate(Candidate(code)).outcome for code in codes]
        finally:
            validator.close()

    def test_java_may_be_newer_than_8_and_bring_helpers(self, tmp_path: Path) -> None:
        chosen = suite(tmp_path, JAVA_ROWS)
        codes = [
            "public int largest(List<Integer> numbers) { var best = numbers.get(0);\n"
            "for (var n : numbers) best = larger(best, n); return best; }\n"
            "private static int larger(int a, int b) { return a > b ? a : b; }",
            "public int largest(List<Integer> numbers) { System.exit(0); return 0; }",
        ]
        assert self.verdicts(chosen, chosen.problems()[0], codes) == [Outcome.PLAUSIBLE, Outcome.WRONG]

    def test_python_has_the_imports_of_the_tasks_evaluation(self, tmp_path: Path) -> None:
        chosen = suite(tmp_path, PYTHON_ROWS)
        codes = [
            "def mean(numbers: Sequence[float]):\n    return statistics.fmean(numbers)",
            "def mean(numbers):\n    raise SystemExit",
            "def mean(numbers):\nreturn 3.0",
        ]
        expected = [Outcome.PLAUSIBLE, Outcome.WRONG, Outcome.UNCOMPILABLE]
        assert self.verdicts(chosen, chosen.problems()[0], codes) == expected


class TestBadInput:
    def test_without_data_there_are_problems_of_our_own(self, tmp_path: Path) -> None:
        assert len(make({}, Environment(tmp_path)).problems()) == 8
        with pytest.raises(
            UsageError, match="language of suite humanevalfix must be one of java, python, javascript"
        ):
            make({"language": "cobol"}, Environment(tmp_path))

    def test_a_file_in_another_language_than_asked_for_is_refused(self, tmp_path: Path) -> None:
        """What was asked for was dropped without a word, and Python judged."""
        file = str(OWN / "python.jsonl")
        with pytest.raises(UsageError, match="is in python, not in java: leave suite.language out"):
            make({"data": file, "language": "java"}, Environment(tmp_path)).problems()
        assert make({"data": file, "language": "python"}, Environment(tmp_path)).problems()

    def test_unknown_option(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="did you mean 'instruction'"):
            make({"instructions": "docs"}, Environment(tmp_path))

    def test_unknown_variant(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="tests, docs"):
            make({"data": "x", "instruction": "doc"}, Environment(tmp_path))

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=r"cannot read .*nothing\.jsonl: No such file"):
            make({"data": str(tmp_path / "nothing.jsonl")}, Environment(tmp_path)).problems()

    def test_folder(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="cannot read"):
            make({"data": str(tmp_path)}, Environment(tmp_path)).problems()

    def test_empty_file(self, tmp_path: Path) -> None:
        assert "holds no task" in refusal(tmp_path, b"\n\n")

    def test_truncated_file(self, tmp_path: Path) -> None:
        whole = write_rows(tmp_path / "whole", *JAVA_ROWS).read_bytes()
        assert refusal(tmp_path, whole[:-20]).startswith(", line 3: no JSON, damaged or cut off")

    def test_invalid_utf8(self, tmp_path: Path) -> None:
        whole = write_rows(tmp_path / "whole", JAVA_ROWS[0]).read_bytes()
        assert refusal(tmp_path, whole + b'{"a": "\xff"}').startswith(", line 2: no JSON, damaged")

    def test_missing_field(self, tmp_path: Path) -> None:
        row = {key: value for key, value in JAVA_ROWS[0].items() if key not in ("test", "docstring")}
        assert refusal(tmp_path, json.dumps(row).encode()).startswith(", line 1: no text test, docstring;")

    def test_line_that_is_no_object(self, tmp_path: Path) -> None:
        assert refusal(tmp_path, b"[1, 2]").startswith(", entry 1: no JSON object")

    def test_other_language(self, tmp_path: Path) -> None:
        row = {**JAVA_ROWS[0], "task_id": "Cobol/0"}
        assert "'Cobol/0' is not in java, python, javascript, go, cpp or rust" in refusal(
            tmp_path, json.dumps(row).encode()
        )

    def test_two_languages(self, tmp_path: Path) -> None:
        content = write_rows(tmp_path / "whole", JAVA_ROWS[0], PYTHON_ROWS[0]).read_bytes()
        assert refusal(tmp_path, content).startswith(", line 2: task 'Python/0' is in another language")

    def test_same_task_twice(self, tmp_path: Path) -> None:
        content = write_rows(tmp_path / "whole", JAVA_ROWS[0], JAVA_ROWS[0]).read_bytes()
        assert refusal(tmp_path, content).startswith(", line 2: task 'Java/0' is there a second time")

    def test_declaration_that_is_none(self, tmp_path: Path) -> None:
        row = {**PYTHON_ROWS[0], "declaration": "x = 1\n", "buggy_solution": "\n"}
        assert "make no function" in refusal(tmp_path, json.dumps(row).encode())


@given(st.data())
def test_a_file_cut_anywhere_is_refused_or_shorter(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / "cut.jsonl"
    whole = write_rows(file, *PYTHON_ROWS).read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    file.write_bytes(whole[:cut])
    lines = whole[:cut].count(b"\n")
    try:
        found = list(read_tasks(file, "tests"))
    except DataError as error:
        assert f"line {lines + 1}: no JSON" in str(error) or "holds no task" in str(error)
    else:
        assert found == [row["task_id"] for row in PYTHON_ROWS[: len(found)]]
        assert len(found) in (lines, lines + 1)
