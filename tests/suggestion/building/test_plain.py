"""Where plain projects keep things, and what of them can be compiled."""

from __future__ import annotations

import os
import re
import zipfile
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import DataError
from nl2fix.suggestion.building import compiling, plain
from nl2fix.suggestion.localisation.target import is_test
from nl2fix.validation.jvm import prepare
from nl2fix.validation.jvm.worker import Build
from nl2fix.validation.jvm.workers import Workers
from tests.conftest import missing
from tests.suggestion.building.test_leaving import SOURCES
from tests.suggestion.conftest import JARS, processor, write

TEXT_PARTS = 1000
"""That javac started by itself compiles."""


def under(root: Path, paths: tuple[Path, ...]) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


def test_the_layout_of_maven_with_resources_and_integration_tests(tmp_path: Path) -> None:
    file = write(tmp_path, "src/main/java/a/b/C.java", "package a.b; class C { }")
    for name in ("src/main/resources", "src/test/java", "src/test/resources", "src/it/java"):
        (tmp_path / name).mkdir(parents=True)
    write(tmp_path, "lib/x/y.jar", "")
    found = plain.layout(tmp_path, file)
    assert found.module == tmp_path
    assert under(tmp_path, found.sources) == ["src/main/java"]
    assert under(tmp_path, found.tests) == ["src/test/java", "src/it/java"]
    assert under(tmp_path, found.resources) == ["src/main/resources", "src/main/java"]
    assert under(tmp_path, found.test_resources)[0] == "src/test/resources"
    assert under(tmp_path, found.jars) == ["lib/x/y.jar"]


@pytest.mark.skipif(os.name != "posix", reason="links need rights there")
def test_links_among_resources_hinder_no_copy(tmp_path: Path) -> None:
    """One to its own folder has no end, and one that leads nowhere cannot be read."""
    file = write(tmp_path, "src/main/java/a/C.java", "package a; class C { }")
    write(tmp_path, "pom.xml", "<project></project>")
    resource = write(tmp_path, "src/test/resources/a.txt", "text")
    for name, leads in {"again": ".", "gone": "nowhere", "same.txt": "a.txt"}.items():
        (resource.parent / name).symlink_to(leads)
    for _ in range(2):
        plain.copy_resources(plain.layout(tmp_path, file), tmp_path / "classes", tmp_path / "tests")
    copied = tmp_path / "target/test-classes"
    assert {each.name: each.read_text() for each in copied.iterdir()} == {"a.txt": "text", "same.txt": "text"}


def test_source_sets_of_tests_and_what_these_need(tmp_path: Path) -> None:
    """Most of FastCSV's tests stand in ``src/intTest``, and none of these ran."""
    file = write(tmp_path, "src/main/java/a/C.java", "package a; class C { }")
    for name in ("test", "intTest"):
        write(
            tmp_path,
            f"src/{name}/java/a/{name}/CTest.java",
            f"package a.{name}; import help.H; class CTest {{ }}",
        )
    write(tmp_path, "src/common/java/help/H.java", "package help; public class H { }")
    write(tmp_path, "src/jmh/java/a/Speed.java", "package a; class Speed { }")
    write(tmp_path, "src/intTest/resources/a.txt", "")
    found = plain.layout(tmp_path, file)
    assert under(tmp_path, found.sources) == ["src/main/java"]
    assert under(tmp_path, found.tests) == ["src/test/java", "src/intTest/java", "src/common/java"]
    assert under(tmp_path, found.test_resources)[0] == "src/intTest/resources"
    assert found.module == tmp_path


def test_the_nearest_module_counts(tmp_path: Path) -> None:
    (tmp_path / "src/main/java").mkdir(parents=True)
    file = write(tmp_path, "modules/core/src/a/C.java", "package a; class C { }")
    (tmp_path / "modules/core/test").mkdir()
    found = plain.layout(tmp_path, file)
    assert found.module == tmp_path / "modules/core"
    assert under(tmp_path, found.sources) == ["modules/core/src"]
    assert under(tmp_path, found.tests) == ["modules/core/test"]


