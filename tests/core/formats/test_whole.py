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
