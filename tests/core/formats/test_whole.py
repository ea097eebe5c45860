from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.core.formats import NoEdit, Whole
from nl2fix.core.records import Candidate, Span
from nl2fix.languages import language
from tests.core.formats.problems import JAVA_FILE, PYTHON_FILE, fixed, problem

EDITED = JAVA_FILE.replace("a - b", "a + b")


def extract(completion: str, text: str | None = None) -> Candidate:
    return Whole().extract(completion, problem(text=text), language("java"))


@pytest.mark.parametrize(
    "completion",
    [
        f"src/shop/Shop.java\n```java\n{EDITED}```",
        f"Here:\n\n```\n{EDITED}\n\n```\nDone.",
        f"```java\nint small;\n```\nand\n```java\n{EDITED}```",
        f"**Other.java**\n```java\n{EDITED}// longer\n```\n**Shop.java**\n```java\n{EDITED}```",
        f"```java\n{EDITED.rstrip()}",
        EDITED,
    ],
)
def test_the_file_is_found_and_cut_to_the_region(completion: str) -> None:
    candidate = extract(completion)
    assert candidate.scope == "region" and "return a + b;" in candidate.code
    assert candidate.apply(problem()) == EDITED


def test_an_edit_elsewhere_keeps_the_whole_file() -> None:
    candidate = extract(f"```java\n{EDITED.replace('int total', 'long total')}```")
    assert candidate.scope == "file" and "long total" in candidate.code


def test_the_visible_file_with_the_fix_is_an_edit_of_the_region() -> None:
    one = problem()
    shown = Candidate(fixed(one)).apply(one)
    assert extract(f"```java\n{shown}```") == Candidate(fixed(one))


def test_line_ends_and_last_lines_stay_those_of_the_file() -> None:
    text = JAVA_FILE.replace("\n", "\r\n").rstrip()
    candidate = extract(f"```java\n{EDITED}```", text)
    assert candidate.scope == "region"
    assert candidate.apply(problem(text=text)) == text.replace("a - b", "a + b")


def test_last_lines_are_the_answer_s_where_white_space_is_part_of_the_task() -> None:
    one = replace(problem("python", PYTHON_FILE.rstrip()), layout=True)
    candidate = Whole().extract(f"```python\n{PYTHON_FILE}```", one, language("python"))
    assert candidate.apply(one) == PYTHON_FILE


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        ("I cannot.", "no fenced block and is not the file"),
        ("```java\n\n```", "the answered file is empty"),
    ],
)
def test_an_answer_without_a_file_says_so(completion: str, reason: str) -> None:
    with pytest.raises(NoEdit, match=reason):
        extract(completion)


def test_a_bare_answer_is_the_file_where_the_whole_file_is_the_task() -> None:
    """As models go on after CanItEdit's ``## Code After:``; it was taken for prose."""
    asked = replace(problem("python"), entity="")
    asked = replace(asked, region=Span(0, len(asked.text)), visible=asked.text)
    bare = asked.text.rstrip() + "\n\n\nMORE = 1\n"
    assert Whole().extract(bare, asked, language("python")).apply(asked) == bare
    with pytest.raises(NoEdit, match="no fenced block"):
        Whole().extract("The sum is what you want to add here.", asked, language("python"))


BUGGY = f"```java\n{JAVA_FILE}```\n"
SHORTER = JAVA_FILE.replace("        // subtract, really\n        return a - b;", "        return a + b;")
FIXED = f"```java\n{SHORTER}```\n"
HEADINGS = ["```java:{}\n", "```java {}\n", '```java title="{}"\n', "```java\n// {}\n"]
HEAD = "package shop;\n\nimport java.util.List;\n\n"
TEST = HEAD + "class ShopTest {\n" + "    // a line of a test\n" * 60 + "}\n"
USE = "```java\nnew Shop().add(1, 2);\n```\n"
EXCERPT = "```java\n    public int add(int a, int b) {\n        return a + b; // was: a - b\n    }\n```\n"


@pytest.mark.parametrize(
    "completion",
    [
        f"The buggy file:\n\n{BUGGY}\nThe fixed file:\n\n{FIXED}",
        f"src/shop/Shop.java\n{BUGGY}\nsrc/shop/Shop.java\n{FIXED}",
        f"src/shop/Shop.java\n{BUGGY}\nThe fixed file:\n\n{FIXED}",
        f"{FIXED}\nwhere before it was\n\n{BUGGY}",
        f"{FIXED}\nwhere before it was\n\n{BUGGY.replace('return a - b;', 'return a - b; // BUG')}",
        f"First:\n{FIXED.replace('a + b', 'a * b')}\nNo, rather:\n{FIXED}",
    ],
)
def test_a_fixed_file_is_read_beside_the_longer_one_before_it(completion: str) -> None:
    """The program was judged as it is: the longest block counted."""
    assert extract(completion).apply(problem()) == SHORTER


