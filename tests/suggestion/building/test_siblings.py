"""Source folders of other modules that a module needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.suggestion.building import plain
from nl2fix.suggestion.building.siblings import about, beside, lacking, needed, source_roots
from nl2fix.suggestion.localisation import target
from tests.suggestion.conftest import write


def modules(root: Path) -> Path:
    """``core`` needs ``api``, which needs ``base``; ``web`` needs ``core``; tests are in ``core-testing``."""
    write(root, "base/src/main/java/o/base/Base.java", "package o.base; public class Base { }")
    write(root, "api/src/main/java/o/api/Api.java", "package o.api; import o.base.*; public class Api { }")
    write(root, "web/src/main/java/o/web/Web.java", "package o.web; import o.core.Core; class Web { }")
    write(
        root,
        "core-testing/src/test/java/o/CoreTest.java",
        "package o;\nimport o.core.Core; class CoreTest { }",
    )
    write(root, "web/src/test/java/o/web/WebTest.java", "package o.web; class WebTest { }")
    return write(
        root, "core/src/main/java/o/core/Core.java", "package o.core;\nimport o.api.Api; class Core { }"
    )


def test_a_module_comes_with_those_that_it_needs(tmp_path: Path) -> None:
    """Compiled alone, everything was left out that imports from another module."""
    file = modules(tmp_path)
    write(
        tmp_path, "api/src/main/java/o/api/Api.java", "package o.api;\nimport o.base.*; public class Api { }"
    )
    own, all_of_them = tmp_path / "core/src/main/java", source_roots(tmp_path)[0]
    assert [root.parents[2].name for root in all_of_them] == ["api", "base", "core", "web"]
    assert [root.parents[2].name for root in needed([own], [], all_of_them)] == ["api", "base"]
    assert lacking([own]) == {"o.api.Api"}
    found = plain.layout(tmp_path, file)
    assert found.module == tmp_path / "core"
    assert [root.parents[2].name for root in found.sources] == ["core", "api", "base"]


def test_tests_may_be_in_a_module_of_their_own(tmp_path: Path) -> None:
    file = modules(tmp_path)
    source, tests = tmp_path / "core/src/main/java", source_roots(tmp_path)[1]
    assert [root.parents[2].name for root in about(file, source, tests)] == ["core-testing"]
    assert plain.layout(tmp_path, file).tests == (tmp_path / "core-testing/src/test/java",)


ECLIPSE = '<classpath><classpathentry kind="src" path="src"/></classpath>'


def test_projects_as_eclipse_lays_them_out(tmp_path: Path) -> None:
    """Of jgit tests were offered as methods to mend, and few ran for want of a helper."""
    file = write(tmp_path, "o.core/src/o/A.java", "package o;\nimport o.util.U;\npublic class A { U u; }")
    write(tmp_path, "o.util/src/o/util/U.java", "package o.util;\npublic class U { }")
    write(tmp_path, "o.junit/src/o/junit/Kit.java", "package o.junit;\npublic class Kit { }")
    code = "package o;\nimport o.junit.Kit;\nclass ATest { A a; Help h; }"
    test = write(tmp_path, "o.core.test/tst/o/ATest.java", code)
    write(tmp_path, "o.core.test/src/o/Help.java", "package o;\nclass Help { }")
    write(tmp_path, "o.core.test/tst-rsrc/a.txt", "a")
    told = "<testResources><testResource><directory>tst-rsrc/</directory></testResource></testResources>"
    write(tmp_path, "o.core.test/pom.xml", f"<project><build>{told}</build></project>")
    write(tmp_path, "o.web.tests/src/w/WTest.java", "package w;\nclass WTest { }")
    for name in ("o.core", "o.util", "o.junit", "o.core.test", "o.web.tests"):
        write(tmp_path, f"{name}/.classpath", ECLIPSE)
    layout = plain.layout(tmp_path, file)
    assert layout.module == tmp_path / "o.core"
    assert layout.sources == (tmp_path / "o.core/src", tmp_path / "o.util/src")
    assert set(layout.tests) == {
        tmp_path / each for each in ("o.core.test/src", "o.core.test/tst", "o.junit/src")
    }
    assert tmp_path / "o.core.test/tst-rsrc" in layout.test_resources
    kept = [file.name for file in target.java_files(tmp_path)]
    assert kept == ["A.java", "Kit.java", "U.java"]
    assert test in target.test_files(tmp_path)


def test_packages_may_begin_in_src_main(tmp_path: Path) -> None:
    """Ant's tests ran in its folder ``src``, where 1,271 of 1,533 missed their files."""
    file = write(tmp_path, "src/main/o/A.java", "package o;\npublic class A { }")
    write(tmp_path, "src/tests/junit/o/ATest.java", "package o;\nclass ATest { A a; }")
    write(tmp_path, "src/tests/antunit/bad/Bad.java", "class Bad { ")
    layout = plain.layout(tmp_path, file)
    assert (layout.module, layout.sources) == (tmp_path, (tmp_path / "src/main",))
    assert layout.tests == (tmp_path / "src/tests/junit",)


