"""What a training's folder remembers: its settings, its data, its versions, its losses."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from nl2fix.core.errors import DataError, UsageError
from nl2fix.core.files import remove_tree, write_atomically

RECORD = "training.json"
PACKAGES = ("torch", "transformers", "peft", "trl", "accelerate", "tokenizers")
CHECKPOINTS = "checkpoints"


def versions() -> dict[str, str]:
    """Versions of all that can change a weight."""
    told = {"python": platform.python_version()}
    for name in ("nl2fix", *PACKAGES):
        try:
            told[name] = version(name)
        except PackageNotFoundError:
            told[name] = "not installed"
    return told


def finished(folder: Path, identity: Mapping[str, Any]) -> bool:
    """Whether this training was finished in the folder before; nothing is written.

    ``UsageError`` names what differs where it is another training's, or no training's.
    """
    if not (folder / RECORD).is_file():
        if any(path.is_file() for path in folder.rglob("*")):
            raise UsageError(f"{folder} is there already and holds no training; name a folder that is not")
        return False
    recorded = read(folder)
    wanted = json.loads(json.dumps(identity, default=str))
    # What an older version did not record cannot be compared.
    differing = [key for key, value in wanted.items() if recorded["identity"].get(key, value) != value]
    if differing:
        raise UsageError(f"{folder} is another training: {', '.join(differing)} differ; name another folder")
    return bool(recorded["finished"])


def begin(folder: Path, identity: Mapping[str, Any]) -> None:
    """Make the folder this training's, where it is not yet."""
    if not (folder / RECORD).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        write(folder, {"identity": identity, "finished": False, "versions": versions()})


def weights_sha256(base: Path) -> str:
    """Of a model's settings and weights; its tokenizer shows in what is learned."""
    digest = hashlib.sha256()
    for file in sorted(base.glob("*")):
        if file.name in ("config.json", "adapter_config.json") or file.suffix in (".safetensors", ".bin"):
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def read(folder: Path) -> dict[str, Any]:
    """The record; ``DataError`` where it is damaged."""
    try:
        recorded: dict[str, Any] = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        _ = recorded["identity"], recorded["finished"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{folder / RECORD} is no record of a training ({error})") from error
    return recorded


def write(folder: Path, record: Mapping[str, Any]) -> None:
    """Write the record; the old one stays when anything fails."""
    write_atomically(folder / RECORD, json.dumps(record, indent=1, default=str) + "\n")


def last_checkpoint(folder: Path) -> Path | None:
    """The last whole checkpoint; what a kill left half-written is removed."""
    checkpoints = sorted(
        (folder / CHECKPOINTS).glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1])
    )
    for checkpoint in reversed(checkpoints):
        try:
            json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
            return checkpoint
        except (OSError, ValueError):
            remove_tree(checkpoint)
    return None


def losses(history: Sequence[Mapping[str, Any]]) -> list[tuple[int, float]]:
    """Step and mean loss since the step before, from a trainer's log."""
    return [(int(entry["step"]), float(entry["loss"])) for entry in history if "loss" in entry]
