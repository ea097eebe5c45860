"""What jars and class folders hold."""

from __future__ import annotations

import os
import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path

from nl2fix.core.errors import DataError

_END, _LONGEST_END, _BETWEEN = b"PK\5\6", 22 + 0xFFFF, 20 + 56
"""What a jar ends with, its most bytes, and what may stand before it in large ones."""
_MODULE = "module-info.class"
_PROCESSORS = "META-INF/services/javax.annotation.processing.Processor"


def packages_of(libraries: Iterable[Path]) -> set[str]:
    """Packages of the classes in jars and class folders."""
    classes = (name for library in libraries for name in _names(library) if name.endswith(".class"))
    return {name.rpartition("/")[0].replace("/", ".") for name in classes}


def classes_of(library: Path) -> set[str]:
    """Qualified names of a library's top-level classes, and its packages."""
    names = (name for name in _names(library) if name.endswith(".class") and "$" not in name)
    classes = {name[:-6].replace("/", ".") for name in names if not name.endswith(_MODULE)}
    return classes | {name.rpartition(".")[0] for name in classes}


def may_have(jar: Path, packages: Iterable[str]) -> bool:
    """Whether a jar's directory speaks of a package; most jars need not be read further.

    ``DataError`` for what is no jar.
    """
    listed = _directory(jar)
    return any(package.replace(".", "/").encode() in listed for package in packages)


def _directory(jar: Path) -> bytes:
    """A jar's list of files as it stands in front of its end."""
    try:
        with jar.open("rb") as file:
            length = file.seek(0, os.SEEK_END)
            start = file.seek(max(0, length - _LONGEST_END))
            tail = file.read()
            end = tail.rindex(_END)
            (size,) = struct.unpack_from("<I", tail, end + 12)
            file.seek(max(0, start + end - size - _BETWEEN))
            return file.read(size + _BETWEEN)
    except (OSError, ValueError, struct.error) as error:
        raise DataError(f"cannot read the jar {jar}: {error}") from error


def with_processors(libraries: Iterable[Path]) -> tuple[Path, ...]:
    """The libraries, if one of them has annotation processors, which may need the others; else none."""
    jars = tuple(libraries)
    return jars if any(_PROCESSORS in _names(jar) for jar in jars) else ()


def _names(library: Path) -> list[str]:
    """Names of the files inside; ``DataError`` for what is no jar."""
    if library.is_dir():
        return [file.relative_to(library).as_posix() for file in library.rglob("*")]
    try:
        with zipfile.ZipFile(library) as opened:
            return opened.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise DataError(f"cannot read the jar {library}: {error}; mend --classpath") from error