@pytest.mark.parametrize("path", ["C.java", "java/C.java", "java/a/C.java"])
def test_sources_anywhere_with_tests_among_them(tmp_path: Path, path: str) -> None:
    package = "package a; " if "/a/" in path else ""
    file = write(tmp_path, path, f"{package}class C {{ }}")
    found = plain.layout(tmp_path, file)
    assert found.module == tmp_path
    assert found.tests == found.sources


def test_java_and_javatests_beside_each_other(tmp_path: Path) -> None:
    """The layout of re2j, whose tests were not found."""
    file = write(tmp_path, "java/com/a/C.java", "package com.a; class C { }")
    test = write(tmp_path, "javatests/com/a/CTest.java", "package com.a; class CTest { }")
    assert plain.layout(tmp_path, file).tests == (tmp_path / "javatests",)
    assert is_test(tmp_path, test) and not is_test(tmp_path, file)


def test_java_with_main_and_test_below_it(tmp_path: Path) -> None:
    """The layout of jaxen, 60 of whose tests lacked files: they ran in ``core/src/java``."""
    file = write(tmp_path, "core/src/java/main/com/a/C.java", "package com.a; class C { }")
    write(tmp_path, "core/src/java/test/com/a/CTest.java", "package com.a; class CTest { }")
    found = plain.layout(tmp_path, file)
    assert found.module == tmp_path / "core"
    assert under(tmp_path, found.tests) == ["core/src/java/test"]


def test_folders_may_be_capitalised(tmp_path: Path) -> None:
    """Of metadata-extractor tests were among the likeliest methods, and none ran."""
    file = write(tmp_path, "Source/com/a/C.java", "package com.a; class C { }")
    test = write(tmp_path, "Tests/com/a/CTest.java", "package com.a; class CTest { }")
    assert plain.layout(tmp_path, file).tests == (tmp_path / "Tests",)
    assert is_test(tmp_path, test) and not is_test(tmp_path, file)
    (tmp_path / "tests").mkdir(exist_ok=True)
    assert len(plain.layout(tmp_path, file).tests) == 1


def test_a_class_for_another_platform_is_left_aside(tmp_path: Path, cache: Path) -> None:
    """re2j has one for GWT below its sources: "duplicate class"."""
    write(tmp_path, "src/a/Good.java", "package a; public class Good { int x = Other.X; }")
    write(tmp_path, "src/a/Other.java", "package a; class Other { static final int X = 1; }")
    write(tmp_path, "src/a/super/a/Other.java", "package a; class Other { static final int Y = 1; }")
    assert compiled(tmp_path, cache).broken == ()


def test_a_file_that_lies_elsewhere_than_its_package_says(tmp_path: Path) -> None:
    file = write(tmp_path, "src/wrong/C.java", "package a.b.c; class C { }")
    assert plain.layout(tmp_path, file).sources == (tmp_path / "src/wrong",)


def test_classes_are_compiled_and_the_rest_is_told(tmp_path: Path, cache: Path) -> None:
    for path, text in SOURCES.items():
        write(tmp_path, f"src/{path}", text)
    write(tmp_path, "src/module-info.java", "module a { requires nothing.here; }")
    write(tmp_path, "test/a/GoodTest.java", "package a; import org.junit.Test; class GoodTest { Good g; }")
    place = plain.layout(tmp_path, tmp_path / "src/a/Good.java")
    environment = Environment(cache=cache)
    done = plain.compile_all(place, tmp_path / "c", tmp_path / "t", JARS, environment)
    assert (tmp_path / "c/a/Good.class").is_file()
    assert (tmp_path / "t/a/GoodTest.class").is_file()
    assert "a.UsesServer" in done.left_out
    assert done.missing == ("org.eclipse.jetty (4)", "javax.xml.bind (1)")


def compiled(root: Path, cache: Path, *jars: Path, file: str = "src/a/Good.java") -> plain.Compiled:
    place = plain.layout(root, root / file)
    environment = Environment(cache=cache)
    return plain.compile_all(place, root / "c", root / "t", (*JARS, *jars), environment)


def fault(root: Path, cache: Path) -> str:
    """What is told of the file to be edited."""
    return compiled(root, cache).faults["a/Good.java"]


