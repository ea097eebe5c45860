"""Data that says its own language, and the settings that may name another."""

from __future__ import annotations

from pathlib import Path

from nl2fix.core.errors import UsageError


def check_language(wanted: str | None, held: str, data: Path) -> None:
    """``UsageError`` where data is in another language than the settings ask for; ``None`` asks for none."""
    if wanted not in (None, held):
        raise UsageError(f"{data} is in {held}, not in {wanted}: leave suite.language out or name other data")
