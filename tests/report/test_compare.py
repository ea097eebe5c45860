"""Runs side by side."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.results import results
from nl2fix.core.store import RunStore
from nl2fix.report import compare
from nl2fix.report.compare import Compared
from tests.report.conftest import Opened
from tests.study import golden


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[Compared]:
    """The golden runs alpha and beta."""
    found = []
    for name in ("alpha", "beta"):
        folder = golden.write(tmp_path_factory.mktemp("golden") / name, name)
        with RunStore(folder) as store:
            found.append(compare.collect(results(store, golden.Golden().problems(), 6)))
    return found


def test_who_solves_what(both: list[Compared]) -> None:
    rows = compare.bug_rows(both)
    assert [(row.problem, row.cells, row.kind) for row in rows] == [
        ("G-1", ((2, 6), (0, 6)), "some"),
        ("G-2", ((1, 6), (1, 6)), "all"),
        ("G-3", ((0, 6), (3, 6)), "some"),
        ("G-4", ((5, 6), (1, 6)), "all"),
    ]


def test_difference_is_paired_by_bug(both: list[Compared]) -> None:
    # beta minus alpha: -2/6, 0, 3/6, -4/6, mean -3/24. Of the 8 sign flips of 2, 3 and 4 (sixths, whose
    # sum is -3) the absolute sums are 9 5 3 1, each twice: 6 of 8 are at least 3.
    found = compare.difference(both[1], both[0])
    assert found.estimate is not None
    assert (found.bugs, found.p) == (4, 0.75)
    assert found.estimate.value == pytest.approx(-3 / 24)
    assert found.estimate.low < found.estimate.value < found.estimate.high


def test_a_difference_of_shares_is_told_in_points(both: list[Compared]) -> None:
    """24.3 % beside 35.7 % stood as -11.4 %, which could be a third less."""
    page = compare.page(both)
    assert "points of pass@1 above the first" in page
    assert re.search(r">-12\.5 \[-[\d.]+, \+[\d.]+\]<br><span class=\"soft\">4 bugs<", page)


def test_runs_of_different_suites_are_not_paired(both: list[Compared]) -> None:
    other = replace(both[0], settings={**both[0].settings, "suite": {"name": "other"}})
    assert compare.difference(other, both[0]).estimate is None


def test_a_suite_read_from_another_folder_is_the_same(both: list[Compared]) -> None:
    here, there = (
        replace(run, settings={**run.settings, "suite": {"name": "sample", "options": {"data": folder}}})
        for run, folder in zip(both, ("/home/ada/pack.jsonl", "/srv/bob/pack.jsonl"), strict=True)
    )
    assert compare.difference(there, here).bugs == 4
    changed = replace(there, tasks={**there.tasks, "G-1": "another text of this name"})
    assert compare.difference(changed, here).bugs == 3


def test_a_bug_that_only_one_run_has(both: list[Compared]) -> None:
    fewer = replace(both[1], summary=replace(both[1].summary, problems=both[1].summary.problems[:1]))
    assert compare.bug_rows([both[0], fewer])[1].cells == ((1, 6), None)
    assert compare.difference(fewer, both[0]).bugs == 1


def test_a_bug_of_which_a_recording_has_no_sample_is_not_wrong(both: list[Compared]) -> None:
    first, *others = both[1].summary.problems
    none = replace(first, n=0, plausible=0)
    short = replace(both[1], summary=replace(both[1].summary, problems=[none, *others]))
    assert compare.bug_rows([both[0], short])[0].cells == ((2, 6), None)
    assert compare.difference(short, both[0]).bugs == 3
    assert "G-1" in compare.page([both[0], short])


def test_over_how_many_bugs_a_pass_at_k_is_stands_on_the_page(both: list[Compared]) -> None:
    first, *others = both[1].summary.problems
    summary = replace(both[1].summary, problems=[replace(first, n=4), *others], short={first.problem: 4})
    page = compare.page([both[0], replace(both[1], summary=summary)])
    assert "B: beta: fewer samples than asked for" in page
    assert "for larger k: G-1 (4); so pass@5 over 3 of 4 bugs" in page
    assert "fewer samples" not in compare.page(both)


def test_one_run_is_not_told_as_several(both: list[Compared]) -> None:
    assert compare.page(both[:1]).count("1 run compared") == 2


def test_a_small_p_is_not_nought(both: list[Compared]) -> None:
    first = both[0].summary.problems[0]
    runs = [
        replace(
            run,
            titles={f"G-{i}": "t" for i in range(30)},
            summary=replace(
                run.summary, problems=[replace(first, problem=f"G-{i}", plausible=hits) for i in range(30)]
            ),
        )
        for run, hits in zip(both, (0, 6), strict=True)
    ]
    assert "&lt;\u00a00.001" in compare.page(runs)


@pytest.mark.browser
def test_the_page_sorts_and_filters(opened: Opened, both: list[Compared], tmp_path: Path) -> None:
    file = tmp_path / "comparison.html"
    compare.write(both, file)
    opened.page.goto(file.as_uri())
    rows = opened.page.locator("#bugs tbody tr")
    assert opened.page.text_content("#count") == "4 of 4 bugs"
    opened.page.select_option("#kind", "some")
    assert opened.page.text_content("#count") == "2 of 4 bugs"
    opened.page.select_option("#kind", "")
    opened.page.locator("#bugs th button", has_text="B: beta").click()
    assert rows.locator("td:first-child").all_inner_texts() == ["G-1", "G-2", "G-4", "G-3"]
    assert "<b>wrong</b>" in opened.page.inner_text("#bugs")
    assert opened.errors == []
    assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []


@pytest.mark.browser
def test_the_difference_is_in_sight_beside_five_columns_of_pass_at_k(
    opened: Opened, both: list[Compared], tmp_path: Path
) -> None:
    """The last column, p, stood outside of a window of 1,280, and "humanevalfix" was cut in two."""
    shares = dict.fromkeys((1, 5, 10, 25, 50), 0.208)
    suite = {"name": "humanevalfix", "options": {}}
    runs = [
        replace(
            run,
            name=f"h-deepseek_base-{run.name}",
            settings={**run.settings, "suite": suite},
            sampled=run.sampled._replace(model="replay:repairllama_ir1_or1"),
            summary=replace(run.summary, pass_at=shares),
        )
        for run in both
    ]
    compare.write(runs, tmp_path / "comparison.html")
    opened.page.set_viewport_size({"width": 1280, "height": 800})
    opened.page.goto((tmp_path / "comparison.html").as_uri())
    hidden = "table => table.parentElement.scrollWidth - table.parentElement.clientWidth"
    assert opened.page.locator("#runs").evaluate(hidden) == 0


@pytest.mark.browser
@pytest.mark.parametrize(
    "name", ["replay · humanevalfix (java) · zero_shot · method · seed 1", "a-run-" * 12]
)
def test_the_key_of_a_curve_fits_a_narrow_screen(
    name: str, opened: Opened, both: list[Compared], tmp_path: Path
) -> None:
    """Names as long as the study's did not break, and its whole page scrolled sideways."""
    compare.write([replace(run, name=name) for run in both], tmp_path / "comparison.html")
    opened.page.set_viewport_size({"width": 390, "height": 800})
    opened.page.goto((tmp_path / "comparison.html").as_uri())
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
def test_on_a_narrow_screen_who_solves_what_is_in_sight(
    opened: Opened, both: list[Compared], tmp_path: Path
) -> None:
    """Beside the titles there was no room for a single run."""
    names = ["h-deepseek_base-alpha", "beta", "gamma"]
    runs = [replace(run, name=name) for run, name in zip([*both, both[0]], names, strict=True)]
    compare.write(runs, tmp_path / "comparison.html")
    opened.page.set_viewport_size({"width": 390, "height": 800})
    opened.page.goto((tmp_path / "comparison.html").as_uri())
    box = opened.page.locator(".scroll:has(#bugs)")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    for cell in opened.page.locator("#bugs tbody td").all():
        assert cell.is_visible()
    heads = opened.page.locator("#bugs th:visible").all_inner_texts()
    assert heads == ["bug", "A: h-deepseek_base-alpha", "B: beta", "C: gamma"]


@pytest.mark.browser
def test_on_a_narrow_screen_the_name_of_a_run_stays_beside_its_last_number(
    opened: Opened, both: list[Compared], tmp_path: Path
) -> None:
    compare.write(both, tmp_path / "comparison.html")
    opened.page.set_viewport_size({"width": 390, "height": 800})
    opened.page.goto((tmp_path / "comparison.html").as_uri())
    opened.page.locator(".scroll:has(#runs)").evaluate("box => box.scrollLeft = box.scrollWidth")
    script = """cell => {
        const box = cell.getBoundingClientRect();
        return document.elementFromPoint(box.left + 5, box.top + 5) === cell;
    }"""
    assert all(cell.evaluate(script) for cell in opened.page.locator("#runs tbody td:first-child").all())


@pytest.mark.browser
def test_wide_tables_are_printed_on_wide_paper(opened: Opened, both: list[Compared], tmp_path: Path) -> None:
    """The last columns were cut off: a browser makes a page smaller by a quarter at most."""
    compare.write(both, tmp_path / "comparison.html")
    opened.page.goto((tmp_path / "comparison.html").as_uri())
    printed = opened.page.pdf(format="A4", prefer_css_page_size=True)
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert sizes and all(float(width) > float(height) for width, height in sizes)
