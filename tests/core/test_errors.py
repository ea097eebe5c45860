"""What is told of errors of others."""

from __future__ import annotations

from nl2fix.core.errors import first_line


def test_an_error_without_words_is_told_by_its_name() -> None:
    """Of an embedding model that could not be loaded it made an internal error."""
    assert first_line(OSError()) == "OSError"
    assert first_line(OSError("\nno weights\nin the folder")) == "no weights"
