"""Runs and bugs as terminal text: the numbers are there, and markup in texts stays text."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from nl2fix.core.store import RunStore
from nl2fix.core.summary import summarise
from nl2fix.report import data, terminal
from tests.study import golden

PROBLEMS = golden.Golden().problems()


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(golden.write(tmp_path / "alpha", "alpha"))


def console() -> Console:
    return Console(width=150, record=True)


def printed(target: Console) -> str:
    return target.export_text()


def test_the_summary_has_every_number(store: RunStore) -> None:
    target = console()
    target.print(terminal.summary_table(summarise(store, PROBLEMS, 6)))
    text = printed(target)
    for number in ("33.3 %", "75.0 %", "70.8 %", "39.6 %", "25.0 %", "50.0 %"):
        assert number in text
    assert "left out of every number: G-5" in text


def test_a_bug_shows_ranked_diffs_and_what_is_left(store: RunStore) -> None:
    target = console()
    terminal.print_bug(target, data.bug_block(store, PROBLEMS[1], "cosine(golden)"), "java", 2)
    text = printed(target)
    assert text.index("#1 wrong") < text.index("#2 wrong")
    assert "-    int c = a < b ? a : b;" in text
    assert "+    int c = b;" in text
    assert "#3" not in text
    assert "2 more candidates; --top 4 shows all" in text


def test_markup_in_titles_is_text(store: RunStore) -> None:
    block = data.bug_block(store, PROBLEMS[1], None)
    block["title"] = "[bold]index[/bold] [i] out of [/nonsense] bounds"
    block["description"] = "values[/i] fails"
    target = console()
    terminal.print_bug(target, block, "java", 0)
    text = printed(target)
    assert "[bold]index[/bold] [i] out of [/nonsense] bounds" in text
    assert "values[/i] fails" in text


def test_a_diff_marks_lines() -> None:
    text = terminal.diff("a\nb\nc", "a\nx\nc")
    assert text.plain.splitlines() == ["@@ -1,3 +1,3 @@", " a", "-b", "+x", " c"]
    assert {str(span.style) for span in text.spans} >= {"green", "red"}