def test_a_text_of_very_many_parts_compiles(tmp_path: Path, cache: Path) -> None:
    """Said to be a fault of the compiler: JSON-java's tests, whose texts have hundreds of lines."""
    text = " +\n".join(f'"line {number}" + n' for number in range(TEXT_PARTS))
    file = write(tmp_path, "src/A.java", f"class A {{ int n; String text() {{ return {text}; }} }}")
    plain.compile_all(
        plain.layout(tmp_path, file), tmp_path / "c", tmp_path / "t", (), Environment(cache=cache)
    )
    assert (tmp_path / "c/A.class").is_file()


def test_what_does_not_compile_is_left_out_with_what_uses_it(tmp_path: Path, cache: Path) -> None:
    """One file with an error made everything be refused."""
    write(tmp_path, "src/a/Good.java", "package a; class Good { }")
    write(tmp_path, "src/a/Bad.java", "package a;\nclass Bad extends Nothing { }")
    write(tmp_path, "src/a/Worse.java", "package a; class Worse { int }")
    write(tmp_path, "src/a/User.java", "package a; class User extends Bad { }")
    write(tmp_path, "test/a/GoodTest.java", "package a; class GoodTest { Good g; }")
    write(tmp_path, "test/a/BadTest.java", "package a; class BadTest extends Bad { }")
    done = compiled(tmp_path, cache)
    assert (tmp_path / "c/a/Good.class").is_file()
    assert (tmp_path / "t/a/GoodTest.class").is_file()
    assert done.left_out == ("a.Bad", "a.BadTest", "a.User", "a.Worse")
    assert sorted(told.partition(": ")[0] for told in done.broken) == ["a/Bad.java:2", "a/Worse.java:1"]


def test_what_the_build_makes_classes_of_is_told_first(tmp_path: Path, cache: Path) -> None:
    """Of commons-jexl 110 classes were left out, as "cannot find symbol" said, for want of its parser."""
    write(tmp_path, "src/main/java/a/Rules.jjt", "void Sum() #Add : {}")
    write(tmp_path, "src/main/java/a/First.java", "package a; class First extends Nothing { }")
    write(tmp_path, "src/main/java/a/Second.java", "package a; class Second extends ASTAdd { }")
    file = write(tmp_path, "src/main/java/a/Good.java", "package a; class Good { }").relative_to(tmp_path)
    told = compiled(tmp_path, cache, file=str(file)).broken
    assert [line.partition(":")[0] for line in told] == ["a/Second.java", "a/First.java"]
    made = (
        "; the build makes it of src/main/java/a/Rules.jjt: build once and name its classes with --classpath"
    )
    assert told[0].endswith(made)
    write(tmp_path, "made/ASTAdd.java", "package a; public class ASTAdd { }")
    layout = plain.layout(tmp_path, tmp_path / "made/ASTAdd.java")
    plain.compile_all(layout, tmp_path / "m", tmp_path / "n", (), Environment(cache=cache))
    assert len(compiled(tmp_path, cache, tmp_path / "m", file=str(file)).broken) == 1


def test_one_line_that_does_not_compile_takes_one_test(tmp_path: Path, cache: Path) -> None:
    """Of stream-lib, commons-text and cron-utils it took the class with the failing test."""
    write(tmp_path, "src/a/Good.java", "package a; public class Good { }")
    text = """package a;
import org.junit.Test;
import org.gone.Tag;
public class GoodTest {
    // \U0001f600 before what is wrong
    @Test public void kept() { new Good(); }
    @Test public void calls() { new Good().missing(help()); }
    @Test public void names() { org.other.Thing thing; }
    @Test @Tag public void tagged() { }
    int help() { return 1; }
}
"""
    write(tmp_path, "test/a/GoodTest.java", text)
    write(tmp_path, "test/a/LostTest.java", "package a; class LostTest extends GoodTest { int x = none; }")
    done = compiled(tmp_path, cache)
    assert (tmp_path / "t/a/GoodTest.class").is_file()
    assert done.methods_left_out == ("a.GoodTest::calls", "a.GoodTest::names", "a.GoodTest::tagged")
    assert done.left_out == ()
    assert done.missing == ("org.gone",)
    assert [told.partition(": ")[0] for told in done.broken] == ["a/LostTest.java:1"]


