from __future__ import annotations

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
def test_lines_are_replaced_exactly_or_with_blanks_ignored(completion: str):
    candidate = extract(completion)
    assert candidate.scope == "region"
    assert candidate.code == "public int add(int a, int b) {\n        return a + b;\n    }"


def test_lines_that_only_the_commented_file_has_are_found_too():
    assert edited(block("        // subtract, really\n" + OLD, NEW)) == JAVA_FILE.replace(
        "        // subtract, really\n", ""
    ).replace("a - b", "a + b")


def test_several_blocks_apply_one_after_the_other():
    text = edited(
        block(OLD, "        int c = a;\n        return c - b;")
        + "\nand\n"
        + block("return c - b;", "return c + b;")
    )
    assert "        int c = a;\n        return c + b;\n" in text


def test_an_edit_outside_the_region_keeps_the_whole_file():
    candidate = extract(block("    private int total;", "    private long total;"))
    assert candidate.scope == "file" and "private long total;" in candidate.code


def test_of_equal_places_the_one_in_the_unit_is_taken():
    text = JAVA_FILE.replace("private int total;", "int minus(int a, int b) {\n        return a - b;\n    }")
    assert edited(block(OLD, NEW), text).index("a + b") > text.index("Adds.")


def test_the_replacement_moves_to_the_indentation_found():
    assert "\n        if (a > b) {\n            return a;\n        }\n" in edited(
        block("return a - b;", "if (a > b) {\n    return a;\n}")
    )


def test_lines_can_be_removed():
    assert "return a - b" not in edited(f"<<<<<<< ORIGINAL\n{OLD}\n=======\n>>>>>>> UPDATED")


def test_carriage_returns_of_the_file_stay():
    text = JAVA_FILE.replace("\n", "\r\n")
    assert edited(block(OLD, NEW), text).count("\n") == edited(block(OLD, NEW), text).count("\r\n")


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        ("no blocks", "the answer has no <<<<<<< ORIGINAL block"),
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
def test_what_did_not_match_is_told(completion: str, reason: str):
    with pytest.raises(NoEdit, match=reason):
        extract(completion)


LINES = JAVA_FILE.splitlines()


@given(
    st.integers(9, 12), st.integers(1, 3), st.lists(st.sampled_from(["int z;", "}", "  z();"]), max_size=3)
)
def test_any_lines_of_the_file_can_be_replaced(start: int, count: int, new: list[str]):
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
def test_nothing_but_no_edit_is_raised(noise: str):
    for completion in (noise, block(noise, NEW), block(OLD, noise)):
        try:
            extract(completion)
        except NoEdit as reason:
            assert "\n" not in str(reason)
