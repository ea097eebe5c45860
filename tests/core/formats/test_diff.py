from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.formats import Diff, NoEdit
from nl2fix.core.records import Candidate
from nl2fix.languages import language
from tests.core.formats.problems import JAVA_FILE, problem


def block(search: str, replace: str, words: tuple[str, str] = ("ORIGINAL", "UPDATED")) -> str:
    return f"<<<<<<< {words[0]}\n{search}\n=======\n{replace}\n>>>>>>> {words[1]}\n"


def extract(completion: str, text: str | None = None) -> Candidate:
    return Diff().extract(completion, problem(text=text), language("java"))


def edited(completion: str, text: str | None = None) -> str:
    return extract(completion, text).apply(problem(text=text))


OLD, NEW = "        return a - b;", "        return a + b;"


@pytest.mark.parametrize(
    "completion",
    [
        block(OLD, NEW),
        block(OLD, NEW, ("SEARCH", "REPLACE")),
        f"Change this:\n\nsrc/shop/Shop.java\n```java\n{block(OLD, NEW)}```\nDone.",
        f"```java\nsrc/shop/Shop.java\n{block(OLD, NEW)}```",
        block("return a - b;", "return a + b;"),
        block("    return a - b;  ", "    return a + b;"),
        block("\n" + OLD, NEW),
        block(OLD, NEW).replace("\n", "\r\n"),
    ],
)
def test_lines_are_replaced_exactly_or_with_blanks_ignored(completion: str) -> None:
    candidate = extract(completion)
    assert candidate.scope == "region"
    assert candidate.code == "public int add(int a, int b) {\n        return a + b;\n    }"


def test_lines_that_only_the_commented_file_has_are_found_too() -> None:
    assert edited(block("        // subtract, really\n" + OLD, NEW)) == JAVA_FILE.replace(
        "        // subtract, really\n", ""
    ).replace("a - b", "a + b")


def test_several_blocks_apply_one_after_the_other() -> None:
    text = edited(
        block(OLD, "        int c = a;\n        return c - b;")
        + "\nand\n"
        + block("return c - b;", "return c + b;")
    )
    assert "        int c = a;\n        return c + b;\n" in text


def test_an_edit_outside_the_region_keeps_the_whole_file() -> None:
    candidate = extract(block("    private int total;", "    private long total;"))
    assert candidate.scope == "file" and "private long total;" in candidate.code


def test_of_equal_places_the_one_in_the_unit_is_taken() -> None:
    text = JAVA_FILE.replace("private int total;", "int minus(int a, int b) {\n        return a - b;\n    }")
    assert edited(block(OLD, NEW), text).index("a + b") > text.index("Adds.")


def test_the_replacement_moves_to_the_indentation_found() -> None:
    assert "\n        if (a > b) {\n            return a;\n        }\n" in edited(
        block("return a - b;", "if (a > b) {\n    return a;\n}")
    )


def test_lines_can_be_removed() -> None:
    assert "return a - b" not in edited(f"<<<<<<< ORIGINAL\n{OLD}\n=======\n>>>>>>> UPDATED")


def test_carriage_returns_of_the_file_stay() -> None:
    text = JAVA_FILE.replace("\n", "\r\n")
    assert edited(block(OLD, NEW), text).count("\n") == edited(block(OLD, NEW), text).count("\r\n")


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        ("no blocks", "the answer has no <<<<<<< ORIGINAL block and no hunk"),
        ("<<<<<<< ORIGINAL\na\n>>>>>>> UPDATED", "block 1 has no ======= line"),
        (block(OLD, NEW) + "<<<<<<< ORIGINAL\na\n=======\nb", "block 2 has no >>>>>>> line"),
        (block("", NEW), "block 1 of 1 has an empty ORIGINAL part"),
        (
            block("        return x;", NEW),
            "block 1 of 1 matches nothing in src/shop/Shop.java: no line is 'return x;'",
        ),
        (
            block("    private int total;\n\n    int gone;", NEW),
            "line 9 is '/\\*\\* Adds. \\*/', not 'int gone;'",
        ),
        ("Other.java\n" + block(OLD, NEW), "the answer edits Other.java, not src/shop/Shop.java"),
    ],
)
def test_what_did_not_match_is_told(completion: str, reason: str) -> None:
    with pytest.raises(NoEdit, match=reason):
        extract(completion)


LINES = JAVA_FILE.splitlines()


