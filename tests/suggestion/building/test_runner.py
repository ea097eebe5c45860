"""JUnit 5's launcher is found where build tools keep jars."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.suggestion.building.runner import with_runner

API, COMMONS = "junit-jupiter-api", "junit-platform-commons"
JUPITER, ENGINE, LAUNCHER = "junit-jupiter-engine", "junit-platform-engine", "junit-platform-launcher"
VERSIONS = {API: "5.9.2", JUPITER: "5.9.2", COMMONS: "1.9.2", ENGINE: "1.9.2", LAUNCHER: "1.9.2"}


def maven(root: Path, name: str) -> Path:
    return root / name / VERSIONS[name] / f"{name}-{VERSIONS[name]}.jar"


def gradle(root: Path, name: str) -> Path:
    return root / name / VERSIONS[name] / f"{abs(hash(name)):x}" / f"{name}-{VERSIONS[name]}.jar"


def debian(root: Path, name: str) -> Path:
    return root / f"{name}.jar"


@pytest.mark.parametrize("place", [maven, gradle, debian])
def test_launcher_and_engine_are_taken_from_beside_the_others(tmp_path: Path, place: object) -> None:
    assert callable(place)
    jars = {name: place(tmp_path, name) for name in VERSIONS}
    for jar in jars.values():
        jar.parent.mkdir(parents=True, exist_ok=True)
        jar.write_bytes(b"")
    found = with_runner([jars[API], jars[COMMONS]])
    assert found == (jars[API], jars[COMMONS], jars[JUPITER], jars[ENGINE], jars[LAUNCHER])
    assert with_runner(found) == found


def test_debian_s_folders_without_a_version_are_known(tmp_path: Path) -> None:
    """With Debian's JUnit 5 no test ran, and nothing said why."""
    api = maven(tmp_path, API)
    api.parent.mkdir(parents=True)
    api.write_bytes(b"")
    jars = {n: tmp_path / n / "debian" / f"{n}-debian.jar" for n in (COMMONS, ENGINE, LAUNCHER)}
    jars[JUPITER] = maven(tmp_path, JUPITER)
    for jar in jars.values():
        jar.parent.mkdir(parents=True)
        jar.write_bytes(b"")
    found = with_runner([api, jars[COMMONS]])
    assert found == (api, jars[COMMONS], jars[JUPITER], jars[ENGINE], jars[LAUNCHER])


def test_what_is_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"need junit-jupiter-engine-5\.9\.2\.jar.*--classpath"):
        with_runner([maven(tmp_path, API), maven(tmp_path, COMMONS)])


def test_other_class_paths_stay_as_they_are(tmp_path: Path) -> None:
    jars = (tmp_path / "junit-4.13.2.jar", tmp_path / "odd name.jar", tmp_path / "classes")
    assert with_runner(jars) == jars
    standalone = (tmp_path / "junit-platform-console-standalone-1.9.2.jar", maven(tmp_path, API))
    assert with_runner(standalone) == standalone
