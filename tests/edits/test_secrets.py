"""Keys, tokens and passwords are found, what stands for them is not."""

from __future__ import annotations

import pytest

pytest.importorskip("detect_secrets", reason="needs the extra edits")

from nl2fix.edits.secrets import secret_in

KEY = "AKIA" + "Q3EGRIZ7LM2XJVWB"
"""Put together here, so that no scanner finds one in this file."""


@pytest.mark.parametrize(
    "text",
    [
        f"client = connect('{KEY}')",
        "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE",
        "token = 'ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'",
        'password = "t7' + '%kQz!9pV"',
        "url = 'https://admin:" + "hG7xKq2w@db.example.org/'",
        'feed = "' + "AKCp5" + 'Zk3vQ9wLm2"',
        'feed = "AP4' + 'x9Zk3vQ9"',
        "hook = '" + "xoxb-1-2-" + "a1'",
        "salt = '" + "9f3k2LqPz8Xw7Vb5Nc4Mt6Ry1Ju0Hs" + "'",
    ],
)
def test_secrets_are_found(text: str) -> None:
    assert secret_in(f"import a\n\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "password = ''",
        "password = 'password'",
        "password = 'test123'",
        "url = 'https://user:pass@example.org/'",
        "alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'",
        "key = lambda item: item[0]",
        "for key, value in items.items():\n    print(key)",
        "host = '192.0.2.17'",
        "id = '123e4567-e89b-12d3-a456-426614174000'",
    ],
)
def test_what_stands_for_them_is_not(text: str) -> None:
    assert secret_in(f"import a\n\n{text}\n") is None


def test_what_is_found_is_named_by_its_kind_only() -> None:
    found = secret_in(f"k = '{KEY}'")
    assert found == "AWS Access Key"
