"""Which sources are compiled again when others change."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.suggestion.building.made import Made
from nl2fix.validation.jvm.worker import ClassFile

TEXTS = {
    "a/Base.java": "package a; public class Base { public Part part() { return null; } }",
    "a/Part.java": "package a; public class Part { public int size() { return 2; } }",
    "a/Heir.java": "package a; public class Heir extends Base { }",
    "b/Far.java": "package b; import a.*; class Far { int f(Heir heir) { return heir.part().size(); } }",
    "b/Inside.java": "package b; class Inside { void f() { new a.Part(); } }",
    "b/Beyond.java": "package b; class Beyond { Inside inside; /* Part */ }",
    "c/Alone.java": "package c; class Alone { }",
}


def again(root: Path, texts: dict[str, str]) -> set[str]:
    """Names of the classes that are compiled again once sources have become these."""
    made = Made(root / "classes")
    assert made.lacking(TEXTS) == TEXTS
    for path in TEXTS:
        name = path.removesuffix(".java")
        file = root / f"classes/{name}.class"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
        made.add({name.replace("/", "."): ClassFile(-1, b"", path)})
    wanted = made.lacking(texts)
    there = {file.stem for file in (root / "classes").rglob("*.class")}
    names = {Path(path).stem for path in wanted}
    assert there == {Path(path).stem for path in TEXTS} - names - {
        Path(path).stem for path in TEXTS.keys() - texts
    }
    return names


def test_what_a_method_does_matters_to_none_but_its_class(tmp_path: Path) -> None:
    text = TEXTS["a/Part.java"].replace("return 2", 'throw new Error("left out")')
    assert again(tmp_path, TEXTS | {"a/Part.java": f"/* new */ import x.y; {text}"}) == {"Part"}


@pytest.mark.parametrize(
    ("path", "old", "new", "wanted"),
    [
        (
            "a/Part.java",
            "public int size() { return 2; }",
            "",
            {"Part", "Base", "Heir", "Far", "Inside", "Beyond"},
        ),
        ("a/Heir.java", "extends Base", "", {"Heir", "Far"}),
        ("c/Alone.java", "{ }", "{ int n; }", {"Alone"}),
    ],
)
def test_what_others_see_matters_to_those_that_reach_it(
    tmp_path: Path, path: str, old: str, new: str, wanted: set[str]
) -> None:
    assert again(tmp_path, TEXTS | {path: TEXTS[path].replace(old, new)}) == wanted


def test_what_imports_a_package_that_is_gone_is_compiled_again(tmp_path: Path) -> None:
    """javac refuses ``import a.*`` then."""
    left = {path: text for path, text in TEXTS.items() if not path.startswith("a/")}
    assert again(tmp_path, left) == {"Far", "Inside", "Beyond"}
