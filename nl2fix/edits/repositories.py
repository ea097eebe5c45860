"""Edit pairs from the history of a local git repository, bare or not, by libgit2.

Every commit that is reachable from ``HEAD`` is looked at once, newest first, against its only parent.
What a commit says is screened before its trees are compared, so most commits cost next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from nl2fix.core.errors import DataError, UsageError
from nl2fix.edits import messages
from nl2fix.edits.licenses import license_of
from nl2fix.edits.pair import EditPair, Found, Removed
from nl2fix.edits.settings import MiningConfig

SUFFIXES = {".py": "python", ".java": "java", ".js": "javascript", ".go": "go", ".cpp": "cpp", ".rs": "rust"}
_ISSUE = re.compile(
    r"(?<![A-Za-z0-9])(?:([A-Z][A-Z0-9]+-\d+)|(?:(?i:issue|bug|ticket)s?[ :]*#?|#)(\d+))(?!\w)"
)
_MOST_BYTES_A_CHAR = 4


def issues_named(text: str, repositories: Iterable[str] = ()) -> tuple[str, ...]:
    """Ids of issues in a text: ``LANG-747``, and ``gson#12`` for ``#12`` or ``issue 12`` of a repository.

    Where no repository is known a number is ``#12``.
    """
    names = [*dict.fromkeys(name.lower() for name in repositories)] or [""]
    found = _ISSUE.findall(text)
    return tuple(dict.fromkeys(key or f"{name}#{number}" for key, number in found for name in names))


@dataclass(frozen=True)
class Repository:
    """A repository to mine; ``name`` is its folder's, without ``.git``."""

    path: Path
    name: str
    commits: int
    """Reachable from ``HEAD``."""
    license: str
    """SPDX id of the licence file at the root of ``HEAD``, lower case; empty where none is known."""
    known_as: tuple[str, ...]
    """Its own name and those at the places that it was cloned from."""
    git: Any


class ChangedFile(NamedTuple):
    """A file that a commit changes; empty where it was not there."""

    path: str
    before: str
    after: str


def open_repository(path: Path) -> Repository:
    """Open a repository; ``UsageError`` where none is, ``DataError`` where it has no commit."""
    pygit2 = _library()
    try:
        git = pygit2.Repository(str(path))
        if git.head_is_unborn:
            raise DataError(f"{path}: the repository has no commit")
        head = git.head.peel(pygit2.Commit)
        commits = sum(1 for _ in git.walk(head.id))
    except pygit2.GitError as error:
        raise UsageError(f"{path} is no git repository that can be read ({_line(error)})") from error
    except KeyError as error:
        raise DataError(f"{path}: object {error} is missing; the repository is damaged") from error
    folder = path.resolve()
    name = folder.parent.name if folder.name == ".git" else folder.name.removesuffix(".git")
    places = (remote.url or "" for remote in git.remotes)
    remotes = (re.split(r"[/:]", place.rstrip("/"))[-1].removesuffix(".git") for place in places)
    known_as = (name, *filter(None, remotes))
    return Repository(path, name, commits, license_of(head.tree), known_as, git)


def read_repository(repository: Repository, config: MiningConfig) -> Found:
    """Pairs of whole files, and what became none; a commit that cannot be read is one of those."""
    pygit2, git = _library(), repository.git
    for commit in git.walk(git.head.peel(pygit2.Commit).id):
        try:
            yield from _commit(repository, commit, config)
        except (KeyError, pygit2.GitError) as error:
            yield _gone(repository, commit, "", "objects are missing", _line(error))


def _commit(repository: Repository, commit: Any, config: MiningConfig) -> Found:
    parents = commit.parent_ids
    if len(parents) > 1:
        yield _gone(repository, commit, "", "merge commit", f"{len(parents)} parents")
        return
    if not parents:
        # libgit2 hides the parents that a shallow clone left out.
        reason = "parent is missing, the clone is shallow" if repository.git.is_shallow else "first commit"
        yield _gone(repository, commit, "", reason)
        return
    said = commit.raw_message.decode("utf-8", "replace")
    message = messages.cleaned(_subject(said), references=config.references == "clean")
    if config.screen != "none":
        fault = messages.fault(message, imperative=config.imperative)
        if fault:
            yield _gone(repository, commit, "", *fault)
            return
    for item in _files(repository, commit, config):
        if isinstance(item, Removed):
            yield item
        elif config.screen != "none" and (named := messages.names_file(message, item.path)):
            yield _gone(repository, commit, item.path, *named)
        else:
            yield _pair(repository, commit, message, said, item)


def _subject(said: str) -> str:
    return next((line.strip() for line in said.splitlines() if line.strip()), "")


def _pair(repository: Repository, commit: Any, message: str, said: str, file: ChangedFile) -> EditPair:
    return EditPair(
        language=SUFFIXES[PurePosixPath(file.path).suffix],
        before=file.before,
        after=file.after,
        message=message,
        origin=repository.name,
        revision=str(commit.id),
        path=file.path,
        license=repository.license,
        issues=issues_named(said, repository.known_as),
    )


def _files(repository: Repository, commit: Any, config: MiningConfig) -> Iterator[ChangedFile | Removed]:
    """Each file that a commit changes in a language wanted."""
    git = repository.git
    diff = git.diff(git[commit.parent_ids[0]].tree_id, commit.tree_id, context_lines=0)
    deltas = list(diff.deltas)
    wanted = [delta for delta in deltas if _language(delta) in config.languages]
    if not wanted:
        what = "submodule" if any(_is_link(delta) for delta in deltas) else "no file in a language wanted"
        yield _gone(repository, commit, "", what)
        return
    if config.most_files and len(deltas) > config.most_files:
        yield _gone(repository, commit, "", "commit changes several files", str(len(deltas)))
        return
    for delta in wanted:
        yield _texts(repository, commit, delta, config)


def _language(delta: Any) -> str | None:
    if _is_link(delta):
        return None
    return SUFFIXES.get(PurePosixPath(delta.new_file.path or delta.old_file.path).suffix)


def _is_link(delta: Any) -> bool:
    """A submodule or a symbolic link, whose content is no text of this repository."""
    return any(file.mode in (0o160000, 0o120000) for file in (delta.old_file, delta.new_file))


def _texts(repository: Repository, commit: Any, delta: Any, config: MiningConfig) -> ChangedFile | Removed:
    path = delta.new_file.path or delta.old_file.path
    texts = []
    for file in (delta.old_file, delta.new_file):
        blob = repository.git[file.id] if int(str(file.id), 16) else None
        if blob is not None and blob.size > config.most_chars * _MOST_BYTES_A_CHAR:
            return _gone(repository, commit, path, "file is too long", f"{blob.size} bytes")
        if blob is not None and blob.is_binary:
            return _gone(repository, commit, path, "file is binary")
        try:
            texts.append("" if blob is None else blob.data.decode("utf-8"))
        except UnicodeDecodeError as error:
            return _gone(repository, commit, path, "file is not in UTF-8", f"byte {error.start}")
    return ChangedFile(path, texts[0].replace("\r\n", "\n"), texts[1].replace("\r\n", "\n"))


def _gone(repository: Repository, commit: Any, path: str, reason: str, detail: str = "") -> Removed:
    return Removed(repository.name, str(commit.id), path, reason, detail)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _missing(package: str) -> UsageError:
    return UsageError(f"mining repositories needs {package}: pip install 'nl2fix[edits]'")


def _library() -> Any:
    try:
        import pygit2
    except ImportError:
        raise _missing("pygit2") from None
    return pygit2
