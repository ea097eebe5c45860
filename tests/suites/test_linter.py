"""The suite linter: our own problems, files of CodeLinterEval, and files made of any code."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.records import Problem
from nl2fix.prompting.strategies import linter as strategy
from nl2fix.suites.linter import OWN, LinterSuite, make, making
from nl2fix.suites.linter.rows import read
from nl2fix.validation.lint import Desk
from nl2fix.validation.lint import make as make_linter
from nl2fix.validation.lint.desk import Linted
from tests.suites.samples import checked, quiet

THEIRS = {
    "instruction": "Mend:\n{feedback}\nin\n{code}",
    "inputs": {
        "code": "def f(a,b):\n  return {a: b}",
        "feedback": "E231: missing whitespace after ',' in 1 line\nE111: not a multiple of 4 in 2 line\n",
    },
    "outputs": [1],
    "meta": {"id": 7, "canonical_code": "\ndef other(a, b):\n    return a\n"},
}


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]


def write(file: Path, content: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in content))
    return file


def suite(tmp_path: Path, **options: str) -> LinterSuite:
    return make(options, Environment(tmp_path / "cache"))


def reasons(chosen: LinterSuite, problems: list[Problem], tmp_path: Path) -> dict[str, str | None]:
    return {result.problem: result.reason for result in checked(chosen, tmp_path, problems)}


@pytest.mark.parametrize("linter", ["flake8", "ruff", "checkstyle", "javac"])
def test_own_problems_are_sound(tmp_path: Path, linter: str) -> None:
    if linter == "checkstyle" and shutil.which("checkstyle") is None:
        pytest.skip("Checkstyle is not installed (apt-get install checkstyle)")
    own = suite(tmp_path)
    problems = [p for p in own.problems() if p.metadata["linter"] == linter]
    assert reasons(own, problems, tmp_path) == {p.id: None for p in problems}


def test_there_are_enough_problems_of_our_own_and_they_tell_their_linter(tmp_path: Path) -> None:
    spoken = [p.language for p in suite(tmp_path).problems()]
    assert spoken.count("python") >= 8 and spoken.count("java") >= 4
    told = next(p for p in suite(tmp_path).problems() if p.id == "long-report")
    assert told.metadata["linter.max_line_length"] == "88" and told.metadata["version"]


def test_a_codelintereval_file_is_read_in_all_its_forms(tmp_path: Path) -> None:
    one = write(tmp_path / "x.jsonl", [THEIRS])
    (tmp_path / "x.json").write_text(json.dumps([THEIRS]))
    (row,) = read(one)
    assert row.id == "CodeLinterEval/7" and [m.code for m in row.messages] == ["E231", "E111"]
    assert [r.feedback for r in read(tmp_path / "x.json")] == [row.feedback]
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist([THEIRS]), tmp_path / "x.parquet")
    assert [r.code for r in read(tmp_path / "x.parquet")] == [row.code]


def test_its_reference_is_the_fixer_s_as_the_canonical_code_is_another_program(tmp_path: Path) -> None:
    chosen = suite(tmp_path, data=str(write(tmp_path / "x.jsonl", [THEIRS])))
    problems = list(chosen.problems())
    assert reasons(chosen, problems, tmp_path) == {"CodeLinterEval/7": None}
    assert chosen.reference(problems[0]).code == "def f(a, b):\n    return {a: b}\n"


def test_its_instruction_is_prompt_0_and_ours_are_1_to_10(tmp_path: Path) -> None:
    data = str(write(tmp_path / "x.jsonl", [THEIRS]))
    theirs, ours = suite(tmp_path, data=data).problems()[0], suite(tmp_path).problems()[0]

    def prompt(problem: Problem, number: int) -> str:
        options = {"number": number, "format": "whole"}
        return strategy(options, Environment(tmp_path)).render(problem).messages[-1].content

    assert prompt(theirs, 0).startswith("Mend:\nE231: missing whitespace after ',' in 1 line\n")
    assert "return {a: b}" in prompt(theirs, 0)
    assert prompt(ours, 0) == prompt(ours, 1)
    wordings = {prompt(ours, number) for number in range(1, 11)}
    assert len(wordings) == 10
    assert all("E302: expected 2 blank lines" in text and "Counter( words )" in text for text in wordings)
    with pytest.raises(UsageError, match=r"prompt.linter.number must be 0 to 10, not 11"):
        prompt(ours, 11)


@pytest.mark.parametrize(
    "field", ["id", "path", "code", "linter", "version", "settings", "messages", "tests", "fixed"]
)
def test_a_row_of_ours_with_a_wrong_field_is_refused_by_name(tmp_path: Path, field: str) -> None:
    with pytest.raises(DataError) as caught:
        read(write(tmp_path / "x.jsonl", [lines()[1], {**lines()[0], field: 3}]))
    assert "line 2" in str(caught.value) and field in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"instruction": None}, "instruction"),
        ({"inputs": 3}, "inputs"),
        ({"inputs": {"code": "x"}}, "feedback"),
        ({"meta": {"id": 1}}, "canonical_code"),
        ({"meta": {"canonical_code": ""}}, "id"),
    ],
)
def test_a_row_of_theirs_with_a_wrong_field_is_refused_by_name(
    tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    with pytest.raises(DataError, match=rf"line 1: .*{named}"):
        read(write(tmp_path / "x.jsonl", [{**THEIRS, **change}]))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "holds no problem"),
        ("{", "line 1: no JSON"),
        ("[3]", "entry 1: no JSON object"),
        ("[" * 100_000, "no JSON"),
        (json.dumps({**lines()[0], "linter": "moon"}), "line 1: unknown linter 'moon'"),
        (json.dumps({**lines()[0], "settings": {"x": "1"}}), "unknown key 'x' in the settings of flake8"),
        (json.dumps({**lines()[0], "path": "../x.py"}), "no path of a file inside a project"),
        (json.dumps(lines()[0]) + "\n" + json.dumps(lines()[0]), "a second time"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, content: str, reason: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(content)
    with pytest.raises(DataError, match=reason):
        read(file)


def test_a_problem_that_the_installed_linter_has_nothing_to_say_of_is_listed(tmp_path: Path) -> None:
    row = {**lines()[0], "code": "x = 1\n"}
    chosen = suite(tmp_path, data=str(write(tmp_path / "x.jsonl", [row])))
    (reason,) = chosen.prepare(chosen.problems(), 1, quiet).values()
    assert reason.startswith("flake8 ") and "has nothing to say of it (made with" in reason


def test_problems_are_made_of_a_tree_and_of_a_file_like_mbpp_s(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "pkg").mkdir(parents=True)
    (tree / ".hidden").mkdir()
    (tree / "pkg" / "a.py").write_text("import os\n")
    (tree / "pkg" / "clean.py").write_text("x = 1\n")
    (tree / "pkg" / "broken.py").write_text("def f(:\n")
    (tree / "pkg" / "latin.py").write_bytes(b"# \xe9\n")
    (tree / ".hidden" / "b.py").write_text("import os\n")
    (tree / "like.jsonl").write_text(
        json.dumps({"task_id": 5, "code": "def f(a):\n  return a\n", "test_list": ["assert f(1) == 1"]})
        + "\n"
    )
    with closing(Desk(Environment(tmp_path / "cache"))) as desk:
        linter = make_linter("flake8", {"max_line_length": "100"})
        made = {one.id: one for one in making.make_rows(tree, linter, desk)}
        like = [*making.make_rows(tree / "like.jsonl", linter, desk)]
        with pytest.raises(UsageError, match="file of Python programs"):
            [*making.make_rows(tree / "like.jsonl", make_linter("javac", {}), desk)]
    assert {ident: bool(one.row) for ident, one in made.items()} == {
        "pkg/a.py": True,
        "pkg/broken.py": False,
        "pkg/clean.py": False,
        "pkg/latin.py": False,
    }
    assert "not in UTF-8" in made["pkg/latin.py"].reason and made["pkg/broken.py"].reason
    written = [one.row for one in (made["pkg/a.py"], *like) if one.row]
    first, second = read(write(tmp_path / "made.jsonl", written))
    assert [m.code for m in first.messages] == ["F401"] and first.linter.settings == {
        "max_line_length": "100"
    }
    assert second.id == "5" and second.tests == "assert f(1) == 1\n"


@pytest.mark.parametrize(
    ("line", "named"),
    [("{}", "no text code"), ("{", "no JSON"), ('{"code": "", "test_list": "x"}', "test_list")],
)
def test_a_file_that_is_not_like_mbpp_s_is_refused(tmp_path: Path, line: str, named: str) -> None:
    (tmp_path / "x.jsonl").write_text(line)
    with closing(Desk(Environment(tmp_path / "cache"))) as desk, pytest.raises(DataError, match=named):
        [*making.make_rows(tmp_path / "x.jsonl", make_linter("flake8", {}), desk)]


def test_a_problem_whose_messages_the_fixer_leaves_is_listed(tmp_path: Path) -> None:
    """A package's re-exports: no fixer takes an import away that others may use."""
    code = {"id": "p", "path": "p/__init__.py", "code": "from os import path\n", "linter": "flake8"}
    told = {"settings": {}, "version": "", "messages": [["F401", 1, 1, "'os.path' imported but unused"]]}
    made = suite(tmp_path, data=str(write(tmp_path / "rows.jsonl", [{**code, **told}])))
    errors = made.prepare(made.problems(), 1, quiet)
    assert errors == {"p": "no reference: flake8's own fixer leaves F401 in line 1"}