@pytest.mark.parametrize("path", ["", "src/shop/Shop.java\n"])
@pytest.mark.parametrize(
    "after",
    [
        f"```java\n{TEST}```\n",
        USE,
        EXCERPT,
        "```\n3\n```\n",
        "```xml\n<a/>\n```\n",
        "```\n" + "ok\n" * 900 + "```\n",
    ],
    ids=["test", "use", "excerpt", "output", "language", "log"],
)
def test_what_stands_after_the_file_does_not_overwrite_it(after: str, path: str) -> None:
    completion = f"Fixed:\n\n{path}{FIXED}\nBesides:\n\n{after}"
    assert extract(completion).apply(problem()) == SHORTER


def test_a_fix_that_changes_the_parameters_is_told_from_its_test() -> None:
    wider = SHORTER.replace("int a, int b", "long a, int b")
    assert "long a" in extract(f"```java\n{wider}```\nTest:\n```java\n{TEST}```").code


def test_of_files_of_a_whole_task_the_last_that_is_no_excerpt_is_taken() -> None:
    asked = replace(problem("python"), entity="")
    asked = replace(asked, region=Span(0, len(asked.text)), visible=asked.text)
    new = asked.text.replace("a - b  # why", "a + b")
    for after in ("print(Shop().add(1, 2))\n", "def add(self, a, b):\n", asked.text):
        completion = f"```python\n{asked.text}```\nFixed:\n```python\n{new}```\nAnd:\n```python\n{after}```\n"
        assert Whole().extract(completion, asked, language("python")).apply(asked) == new


@pytest.mark.parametrize("heading", ["{}\n```java\n", *HEADINGS])
def test_only_another_file_is_no_edit(heading: str) -> None:
    """A test class overwrote the program."""
    with pytest.raises(NoEdit, match="no block of the answer names one of src/shop/Shop.java") as caught:
        extract(heading.format("src/shop/ShopTest.java") + TEST + "```\n")
    assert caught.value.kind == "other_file"


@pytest.mark.parametrize(
    "heading", ["```java:{}\n", "```java {}\n", '```java title="{}"\n', "```java\n// {}\n"]
)
def test_files_are_told_apart_by_their_names_in_the_fence_or_the_first_line(heading: str) -> None:
    """The longest, a test, was taken."""
    files = [("src/shop/ShopTest.java", TEST), ("src/shop/Shop.java", SHORTER)]
    for several in (files, files[::-1]):
        completion = "\n".join(heading.format(path) + text + "```\n" for path, text in several)
        edited = extract(completion).apply(problem())
        assert edited.removeprefix("// src/shop/Shop.java\n") == SHORTER


def test_a_comment_that_the_file_begins_with_is_no_name() -> None:
    text = "// Old.java\n" + JAVA_FILE
    edited = text.replace("a - b", "a + b")
    assert extract(f"```java\n{edited}```", text).apply(problem(text=text)) == edited


@pytest.mark.parametrize("word", ["java.util.Map", "`this.total`", "version 1.2"])
def test_a_word_with_a_dot_before_the_file_is_no_other_file(word: str) -> None:
    assert extract(f"Now it uses {word}:\n{FIXED}").apply(problem()) == SHORTER


def test_a_file_without_a_name_counts_beside_others_with_names() -> None:
    for test in (f"src/shop/ShopTest.java\n```java\n{TEST}```\n", "pom.xml\n```xml\n<a/>\n```\n"):
        assert extract(f"{test}\nThe fix:\n\n{FIXED}").apply(problem()) == SHORTER
        with pytest.raises(NoEdit, match="no block of the answer names"):
            extract(f"{test}\nUse it so:\n\n{USE}")


def test_a_fix_that_renames_the_unit_is_read_beside_the_file_before() -> None:
    renamed = SHORTER.replace("int add(", "int sum(")
    code = f"```java\n{renamed}```\n"
    for completion in (
        f"{BUGGY}Fixed:\n{code}",
        f"{code}Before:\n{BUGGY}",
        f"{code}{EXCERPT}",
        f"{code}{USE}",
    ):
        assert extract(completion).apply(problem()) == renamed, completion


def test_the_file_before_is_not_overwritten_by_a_few_lines_of_it() -> None:
    for lines in (USE, "```java\n        return a + b;\n```\n"):
        assert extract(f"{BUGGY}Change one line:\n{lines}").apply(problem()) == JAVA_FILE
