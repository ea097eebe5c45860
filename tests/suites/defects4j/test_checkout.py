from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.errors import DataError
from nl2fix.suites.defects4j import checkout
from nl2fix.suites.defects4j.checkout import Places
from nl2fix.suites.defects4j.installation import Defects4J, find
from nl2fix.validation.jvm.workspace import Workspace
from tests.suites.defects4j.stand_in import HOME, JUNIT, ROWS, source


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkouts")


@pytest.fixture(scope="module")
def installation(folder: Path) -> Iterator[Defects4J]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUNIT", str(JUNIT))
        patch.setenv("STAND_IN_LOG", str(folder / "calls"))
        yield find(HOME, 120.0)


@pytest.fixture(scope="module")
def places(folder: Path) -> Places:
    """With what was left of work on the first bug that was killed half way."""
    places = Places(folder / "suite")
    (places.work("Acme-1") / "checkout" / "left").mkdir(parents=True)
    return places


@pytest.fixture(scope="module")
def first(installation: Defects4J, places: Places) -> Workspace:
    """Of the first bug, for tests that change nothing in it."""
    return checkout.make(installation, ROWS[0], places, "")


def test_a_bug_becomes_a_workspace_that_can_be_moved(installation: Defects4J, tmp_path: Path) -> None:
    places = Places(tmp_path / "suite")
    made = checkout.make(installation, ROWS[0], places, "/some/jdk")
    assert made.source_file == "acme/Converter.java"
    assert (made.source_level, made.encoding) == ("8", "ISO-8859-1")
    assert made.classes == ("checkout/target/classes",)
    assert made.test_classes == ("checkout/target/test-classes",)
    assert made.sources == ("checkout/src/main/java", "checkout/src/test/java")
    assert made.working_directory == "checkout"
    assert made.environment["TZ"] == "America/Los_Angeles"
    assert made.system_properties["java.awt.headless"] == "true"
    assert made.hosts["google.com"] == "127.0.0.1"
    assert made.jdk == "/some/jdk"
    assert made.trigger_tests == (
        "acme.ConverterTest::parsesWithManyBlanks",
        "acme.ConverterTest::parsesWithTab",
    )
    assert [test.name for test in made.regression] == [
        "acme.ConverterTest",
        "acme.PlacesTest",
        "acme.BrokenTest",
    ]
    assert all(not Path(jar).is_absolute() and made.path(jar).is_file() for jar in made.libraries)
    assert [Path(jar).name for jar in made.libraries] == ["hamcrest-2.2.jar", "junit-4.13.2.jar"]
    checkout.publish(made, places, ["odd"])
    published = replace(made, root=places.bug("Acme-1"))
    for entry in (*made.classes, *made.test_classes, *made.libraries, *made.sources):
        assert published.path(entry).exists()
    assert not made.root.exists()
    assert (published.root / "notes.txt").read_text() == "odd\n"


def test_nothing_of_the_fix_is_left_in_the_workspace(first: Workspace, places: Places) -> None:
    assert places.reference("Acme-1").read_bytes() == source(1, "fixed", "Converter").encode("latin-1")
    assert not places.reference("Acme-1").is_relative_to(first.root)
    assert not (first.root / "checkout" / ".git").exists()
    assert not (first.root / "fixed").exists()
    assert all(
        b'split("\\\\s+")' not in file.read_bytes() for file in first.root.rglob("*") if file.is_file()
    )


def test_what_was_checked_out_and_compiled_is_not_done_again(
    installation: Defects4J, folder: Path, places: Places, first: Workspace
) -> None:
    calls = (folder / "calls").read_text()
    assert checkout.make(installation, ROWS[0], places, "") == first
    assert (folder / "calls").read_text() == calls


def test_both_versions_are_one_checkout_and_what_is_noted_there_is_not_exported(
    folder: Path, first: Workspace
) -> None:
    calls = [line.split() for line in (folder / "calls").read_text().splitlines()]
    folders = [
        call[-1] for call in calls if call[0] == "checkout" and Path(call[-1]).is_relative_to(first.root)
    ]
    exported = {call[-1] for call in calls if call[0] == "export"}
    assert len(folders) == 2
    assert len(set(folders)) == 1
    assert exported == {"cp.test"}


def test_work_that_was_killed_half_way_starts_anew(first: Workspace) -> None:
    assert not (first.root / "checkout" / "left").exists()


def test_a_build_that_cleans_up_when_asked_is_compiled_again_and_jars_are_kept_once(
    installation: Defects4J, places: Places, first: Workspace
) -> None:
    made = checkout.make(installation, ROWS[1], places, "")
    assert (made.path(made.test_classes[0]) / "acme" / "RouteTest.class").is_file()
    assert first.libraries and made.libraries == first.libraries
    assert len([path for path in places.libraries.rglob("*") if path.is_file()]) == 2


def test_what_does_not_fit_the_index_is_told(installation: Defects4J, tmp_path: Path) -> None:
    elsewhere = replace(ROWS[0], path="src/test/java/acme/ConverterTest.java")
    with pytest.raises(DataError, match="not below its source folder"):
        checkout.make(installation, elsewhere, Places(tmp_path / "suite"), "")
    nowhere = replace(ROWS[0], path="src/main/java/Gone.java")
    with pytest.raises(DataError, match="the fixed version has no src/main/java/Gone.java"):
        checkout.make(installation, nowhere, Places(tmp_path / "suite"), "")


def test_disk_grows_with_bugs_and_jobs() -> None:
    one = checkout.disk_needed_mb(["Math"], 1)
    assert checkout.disk_needed_mb(["Math"] * 73, 1) > one * 3
    assert checkout.disk_needed_mb(["Math"], 8) > one
    assert checkout.disk_needed_mb(["Unheard"], 1) > 0
