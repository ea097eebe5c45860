"""Which test classes a project has, and which of them a person means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.suggestion.building import notices
from nl2fix.suggestion.building.builds import Project
from nl2fix.suggestion.building.testclasses import (
    WantedTests,
    distance,
    foreign,
    meant,
    of,
    qualified,
    trigger,
)
from tests.suggestion.conftest import write

SOURCES = {
    "a/PagerTest.java": "package a;\nclass PagerTest { @Test void pages() {} }",
    "a/PagerIT.java": "package a;\nclass PagerIT { @Test void pages() {} }",
    "a/Base.java": "package a;\nabstract class Base { @org.junit.Test public void all() {} }",
    "b/HeirTest.java": "package b;\nclass HeirTest extends Base {}",
    "b/Helper.java": "package b;\n/* @Test */ class Helper {}",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for name, code in SOURCES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(code, encoding="utf-8")
    return Project(
        root=tmp_path,
        module=tmp_path,
        tool="plain",
        sources=(),
        tests=(tmp_path,),
        classes=(),
        test_classes=(),
        libraries=(),
        level="17",
        encoding="UTF-8",
    )


def test_classes_with_tests_of_their_own_or_inherited_ones_are_found(project: Project) -> None:
    """Abstract ones, and those that speak of tests in a comment, are none."""
    assert of(project, "") == ["a.PagerTest", "b.HeirTest"]


@pytest.mark.parametrize(
    "code",
    ["class SetTest extends junit.framework.TestCase { }", "class SetTest { @CartesianTest void all() { } }"],
)
def test_tests_by_a_name_in_full_or_of_an_extension_are_found(project: Project, code: str) -> None:
    """Of jackson-dataformats-text's CSV 53 test classes run, 1 was known."""
    (project.root / "b/SetTest.java").write_text(f"package b;\n{code}")
    assert "b.SetTest" in of(project, "")


def test_tests_in_other_languages_are_counted(project: Project) -> None:
    """config's are in Scala: "no tests ran", and nothing said why."""
    for name, code in {
        "scala/a/PagerSpec.scala": "class PagerSpec extends Spec",
        "kotlin/a/MoreTest.kt": "class MoreTest { @Test fun more() {} }",
        "kotlin/a/Helper.kt": "class Helper",
    }.items():
        write(project.root, f"src/test/{name}", code)
    write(project.root, "src/main/kotlin/a/Suite.kt", "class Suite")
    told = notices.not_run(foreign(replace(project, tests=(project.root / "src/test/java",))))
    assert told == "only tests in Java judge; those of 1 file in Kotlin and 1 file in Scala are not run"
    main = project.root / "src/main"
    assert not foreign(replace(project, module=main, tests=(main / "java",)))


def test_integration_tests_run_when_they_are_asked_for(project: Project) -> None:
    assert of(project, "*IT") == ["a.PagerIT"]
    assert of(project, "all") == ["a.PagerIT", "a.PagerTest", "b.HeirTest"]


def _maven(project: Project, told: str = "") -> Project:
    """The project's tests with a benchmark among them, of a Maven module that says this of surefire."""
    tests = project.root / "src/test/java"
    for name, code in {
        **SOURCES,
        "b/PagerBench.java": "package b;\nclass PagerBench extends Base {}",
    }.items():
        write(tests, name, code)
    surefire = "<artifactId>maven-surefire-plugin</artifactId><configuration>{}</configuration>"
    plugin = f"<build><plugins><plugin>{surefire.format(told)}</plugin></plugins></build>"
    write(project.root, "pom.xml", f"<project>{plugin}</project>")
    return replace(project, tests=(tests,))


def test_what_maven_never_runs_judges_no_edit(project: Project) -> None:
    """A benchmark of commons-beanutils took most of the time; its pom runs only ``**/*Test.java``."""
    maven = _maven(project)
    assert of(maven, "") == ["a.PagerTest", "b.HeirTest"], "its name is none of surefire's usual ones"
    assert of(maven, "", {"PagerBench"}) == ["a.PagerTest", "b.HeirTest", "b.PagerBench"]
    assert of(maven, "all") == ["a.PagerIT", "a.PagerTest", "b.HeirTest", "b.PagerBench"]
    write(project.root, "build.gradle", "")
    assert "b.PagerBench" in of(maven, ""), "it may be Gradle that runs the tests"


@pytest.mark.parametrize(
    ("told", "run"),
    [
        ("<includes><include>**/*Test.java, **/*Bench.java</include></includes>", "PagerTest HeirTest Bench"),
        ("<excludes><exclude>**/Heir*.java</exclude></excludes>", "PagerTest"),
        ("<includes><include>a/**</include></includes>", "PagerTest"),
        ("<excludes><exclude>b.HeirTest</exclude></excludes>", "PagerTest"),
        ("<includes><include>*Bench</include></includes>", "Bench"),
        ("<includes><include>**/*Spec.java</include></includes>", "PagerTest HeirTest Bench"),
        ("<includes><include>%regex[.*Heir.*]</include></includes>", "PagerTest HeirTest Bench"),
        ("<excludes><exclude>${slow}</exclude></excludes>", "PagerTest HeirTest Bench"),
        (
            "</configuration><executions><execution><configuration><includes><include>**/*Bench.java"
            "</include></includes></configuration></execution></executions><configuration>",
            "PagerTest HeirTest Bench",
        ),
        ("<test>a/PagerTest.java</test><includes><include>**/*Bench</include></includes>", "PagerTest"),
        ("<test>${only}</test>", "PagerTest HeirTest Bench"),
        ("<suiteXmlFiles><file>all.xml</file></suiteXmlFiles>", "PagerTest HeirTest Bench"),
    ],
)
def test_the_classes_that_surefire_is_told_of_judge(project: Project, told: str, run: str) -> None:
    """All, where the pom says more than paths or none is left."""
    names = of(_maven(project, told), "")
    assert [name[2:].replace("PagerBench", "Bench") for name in names] == run.split()


