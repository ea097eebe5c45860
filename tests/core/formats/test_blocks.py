from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.formats.blocks import blocks, names_file, path_on


def test_blocks_are_found_in_prose_with_info_and_path() -> None:
    found = blocks("Hi.\n\n**src/A.java**\n```Java\nint a;\n```\nand\n~~~\nx\n~~~\nbye")
    assert [(b.info, b.code, b.path, b.closed) for b in found] == [
        ("java", "int a;\n", "src/A.java", True),
        ("", "x\n", None, True),
    ]


def test_a_longer_fence_may_hold_a_shorter_one() -> None:
    assert blocks("````\n```\nx\n```\n````")[0].code == "```\nx\n```\n"


def test_an_answer_cut_in_a_block_keeps_what_there_is() -> None:
    found = blocks("```java\nint a;\nint b")
    assert [(b.code, b.closed) for b in found] == [("int a;\nint b", False)]


def test_a_fence_at_the_end_of_the_last_line_closes() -> None:
    assert blocks("```\nint a;\n}```\nmore")[0].code == "int a;\n}\n"


def test_indented_and_quoted_blocks_and_carriage_returns_are_read() -> None:
    assert blocks("1. so:\n   ```java\n   a\n   ```")[0].code == "   a\n"
    assert blocks("```java\r\na\r\n```\r\n")[0].code == "a\r\n"


def test_code_in_backticks_is_no_block() -> None:
    assert blocks("use `a` or ``b`` or ```c``` here") == []


def test_reasoning_is_no_answer() -> None:
    assert [b.code for b in blocks("<think>\n```\nold\n```\n</think>\n```\nnew\n```")] == ["new\n"]


def test_paths_as_models_write_them() -> None:
    for line in ("src/A.java", "**src/A.java**", "File: `src/A.java`", "# src/A.java:", "### src/A.java"):
        assert path_on(line) == "src/A.java", line
    assert path_on("Here is the code:") is None


def test_a_path_means_the_file_when_one_ends_in_the_other() -> None:
    assert names_file("Shop.java", "src/shop/Shop.java")
    assert names_file("./src/shop/Shop.java", "shop/Shop.java")
    assert not names_file("src/Other.java", "src/shop/Shop.java")
    assert not names_file("op.java", "src/shop/Shop.java")
    assert not names_file(None, "a")


@given(st.text(alphabet="`~a \n\r>", max_size=80))
def test_reading_never_fails(text: str) -> None:
    blocks(text)


@given(st.lists(st.text(alphabet="ab {};\n", max_size=30), max_size=4))
def test_what_is_fenced_comes_back(codes: list[str]) -> None:
    text = "".join(f"prose\n```java\n{code}\n```\n" for code in codes)
    assert [block.code for block in blocks(text)] == [code + "\n" for code in codes]
