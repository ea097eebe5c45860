"""The README's examples, run as they are written, and where all pages link to."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nl2fix.cli.main import COMMANDS
from nl2fix.core.formats import FORMATS

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
PAGES = [page for folder in (".", "docs", "benchmarks") for page in (README.parent / folder).glob("*.md")]
OWN = re.compile(r"```python\n# (\w+\.py) — (nl2fix [^\n]*)\n(.*?)```", re.DOTALL)


def run(command: str, folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=folder,
        env={**os.environ, "NL2FIX_CACHE": str(cache)},
        capture_output=True,
        text=True,
        timeout=240,
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(("name", "command", "code"), OWN.findall(TEXT), ids=lambda part: part.split("\n")[0])
def test_parts_of_ones_own_work_as_written(
    name: str, command: str, code: str, tmp_path: Path, cache: Path
) -> None:
    (tmp_path / name).write_text(code)
    lines = [line for line in code.splitlines() if line.strip() and not line.startswith(("import", "from"))]
    assert len(lines) < 20
    small = " --bugs pager-last-page --n 3 --out run" if " run " in command else ""
    done = run(command + small, tmp_path, cache)
    assert done.returncode == 0, done.stderr


def test_three_kinds_of_parts_are_shown() -> None:
    assert [name for name, _, _ in OWN.findall(TEXT)] == ["shout.py", "shortest.py", "greet.py"]


def test_its_parts_import_from_the_packages_top_only() -> None:
    imported = re.findall(r"^(?:from|import) (nl2fix[\w.]*)", TEXT, re.MULTILINE)
    assert set(imported) == {"nl2fix"}


def test_the_notebook_it_shows_works_as_written(tmp_path: Path, cache: Path) -> None:
    code = next(part for part in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "open_run" in part)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "NL2FIX_CACHE": str(cache)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith("[('pager-last-page', ")
    assert done.stdout.splitlines()[1] == "10"


def test_every_command_it_names_exists() -> None:
    named = set(re.findall(r"(?:`|^|sh\n)nl2fix ([a-z]+)[ `]", TEXT, re.MULTILINE))
    assert named <= {*COMMANDS, "is"}


def test_the_settings_file_it_shows_is_accepted(tmp_path: Path, cache: Path) -> None:
    toml = re.search(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    assert toml
    (tmp_path / "nl2fix.toml").write_text(toml[1])
    done = run("nl2fix sample --dry-run --config nl2fix.toml --bugs pager-last-page", tmp_path, cache)
    assert done.returncode == 0, done.stderr
    assert "empty page at the end" in done.stdout


def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(README.parent)))
def test_links_lead_to_a_file_and_a_heading_that_are_there(page: Path) -> None:
    for link in re.findall(r"\]\((?!http)([^)]+)\)", page.read_text(encoding="utf-8")):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


DEMO = re.search(r"```text\n(Outcomes\n.*?)```", TEXT, re.DOTALL)


def test_the_table_it_shows_is_what_the_demo_prints(tmp_path: Path, cache: Path) -> None:
    """Of one project, whose bugs stand for themselves; the demo runs all of them."""
    assert DEMO
    listed = run("nl2fix suites examples --json", tmp_path, cache)
    bugs = [row["id"] for row in json.loads(listed.stdout) if row["project"] == "io"]
    words = f"--suite examples --model mutation --n 100 --jobs 2 --out demo --bugs {','.join(bugs)}"
    done = run(f"nl2fix run {words}", tmp_path, cache)
    assert done.returncode == 0, done.stderr
    shown, printed = (
        re.search(rf"^│ {name} +│(.*)", text, re.MULTILINE)
        for name, text in (("io", DEMO[1]), ("all", done.stdout))
    )
    assert shown and printed and shown[1].split() == printed[1].split()


def test_the_settings_file_it_shows_names_every_edit_format() -> None:
    (line,) = re.findall(r"^format = .*", TEXT, re.MULTILINE)
    assert set(re.findall(r"[a-z-]+", line.partition("=")[2])) - {"or"} == set(FORMATS.built_in)


def test_the_rows_of_the_demo_add_up() -> None:
    """The last row is worked out from all others, so a row that is not what the demo prints is told too."""
    assert DEMO
    rows = [
        line.strip("│ ").split("│")
        for line in DEMO[1].splitlines()
        if re.match(r"│ \w+ +│ +\d+ │ +\d+ │ +\d", line)
    ]
    *projects, (_, bugs, fixed, samples, compiled, *_) = rows
    assert [sum(int(row[i]) for row in projects) for i in (1, 2, 3)] == [int(bugs), int(fixed), int(samples)]
    built = sum(float(row[4].split()[0]) * int(row[3]) for row in projects) / int(samples)
    assert built == pytest.approx(float(compiled.split()[0]), abs=0.1)
