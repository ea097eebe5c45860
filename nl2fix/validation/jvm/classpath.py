"""Class files by name, from the folders and archives of a class path."""

from __future__ import annotations

import errno
import zipfile
from functools import cached_property
from pathlib import Path

from nl2fix.validation.jvm.worker import Classes


class ClassFinder:
    """Finds the class file of a binary name with slashes."""

    def __init__(self, classes: Classes) -> None:
        self._entries = [Path(entry) for entry in (*classes.project, *classes.tests, *classes.libraries)]

    def __call__(self, name: str) -> bytes | None:
        """Its content; ``None`` where the class path has no such class."""
        resource = f"{name}.class"
        for folder in self._entries:
            if _is_file(file := folder / resource):
                return file.read_bytes()
        archive = self._archived.get(resource)
        if archive is None:
            return None
        with zipfile.ZipFile(archive) as opened:
            return opened.read(resource)

    @cached_property
    def _archived(self) -> dict[str, Path]:
        jars: dict[str, Path] = {}
        for archive in self._entries:
            if archive.is_file() and zipfile.is_zipfile(archive):
                with zipfile.ZipFile(archive) as opened:
                    for name in opened.namelist():
                        jars.setdefault(name, archive)
        return jars


def _is_file(path: Path) -> bool:
    """Whether there is such a file; no file system has what is longer, or other, than names of files are."""
    try:
        return path.is_file()
    except UnicodeEncodeError:
        return False
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise
