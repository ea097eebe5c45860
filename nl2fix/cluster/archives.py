"""Files and folders of a prepared problem as an archive named after its content.

The content is names, kinds, execute bits and bytes of all files, empty folders and links, wherever they
lie: equal content has an equal name on every machine, and an archive that is not what its name says is
noticed when it is opened.
"""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nl2fix.core.errors import DataError
from nl2fix.core.files import extract


def content_sha256(anchor: Path, parts: Sequence[str]) -> str:
    """Hash of the content of files and folders below ``anchor``."""
    digest = hashlib.sha256()
    for path in _all(anchor, parts):
        digest.update(f"{path.relative_to(anchor)}\0{_kind(path)}\0".encode())
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def pack(anchor: Path, parts: Sequence[str], archive: Path) -> None:
    """Write an archive of files and folders below ``anchor``."""
    with tarfile.open(archive, "w:gz", compresslevel=1) as members:
        for path in _all(anchor, parts):
            members.add(path, str(path.relative_to(anchor)), recursive=False)


def unpack(archive: Path, folder: Path, sha256: str, parts: Sequence[str]) -> None:
    """Open an archive in an empty folder; ``DataError`` where it is damaged or of other content."""
    try:
        with tarfile.open(archive, "r:gz") as members:
            extract(members, folder)
        content = content_sha256(folder, parts)
    except (tarfile.TarError, EOFError, ValueError, FileNotFoundError) as error:
        raise DataError(f"{archive.name} is damaged: {error}") from error
    if content != sha256:
        raise DataError(f"{archive.name} holds other files than its name says")


def _all(anchor: Path, parts: Iterable[str]) -> Iterator[Path]:
    """Every file, folder and link of the parts, sorted."""
    for part in sorted(parts):
        path = anchor / part
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from sorted(path.rglob("*"))


def _kind(path: Path) -> str:
    if path.is_symlink():
        return f"-> {path.readlink()}"
    if path.is_dir():
        return "folder"
    about = path.stat()
    return f"{'program' if about.st_mode & 0o100 else 'file'} {about.st_size}"
