"""What is read out of an answer."""

from __future__ import annotations

import pytest

from nl2fix.core.formats import FORMATS, edit_format
from nl2fix.core.reading import Reading
from nl2fix.core.records import Completion
from nl2fix.languages import language
from tests.core.formats.problems import fixed, problem

DRAFT = "```java\n{code}\n```\n```diff\n@@ @@\n-        return a - b;\n+        return a + b;\n```\nNo, wait"


@pytest.mark.parametrize("shape", ["<think>Maybe\n{draft}", "\n<think>\n{draft}\n</think>\n"])
@pytest.mark.parametrize("name", FORMATS.built_in)
def test_what_a_model_only_thought_of_is_no_edit(name: str, shape: str) -> None:
    """A model that ran out of tokens while it thought was judged by the draft it was about to drop."""
    one = problem()
    text = shape.format(draft=DRAFT.format(code=fixed(one)))
    read = Reading(edit_format(name), language)(Completion("p", 0, text=text, finish="length"), one)
    assert read == (None, "the answer holds nothing but the model's reasoning")


@pytest.mark.parametrize("sign", ["\udce9", "\ud83d"])
def test_code_that_no_file_can_hold_is_no_edit(sign: str) -> None:
    """In Java it did not compile; in Python, JavaScript and C++ it was judged as something else."""
    one = problem()
    read = Reading(edit_format("method"), language)
    text = f"caf{sign}:\n```java\n{fixed(one)}\n```"
    assert read(Completion("p", 0, text=text), one)[0] is not None
    code = fixed(one).replace("{", f"{{ // {sign}", 1)
    why = f"line 1 of the code holds U+{ord(sign):04X}, which no file can hold: it is no UTF-8"
    assert read(Completion("p", 0, text=f"```java\n{code}\n```"), one) == (None, why)
    assert read(Completion("p", 0, code=code), one) == (None, why)
