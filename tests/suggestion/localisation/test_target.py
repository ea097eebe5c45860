from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.errors import DataError, UsageError
from nl2fix.suggestion.building.copy import Mirror
from nl2fix.suggestion.localisation import target
from tests.suggestion.conftest import write

SOURCE = """package org.acme;

public class Shop {
    public Shop(int size) {
    }

    public int price(String name) {
        return 1;
    }

    public int price(String name, java.util.List<String> coupons) {
        return 2;
    }

    public int sum(java.util.Map<String, int[]> shelves, int... counts) {
        return 3;
    }

    interface Rule {
        int apply(int value);
    }

    class Cart {
        void clear() {
        }
    }
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    file = tmp_path / "src/main/java/org/acme/Shop.java"
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE)
    test = tmp_path / "src/test/java/org/acme/ShopTest.java"
    test.parent.mkdir(parents=True)
    test.write_text("package org.acme; class ShopTest { void price(String name) {} }")
    built = tmp_path / "target/generated/Shop.java"
    built.parent.mkdir(parents=True)
    built.write_text(SOURCE)
    return tmp_path


@pytest.mark.parametrize(
    ("method", "entity"),
    [
        ("org.acme.Shop#price(String)", "price(String)"),
        ("Shop#price( String , List )", "price(String, java.util.List)"),
        ("Shop#sum(Map<String, List<Integer>>, int[])", "sum(java.util.Map, int...)"),
        ("Shop#sum(Map,int...)", "sum(java.util.Map, int...)"),
        ("org.acme.Shop#Shop(int)", "Shop(int)"),
        ("org.acme.Shop#<init>", "Shop(int)"),
        ("org.acme.Shop.Cart#clear", "clear()"),
        ("org.acme.Shop$Cart#clear()", "clear()"),
        ("Cart#clear", "clear()"),
        ("Cart.clear", "clear()"),
        ("org.acme.Shop$Cart::clear", "clear()"),
        ("org.acme.Shop.price(String)", "price(String)"),
        ("org.acme.Shop.<init>", "Shop(int)"),
        ("Shop.java:7", "price(String)"),
        ("src/main/java/org/acme/Shop.java:12", "price(String, java.util.List)"),
    ],
)
def test_a_method_is_found_by_name_or_line(root: Path, method: str, entity: str) -> None:
    found = target.find(root, method)
    assert found.entity.replace("List<String>", "List") == entity
    assert found.file == (root / "src/main/java/org/acme/Shop.java").resolve()


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("org.acme.Shop#prise(String)", r"no method .*; nearest: org\.acme\.Shop#price\(String"),
        ("org.acme.Shop#price", "may be any of .*name its parameter types"),
        ("org.acme.Shopp#price", "no class 'org.acme.Shopp' below .*; did you mean Shop"),
        ("price", "wants Class#method"),
        ("Shop.java:2", "lies in no method"),
        ("Shop.java:19", "lies in no method"),
        ("Shop.java:999", r"^Shop\.java has only \d+ lines; name one of a method$"),
        ("org.acme.Shop", r"not \S+, e\.g\. org\.acme\.Shop#\S+, org\.acme\.Shop#price\(String\), "),
        ("Cart", r"not 'Cart', e\.g\. org\.acme\.Shop\.Cart#clear\(\)$"),
        ("Nothing.java:3", "no file named 'Nothing.java'"),
        ("Rule#apply", "^Rule#apply has no body; name a method that implements it$"),
        ("org.acme.ShopTest#price", r"^org\.acme\.ShopTest is a test; name a method of what it tests$"),
        ("ShopTest.java:1", r"^ShopTest\.java is a test; name a method of what it tests$"),
    ],
)
def test_what_does_not_exist_is_told_with_the_nearest_names(root: Path, method: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        target.find(root, method)


@pytest.mark.parametrize("types", ["", "(int[],Map)", "(int[], java.util.Map<String, A>)"])
def test_a_compact_constructor_is_found_by_the_components_of_its_record(tmp_path: Path, types: str) -> None:
    file = tmp_path / "Range.java"
    other = "Range(int x) { this(null, null); }" if types else ""
    file.write_text(
        "record Range<A extends B<C>>(@X(1) int[] low, java.util.Map<String, A> high) implements D<A> { "
        f"Range {{ f(); }} {other} }}"
    )
    assert target.find(tmp_path, f"Range#Range{types}").entity == "Range"
    if types:
        assert target.find(tmp_path, "Range#Range(int)").entity == "Range(int)"


def test_a_method_that_is_gone_is_told(root: Path) -> None:
    with pytest.raises(DataError, match="no longer there"):
        target.at(root / "src/main/java/org/acme/Shop.java", "gone()")


def test_latin_1_sources_are_read(root: Path) -> None:
    file = root / "src/main/java/org/acme/Old.java"
    file.write_bytes('class Old { String s() { return "é"; } }'.encode("iso-8859-1"))
    assert "é" in target.find(root, "Old#s()").text


@pytest.mark.parametrize("sign", ["–", "€", "Š", "\u0081–", "\u009d"])
def test_a_source_is_read_as_windows_wrote_it_and_keeps_all_its_bytes(tmp_path: Path, sign: str) -> None:
    """Dashes and euros were control characters; of 32 such bytes Windows-1252 gives 5 no meaning."""
    content = b"".join(letter.encode("latin-1" if letter < "\u0100" else "cp1252") for letter in sign)
    file = tmp_path / "Old.java"
    file.write_bytes(b'class Old { String s() { return "\xe4 ' + content + b'"; } }\r\n')
    text = target.read_source(file)
    assert (f'"ä {sign}"' in text) == (sign != "\u0081–")
    assert text.encode(target.encoding_of(file)) == file.read_bytes()


@pytest.mark.parametrize("method", ["org.acme.Till#open()", "Till.kt:3", "src/main/kotlin/org/acme/Till.kt"])
def test_kotlin_is_said_to_be_unsupported(root: Path, method: str) -> None:
    file = root / "src/main/kotlin/org/acme/Till.kt"
    file.parent.mkdir(parents=True)
    file.write_text("package org.acme\nclass Till { fun open() {} }")
    with pytest.raises(UsageError, match=r"Till\.kt is Kotlin, which is not supported"):
        target.find(root, method)


@pytest.mark.parametrize(
    "name", ["testFixtures", "integrationTest", "fuzzTest", "functionalTests", "jmh", "jcstress", "testlib"]
)
def test_source_sets_that_serve_tests_are_no_sources(tmp_path: Path, name: str) -> None:
    """Half of caffeine's likeliest methods were of fuzz tests and fixtures."""
    file = write(tmp_path, "src/main/java/acme/Shop.java", "package acme; class Shop { }")
    latest = write(tmp_path, "src/latest/java/acme/Late.java", "package acme; class Late { }")
    test = write(tmp_path, f"core/src/{name}/java/acme/Shops.java", "package acme; class Shops { }")
    assert target.java_files(tmp_path) == [latest, file]
    assert target.test_files(tmp_path) == [test]


