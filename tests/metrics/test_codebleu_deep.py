"""CodeBLEU of code that is nested deeply: as on paper, in time and memory that grow with the text."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.languages.java import JAVA
from nl2fix.metrics import codebleu
from nl2fix.metrics.syntax import TreeReader
from nl2fix.metrics.texts import Edit

if TYPE_CHECKING:
    from tree_sitter import Node

BEFORE = "int f(int a) {\n    return a + 1;\n}"
DEEP = {
    "sum": "int f(int a) { return " + " + ".join(["a1"] * 2400) + "; }",
    "calls": "int f(int a) { return " + "f(" * 2500 + "a" + ")" * 2500 + "; }",
    "signs, each the last thing in another": "int f(int a) { return " + "- " * 8000 + "a; }",
    "blocks": "int f(int a) { " + "{ if (a > 1) " * 800 + "a++;" + "}" * 800 + " return 1; }",
}


@pytest.mark.parametrize("name", DEEP)
def test_memory_does_not_grow_with_the_square_of_the_depth(name: str) -> None:
    """Written out, the subtrees of such a candidate take hundreds of megabytes."""
    revision = Edit(BEFORE, [BEFORE], JAVA).revision(DEEP[name])
    tracemalloc.start()
    found = codebleu.syntax_match(revision)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found is not None
    assert 0 < found < 1
    assert most < 30e6


PIECES = st.sampled_from(
    [
        "a = a + 1;",
        "if (a > 0) { a--; } else a++;",
        "for (int i : xs) f(i, a);",
        "return -a",
        "}",
        "int[] x = {1};",
    ]
)


def written(root: Node) -> list[str]:
    """S-expressions of the root and of every node below it that has others inside."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        found.append(str(node))
        stack += [child for child in node.children if child.child_count]
    return found


@given(st.lists(PIECES, max_size=6), st.lists(PIECES, max_size=6))
def test_shapes_are_equal_where_s_expressions_are(one: list[str], other: list[str]) -> None:
    texts = [f"int f(int a) {{ {' '.join(pieces)} }}" for pieces in (one, other)]
    trees, reader = [JAVA.tree(text) for text in texts], TreeReader()
    shapes = [reader.read(tree, text).all_shapes() for tree, text in zip(trees, texts, strict=True)]
    plain = [written(tree.root_node) for tree in trees]
    for mine, theirs in zip(shapes, plain, strict=True):
        assert sorted(map(mine.count, mine)) == sorted(map(theirs.count, theirs))
    assert [s in shapes[1] for s in shapes[0]].count(True) == [s in plain[1] for s in plain[0]].count(True)
