"""Of what a build makes the classes that are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.suggestion.building.generated import Origins
from tests.suggestion.conftest import write


@pytest.mark.parametrize(
    ("file", "name", "known"),
    [
        ("Rules.jjt", "ASTSum", True),
        ("Rules.jjt", "AST", False),
        ("Rules.jjt", "ASTSu", False),
        ("rows.proto", "ASTSum", False),
        ("Rules.jjt", "RulesVisitor", True),
        ("Rules.jj", "Token", True),
        ("rows.proto", "Token", False),
    ],
)
def test_nodes_of_a_tree_are_known_by_their_rules_and_no_other_class_is(
    tmp_path: Path, file: str, name: str, known: bool
) -> None:
    """Any class called AST, and words of schemas, were taken for nodes; Velocity's Token was not known."""
    write(tmp_path, f"src/{file}", "void rule() #Sum : {}")
    assert Origins([tmp_path]).of_class(name) == (f"src/{file}" if known else "")
