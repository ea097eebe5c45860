"""What is told of databases that fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.database import connect, connect_to_read, is_damage, why

_TABLE = "CREATE TABLE IF NOT EXISTS kept(body TEXT);"


def test_an_error_in_a_folder_that_is_gone_is_told_as_it_is(tmp_path: Path) -> None:
    """How much room is left there was asked, which ended the command with an error of its own."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    assert why(error, tmp_path / "gone" / "run.sqlite", "delete it") == "disk I/O error; delete it"


@pytest.mark.parametrize("opened", [lambda file: connect(file, _TABLE), connect_to_read])
def test_a_damaged_schema_that_is_no_text_is_damage(
    opened: Callable[[Path], sqlite3.Connection], tmp_path: Path
) -> None:
    """SQLite repeats it in its message, which Python cannot read: every command was an internal error."""
    file = tmp_path / "kept.sqlite"
    with closing(connect(file, _TABLE)):
        pass
    content = file.read_bytes()
    file.write_bytes(content.replace(b"kept(body", b"kept('\xafy"))
    with pytest.raises(sqlite3.DatabaseError) as caught:
        opened(file)
    assert is_damage(caught.value)
