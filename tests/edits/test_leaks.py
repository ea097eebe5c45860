"""What speaks against a pair: an issue that it names, code like a suite's; see benchmarks/leaks.py."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

pytest.importorskip("rensa", reason="needs the extra edits")

from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Problem, SourceFile, Span
from nl2fix.edits.leaks import Leaks
from nl2fix.edits.repositories import issues_named
from nl2fix.edits.settings import MiningConfig
from tests.core.samples import problem
from tests.edits.histories import pair


class OneBug:
    """A suite of one problem."""

    name = "one"

    def __init__(self, before: str = "a\n", after: str | None = None, **metadata: str) -> None:
        whole = Span(0, len(before))
        self.problem = replace(problem(), language="python", text=before, region=whole, metadata=metadata)
        self.after = after

    def problems(self) -> list[Problem]:
        return [self.problem]

    def reference(self, problem: Problem) -> Candidate:
        if self.after is None:
            raise DataError("not prepared")
        return Candidate(self.after)


def learned(suite: OneBug) -> Leaks:
    leaks = Leaks(MiningConfig())
    leaks.add(suite)  # type: ignore[arg-type]
    return leaks


def function(lines: int) -> str:
    return "def f(a):\n" + "".join(f"    v{n} = first(v{n + 1}, {n})\n" for n in range(lines))


def test_what_is_like_the_reference_alone_is_found() -> None:
    """The reference is like the code before here, so that it was not learned beside it once."""
    leaks = learned(OneBug(function(6), function(30)))
    assert leaks.unknown == 0
    part = "".join(function(30).splitlines(keepends=True)[6:])
    assert learned(OneBug(function(6))).found(pair("x = 1\n", part)) is None
    assert leaks.found(pair("x = 1\n", part)) == "one/P-1: holds its code"


STUBS = """class Acronym {
    Acronym(String phrase) {
        throw new UnsupportedOperationException("Delete this statement and write your own.");
    }

    String get() {
        throw new UnsupportedOperationException("Delete this statement and write your own.");
    }
}
"""


def test_short_units_between_other_code_are_found_together() -> None:
    """Each is shorter than what counts alone, and no unit of the other file is all of them."""
    suite = OneBug(STUBS)
    suite.problem = replace(suite.problem, language="java")
    other = "class Other {\n    int add(int a, int b) {\n        return a + b;\n    }\n}\n"
    found = replace(pair("x = 1\n", f"{other}\n{STUBS}\n{other}"), language="java")
    assert learned(suite).found(found) == "one/P-1: holds its code"
    assert learned(suite).found(replace(found, after=other)) is None


@pytest.mark.parametrize(
    "text",
    [
        'def f(a):\n\n    """Say it,\n\n    and more."""\n\n    return [g(a, "x", b) for b in sorted(a)]\n',
        "def f(a):\n    # why\n    return [\n        g(a, 'x', b)\n        for b in sorted(a)\n    ]\n",
        'class A:\n    def f(a):\n        """Other."""\n        return [g(a, "x", b) for b in sorted(a)]\n',
    ],
    ids=["blank lines in the docstring", "wrapped, other quotes, no docstring", "other docstring, deeper"],
)
def test_formatting_and_docstrings_hide_nothing(text: str) -> None:
    code = 'def f(a):\n    """Say it,\n    and more."""\n    return [g(a, "x", b) for b in sorted(a)]\n'
    assert learned(OneBug(code)).found(pair("x = 1\n", f"import it\n\n\n{text}")) == "one/P-1: holds its code"


def test_further_files_of_a_problem_are_learned_too() -> None:
    suite = OneBug(after="b\n")
    suite.problem = replace(suite.problem, editable=(SourceFile("other.py", function(9)),))
    assert learned(suite).found(pair("x = 1\n", f"import it\n\n\n{function(9)}"))


def made_up(number: int) -> str:
    drawn = random.Random(number)
    lines = [
        f"    v{drawn.randrange(50)} = f{drawn.randrange(99)}(v{drawn.randrange(50)}, {drawn.randrange(999)})"
        for _ in range(15)
    ]
    return f"def made_{number}(a):\n" + "\n".join(lines) + "\n    return a\n"


def test_clean_pairs_stay() -> None:
    leaks = learned(OneBug(function(18), function(24)))
    assert all(leaks.found(pair(made_up(2 * n), made_up(2 * n + 1))) is None for n in range(100))


@pytest.mark.parametrize(
    ("url", "issue", "said", "leaks_it"),
    [
        ("https://issues.apache.org/jira/browse/LANG-747", "LANG-747", "As LANG-747 says", True),
        ("https://issues.apache.org/jira/browse/LANG-747", "LANG-747", "As LANG-7 says", False),
        ("https://github.com/google/gson/issues/12", "12", "Read it (#12)", True),
        ("https://github.com/google/gson/issues/12", "12", "Read it (#123)", False),
        ("https://code.google.com/archive/p/gson/issues/79", "79", "Fixed issue 79", True),
        ("https://sourceforge.net/p/gson/bugs/983/", "983", "Bug 983: the axis", True),
    ],
)
def test_equal_issues_are_leaks(url: str, issue: str, said: str, leaks_it: bool) -> None:
    leaks = learned(OneBug(url=url, issue=issue))
    assert leaks.unknown == 1
    found = leaks.found(pair(issues=issues_named(said, ["Gson"])))
    assert (found is not None) == leaks_it
    assert not leaks_it or "one/P-1: names its issue" in str(found)
    assert "LANG" in said or leaks.found(pair(issues=issues_named(said, ["other"]))) is None
