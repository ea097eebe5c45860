"""What holds for every edit format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.formats import PATHOLOGIES, Diff, DiffFunc, Method, NoEdit, Udiff, Whole, WholeFunc
from nl2fix.core.formats.blocks import NoEditKind
from nl2fix.core.protocols import EditFormat
from nl2fix.core.records import Candidate, Problem
from nl2fix.languages import language
from tests.core.formats.problems import problem

FORMATS: list[EditFormat] = [Method(), Whole(), Diff(), Udiff(), WholeFunc(), DiffFunc()]


PAGE = Path(__file__).parents[3] / "docs" / "formats.md"


def test_its_page_names_every_format_kind_of_no_edit_and_fault() -> None:
    kinds, faults = (set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)) for part in parts_of_page())
    assert kinds == set(get_args(NoEditKind)) and faults == set(PATHOLOGIES)
    named = set(re.findall(r"^\| `([\w-]+)` \|", PAGE.read_text().partition("\n## ")[0], re.MULTILINE))
    assert named == {one.name for one in FORMATS}


def parts_of_page() -> list[str]:
    return PAGE.read_text().partition("## Kinds of no edit")[2].split("## Faults")


def as_method(one: Problem, code: str) -> str:
    return f"Fixed:\n```{one.language}\n{code}\n```"


def as_whole(one: Problem, code: str) -> str:
    return f"{one.path}\n```{one.language}\n{Candidate(code).apply(one)}```"


def as_diff(one: Problem, code: str) -> str:
    indent = one.text[one.text.rindex("\n", 0, one.region.start) + 1 : one.region.start]
    return f"{one.path}\n<<<<<<< ORIGINAL\n{indent}{one.visible}\n=======\n{indent}{code}\n>>>>>>> UPDATED\n"


def as_udiff(one: Problem, code: str) -> str:
    indent = one.text[one.text.rindex("\n", 0, one.region.start) + 1 : one.region.start]
    gone = "".join(f"-{line}\n" for line in (indent + one.visible).split("\n"))
    come = "".join(f"+{line}\n" for line in (indent + code).split("\n"))
    return f"```diff\n--- a/{one.path}\n+++ b/{one.path}\n@@ -1,99 +7 @@ wrong\n{gone}{come}```"


def as_whole_func(one: Problem, code: str) -> str:
    return json.dumps({"files": [{"path": one.path, "content": Candidate(code).apply(one)}]})


def as_diff_func(one: Problem, code: str) -> str:
    indent = one.text[one.text.rindex("\n", 0, one.region.start) + 1 : one.region.start]
    lines = {
        "original_lines": (indent + one.visible).split("\n"),
        "updated_lines": (indent + code).split("\n"),
    }
    return json.dumps({"edits": [{"path": one.path, **lines}]})


WRITERS: dict[str, Callable[[Problem, str], str]] = {
    "method": as_method,
    "whole": as_whole,
    "diff": as_diff,
    "udiff": as_udiff,
    "whole-func": as_whole_func,
    "diff-func": as_diff_func,
}
EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "1", "0"]),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "*", "-"]), inner).map(
        lambda p: f"({p[0]} {p[1]} {p[2]})"
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("edit_format", FORMATS, ids=lambda one: one.name)
@given(expression=EXPRESSIONS, name=st.sampled_from(["java", "python"]))
def test_every_format_brings_any_edit_of_the_unit_through(
    edit_format: EditFormat, expression: str, name: str
) -> None:
    one, spoken = problem(name), language(name)
    code = one.visible.replace("a - b", expression)
    candidate = edit_format.extract(WRITERS[edit_format.name](one, code), one, spoken)
    assert candidate.scope == "region"
    assert spoken.tokens(candidate.code) == spoken.tokens(code)


@pytest.mark.parametrize("edit_format", FORMATS, ids=lambda one: one.name)
@given(completion=st.text(max_size=120) | st.text(alphabet='`{}<>=\n"[],:ad (int)', max_size=120))
def test_no_answer_raises_anything_but_no_edit(edit_format: EditFormat, completion: str) -> None:
    for name in ("java", "python"):
        try:
            edit_format.extract(completion, problem(name), language(name))
        except NoEdit as reason:
            assert str(reason).strip() and "\n" not in str(reason)
