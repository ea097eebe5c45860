"""What machines share: archives that are what their name says, and verdicts in files of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fsspec", reason="fsspec comes with nl2fix[cluster]")

from nl2fix.cluster.store import SharedStore
from nl2fix.core.errors import DataError
from nl2fix.core.records import Evidence, Outcome, Verdict

RIGHT, WRONG = Verdict(Outcome.PLAUSIBLE), Verdict(Outcome.WRONG, Evidence("trigger", failing_test="t"))
PARTS = ("bugs/one", "jars/a.jar")


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SharedStore:
    made = SharedStore(str(tmp_path / "store") if request.param == "folder" else f"memory://{tmp_path.name}")
    made.check()
    return made


@pytest.fixture
def anchor(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    (folder / "bugs" / "one" / "empty").mkdir(parents=True)
    (folder / "bugs" / "one" / "run.sh").write_text("exit")
    (folder / "bugs" / "one" / "run.sh").chmod(0o755)
    (folder / "bugs" / "one" / "link").symlink_to("run.sh")
    (folder / "bugs" / "other").write_text("of another problem")
    (folder / "jars").mkdir()
    (folder / "jars" / "a.jar").write_bytes(b"PK")
    return folder


def test_files_come_back_as_they_were_and_nothing_else(
    store: SharedStore, anchor: Path, tmp_path: Path
) -> None:
    sha256 = store.keep(anchor, PARTS)
    assert store.keep(anchor, PARTS) == sha256
    there = tmp_path / "there"
    there.mkdir()
    store.fetch(sha256, there)
    assert (there / "bugs/one/empty").is_dir()
    assert (there / "bugs/one/run.sh").stat().st_mode & 0o100
    assert (there / "bugs/one/link").is_symlink()
    assert (there / "jars/a.jar").read_bytes() == b"PK"
    assert not (there / "bugs/other").exists()


def test_content_decides_the_name(store: SharedStore, anchor: Path) -> None:
    first = store.keep(anchor, PARTS)
    (anchor / "bugs/one/run.sh").chmod(0o644)
    second = store.keep(anchor, PARTS)
    (anchor / "bugs/one/empty").rmdir()
    assert len({first, second, store.keep(anchor, PARTS)}) == 3


def test_a_damaged_archive_is_refused_and_made_anew(anchor: Path, tmp_path: Path) -> None:
    store = SharedStore(str(tmp_path / "store"))
    sha256 = store.keep(anchor, PARTS)
    (archive,) = (tmp_path / "store/workspaces").iterdir()
    archive.write_bytes(archive.read_bytes()[:200])
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
    with pytest.raises(DataError, match="damaged"):
        store.fetch(sha256, tmp_path / "a")
    assert store.keep(anchor, PARTS) == sha256
    store.fetch(sha256, tmp_path / "b")


def test_another_content_under_the_name_is_refused(anchor: Path, tmp_path: Path) -> None:
    store = SharedStore(str(tmp_path / "store"))
    sha256 = store.keep(anchor, PARTS)
    (anchor / "jars/a.jar").write_bytes(b"tampered")
    other = store.keep(anchor, PARTS)
    folder = tmp_path / "store/workspaces"
    (folder / f"{other}.tar.gz").replace(folder / f"{sha256}.tar.gz")
    (tmp_path / "a").mkdir()
    with pytest.raises(DataError, match="other files than its name says"):
        store.fetch(sha256, tmp_path / "a")


def test_verdicts_of_all_machines_are_merged_and_damage_costs_one_file(
    store: SharedStore, tmp_path: Path
) -> None:
    store.keep_verdicts("ab", {"one": RIGHT})
    store.keep_verdicts("ab", {"two": WRONG})
    store.keep_verdicts("cd", {"one": WRONG})
    assert store.verdicts("ab") == {"one": RIGHT, "two": WRONG}
    assert store.verdicts("ef") == {}
    if "memory" not in store.url:
        (tmp_path / "store/verdicts/ab/ab/zz.json").write_text('{"three": ')
        assert store.verdicts("ab") == {"one": RIGHT, "two": WRONG}


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot use the store"):
        SharedStore(str(tmp_path / "file" / "store")).check()
    with pytest.raises(DataError, match="cannot use the store nonsense://"):
        SharedStore("nonsense://place")
