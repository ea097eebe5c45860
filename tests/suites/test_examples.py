from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.records import Outcome, Problem
from nl2fix.languages.java import JAVA
from nl2fix.suites import examples
from nl2fix.suites.examples import BUGS, JUNIT, make
from tests.suites.samples import checked

PROBLEMS = {problem.id: problem for problem in examples.all_problems()}
KINDS = (
    "null handling",
    "off-by-one",
    "wrong operator",
    "wrong argument order",
    "missing case",
    "missing cast",
    "integer overflow",
    "wrong exception",
    "locale",
    "time zone",
    "equals/hashCode",
    "generics",
    "constructor",
    "static nested class",
    "inner class",
    "overloads",
    "recursion",
    "endless loop",
    "shared static state",
    "records",
    "switch expression",
    "text block",
)
FRAME = re.compile(r"at examples\.[\w.]+\.(\w+)\.([\w<>]+)\((\w+)\.java:(\d+)\)")

every_bug = pytest.mark.parametrize("name", PROBLEMS)


def squeezed(code: str) -> str:
    return " ".join(JAVA.tokens(code))


def fixed_lines(problem: Problem) -> tuple[list[str], list[str]]:
    """Lines that the fix removes and those that it adds, without blanks around them."""
    fix = (BUGS / problem.id / "fix.java").read_text().strip()
    lines = list(difflib.ndiff(problem.before.splitlines(), fix.splitlines()))
    removed = [line[2:].strip() for line in lines if line.startswith("- ")]
    return removed, [line[2:].strip() for line in lines if line.startswith("+ ")]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> examples.Examples:
    return make({}, Environment(tmp_path_factory.mktemp("cache")))


def test_gold(suite: examples.Examples, tmp_path: Path) -> None:
    """Preparation also checks that exactly the declared trigger tests fail with each bug."""
    problems = suite.problems()
    told: list[str] = []
    errors = suite.prepare(problems, 2, lambda done, total, label: told.append(f"{done}/{total}"))
    assert errors == {}
    assert told[-1] == f"{len(problems)}/{len(problems)}"
    results = checked(suite, tmp_path, errors=errors)
    assert {result.problem: result.reason for result in results if result.reason} == {}
    for result in results:
        assert result.reference is not None
        assert result.unedited is not None
        assert result.reference.evidence.confirmed
        assert result.reference.evidence.tests_run == result.reference.evidence.tests_expected >= 5
        assert result.unedited.outcome is Outcome.WRONG
        assert result.unedited.evidence.failing_test in triggers(result.problem)


def triggers(name: str) -> list[str]:
    return list(tomllib.loads((BUGS / name / "bug.toml").read_text())["trigger"])


def test_enough_bugs_of_every_kind() -> None:
    assert len(PROBLEMS) >= 20
    found = {problem.metadata["kind"] for problem in PROBLEMS.values()}
    assert set(KINDS) - found == set()


def test_some_need_modern_java() -> None:
    levels = [problem.metadata["level"] for problem in PROBLEMS.values()]
    assert set(levels) == {"8", "17"}
    assert levels.count("17") >= 2


