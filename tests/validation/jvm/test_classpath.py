"""Classes are found by name; what no file can be named is none."""

from __future__ import annotations

from pathlib import Path

from nl2fix.validation.jvm.classpath import ClassFinder
from nl2fix.validation.jvm.worker import Classes


def test_names_that_no_file_has_are_no_error(tmp_path: Path) -> None:
    """Nested classes with names of 255 characters and more ended the whole run."""
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "Calc.class").write_bytes(b"calc")
    find = ClassFinder(Classes(project=(str(tmp_path),), tests=(), libraries=()))
    assert find("acme/Calc") == b"calc"
    assert find("acme/Calc$" + "A" * 300) is None
    assert find("acme/\ud835") is None
