from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.formats.blocks import blocks


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


def test_the_marks_of_a_quotation_are_no_code() -> None:
    """Each line of code began with ``> ``."""
    assert blocks("> ```java\n> int a;\n>\n>     b\n> ```")[0].code == "int a;\n\n    b\n"
    assert blocks("> > ```\n> > a > b\n> > > c\n> > ```")[0].code == "a > b\n> c\n"
    assert blocks("> ```\na\n> ```")[0].code == "a\n"
    assert blocks("```\n> a\n```")[0].code == "> a\n"


def test_code_in_html_is_a_block_without_its_tags_and_entities() -> None:
    """``<code>`` stood before the method."""
    found = blocks('So:\n\n<pre><code class="language-java">if (a &lt; b)\n  c();</code></pre>\nDone.')
    assert [(b.info, b.code, b.closed) for b in found] == [("java", "if (a < b)\n  c();\n", True)]
    assert [(b.code, b.closed) for b in blocks("Shop.java\n<pre>\nx\ny")] == [("x\ny\n", False)]


def test_code_that_speaks_of_html_is_no_block() -> None:
    assert blocks("/**\n<pre>\nx\n</pre>\n*/\nint f() { }") == []
    assert blocks("const page = `\n<pre>\nx\n</pre>`") == []
    assert [b.code for b in blocks("```\na\n```\n<pre>\nx\n</pre>")] == ["a\n"]


@pytest.mark.parametrize("mark", ["     * ", "/// ", "//! ", "# ", "    -- "])
def test_a_fence_in_a_comment_of_the_code_does_not_end_it(mark: str) -> None:
    """Of an answer whose Javadoc had an example, only what stood before the example was a block."""
    code = f"{mark}```java\n{mark}x\n{mark}```\nint a;\n"
    assert [(b.code, b.closed) for b in blocks(f"```java\n{code}```\nDone.")] == [(code, True)]


def test_a_fence_behind_the_end_of_a_comment_ends_the_code() -> None:
    assert blocks("```\nint a; /* b\n*/```\nmore")[0].code == "int a; /* b\n*/\n"


def test_a_block_says_which_file_it_is() -> None:
    """Only the line before was read."""
    assert blocks("A.java\n```java:src/B.java\n// src/C.java\n```")[0].path == "src/B.java"
    assert blocks("A.java\n```java\n// src/C.java\nx\n```")[0].path == "src/C.java"
    assert [(b.info, b.path) for b in blocks("A.java\n```Java\nx\n```")] == [("java", "A.java")]
    assert blocks("```java\n// src/C.java\nx\n```")[0].code == "// src/C.java\nx\n"


def test_reasoning_is_no_answer() -> None:
    assert [b.code for b in blocks("<think>\n```\nold\n```\n</think>\n```\nnew\n```")] == ["new\n"]


@given(st.text(alphabet="`~a \n\r>", max_size=80))
def test_reading_never_fails(text: str) -> None:
    blocks(text)


@given(st.lists(st.text(alphabet="ab {};\n", max_size=30), max_size=4))
def test_what_is_fenced_comes_back(codes: list[str]) -> None:
    text = "".join(f"prose\n```java\n{code}\n```\n" for code in codes)
    assert [block.code for block in blocks(text)] == [code + "\n" for code in codes]
