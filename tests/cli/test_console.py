"""What a progress says."""

from __future__ import annotations

import pytest

from nl2fix.cli import console


def test_what_an_earlier_command_did_says_nothing_about_the_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(console.time, "monotonic", lambda: now)
    with console.progress("train") as progress:
        progress(280, 490, "")
        now = 100.0
        progress(290, 490, "")
    assert "290/490, 0.1/s, 100 s, about 2000 s left" in capsys.readouterr().err


def test_what_ended_early_says_how_long_it_took_not_how_long_all_did(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(console.time, "monotonic", lambda: now)
    with console.bars() as bars:
        bars.show("prepare", 0, 8, "")
        now = 4.0
        bars.show("prepare", 8, 8, "")
        bars.show("validate", 0, 100, "")
        now = 104.0
        bars.show("validate", 100, 100, "")
    said = capsys.readouterr().err
    assert "prepare: 8/8, 2.0/s, 4 s, about 0 s left" in said
    assert "validate: 100/100, 1.0/s, 100 s, about 0 s left" in said


def test_numbers_stand_at_the_right_though_one_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    console.table("t", ["a long name"], [[1], [None], [console.Share(0.00806)]])
    lines = [line for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert lines == ["│           1 │", "│           – │", "│       0.8 % │"]


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


def test_a_table_that_fits_or_has_many_rows_stands_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    console.table("narrow", ["a", "b", "c"], [[1, 2, 3]])
    assert [line.split() for line in capsys.readouterr().out.splitlines() if "1" in line] == [
        ["│", "1", "│", "2", "│", "3", "│"]
    ]
    names = [f"a_column_with_a_long_name_{i}" for i in range(6)]
    console.table("long", names, [["x"] * 6] * 7)
    assert sum("x" in line for line in capsys.readouterr().out.splitlines()) == 7
