"""Jars that lie where build tools and distributions keep them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from nl2fix.suggestion.building import plain, shelves
from nl2fix.suggestion.building.shelves import imports, jars_for
from tests.suggestion.conftest import write


def jar(shelf: Path, group: str, artifact: str, version: str, *classes: str, needs: str = "") -> Path:
    """A jar with its pom, laid out as in Maven's repository."""
    home = shelf.joinpath(*group.split("."), artifact, version)
    home.mkdir(parents=True)
    with zipfile.ZipFile(home / f"{artifact}-{version}.jar", "w") as made:
        for name in classes:
            made.writestr(f"{name.replace('.', '/')}.class", "")
    write(home, f"{artifact}-{version}.pom", f"<project><dependencies>{needs}</dependencies></project>")
    return home / f"{artifact}-{version}.jar"


def dependency(group: str, artifact: str, version: str, more: str = "") -> str:
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version>{more}</dependency>"
    )


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return tmp_path / "repository"


def chosen(shelf: Path, wanted: set[str], project: Path | None = None) -> list[str]:
    return [jar.name for jar in jars_for(wanted, [project or shelf], [shelf, shelf / "nowhere"])]


def test_imports_are_classes_and_packages_outside_the_jdk() -> None:
    text = (
        "package a;\nimport java.util.List;\nimport org.acme.Foo;\nimport static org.acme.Bar.Inner.of;\n"
        "import org.acme.tools.*; import javax.xml.bind.JAXB;\n * import no.Comment;\n"
    )
    assert imports([text]) == {"org.acme.Foo", "org.acme.Bar", "org.acme.tools", "javax.xml.bind.JAXB"}


def test_a_class_that_is_written_in_full_is_looked_for_too() -> None:
    """cron-utils' test of quartz did not compile, though quartz lay on the shelf."""
    text = (
        "package a;\n/** {@link org.seen.Nowhere} */ class B {\n"
        '  Object o = new org.acme.Cron("not org.acme.Text"); // org.acme.Comment\n'
        "  java.util.List<org.acme.Item> all = this.one.two.THREE; }\n"
    )
    assert imports([text]) == {"org.acme.Cron", "org.acme.Item"}
    assert imports(["/** {@link org.seen.Nowhere} */ class B { }"]) == set()


def test_what_a_jar_s_pom_needs_at_run_time_comes_with_it(shelf: Path) -> None:
    needs = dependency("org.deep", "deep", "1.0") + dependency("org.t", "tests", "1", "<scope>test</scope>")
    jar(shelf, "org.mock", "mock", "2.0", "org.mock.Mock", needs=needs)
    jar(shelf, "org.deep", "deep", "1.1", "org.deep.Deep")
    jar(shelf, "org.t", "tests", "1", "org.t.T")
    assert chosen(shelf, {"org.mock.Mock"}) == ["mock-2.0.jar", "deep-1.1.jar"]


def test_of_several_versions_the_one_that_the_build_names_else_the_newest(
    shelf: Path, tmp_path: Path
) -> None:
    for version in ("1.9", "1.10", "1.2"):
        jar(shelf, "org.acme", "acme", version, "org.acme.Foo")
    assert chosen(shelf, {"org.acme.Foo"}) == ["acme-1.10.jar"]
    write(tmp_path, "project/pom.xml", "<artifactId>acme</artifactId><version>1.2</version>")
    assert chosen(shelf, {"org.acme.Foo"}, tmp_path / "project") == ["acme-1.2.jar"]


def test_a_version_without_what_it_needs_gives_way(shelf: Path) -> None:
    jar(shelf, "org.acme", "acme", "2", "org.acme.Foo", needs=dependency("org.acme", "base", "2"))
    jar(shelf, "org.acme", "acme", "1", "org.acme.Foo", needs=dependency("org.acme", "base", "1"))
    jar(shelf, "org.acme", "base", "1", "org.acme.base.Base")
    assert chosen(shelf, {"org.acme.Foo"}) == ["acme-1.jar", "base-1.jar"]


def test_a_library_is_preferred_to_a_program_that_contains_it(shelf: Path) -> None:
    rest = [f"com.program.C{i}" for i in range(50)]
    jar(shelf, "com.program", "program", "9", "org.acme.Foo", *rest)
    jar(shelf, "org.acme", "acme", "1", "org.acme.Foo", "org.acme.Bar")
    assert chosen(shelf, {"org.acme.Foo"}) == ["acme-1.jar"]


def test_one_version_of_a_library_only(shelf: Path) -> None:
    """``junit-jupiter-params`` came in two versions, each with a class that the other had not."""
    jar(shelf, "org.acme", "acme", "1", "org.acme.Foo", "org.acme.Gone")
    jar(shelf, "org.acme", "acme", "2", "org.acme.Foo", "org.acme.Come")
    assert chosen(shelf, {"org.acme.Foo", "org.acme.Gone", "org.acme.Come"}) == ["acme-2.jar"]


