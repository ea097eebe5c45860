"""What jars and class folders hold."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from nl2fix.core.errors import DataError

_END, _LONGEST_END = b"PK\5\6", 22 + 0xFFFF
"""What a jar ends with, and its most bytes."""
_LARGE, _LOCATOR, _BETWEEN = b"PK\6\7", 20, 20 + 56
"""What stands before it in large ones, that one's bytes, and those of all that does."""
_FILE, _OF_FILE = struct.Struct("<4s24x3H12x"), b"PK\1\2"
"""What stands before a file's name in the directory: a mark, the lengths of the name and of what follows."""
_MODULE = "module-info.class"
_PROCESSORS = "META-INF/services/javax.annotation.processing.Processor"


def packages_of(libraries: Iterable[Path]) -> set[str]:
    """Packages of the classes in jars and class folders."""
    classes = (name for library in libraries for name in _names(library) if name.endswith(".class"))
    return {name.rpartition("/")[0].replace("/", ".") for name in classes}


def packages_in(jar: Path) -> frozenset[str]:
    """Those of one jar, kept: of thousands few have what is looked for, for one module after the other.

    ``DataError`` for what is no jar.
    """
    return _kept_packages(jar, *_state(jar))


def classes_of(library: Path) -> set[str]:
    """Qualified names of a library's top-level classes, and its packages."""
    names = (name for name in _names(library) if name.endswith(".class") and "$" not in name)
    classes = {name[:-6].replace("/", ".") for name in names if not name.endswith(_MODULE)}
    return classes | {name.rpartition(".")[0] for name in classes}


def with_processors(libraries: Iterable[Path]) -> tuple[Path, ...]:
    """The libraries, if one of them has annotation processors, which may need the others; else none."""
    jars = tuple(libraries)
    return jars if any(_PROCESSORS in _names(jar) for jar in jars) else ()


def _names(library: Path) -> Sequence[str]:
    """Names of the files inside; ``DataError`` for what is no jar."""
    if library.is_dir():
        return [file.relative_to(library).as_posix() for file in library.rglob("*")]
    return _kept_names(library, *_state(library))


def _state(jar: Path) -> tuple[int, int]:
    """What changes when a jar does."""
    try:
        stat = jar.stat()
    except OSError as error:
        raise _unreadable(jar, error) from error
    return stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=1 << 13)
def _kept_packages(jar: Path, changed: int, size: int) -> frozenset[str]:
    folders = {name.rpartition(b"/")[0] for name in _listed(jar) if name.endswith(b".class")}
    return frozenset(folder.decode("utf-8", "replace").replace("/", ".") for folder in folders)


@lru_cache(maxsize=1 << 8)
def _kept_names(jar: Path, changed: int, size: int) -> tuple[str, ...]:
    return tuple(name.decode("utf-8", "replace") for name in _listed(jar))


def _listed(jar: Path) -> list[bytes]:
    """Names of a jar's files, as its directory has them; most jars are asked for nothing more."""
    try:
        directory, at, names = _directory(jar), 0, list[bytes]()
        while at < len(directory):
            kind, name, more, comment = _FILE.unpack_from(directory, at)
            if kind != _OF_FILE:
                raise ValueError("its directory is damaged")
            at += _FILE.size
            names.append(directory[at : at + name])
            at += name + more + comment
    except (OSError, ValueError, struct.error) as error:
        raise _unreadable(jar, error) from error
    return names


def _directory(jar: Path) -> bytes:
    """A jar's list of files, which stands in front of its end."""
    with jar.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        start = file.seek(max(0, length - _LONGEST_END))
        tail = file.read()
        end = tail.rindex(_END)
        (size,) = struct.unpack_from("<I", tail, end + 12)
        is_large = tail.startswith(_LARGE, max(0, end - _LOCATOR))
        file.seek(start + end - size - (_BETWEEN if is_large else 0))
        return file.read(size)


def _unreadable(jar: Path, error: Exception) -> DataError:
    return DataError(f"cannot read the jar {jar}: {error}; mend --classpath")