def test_what_only_an_older_level_compiles_is_compiled_at_that(tmp_path: Path, cache: Path) -> None:
    """Sources of Java 8 with a method called ``yield`` were left out, with all that needed them."""
    write(tmp_path, "src/a/Old.java", "package a; class Old { void yield() { } void go() { yield(); } }")
    write(tmp_path, "src/a/Good.java", "package a; class Good { Old old; }")
    write(tmp_path, "test/a/GoodTest.java", 'package a; class GoodTest { Good g; String s = """\n"""; }')
    done = compiled(tmp_path, cache)
    assert (done.level, done.left_out) == ("8", ())
    assert (tmp_path / "c/a/Good.class").is_file()
    assert (tmp_path / "t/a/GoodTest.class").is_file()


def test_a_name_that_the_jdk_has_gained_since_is_the_project_s(tmp_path: Path, cache: Path) -> None:
    """``Record`` of an import with ``*`` was ambiguous in a newer JDK: univocity-parsers did not build."""
    write(tmp_path, "src/b/Record.java", "package b; public class Record { }")
    write(tmp_path, "src/a/Good.java", "package a; import b.*; class Good { Record record; }")
    write(tmp_path, "test/a/GoodTest.java", "package a; class GoodTest { Good g; }")
    done = compiled(tmp_path, cache)
    assert (done.options, done.left_out) == (("--release", "8"), ())
    assert (tmp_path / "c/a/Good.class").is_file()
    assert (tmp_path / "t/a/GoodTest.class").is_file()


def test_no_level_is_tried_that_is_older_than_the_build_asks_for(tmp_path: Path, cache: Path) -> None:
    """classgraph's tests have ``var``; at Java 8 javac took minutes over what it could not know."""
    write(tmp_path, "pom.xml", "<project><maven.compiler.release>11</maven.compiler.release></project>")
    write(tmp_path, "src/main/java/b/Record.java", "package b; public class Record { }")
    good = "package a; import b.*; class Good { Record record; void go() { var x = 1; } }"
    write(tmp_path, "src/main/java/a/Good.java", good)
    write(tmp_path, "src/test/java/a/GoodTest.java", "package a; class GoodTest { Good g; }")
    write(tmp_path, "src/test/java/a/OldTest.java", "package a; class OldTest extends Missing { }")
    done = compiled(tmp_path, cache, file="src/main/java/a/Good.java")
    assert (done.level, done.options, done.left_out) == ("11", ("--release", "11"), ("a.OldTest",))


INFERRED = """package a;
import java.util.*;
class Old<T> {
    static <T> Old<T> any(Iterable<Old<? super T>> all) { return null; }
    static <T> Old<T> any(Old<? super T>... all) { return any(Arrays.asList(all)); }
}
"""
"""Only by Java 7."""


def compilations(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[str, str], int]]:
    """Notes each compilation: level and options, and how many sources."""
    tried: list[tuple[tuple[str, str], int]] = []

    def compile_into(workers: Workers, sources: dict[str, str], *args: Any, **options: Any) -> Build:
        tried.append(((options["level"], " ".join(options["options"][2:])), len(sources)))
        return prepare.compile_into(workers, sources, *args, **options)

    monkeypatch.setattr(compiling, "compile_into", compile_into)
    return tried


