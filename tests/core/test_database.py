"""What is told of databases that fail."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from nl2fix.core.database import why


def test_an_error_in_a_folder_that_is_gone_is_told_as_it_is(tmp_path: Path) -> None:
    """How much room is left there was asked, which ended the command with an error of its own."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    assert why(error, tmp_path / "gone" / "run.sqlite", "delete it") == "disk I/O error; delete it"