def test_fixes_of_all_sizes() -> None:
    sizes = []
    for name, problem in PROBLEMS.items():
        fix = (BUGS / name / "fix.java").read_text()
        matcher = difflib.SequenceMatcher(None, JAVA.tokens(problem.before), JAVA.tokens(fix), autojunk=False)
        sizes.append(sum(max(b - a, d - c) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"))
    assert sum(size <= 4 for size in sizes) >= len(sizes) // 4
    assert sum(size >= 10 for size in sizes) >= len(sizes) // 4


@every_bug
def test_layout(name: str) -> None:
    folder = BUGS / name
    assert sorted(entry.name for entry in folder.iterdir()) == ["bug.toml", "fix.java", "issue.md", "src"]
    sources = list((folder / "src/main/java").rglob("*.java"))
    assert len(sources) >= 2
    assert all(test.endswith(".java") for test in map(str, (folder / "src").rglob("*.*")))
    packages = {re.search(r"^package (\S+);", f.read_text(), re.M)[1] for f in folder.rglob("src/**/*.java")}  # type: ignore[index]
    assert len(packages) == 1
    for test in triggers(name):
        class_name, _, method = test.partition("::")
        text = (folder / "src/test/java" / f"{class_name.replace('.', '/')}.java").read_text()
        assert f"void {method}()" in text


@every_bug
def test_problem(name: str) -> None:
    problem = PROBLEMS[name]
    assert (problem.suite, problem.language) == ("examples", "java")
    assert problem.before.endswith("}")
    assert JAVA.locate(problem.text, problem.entity) == problem.region
    assert squeezed(problem.visible) == squeezed(problem.before)
    assert problem.title
    assert not problem.title.startswith("#")
    assert problem.description


@every_bug
def test_nothing_hidden_is_part_of_the_problem(name: str) -> None:
    problem = PROBLEMS[name]
    fix = (BUGS / name / "fix.java").read_text().strip()
    shown = str(problem)
    assert fix not in problem.text
    assert "org.junit" not in shown
    for test in triggers(name):
        assert test.partition("::")[2] not in shown


@every_bug
def test_issue_does_not_contain_the_fix(name: str) -> None:
    problem = PROBLEMS[name]
    _, added = fixed_lines(problem)
    issue = squeezed(problem.title + "\n" + problem.description)
    for line in added:
        if len(JAVA.tokens(line)) > 3:
            assert squeezed(line) not in issue


@every_bug
def test_fix_edits_the_method_only(name: str) -> None:
    problem = PROBLEMS[name]
    fix = (BUGS / name / "fix.java").read_text().strip()
    edited = problem.text[: problem.region.start] + fix + problem.text[problem.region.end :]
    span = JAVA.locate(edited, problem.entity)
    assert span is not None
    assert edited[span.start : span.end] == fix
    assert JAVA.syntax_error(edited) is None


@every_bug
def test_stack_traces_name_lines_that_exist(name: str) -> None:
    for class_name, method, file, line in FRAME.findall(PROBLEMS[name].description):
        found = list((BUGS / name).rglob(f"src/main/**/{file}.java"))
        if not found:
            assert file == "Demo"
            continue
        assert class_name == file
        stands_at = found[0].read_text().splitlines()[int(line) - 1]
        assert stands_at.strip() not in ("", "}", "{")
        assert method == "<init>" or method in found[0].read_text()


def test_reference_is_the_fix(suite: examples.Examples) -> None:
    problem = PROBLEMS["invoice-total"]
    assert "(long) item.unitPriceCents()" in suite.reference(problem).apply(problem)


def test_no_options() -> None:
    with pytest.raises(UsageError, match="unknown key 'data' in suite examples"):
        make({"data": "x"}, Environment(Path("cache")))


def test_readme_lists_every_bug() -> None:
    rows = [f"| `{p.id}` | {p.metadata['kind']} | {p.title} |" for p in PROBLEMS.values()]
    table = "\n".join(["| bug | kind | issue |", "|---|---|---|", *rows])
    assert table in (BUGS.parent / "README.md").read_text()


def test_junit_is_what_its_licences_name() -> None:
    notice = (JUNIT / "README.md").read_text()
    jars = sorted(JUNIT.glob("*.jar"))
    assert len(jars) == 2
    for jar in jars:
        assert f"`{jar.name}`" in notice
    for licence in re.findall(r"\((LICENSE-\w+\.txt)\)", notice):
        assert len((JUNIT / licence).read_text()) > 1000
    hashes = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest()[:16] for jar in jars}
    assert hashes == {"hamcrest-2.2.jar": "edb346bfbee1e2b9", "junit-4.13.2.jar": "8148c65ffc1184bd"}
