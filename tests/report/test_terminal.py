"""Runs and bugs as terminal text: the numbers are there, and markup in texts stays text."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from nl2fix.core.records import Change, Span
from nl2fix.core.results import ProblemResult, results
from nl2fix.core.store import RunStore
from nl2fix.core.summary import summarise
from nl2fix.report import contents, terminal
from nl2fix.suggestion.output.result import Rejected
from tests.study import golden

PROBLEMS = golden.Golden().problems()


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(golden.write(tmp_path / "alpha", "alpha"))


def second(store: RunStore) -> ProblemResult:
    return results(store, PROBLEMS[1:2], 6).problems[0]


def console() -> Console:
    return Console(width=150, record=True)


def printed(target: Console) -> str:
    return target.export_text()


def test_long_lines_of_code_are_not_cut_on_a_narrow_terminal(store: RunStore) -> None:
    """They ended at the panel's edge without a mark."""
    item = second(store)
    code = "int longest(int firstOfMany, int secondOfMany, int thirdOfMany) { return thirdOfMany; }"
    block = {**contents.bug_block(item, None), "before": code, "candidates": []}
    target = Console(width=40, record=True)
    terminal.print_bug(target, block, item.problem.language, 1)
    shown = printed(target)
    assert all(word in shown for word in ("secondOfMany,", "thirdOfMany)", "return thirdOfMany;"))


def test_the_summary_has_every_number(store: RunStore) -> None:
    target = console()
    target.print(terminal.summary_table(summarise(results(store, PROBLEMS, 6))))
    text = printed(target)
    for number in ("33.3 %", "75.0 %", "70.8 %", "39.6 %", "25.0 %", "50.0 %"):
        assert number in text
    assert "left out of every number: G-5" in text


