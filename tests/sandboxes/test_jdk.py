"""The JDK of this machine is found, and its absence is told with the mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.errors import UsageError
from nl2fix.sandboxes import jdk


def fake(home: Path, release: str = 'JAVA_VERSION="17.0.1"\n', answer: str = "") -> Path:
    (home / "bin").mkdir(parents=True)
    for program in ("java", "javac"):
        (home / "bin" / program).write_text(f"#!/bin/sh\necho '{answer}' >&2\n")
        (home / "bin" / program).chmod(0o755)
    if release:
        (home / "release").write_text(release)
    return home


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without any JDK."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "no-programs"))
    monkeypatch.setattr(jdk, "INSTALLED", tmp_path / "jvm")
    return tmp_path


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ('JAVA_VERSION="1.8.0_504"\n', 8),
        ('IMPLEMENTOR="x"\nJAVA_VERSION="11.0.33"\n', 11),
        ('JAVA_VERSION="17.0.15"\n', 17),
        ('JAVA_VERSION="21"\n', 21),
        ('JAVA_VERSION="25-ea"\n', 25),
        ("nonsense", 0),
    ],
)
def test_versions(tmp_path: Path, release: str, version: int) -> None:
    assert jdk.version(fake(tmp_path / "j", release)) == version


def test_a_jdk_without_release_file_is_asked(tmp_path: Path) -> None:
    assert jdk.version(fake(tmp_path / "j", "", 'openjdk version "1.8.0_292"')) == 8


def test_java_home_comes_first(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = fake(nowhere / "jvm" / "java-21", 'JAVA_VERSION="21"')
    assert jdk.find() == installed
    mine = fake(nowhere / "mine")
    monkeypatch.setenv("JAVA_HOME", str(mine))
    assert jdk.find() == mine


def test_a_linked_java_home_is_the_folder_itself(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox that shows /usr alone has no /opt/java, though it has the JDK that this links to."""
    (nowhere / "java").symlink_to(fake(nowhere / "jvm" / "jdk-17"))
    monkeypatch.setenv("JAVA_HOME", str(nowhere / "java"))
    assert jdk.find() == (nowhere / "jvm" / "jdk-17").resolve()


def test_the_path_comes_before_installed_ones_and_links_are_followed(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(nowhere / "jvm" / "java-21", 'JAVA_VERSION="21"')
    mine = fake(nowhere / "mine")
    (nowhere / "links").mkdir()
    (nowhere / "links" / "javac").symlink_to(mine / "bin" / "javac")
    monkeypatch.setenv("PATH", str(nowhere / "links"))
    assert jdk.find() == mine


def test_the_newest_installed_one_is_taken_and_unfit_ones_are_passed_over(nowhere: Path) -> None:
    fake(nowhere / "jvm" / "java-7", 'JAVA_VERSION="1.7.0"')
    fake(nowhere / "jvm" / "java-11", 'JAVA_VERSION="11.0.1"')
    (fake(nowhere / "jvm" / "jre-99", 'JAVA_VERSION="99"') / "bin" / "javac").unlink()
    newest = fake(nowhere / "jvm" / "java-17")
    assert jdk.find() == newest


def test_no_jdk_is_one_line_with_the_command_that_mends_it(nowhere: Path) -> None:
    fake(nowhere / "jvm" / "java-7", 'JAVA_VERSION="1.7.0"')
    with pytest.raises(UsageError, match="apt-get install default-jdk-headless") as error:
        jdk.find()
    assert "\n" not in str(error.value)


def test_a_wanted_one_must_be_there_and_new_enough(nowhere: Path) -> None:
    mine = fake(nowhere / "mine")
    assert jdk.find(str(mine)) == mine
    with pytest.raises(UsageError, match="no JDK in"):
        jdk.find(str(nowhere / "other"))
    with pytest.raises(UsageError, match="older than 8"):
        jdk.find(str(fake(nowhere / "old", 'JAVA_VERSION="1.7.0"')))


def test_a_wrong_java_home_is_one_clear_line(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was passed over without a word, for another JDK."""
    fake(nowhere / "jvm" / "java-21", 'JAVA_VERSION="21"')
    monkeypatch.setenv("JAVA_HOME", str(nowhere / "typo"))
    with pytest.raises(UsageError, match=r"no JDK in \S*/typo .*JAVA_HOME says so") as error:
        jdk.find()
    assert "\n" not in str(error.value)
    fake(nowhere / "old", 'JAVA_VERSION="1.7.0"')
    monkeypatch.setenv("JAVA_HOME", str(nowhere / "old"))
    with pytest.raises(UsageError, match=r"older than 8; JAVA_HOME says so"):
        jdk.find()