def test_a_module_called_test_has_the_tests(tmp_path: Path) -> None:
    """Of jdom, with ``core/src/java`` and ``test/src/java``, no test was found."""
    file = write(tmp_path, "core/src/java/o/A.java", "package o;\npublic class A { }")
    write(tmp_path, "test/src/java/o/test/ATest.java", "package o.test;\nimport o.A;\nclass ATest { A a; }")
    write(tmp_path, "test/src/resources/a.xml", "<a/>")
    write(tmp_path, "other/src/java/p/B.java", "package p;\nclass B { }")
    layout = plain.layout(tmp_path, file)
    assert layout.tests == (tmp_path / "test/src/java",)
    assert tmp_path / "test/src/resources" in layout.resources


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pom.xml", "<project><dependencies>{}</dependencies></project>"),
        (
            "build.gradle",
            "dependencies { runtimeOnly project(':core:maxent')\n testCompile project(':kit') }",
        ),
        ("build.gradle.kts", 'dependencies { implementation(project(":core:maxent")) }'),
    ],
)
def test_a_module_comes_with_those_that_its_build_file_names(tmp_path: Path, path: str, text: str) -> None:
    """opennlp's trainers are found by their names: every test that trained failed without their module."""
    plainly, tests = "<dependency><artifactId>{}</artifactId>{}</dependency>", "<scope>test</scope>"
    text = text.replace("{}", plainly.format("opennlp-maxent", "") + plainly.format("opennlp-kit", tests))
    file = write(tmp_path, "core/runtime/src/main/java/o/Model.java", "package o; class Model { }")
    write(tmp_path, f"core/runtime/{path}", text)
    trainer = "package o.ml; import o.math.Sum; class Trainer { Sum sum; }"
    write(tmp_path, "core/maxent/src/main/java/o/ml/Trainer.java", trainer)
    write(tmp_path, "kit/src/main/java/o/kit/Kit.java", "package o.kit; class Kit { }")
    write(tmp_path, "math/src/main/java/o/math/Sum.java", "package o.math; public class Sum { }")
    for folder, name in (("core/maxent", "maxent"), ("kit", "kit"), ("math", "math")):
        write(tmp_path, f"{folder}/pom.xml", f"<project><artifactId>opennlp-{name}</artifactId></project>")
    found = plain.layout(tmp_path, file)
    assert [root.parents[2].name for root in found.sources] == ["runtime", "maxent", "math"]


def test_a_module_whose_tests_are_not_needed_gives_no_resources_of_theirs(tmp_path: Path) -> None:
    """testng-core's named a listener among its tests, so that none of testng-asserts' ran."""
    file = write(tmp_path, "asserts/src/main/java/org/Assert.java", "package org; class Assert { }")
    test = "package org; import org.core.Run; class AssertTest { }"
    write(tmp_path, "asserts/src/test/java/org/AssertTest.java", test)
    write(tmp_path, "asserts/src/test/resources/own.txt", "")
    write(tmp_path, "core/src/main/java/org/core/Run.java", "package org.core; public class Run { }")
    write(tmp_path, "core/src/main/resources/run.txt", "")
    write(tmp_path, "core/src/test/java/org/core/Listener.java", "package org.core; class Listener { }")
    write(tmp_path, "core/src/test/resources/META-INF/services/org.core.Run", "org.core.Listener")
    layout = plain.layout(tmp_path, file)
    assert tmp_path / "core/src/main/resources" in layout.resources
    given = [folder for folder in layout.test_resources if folder.name == "resources"]
    assert given == [tmp_path / "asserts/src/test/resources"]


