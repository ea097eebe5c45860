"""What ``--save`` writes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nl2fix.suggestion.output.exports import NAMES, save
from tests.server.test_pages import result


def test_what_an_earlier_session_saved_is_kept(tmp_path: Path) -> None:
    """Whoever said the same command again after Ctrl-C, to go on, lost what they had saved."""
    folder, found = tmp_path / "saved", result(tmp_path)
    for number in (1, 2, 3):
        aside = save(replace(found, title=f"session {number}"), folder)
        assert aside == (folder / f"earlier-{number - 1}" if number > 1 else None)
    kept = [folder / "earlier-1", folder / "earlier-2", folder]
    for number, place in enumerate(kept, 1):
        assert set(NAMES.values()) <= {file.name for file in place.iterdir()}
        assert f'"title": "session {number}"' in (place / "suggestions.json").read_text()
