"""What speaks against a pair: an issue that it names, code like a suite's; see benchmarks/leaks.py."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

pytest.importorskip("rensa", reason="needs the extra edits")

from nl2fix.core.errors import DataError
from nl2fix.core.records import Candidate, Problem, Span
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
    leaks = learned(OneBug(function(18), function(24)))
    assert leaks.unknown == 0
    assert learned(OneBug(function(18))).found(pair("x = 1\n", function(30))) is None
    assert leaks.found(pair("x = 1\n", function(30))) == "one/P-1: is like its code"


def test_further_files_of_a_problem_are_learned_too() -> None:
    suite = OneBug(after="b\n")
    suite.problem = replace(suite.problem, editable=(("other.py", function(9)),))
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
