"""Every value of every table for the golden run, worked out by hand from ``tests/data/golden/run.json``.

The samples, six a bug (F fix, E fix with other white space, P plausible otherwise, W and V wrong at a
trigger test, R wrong at a regression test, T time-out in the regression tests, U uncompilable, - and *
no edit):

    alpha  G-1 FFWUW-   G-2 WRWRPU   G-3 TTWVUU   G-4 *EFFPP   second tries: G-1 #2 F, G-3 #0 P
    beta   G-1 WWWWWW   G-2 FWWW--   G-3 PPPUUU   G-4 UURWWF
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from nl2fix.metrics.statistics import Estimate
from nl2fix.study import edit_formats, likeness, outcomes, overlap, rankings
from nl2fix.study.candidates import MeasuredCandidate
from nl2fix.study.loading import StudyRun
from nl2fix.study.table import Cell, Table

ALPHA, BETA = "openai:alpha", "openai:beta"
ALPHA_RUN, BETA_RUN = f"{ALPHA} · zero_shot · T=0.8", f"{BETA} · one_shot · T=0.2"


def of(*parts: int) -> float:
    return float(Fraction(*parts))


def check(table: Table, expected: Sequence[Sequence[Any]]) -> None:
    """Equal cells, numbers to 12 digits; an interval is compared by its value."""
    assert [row[0] for row in table.rows] == [row[0] for row in expected]
    for row, wanted in zip(table.rows, expected, strict=True):
        for column, cell, value in zip(table.columns, row, wanted, strict=True):
            plain: Cell = cell.value if isinstance(cell, Estimate) else cell
            assert plain == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value), (
                f"{table.name} {row[0]}: {column.name}"
            )


def test_table2(runs: list[StudyRun]) -> None:
    # alpha, of 24: repeated draws F W (G-1), W R (G-2), T U (G-3), F P (G-4) = 8; no edit 2; U 1+1+2+0 = 4,
    # so 24-2-4 = 18 compile; past the triggers FF RRP TT EFFPP = 12; of these RR TT are not plausible;
    # plausible FF P EFFPP = 8. pass@1 = 8/24; pass@5 = (1 + 5/6 + 0 + 1)/4, for with n = 6 the chance
    # to miss c = 1 is C(5,5)/C(6,5) = 1/6, and 5 draws cannot miss c >= 2.
    # beta, of 24: repeated 5 + 2 + 4 + 2 = 13; no edit 2; U 3 + 2, so 17 compile; past the triggers
    # F PPP RF = 6; R is not plausible; plausible 5. pass@5 = (0 + 5/6 + 1 + 5/6)/4.
    # Regression tests pass at least what is plausible, at most what compiles but RR TT: 14, and but R: 16.
    alpha = [of(8, 24), of(2, 24), of(18, 24), of(12, 24), of(8, 24), of(14, 24), of(8, 24), 0]
    beta = [of(13, 24), of(2, 24), of(17, 24), of(6, 24), of(5, 24), of(16, 24), of(5, 24), 0]
    alpha += [of(1, 3), of(17, 24)]
    beta += [of(5, 24), of(2, 3)]
    table = outcomes.samples_table(runs).table
    assert [c.name for c in table.columns[-2:]] == ["pass@1", "pass@5"]
    head = [ALPHA_RUN, "golden", ALPHA, "zero_shot", "method", 0.8, 4, 24]
    check(table, [[*head, *alpha], [BETA_RUN, "golden", BETA, "one_shot", "method", 0.2, 4, 24, *beta]])


def test_table3(runs: list[StudyRun]) -> None:
    # alpha solves G-1, G-2 (P) and G-4 (Q); beta G-2 (P), G-3 and G-4 (Q). G-5 is excluded.
    table = outcomes.projects_table(runs).table
    check(table, [["golden", "P", 2, 2, 1, 2], ["golden", "Q", 2, 1, 2, 2], ["all", "", 4, 3, 3, 4]])


def test_figure2(runs: list[StudyRun]) -> None:
    # pass@2, n = 6: c = 1 misses with C(5,2)/C(6,2) = 10/15, c = 2 with 6/15, c = 3 with 3/15, c = 5 never.
    # alpha c = 2, 1, 0, 5: (9/15 + 5/15 + 0 + 1)/4 = 29/60; beta c = 0, 1, 3, 1: (5 + 12 + 5)/15/4 = 22/60.
    table = outcomes.pass_section(runs).table
    assert [c.name for c in table.columns] == ["run", "pass@1", "pass@2", "pass@5"]
    check(table, [[ALPHA_RUN, of(1, 3), of(29, 60), of(17, 24)], [BETA_RUN, of(5, 24), of(22, 60), of(2, 3)]])


def test_figure3(runs: list[StudyRun]) -> None:
    table = overlap.overlap_sections(runs)[0].table
    check(table, [[f"{ALPHA} & {BETA}", 2, 0.5], [ALPHA, 1, 0.25], [BETA, 1, 0.25], ["any model", 4, 1.0]])
    assert table.beside[-1] == ("published: any", 183, 183 / 283)


def test_table4(runs: list[StudyRun], measured: list[list[MeasuredCandidate]]) -> None:
    # alpha: FF (G-1), EFF (G-4): white space does not count. beta: F (G-2), F (G-4). Each solves 3 bugs.
    table = likeness.exact_table(runs, measured).table
    # Distinct: F; E, F and F, F; of plausible ones F, P, EFP and F, P, F.
    alpha = [ALPHA_RUN, "golden", ALPHA, "zero_shot", 0.8, 5, 2, 3, 3, 5, of(5, 24), of(2, 3)]
    beta = [BETA_RUN, "golden", BETA, "one_shot", 0.2, 2, 2, 3, 2, 3, of(2, 24), of(2, 3)]
    check(table, [alpha, beta])


def test_table5(runs: list[StudyRun]) -> None:
    table = outcomes.prompts_table(runs).table
    alpha = [of(8, 24), of(18, 24), of(8, 24), of(1, 3), of(17, 24)]
    beta = [of(13, 24), of(17, 24), of(5, 24), of(5, 24), of(2, 3)]
    head = [ALPHA_RUN, "golden", ALPHA, "zero_shot", 0.8, 4, 3]
    check(table, [[*head, *alpha], [BETA_RUN, "golden", BETA, "one_shot", 0.2, 4, 3, *beta]])


NONE = [None] * 4
SOLVED = 0.75
"""Share of bugs with a plausible candidate, and none has more than five candidates."""


def test_table6(runs: list[StudyRun]) -> None:
    # alpha, all: cosine puts first W, R, T, E: 1/4. vote puts F, W, T, F: 2/4; it is above cosine on G-1
    # only, and of the two sign flips of one difference both are as far from 0: p = 1. random@1: pools
    # FWU, WRPU, TWVU, EFP: (1/3 + 1/4 + 0 + 1)/4 = 19/48.
    # alpha, compiling: pools FW, WRP, TWV, EFP: (1/2 + 1/3 + 0 + 1)/4 = 11/24; unranked over compiling
    # samples 2 of 4, 1 of 5, 0 of 4, 5 of 5: (1/2 + 1/5 + 0 + 1)/4 = 17/40; at 5, where all of them are
    # looked at, three bugs of four are solved.
    alpha: list[list[Cell]] = [
        ["all", "random", of(19, 48), SOLVED, *NONE],
        ["all", "oracle", SOLVED, SOLVED, *NONE],
        ["all", "unranked pass@k", of(1, 3), of(17, 24), *NONE],
        ["all", "cosine(golden)", 0.25, SOLVED, *NONE],
        ["all", "vote", 0.5, SOLVED, 0.25, 0.0, 1.0, 1.0],
        ["compiling", "random", of(11, 24), SOLVED, *NONE],
        ["compiling", "oracle", SOLVED, SOLVED, *NONE],
        ["compiling", "unranked pass@k", of(17, 40), SOLVED, *NONE],
        ["compiling", "cosine(golden)", 0.25, SOLVED, *NONE],
        ["compiling", "vote", 0.5, SOLVED, 0.25, 0.0, 1.0, 1.0],
    ]
    # beta: pools W, FW, PU, URWF: random (0 + 1/2 + 1/2 + 1/4)/4 = 5/16; cosine puts first W, F, U, R: 1/4.
    # compiling: pools W, FW, P, RWF: (0 + 1/2 + 1 + 1/3)/4 = 11/24; cosine W, F, P, R: 2/4; samples
    # 0 of 6, 1 of 4, 3 of 3, 1 of 4: (0 + 1/4 + 1 + 1/4)/4 = 3/8. beta was not ranked by vote.
    beta: list[list[Cell]] = [
        ["all", "random", of(5, 16), SOLVED, *NONE],
        ["all", "oracle", SOLVED, SOLVED, *NONE],
        ["all", "unranked pass@k", of(5, 24), of(2, 3), *NONE],
        ["all", "cosine(golden)", 0.25, SOLVED, *NONE],
        ["compiling", "random", of(11, 24), SOLVED, *NONE],
        ["compiling", "oracle", SOLVED, SOLVED, *NONE],
        ["compiling", "unranked pass@k", of(3, 8), SOLVED, *NONE],
        ["compiling", "cosine(golden)", 0.5, SOLVED, *NONE],
    ]
    # together: means of the two, for both have four bugs
    both: list[list[Cell]] = [
        ["all", "random", (of(19, 48) + of(5, 16)) / 2, SOLVED, *NONE],
        ["all", "oracle", SOLVED, SOLVED, *NONE],
        ["all", "unranked pass@k", of(13, 48), of(33, 48), *NONE],
        ["all", "cosine(golden)", 0.25, SOLVED, *NONE],
        ["compiling", "random", of(11, 24), SOLVED, *NONE],
        ["compiling", "oracle", SOLVED, SOLVED, *NONE],
        ["compiling", "unranked pass@k", of(2, 5), SOLVED, *NONE],
        ["compiling", "cosine(golden)", 0.375, SOLVED, *NONE],
    ]
    expected = [
        [name, *row]
        for name, rows in ((ALPHA_RUN, alpha), (BETA_RUN, beta), ("all runs", both))
        for row in rows
    ]
    check(rankings.rankings_table(runs).table, expected)


def test_table6_intervals(runs: list[StudyRun]) -> None:
    # Four bugs, one of them solved at 1: a resample has mean m/4 with m binomial(4, 1/4), that is 0 with
    # 0.316 and at most 0.5 with 0.949, at most 0.75 with 0.996: the percentiles 2.5 and 97.5 are 0 and 0.75.
    # At 5 it is three of four: mirrored.
    row = rankings.rankings_table(runs).table.rows[3]
    assert row[3:5] == (Estimate(0.25, 0.0, 0.75), Estimate(0.75, 0.25, 1.0))


def test_formats(runs: list[StudyRun]) -> None:
    # alpha, bugs solved by sample 0 to 5: 1 2 1 1 2 1 of 4, mean 8/24; with second tries (G-1 sample 2,
    # G-3 sample 0): 2 2 2 1 2 1, mean 10/24. beta: 2 1 1 0 0 1 of 4. Of alpha's 26 answers one leaves its
    # block open and is lazy; no edit in 2 of 24 first answers.
    table = edit_formats.formats_section(runs).table
    none = [0.0, 0.0, 0.0]
    alpha = [6, of(8, 24), of(10, 24), of(2, 24), *none, of(1, 26), of(1, 26)]
    beta = [6, of(5, 24), None, of(2, 24), *none, 0.0, 0.0]  # no second attempt was made
    check(
        table,
        [
            [ALPHA_RUN, "golden", ALPHA, "zero_shot", "method", 0.8, *alpha],
            [BETA_RUN, "golden", BETA, "one_shot", "method", 0.2, *beta],
        ],
    )
    assert table.rows[0][7:9] == (
        Estimate(of(8, 24), 0.25, 0.5),
        Estimate(pytest.approx(of(10, 24)), 0.25, 0.5),  # type: ignore[arg-type]  # equals any near it
    )
    assert table.rows[1][7] == Estimate(of(5, 24), 0.0, 0.5)
