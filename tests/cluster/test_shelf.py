"""What a node keeps: what is in use stays, what was not used for longest goes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from nl2fix.cluster.shelf import Shelf


def filling(size: int) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        (folder / "content").write_bytes(b"x" * size)

    return fill


def kept(shelf: Shelf) -> set[str]:
    return {path.name.rpartition("-")[0] for path in shelf.folder.iterdir() if path.name[0] != "."}


def test_a_folder_is_filled_once(tmp_path: Path) -> None:
    shelf, filled = Shelf(tmp_path, 1), []

    def fill(folder: Path) -> None:
        filled.append(folder)

    with shelf.held("a", fill) as first, shelf.held("a", fill) as second:
        assert first == second
    assert len(filled) == 1


def test_the_least_recently_used_goes_and_what_is_in_use_stays(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 1)
    with shelf.held("used", filling(700_000)) as used:
        os.utime(used, (1, 1))
        for age, name in enumerate(("old", "new"), 2):
            with shelf.held(name, filling(300_000)) as folder:
                os.utime(folder, (age, age))
        with shelf.held("newest", filling(300_000)):
            assert kept(shelf) == {"used", "newest"}
    with shelf.held("last", filling(300_000)):
        assert "used" not in kept(shelf)


def test_what_comes_back_has_another_path(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 0)
    with shelf.held("a", filling(10)) as first:
        pass
    with shelf.held("b", filling(10)):
        assert kept(shelf) == {"b"}
    with shelf.held("a", filling(10)) as second:
        assert first != second


def test_a_folder_that_could_not_be_filled_is_not_there(tmp_path: Path) -> None:
    def broken(folder: Path) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"), Shelf(tmp_path, 1).held("a", broken):
        pass
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


def test_what_killed_processes_left_half_made_is_swept(tmp_path: Path) -> None:
    with Shelf(tmp_path, 1).held("a", filling(10)):
        pass
    (tmp_path / ".unfinished-a-12345678").mkdir()
    (tmp_path / ".unfinished-b-12345678").mkdir()

    def fill(folder: Path) -> None:
        Shelf(tmp_path, 1)
        assert folder.is_dir(), "what is being filled stays"

    with Shelf(tmp_path, 1).held("c", fill):
        assert kept(Shelf(tmp_path, 1)) == {"a", "c"}
        assert not list(tmp_path.glob(".unfinished-*"))