@given(
    st.integers(9, 12), st.integers(1, 3), st.lists(st.sampled_from(["int z;", "}", "  z();"]), max_size=3)
)
def test_any_lines_of_the_file_can_be_replaced(start: int, count: int, new: list[str]) -> None:
    old = LINES[start : start + count]
    wanted = "\n".join([*LINES[:start], *new, *LINES[start + count :]]) + "\n"
    replace = "".join(line + "\n" for line in new)
    completion = "<<<<<<< ORIGINAL\n" + "\n".join(old) + "\n=======\n" + replace + ">>>>>>> UPDATED\n"
    one = problem()
    whole = problem(text=JAVA_FILE)
    assert whole == one
    shown = Diff().extract(completion, one, language("java")).apply(one)
    stripped = language("java").strip_comments
    assert stripped(shown) == stripped(wanted)


@given(st.text(alphabet="<>=ORIGNALUPDTE \nab", max_size=120))
def test_nothing_but_no_edit_is_raised(noise: str) -> None:
    for completion in (noise, block(noise, NEW), block(OLD, noise)):
        try:
            extract(completion)
        except NoEdit as reason:
            assert "\n" not in str(reason)


HUNK = "-        return a - b;\n+        return a + b;\n"


@pytest.mark.parametrize(
    "completion",
    [
        f"```diff\n--- a/src/shop/Shop.java\n+++ b/src/shop/Shop.java\n@@ -12,1 +12,1 @@\n{HUNK}```",
        f"--- a/src/shop/Shop.java\n+++ b/src/shop/Shop.java\n@@ -900,7 +3,99 @@ int add\n{HUNK}\nDone.",
        f"```diff\n@@ ... @@\n     public int add(int a, int b) {{\n{HUNK}     }}\n```",
        f"```diff\n@@\n    public int add(int a, int b) {{\n{HUNK}    }}\n\n```",
        f"```diff\ndiff --git a/S b/S\nindex 1..2\n--- a/Shop.java\n+++ b/Shop.java\n@@ @@\n{HUNK}```",
        "```diff\n@@ -1 +1 @@\n-return a - b;\n+return a + b;\n\\ No newline at end of file\n```",
    ],
)
def test_unified_diffs_are_read_whatever_their_counts_and_numbers_say(completion: str) -> None:
    unit = "public int add(int a, int b) { return a + b; }"
    assert extract(completion).code.split() == unit.split()


TWICE = JAVA_FILE.replace("return names.size();", "int a = 1, b = 2;\n        return a - b;").replace(
    "        return a - b;\n    }\n\n    public int size",
    "        int c = a;\n        log(c);\n        int d = a;\n        log(c);\n"
    "        return a - b;\n    }\n\n    public int size",
)


def test_equal_places_outside_the_unit_are_left_alone_unless_a_number_names_one() -> None:
    hunk = "```diff\n@@ -{0} +{0} @@\n-        log(c);\n+        log(a);\n```"
    number = TWICE.split("\n").index("        log(c);") + 1
    for wrong in (1, number, 999):
        with pytest.raises(NoEdit, match="matches 2 places in src/shop/Shop.java: lines") as caught:
            edited(hunk.format(wrong), TWICE)
        assert caught.value.kind == "ambiguous"
    with pytest.raises(NoEdit, match="matches 2 places"):
        edited(block("        log(c);", "        log(a);"), TWICE)
    seen = TWICE.replace("        // subtract, really\n", "")
    number = seen.split("\n").index("        log(c);") + 1
    assert edited(hunk.format(number), TWICE) == seen.replace("log(c)", "log(a)", 1)


@pytest.mark.parametrize("header", ["@@ @@", "@@ -3 +4 @@", "@@ -3,1 +4,1 @@", "@@ +4 @@"])
def test_an_insertion_without_a_line_to_hold_on_to_is_not_guessed(header: str) -> None:
    with pytest.raises(
        NoEdit, match="hunk 1 of 1 only adds lines, and its header is not @@ -LINE,0"
    ) as caught:
        extract(f"```diff\n{header}\n+        int z;\n```")
    assert caught.value.kind == "ambiguous" and "ORIGINAL" not in str(caught.value)


