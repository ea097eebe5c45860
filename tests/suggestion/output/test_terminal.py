"""Suggestions as terminal text: what a developer reads of each, and of what became none."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from nl2fix.core.records import Change
from nl2fix.suggestion.output import terminal
from nl2fix.suggestion.output.result import Rejected, SuggestResult
from tests.server.test_pages import result

SESSION = replace(result(Path()), suggestions=(), rejected=(), outcomes={})
[SUGGESTION] = result(Path()).suggestions


def printed(session: SuggestResult) -> str:
    target = Console(width=150, record=True)
    terminal.print_suggestions(target, session)
    return target.export_text()


def suggested(**changes: Any) -> SuggestResult:
    """One with a suggestion."""
    return replace(SESSION, suggestions=(replace(SUGGESTION, **changes),))


def rejected(*reasons: Rejected) -> SuggestResult:
    return replace(SESSION, rejected=reasons)


def test_failures_of_tests_that_are_not_shown_are_counted_by_sample_like_those_that_are() -> None:
    """30 candidates were wrong: 9, 6 and 4 were told, and "10 other failures", which were 11 in ten kinds."""
    wrong = [Rejected("wrong", f"ATest::a: expected {kind}", tuple(range(9 - kind))) for kind in range(6)]
    assert "and 15 other failures of tests" in printed(rejected(*wrong))  # 6 + 5 + 4


def test_where_a_method_with_a_long_name_stands_is_told_to_the_line() -> None:
    """Of argparse4j it was "ArgumentGroupImpl.java, line …"."""
    file = f"src/main/java/{'longer/' * 12}ArgumentGroupImpl.java"
    shown = printed(replace(SESSION, method="printHelp(int)", file=file, line=84))
    assert f"printHelp(int) in {file}, line 84\n" in shown


def test_what_the_compiler_says_of_many_lines_is_told_once() -> None:
    """23 lines of "cannot find symbol" stood below two suggestions."""
    lines = [
        Rejected("uncompilable", f"a/A.java:{number}: cannot find symbol", (number,)) for number in range(9)
    ]
    shown = printed(rejected(*lines, Rejected("uncompilable", "a/A.java:3: incompatible types", (10,))))
    assert "9 × uncompilable: a/A.java:0: cannot find symbol" in shown
    assert shown.count("uncompilable") == 2


def test_of_what_does_not_compile_the_commonest_reasons_are_told() -> None:
    """A screen of 18 lines told a developer nothing."""
    unbuilt = [
        Rejected("uncompilable", f"a/A.java:3: no {number}", tuple(range(5 - number))) for number in range(5)
    ]
    shown = printed(rejected(*unbuilt, Rejected("wrong", "ATest#a: no", (9,))))
    assert "5 × uncompilable: a/A.java:3: no 0" in shown and shown.count("uncompilable: ") == 3
    assert "and 3 more that do not compile" in shown  # 2 + 1
    assert shown.index("do not compile") < shown.index("wrong: ATest#a: no")


def test_of_a_long_call_its_begin_and_what_becomes_of_it_are_shown() -> None:
    """An object's whole state hid what a suggestion changes."""
    call = f"total(1) on Cart({'a' * 400}): throws java.lang.NullPointerException → returns 3"
    shown = " ".join(printed(replace(suggested(changes=(call,)), failing=("ATest::a",))).split())
    assert "total(1) on Cart(a" in shown and "NullPointerException → returns 3" in shown
    assert "no edit tried makes a failing test pass" in shown
    assert "a" * 250 not in shown.replace(" ", "")


def test_who_watches_is_told_that_what_there_is_can_be_had_now() -> None:
    target = Console(width=150, record=True)
    some = suggested(does="adds a null check", fixes=("ATest::a",)).suggestions
    for suggestions in ((), some):
        target.print(
            terminal.suggestion_list(replace(SESSION, judged=7, seconds=3.2, suggestions=suggestions))
        )
    assert target.export_text().splitlines() == [
        "7 judged in 3 s, 0 suggestions",
        "7 judged in 3 s, 1 suggestion; Ctrl-C stops and shows them",
        "#1 adds a null check; fixes ATest#a",
    ]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (f"[{'1, ' * 200}2]", f"[{'1, ' * 200}3]", "1, 2] → …"),
        (f"[{'1, ' * 200}…", f"[{'1, ' * 200}…", "another value, beyond what is shown of it"),
        ("3", f"3{'0' * 300}", "3 → 3000"),
        (f"[{'1, ' * 200}2]", f"[{'1, ' * 200}2]; this becomes Builder()", "2]; this becomes Builder()"),
    ],
)
def test_of_long_values_what_differs_is_shown(before: str, after: str, told: str) -> None:
    """Six lines of a table's first cells were alike."""
    calls = tuple(
        str(Change(f"set(true) on Builder(table={{{'-1, ' * 90}{end}}})", before, after)) for end in "01"
    )
    shown = " ".join(printed(suggested(fixes=("t",), changes=calls, patch="a\nb\n")).split())
    assert shown.count("set(true) on Builder(table={-1") == 1, "what looks alike stands once"
    assert told in shown
    assert len(shown) < 500


def test_a_diff_that_is_no_terminal_s_can_be_applied() -> None:
    """Saved to a file its long lines were broken, and its tabs were spaces."""
    line, written = "+\t" + "x" * 200, io.StringIO()
    session = suggested(patch=f"a\nb\n@@ -1 +1 @@\n{line}\n")
    terminal.print_suggestions(Console(width=80, file=written), session)
    assert line in written.getvalue().splitlines()


def test_what_is_searched_for_in_a_file_stands_there_in_one_line() -> None:
    """Sentences were broken at 120 columns, and grep missed them."""
    does, wrong, lost = (
        f"{what} is longer than a line" + ", far longer" * 20 for what in ("It", "This", "That")
    )
    rejected = (Rejected("wrong", wrong, (1,)),)
    session = replace(suggested(does=does), rejected=rejected, failures=(lost,))
    for is_terminal in (False, True):
        written = io.StringIO()
        terminal.print_suggestions(Console(width=80, file=written, force_terminal=is_terminal), session)
        lines = written.getvalue().splitlines()
        found = [any(said in line for line in lines) for said in (does, wrong, lost)]
        assert found == [not is_terminal] * 3
