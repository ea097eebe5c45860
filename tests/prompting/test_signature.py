"""Where a method's head ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.prompting.signature import signature


@pytest.mark.parametrize(
    ("head", "rest"),
    [
        ("int f(int a) {", "\n return a; }"),
        ("public <T extends Map<String, T>> T f()\n    throws E\n{", "\n}"),
        ('@SuppressWarnings({"a", "{"})\nvoid f() {', " }"),
        ("@A(c = '{') int f() {", " }"),
        ("/* { */ int f() /* : */ {", ""),
        ("def f(a: int, b=lambda x: x) -> dict[str, int]:", "\n    return {}"),
        ("@cache(key='{:}')\nasync def f(\n    a,\n):", "\n    pass"),
        ("abstract int f();", "\nrest"),
        ("", ""),
    ],
)
def test_heads(head: str, rest: str) -> None:
    assert signature(head + rest) == head


@given(st.text())
def test_it_is_always_a_prefix(code: str) -> None:
    assert code.startswith(signature(code))
