"""Functions that stand for interfaces of one method: every one is Java that compiles."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from nl2fix.validation.calls.functions import functions

NUMBERS = ("byte", "short", "char", "int", "long", "float", "double", "boolean")


@pytest.mark.parametrize("parameters", [(), ("double",), ("int",), ("String",), ("long", "double", "int")])
def test_what_is_written_compiles(tmp_path: Path, parameters: tuple[str, ...]) -> None:
    taken = ", ".join(f"{each} a{i}" for i, each in enumerate(parameters))
    lines = []
    for kind in (*NUMBERS, "void", "String", "Object"):
        made = [f"Face f{i} = {words[-1]};" for i, words in enumerate(functions(kind, parameters))]
        lines.append(f"class Of_{kind} {{ interface Face {{ {kind} of({taken}); }} {' '.join(made)} }}\n")
    (tmp_path / "All.java").write_text("".join(lines))
    done = subprocess.run(["javac", "All.java"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("result", "parameters", "written"),
    [
        ("double", ["double"], "x -> x * x - 2"),
        ("int", ["double"], "x -> (int) (-2 * x + 3)"),
        ("boolean", ["int"], "x -> x - 1 > 0"),
        ("long", [], "() -> 1"),
        ("int", ["java.lang.Object", "java.lang.Object"], "(x, y) -> y.compareTo(x)"),
        ("java.lang.Object", ["java.lang.Object"], "x -> x"),
        ("java.lang.String", ["int"], "x -> null"),
        ("void", ["int"], "x -> {}"),
    ],
)
def test_functions_are_written_as_a_person_would(result: str, parameters: list[str], written: str) -> None:
    assert written in {words[-1] for words in functions(result, parameters)}
