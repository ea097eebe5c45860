"""HumanEvalFix in six languages: our own problems are sound, and what is missing is told, not failed."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.records import Candidate
from nl2fix.sandboxes.docker import Docker
from nl2fix.suites.humanevalfix import OWN, HumanEvalFix, make, recipes
from nl2fix.suites.humanevalfix.recipes import without_crates
from tests.conftest import missing
from tests.suites.samples import checked, quiet, write_rows

LANGUAGES = ("java", "python", "javascript", "go", "cpp", "rust")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def prepared(suite: HumanEvalFix) -> dict[str, str]:
    """Why problems are left out; the test is skipped where the language's tools are missing."""
    try:
        return suite.prepare(suite.problems(), 1, quiet)
    except UsageError as error:
        missing(str(error))


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_own_problems_are_sound(language: str, cache: Path) -> None:
    suite = make({"language": language}, Environment(cache))
    problems = suite.problems()
    assert len(problems) >= (8 if language in ("java", "python") else 2)
    assert {problem.language for problem in problems} == {language}
    errors = prepared(suite)
    results = checked(suite, cache, problems, errors)
    assert [result.reason for result in results] == [None] * len(problems)


def row(language: str, **changes: str) -> dict[str, Any]:
    """The first of our own problems in a language, changed."""
    return {**json.loads((OWN / f"{language}.jsonl").read_text().splitlines()[0]), **changes}


@pytest.mark.parametrize(
    ("language", "changes", "reason"),
    [
        ("javascript", {"declaration": 'const x = require("left-pad");\nconst countPeaks = (heights) => {\n'},
         "needs the module left-pad, which programs here are not given"),
        ("go", {"test_setup": 'package main\n\nimport (\n    "testing"\n    "example.org/no/such"\n)\n'},
         "needs the package example.org/no/such"),
        ("cpp", {"test": "#include <no/such.h>\n#include <vector>\nint main() { }\n"},
         "needs the header no/such.h"),
        ("rust", {"declaration": "\nuse rand::Rng;\nuse regex::Regex;\n\nfn f(r: Regex) -> bool {\n"},
         "needs the crate regex; programs are built by rustc alone"),
    ],
)  # fmt: skip
def test_a_problem_that_needs_an_absent_library_is_listed(
    language: str, changes: dict[str, str], reason: str, tmp_path: Path
) -> None:
    rows = [row(language, **changes), row(language, task_id=row(language)["task_id"] + "0")]
    suite = make({"data": str(write_rows(tmp_path / "data.jsonl", *rows))}, Environment(tmp_path / "cache"))
    errors = prepared(suite)
    assert list(errors.values()) == [reason]
    assert list(errors) == [suite.problems()[0].id]


@pytest.mark.docker
def test_a_library_that_the_image_lacks_is_built_in_with_its_toolchain(docker: Docker) -> None:
    reasons = recipes.missing(docker, "cpp", ["boost/any.hpp"])
    assert reasons == {
        "boost/any.hpp": "needs the header boost/any.hpp; build one that has it with "
        '`make image TOOLCHAINS="g++ libboost-dev"`'
    }


def test_missing_tools_are_one_line_with_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nl2fix.sandboxes import runtimes

    tool = runtimes.TOOLS["rust"]
    monkeypatch.setitem(
        runtimes.TOOLS, "rust", runtimes.Toolchain(("no-rustc",), tool.arguments, tool.package)
    )
    suite = make({"language": "rust"}, Environment(tmp_path / "cache"))
    with pytest.raises(UsageError, match=r"no no-rustc in .*apt-get install rustc") as error:
        suite.prepare(suite.problems(), 1, quiet)
    assert "\n" not in str(error.value)


def test_imports_of_crates_that_nothing_uses_go() -> None:
    text = "use rand::Rng;\nuse md5;\nuse std::fs;\nuse regex::{Regex, Captures};\nfn f() { Regex::new(); }\n"
    rest, needed = without_crates(text)
    assert rest == "use std::fs;\nuse regex::{Regex, Captures};\nfn f() { Regex::new(); }\n"
    assert needed == ["regex"]


EARLY = {
    "go": ('import "os"\n\nfunc CountPeaks(heights []int) int { os.Exit(0); return 0 }', "os"),
    "rust": ("fn count_peaks(heights: Vec<i32>) -> usize { std::process::exit(0) }", "process"),
    "cpp": ("int count_peaks(vector<int> heights) { exit(0); }", "exit"),
}
SHADOWED = {
    "go": "func CountPeaks(heights []int) int { return 2 }\n\nfunc init() { panic(recover()) }",
    "rust": (
        "macro_rules! assert_eq { ($($t:tt)*) => {} }\nmacro_rules! vec { ($($t:tt)*) => { Vec::new() } }\n"
        "fn count_peaks(heights: Vec<i32>) -> usize { 7 }"
    ),
    "cpp": "int count_peaks(vector<int> heights) { return 7; }\n#define assert(x)",
}


@pytest.mark.parametrize("language", EARLY)
def test_an_exit_before_the_last_check_is_no_pass(language: str, cache: Path) -> None:
    suite = make({"language": language}, Environment(cache))
    prepared(suite)
    problem = suite.problems()[0]
    with closing(suite.validator()) as validator, validator.session(problem) as session:
        code, word = EARLY[language]
        early = session.validate(Candidate(code))
        assert not early.plausible
        assert word in str(early.evidence.suspicious)
        assert not session.validate(Candidate(SHADOWED[language])).plausible
        assert session.validate(suite.reference(problem)).plausible
