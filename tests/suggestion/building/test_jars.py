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


def _jar(path: Path, files: tuple[str, ...] = _FILES) -> Path:
    with zipfile.ZipFile(path, "w") as opened:
        for name in files:
            opened.writestr(name, b"content")
    return path


@pytest.mark.parametrize("name", ["junit4.jar", "hamcrest.jar"])
def test_a_real_jar_has_the_classes_that_its_archive_lists(name: str) -> None:
    jar = Path("/usr/share/java", name)
    if not jar.is_file():
        pytest.skip(f"there is no {jar}")
    with zipfile.ZipFile(jar) as opened:
        names = [file[:-6].replace("/", ".") for file in opened.namelist() if file.endswith(".class")]
    packages = {each.rpartition(".")[0] for each in names}
    assert packages_in(jar) == packages_of([jar]) == packages
    assert classes_of(jar) == {each for each in names if "$" not in each} | packages


def test_a_jar_that_changes_is_read_again(tmp_path: Path) -> None:
    jar = _jar(tmp_path / "some.jar")
    assert packages_in(jar) == {"org.acme", "org.acme.io"}
    _jar(jar, ("com/other/much/longer/Name.class",))
    assert packages_in(jar) == {"com.other.much.longer"}


def test_a_jar_with_a_damaged_directory_is_refused_by_name(tmp_path: Path) -> None:
    jar = _jar(tmp_path / "damaged.jar")
    content = jar.read_bytes()
    at = content.rindex(b"PK\1\2")
    jar.write_bytes(content[:at] + b"PK\0\0" + content[at + 4 :])
    with pytest.raises(DataError, match=r"cannot read the jar .*damaged\.jar: .*mend --classpath"):
        classes_of(jar)
