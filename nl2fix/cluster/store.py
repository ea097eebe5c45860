"""What the machines of a cluster share: archives of prepared problems, and verdicts.

Any folder that all machines see, or any URL that fsspec knows (``s3://bucket/folder``, ``gs://…``). What
is there is never changed: archives are named after their content, verdicts come in files of their own,
one for each slice, below the fingerprint of all they depend on.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from nl2fix.cluster import archives
from nl2fix.core import serial
from nl2fix.core.errors import DataError, InfrastructureError
from nl2fix.core.records import Verdict, sha256_text


class SharedStore:
    """Thread-safe."""

    def __init__(self, url: str) -> None:
        """Raises ``DataError`` where there is no such place."""
        from fsspec.core import url_to_fs

        self.url = url
        try:
            self._files, self._root = url_to_fs(url)
        except (ImportError, ValueError, OSError) as error:
            raise DataError(f"cannot use the store {url}: {error}") from error

    def check(self) -> None:
        """Raise ``DataError`` where nothing can be written and read again."""
        word = uuid.uuid4().hex
        path = f"{self._root}/.check-{word}"
        try:
            self._files.makedirs(self._root, exist_ok=True)
            self._files.pipe_file(path, word.encode())
            read = self._files.cat_file(path).decode()
            self._files.rm_file(path)
        except Exception as error:
            raise DataError(f"cannot use the store {self.url}: {error or type(error).__name__}") from error
        if read != word:
            raise DataError(f"the store {self.url} gives back something else than was written")

    def keep(self, anchor: Path, parts: Sequence[str]) -> str:
        """Keep files and folders; the hash of their content, by which they are found again."""
        sha256 = archives.content_sha256(anchor, parts)
        path = self._archive(sha256)
        if not self._files.exists(path):
            with tempfile.TemporaryDirectory(prefix="nl2fix-archive-") as folder:
                archive = Path(folder) / "content.tar.gz"
                archives.pack(anchor, parts, archive)
                self._put(archive, path)
        return sha256

    def fetch(self, sha256: str, folder: Path) -> None:
        """Lay files and folders into an empty folder; a damaged archive is removed, with ``DataError``."""
        with tempfile.TemporaryDirectory(prefix="nl2fix-archive-") as place:
            archive = Path(place) / f"{sha256[:16]}.tar.gz"
            try:
                self._files.get_file(self._archive(sha256), str(archive))
            except FileNotFoundError as error:
                raise DataError(f"{self.url} lacks {sha256[:16]}; is it a place all nodes reach?") from error
            try:
                archives.unpack(archive, folder, sha256)
            except DataError:
                self._files.rm_file(self._archive(sha256))
                raise

    def lay(self, sha256: str, parts: Sequence[str], folder: Path) -> None:
        """Lay what was kept into a folder that may hold others, each part that is not there in one step."""
        if all((folder / part).exists() for part in parts):
            return
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".parcel-", dir=folder) as place:
            self.fetch(sha256, Path(place))
            for part in parts:
                target = folder / part
                target.parent.mkdir(parents=True, exist_ok=True)
                if not target.exists():
                    with suppress(OSError):  # another process was faster
                        shutil.move(Path(place) / part, target)

    def keep_verdicts(self, fingerprint: str, verdicts: Mapping[str, Verdict]) -> None:
        """Keep verdicts by candidate key; equal ones are kept once."""
        rows = {key: serial.dumps(verdict) for key, verdict in sorted(verdicts.items())}
        text = json.dumps(rows, separators=(",", ":"))
        with tempfile.TemporaryDirectory(prefix="nl2fix-archive-") as folder:
            file = Path(folder) / "verdicts.json"
            file.write_text(text, encoding="ascii")
            self._put(file, f"{self._verdicts(fingerprint)}/{sha256_text(text)[:32]}.json")

    def verdicts(self, fingerprint: str) -> dict[str, Verdict]:
        """All verdicts of a fingerprint by candidate key; a damaged file counts as absent."""
        kept: dict[str, Verdict] = {}
        try:
            for path in self._files_of(fingerprint):
                with suppress(DataError, ValueError, AttributeError, FileNotFoundError):
                    rows = json.loads(self._files.cat_file(path))
                    kept.update({key: serial.read(Verdict, body) for key, body in rows.items()})
        except OSError as error:
            raise InfrastructureError(f"cannot read the store {self.url}: {error}") from error
        return kept

    def _files_of(self, fingerprint: str) -> list[str]:
        folder = self._verdicts(fingerprint)
        self._files.invalidate_cache(folder)
        if not self._files.exists(folder):
            return []
        return sorted(path for path in self._files.ls(folder, detail=False) if path.endswith(".json"))

    def _put(self, file: Path, path: str) -> None:
        """Write a file whole or not at all."""
        unfinished = f"{path.rpartition('/')[0]}/.{uuid.uuid4().hex}"
        try:
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._files.put_file(str(file), unfinished)
            self._files.mv(unfinished, path)
        except OSError as error:
            raise InfrastructureError(f"cannot write to the store {self.url}: {error}") from error

    def _archive(self, sha256: str) -> str:
        return f"{self._root}/workspaces/{sha256}.tar.gz"

    def _verdicts(self, fingerprint: str) -> str:
        return f"{self._root}/verdicts/{fingerprint[:2]}/{fingerprint}"
