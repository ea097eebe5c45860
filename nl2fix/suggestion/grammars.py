"""Files of which a build makes Java, such as grammars of parsers: without a build tool that is missing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from nl2fix.suggestion.target import SKIPPED

_MAKES = {
    **dict.fromkeys((".jjt", ".jj", ".y", ".jflex", ".flex"), ("",)),
    **dict.fromkeys((".g", ".g4"), ("", "Parser", "Lexer")),
    **dict.fromkeys((".proto", ".thrift", ".avdl", ".avsc"), ("",)),
}
"""By the ending: what is added to the name of what is made, one of which is there where it is kept."""
_BUILT = {
    "pom.xml": "target/classes",
    "build.gradle": "build/classes/java/main",
    "build.gradle.kts": "build/classes/java/main",
}
"""Where a build tool puts classes, by its file."""


def unmade(module: Path, sources: Iterable[str]) -> str:
    """A file of a module that none of these sources (paths) is made of, and what to do; or nothing."""
    there = {Path(path).stem.lower() for path in sources}
    made_of = next((file for file in sorted(_files(module / "src")) if not _is_made(file, there)), None)
    if made_of is None:
        return ""
    folder = next((folder for name, folder in _BUILT.items() if (module / name).is_file()), "")
    after = f" (after a build: {folder})" if folder else ""
    return (
        f"{made_of.relative_to(module)}: classes that the build makes of it may be missing, "
        f"name their folder with --classpath{after}"
    )


def _files(root: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in SKIPPED and "test" not in name.lower()]
        yield from (Path(folder, name) for name in files if Path(name).suffix in _MAKES)


def _is_made(file: Path, there: set[str]) -> bool:
    return any(f"{file.stem}{added}".lower() in there for added in _MAKES[file.suffix])
