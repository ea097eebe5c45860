"""What jars and class folders hold."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from nl2fix.core.errors import DataError

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


def with_processors(libraries: Iterable[Path], idle: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """The libraries, if one of them has annotation processors, which may need the others; else none.

    Processors whose names begin with one of ``idle`` do not count.
    """
    jars = tuple(libraries)
    return jars if any(not name.startswith(idle) for jar in jars for name in _processors(jar)) else ()


def _processors(library: Path) -> list[str]:
    """Names of a library's annotation processors."""
    if _PROCESSORS not in _names(library):
        return []
    if library.is_dir():
        return (library / _PROCESSORS).read_text(encoding="utf-8").split()
    with zipfile.ZipFile(library) as opened:
        return opened.read(_PROCESSORS).decode().split()


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
    classes = (name for name in _listed(jar) if name.endswith(".class"))
    return frozenset(name.rpartition("/")[0].replace("/", ".") for name in classes)


@lru_cache(maxsize=1 << 8)
def _kept_names(jar: Path, changed: int, size: int) -> tuple[str, ...]:
    return tuple(_listed(jar))


def _listed(jar: Path) -> list[str]:
    try:
        with zipfile.ZipFile(jar) as opened:
            return opened.namelist()
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise _unreadable(jar, error) from error


def _unreadable(jar: Path, error: Exception) -> DataError:
    return DataError(f"cannot read the jar {jar}: {error}; mend --classpath")
