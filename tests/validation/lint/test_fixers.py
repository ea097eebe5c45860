"""What linters' own fixers make of a text."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.validation.lint import Desk, fixers, make


@pytest.mark.parametrize("name", ["ruff", "flake8"])
def test_a_file_that_its_fix_empties_is_empty(tmp_path: Path, name: str) -> None:
    """It was handed on as it had been, as if there were no fix."""
    with closing(Desk(Environment(tmp_path))) as desk:
        assert next(fixers.fixed(desk, make(name, {}), "unused.py", "import os\n")) == ""
