"""A copy of the user's repository to build in, kept up to date, so the work tree stays untouched."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from nl2fix.core.errors import DataError
from nl2fix.suggestion.target import goes_in


def mirror(repo: Path, cache: Path) -> tuple[Path, str]:
    """Bring the copy up to date; returns its folder and a hash of the names, sizes and times copied.

    Files that git ignores and build output stay out; files that are gone here go there, too, except
    what builds made in the copy.
    """
    folder = cache / "projects" / hashlib.sha256(str(repo).encode()).hexdigest()[:16] / "tree"
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    listing = folder.parent / "files"
    before = set(os.fsdecode(listing.read_bytes()).splitlines()) if listing.is_file() else set()
    now = []
    for relative in sorted(_files(repo)):
        source, target = repo / relative, folder / relative
        stat = source.stat()
        now.append(relative)
        digest.update(os.fsencode(f"{relative}\0{stat.st_size}\0{stat.st_mtime_ns}\n"))
        if _differs(target, stat):
            _copy(source, target)
    for relative in before - set(now):
        (folder / relative).unlink(missing_ok=True)
    listing.write_bytes(os.fsencode("\n".join(now)))
    return folder, digest.hexdigest()


def _files(repo: Path) -> Iterator[str]:
    """Tracked and untracked files that git does not ignore; without git all but build output."""
    listed = subprocess.run(
        ["git", "-C", str(repo), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
    )
    if listed.returncode == 0 and (repo / ".git").exists():
        for raw in listed.stdout.split(b"\0"):
            name = os.fsdecode(raw)
            if name and (repo / name).is_file():
                yield name
        return
    for folder, names, files in os.walk(repo):
        here = Path(folder).relative_to(repo).as_posix()
        names[:] = [n for n in names if goes_in(here, n)]
        for name in files:
            path = Path(folder) / name
            if path.is_file():
                yield path.relative_to(repo).as_posix()


def _differs(target: Path, stat: os.stat_result) -> bool:
    try:
        have = target.stat()
    except OSError:
        return True
    return (have.st_size, have.st_mtime_ns) != (stat.st_size, stat.st_mtime_ns)


def _copy(source: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    except OSError as error:
        raise DataError(f"cannot copy {source}: {error.strerror}") from error
