"""Small pools for tests of rankers."""

from nl2fix.core.records import Candidate, Entry, Pool, Problem, Span


def problem(
    code: str = "int f() { return 1; }", name: str = "P-1", project: str = "P", around: str = ""
) -> Problem:
    text = f"class A {{\n{around}{code}\n}}\n"
    start = text.index(code)
    return Problem(
        id=name,
        suite="test",
        project=project,
        language="java",
        path="A.java",
        text=text,
        region=Span(start, start + len(code)),
        entity="f()",
        visible=code,
        instructions={"title": "f is wrong"},
    )


def pool(task: Problem, *entries: Entry | str) -> Pool:
    """A pool of entries; a bare string is a candidate drawn once."""
    made = [
        entry if isinstance(entry, Entry) else Entry(Candidate(entry), (i,))
        for i, entry in enumerate(entries)
    ]
    return Pool(task, tuple(made))
