"""What a class shows to others, read from classes that a real javac made."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.validation.jvm.classfile import Shown, read
from nl2fix.validation.jvm.prepare import compile_project
from nl2fix.validation.jvm.workers import Workers

SHAPE = """package acme;

public abstract class Shape<T> extends java.util.AbstractList<T> implements Cloneable, java.io.Serializable {
    public static final int SIDES = 4;
    static final String NAME = "shape";
    static final long MANY = 5000000000L;
    private int hidden = 1;
    protected volatile Object seen;
    static { System.getProperty("x"); }
    public synchronized int area(int... sides) throws java.io.IOException, IllegalStateException { return 1; }
    private void secret() { Runnable r = () -> secret(); r.run(); }
    protected static class Inner { }
}
"""


@pytest.fixture(scope="module")
def compiled(workers: Workers, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    edits = {
        "plain": SHAPE,
        "body": SHAPE.replace("return 1;", "return 2 + hidden;")
        .replace("synchronized ", "")
        .replace("volatile ", ""),
        "private": SHAPE.replace(
            "private void secret", "private int more; private void other() { } private void secret"
        ),
        "throws": SHAPE.replace(", IllegalStateException", ""),
        "constant": SHAPE.replace("= 4", "= 5"),
        "generic": SHAPE.replace("AbstractList<T>", "AbstractList<String>"),
        "final": SHAPE.replace("public synchronized", "public final synchronized"),
        "array": SHAPE.replace("int... sides", "int[] sides"),
        "inner": SHAPE.replace("protected static class", "private static class"),
    }
    for name, text in edits.items():
        compile_project(workers, {"acme/Shape.java": text}, folder / name)
    return folder


def shown(compiled: Path, edit: str, name: str = "Shape") -> Shown:
    return read((compiled / edit / "acme" / f"{name}.class").read_bytes())


def test_a_class_is_read(compiled: Path) -> None:
    found = shown(compiled, "plain")
    assert (found.name, found.source) == ("acme/Shape", "Shape.java")
    assert found.supertypes == ("java/util/AbstractList", "java/lang/Cloneable", "java/io/Serializable")
    assert len(found.constants) == 3
    text = "\n".join(found.members)
    assert "area ([I)I [['java/io/IOException', 'java/lang/IllegalStateException'], []]" in text
    assert "secret" not in text and "hidden" not in text and "lambda" not in text and "clinit" not in text


@pytest.mark.parametrize("edit", ["body", "private"])
def test_what_nobody_sees_makes_no_difference(compiled: Path, edit: str) -> None:
    assert shown(compiled, edit) == shown(compiled, "plain")


@pytest.mark.parametrize("edit", ["throws", "generic", "final", "array"])
def test_what_callers_see_makes_a_difference(compiled: Path, edit: str) -> None:
    assert shown(compiled, edit).members != shown(compiled, "plain").members
    assert shown(compiled, edit).constants == shown(compiled, "plain").constants


def test_constants_and_nested_classes_are_seen(compiled: Path) -> None:
    assert shown(compiled, "constant").constants != shown(compiled, "plain").constants
    inner = [shown(compiled, edit, "Shape$Inner").members for edit in ("plain", "inner")]
    assert inner[0] != inner[1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("public sealed interface A { record B() implements A {} record C() implements A {} }",
         "public sealed interface A { record B() implements A {} record C() {} }"),
        ("public record A(int low, int high) {}", "public record A(int high, int low) {}"),
        ("public @interface A { int value() default 1; }", "public @interface A { int value(); }"),
        ('import java.lang.annotation.*; @Target(ElementType.TYPE) public @interface A {}',
         'import java.lang.annotation.*; @Target(ElementType.METHOD) public @interface A {}'),
    ],
    ids=["permitted", "record", "default", "target"],
)  # fmt: skip
def test_what_only_a_switch_a_pattern_or_an_annotated_class_sees_makes_a_difference(
    workers: Workers, tmp_path: Path, before: str, after: str
) -> None:
    seen: list[Shown] = []
    for text in (before, after):
        compile_project(workers, {"A.java": text}, tmp_path / str(len(seen)), level="17")
        seen.append(read((tmp_path / str(len(seen)) / "A.class").read_bytes()))
    assert seen[0].members != seen[1].members


@given(st.binary(max_size=60))
def test_what_is_no_class_is_refused(noise: bytes) -> None:
    for content in (noise, b"\xca\xfe\xba\xbe" + noise):
        with pytest.raises(ValueError, match="no class file"):
            read(content)


def test_a_class_cut_short_anywhere_is_refused(compiled: Path) -> None:
    whole = (compiled / "plain" / "acme" / "Shape.class").read_bytes()
    for length in range(len(whole)):
        with pytest.raises(ValueError, match="no class file"):
            read(whole[:length])
