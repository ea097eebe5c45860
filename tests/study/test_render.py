"""The four forms of a table say the same, and nothing in them can break out."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.visible import visible
from nl2fix.metrics.statistics import Estimate
from nl2fix.study import render, sections
from nl2fix.study.loading import StudyRun
from nl2fix.study.table import Column, Published, Section, Table
from tests.report.conftest import Opened, opened

__all__ = ["opened"]

HOSTILE = "<script>alert(1)</script> a|b_c & 5% \\x {y} #$^~"
TABLE = Table(
    "t",
    "A title & more",
    (
        Column("name"),
        Column("bugs", "count"),
        Column("rate", "share"),
        Column("r", "value"),
        Column("p", "p"),
    ),
    (
        (HOSTILE, 283, 0.25, Estimate(0.5, -0.1, 0.75), 0.0004),
        ("x", 28300, 1 / 3, Estimate(0.5, float("nan"), float("nan")), None),
    ),
    "A note.",
    (Published("top-1", "21.20 %", "somebody 2023"),),
)


def test_markdown_has_a_line_per_row_and_escapes_cells() -> None:
    lines = render.markdown(TABLE).splitlines()
    assert lines[2] == "| name | bugs | rate % | r | p |"
    assert lines[3] == "|---|---:|---:|---:|---:|"
    assert lines[4].endswith(r"| 283 | 25.0 | 0.500 \[-0.100, 0.750\] | \< 0.001 |")
    assert r"a\|b\_c" in lines[4]
    assert lines[5] == r"| x | 28300 | 33.3 | 0.500 | – |"
    assert "- top-1: 21.20 % (somebody 2023)" in lines


def test_latex_escapes_everything_special() -> None:
    text = render.latex(TABLE)
    row = next(line for line in text.splitlines() if "script" in line)
    assert r"a\textbar{}b\_c \& 5\% \textbackslash{}x \{y\} \#\$\textasciicircum{}\textasciitilde{}" in row
    assert r"\textless{}script\textgreater{}" in row
    assert text.count(r"\begin{") == text.count(r"\end{") == 2
    assert r"\begin{tabular}{lrrrr}" in text


def test_a_latex_caption_leaves_its_number_to_latex(runs: list[StudyRun]) -> None:
    for table, *_ in sections(runs):
        caption = next(line for line in render.latex(table).splitlines() if line.startswith(r"\caption"))
        assert not re.search(r"(Table|Figure) \d", caption)
        assert caption.removeprefix(r"\caption{")[0].isupper()
    assert r"\caption{A title \& more}" in render.latex(TABLE)


def test_latex_is_whole_and_no_wider_than_the_text(runs: list[StudyRun], tmp_path: Path) -> None:
    """Compiled where there is a LaTeX."""
    render.write_all(sections(runs), runs, tmp_path)
    text = (tmp_path / "study.tex").read_text(encoding="utf-8")
    assert text.count(r"\resizebox{") == text.count(r"\begin{tabular}") == len(sections(runs))
    body = [line for line in text.splitlines() if not line.startswith("%")]
    assert (
        sum(line.count("{") - line.count(r"\{") - line.count("}") + line.count(r"\}") for line in body) == 0
    )
    preamble = text.partition("preamble: ")[2].splitlines()[0]
    latex = shutil.which("pdflatex")
    if latex is None:
        return
    lines = [r"\documentclass{article}", preamble, r"\begin{document}", r"\input{study}", r"\end{document}"]
    (tmp_path / "page.tex").write_text("\n".join(lines), encoding="utf-8")
    command = [latex, "-interaction=nonstopmode", "-halt-on-error", "page"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stdout
    assert "Overfull" not in told.stdout


def test_csv_keeps_full_precision_and_interval_ends() -> None:
    rows = list(csv.DictReader(io.StringIO(render.table_csv(TABLE))))
    assert float(rows[1]["rate"]) == 1 / 3
    assert [rows[0][name] for name in ("r", "r low", "r high")] == ["0.5", "-0.1", "0.75"]
    assert [rows[1][name] for name in ("r low", "r high", "p")] == ["", "", ""]
    assert rows[0]["name"] == HOSTILE


def test_no_name_of_a_model_is_a_formula_of_a_spreadsheet_or_steers_a_terminal() -> None:
    """A recording brings the name of its model: ``=HYPERLINK(…)`` was a link to anywhere, and ran."""
    names = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\x1b[2Jx", "gpt-4", "")
    table = replace(TABLE, columns=(Column("=1+1"), Column("n")), rows=tuple((name, -0.5) for name in names))
    head, *rows = csv.reader(io.StringIO(render.table_csv(table)))
    assert [head[0], *(row[0] for row in rows)] == [
        *("'=1+1", "'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "\\x1b[2Jx", "gpt-4", "")
    ]
    assert {row[1] for row in rows} == {"-0.5"}


def test_no_name_of_a_model_steers_a_terminal_or_latex() -> None:
    """The name stood raw in ``study.tex``; ``[2cm]`` was the space below the row before."""
    names = ("a\x1b[2J\u202e", "[2cm]", "*")
    table = replace(TABLE, rows=tuple((name, 1, None, None, None) for name in names))
    tex, table_md = render.latex(table), render.markdown(table)
    assert r"a\textbackslash{}x1b{[}2J\textbackslash{}u202e & 1" in tex
    assert "\n{[}2cm] & 1" in tex
    assert "\n{*} & 1" in tex
    assert r"| a\\x1b\[2J\\u202e | 1" in table_md


def test_a_figure_with_any_name_can_be_opened(runs: list[StudyRun], tmp_path: Path) -> None:
    named = [replace(run, model="\x1b[2J\u202e\x00") for run in runs]
    for file in render.write_all(sections(named), named, tmp_path):
        text = file.read_text(encoding="utf-8")
        assert visible(text) == text
        if file.suffix == ".svg":
            ET.fromstring(text)


def test_html_shows_hostile_text_as_text() -> None:
    page = render.page([Section(TABLE)], [])
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "http" not in page.split("</style>")[1].split("<main>")[1].split("<script>")[0]


def test_json_has_rows_as_objects() -> None:
    data = render.as_data(TABLE)
    assert data["rows"][0]["r"] == [0.5, -0.1, 0.75]
    assert data["rows"][1]["r"] == [0.5, None, None]
    assert data["published"] == [{"what": "top-1", "value": "21.20 %", "source": "somebody 2023"}]


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="has not 2 cells"):
        Table("t", "T", (Column("a"), Column("b")), (("x",),))


def test_all_files_are_written_and_every_figure_is_well_formed(runs: list[StudyRun], tmp_path: Path) -> None:
    found = sections(runs)
    files = render.write_all(found, runs, tmp_path / "out")
    names = {file.name for file in files}
    assert {"study.html", "study.md", "study.tex", "table2.csv", "figure2-drawn.csv", "figure4.svg"} <= names
    assert names == {file.name for file in (tmp_path / "out").iterdir()}
    for file in files:
        if file.suffix == ".svg":
            ET.fromstring(file.read_text(encoding="utf-8"))
    page = (tmp_path / "out" / "study.html").read_text(encoding="utf-8")
    for table, *_ in found:
        assert f'id="{table.name}"' in page
    assert "published: gpt-3.5-turbo 1-shot" in page
    assert ">21.2<" in page


@pytest.mark.browser
def test_the_samples_of_a_hundred_a_bug_fit_a_window_of_1280(
    opened: Opened, runs: list[StudyRun], tmp_path: Path
) -> None:
    samples = sections(runs)[0].table
    more = tuple(Column(f"pass@{k}", "share") for k in (20, 100))
    wide = replace(
        samples,
        columns=samples.columns + more,
        rows=tuple((*row, 0.145, 0.484) for row in samples.rows),
        beside=tuple((*row, None, None) for row in samples.beside),
    )
    render.write_all([Section(wide)], runs, tmp_path)
    opened.page.set_viewport_size({"width": 1280, "height": 800})
    opened.page.goto((tmp_path / "study.html").as_uri())
    hidden = "all => Math.max(...all.map(e => e.scrollWidth - e.clientWidth))"
    assert opened.page.eval_on_selector_all(".scroll", hidden) <= 0
    assert opened.errors == []


def test_the_same_runs_give_the_same_files(runs: list[StudyRun], tmp_path: Path) -> None:
    for name in ("one", "two"):
        render.write_all(sections(runs), runs, tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