def unified(old: str, new: str) -> str:
    """As ``diff -U0`` writes it."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), "a/Shop.java", "b/Shop.java", n=0
    )
    return "```diff\n" + "".join(line if line.endswith("\n") else line + "\n" for line in lines) + "```"


SEEN = JAVA_FILE.replace("        // subtract, really\n", "")
PLAIN = SEEN.replace("    /** Adds. */\n", "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import java.util.List;\n", "import java.util.List;\nimport java.util.Map;\n"),
        ("package shop;\n", "// Shop\n\npackage shop;\n"),
        ("        return a - b;\n", "        a = -a;\n        return a - b;\n"),
        ("    private int total;\n", "    private int total;\n    private int sum;\n"),
    ],
)
def test_lines_are_added_after_the_line_that_the_header_names(old: str, new: str) -> None:
    """As ``diff -U0`` writes it; each was refused for its empty ORIGINAL part."""
    after = PLAIN.replace(old, new)
    assert edited(unified(PLAIN, after), PLAIN) == after


def test_lines_are_added_behind_a_last_line_without_an_end_and_with_the_ends_of_the_file() -> None:
    text = PLAIN.rstrip().replace("\n", "\r\n")
    number = text.count("\n") + 1
    done = edited(f"```diff\n@@ -{number},0 +{number + 1} @@\n+// end\n```", text)
    assert done == text + "\r\n// end"


def test_lines_past_the_end_are_not_added() -> None:
    with pytest.raises(NoEdit, match="hunk 1 of 1 adds lines after line 999, past the end of") as caught:
        extract("```diff\n@@ -999,0 +1000 @@\n+int z;\n```")
    assert caught.value.kind == "no_match"


FIELDS = [f"    int {name};" for name in "abcdefghij"]
CLASS = "class Shop {\n{}\n    int add(int a, int b) {\n        return a - b;\n    }\n}\n"


@given(st.lists(st.sampled_from([*FIELDS, "    // one"]), max_size=14))
def test_what_diff_writes_without_context_is_applied(fields: list[str]) -> None:
    """Later hunks count the lines of the file before the edit, not those that hunks before them added."""
    old, new = (CLASS.replace("{}", "\n".join(lines)) for lines in (FIELDS, fields or [""]))
    new = new.replace("a - b", "a + b")
    assert edited(unified(old, new), old) == new


@pytest.mark.parametrize("text", [JAVA_FILE, JAVA_FILE.replace("\n", "\r\n")])
def test_a_diff_from_nothing_is_all_of_the_file(text: str) -> None:
    lines = "".join(f"+{line}\n" for line in SEEN.replace("a - b", "a + b").splitlines())
    head = "--- /dev/null\n+++ b/{}\n@@ -0,0 +1,17 @@\n"
    done = edited(f"```diff\n{head.format('src/shop/Shop.java')}{lines}```", text)
    assert done == text.replace("        // subtract, really", "").replace("a - b", "a + b").replace(
        "{\r\n\r\n        return a", "{\r\n        return a"
    ).replace("{\n\n        return a", "{\n        return a")
    with pytest.raises(NoEdit, match="edits src/shop/New.java, not") as caught:
        extract(f"```diff\n{head.format('src/shop/New.java')}{lines}```")
    assert caught.value.kind == "other_file"


@pytest.mark.parametrize(
    "heading", ["```java:{}\n", "```java {}\n", '```java title="{}"\n', "```java\n// {}\n"]
)
def test_a_block_is_for_the_file_that_its_fence_or_first_line_names(heading: str) -> None:
    """It was for the problem's file, and matched nothing there."""
    parts = [("src/shop/Till.java", block("int open;", "int shut;")), ("src/shop/Shop.java", block(OLD, NEW))]
    completion = "\n".join(heading.format(path) + text + "```\n" for path, text in parts)
    assert extract(completion).code.endswith("return a + b;\n    }")
    with pytest.raises(NoEdit, match="edits src/shop/Till.java, not"):
        extract(completion.replace("Shop.java", "Till.java"))


def test_a_word_with_a_dot_before_a_block_is_no_file() -> None:
    """It was an edit of another file, ``this.total``."""
    assert extract(f"Now change `this.total`:\n{block(OLD, NEW)}").code.endswith("return a + b;\n    }")


def test_lines_end_where_editors_end_them() -> None:
    text = JAVA_FILE.replace("private int total;", 'String page = "\x0c";')
    assert edited(block(OLD, NEW), text) == text.replace(
        "        // subtract, really\n        return a - b;", NEW
    )


@given(st.text(alphabet="@+- \n\\ab/`", max_size=150))
def test_no_diff_raises_anything_but_no_edit(noise: str) -> None:
    for completion in (noise, f"```diff\n@@ @@\n{noise}\n```", f"@@ -1 +1 @@\n{HUNK}{noise}"):
        try:
            extract(completion)
        except NoEdit as reason:
            assert "\n" not in str(reason)
