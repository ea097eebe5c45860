"""Whether two machines have the same model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

_READ = {".safetensors", ".bin", ".json", ".jinja", ".model", ".txt"}
"""Endings of what is read of a model's folder."""


def weights_sha256(folders: Sequence[Path]) -> str:
    """Hash of all that is read of a model's folders: weights, tokenizer, settings."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.iterdir() if path.suffix in _READ and path.is_file()):
            with path.open("rb") as stream:
                digest.update(f"{path.name} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()
