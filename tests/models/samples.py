"""Small problems and requests for the tests of models."""

from __future__ import annotations

from nl2fix.core.records import Message, Problem, Prompt, Request, Sampling, Span

METHOD = "int f(int a) {\n        return a + 1;\n    }"
TEXT = f"class A {{\n    {METHOD}\n}}\n"


def problem(ident: str = "A-1") -> Problem:
    start = TEXT.index(METHOD)
    return Problem(
        id=ident,
        suite="samples",
        project="A",
        language="java",
        path="src/A.java",
        text=TEXT,
        region=Span(start, start + len(METHOD)),
        entity="f(int)",
        visible=METHOD,
        instructions={"title": f"f of {ident} adds", "description": "It must subtract."},
    )


def request(
    ident: str = "A-1",
    n: int = 3,
    *,
    prompt: Prompt | None = None,
    samples: tuple[int, ...] | None = None,
    sampling: Sampling = Sampling(),
) -> Request:
    asked = prompt or Prompt((Message("system", "You repair code."), Message("user", f"Fix {ident}.")))
    return Request(problem(ident), asked, tuple(range(n)) if samples is None else samples, sampling)
