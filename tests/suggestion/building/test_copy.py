from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.files import CACHE_TAG
from nl2fix.suggestion.building.copy import Mirror
from nl2fix.suggestion.localisation.target import java_files
from nl2fix.suggestion.output import apply
from tests.suggestion.conftest import PAGER


def mirrored(repo: Path, cache: Path) -> tuple[Path, str]:
    """What a session on its own finds."""
    with closing(Mirror(repo, cache)) as mirror:
        return mirror.tree, mirror.state


def test_the_copy_follows_the_repository(repo: Path, tmp_path: Path) -> None:
    (repo / ".gitignore").write_text("secret.txt\n")
    (repo / "secret.txt").write_text("x")
    (repo / "new.txt").write_text("untracked")
    tree, state = mirrored(repo, tmp_path / "cache")
    assert (tree / PAGER).read_text() == (repo / PAGER).read_text()
    assert (tree / "new.txt").exists()
    assert not (tree / "secret.txt").exists()
    (tree / "built.class").write_text("kept: made by a build in the copy")
    (repo / "new.txt").unlink()
    (repo / PAGER).write_text("class Changed {}")
    again, changed = mirrored(repo, tmp_path / "cache")
    assert again == tree
    assert changed != state
    assert not (tree / "new.txt").exists()
    assert (tree / "built.class").exists()
    assert (tree / PAGER).read_text() == "class Changed {}"
    assert mirrored(repo, tmp_path / "cache")[1] == changed


def test_a_folder_without_git_is_copied_without_build_output(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    (folder / "target").mkdir(parents=True)
    (folder / "target/x.class").write_text("")
    (folder / "A.java").write_text("class A {}")
    tree, _ = mirrored(folder, tmp_path / "cache")
    assert sorted(p.name for p in tree.rglob("*")) == ["A.java"]


def test_a_machine_without_git_copies_as_if_there_were_none(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git: No such file or directory, was all that came of the command."""
    monkeypatch.setenv("PATH", str(tmp_path))
    tree, _ = mirrored(repo, tmp_path / "cache")
    assert (tree / PAGER).read_text() == (repo / PAGER).read_text()
    apply.refuse_dirty(repo, PAGER)


@pytest.mark.parametrize("git", [True, False])
def test_a_cache_within_the_project_is_none_of_its_sources(repo: Path, git: bool) -> None:
    """It was copied into itself, and methods of the copy were tried, ending with "git ignores …"."""
    if not git:
        shutil.rmtree(repo / ".git")
    found, before = java_files(repo), subprocess.run(["git", "status"], cwd=repo, capture_output=True).stdout
    for _ in range(2):
        tree, _ = mirrored(repo, repo / "kept/cache")
        assert java_files(repo) == found
        assert not (tree / "kept").exists()
    assert subprocess.run(["git", "status"], cwd=repo, capture_output=True).stdout == before


def test_a_folder_that_was_there_is_not_marked_as_a_cache(repo: Path) -> None:
    found = java_files(repo)
    mirrored(repo, repo)
    assert java_files(repo) == found
    assert not {CACHE_TAG, ".gitignore"}.intersection(path.name for path in repo.iterdir())


def test_a_name_that_is_no_utf_8_is_copied(repo: Path, tmp_path: Path) -> None:
    """It ended in an internal error; projects have such names among their tests' resources."""
    name = os.fsdecode(b"r\xe9sum\xe9.txt")
    (repo / name).write_text("x")
    tree, _ = mirrored(repo, tmp_path / "cache")
    assert (tree / name).exists()
    (repo / name).unlink()
    tree, _ = mirrored(repo, tmp_path / "cache")
    assert not (tree / name).exists()


def test_a_name_with_a_line_end_removes_nothing_elsewhere(repo: Path, tmp_path: Path) -> None:
    """Read line by line, the list of what was copied named a file of the user's, which was deleted."""
    precious = tmp_path / "precious.txt"
    precious.write_text("x")
    file = repo / f"a\n{precious}"
    file.parent.mkdir(parents=True)
    file.write_text("y")
    mirrored(repo, tmp_path / "cache")
    tree, _ = mirrored(repo, tmp_path / "cache")
    assert precious.exists()
    assert (tree / file.relative_to(repo)).exists()
    file.unlink()
    mirrored(repo, tmp_path / "cache")
    assert not (tree / file.relative_to(repo)).exists()


def test_a_folder_takes_the_place_of_a_file_and_the_other_way_round(repo: Path, tmp_path: Path) -> None:
    """It could not be copied until the cache was removed, or went into the old folder."""
    (repo / "one").write_text("file")
    (repo / "two").mkdir()
    (repo / "two/inner").write_text("inner")
    mirrored(repo, tmp_path / "cache")
    (repo / "one").unlink()
    (repo / "two/inner").unlink()
    (repo / "two").rmdir()
    (repo / "one").mkdir()
    (repo / "one/inner").write_text("inner")
    (repo / "two").write_text("file")
    tree, _ = mirrored(repo, tmp_path / "cache")
    assert (tree / "one/inner").read_text() == "inner"
    assert (tree / "two").read_text() == "file"


def test_a_link_in_the_copy_leads_no_write_out_of_it(repo: Path, tmp_path: Path) -> None:
    """A build may have left it there, or the repository before."""
    tree, _ = mirrored(repo, tmp_path / "cache")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "b.txt").write_text("kept")
    (tree / "a").symlink_to(elsewhere)
    (repo / "a").mkdir()
    (repo / "a/b.txt").write_text("new")
    mirrored(repo, tmp_path / "cache")
    assert (elsewhere / "b.txt").read_text() == "kept"
    assert (tree / "a/b.txt").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
@pytest.mark.parametrize("versioned", [True, False])
def test_links_within_the_repository_stay_links(repo: Path, tmp_path: Path, versioned: bool) -> None:
    """plexus-io's tests of links met files, and none where a link leads to a folder."""
    inside = {"file": "one/inner", "folder": "one", "whole": ".", "far": "one/../two/inner"}
    (repo / ".gitignore").write_text("made\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/note.txt").write_text("note")
    outside = {"note": "../elsewhere/note.txt", "elsewhere": "../elsewhere", "named": str(repo / "one")}
    outside |= {"ignored": "target/made", "gone": "one/nothing"}
    files = dict.fromkeys(("one/inner", "two/inner", "target/made"), "")
    for name, leads in {**files, **inside, **outside, "self": "self"}.items():
        (repo / name).parent.mkdir(exist_ok=True)
        (repo / name).symlink_to(leads) if leads else (repo / name).write_text(name)
    if not versioned:
        shutil.rmtree(repo / ".git")
    for _ in range(2):
        tree, state = mirrored(repo, tmp_path / "cache")
        assert {name: str((tree / name).readlink()) for name in inside} == inside
        assert (tree / "note").read_text() == "note" and not (tree / "note").is_symlink()
        assert (tree / "ignored").read_text() == "target/made" and not (tree / "ignored").is_symlink()
        left_out = ("elsewhere", "named", "gone", "self", "target/made")
        assert not any(os.path.lexists(tree / name) for name in left_out)
    (repo / "file").unlink()
    (repo / "file").symlink_to("two/inner")
    tree, changed = mirrored(repo, tmp_path / "cache")
    assert (tree / "file").read_text() == "two/inner" and changed != state


def test_a_second_command_leaves_the_copy_alone_that_a_first_one_works_in(repo: Path, tmp_path: Path) -> None:
    """It built the changed project where candidates of the first were being judged."""
    first = Mirror(repo, tmp_path / "cache")
    before = (first.tree / PAGER).read_text()
    (repo / PAGER).write_text("class Changed {}")
    code = "import sys, pathlib as p, nl2fix.suggestion.building.copy as c; "
    code += "print(c.Mirror(*map(p.Path, sys.argv[1:])).tree)"
    command = [sys.executable, "-c", code, str(repo), str(tmp_path / "cache")]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in "12"]
    trees = {Path(run.stdout.strip()) for run in runs}
    assert (first.tree / PAGER).read_text() == before
    (other,) = trees - {first.tree}
    assert len(trees) == 1, "the third finds the second one's, which has ended"
    assert (other / PAGER).read_text() == "class Changed {}"
    first.close()
    assert mirrored(repo, tmp_path / "cache")[0] == first.tree


