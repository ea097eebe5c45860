"""What a progress says."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time

import pytest
from rich.console import Console

from nl2fix import pipeline
from nl2fix.cli import console, display
from nl2fix.core.gold import GoldResult
from nl2fix.report.fitting import Share

STEERING = "clear \x1b[2J and \u202ereversed"
SHOWN = r"clear \x1b[2J and \u202ereversed"


def test_what_an_earlier_command_did_says_nothing_about_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with console.progress("train") as progress:
        progress(280, 490, "")
        now = 100.0
        progress(290, 490, "")
    assert "290/490, 0.1/s, 100 s, about 2000 s left" in capsys.readouterr().err


def test_what_ended_early_says_how_long_it_took_not_how_long_all_did(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with console.bars() as bars:
        bars.show("prepare", 0, 8, "")
        now = 4.0
        bars.show("prepare", 8, 8, "")
        bars.show("validate", 0, 100, "")
        now = 104.0
        bars.show("validate", 100, 100, "")
    said = capsys.readouterr().err
    assert "prepare: 8/8, 2.0/s, 4 s\n" in said
    assert "validate: 100/100, 1.0/s, 100 s\n" in said


def test_what_comes_all_at_once_has_no_rate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said "metrics: 3/3, 0.0/s, 0 s, about 0 s left"."""
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    with console.progress("metrics") as progress:
        progress(3, 3, "")
    assert capsys.readouterr().err == "metrics: 3/3, 0 s\n"


def test_what_comes_nearly_at_once_has_no_rate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What waited nine seconds for its first verdict was told as "validate: 37/37, 1061.4/s, 0 s"."""
    now = 7.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with console.progress("validate") as progress:
        progress(1, 37, "")
        now = 7.03
        progress(37, 37, "")
    assert capsys.readouterr().err == "validate: 37/37, 0 s\n"


def test_numbers_stand_at_the_right_though_one_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    console.table("t", ["a long name"], [[1], [None], [Share(0.00806)]])
    lines = [line for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert lines == ["│           1 │", "│           – │", "│       0.8 % │"]


SHOW = """
from nl2fix.cli import console
with console.progress("judge") as progress:
    progress(1, 2, "one")
    progress(2, 2, "two")
console.table("t", ["name", "words"], [["row", "word " * 40]])
"""


def on_terminal(script: str, columns: int, term: str) -> str:
    """What a script writes on a terminal of so many columns."""
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    with os.fdopen(here, "rb", buffering=0) as terminal:
        environ = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
        done = subprocess.Popen(
            [sys.executable, "-c", script], stdout=there, stderr=there, env={**environ, "TERM": term}
        )
        os.close(there)
        said = b""
        try:
            while block := terminal.read(65536):
                said += block
        except OSError:  # so Linux says that nobody writes to it any more
            pass
        assert done.wait(60) == 0
    return said.decode()


@pytest.mark.parametrize("columns", [60, 140])
def test_a_terminal_that_only_writes_lines_gets_lines_of_its_width(columns: int) -> None:
    """Tables had 80 columns on any (an editor's shell, say), and bars stood there only once all was done."""
    lines = on_terminal(SHOW, columns, "dumb").splitlines()
    assert lines[0].startswith("judge: 2/2, ")
    assert max(map(len, lines)) == columns
    assert "\x1b" not in "".join(lines)


def test_a_table_of_many_columns_that_does_not_fit_is_turned(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"an_average_column_{i}" for i in range(12)]
    console.table("wide", names, [["[bold]model[/]", 0.5, None, *range(9)], ["other", 0.25, 7, *range(9)]])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 120
    for name in names:
        assert any(name in line for line in lines), "no name is broken"
    [first] = [line for line in lines if names[0] in line]
    [share] = [line for line in lines if names[1] + " " in line]
    [none] = [line for line in lines if names[2] in line]
    assert "[bold]model[/]" in first and "other" in first
    assert "0.500" in share and "0.250" in share and "–" in none


def test_a_table_that_fits_stands_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    console.table("narrow", ["a", "b", "c"], [[1, 2, 3]])
    assert [line.split() for line in capsys.readouterr().out.splitlines() if "1" in line] == [
        ["│", "1", "│", "2", "│", "3", "│"]
    ]


WIDE: list[list[object]] = [
    ["one-model of many", "compiling", "cosine(hashing-4096-3)", "17.4 [9.3, 26.2]", 0.25, "5 of 8", None],
    ["another-model", "all", "random", "35.5 [19.4, 51.6]", 123456, "none of them", 0.5],
    ["another-model", "all", "oracle", "35.5 [19.4, 51.6]", 1, "none of them", 0.5],
    *([["a", "b", "c", "d", 1, "e", 1]] * 4),
]


@pytest.mark.parametrize("width", [80, 100, 120])
def test_neither_words_nor_numbers_of_a_wide_table_are_broken(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "console", lambda aside=False: Console(width=width))
    names = ["run", "candidates", "order", "r.pass@1 %", "above cosine @1 %", "unmeasurable", "probability"]
    console.table("wide", names, WIDE)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    cells = {cell.strip() for line in lines for cell in re.split("[┃│]", line)}
    assert {"17.4 [9.3, 26.2]", "35.5 [19.4, 51.6]", "123456", "cosine(hashing-4096-3)"} <= cells
    for text in [*names, *(cell for row in WIDE for cell in row if isinstance(cell, str))]:
        assert all(any(word in cell for cell in cells) for word in text.split()), text
    parts = sum("wide" in line for line in lines)
    assert sum("oracle" in line for line in lines) == parts, "each part names its rows"


def test_a_word_wider_than_a_terminal_is_the_only_one_that_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "console", lambda aside=False: Console(width=80))
    console.table("t", ["path", "bugs"], [["x" * 100, 7]] * 3)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.count("x") for line in lines) == 300
    assert sum("7 │" in line for line in lines) == 3


def test_no_text_from_outside_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Reasons quote what tests print, prompts what issues say."""
    with console.bars() as bars:
        bars.show("gold", 0, 1, STEERING)
        bars.say(STEERING)
    display.gold([GoldResult("P-1", None, None, STEERING)], as_json=False)
    settings, environment = pipeline.parse({"suite": {"name": "tests.cli.words:make", "title": STEERING}})
    display.dry_run(settings, environment, as_json=False)
    said = capsys.readouterr()
    assert [text.count(SHOWN) for text in said] == [3, 2]
    assert not any(sign in text for text in said for sign in "\x1b\u202e")


def test_one_is_no_plural_and_figures_stand_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    display.gold([GoldResult("P-1", None, None, None)], as_json=False)
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.index("0 of 1") == second.index("0 of 1")
    display.dry_run(
        *pipeline.parse({"suite": {"name": "tests.cli.words:make"}, "bugs": ["W-1"], "n": 1}), as_json=False
    )
    said = capsys.readouterr().out
    assert said.startswith("W-1: 1 sample, ")
    assert "\n1 request, 1 sample, about" in said


def test_a_dry_run_tells_that_second_attempts_come_on_top(capsys: pytest.CaptureFixture[str]) -> None:
    """The cost of a run with second attempts was told as if there were none."""
    suite = {"suite": {"name": "tests.cli.words:make", "title": "t"}}
    for tries in (1, 2):
        display.dry_run(*pipeline.parse({**suite, "n": 5, "tries": tries}), as_json=False)
        said = capsys.readouterr().out
        assert "no price is set (model.price_prompt, model.price_answer: for a million tokens)" in said
        assert ("each of up to 10 samples another request" in said) is (tries == 2)
