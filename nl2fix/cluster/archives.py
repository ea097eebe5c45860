"""Files and folders of a prepared problem as an archive named after its content.

The content is names, kinds, execute bits and bytes of all files, empty folders and links, wherever they
lie: equal content has an equal name on every machine, and an archive that is not what its name says is
noticed when it is opened.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import stat
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from gzip import BadGzipFile
from pathlib import Path
from typing import Protocol

from nl2fix.core.errors import DataError


class _Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...


def content_sha256(anchor: Path, parts: Sequence[str]) -> str:
    """Hash of the content of files and folders below ``anchor``."""
    digest = hashlib.sha256()
    for member in _all(anchor, parts):
        _add(digest, member, (anchor / member.name).read_bytes() if member.isreg() else b"")
    return digest.hexdigest()


def pack(anchor: Path, parts: Sequence[str], archive: Path) -> None:
    """Write an archive of files and folders below ``anchor``."""
    with tarfile.open(archive, "w:gz", compresslevel=1, format=tarfile.GNU_FORMAT) as members:
        for member in _all(anchor, parts):
            if member.isreg():
                with (anchor / member.name).open("rb") as stream:
                    members.addfile(member, stream)
            else:
                members.addfile(member)


def unpack(archive: Path, folder: Path, sha256: str) -> None:
    """Open an archive in an empty folder; ``DataError`` where it is damaged or of other content."""
    digest = hashlib.sha256()
    safe = {""}
    try:
        with tarfile.open(archive, "r:gz") as members:
            for member in members:
                stream = members.extractfile(member) if member.isreg() else None
                content = stream.read() if stream else b""
                _add(digest, member, content)
                _lay(member, content, folder, safe)
    except (tarfile.TarError, zlib.error, EOFError, ValueError, BadGzipFile, FileExistsError) as error:
        raise DataError(f"{archive.name} is damaged: {error}") from error
    if digest.hexdigest() != sha256:
        raise DataError(f"{archive.name} holds other files than its name says")


def _all(anchor: Path, parts: Sequence[str]) -> Iterator[tarfile.TarInfo]:
    """Every file, folder and link of the parts, sorted, a folder before what it holds."""
    for part in sorted(parts):
        yield from _below(str(anchor), part)


def _below(anchor: str, name: str) -> Iterator[tarfile.TarInfo]:
    path = Path(anchor, name)
    about = path.lstat()
    member = tarfile.TarInfo(name)
    member.mode = 0o755
    if stat.S_ISLNK(about.st_mode):
        member.type, member.linkname = tarfile.SYMTYPE, str(path.readlink())
    elif stat.S_ISDIR(about.st_mode):
        member.type = tarfile.DIRTYPE
    else:
        member.size, member.mode = about.st_size, 0o755 if about.st_mode & 0o100 else 0o644
    yield member
    if member.isdir():
        for each in sorted(entry.name for entry in os.scandir(path)):
            yield from _below(anchor, f"{name}/{each}")


def _add(digest: _Digest, member: tarfile.TarInfo, content: bytes) -> None:
    if member.issym():
        kind = f"-> {member.linkname}"
    elif member.isdir():
        kind = "folder"
    else:
        kind = f"{'program' if member.mode & 0o100 else 'file'} {member.size}"
    digest.update(os.fsencode(f"{member.name}\0{kind}\0"))
    digest.update(hashlib.sha256(content).digest())


def _lay(member: tarfile.TarInfo, content: bytes, folder: Path, safe: set[str]) -> None:
    """Make a member where nothing is yet; ``safe`` are folders below ``folder`` that are no links.

    Raises ``ValueError`` or ``FileExistsError`` for what no archive of ours holds.
    """
    name = member.name
    if name != posixpath.normpath(name) or name.startswith(("/", "..")):
        raise ValueError(f"{name!r} leads out of the folder")
    parent = posixpath.dirname(name)
    if parent not in safe:
        _make_folders(parent, folder, safe)
    path = folder / name
    if member.issym():
        path.symlink_to(member.linkname)
    elif member.isdir():
        _make_folder(path)
        safe.add(name)
    elif member.isreg():
        with path.open("xb") as stream:
            os.fchmod(stream.fileno(), 0o755 if member.mode & 0o100 else 0o644)
            stream.write(content)
    else:
        raise ValueError(f"{name!r} is no file, folder or link")


def _make_folders(name: str, folder: Path, safe: set[str]) -> None:
    """The folders above a part; what is there must have been made here."""
    parent = posixpath.dirname(name)
    if parent not in safe:
        _make_folders(parent, folder, safe)
    _make_folder(folder / name)
    safe.add(name)


def _make_folder(path: Path) -> None:
    path.mkdir()
    path.chmod(0o755)  # the code under test may be run as somebody else