@pytest.mark.parametrize(
    "suite",
    [
        "@SuiteClasses({ b.HeirTest.class, PagerTest.class }) class AllTests { }",
        "class AllTests { static Test suite() { return new TestSuite(PagerTest.class, b.More.suite()); } }",
    ],
)
def test_of_a_suite_that_maven_runs_those_judge_that_it_names(project: Project, suite: str) -> None:
    """junit4's runs nothing else: what lies beside it and fails, as other tests run it, decided."""
    maven = _maven(project, "<test>a/AllTests.java</test>")
    tests = project.root / "src/test/java"
    write(tests, "a/AllTests.java", f"package a;\n@RunWith(Suite.class) {suite}")
    more = "@RunWith(Suite.class) @Suite.SuiteClasses(HeirTest.class) class More { static Test suite() {} }"
    write(tests, "b/More.java", f"package b;\n{more}")
    write(tests, "a/FailsTest.java", "package a;\nclass FailsTest { @Test void fails() {} }")
    assert of(maven, "") == ["a.PagerTest", "b.HeirTest"]


def test_a_test_class_that_is_its_own_suite_judges(project: Project) -> None:
    maven = _maven(project, "<test>a/OwnTest.java</test>")
    own = "class OwnTest extends TestCase { void testIt() { PagerTest.class.getName(); } %s }"
    suite = "static Test suite() { return new TestSuite(OwnTest.class); }"
    write(project.root, "src/test/java/a/OwnTest.java", f"package a;\n{own % suite}")
    assert of(maven, "") == ["a.OwnTest"]


def test_what_was_left_out_of_the_build_is_no_test(project: Project) -> None:
    assert of(replace(project, left_out=("a.PagerTest",)), "") == ["b.HeirTest"]


def test_a_class_s_own_test_comes_first_then_those_of_its_package() -> None:
    names = ["a.b.OtherTest", "a.c.FarTest", "a.c.PagerTest", "x.y.StrangeTest"]
    assert sorted(names, key=lambda name: distance(name, ["a.b.Pager"])) == [
        "a.c.PagerTest",
        "a.b.OtherTest",
        "a.c.FarTest",
        "x.y.StrangeTest",
    ]


def test_a_test_class_may_be_named_without_its_package() -> None:
    assert qualified("PagerTest$Empty::m", ["a.PagerTest"]) == "a.PagerTest$Empty::m"
    both = ["a.PagerTest", "b.PagerTest"]
    assert qualified("PagerTest::m", both) == "PagerTest::m", "which of the two is not known"


def test_a_trigger_that_no_test_ran_for_may_mean_one_of_another_package_or_a_method(project: Project) -> None:
    """Of ``--trigger odd`` the first test of all was named, not the one of that name."""
    code = "package c;\nclass PagerTest { @Test void odd() {} @Test void pages() {} }"
    write(project.root, "c/PagerTest.java", code)
    assert meant(project, "odd") == ["c.PagerTest#odd"]
    assert meant(project, "pages") == ["a.PagerIT#pages", "a.PagerTest#pages", "c.PagerTest#pages"]
    assert meant(project, "PagerTest") == ["a.PagerTest", "c.PagerTest"]
    assert meant(project, "x.PagerTest::odd") == ["c.PagerTest#odd"]
    assert meant(project, "c.PagerTest::odd") == meant(project, "all") == []


def test_a_run_of_a_test_with_parameters_names_the_test() -> None:
    """``m[2]`` of JUnit 5 was no method's name, so nothing ran."""
    for told in ("org.acme.FooTest#m[2]", "org.acme.FooTest::m(int)[2]", "org.acme.FooTest::m"):
        assert trigger(told) == "org.acme.FooTest::m"
    assert trigger("org.acme.FooTest") == "org.acme.FooTest"


def test_of_a_class_the_tests_that_an_issue_is_about_are_wanted_first(project: Project) -> None:
    text = (
        "package a; class PoolTest { @Test void first() { } void help() { } public void testOld() { } "
        "@ParameterizedTest void many(int n) { } }"
    )
    write(project.tests[0], "a/PoolTest.java", text)
    methods = [("PoolTest", "help"), ("Other", "first"), ("PoolTest", "many")]
    wanted = WantedTests(set(), [], [], methods)
    assert wanted.methods_of(project, "a.PoolTest") == ["many", "first", "testOld"]
    assert wanted.methods_of(project, "a.NoSuch") == []
