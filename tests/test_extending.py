"""docs/extending.md, done as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "extending.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = re.compile(r"```(?:python|toml)\n# (\S+)\n(.*?)```", re.DOTALL)
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reader's folder with all files of the page."""
    folder = tmp_path_factory.mktemp("tutorial")
    for name, content in FILES.findall(TEXT):
        with (folder / name).open("a", encoding="utf-8") as stream:
            stream.write(content)
    return folder


def run(command: str, project: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join([str(ROOT), *([str(path)] if path else [])])
    line = command.replace("nl2fix", f"{sys.executable} -m nl2fix", 1)
    return subprocess.run(
        ["sh", "-c", line],
        cwd=project,
        env={**os.environ, "PYTHONPATH": places, "NL2FIX_CACHE": str(project / "cache")},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("nl2fix run")])
def test_each_step_works_as_written(command: str, project: Path) -> None:
    done = run(command, project)
    assert done.returncode == 0, done.stderr
    assert "pass@k" in done.stdout


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("nl2fix gold")])
def test_a_reference_passes_and_an_unedited_program_does_not(command: str, project: Path) -> None:
    done = run(command, project)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("1 of 1") == 2


def test_the_package_is_installed_and_found(project: Path, tmp_path: Path) -> None:
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(tmp_path)]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "."], cwd=project, check=True, timeout=120
    )
    done = run("nl2fix plugins", tmp_path, tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("acme-kept", "acme-shortest", "acme-careful"):
        assert name in done.stdout
    assert done.stdout.count(" ok ") == 3