def test_problems_left_out_are_told_with_their_reason(store: RunStore) -> None:
    """``report`` named them alone; why stood only in ``show`` and on the page."""
    found = results(store, PROBLEMS, 6)
    lost = {"G-1": "reference is wrong", "G-2": "no JDK 8", "G-3": "reference is wrong"}
    items = tuple(replace(item, excluded=lost.get(item.problem.id, item.excluded)) for item in found.problems)
    target = console()
    target.print(terminal.summary_table(summarise(replace(found, problems=items))))
    text = printed(target)
    assert "left out of every number: G-1, G-3: reference is wrong" in text
    assert "left out of every number: G-2: no JDK 8" in text


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_number_of_a_run_is_cut_on_a_narrow_terminal(
    store: RunStore, width: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """``89.…`` stood where a share should, and rows had no names."""
    told, target = results(store, PROBLEMS, 6), Console(width=width)
    target.print(terminal.summary_table(summarise(told)))
    target.print(terminal.bug_list(contents.bug_rows(told)))
    text = capsys.readouterr().out
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    for word in (
        "33.3 %",
        "70.8 %",
        "39.6 %",
        "duplicates",
        "r.pass@k",
        "oracle",
        "first attempt",
        "candidates",
    ):
        assert word in text, word
    for title in ("Outcomes", "Bugs"):
        assert text.count("all" if title == "Outcomes" else "G-5") >= text.count(title)


def test_a_bug_shows_ranked_diffs_and_what_is_left(store: RunStore) -> None:
    target = console()
    terminal.print_bug(target, contents.bug_block(second(store), "cosine(golden)"), "java", 2)
    text = printed(target)
    assert text.index("#1 wrong") < text.index("#2 wrong")
    assert "-    int c = a < b ? a : b;" in text
    assert "+    int c = b;" in text
    assert "#3" not in text
    assert "2 more candidates; --top 4 shows all" in text


def test_the_first_line_stands_where_it_stands_in_the_file(store: RunStore) -> None:
    item = second(store)
    text = "class A {\n    " + item.problem.before.replace("\n", "\n    ") + "\n}\n"
    region = Span(14, len(text) - 3)
    item = replace(item, problem=replace(item.problem, text=text, region=region))
    block = contents.bug_block(item, None)
    target = console()
    terminal.print_bug(target, block, "java", 1)
    shown = printed(target)
    assert "│   2     int max(int a, int b) {" in shown
    assert "\n     int max(int a, int b) {" in shown


def test_an_answer_written_from_the_first_column_shows_only_what_it_changes(store: RunStore) -> None:
    item = second(store)
    text = "class A {\n    " + item.problem.before.replace("\n", "\n    ") + "\n}\n"
    item = replace(item, problem=replace(item.problem, text=text, region=Span(14, len(text) - 3)))
    target = console()
    terminal.print_bug(target, contents.bug_block(item, None), "java", 1)
    changed = [line for line in printed(target).splitlines() if line.startswith(("+", "-"))]
    assert changed == ["-        int c = a < b ? a : b;", "+        int c = a;"]


def test_why_samples_held_no_edit_is_told_with_the_commonest_reason_first(store: RunStore) -> None:
    """Of a model that refuses, or a server that answers in another form, one saw a number only."""
    reasons = ["no code", "no answer (refusal)", "no answer (refusal)", "a", "b", "c"]
    block = contents.bug_block(second(store), None)
    block["unreadable"] = [{"sample": i, "reason": reason} for i, reason in enumerate(reasons)]
    target = console()
    terminal.print_bug(target, block, "java", 0)
    assert target.export_text().splitlines()[-4:] == [
        "2 samples held no edit: no answer (refusal)",
        "1 sample held no edit: no code",
        "1 sample held no edit: a",
        "2 more held none for other reasons",
    ]


def test_markup_in_titles_is_text(store: RunStore) -> None:
    block = contents.bug_block(second(store), None)
    block["title"] = "[bold]index[/bold] [i] out of [/nonsense] bounds"
    block["description"] = "values[/i] fails"
    target = console()
    terminal.print_bug(target, block, "java", 0)
    text = printed(target)
    assert "[bold]index[/bold] [i] out of [/nonsense] bounds" in text
    assert "values[/i] fails" in text


def test_codes_that_steer_a_terminal_are_written_out(store: RunStore) -> None:
    block = contents.bug_block(second(store), None)
    block["title"] = "clear \x1b[2J and \u202ereversed"
    block["before"] += "\n// \x9b31m"
    block["candidates"][0]["code"] += "\n// \x1b]0;owned\x07"
    block["candidates"][0]["evidence"] = [["suspicious", "reads \x1b[8mfiles"], ["message", "a\x08b"]]
    target = console()
    terminal.print_bug(target, block, "java", 1)
    text = printed(target)
    assert not any(sign in text for sign in ("\x1b", "\x9b", "\u202e", "\x07", "\x08"))
    for written in (r"clear \x1b[2J", r"\u202ereversed", r"\x9b31m", r"\x1b]0;owned", r"reads \x1b[8mfiles"):
        assert written in text


def test_an_empty_run_has_no_hundred_per_cent(tmp_path: Path) -> None:
    target = console()
    with RunStore(golden.write(tmp_path / "none", "alpha")) as store:
        target.print(terminal.summary_table(summarise(results(store, [], 6))))
    assert "%" not in printed(target)


def test_a_diff_marks_lines() -> None:
    text = terminal.diff("a\nb\nc", "a\nx\nc")
    assert text.plain.splitlines() == ["@@ -1,3 +1,3 @@", " a", "-b", "+x", " c"]
    assert {str(span.style) for span in text.spans} >= {"green", "red"}


def test_failures_of_tests_that_are_not_shown_are_counted_by_sample_like_those_that_are() -> None:
    """30 candidates were wrong: 9, 6 and 4 were told, and "10 other failures", which were 11 in ten kinds."""
    wrong = [Rejected("wrong", f"ATest::a: expected {kind}", tuple(range(9 - kind))) for kind in range(6)]
    session = SimpleNamespace(
        sought=None, suggestions=(), rejected=wrong, failures=(), method="a()", file="A.java", line=1
    )
    target = console()
    terminal.print_suggestions(target, session)
    assert "and 15 other failures of tests" in printed(target)  # 6 + 5 + 4


def test_where_a_method_with_a_long_name_stands_is_told_to_the_line() -> None:
    """Of argparse4j it was "ArgumentGroupImpl.java, line …"."""
    file = f"src/main/java/{'longer/' * 12}ArgumentGroupImpl.java"
    session = SimpleNamespace(
        sought=None, suggestions=(), rejected=(), failures=(), method="printHelp(int)", file=file, line=84
    )
    target = console()
    terminal.print_suggestions(target, session)
    assert f"printHelp(int) in {file}, line 84\n" in printed(target)


def test_what_the_compiler_says_of_many_lines_is_told_once() -> None:
    """23 lines of "cannot find symbol" stood below two suggestions."""
    lines = [
        Rejected("uncompilable", f"a/A.java:{number}: cannot find symbol", (number,)) for number in range(9)
    ]
    other = Rejected("uncompilable", "a/A.java:3: incompatible types", (10,))
    session = SimpleNamespace(
        sought=None,
        suggestions=(),
        rejected=[*lines, other],
        failures=(),
        method="a()",
        file="A.java",
        line=1,
    )
    target = console()
    terminal.print_suggestions(target, session)
    shown = printed(target)
    assert "9 × uncompilable: a/A.java:0: cannot find symbol" in shown
    assert shown.count("uncompilable") == 2


def test_of_what_does_not_compile_the_commonest_reasons_are_told() -> None:
    """A screen of 18 lines told a developer nothing."""
    rejected = [
        Rejected("uncompilable", f"a/A.java:3: no {number}", tuple(range(5 - number))) for number in range(5)
    ]
    rejected.append(Rejected("wrong", "ATest#a: no", (9,)))
    session = SimpleNamespace(
        sought=None, suggestions=(), rejected=rejected, failures=(), method="a()", file="A.java", line=1
    )
    target = console()
    terminal.print_suggestions(target, session)
    shown = printed(target)
    assert "5 × uncompilable: a/A.java:3: no 0" in shown and shown.count("uncompilable: ") == 3
    assert "and 3 more that do not compile" in shown  # 2 + 1
    assert shown.index("do not compile") < shown.index("wrong: ATest#a: no")


def test_of_a_long_call_its_begin_and_what_becomes_of_it_are_shown() -> None:
    """An object's whole state hid what a suggestion changes."""
    call = f"total(1) on Cart({'a' * 400}): throws java.lang.NullPointerException → returns 3"
    suggestion = SimpleNamespace(
        where=None, rank=1, does="x", label="y", counts="z", why="w", fixes=(), seen=(call,), patch="a\nb\n"
    )
    session = SimpleNamespace(
        sought=None,
        suggestions=(suggestion,),
        rejected=(),
        failures=(),
        failing=("ATest::a",),
        method="a()",
        file="A.java",
        line=1,
    )
    target = console()
    terminal.print_suggestions(target, session)
    shown = " ".join(printed(target).split())
    assert "total(1) on Cart(a" in shown and "NullPointerException → returns 3" in shown
    assert "no edit tried makes a failing test pass" in shown
    assert "a" * 250 not in shown.replace(" ", "")


def test_who_watches_is_told_that_what_there_is_can_be_had_now() -> None:
    suggestion = SimpleNamespace(rank=1, does="adds a null check", label="fixes ATest#a")
    target = console()
    for suggestions in ((), (suggestion,)):
        session = SimpleNamespace(judged=7, seconds=3.2, suggestions=suggestions)
        target.print(terminal.suggestion_list(session))
    assert printed(target).splitlines() == [
        "7 judged in 3 s, 0 suggestions",
        "7 judged in 3 s, 1 suggestion; Ctrl-C stops and shows them",
        "#1 adds a null check; fixes ATest#a",
    ]


def session_of(suggestion: SimpleNamespace) -> SimpleNamespace:
    """One with a suggestion."""
    return SimpleNamespace(
        sought=None,
        suggestions=(suggestion,),
        rejected=(),
        failures=(),
        failing=(),
        method="a()",
        file="A.java",
        line=1,
    )


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
    calls = [
        str(Change(f"set(true) on Builder(table={{{'-1, ' * 90}{end}}})", before, after)) for end in "01"
    ]
    suggestion = SimpleNamespace(
        where=None, rank=1, does="x", label="y", counts="z", why="w", fixes=("t",), seen=calls, patch="a\nb\n"
    )
    target = console()
    terminal.print_suggestions(target, session_of(suggestion))
    shown = " ".join(printed(target).split())
    assert shown.count("set(true) on Builder(table={-1") == 1, "what looks alike stands once"
    assert told in shown
    assert len(shown) < 500


def test_of_a_bug_that_is_shown_a_long_call_keeps_what_becomes_of_it(store: RunStore) -> None:
    """The line was cut at its 300th character."""
    block = contents.bug_block(second(store), None)
    call = f"fill(Cart({'a' * 400})): returns → argument 1 becomes Cart({'a' * 400}, total=7)"
    block["candidates"] = [{**block["candidates"][0], "changes": [call]}]
    target = console()
    terminal.print_bug(target, block, "java", 1)
    shown = " ".join(printed(target).split())
    assert "argument 1 becomes …" in shown and "total=7)" in shown


def test_a_diff_that_is_no_terminal_s_can_be_applied() -> None:
    """Saved to a file its long lines were broken, and its tabs were spaces."""
    line = "+\t" + "x" * 200
    suggestion = SimpleNamespace(
        where=None,
        rank=1,
        does="x",
        label="y",
        counts="z",
        why="w",
        fixes=(),
        seen=(),
        patch=f"a\nb\n@@ -1 +1 @@\n{line}\n",
    )
    target = Console(width=80, file=io.StringIO())
    terminal.print_suggestions(target, session_of(suggestion))
    assert line in target.file.getvalue().splitlines()  # type: ignore[attr-defined]
