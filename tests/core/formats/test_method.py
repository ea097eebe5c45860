from __future__ import annotations

import pytest

from nl2fix.core.formats import Method, NoEdit
from nl2fix.core.records import Candidate
from nl2fix.languages import language
from tests.core.formats.problems import JAVA_FILE, fixed, problem


def extract(completion: str, name: str = "java") -> Candidate:
    one = problem(name)
    return Method().extract(completion, one, language(name))


def same(candidate: Candidate, name: str = "java") -> bool:
    one, spoken = problem(name), language(name)
    return candidate.scope == "region" and spoken.tokens(candidate.code) == spoken.tokens(fixed(one))


@pytest.mark.parametrize("name", ["java", "python"])
@pytest.mark.parametrize(
    "shape",
    [
        "```{info}\n{code}\n```",
        "Sure! Here's the fix:\n\n```\n{code}\n```\n\nIt adds now; it's done.",
        "{code}",
        "The fixed method:\n{code}\n",
        "```{info}\n{code}",
        "```{info}\n{old}\n```\nis wrong, so\n```{info}\n{code}\n```",
        "```{info}\n{code}\n```\nwhere before it was\n```{info}\n{old}\n```",
        "```{info}\n{code}\n```\nTest it:\n```{info}\nadd(1, 2)\n```",
        "```xml\n<a/>\n```\n```{info}\n{code}\n```",
        "```diff\n{code}\n```",
        "<think>```{info}\n{old}\n```</think>\n```{info}\n{code}\n```",
    ],
)
def test_the_unit_is_found_in_every_shape_of_answer(name: str, shape: str) -> None:
    one = problem(name)
    info = language(name).fences[0]
    assert same(extract(shape.format(info=info, code=fixed(one), old=one.visible), name), name)


def test_a_method_in_a_quotation_or_in_html_is_the_method_alone() -> None:
    """It had ``> `` before each line, or ``<code>`` before it."""
    code = fixed(problem())
    quoted = "".join(f"> {line}\n" for line in f"```java\n{code}\n```".split("\n"))
    for completion in (quoted, f"<pre><code>{code.replace('+', '&#43;')}</code></pre>"):
        assert extract(completion) == Candidate(code)


def test_a_whole_file_in_a_block_gives_the_method_alone() -> None:
    assert same(extract(f"```java\n{JAVA_FILE.replace('a - b', 'a + b')}```"))


def test_an_unchanged_method_is_still_a_candidate() -> None:
    assert extract(f"```java\n{problem().before}\n```").code == problem().before


def test_a_completion_that_continues_the_signature_is_read() -> None:
    assert same(extract("        return a + b;\n    }\n"))
    assert same(extract("        return a + b\n", "python"), "python")


def test_new_imports_make_an_edit_of_the_file() -> None:
    candidate = extract(
        "```java\nimport java.util.Objects;\nclass Shop {\n"
        "public int add(int a, int b) { return Objects.hash(a, b); }\n}\n```"
    )
    assert candidate.scope == "file"
    assert "import java.util.List;\nimport java.util.Objects;\n" in candidate.code


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        ("", "the answer is empty"),
        (" \n", "the answer is empty"),
        ("I am sorry, I cannot help.", r"no code in the answer holds add\(int, int\)"),
        ("```java\nint other() { return 1; }\n```", "no code in the answer holds"),
        ("The bug is in add(int a, int b).", "no code in the answer holds"),
        ("```java\nclass Money { int cents; }\n```", "no code in the answer holds"),
        ("```java\npublic class Money {\n    Money(int cents) { }\n}\n```", "no code in the answer holds"),
        ("import java.util.List;\n\nclass Money { }", "no code in the answer holds"),
    ],
)
def test_an_answer_without_the_method_says_so(completion: str, reason: str) -> None:
    with pytest.raises(NoEdit, match=reason):
        extract(completion)


@pytest.mark.parametrize("code", ["class Money:\n    cents = 1\n", "def other(a):\n    return a\n"])
def test_an_unrelated_python_class_or_function_is_no_body(code: str) -> None:
    with pytest.raises(NoEdit, match="no code in the answer holds") as caught:
        extract(f"```python\n{code}```", "python")
    assert caught.value.kind == "no_unit"


@pytest.mark.parametrize("answer", ["I cannot.", "Sorry, I cannot help.\nNothing to fix.", "return a + b"])
def test_prose_is_no_python_function_without_a_body(answer: str) -> None:
    """Each refusal counted as an edit that does not compile, and the share of answers without one as 0."""
    with pytest.raises(NoEdit, match="no code in the answer holds") as caught:
        extract(answer, "python")
    assert caught.value.kind == "no_unit"
