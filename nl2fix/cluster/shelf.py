"""Folders that a node keeps until they have not been used for longest: named after their content.

All processes of a node share a shelf. A folder in use is never removed; one that was removed comes back
under another path, so that nothing which remembers the old one mistakes it for the new one.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nl2fix.core.locks import locked

_UNFINISHED = ".unfinished-"
_NAME = re.compile(r"[^.].*-[^-.]*\.\d+")
"""Key, a random word, and bytes: nothing is measured twice."""


class Shelf:
    """Thread-safe."""

    def __init__(self, folder: Path, most_mb: int) -> None:
        """``most_mb`` is kept at most, MiB, beside what is in use."""
        self.folder = folder
        self._most = most_mb << 20
        folder.mkdir(parents=True, exist_ok=True)
        self._sweep()

    @contextmanager
    def held(self, key: str, fill: Callable[[Path], None]) -> Iterator[Path]:
        """The folder of a key, safe from removal; one that is not there is made, and then filled."""
        while True:
            with locked(self._lock(key), shared=True):
                if (folder := self._find(key)) is not None:
                    with suppress(FileNotFoundError):
                        os.utime(folder)
                    yield folder
                    return
            with locked(self._lock(key)):
                if self._find(key) is None:
                    self._make(key, fill)
            self._make_room(key)

    def _make(self, key: str, fill: Callable[[Path], None]) -> None:
        unfinished = Path(tempfile.mkdtemp(prefix=f"{_UNFINISHED}{key}-", dir=self.folder))
        try:
            unfinished.chmod(0o755)
            fill(unfinished)
            name = f"{unfinished.name.removeprefix(_UNFINISHED)}.{_size(unfinished)}"
            unfinished.rename(self.folder / name)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def _sweep(self) -> None:
        """Remove what killed processes left half made: nobody holds its key."""
        for left in self.folder.glob(f"{_UNFINISHED}*"):
            key = left.name.removeprefix(_UNFINISHED).rpartition("-")[0]
            with suppress(OSError), locked(self._lock(key), wait=False):
                shutil.rmtree(left)

    def _make_room(self, new: str) -> None:
        """Remove what was not used for longest and is not in use now, until the rest fits."""
        folders = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.name)]
        by_age = sorted((_used(path), path) for path in folders)
        sizes = {path: int(path.name.rpartition(".")[2]) for path in folders}
        too_much = sum(sizes.values()) - self._most
        for _, path in by_age:
            key = path.name.rpartition("-")[0]
            if too_much > 0 and key != new and self._removed(key, path):
                too_much -= sizes[path]

    def _removed(self, key: str, path: Path) -> bool:
        try:
            with locked(self._lock(key), wait=False):
                gone = path.rename(self.folder / f"{_UNFINISHED}{path.name}")
        except OSError:  # in use, or removed by another process
            return False
        shutil.rmtree(gone, ignore_errors=True)
        return True

    def _find(self, key: str) -> Path | None:
        return next(self.folder.glob(f"{key}-*"), None)

    def _lock(self, key: str) -> Path:
        return self.folder / f".{key}.lock"


def _used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _size(folder: Path) -> int:
    """Bytes of all files."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += (Path(path) / name).lstat().st_size
    return total
