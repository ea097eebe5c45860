"""Reach read from real compiled classes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from nl2fix.validation.jvm.classfile import texts
from nl2fix.validation.jvm.reach import can_reach

SOURCES = """
package a;
class Wanted { static class Inner { } static final long BIG = 1L << 40; static final double D = 2.5; }
class Direct { Object o = new Wanted(); }
class Through { Direct d; }
class Nested { Object o = new Wanted.Inner(); }
class ByName { Object o() throws Exception { return Class.forName("a.Wanted"); } }
class Generic { java.util.List<Wanted> all; }
class Lambda { Runnable r = () -> new Through(); }
class Array { Wanted[][] all; }
class Not { long n = 1L << 40; double d = 2.5; String s = "Wanted"; }
"""
TESTS = ["Direct", "Through", "Nested", "ByName", "Generic", "Lambda", "Array", "Not", "Missing"]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    (folder / "Wanted.java").write_text(SOURCES)
    subprocess.run(["javac", "-d", str(folder), str(folder / "Wanted.java")], check=True, timeout=300)
    return folder


def test_whatever_mentions_a_class_reaches_it(classes: Path) -> None:
    found = can_reach([classes], [f"a.{name}" for name in TESTS], ["a.Wanted", "a.Wanted$Inner"])
    assert found == {f"a.{name}" for name in TESTS if name not in ("Not", "Missing")}


def test_a_test_of_the_class_itself_reaches_it(classes: Path) -> None:
    assert can_reach([classes], ["a.Wanted"], ["a.Wanted"]) == {"a.Wanted"}


def test_classes_that_refer_to_each_other_end(classes: Path) -> None:
    assert can_reach([classes, classes], ["a.Not"], ["a.Wanted"]) == set()


@pytest.mark.parametrize("content", [b"", b"\xca\xfe", b"PK\x03\x04 no class"])
def test_what_is_no_class_has_no_texts(content: bytes) -> None:
    assert list(texts(content)) == []
