"""Each family of Python templates finds the classic fix it is for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nl2fix.core.records import Span
from tests.mutation.mutants import codes, python_problem, rank

HEAD = "def f(items, a, b, text):\n    "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return a < b", "return a <= b"),
        ("return a in items", "return a not in items"),
        ("return a is None", "return a is not None"),
        ("return a + b", "return a - b"),
        ("return a / b", "return a // b"),
        ("return a - b", "return b - a"),
        ("return a and b", "return a or b"),
        ("return 1", "return 0"),
        ("return True", "return False"),
        ("return 'a'", "return 'A'"),
        ("return ''", "return ' '"),
        ("return a", "return b"),
        ("return max(a, b)", "return min(a, b)"),
        ("return max(a, b)", "return max(b, a)"),
        ("return text.lower()", "return text.upper()"),
        ("return a + b + 1", "return a + b"),
        ("return text.strip()", "return text"),
        ("return len(items)", "return len(items) - 1"),
        ("return items[a]", "return items[a + 1]"),
        ("return a - b", "return abs(a - b)"),
        ("return items", "return sorted(items)"),
        ("return not a", "return a"),
        ("return a == b", "return not a == b"),
        ("a += 1\n    b = 2\n    return a", "b = 2\n    return a"),
        ("a = 1\n    b = a\n    return b", "b = a\n    a = 1\n    return b"),
        ("if a:\n        b = 1\n    return b", "if not (a):\n        b = 1\n    return b"),
        (
            "for x in items:\n        a += x\n        return a",
            "for x in items:\n        a += x\n    return a",
        ),
        (
            "for x in items:\n        a += x\n    b += 1\n    return a",
            "for x in items:\n        a += x\n        b += 1\n    return a",
        ),
        ("for x in items:\n        break\n    return a", "for x in items:\n        continue\n    return a"),
        ("return items[0]", "if not items:\n        return None\n    return items[0]"),
        ("a -= 1\n    return a", "a += 1\n    return a"),
        ("a = b\n    return a", "a += b\n    return a"),
        ("if a:\n        b += 1\n    return b", "if a:\n        pass\n    return b"),
    ],
)
def test_templates(before: str, after: str) -> None:
    assert rank(python_problem(HEAD + before), HEAD + after) is not None


def test_methods_of_classes_are_edited_at_their_indentation() -> None:
    code = "class A:\n    def f(self, a):\n        if a:\n            return 1\n        return 2"
    one = python_problem(code)
    start = code.index("def f")
    one = replace(one, region=Span(start, len(code)))
    found = codes(one)
    assert any("        return 1" in code and "return 3" in code for code in found)


CONSTRUCTS = """
async def f(x):
    async with x as y, z:
        yield {k: v for k, v in y.items() if k}
---
@d
def f(*a, k=1, **kw) -> 'int':
    return lambda q: q[1:2, ...] if (n := k) else f'{a!r:>{n}}'
---
def f(x):
    match x:
        case [1, *rest] if rest:
            return rest
        case _:
            raise ValueError from None
---
def f():
    '''Only a docstring.'''
"""


@pytest.mark.parametrize("code", CONSTRUCTS.strip().split("\n---\n"))
def test_every_construct_is_edited_without_fail(code: str) -> None:
    codes(python_problem(code))
