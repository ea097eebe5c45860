"""``run.json`` as somebody may have left it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.core.manifest import read_manifest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "settings were expected, not []"),
        ("7", "settings were expected, not 7"),
        ("{}", "'format' is missing"),
        ('{"format": 2, "settings": []}', "settings were expected, not []"),
        ('{"format": 2, "settings": {"suite": ""}}', "'identity' is missing"),
        (
            '{"format": 2, "settings": {"suite": ""}, "identity": {}, "scope": 3}',
            "settings were expected, not 3",
        ),
        ("{", "Expecting property name"),
        ("[" * 100_000, "damaged"),
    ],
)
def test_a_damaged_manifest_says_what_is_wrong(text: str, why: str, tmp_path: Path) -> None:
    """ "list indices must be integers or slices, not str" told nobody what."""
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(DataError) as refused:
        read_manifest(tmp_path)
    assert why in str(refused.value)
    assert "indices" not in str(refused.value)