@pytest.mark.parametrize(
    ("linted", "why"), [(Linted(late=True), "out of time"), (Linted(broken="it fell"), "it fell")]
)
def test_a_linter_that_is_late_on_a_made_reference_has_not_found_it_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linted: Linted, why: str
) -> None:
    """One that had run out of time had said nothing, so the problem was taken for sound."""
    code = {"id": "p", "path": "p.py", "code": "import os\nx = 1\n", "linter": "flake8", "settings": {}}
    told = {"version": "", "messages": [["F401", 1, 1, "'os' imported but unused"]]}
    made = suite(tmp_path, data=str(write(tmp_path / "rows.jsonl", [{**code, **told}])))
    lint = Desk.lint

    def first(desk: Desk, linter: Any, path: str, text: str, honour: bool = True) -> Linted:
        return lint(desk, linter, path, text, honour) if "import os" in text else linted

    monkeypatch.setattr(Desk, "lint", first)
    errors = made.prepare(made.problems(), 1, quiet)
    assert errors == {"p": f"no reference: flake8 breaks on what its own fixer makes: {why}"}


def test_a_linter_that_is_not_installed_leaves_the_others_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an image without ruff all problems once fell out, those of Checkstyle included."""
    installed = Desk.version

    def version(desk: Desk, linter: Any) -> str:
        if linter.name == "ruff":
            raise UsageError("no ruff in the sandbox")
        return installed(desk, linter)

    monkeypatch.setattr(Desk, "version", version)
    rows = [row for row in lines() if row["linter"] in ("ruff", "checkstyle")]
    made = suite(tmp_path, data=str(write(tmp_path / "rows.jsonl", rows)))
    errors = made.prepare(made.problems(), 1, quiet)
    assert errors == {row["id"]: "no ruff in the sandbox" for row in rows if row["linter"] == "ruff"}
