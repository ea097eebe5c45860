"""Files that are never half-written, and folders that somebody still writes to."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.core.files import extract, remove_tree, stamp, write_atomically


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "a"
    write_atomically(file, "one")
    write_atomically(file, "two")
    assert file.read_text() == "two"
    assert list(tmp_path.iterdir()) == [file]


def test_who_may_read_a_file_is_for_the_umask_to_say(tmp_path: Path) -> None:
    """Reports of private code could be read by all, and those of a group by its writers alone."""
    before = os.umask(0o077)
    try:
        write_atomically(tmp_path / "private", "x")
        os.umask(0o002)
        write_atomically(tmp_path / "shared", "x")
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("private", "shared")]
    assert modes == [0o600, 0o664]


@pytest.mark.skipif(not shutil.which("bwrap"), reason="needs a file system that nobody may write to")
def test_a_file_on_read_only_media_is_told_by_its_name(tmp_path: Path) -> None:
    """The name of a temporary file beside it was."""
    asked = "import sys; from nl2fix.core.files import *; write_atomically(Path(sys.argv[1]), str())"
    file = str(tmp_path / "report.html")
    told = subprocess.run(
        ["bwrap", "--ro-bind", "/", "/", sys.executable, "-c", asked, file], capture_output=True, text=True
    )
    assert told.stderr.endswith(f"StorageError: cannot write {file}: Read-only file system\n")


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot write .*: No such file or directory"):
        write_atomically(tmp_path / "none" / "a", "x")


def test_a_device_is_written_to_and_stays_a_device(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_atomically(pipe, "rows")
    assert pipe.is_fifo(), "nl2fix export --to /dev/null made a file of it"
    reader.join()
    assert read == ["rows"]
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_a_link_to_what_is_written(tmp_path: Path) -> None:
    link = tmp_path / "link"
    (tmp_path / "elsewhere").mkdir()
    link.symlink_to(tmp_path / "elsewhere" / "a")
    for text in ("one", "two"):
        write_atomically(link, text)
        assert (tmp_path / "elsewhere" / "a").read_text() == text
    assert link.is_symlink()
    assert list((tmp_path / "elsewhere").iterdir()) == [tmp_path / "elsewhere" / "a"]


def test_a_folder_is_removed_while_somebody_writes_into_it(tmp_path: Path) -> None:
    folder = tmp_path / "checkout" / ".git"
    (folder / "pack").mkdir(parents=True)
    end = time.monotonic() + 0.3

    def maintain() -> None:
        number = 0
        while time.monotonic() < end:
            number += 1
            try:
                (folder / "pack").mkdir(parents=True, exist_ok=True)
                (folder / "pack" / str(number)).write_text("x")
            except OSError:
                continue

    writer = threading.Thread(target=maintain)
    writer.start()
    try:
        while writer.is_alive():
            remove_tree(folder)
    finally:
        writer.join()
    remove_tree(folder)
    assert not folder.exists()


def test_a_folder_that_is_not_there_is_fine(tmp_path: Path) -> None:
    remove_tree(tmp_path / "none")


def packed(*members: tuple[str, bytes, str]) -> tarfile.TarFile:
    """An archive of members: name, type, and content or where a link leads."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.mode = kind, content, 0o4777
            member.size = len(content) if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(content.encode()))
    stream.seek(0)
    return tarfile.open(fileobj=stream)


FILE, LINK, SAME, PIPE = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE
WITH_AND_WITHOUT = pytest.mark.parametrize("filtered", [True, False])


@pytest.fixture
def python(filtered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python with or without the filter of ``tarfile``."""
    if not filtered:
        monkeypatch.delattr(tarfile, "data_filter", raising=False)


@WITH_AND_WITHOUT
@pytest.mark.usefixtures("python")
@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_an_archive_is_unpacked_with_its_links(tmp_path: Path) -> None:
    members = [("a/b", FILE, "text"), ("a/c", LINK, "b"), ("d", SAME, "a/b"), ("e", tarfile.DIRTYPE, "")]
    with packed(*members) as archive:
        extract(archive, tmp_path)
    assert [(tmp_path / name).read_text() for name in ("a/b", "a/c", "d")] == ["text"] * 3
    assert (tmp_path / "e").is_dir() and (tmp_path / "a/b").stat().st_mode & 0o7022 == 0


@WITH_AND_WITHOUT
@pytest.mark.usefixtures("python")
@pytest.mark.parametrize(
    "members",
    [
        [("../out", FILE, "text")],
        [("a", LINK, "../..")],
        [("a", LINK, "/etc/passwd")],
        [("a", LINK, "/tmp"), ("a/out", FILE, "text")],
        [("a", SAME, "../out")],
        [("a", PIPE, "")],
    ],
)
def test_what_leads_out_of_the_folder_is_refused(
    tmp_path: Path, members: list[tuple[str, bytes, str]]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "out").write_text("before")
    with packed(*members) as archive, pytest.raises(tarfile.TarError):
        extract(archive, folder)
    assert (tmp_path / "out").read_text() == "before"


def test_a_stamp_is_another_one_once_anything_was_written_or_lies_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "file").write_text("a")
    (folder / "link").symlink_to("deep")
    seen = {stamp(folder, ["."])}
    assert stamp(folder, ["."]) in seen

    def changed(*folders: Path) -> bool:
        now = stamp(folder, [".", "gone"], folders)
        known = now in seen
        seen.add(now)
        return not known

    times = (folder / "deep" / "file").stat()
    while (folder / "deep" / "file").stat().st_ctime_ns == times.st_ctime_ns:  # clocks of disks tick slowly
        (folder / "deep" / "file").write_text("b")
        os.utime(folder / "deep" / "file", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert changed()
    (folder / "deep" / "other").touch()
    assert changed()
    (folder / "link").unlink()
    assert changed()
    assert changed(tmp_path)
    shutil.copytree(folder, tmp_path / "copy")
    folder.rename(tmp_path / "old")
    (tmp_path / "copy").rename(folder)
    assert changed(tmp_path)
    assert not changed(tmp_path)


def test_a_stamp_is_another_one_once_what_a_link_leads_to_was_written(tmp_path: Path) -> None:
    """Verdicts of the library before were given out for the new one, in one process and on nodes."""
    library, folder = tmp_path / "library.jar", tmp_path / "made"
    folder.mkdir()
    (folder / "library.jar").symlink_to(library)
    seen = {stamp(tmp_path, ["made"])}
    for text in ("one", "two"):
        library.write_text(text)
        seen.add(stamp(tmp_path, ["made"]))
    assert len(seen) == 3
    (folder / "round").symlink_to("round")
    assert stamp(tmp_path, ["made"]) not in seen