def test_a_level_that_refuses_the_same_is_soon_given_up(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of commons-configuration each of four levels went the same way of ten steps, of some seconds each; of
    commons-geometry all was compiled at each, though little was refused.
    """
    tried = compilations(monkeypatch)
    write(tmp_path, "src/a/Good.java", "package a; class Good { }")
    write(tmp_path, "test/a/SyntaxTest.java", "package a; class SyntaxTest { int }")
    write(tmp_path, "test/a/GoodTest.java", "package a; class GoodTest { Runnable late = () -> { }; }")
    calls = ("missing", "A.help()", "B.help()", "C.help()")
    for name, call in zip("ABCD", calls, strict=True):  # wrong once what it calls is gone
        helps = f"static int help() {{ return {call}; }} @org.junit.Test public void test() {{ }}"
        write(tmp_path, f"test/a/{name}.java", f"package a; public class {name} {{ {helps} }}")
    done = compiled(tmp_path, cache)
    assert done.left_out == ("a.SyntaxTest",)
    assert done.methods_left_out == tuple(f"a.{name}::help" for name in "ABCD")
    newest, *others = ([count for _, count in each] for _, each in groupby(tried, lambda each: each[0]))
    assert newest[:3] == [1, 6, 5] and others == [[1, 1]] * 3, tried


def test_a_level_at_which_what_is_refused_is_written_in_a_newer_java_is_given_up(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of commons-geometry, whose lambdas are none of Java 7, one was cut out after another, ten times; of
    commons-math others seemed to gain something there.
    """
    tried = compilations(monkeypatch)
    late = "void late() { Runnable run = () -> { }; } " * 2
    write(tmp_path, "src/a/Good.java", "package a; class Good { }")
    calls = "void missing() { Nothing.call(); } int own() { return Nothing.own(); }"
    write(
        tmp_path, "src/a/Other.java", f"package a; class Other {{ {calls} {late.replace('late', 'l', 1)} }}"
    )
    write(tmp_path, "src/a/Old.java", INFERRED)
    done = compiled(tmp_path, cache)
    assert done.methods_left_out == ("a.Old::any", "a.Other::missing", "a.Other::own")
    assert [count for (level, _), count in tried if level == "7"] == [2], tried


LEFT = {
    "A": "class A { static final int N = 1; int kept() { return N; } Gone gone() { return null; } }",
    "B": "class B { int n = Nothing.n; A a() { return new A(); } }",
    "Calls": "class Calls { int own() { return new B().a().kept(); } void none() { new B().a().gone(); } }",
    "Parent": "class Parent { void run() { Nothing.run(); } void end() { int x; x++; } }",
    "Child": "class Child extends Parent { Parent other = new Parent() { { run(); } }; }",
    "Good": "class Good { interface Way { int go(int n); } int n = A.N; Way way = n -> n + A.N; }",
    "Uses": "class Uses { int n = new Good().way.go(1); enum Kind { ONE } int k = Kind.ONE.ordinal(); }",
    "Alone": "class Alone { Runnable run = () -> new Object() { }; Parent parent() { return new Child(); } }",
}
"""Classes of one package of which some do not compile, others only then."""


def test_what_compiled_is_as_if_all_that_is_left_were_compiled_at_once(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time javac refused something all was compiled again: of jOOL's 127 classes for 16 s each."""
    tried = compilations(monkeypatch)
    for name, text in LEFT.items():
        write(tmp_path, f"src/a/{name}.java", f"package a; {text}")
    done = compiled(tmp_path, cache)
    assert done.methods_left_out == ("a.A::gone", "a.Calls::none", "a.Parent::end", "a.Parent::run")
    counts = [count for (level, options), count in tried if (level, options) == tried[0][0]]
    assert counts[0] == len(LEFT) and max(counts[1:]) < len(LEFT), tried
    left = {f"a/{name}.java": f"package a; {text}" for name, text in LEFT.items()}
    left |= {
        path.relative_to(done.cut[0]).as_posix(): path.read_text() for path in done.cut[0].rglob("*.java")
    }
    left = {path: text for path, text in left.items() if f"a.{Path(path).stem}" not in done.left_out}
    workers = Workers(Environment(cache=cache))
    try:
        prepare.compile_project(workers, left, tmp_path / "whole", level=done.level)
    finally:
        workers.close()
    assert contents(tmp_path / "c") == contents(tmp_path / "whole")


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_what_is_compiled_is_told(tmp_path: Path, cache: Path) -> None:
    """For 98 s there was nothing but "still building"."""
    told: list[str] = []
    write(tmp_path, "src/a/Good.java", "package a; class Good { int n = Nothing.n; }")
    write(tmp_path, "src/a/Other.java", "package a; class Other { }")
    write(tmp_path, "test/a/GoodTest.java", "package a; class GoodTest { Other o; }")
    place = plain.layout(tmp_path, tmp_path / "src/a/Good.java")
    environment = Environment(cache=cache)
    plain.compile_all(place, tmp_path / "c", tmp_path / "t", JARS, environment, tell=told.append)
    newest = told[0].rpartition(" ")[2]
    assert told[:2] == [f"2 classes at Java {newest}", f"1 class at Java {newest}, round 2"]
    assert "looking whether more compiles as Java 8" in told
    assert f"1 test class at Java {newest}" in told


def test_what_only_java_7_infers_is_compiled_at_that(tmp_path: Path, cache: Path) -> None:
    """Of Hamcrest 35 classes were left out, and three tests failed only for want of them."""
    write(tmp_path, "src/a/Old.java", INFERRED)
    write(tmp_path, "src/a/Good.java", "package a; class Good { Old<?> old; }")
    write(tmp_path, "test/a/GoodTest.java", "package a; class GoodTest { Good g; }")
    done = compiled(tmp_path, cache)
    assert (done.level, done.left_out) == ("7", ())
    assert (tmp_path / "t/a/GoodTest.class").is_file()


def test_a_class_that_no_source_is_is_told(tmp_path: Path, cache: Path) -> None:
    """jgrapht's generated parser was a package of a jar that seemed missing."""
    write(tmp_path, "src/a/Good.java", "package a; import static a.Made.Part.*; class Good extends Part { }")
    assert fault(tmp_path, cache).endswith(
        "no source here is a.Made, name a jar that has it with --classpath"
    )


@pytest.mark.parametrize(
    ("grammar", "text", "uses"),
    [
        (
            "antlr/a/made/Rows.g4",
            "grammar Rows;",
            "import a.made.RowsParser; class Good extends RowsParser { }",
        ),
        ("javacc/Rows.jj", "PARSER_BEGIN(Rows)\npackage a.made;", "class Good extends a.made.Parser { }"),
        ("antlr/Rows.g4", "grammar Rows;", "class Good extends RowsBaseVisitor<String> { }"),
        ("proto/all.proto", "message Row { int32 n = 1; }", "class Good { Row row; }"),
    ],
)
def test_of_what_the_build_makes_what_is_missing_is_told(
    tmp_path: Path, cache: Path, grammar: str, text: str, uses: str
) -> None:
    """tomlj's and cssparser's parsers are made of grammars: jars with them were said to be missing."""
    write(tmp_path, "src/a/Good.java", f"package a; {uses}")
    write(tmp_path, f"src/{grammar}", text)
    wanted = f"; the build makes it of src/{grammar}: build once and name its classes with --classpath"
    assert fault(tmp_path, cache).endswith(wanted)


def test_what_javac_cannot_find_is_told_without_saying_symbol_twice(tmp_path: Path, cache: Path) -> None:
    """Of jmespath-java it was "cannot find symbol symbol: class JmesPathBaseVisitor"."""
    write(tmp_path, "src/a/Good.java", "package a; class Good { }")
    write(tmp_path, "src/a/Bad.java", "package a; class Bad extends Nothing { }")
    [told] = compiled(tmp_path, cache, file="src/a/Good.java").broken
    assert "a/Bad.java:1: cannot find symbol: class Nothing" in told


def test_the_edited_file_s_own_fault_is_told(tmp_path: Path, cache: Path) -> None:
    write(tmp_path, "src/a/Good.java", "package a;\n\nclass Good extends Nothing { }")
    told = fault(tmp_path, cache)
    assert told.startswith("a/Good.java does not compile: line 3: cannot find symbol")
    assert told.endswith("; no source here is Nothing, name a jar that has it with --classpath")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "pom.xml",
            "<project><properties><maven.compiler.release>99</maven.compiler.release></properties></project>",
        ),
        (
            "build.gradle",
            "sourceCompatibility = '1.8'\njava.toolchain.languageVersion = JavaLanguageVersion.of(99)",
        ),
        ("build.gradle.kts", "tasks.compileJava { options.release.set(99) }"),
    ],
)
def test_that_the_project_asks_for_a_newer_jdk_is_told(
    tmp_path: Path, cache: Path, name: str, text: str
) -> None:
    """``List#getLast`` of Java 21 was to be mended in the sources, or to be had by naming jars."""
    write(tmp_path, name, text)
    write(tmp_path, "src/a/Good.java", "package a;\n\nclass Good extends Nothing { }")
    wanted = r"; the project asks for Java 99, this is JDK \d+; name another with JAVA_"
    assert re.search(wanted, fault(tmp_path, cache))


