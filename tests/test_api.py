"""What ``import nl2fix`` offers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import nl2fix


@pytest.mark.parametrize("name", nl2fix.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    found = getattr(nl2fix, name)
    assert name.startswith("__") or found.__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sugest'"):
        _ = nl2fix.sugest
    assert dir(nl2fix) == sorted(nl2fix.__all__)


def test_importing_it_imports_nothing_heavy() -> None:
    program = "import sys, nl2fix; print(sorted({'numpy', 'sklearn', 'openai', 'docker'} & {*sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("words", [("--help",), ("suites",), ("run", "--help"), ("suggest", "--help")])
def test_a_command_that_counts_nothing_starts_without_numpy(words: tuple[str, ...]) -> None:
    """It took as long to load as all the rest that is needed to show a page of help."""
    command = [sys.executable, "-X", "importtime", "-m", "nl2fix", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "nl2fix.core.protocols" in done.stderr and "numpy" not in done.stderr
