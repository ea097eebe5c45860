"""A user's method as a problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.suggestion.localisation import report, target
from nl2fix.suggestion.problem import problem_of
from tests.suggestion.conftest import write

VECTOR = """class Vector {
    int size() {
        return 0;
    }
    static class Open {
        int size() {
            return 1;
        }
        int room() {
            return 2;
        }
    }
}
"""


@pytest.mark.parametrize("name", ["Vector#size()", "Vector.Open#size()", "Vector.Open#room()"])
def test_a_method_is_called_by_the_class_that_has_it(tmp_path: Path, name: str) -> None:
    """No edit of "PersistentVector#MutableVector#size()", of paguro, made the test pass."""
    write(tmp_path, "src/main/java/Vector.java", VECTOR)
    assert problem_of(tmp_path, target.find(tmp_path, name), report.parse("Too small")).id == name
