"""What jars and class folders hold."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

from nl2fix.core.errors import DataError

_PROCESSORS = "META-INF/services/javax.annotation.processing.Processor"


def packages_of(libraries: Iterable[Path]) -> set[str]:
    """Packages of the classes in jars and class folders."""
    classes = (name for library in libraries for name in _names(library) if name.endswith(".class"))
    return {name.rpartition("/")[0].replace("/", ".") for name in classes}


def classes_of(library: Path) -> set[str]:
    """Qualified names of a library's top-level classes, and its packages."""
    names = (name for name in _names(library) if name.endswith(".class") and "$" not in name)
    classes = {name[:-6].replace("/", ".") for name in names}
    return classes | {name.rpartition(".")[0] for name in classes}


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
