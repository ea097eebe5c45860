"""CanItEdit: our own problems are sound; files of the release are read strictly."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate
from nl2fix.prompting.strategies import canitedit as strategy
from nl2fix.suites.canitedit import OWN, CanItEdit, libraries, make, read_tasks
from tests.suites.samples import checked, quiet


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]


def write(file: Path, content: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in content))
    return file


def suite(tmp_path: Path, **options: str) -> CanItEdit:
    return make(options, Environment(tmp_path / "cache").having("sandbox", memory=256))


def test_own_problems_are_sound(tmp_path: Path) -> None:
    results = checked(suite(tmp_path), tmp_path)
    assert [result.reason for result in results] == [None] * 8


def test_both_instructions_are_settings_of_one_problem(tmp_path: Path) -> None:
    own = suite(tmp_path)
    problem = own.problems()[0]
    assert problem.id == "1_run_lengths" and problem.project == "Language Processing"
    for kind in ("lazy", "descriptive"):
        options = {"instruction": kind, "format": "whole"}
        prompt = strategy(options, Environment(tmp_path)).render(problem)
        assert problem.instructions[kind] in prompt.messages[-1].content
        assert "START TESTS" not in prompt.messages[-1].content


def test_parquet_reads_as_json_lines(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    file = tmp_path / "release.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows()), file)
    assert read_tasks(file) == read_tasks(OWN)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(DataError, match="no Parquet"):
        read_tasks(file)


def test_a_missing_library_leaves_the_problem_out(tmp_path: Path) -> None:
    row = {**rows()[0], "after": "import no_such_library\n"}
    chosen = suite(tmp_path, data=str(write(tmp_path / "x.jsonl", [row, rows()[2]])))
    errors = chosen.prepare(chosen.problems(), 1, quiet)
    assert list(errors) == [row["full_name"]]
    assert errors[row["full_name"]].startswith("needs a library: no_such_library")


def test_libraries_are_read_off_imports() -> None:
    assert libraries("import os, numpy.linalg as la\nfrom torch import nn\nfrom . import x\n") == (
        "numpy",
        "torch",
    )
    assert libraries("not python (") == ()


@pytest.mark.parametrize("field", ["full_name", "before", "after", "tests", "instruction_lazy", "taxonomy"])
def test_a_row_that_lacks_a_field_is_refused_by_name(tmp_path: Path, field: str) -> None:
    row = {key: value for key, value in rows()[0].items() if key != field}
    with pytest.raises(DataError) as caught:
        read_tasks(write(tmp_path / "x.jsonl", [rows()[1], row]))
    assert "line 2: no t" in str(caught.value) and field in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "holds no problem"),
        ("{", "line 1: no JSON"),
        ("[3]", "entry 1: no JSON object"),
        ("[" * 100_000, "no JSON"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, content: str, reason: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(content)
    with pytest.raises(DataError, match=reason):
        read_tasks(file)


def test_the_same_problem_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a second time"):
        read_tasks(write(tmp_path / "x.jsonl", [rows()[0], rows()[0]]))


def test_a_program_s_main_block_runs_before_its_tests(tmp_path: Path) -> None:
    own = suite(tmp_path)
    problem = next(p for p in own.problems() if p.id == "8_temperature")
    code = own.reference(problem).apply(problem)
    with closing(own.validator()) as validator, validator.session(problem) as session:
        assert session.validate(Candidate(code)).plausible
        broken = session.validate(Candidate(code + "    raise ValueError('in main')\n"))
    assert "in main" in str(broken.evidence.message)
