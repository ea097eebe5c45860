"""What is written into a work tree, and when that is refused."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.errors import Nl2fixError
from nl2fix.core.records import sha256_text
from nl2fix.suggestion.output import apply
from tests.server.test_pages import AFTER, BEFORE, result, text
from tests.suggestion.conftest import commit, git


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "Maths.java").write_text(text(BEFORE))
    git(folder, "init", "-q")
    commit(folder)
    return folder


def test_where_git_does_not_say_what_is_committed_nothing_is_written(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of somebody else's repository it says nothing, which was taken for "clean"."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    edited = text(BEFORE) + "// mine\n"
    (repo / "Maths.java").write_text(edited)
    made = replace(result(repo), file_sha256=sha256_text(edited))
    with pytest.raises(Nl2fixError, match="git does not say: .* dubious ownership"):
        apply.apply(made, made.suggestions[0])
    assert (repo / "Maths.java").read_text() == edited


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_file_stays_with_its_owner(repo: Path) -> None:
    file = repo / "Maths.java"
    os.chown(file, 65534, 65534)
    file.chmod(0o640)
    made = result(repo)
    apply.apply(made, made.suggestions[0])
    told = file.stat()
    assert (told.st_uid, told.st_gid, told.st_mode & 0o777) == (65534, 65534, 0o640)
    assert file.read_text() == text(AFTER)
