"""What Maven's templating plugin would fill in."""

from __future__ import annotations

from pathlib import Path

from nl2fix.suggestion.building.templates import filled, filtered
from tests.suggestion.conftest import write

TOP = """<project xmlns="http://maven.apache.org/POM/4.0.0"><version>2.1</version><name>top</name>
<properties><who>me</who></properties></project>"""
POM = """<?xml version="1.0"?><project><parent><version>2.1</version></parent><name> core </name></project>"""


def test_placeholders_are_what_the_poms_say(tmp_path: Path) -> None:
    write(tmp_path, "pom.xml", TOP)
    write(tmp_path, "core/pom.xml", POM)
    text = '"${project.version}" "${project.name}" "@who@" "${nobody}"'
    write(tmp_path, "core/src/main/java-templates/a/B.java", text)
    assert _filled(tmp_path / "core") == {"a/B.java": '"2.1" "core" "me" ""'}


def test_a_template_among_other_sources_is_filled_in(tmp_path: Path) -> None:
    """Of Jackson's modules methods were left out that need PackageVersion."""
    write(tmp_path, "pom.xml", TOP)
    text = 'package @package@; "@projectversion@" "@who@" "@nobody@"'
    write(tmp_path, "src/main/java/a/b/C.java.in", text)
    assert _filled(tmp_path) == {"a/b/C.java": 'package a.b; "2.1" "me" ""'}


def test_a_module_without_templates_or_with_a_damaged_pom(tmp_path: Path) -> None:
    assert _filled(tmp_path) == {}
    write(tmp_path, "pom.xml", "<project><oops>")
    write(tmp_path, "src/main/java-templates/B.java", "${project.version}")
    assert _filled(tmp_path) == {"B.java": ""}


def test_resources_say_where_the_module_and_its_output_lie(tmp_path: Path) -> None:
    """A test wrote its files to a folder named ``${project.build.directory}``."""
    pom = """<project><properties><work>${project.build.directory}/work</work></properties><build>
    <testResources><testResource><directory>${basedir}/src/test/resources</directory><filtering>true</filtering>
    </testResource></testResources></build></project>"""
    write(tmp_path, "pom.xml", pom)
    write(tmp_path, "src/test/resources/test.properties", "dir ${work} ${project.basedir} ${nobody}")
    told = f"dir {tmp_path}/target/work {tmp_path} ${{nobody}}"
    assert filtered(tmp_path, "testResource") == {"test.properties": told}


def _filled(module: Path) -> dict[str, str]:
    return filled(module, module / "src/main/java")
