from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.formats import FORMATS, PATHOLOGIES, edit_format
from tests.core.formats.problems import JAVA_FILE, fixed, problem


def found(completion: str, name: str = "method") -> set[str]:
    return set(edit_format(name).faults(completion, problem()))


def test_a_good_answer_has_none() -> None:
    assert found(f"```java\n{fixed(problem())}\n```") == set()
    assert found(json.dumps({"name": "write_file", "arguments": {"files": []}}), "whole-func") == set()


@pytest.mark.parametrize(
    "comment",
    [
        "// ...",
        "// ... rest of the code",
        "/* ... existing code ... */",
        "# rest of the method unchanged",
        "// The rest of your code stays the same",
        "// existing code here",
        "  # … remaining unchanged",
        "// other methods unchanged",
        "# ... (unchanged)",
        "// Your code here",
        "// code omitted for brevity",
    ],
)
def test_lazy_comments_are_seen(comment: str) -> None:
    assert "lazy_comment" in found(f"```java\nint f() {{\n    int a;\n{comment}\n}}\n```")


@pytest.mark.parametrize(
    "comment", ["// add both", "// the rest is handled below", "return a; // same as b", "# existing users"]
)
def test_ordinary_comments_are_not_lazy(comment: str) -> None:
    assert "lazy_comment" not in found(f"```java\n{comment}\n```")


def test_lazy_comments_inside_a_call_are_seen() -> None:
    call = {"files": [{"path": "Shop.java", "content": "class A {\n  // ... rest unchanged\n}"}]}
    assert found(json.dumps(call), "whole-func") == {"lazy_comment"}


def test_a_block_that_is_never_closed_is_seen() -> None:
    assert found("```java\nint a;") == {"open_fence"}


def test_an_example_in_a_comment_of_the_code_is_no_open_block() -> None:
    assert found("```java\n/**\n * ```java\n * add(1, 2)\n * ```\n */\nint a;\n```") == set()


def test_a_whole_file_where_a_part_was_asked_for_is_seen() -> None:
    assert "whole_file" in found(f"```java\n{JAVA_FILE}```")
    assert "whole_file" in found(f"<<<<<<< ORIGINAL\n{JAVA_FILE}=======\nx\n>>>>>>> UPDATED", "diff")
    call = {"edits": [{"path": "Shop.java", "original_lines": JAVA_FILE.split("\n"), "updated_lines": []}]}
    assert "whole_file" in found(json.dumps(call), "diff-func")
    assert found(f"```java\n{JAVA_FILE}```", "whole") == set()


def test_faults_of_calls_are_told_apart() -> None:
    assert found(json.dumps({"name": "python", "arguments": "print(1)"}), "whole-func") == {
        "invented_function"
    }
    assert found("not json", "diff-func") == {"malformed_json"}


@given(st.text(max_size=200), st.sampled_from(list(FORMATS.built_in)))
def test_counting_never_fails_and_only_known_names_come(completion: str, name: str) -> None:
    assert found(completion, name) <= set(PATHOLOGIES)
