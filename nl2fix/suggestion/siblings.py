"""Source folders of a repository's other modules that one module needs, found by what it imports."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nl2fix.suggestion.shelves import imports
from nl2fix.suggestion.target import SKIPPED, read_source

MAIN, TEST = ("src/main/java",), ("src/test/java", "src/testFixtures/java")


def source_roots(root: Path, names: Sequence[str]) -> list[Path]:
    """Every module's source folders of these names, sorted."""
    return sorted(
        folder / name for folder in _folders(root) for name in names if folder.joinpath(name).is_dir()
    )


def _folders(root: Path) -> Iterator[Path]:
    for folder, names, _ in os.walk(root):
        names[:] = [name for name in names if name not in SKIPPED and name != "src" and name[0] != "."]
        yield Path(folder)


def needed(own: Sequence[Path], there: Sequence[Path], others: Iterable[Path]) -> tuple[Path, ...]:
    """Those of ``others`` with classes that ``own`` import and ``there`` has not, and what these need."""
    provided = [*own, *there]
    others, chosen = [root for root in others if root not in provided], list[Path]()
    wanted = lacking(own, there)
    while True:
        root = next((root for root in others if any(_has(root, name) for name in wanted)), None)
        if root is None:
            return tuple(chosen)
        others.remove(root)
        chosen.append(root)
        wanted = {name for name in wanted if not _has(root, name)}
        wanted |= lacking([root], [*provided, *chosen])


def about(file: Path, source: Path, tests: Iterable[Path]) -> tuple[Path, ...]:
    """The folders of tests that import a file's class or share its package."""
    name = ".".join(file.relative_to(source).with_suffix("").parts)
    package = file.relative_to(source).parent
    return tuple(root for root in tests if (root / package).is_dir() or name in _imported([root]))


def lacking(own: Sequence[Path], there: Sequence[Path] = ()) -> set[str]:
    """Classes and packages outside the JDK that source folders import and neither they nor others have."""
    provided = [*own, *there]
    return {name for name in _imported(own) if not any(_has(root, name) for root in provided)}


def _imported(roots: Iterable[Path]) -> set[str]:
    return imports(read_source(file) for root in roots for file in root.rglob("*.java"))


def _has(root: Path, name: str) -> bool:
    """Whether a source folder has a class or a package with sources."""
    path = root.joinpath(*name.split("."))
    return path.with_suffix(".java").is_file() or (path.is_dir() and any(path.glob("*.java")))