def test_other_source_folders_of_a_module_come_along_where_they_are_named(tmp_path: Path) -> None:
    """Of vavr, a quarter of which is generated and kept in ``src-gen``, nothing compiled."""
    file = write(tmp_path, "src/main/java/o/A.java", "package o;\nclass A { Pair p; /* Bench */ Twin t; }")
    write(tmp_path, "src-gen/main/java/o/Pair.java", "package o;\nclass Pair { q.Deep deep; }\n")
    write(tmp_path, "src/main/deep/q/Deep.java", "package q;\npublic class Deep { }")
    write(tmp_path, "src/main/java/o/Twin.java", "package o;\nclass Twin { }")
    write(tmp_path, "src/main/java9/o/Twin.java", "package o;\nclass Twin { }")
    write(tmp_path, "src/jmh/java/o/Bench.java", "package o;\nclass Bench { A a; }")
    write(tmp_path, "src/test/java/o/Pair.java", "package o;\nclass Pair { }")
    write(tmp_path, "web/pom.xml", "<project/>")
    write(tmp_path, "web/src/gen/o/Pair.java", "package o;\nclass Pair { }")
    found = plain.layout(tmp_path, file).sources
    assert [root.relative_to(tmp_path).as_posix() for root in found] == ["src/main/java", "src-gen/main/java"]
    write(
        tmp_path, "src-gen/main/java/o/Pair.java", "package o;\nimport q.Deep;\nclass Pair { Deep deep; }\n"
    )
    found = beside(tmp_path, tmp_path / "src/main/java")
    assert [root.name for root in found] == ["java", "deep"]


def test_source_folders_of_other_modules_bring_theirs(tmp_path: Path) -> None:
    file = write(tmp_path, "web/src/main/java/w/Web.java", "package w;\nimport o.A;\nclass Web { A a; }")
    write(tmp_path, "core/src/main/java/o/A.java", "package o;\npublic class A { Pair p; }")
    write(tmp_path, "core/src-gen/main/java/o/Pair.java", "package o;\nclass Pair { }")
    found = plain.layout(tmp_path, file).sources
    assert [root.relative_to(tmp_path).parts[:2] for root in found] == [
        ("web", "src"),
        ("core", "src"),
        ("core", "src-gen"),
    ]


def test_a_package_that_is_spread_over_modules_brings_what_is_named_of_it(tmp_path: Path) -> None:
    """Of awaitility six tests were left out, whose fakes another module has in a package of the same name."""
    file = write(tmp_path, "core/src/main/java/o/A.java", "package o;\nclass A { class Own { } }")
    test = "package o;\nimport o.fakes.*;\nimport p.Timer;\nclass ATest { Fake f; Real r; Timer t; Own w; }"
    write(tmp_path, "core/src/test/java/o/ATest.java", test)
    write(tmp_path, "core/src/test/java/o/fakes/Real.java", "package o.fakes;\npublic class Real { }")
    for module, name in (("support", "Fake"), ("clock", "Timer"), ("twin", "Real"), ("rest", "Other")):
        code = f"package o.fakes;\npublic class {name} {{ }}"
        write(tmp_path, f"{module}/src/main/java/o/fakes/{name}.java", code)
    tests = plain.layout(tmp_path, file).tests
    assert [root.parents[2].name for root in tests] == ["core", "support"]
    write(tmp_path, "support/src/main/java/o/Own.java", "package o;\nclass Own { }")
    write(
        tmp_path,
        "core/src/test/java/o/ATest.java",
        test.replace("Fake f; ", "").replace("Own w", "class Own { }"),
    )
    assert plain.layout(tmp_path, file).tests == (tmp_path / "core/src/test/java",)
