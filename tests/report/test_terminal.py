"""Runs and bugs as terminal text: the numbers are there, and markup in texts stays text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from nl2fix.core.records import Span
from nl2fix.core.results import ProblemResult, results
from nl2fix.core.store import RunStore
from nl2fix.core.summary import summarise
from nl2fix.report import contents, terminal
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


def test_a_diff_counts_the_lines_of_the_file(store: RunStore) -> None:
    """The code stood from line 38 on, and its diff, a screen below, from line 1."""
    block = {**contents.bug_block(second(store), None), "line": 38}
    target = console()
    terminal.print_bug(target, block, "java", 1)
    shown = printed(target)
    assert "│   38 " in shown
    assert "@@ -38," in shown


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


def test_of_a_bug_that_is_shown_a_long_call_keeps_what_becomes_of_it(store: RunStore) -> None:
    """The line was cut at its 300th character."""
    block = contents.bug_block(second(store), None)
    call = f"fill(Cart({'a' * 400})): returns → argument 1 becomes Cart({'a' * 400}, total=7)"
    block["candidates"] = [{**block["candidates"][0], "changes": [call]}]
    target = console()
    terminal.print_bug(target, block, "java", 1)
    shown = " ".join(printed(target).split())
    assert "argument 1 becomes …" in shown and "total=7)" in shown