def test_a_second_session_of_one_process_leaves_the_copy_alone_that_a_first_one_works_in(
    repo: Path, tmp_path: Path
) -> None:
    """Two threads brought one copy up to date at once: a file that one removed was missing to the other."""
    first = Mirror(repo, tmp_path / "cache")
    second = Mirror(repo, tmp_path / "cache")
    assert first.tree != second.tree
    assert (first.tree / PAGER).read_text() == (second.tree / PAGER).read_text()
    free = first.tree
    del first
    assert Mirror(repo, tmp_path / "cache").tree == free, "what is forgotten holds nobody up"


def test_a_further_copy_that_nobody_used_for_long_is_emptied(repo: Path, tmp_path: Path) -> None:
    """Each command beside another left a copy of the project and its build for ever."""
    cache = tmp_path / "cache"
    code = "import sys; from pathlib import Path; from nl2fix.suggestion.building.copy import Mirror\n"
    asked = [sys.executable, "-c", f"{code}print(Mirror(Path(sys.argv[1]), Path(sys.argv[2])).tree)"]

    def copied_beside() -> Path:
        done = subprocess.run([*asked, repo, cache], check=True, capture_output=True, text=True)
        return Path(done.stdout.strip()).parent

    first = copied_beside()
    further = [first.with_name(f"{first.name}-{number}") for number in (2, 3)]
    for folder, age in zip(further, (8, 6), strict=True):
        (folder / "tree").mkdir(parents=True)
        for name in ("lock", "copied", "build-0.json"):
            (folder / name).write_text("")
        os.utime(folder / "copied", (time.time() - age * 86400,) * 2)
    assert copied_beside() == first
    assert [path.name for path in further[0].iterdir()] == ["lock"]
    assert (further[1] / "tree").is_dir() and (further[1] / "build-0.json").is_file()


def test_no_build_is_taken_for_that_of_a_copy_that_had_to_be_made_anew(repo: Path, tmp_path: Path) -> None:
    tree, _ = mirrored(repo, tmp_path / "cache")
    (tree.parent / "build-0.json").write_text("{}")
    (tree.parent / "copied").unlink()
    assert mirrored(repo, tmp_path / "cache")[0] == tree
    assert sorted(path.name for path in tree.parent.iterdir()) == ["copied", "lock", "tree"]


def test_a_project_in_a_folder_whose_name_is_no_text_is_copied(tmp_path: Path) -> None:
    """Python's codec was named in an internal error."""
    repo = tmp_path / os.fsdecode(b"caf\xe9")
    repo.mkdir()
    (repo / "A.java").write_text("class A {}")
    tree, _ = mirrored(repo, tmp_path / "cache")
    assert (tree / "A.java").read_text() == "class A {}"
