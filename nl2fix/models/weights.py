"""Whether two machines, or two days, have the same model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

_READ = {".safetensors", ".bin", ".json", ".jinja", ".model", ".txt"}
"""Endings of what is read of a model's folder."""


def weights_sha256(folders: Sequence[Path]) -> str:
    """Hash of all that is read of a model's folders: weights, tokenizer, settings."""
    digest = hashlib.sha256()
    for path in weights_files(folders):
        with path.open("rb") as stream:
            digest.update(f"{path.name} {hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()


def weights_files(folders: Sequence[Path]) -> list[Path]:
    """What is read of the folders that are there."""
    there = (folder for folder in folders if folder.is_dir())
    return [
        path
        for folder in there
        for path in sorted(folder.iterdir())
        if path.suffix in _READ and path.is_file()
    ]
