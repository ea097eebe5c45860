"""A small Java repository of the user's own, with a bug and a clean git history."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nl2fix.core.resources import shared  # noqa: F401 - the shipped files must be reachable

BUGS = Path(__file__).parents[2] / "nl2fix/suites/examples/bugs"
JUNIT = Path(__file__).parents[2] / "nl2fix/suites/junit"
JARS = sorted(JUNIT.glob("*.jar"))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """The pager project: its last page may be empty."""
    folder = tmp_path / "pager"
    shutil.copytree(BUGS / "pager-last-page" / "src", folder / "src")
    git(folder, "init", "-q")
    commit(folder)
    return folder


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@t")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "state")


ISSUE = (BUGS / "pager-last-page" / "issue.md").read_text()
PAGER = "src/main/java/examples/pages/Pager.java"
