"""A copy of the user's repository to build in, kept up to date, so the work tree stays untouched."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import ExitStack, suppress
from itertools import count, takewhile
from pathlib import Path
from stat import S_IFMT, S_ISLNK

from nl2fix.core.errors import DataError
from nl2fix.core.files import cache_folder, copy_file, remove_tree, write_bytes_atomically
from nl2fix.core.locks import locked
from nl2fix.suggestion.localisation.target import goes_in

_LISTING, _LOCK = "copied", "lock"
_IDLE = 7 * 86400.0
"""Seconds after which a copy that only commands beside others needed is removed."""


class Mirror:
    """A copy of a repository, brought up to date; nobody else works in it until it is closed or forgotten.

    Files that git ignores and build output stay out, links within the repository stay links; files that are
    gone there go here, too, except what builds made in the copy. Beside one that somebody else works in,
    another is made.
    """

    def __init__(self, repo: Path, cache: Path) -> None:
        with ExitStack() as claim:
            name = hashlib.sha256(os.fsencode(repo)).hexdigest()[:16]
            cache_folder(cache)
            projects = cache_folder(cache.resolve() / "projects")  # as build tools print it
            self.tree = _claimed(projects / name, claim) / "tree"
            self.state = _brought_up_to_date(self.tree, repo)
            """Hash of the names, sizes and times copied."""
            self.close = weakref.finalize(self, claim.pop_all().close)


def _brought_up_to_date(folder: Path, repo: Path) -> str:
    listing = folder.parent / _LISTING
    if not listing.is_file():
        _empty(folder.parent)  # nobody knows what it holds
    folder.mkdir(parents=True, exist_ok=True)
    before = set(_listed(listing))
    found = sorted(_files(repo))
    links = _links(repo, found)
    now = [name for name in found if name in links or (repo / name).is_file()]
    _list(listing, before.union(now))
    for relative in before.difference(now):
        _remove(folder, relative)
    digest = hashlib.sha256()
    for relative in now:
        source, target = repo / relative, folder / relative
        stat = source.stat(follow_symlinks=relative not in links)
        digest.update(os.fsencode(f"{relative}\0{stat.st_size}\0{stat.st_mtime_ns}\n"))
        if _differs(target, stat):
            _copy(source, folder, relative, stat)
    _list(listing, now)
    return digest.hexdigest()


def _claimed(project: Path, claim: ExitStack) -> Path:
    """The first folder for a project's copy that nobody works in; ours until ``claim`` is closed."""
    for number in count(1):
        folder = _numbered(project, number)
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(BlockingIOError):
            claim.enter_context(locked(folder / _LOCK, wait=False))
            _tidy(project, number + 1)
            return folder
    raise AssertionError("numbers do not end")


def _numbered(project: Path, number: int) -> Path:
    return project if number == 1 else project.with_name(f"{project.name}-{number}")


def _tidy(project: Path, number: int) -> None:
    """Empty the further copies that nobody used for long."""
    for folder in takewhile(Path.is_dir, (_numbered(project, each) for each in count(number))):
        with suppress(OSError, DataError), locked(folder / _LOCK, wait=False):
            if time.time() - (folder / _LISTING).stat().st_mtime > _IDLE:
                _empty(folder)


def _empty(folder: Path) -> None:
    """Remove a copy and what was made of it; the lock stays, which another process may have opened by now."""
    for each in folder.iterdir():
        if each.is_dir():
            remove_tree(each)
        elif each.name != _LOCK:
            each.unlink()


def _listed(listing: Path) -> list[str]:
    names = os.fsdecode(listing.read_bytes()) if listing.is_file() else ""
    return names.split("\0") if names else []


def _list(listing: Path, names: Iterable[str]) -> None:
    write_bytes_atomically(listing, os.fsencode("\0".join(names)))


def _remove(folder: Path, relative: str) -> None:
    """Remove a file that was copied, unless something else stands in its way by now."""
    if all((folder / above).is_dir() and not (folder / above).is_symlink() for above in _above(relative)):
        with suppress(OSError):
            (folder / relative).unlink()


def _above(relative: str) -> list[Path]:
    """The folders that a file lies in, the outermost first."""
    return list(Path(relative).parents)[-2::-1]


def _files(repo: Path) -> Iterator[str]:
    """Tracked and untracked files that git does not ignore; without git all but build output."""
    if shutil.which("git") and (repo / ".git").exists():
        listed = subprocess.run(
            ["git", "-C", str(repo), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True,
        )
        if listed.returncode == 0:
            known = map(os.fsdecode, listed.stdout.split(b"\0"))
            yield from (name for name in known if name and _is_there(repo / name))
            return
    for folder, names, files in os.walk(repo):
        here = Path(folder)
        names[:] = [n for n in names if goes_in(repo, here, n)]
        for path in (here / name for name in (*names, *files)):
            if _is_there(path):
                yield path.relative_to(repo).as_posix()


def _is_there(path: Path) -> bool:
    """Whether it is a file, or a link to one or to a folder."""
    return path.is_file() or (path.is_symlink() and path.exists())


def _links(repo: Path, names: Sequence[str]) -> set[str]:
    """Those that are links, by a path from where they are, to another of these names or a folder with some:
    they lead to the same in the copy. Of others the file that they lead to is copied.
    """
    links = [name for name in names if (repo / name).is_symlink()]
    if not links or os.name != "posix":  # elsewhere a link needs rights
        return set()
    there = {"."}.union(names, (above.as_posix() for name in names for above in Path(name).parents))
    return {name for name in links if _leads_into(there, repo, name)}


def _leads_into(there: Set[str], repo: Path, name: str) -> bool:
    leads = (repo / name).readlink()
    if leads.is_absolute() or os.path.normpath(Path(name).parent / leads) not in there:
        return False
    return (repo / name).resolve().is_relative_to(repo.resolve())


def _differs(target: Path, stat: os.stat_result) -> bool:
    try:
        have = target.stat(follow_symlinks=False)
    except OSError:
        return True
    kept = (have.st_size, have.st_mtime_ns, S_IFMT(have.st_mode))
    return kept != (stat.st_size, stat.st_mtime_ns, S_IFMT(stat.st_mode))


def _copy(source: Path, folder: Path, relative: str, stat: os.stat_result) -> None:
    """Copy a file or a link; what stands where a folder is meant makes way: nothing else is written."""
    target = folder / relative
    try:
        for above in (folder / each for each in _above(relative)):
            if above.is_symlink() or above.is_file():
                above.unlink()
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir() and not target.is_symlink():
            remove_tree(target)
        target.unlink(missing_ok=True)
        if S_ISLNK(stat.st_mode):
            target.symlink_to(source.readlink())
            shutil.copystat(source, target, follow_symlinks=False)
        else:
            copy_file(source, target)
    except OSError as error:
        raise DataError(f"cannot copy {source}: {error.strerror}") from error
