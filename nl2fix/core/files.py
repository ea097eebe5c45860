"""Files that are never half-written, and archives that write nowhere else."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from nl2fix.core.errors import DataError, StorageError

CACHE_TAG = "CACHEDIR.TAG"
"""A folder with this file is a cache, as tools agreed (https://bford.info/cachedir/)."""
_CACHE = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by nl2fix; it may be deleted.\n"


def write_atomically(file: Path, text: str) -> None:
    """Replace a file in one step: temporary file, fsync, rename. A full disk leaves the old one."""
    write_bytes_atomically(file, text.encode("utf-8", "surrogatepass"))


def open_again(file: Path) -> BinaryIO:
    """A file to read that can be read again, which a pipe and a device cannot."""
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise DataError(f"{file} is no regular file; write what it gives to a file and name that")
    return file.open("rb")


def write_together(files: Iterable[tuple[Path, str | bytes]]) -> None:
    """As ``write_atomically``, for files that belong together: none is there before all are written.

    The first comes last.
    """
    with ExitStack() as written:
        for file, content in files:
            temporary = written.enter_context(written_atomically(file))
            encoded = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
            temporary.write_bytes(encoded)


def cache_folder(folder: Path) -> Path:
    """The same folder, made where it is missing, then with what tells tools and git that it is a cache."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / CACHE_TAG, _CACHE)
        write_atomically(folder / ".gitignore", "*\n")
    return folder


def copy_file(source: str | Path, target: str | Path) -> str | Path:
    """Copy a file with its times; ``StorageError`` names both ends, as an error of either looks the same."""
    try:
        return shutil.copy2(source, target)
    except OSError as error:
        raise StorageError(f"cannot copy {source} to {target}: {error.strerror or error}") from error


def remove_tree(folder: Path) -> None:
    """Remove a folder and what is in it; one that is not there is fine.

    Somebody may still be writing into it (git's maintenance in the background): tried for a few seconds.
    """
    failed = OSError()
    for pause in (0.0, 0.1, 0.5, 2.0):
        time.sleep(pause)
        try:
            shutil.rmtree(folder)
        except FileNotFoundError:
            if not folder.exists():
                return
        except OSError as error:
            failed = error
        else:
            return
    raise DataError(f"cannot remove {folder}: {failed.strerror}; remove it and run again")


def stamp(anchor: Path, parts: Iterable[str], folders: Iterable[Path] = ()) -> str:
    """What the system tells of files and folders below ``anchor``, and that ``folders`` are those they are.

    It is another one once something in them is written, also what a link leads to, and where the same path is
    on another disk. What is not there is told, too; raises ``OSError`` where something may not be looked at.
    """
    told = hashlib.sha256()
    for folder in folders:
        told.update(f"{folder.stat().st_ino} ".encode())
    for part in sorted(parts):
        _stamp(told, f"{anchor}/{part}", part)
    return told.hexdigest()


def _stamp(told: hashlib._Hash, path: str, name: str) -> None:
    try:
        about = os.lstat(path)
    except FileNotFoundError:
        return
    told.update(os.fsencode(f"{name}\0{_told(about)}"))
    if stat.S_ISLNK(about.st_mode) and (end := Path(path)).exists():
        told.update(os.fsencode(f"{_told(end.stat())}"))
    if stat.S_ISDIR(about.st_mode):
        with os.scandir(path) as found:
            names = sorted(entry.name for entry in found)
        for each in names:
            _stamp(told, f"{path}/{each}", each)
        told.update(b"/")


def _told(about: os.stat_result) -> tuple[int, ...]:
    written = () if stat.S_ISDIR(about.st_mode) else (about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    return (about.st_ino, about.st_mode, *written)


def extract(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack files, folders and links that stay inside the folder; raises ``TarError`` for any other.

    That is ``tarfile``'s data filter, which Python before 3.11.4 has not.
    """
    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, filter="data")
        return
    root = folder.resolve()
    archive.extraction_filter = lambda member, _: member  # from 3.14 on one that is not there is looked up
    for member in archive:
        archive.extract(_kept_inside(member, root), root)


def _kept_inside(member: tarfile.TarInfo, root: Path) -> tarfile.TarInfo:
    """A member as whoever unpacks it owns it; raises ``ExtractError`` where it leads out of the folder."""
    place = root / member.name
    reached = [place.parent if member.issym() else place]
    if member.issym() or member.islnk():
        reached.append((place.parent if member.issym() else root) / member.linkname)
    elif not member.isreg() and not member.isdir():
        raise tarfile.ExtractError(f"{member.name!r} is no file, folder or link")
    if not all(each.resolve().is_relative_to(root) for each in reached):
        raise tarfile.ExtractError(f"{member.name!r} leads out of the folder")
    member.mode = 0o755 if member.isdir() else member.mode & 0o755 | 0o600
    member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
    return member


def write_bytes_atomically(file: Path, content: bytes) -> None:
    """As ``write_atomically``, for bytes."""
    with written_atomically(file) as temporary:
        temporary.write_bytes(content)


@contextmanager
def written_atomically(file: Path) -> Iterator[Path]:
    """A temporary neighbour to write to, which becomes ``file`` when the block ends without an error.

    Where ``file`` is a link, what it leads to is written; a device or a pipe is written to, never replaced.
    Raises ``StorageError`` where the file cannot be written; what was there before stays.
    """
    temporary: Path | None = None
    try:
        target = Path(os.path.realpath(file))
        streams = file.exists() and not (file.is_file() or file.is_dir())
        folder = tempfile.gettempdir() if streams else target.parent
        name = f"{folder}/.{target.name}.{secrets.token_hex(4)}"
        # Not mkstemp, whose files are the user's alone: who else may read this one is for the umask to say.
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if streams else 0o666))
        temporary = Path(name)
        yield temporary
        if streams:
            _pour(temporary, file)
        else:
            _put(temporary, target)
    except OSError as error:
        raise StorageError(f"cannot write {file}: {error.strerror or error}") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _pour(source: Path, stream: Path) -> None:
    with source.open("rb") as content, stream.open("wb") as sink:
        shutil.copyfileobj(content, sink)


def _put(temporary: Path, file: Path) -> None:
    with temporary.open("rb") as stream:
        os.fsync(stream.fileno())
    temporary.replace(file)