@pytest.mark.parametrize("package", ["it.acme", "org.acme.test", "org.acme.target", "org.acme.bin"])
def test_a_package_may_be_called_as_folders_of_tests_or_output_are(tmp_path: Path, package: str) -> None:
    """In a project of Italy's domain there was no method at all: ``it`` is a folder of tests elsewhere."""
    path = package.replace(".", "/")
    code = f"package {package}; class Shop {{ int price() {{ return 1; }} }}"
    file = write(tmp_path, f"src/main/java/{path}/Shop.java", code)
    test = write(tmp_path, f"src/test/java/{path}/ShopTest.java", f"package {package}; class ShopTest {{ }}")
    assert target.java_files(tmp_path) == [file]
    assert target.test_files(tmp_path) == [test]
    assert target.find(tmp_path, "Shop#price").file == file.resolve()
    copied = Mirror(tmp_path, tmp_path / "cache").tree
    assert (copied / file.relative_to(tmp_path)).is_file()


def test_a_folder_of_tests_beside_the_programs_is_no_package(tmp_path: Path) -> None:
    """Of jaxen (``src/java/main``, ``src/java/test``) edits of a test's ``setUp`` were tried."""
    main = write(tmp_path, "core/src/java/main/org/acme/Shop.java", SOURCE)
    test = write(tmp_path, "core/src/java/test/org/acme/ShopTest.java", SOURCE.replace("Shop", "ShopTest"))
    assert (target.java_files(tmp_path), target.test_files(tmp_path)) == ([main], [test])


def test_what_a_build_tools_hidden_folder_holds_is_no_source(tmp_path: Path) -> None:
    """Maven's wrapper has a downloader in Java there, which was among the likeliest methods."""
    write(tmp_path, ".mvn/wrapper/MavenWrapperDownloader.java", "public class MavenWrapperDownloader {}")
    file = write(tmp_path, "src/main/java/Shop.java", "public class Shop {}")
    assert target.java_files(tmp_path) == [file]


def test_a_file_of_another_project_is_refused(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """It ended in a ``ValueError``."""
    other = write(tmp_path_factory.mktemp("other"), "Shop.java", SOURCE)
    with pytest.raises(UsageError, match="lies outside of .*another --repo"):
        target.find(root, f"{other}:7")


def test_a_link_that_leads_out_of_the_repository_is_no_source(tmp_path: Path) -> None:
    """Its method ended in an internal error when it was named, and before that stood among the likeliest."""
    outside = tmp_path / "Outside.java"
    outside.write_text("class Outside { int one() { return 1; } }")
    repo = tmp_path / "repo"
    (repo / "src").mkdir(parents=True)
    (repo / "src/Outside.java").symlink_to(outside)
    (repo / "src/Inside.java").write_text("class Inside { int one() { return 1; } }")
    (repo / "src/Linked.java").symlink_to(repo / "src/Inside.java")
    assert [file.name for file in target.java_files(repo)] == ["Inside.java", "Linked.java"]
    with pytest.raises(UsageError, match="no class 'Outside'"):
        target.find(repo, "Outside#one")


def test_tests_beside_a_modules_sources_are_of_that_module(tmp_path: Path) -> None:
    """21 test classes in ``java/lib/test`` were taken for none of ``java/lib``, and never ran."""
    for name in ("pom.xml", "java/lib/pom.xml", "java/lib/src/a/B.java"):
        write(tmp_path, name, "")
    tests = [write(tmp_path, f"{folder}/a/BTest.java", "") for folder in ("java/lib/test", "java/test")]
    found = [target.module_of(tmp_path, file) for file in (tmp_path / "java/lib/src/a/B.java", *tests)]
    assert found == [tmp_path / "java/lib", tmp_path / "java/lib", tmp_path]


def test_who_names_a_method_without_a_body_is_told_those_that_implement_it(tmp_path: Path) -> None:
    """How methods of an enumeration's constants are named nobody guessed."""
    sides = "LEFT { int sign() { return -1; } }, RIGHT { int sign() { return 1; } }"
    text = f"enum Side {{ {sides}; abstract int sign(); }}"
    write(tmp_path, "Side.java", text)
    with pytest.raises(UsageError, match=r"implements it, such as Side\.1#sign\(\), Side\.2#sign\(\)$"):
        target.find(tmp_path, "Side#sign")
    assert target.find(tmp_path, "Side.2#sign").text == text