def test_whose_fault_it_is_that_the_edited_file_fails(tmp_path: Path, cache: Path) -> None:
    write(tmp_path, "src/a/Good.java", "package a; class Good extends Server { }")
    write(tmp_path, "src/a/Server.java", "package a; import org.jetty.Thing; class Server extends Thing { }")
    wanted = (
        "a/Good.java needs a/Server.java, which does not compile: package org.jetty does not exist; "
        "a jar with org.jetty seems missing, name it with --classpath"
    )
    assert fault(tmp_path, cache) == wanted


def test_a_jar_of_another_version_is_named(tmp_path: Path, cache: Path) -> None:
    write(tmp_path, "src/a/Good.java", "package a; import org.junit.Asserts; class Good extends Asserts { }")
    wanted = r"junit-4\S*jar has no org.junit.Asserts, name another version"
    assert re.search(wanted, fault(tmp_path, cache))


@pytest.mark.parametrize(
    ("uses", "told"),
    [
        ("class Good { { org.junit.Assert.assertGone(1); } }", "org.junit.Assert#assertGone"),
        ("class Good { int n(org.junit.Assume it) { return it.gone; } }", "org.junit.Assume#gone"),
        ("import org.junit.Asserts; class Good extends Asserts { }", "org.junit.Asserts"),
    ],
)
def test_what_a_jar_of_another_version_lacks_is_told(
    tmp_path: Path, cache: Path, uses: str, told: str
) -> None:
    """Only of the edited file; of others it was told that there is no such symbol."""
    write(tmp_path, "src/a/First.java", "package a; class First extends Nothing { }")
    write(tmp_path, "src/a/Good.java", f"package a; {uses}")
    done = compiled(tmp_path, cache)
    wanted = rf"a/Good.java:1: .*; junit-4\S*jar has no {re.escape(told)}, name another version of it with"
    assert re.match(wanted, done.broken[0]), done.broken
    assert done.broken[1].startswith("a/First.java:1: ")


