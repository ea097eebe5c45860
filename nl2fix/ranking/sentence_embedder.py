"""Embeddings by sentence-transformers: any model of a local folder or the hub, on the GPU if there is one.

Contract: texts longer than the model reads are cut between lines and averaged (a model that reads 256
tokens sees about half of all one-token edits of real methods otherwise). Vectors are cached. Needs the
extra ``sentence-transformers``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nl2fix.core.config import Environment, read
from nl2fix.core.errors import DataError, UsageError, first_line
from nl2fix.core.protocols import Embedder
from nl2fix.core.records import sha256_text
from nl2fix.ranking.chunks import embed_in_pieces
from nl2fix.ranking.vectors import CachedEmbedder

_SPECIAL = 2
"""Tokens a model adds around a text."""


@dataclass(frozen=True)
class SentenceConfig:
    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    """Folder of a model, or its name on the hub."""
    revision: str = ""
    """Commit of a model on the hub; empty means the newest."""
    batch: int = 32
    """Pieces embedded at once."""
    device: str = ""
    """``cpu``, ``cuda``, ``cuda:1``, ``mps``; empty means the best there is."""


class SentenceEmbedder:
    """Vectors of length 1; the model is loaded when the first text comes."""

    def __init__(self, config: SentenceConfig) -> None:
        self._config = config
        self._model: Any = None
        folder = Path(config.model)
        local = folder.is_dir()
        named = folder.resolve().name if local else config.model
        self.name = f"sentence-transformers-{named}@{_fingerprint(folder) if local else config.revision}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape ``(len(texts), dimensions)``."""
        model = self._load()
        limit = int(model.max_seq_length or 512) - _SPECIAL
        return embed_in_pieces(texts, limit, self._size, self._embed)

    def _size(self, text: str) -> int:
        return len(self._load().tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        vectors = self._load().encode(
            texts, batch_size=self._config.batch, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    def _load(self) -> Any:
        if self._model is None:
            try:
                from sentence_transformers import SentenceTransformer
            except ModuleNotFoundError:
                raise UsageError(
                    "embedder sentence-transformers needs: pip install 'nl2fix[sentence-transformers]'"
                ) from None
            try:
                self._model = SentenceTransformer(
                    self._config.model,
                    device=self._config.device or None,
                    revision=self._config.revision or None,
                )
            except (OSError, ValueError) as error:
                what = f"cannot load embedding model {self._config.model}"
                raise DataError(f"{what}: {first_line(error)}") from error
        return self._model


def _fingerprint(folder: Path) -> str:
    """Changes when a file of a local model does."""
    stats = [(path, path.stat()) for path in sorted(folder.rglob("*")) if path.is_file()]
    lines = [f"{path.relative_to(folder)} {stat.st_size} {stat.st_mtime_ns}" for path, stat in stats]
    return sha256_text("\n".join(lines))[:16]


def make(options: Mapping[str, Any], environment: Environment) -> Embedder:
    config = read(SentenceConfig, options, "embedder sentence-transformers")
    return CachedEmbedder(SentenceEmbedder(config), environment.cache)