def test_a_release_of_the_project_itself_is_not_taken(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JUnit needs Hamcrest: with Hamcrest's own source edited, no test reached it."""
    monkeypatch.setattr(shelves, "SHELVES", (shelf,))
    jar(shelf, "org.junit", "junit", "4", "org.junit.Test", needs=dependency("org.ham", "ham", "1"))
    jar(shelf, "org.ham", "ham", "1", "org.ham.Ham")
    file = write(tmp_path, "src/main/java/org/ham/Ham.java", "package org.ham; class Ham { }")
    write(
        tmp_path,
        "src/test/java/org/ham/HamTest.java",
        "package org.ham;\nimport org.junit.Test; class HamTest { }",
    )
    found = plain.shelved(plain.layout(tmp_path, file), tmp_path, ())
    assert [jar.name for jar in found] == ["junit-4.jar"]


def test_a_project_that_is_a_module_has_jars_that_are_modules(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pf4j got neither JUnit 5 nor Guava: its own ``module-info`` seemed to be in both."""
    monkeypatch.setattr(shelves, "SHELVES", (shelf,))
    jar(shelf, "org.acme", "acme", "1", "org.acme.Foo", "module-info")
    file = write(tmp_path, "src/main/java/own/Own.java", "package own;\nimport org.acme.Foo; class Own { }")
    write(tmp_path, "src/main/java/module-info.java", "module own { }")
    found = plain.shelved(plain.layout(tmp_path, file), tmp_path, ())
    assert [jar.name for jar in found] == ["acme-1.jar"]


def test_a_file_that_is_no_jar_and_a_link_to_nothing_are_passed_over(shelf: Path) -> None:
    write(shelf, "broken.jar", "no zip")
    (shelf / "gone.jar").symlink_to(shelf / "nothing")
    jar(shelf, "org.acme", "acme", "1", "org.acme.Foo")
    assert chosen(shelf, {"org.acme.Foo", "org.acme.Nowhere"}) == ["acme-1.jar"]


def test_a_jar_that_begins_as_a_program_and_ends_with_words_is_read(shelf: Path) -> None:
    file = jar(shelf, "org.acme", "acme", "1", "org.acme.Foo")
    with zipfile.ZipFile(file, "a") as opened:
        opened.comment = b"many words " * 1000
    file.write_bytes(b"#!/bin/sh\nexec java -jar $0\n" + file.read_bytes())
    assert chosen(shelf, {"org.acme.Foo"}) == ["acme-1.jar"]


def test_jars_that_are_published_together_have_one_version(shelf: Path) -> None:
    needs = dependency("org.gone", "gone", "3")
    for version, missing in (("1.0", ""), ("2.0", ""), ("3.0", needs)):
        jar(shelf, "org.t", "t-api", version, "org.t.Api", needs=missing)
        jar(shelf, "org.t", "t-more", version, "org.t.more.More")
    jar(shelf, "org.t", "t-old", "0.9", "org.t.old.Old")
    wanted = {"org.t.Api", "org.t.more.More", "org.t.old.Old"}
    assert set(chosen(shelf, wanted)) == {"t-api-2.0.jar", "t-more-2.0.jar", "t-old-0.9.jar"}


NAMED = {
    "pom": ("pom.xml", "<artifactId>acme</artifactId>\n  <version>1.29</version>"),
    "property": ("pom.xml", "<v.x>1.29</v.x><artifactId>acme</artifactId><version>${v.x}</version>"),
    "gradle": ("build.gradle", "ext.v = '1.29'\ndependencies { implementation \"org.acme:acme:$v\" }"),
    "short": ("build.gradle.kts", 'implementation("org.acme:acme:1.29@jar")'),
    "catalogue": (
        "gradle/libs.versions.toml",
        '[versions]\nv = "1.29"\n[libraries]\na = { module = "org.acme:acme", version.ref = "v" }',
    ),
}


def test_junits_platform_goes_with_its_jupiter(shelf: Path) -> None:
    """Of ant, whose task starts JUnit's launcher, no test ran: platform 1.9.1 beside Jupiter 5.14.4."""
    api, launcher, commons = "org.junit.jupiter.api.Test", "org.junit.platform.launcher.Launcher", "o.C"
    for minor in ("9.1", "14.4"):
        jar(shelf, "org.junit.jupiter", "junit-jupiter-api", f"5.{minor}", api)
        jar(shelf, "org.junit.jupiter", "junit-jupiter-engine", f"5.{minor}")
        jar(shelf, "org.junit.platform", "junit-platform-launcher", f"1.{minor}", launcher)
        jar(shelf, "org.junit.platform", "junit-platform-commons", f"1.{minor}", commons)
        jar(shelf, "org.junit.platform", "junit-platform-engine", f"1.{minor}")
    console = [api, launcher, commons, "junit.framework.Test", *(f"o.D{number}" for number in range(100))]
    jar(shelf, "org.junit.platform", "junit-platform-console-standalone", "1.9.1", *console)
    jar(shelf, "junit", "junit", "4.13", "junit.framework.Test")
    found = chosen(shelf, {api, launcher, commons, "junit.framework.Test"})
    junits = ["junit-jupiter-api-5.14.4", "junit-platform-commons-1.14.4", "junit-platform-launcher-1.14.4"]
    assert sorted(found) == ["junit-4.13.jar", *(f"{name}.jar" for name in junits)]


@pytest.mark.parametrize("kind", NAMED)
def test_the_version_nearest_to_the_one_that_the_build_names_is_taken(
    shelf: Path, tmp_path: Path, kind: str
) -> None:
    """For snakeyaml 1.29 the newest was taken, 2.5, which handlebars does not compile with."""
    for version in ("1.4", "1.33", "2.2", "2.5"):
        jar(shelf, "org.acme", "acme", version, "org.acme.Foo")
    path, text = NAMED[kind]
    write(tmp_path / "project", path, text)
    assert chosen(shelf, {"org.acme.Foo"}, tmp_path / "project") == ["acme-1.33.jar"]


@pytest.mark.parametrize("other", ["<version>1.3</version>", "<version>11.3.1</version>"])
def test_the_version_of_another_artifact_is_not_meant(shelf: Path, tmp_path: Path, other: str) -> None:
    """With commons-text 1.3 for 1.11.0, as there is an xml-resolver 1.3, 1,806 tests of a project failed."""
    for version in ("1.3", "1.10.0", "1.12.0"):
        jar(shelf, "org.acme", "acme", version, "org.acme.Foo")
    text = f"<artifactId>acme</artifactId><version>1.11.0</version><artifactId>base</artifactId>{other}"
    write(tmp_path, "project/pom.xml", text)
    assert chosen(shelf, {"org.acme.Foo"}, tmp_path / "project") == ["acme-1.12.0.jar"]
    write(tmp_path, "project/pom.xml", f"<artifactId>base</artifactId>{other}")
    named = ["acme-1.3.jar"] if ">1.3<" in other else ["acme-1.12.0.jar"]
    assert chosen(shelf, {"org.acme.Foo"}, tmp_path / "project") == named, "it may be by a property"


def test_a_version_of_which_one_jar_is_there_does_not_tear_its_family_apart(
    shelf: Path, tmp_path: Path
) -> None:
    """Of jackson 2.15.2 only the annotations were there, and came with a binder that needs newer ones."""
    for version in ("2.15.2", "2.17.2", "2.22.3"):
        jar(shelf, "org.t", "t-notes", version, "org.t.notes.Note")
    needs = dependency("org.t", "t-core", "${v}")
    for version in ("2.17.2", "2.22.3"):
        jar(shelf, "org.t", "t-bind", version, "org.t.bind.Bind", needs=needs)
        jar(shelf, "org.t", "t-core", version, "org.t.core.Core")
    write(tmp_path, "project/pom.xml", "<artifactId>t-bind</artifactId><version>2.15.2</version>")
    taken = chosen(shelf, {"org.t.notes.Note", "org.t.bind.Bind"}, tmp_path / "project")
    assert set(taken) == {f"t-{name}-2.17.2.jar" for name in ("notes", "bind", "core")}


def test_a_jar_that_another_needs_newer_is_taken_so(shelf: Path, tmp_path: Path) -> None:
    """JUnit 5.14 found no test of commons-io beside the platform of 5.9, of which there was a larger jar."""
    platform = "org.unit.platform"
    jar(shelf, "org.unit", "api", "5.14", "org.unit.Test", needs=dependency(platform, "commons", "1.14"))
    for version in ("1.9", "1.14"):
        jar(shelf, platform, "commons", version, "org.unit.platform.Texts")
    jar(shelf, platform, "all", "1.9", "org.unit.Test", "org.unit.platform.Texts", *"abc")
    wanted = {"org.unit.Test", "org.unit.platform.Texts"}
    assert chosen(shelf, wanted) == ["api-5.14.jar", "commons-1.14.jar"]
    write(tmp_path, "pom.xml", "<artifactId>commons</artifactId><version>1.9</version>")
    assert chosen(shelf, wanted, tmp_path) == ["commons-1.9.jar", "api-5.14.jar"], "the build says so"


def test_a_junit_that_nothing_here_runs_gives_way_though_the_build_names_it(
    shelf: Path, tmp_path: Path
) -> None:
    """classgraph's 6.1.3 lay there without its platform's jars, and no test ran, beside a whole 5.14.4."""
    for version, of_platform in (("6.1", "6.1"), ("5.14", "1.14")):
        needs = dependency("org.junit.platform", "junit-platform-commons", of_platform)
        jar(shelf, "org.junit.jupiter", "junit-jupiter-api", version, "org.junit.jupiter.Test", needs=needs)
        jar(shelf, "org.junit.jupiter", "junit-jupiter-engine", version, "org.junit.jupiter.Engine")
    for name in ("commons", "engine", "launcher"):
        jar(shelf, "org.junit.platform", f"junit-platform-{name}", "1.14", f"org.junit.platform.{name}.One")
    jar(shelf, "org.junit.platform", "junit-platform-commons", "6.0", "org.junit.platform.commons.One")
    write(tmp_path, "pom.xml", "<artifactId>junit-jupiter</artifactId><version>6.1</version>")
    taken = chosen(shelf, {"org.junit.jupiter.Test"}, tmp_path)
    assert taken == ["junit-jupiter-api-5.14.jar", "junit-platform-commons-1.14.jar"]