@pytest.mark.parametrize(
    ("uses", "told"),
    [
        ("sun.reflect.ConstantPool", r"has no sun.reflect.ConstantPool, name an older one with JAVA_HOME"),
        ("com.sun.image.codec.Gone", r"has no com.sun.image.codec, name an older one with JAVA_HOME"),
        ("java.util.Gone", r"has no java.util.Gone, name another with JAVA_HOME"),
    ],
)
def test_a_class_that_another_jdk_has_is_in_no_jar(tmp_path: Path, cache: Path, uses: str, told: str) -> None:
    """A jar with ``sun.reflect.ConstantPool`` was to be named."""
    write(tmp_path, "src/a/Good.java", f"package a; class Good {{ {uses} it; }}")
    assert re.search(rf"; JDK \d+ {told}$", fault(tmp_path, cache))


def test_annotation_processors_of_the_class_path_run(tmp_path: Path, cache: Path) -> None:
    """They never ran: a project with Lombok was refused."""
    write(tmp_path, "src/a/Good.java", "package a; @made.Make class Good { made.GoodMade m; }")
    write(tmp_path, "test/a/GoodTest.java", "package a; @made.Make class GoodTest { made.GoodTestMade m; }")
    done = compiled(tmp_path, cache, processor(tmp_path))
    assert done.left_out == ()
    assert (tmp_path / "c/made/GoodMade.class").is_file()
    assert (tmp_path / "t/made/GoodTestMade.class").is_file()


def test_lombok_s_methods_are_there(tmp_path: Path, cache: Path) -> None:
    lombok = Path("/usr/share/java/lombok.jar")
    if not lombok.is_file():
        missing("Lombok is not installed: apt-get install liblombok-java")
    write(tmp_path, "src/a/Good.java", "package a; @lombok.Data class Good { int x; int y = getX(); }")
    assert compiled(tmp_path, cache, lombok).left_out == ()


