"""Archives: what comes out is what went in, or nothing is taken from them."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.cluster.archives import content_sha256, pack, unpack
from nl2fix.core.errors import DataError

NAME = st.text(st.characters(exclude_characters="/\0", codec="latin-1"), min_size=1, max_size=40).filter(
    lambda name: name not in (".", "..")
)


ENTRIES = st.tuples(
    st.sampled_from(["file", "program", "link", "folder"]), st.integers(0, 9), st.binary(max_size=600)
)


def laid(anchor: Path, entries: dict[str, tuple[str, int, bytes]]) -> None:
    """Files, programs, links and folders under any name, anywhere below a part."""
    within = [anchor / "bugs" / "one"]
    within[0].mkdir(parents=True)
    for name, (kind, where, content) in entries.items():
        path = within[where % len(within)] / os.fsdecode(name.encode("latin-1"))
        match kind:
            case "link":
                path.symlink_to(["nowhere", "..", "/etc"][where % 3])
            case "folder":
                path.mkdir()
                within.append(path)
            case _:
                path.write_bytes(content)
                path.chmod(0o600 if kind == "file" else 0o700)


def seen(folder: Path) -> list[tuple[str, str, bytes]]:
    def kind(path: Path) -> str:
        if path.is_symlink():
            return f"-> {path.readlink()}"
        return "folder" if path.is_dir() else str(path.stat().st_mode & 0o100)

    return sorted(
        (str(path.relative_to(folder)), kind(path), path.read_bytes() if kind(path).isdigit() else b"")
        for path in folder.rglob("*")
    )


@given(st.dictionaries(NAME, ENTRIES, max_size=6), st.data())
def test_damage_is_noticed_or_harmless(
    entries: dict[str, tuple[str, int, bytes]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        anchor, archive, whole, damaged = (
            Path(folder, name) for name in ("a", "a.tar.gz", "whole", "damaged")
        )
        laid(anchor, entries)
        whole.mkdir()
        damaged.mkdir()
        sha256 = content_sha256(anchor, ["bugs/one"])
        pack(anchor, ["bugs/one"], archive)
        unpack(archive, whole, sha256)
        assert seen(whole) == seen(anchor)
        content = bytearray(archive.read_bytes())
        at = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            del content[at:]
        else:
            content[at] ^= data.draw(st.integers(1, 255))
        archive.write_bytes(content)
        try:
            unpack(archive, damaged, sha256)
        except DataError:
            return
        assert seen(damaged) == seen(anchor)


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


@pytest.mark.parametrize(
    "members",
    [
        [member("../out")],
        [member("/tmp/nl2fix-out")],
        [member("a/../../out")],
        [member("a", tarfile.SYMTYPE, ".."), member("a/out")],
        [member("a", tarfile.SYMTYPE, "../out"), member("a")],
        [member("a", tarfile.LNKTYPE, "../out")],
        [member("a", tarfile.FIFOTYPE)],
        [member("a"), member("a")],
    ],
)
def test_nothing_is_written_outside(members: list[tarfile.TarInfo], tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        for each in members:
            archive.addfile(each, io.BytesIO())
    (tmp_path / "in").mkdir()
    with pytest.raises(DataError, match="damaged"):
        unpack(tmp_path / "a.tar.gz", tmp_path / "in", "")
    assert {path.name for path in tmp_path.iterdir()} == {"a.tar.gz", "in"}
    assert not Path("/tmp/nl2fix-out").exists()
