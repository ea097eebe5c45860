"""What poms and Gradle files give tests literally."""

from __future__ import annotations

from pathlib import Path

from nl2fix.suggestion.building.surroundings import (
    added_to_path,
    allowed,
    listed,
    properties_of,
    variables_of,
)
from tests.suggestion.conftest import write

SUREFIRE = (
    """<plugin><artifactId>maven-surefire-plugin</artifactId><configuration>{}</configuration></plugin>"""
)
TOP = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><properties><mode>fast</mode></properties>
<build><pluginManagement><plugins>{
    SUREFIRE.format(
        "<argLine>@{argLine} -Xmx1g -Dmode=${mode} '-Dtext=a b' -Da=${nobody}</argLine>"
        "<systemPropertyVariables><from>top</from></systemPropertyVariables>"
    )
}</plugins></pluginManagement></build></project>"""
MODULE = f"""<project><parent/><build><plugins>{
    SUREFIRE.format(
        "<systemPropertyVariables><from>module</from><log>${basedir}/log</log></systemPropertyVariables>"
        "<systemProperties><property><name>old</name><value> 1 </value></property></systemProperties>"
        "<environmentVariables><SHOP>${mode}</SHOP><PATH>/x</PATH><N>${n}</N></environmentVariables>"
    )
}</plugins></build></project>"""
GRADLE = """test {
    systemProperty "a.b", 'c d'
    systemProperty("e", "f")
    systemProperty 'g', "$h"
    jvmArgs '-Di=j', "-Dk=$l", '-Xmx1g'
    environment 'SHOP', "test"
    environment("HOME", "/x")
}"""


def test_what_surefire_gives_tests_is_read_of_the_poms(tmp_path: Path) -> None:
    write(tmp_path, "pom.xml", TOP)
    write(tmp_path, "core/pom.xml", MODULE)
    assert properties_of(tmp_path / "core", "") == {
        "from": "module",
        "mode": "fast",
        "text": "a b",
        "log": f"{tmp_path}/core/log",
        "old": "1",
    }
    assert variables_of(tmp_path / "core", "") == {"SHOP": "fast"}


def test_what_gradle_gives_tests_is_read_of_its_text(tmp_path: Path) -> None:
    assert properties_of(tmp_path, GRADLE) == {"a.b": "c d", "e": "f", "i": "j"}
    assert variables_of(tmp_path, GRADLE) == {"SHOP": "test"}


def test_what_surefire_adds_to_the_class_path_is_read_of_the_poms(tmp_path: Path) -> None:
    added = (
        "<additionalClasspathElements><a>../core/target/classes</a><b>${basedir}/x, /y.jar</b><c>${n}/z</c>"
    )
    plugin = SUREFIRE.format(f"{added}</additionalClasspathElements>")
    write(tmp_path, "app/pom.xml", f"<project><build><plugins>{plugin}</plugins></build></project>")
    core, own = tmp_path / "core/target/classes", tmp_path / "app/x"
    assert added_to_path(tmp_path / "app") == (core, own, Path("/y.jar"))


def test_a_damaged_pom_gives_nothing(tmp_path: Path) -> None:
    write(tmp_path, "pom.xml", "<project><oops>")
    assert properties_of(tmp_path, "") == variables_of(tmp_path, "") == {}


def test_a_map_as_java_prints_it() -> None:
    assert listed("{a.b=c, d, e=f=g}") == {"a.b": "c, d", "e": "f=g"}
    assert listed("{}") == {} == listed("")
    assert allowed({"JAVA_TOOL_OPTIONS": "-agent", "JAVA": "1"}) == {"JAVA": "1"}