@pytest.mark.parametrize("config", [False, True])
def test_lombok_does_not_look_at_what_never_names_it(tmp_path: Path, cache: Path, config: bool) -> None:
    """Where only tests do, the program's edits were compiled with it, too, each apart from the others."""
    lombok = Path("/usr/share/java/lombok.jar")
    if not lombok.is_file():
        missing("Lombok is not installed: apt-get install liblombok-java")
    write(tmp_path, "src/a/Good.java", "package a; class Good { int x; }")
    write(
        tmp_path, "test/a/GoodTest.java", "package a; @lombok.Data class GoodTest { int x; int y = getX(); }"
    )
    if config:
        write(tmp_path, "lombok.config", "lombok.fieldDefaults.defaultPrivate = true")
    done = compiled(tmp_path, cache, lombok)
    assert (done.left_out, lombok in done.processors) == ((), config)


def test_processors_that_do_not_run_here_are_left_out(tmp_path: Path, cache: Path) -> None:
    jar = tmp_path / "broken.jar"
    with zipfile.ZipFile(jar, "w") as made:
        made.writestr("META-INF/services/javax.annotation.processing.Processor", "no.such.Processor\n")
    write(tmp_path, "src/a/Good.java", "package a; class Good { }")
    assert compiled(tmp_path, cache, jar).processors == ()


def test_templated_sources_are_filled_in(tmp_path: Path, cache: Path) -> None:
    write(tmp_path, "src/main/java/a/Good.java", "package a; class Good { String v = Build.VERSION; }")
    text = 'package a; class Build { static final String VERSION = "${project.version}"; }'
    write(tmp_path, "src/main/java-templates/a/Build.java", text)
    assert compiled(tmp_path, cache, file="src/main/java/a/Good.java").left_out == ()


def test_a_jar_that_is_none_is_told(tmp_path: Path, cache: Path) -> None:
    file = write(tmp_path, "src/C.java", "class C { }")
    jar = write(tmp_path, "lib/broken.jar", "not a zip file")
    place = plain.layout(tmp_path, file)
    with pytest.raises(DataError, match=r"cannot read the jar .*broken\.jar"):
        plain.compile_all(place, tmp_path / "c", tmp_path / "t", [jar], Environment(cache=cache))


@pytest.mark.docker
def test_a_plain_folder_is_built_with_the_image_s_jdk(tmp_path: Path, cache: Path) -> None:
    """Its release file was looked for on this machine: ``/opt/java/release`` was not found."""
    tmp_path.chmod(0o755)
    file = write(tmp_path, "src/C.java", "class C { }")
    place, environment = (
        plain.layout(tmp_path, file),
        Environment(cache=cache).having("sandbox", name="docker"),
    )
    plain.compile_all(place, tmp_path / "c", tmp_path / "t", [], environment)
    assert (tmp_path / "c/C.class").is_file()


def test_what_the_build_opens_of_the_jdk_is_open_to_tests(tmp_path: Path, cache: Path) -> None:
    """157 of kryo's 262 tests failed for want of what its pom opens."""
    write(tmp_path, "pom.xml", "<argLine>--add-opens java.base/java.util=ALL-UNNAMED</argLine>")
    write(tmp_path, "src/a/Good.java", "package a; class Good { }")
    assert compiled(tmp_path, cache).jvm_arguments == ("--add-opens=java.base/java.util=ALL-UNNAMED",)


@pytest.mark.parametrize("asked", ["", "<release>11</release>"])
def test_what_the_build_exports_of_the_jdk_compiles(asked: str, tmp_path: Path, cache: Path) -> None:
    """83 methods of google-java-format and 1,120 of its tests were left out, as they use javac's insides."""
    exports = "--add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED"
    write(tmp_path, "pom.xml", f"{asked}<compilerArgs><arg>{exports}</arg></compilerArgs>")
    text = 'package a; class Good { int n = com.sun.tools.javac.util.Convert.string2int("7", 10); }'
    write(tmp_path, "src/a/Good.java", text)
    found = compiled(tmp_path, cache)
    assert (found.left_out, found.methods_left_out, found.options) == ((), (), (exports,))
    assert found.jvm_arguments == (exports,)
