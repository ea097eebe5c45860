"""What installed packages bring that is not there under its name is told, not dropped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nl2fix.core.registry import Registry

ROOT = Path(__file__).parents[2]
RANKER = "def make(options, environment):\n    return {module!r}\n"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A package with two suites that end when they are imported."""
    (tmp_path / "ends.py").write_text("raise SystemExit('no licence')\n")
    (tmp_path / "fails.py").write_text("raise RuntimeError('no licence')\n")
    told = tmp_path / "broken-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[nl2fix.suites]\nends = ends:make\nfails = fails:make\n")
    return tmp_path


@pytest.mark.parametrize("command", ["plugins", "suites"])
def test_a_part_that_fails_when_imported_hides_no_other(command: str, broken: Path) -> None:
    """Of all suites none was listed, and one that ends the program ended the list of plug-ins."""
    done = subprocess.run(
        [sys.executable, "-m", "nl2fix", command, "--json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(broken)])},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    rows = {row["name"]: " ".join(row.values()) for row in json.loads(done.stdout)}
    assert "no licence" in rows["ends"]
    assert "no licence" in rows["fails"]
    assert command == "plugins" or "Thirty-one" in rows["examples"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two packages that both bring the ranker ``shortest``; one tries others besides."""
    declared = {
        "acme": "[nl2fix.rankers]\nshortest = acme_parts:make\n",
        "zeta": "[nl2fix.rankers]\nshortest = zeta_parts:make\nvote = zeta_parts:make\n"
        "[nl2fix.metric]\nkept = zeta_parts:make\n",
    }
    for name, points in declared.items():
        (tmp_path / f"{name}_parts.py").write_text(RANKER.format(module=name))
        told = tmp_path / f"{name}-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (told / "entry_points.txt").write_text(points)
    return tmp_path


def test_every_part_is_listed_with_what_hides_it(site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nl2fix", "plugins", "--json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    told = {(row["package"], row["kind"], row["name"]): row["state"] for row in json.loads(done.stdout)}
    assert told == {
        ("acme", "ranker", "shortest"): "ok",
        ("zeta", "ranker", "shortest"): "hidden: that name is acme's",
        ("zeta", "ranker", "vote"): "hidden: that name is nl2fix's",
        ("zeta", "metric", "kept"): "no such group; did you mean 'nl2fix.metrics'?",
    }


def test_a_name_that_two_packages_bring_is_that_of_the_first_with_a_warning(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them won by chance, and nobody was told."""
    monkeypatch.syspath_prepend(site)
    rankers = Registry("ranker", {"vote": "json:dumps"}, group="nl2fix.rankers")
    with pytest.warns(UserWarning, match="'shortest' is that of package acme; zeta has one of that name"):
        assert rankers.make("shortest", {}, None) == "acme"
    assert rankers.load("vote") is json.dumps
