"""Putting a suggestion into the work tree: the only place that writes there."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.files import write_bytes_atomically
from nl2fix.core.records import sha256_text
from nl2fix.suggestion.localisation.target import encoded, encoding_of, read_source
from nl2fix.suggestion.output.result import KeptTest, Suggestion, SuggestResult


def chosen(result: SuggestResult, rank: int) -> Suggestion:
    """The suggestion at a place of the ranking."""
    if not 1 <= rank <= len(result.suggestions):
        count = len(result.suggestions)
        none = result.sought.told if result.sought else "there is none"
        have = f"there are {count}" if count > 1 else "there is one" if count else none
        raise UsageError(f"no suggestion {rank}; {have}")
    return result.suggestions[rank - 1]


def refuse_dirty(repo: Path, path: str) -> None:
    """Refuse a file with uncommitted changes: applying on top would mix them with the patch."""
    if shutil.which("git") is None:
        return
    state = subprocess.run(
        ["git", "-C", str(repo), "status", "--porcelain", "--", path],
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
    )
    if state.returncode != 0 and "not a git repository" not in state.stderr:
        why = " ".join(state.stderr.split()) or f"git status ended with {state.returncode}"
        raise Nl2fixError(f"whether {path} has uncommitted changes git does not say: {why}")
    if state.stdout.strip() and not state.stdout.startswith("??"):
        raise Nl2fixError(f"{path} has uncommitted changes; commit or stash them, then apply")


def apply(result: SuggestResult, suggestion: Suggestion) -> Path:
    """Write the patched file; refused when it is no longer the file the suggestion was made for."""
    repo, where = Path(result.repo), result.at(suggestion)
    file = repo / where.file
    text = read_source(file)
    if sha256_text(text) != where.file_sha256:
        raise Nl2fixError(f"{where.file} changed meanwhile; run suggest again")
    refuse_dirty(repo, where.file)
    _replace(file, encoded(suggestion.text, encoding_of(file)))
    return file


def write_test(result: SuggestResult, kept: KeptTest) -> Path:
    """Write a test's class; refused when it is no longer the one that the test was added to."""
    file = Path(result.repo) / kept.path
    refuse_dirty(Path(result.repo), kept.path)
    if kept.new:
        _create(file, kept.text.encode("utf-8"))
        return file
    if not file.is_file() or sha256_text(read_source(file)) != kept.file_sha256:
        raise Nl2fixError(f"{kept.path} changed meanwhile; run suggest again")
    _replace(file, encoded(kept.text, encoding_of(file)))
    return file


def _create(file: Path, content: bytes) -> None:
    """Write a file that is not there; one that has come meanwhile stays."""
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("xb") as stream:
            stream.write(content)
    except FileExistsError as error:
        raise Nl2fixError(f"{file} is there already; run suggest again") from error
    except OSError as error:
        raise Nl2fixError(f"cannot write {file}: {error.strerror}") from error


def _replace(file: Path, content: bytes) -> None:
    """Write a file anew, with the owner, where that may be, and the mode that it has."""
    before = file.stat()
    write_bytes_atomically(file, content)
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(file, before.st_uid, before.st_gid)
    file.chmod(before.st_mode)
