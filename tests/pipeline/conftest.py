"""A folder to work in, with a suite and a model from outside of the package."""

from __future__ import annotations

import shutil
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.cli.test_look import nl2fix

PLUG_IN = Path(__file__).with_name("outside.py")


class Place:
    """A folder with the plug-in, its data, and runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        shutil.copy(PLUG_IN, folder / "outside.py")

    def run(self, *arguments: object, n: int = 3, out: str = "run") -> tuple[int, str]:
        """Exit status and last line of standard error of ``nl2fix run``."""
        done = self.told(*arguments, n=n, out=out)
        return done.returncode, done.stderr.strip().splitlines()[-1]

    def told(self, *arguments: object, n: int = 3, out: str = "run") -> CompletedProcess[str]:
        """What ``nl2fix run`` said."""
        chosen = ("--suite", "outside:suite", "--model", "outside:model", "--ranker", "vote")
        where = ("--out", out, "--cache", "cache")
        done = nl2fix("run", *chosen, "--n", n, *where, *arguments, cwd=self.folder)
        assert "Traceback" not in done.stderr
        return done

    def say(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def noted(self, name: str) -> list[str]:
        """What the plug-in noted since this was last asked."""
        file = self.folder / name
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "place")
