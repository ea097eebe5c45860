from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.suggestion.building.jars import classes_of, packages_in, packages_of

_FILES = (
    "META-INF/MANIFEST.MF",
    "org/acme/Pager.class",
    "org/acme/Pager$1.class",
    "org/acme/io/Reader.class",
)
_CLASSES = {"org.acme.Pager", "org.acme.io.Reader", "org.acme", "org.acme.io"}


def _jar(path: Path, files: tuple[str, ...] = _FILES) -> Path:
    with zipfile.ZipFile(path, "w") as opened:
        for name in files:
            opened.writestr(name, b"content")
    return path


@pytest.mark.parametrize("name", ["junit4.jar", "hamcrest.jar"])
def test_a_real_jar_has_the_classes_that_its_archive_lists(name: str):
    jar = Path("/usr/share/java", name)
    if not jar.is_file():
        pytest.skip(f"there is no {jar}")
    with zipfile.ZipFile(jar) as opened:
        names = [file[:-6].replace("/", ".") for file in opened.namelist() if file.endswith(".class")]
    packages = {each.rpartition(".")[0] for each in names}
    assert packages_in(jar) == packages_of([jar]) == packages
    assert classes_of(jar) == {each for each in names if "$" not in each} | packages


def test_a_jar_behind_a_script_and_with_a_comment_is_read(tmp_path: Path):
    jar = _jar(tmp_path / "run.jar")
    with zipfile.ZipFile(jar, "a") as opened:
        opened.comment = b"PK says nothing here"
    jar.write_bytes(b"#!/bin/sh\nexec java -jar $0\n" + jar.read_bytes())
    assert classes_of(jar) == _CLASSES


def test_a_jar_of_more_files_than_the_old_format_counts_is_read(tmp_path: Path):
    jar = _jar(tmp_path / "large.jar", (*_FILES, *(f"data/{number}" for number in range(1 << 16))))
    assert classes_of(jar) == _CLASSES


def test_a_jar_that_changes_is_read_again(tmp_path: Path):
    jar = _jar(tmp_path / "some.jar")
    assert packages_in(jar) == {"org.acme", "org.acme.io"}
    _jar(jar, ("com/other/much/longer/Name.class",))
    assert packages_in(jar) == {"com.other.much.longer"}


def test_a_jar_with_a_damaged_directory_is_refused_by_name(tmp_path: Path):
    jar = _jar(tmp_path / "damaged.jar")
    content = jar.read_bytes()
    at = content.rindex(b"PK\1\2")
    jar.write_bytes(content[:at] + b"PK\0\0" + content[at + 4 :])
    with pytest.raises(DataError, match=r"cannot read the jar .*damaged\.jar: .*mend --classpath"):
        classes_of(jar)
