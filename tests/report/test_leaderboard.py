"""Many runs in tables of places, as files that any server can host."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.core.results import RunResults, results
from nl2fix.core.store import RunStore
from nl2fix.report import leaderboard
from tests.report.conftest import Opened, Stored
from tests.study import golden


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[RunResults]:
    """The golden runs alpha and beta, whose pass@1 are 8/24 and 5/24."""
    found = []
    for name in ("alpha", "beta"):
        folder = golden.write(tmp_path_factory.mktemp("golden") / name, name)
        with RunStore(folder) as store:
            found.append(results(store, golden.Golden().problems(), 6))
    return found


def other(run: RunResults, name: str, **settings: object) -> RunResults:
    return replace(run, name=name, manifest={**run.manifest, "settings": {**run.settings, **settings}})


def test_the_better_run_stands_first_with_its_interval(both: list[RunResults]) -> None:
    (board,) = leaderboard.boards(both[::-1])
    assert [(row.place, row.run, row.bugs) for row in board.standings] == [(1, "alpha", 4), (2, "beta", 4)]
    values = [row.pass_at_1 for row in board.standings]
    assert [value.value for value in values if value] == [pytest.approx(8 / 24), pytest.approx(5 / 24)]
    assert all(value.low < value.value < value.high for value in values if value)


def test_equal_runs_share_a_place(both: list[RunResults]) -> None:
    (board,) = leaderboard.boards([both[0], other(both[0], "again"), both[1]])
    assert [row.place for row in board.standings] == [1, 1, 3]


def test_what_is_not_to_be_compared_stands_apart(both: list[RunResults]) -> None:
    alpha = both[0]
    fewer = replace(alpha, problems=alpha.problems[:2])
    elsewhere = other(alpha, "elsewhere", suite={"name": "other", "options": {}})
    options = other(alpha, "options", suite={**alpha.settings["suite"], "options": {"split": "lazy"}})
    found = leaderboard.boards([alpha, fewer, elsewhere, options, replace(alpha, n=5)])
    assert [len(board.standings) for board in found] == [1] * 5


def test_a_suite_that_speaks_several_languages_is_named_with_them(both: list[RunResults]) -> None:
    """Two tables had the same heading."""
    spoken = tuple(
        replace(item, problem=replace(item.problem, language="go", id=f"Go-{item.problem.id}"))
        for item in both[1].problems
    )
    found = leaderboard.boards([both[0], replace(both[1], problems=spoken)])
    suite = both[0].settings["suite"]["name"]
    assert sorted(board.suite for board in found) == [f"{suite} (go)", f"{suite} (java)"]


def test_a_suite_read_from_another_folder_stands_in_the_same_table(both: list[RunResults]) -> None:
    """Runs of two machines were never in one table, and the page told where each kept its file."""
    folders = ("/home/ada/pack.jsonl", "/srv/bob/pack.jsonl")
    runs = [
        other(run, run.name, suite={"name": "sample", "options": {"data": folder}})
        for run, folder in zip(both, folders, strict=True)
    ]
    (board,) = leaderboard.boards(runs)
    assert (len(board.standings), board.options) == (2, "data pack.jsonl")
    assert "/home/ada" not in leaderboard.page([board])


def test_a_problem_without_a_sample_is_left_out_and_told(both: list[RunResults]) -> None:
    """It was counted as not solved: 8 right of 24 instead of 18 samples, and of 4 bugs instead of 3."""
    first, *rest = both[0].problems
    none = replace(first, tries=(), pool=replace(first.pool, entries=()), verdicts=(), orders={}, absent=6)
    (board,) = leaderboard.boards([replace(both[0], problems=(none, *rest))])
    (row,) = board.standings
    assert (row.bugs, row.left_out) == (3, (first.problem.id, "G-5"))
    right = sum(item.plausible for item in both[0].counted[1:])
    assert row.pass_at_1 and row.pass_at_1.value == pytest.approx(right / 18)


def test_a_run_with_fewer_samples_than_the_table_says_is_marked(both: list[RunResults]) -> None:
    first, *rest = both[0].problems
    entry = replace(first.pool.entries[0], samples=(0,))
    few = replace(first, tries=first.tries[:1], pool=replace(first.pool, entries=(entry,)), absent=5)
    (board,) = leaderboard.boards([replace(both[0], problems=(few, *rest)), both[1]])
    assert sorted((row.run, row.short) for row in board.standings) == [("alpha", 1), ("beta", 0)]
    assert leaderboard.page([board]).count(">1 short<") == 1


def test_a_problem_left_out_is_told(both: list[RunResults]) -> None:
    first, *rest = both[1].problems
    excluded = replace(both[1], problems=(replace(first, excluded="fails gold"), *rest))
    (board,) = leaderboard.boards([both[0], excluded])
    beta = next(row for row in board.standings if row.run == "beta")
    assert (beta.bugs, beta.left_out) == (3, (first.problem.id, "G-5"))  # the last one is unfinished in both
    assert "2 left out" in leaderboard.page([board])


def test_tokens_cost_and_versions(stored: Stored) -> None:
    with RunStore(stored.folder) as store:
        store_results = results(store, stored.problems, 30)
    (board,) = leaderboard.boards([store_results])
    (row,) = board.standings
    said = sum(len(item.pool.entries) for item in store_results.problems)
    assert row.tokens == 210 * said
    assert row.cost == pytest.approx(said * (200 + 20 * 10) / 1e6)
    assert row.versions == "nl2fix 0"


def test_what_nobody_counted_is_not_for_nothing(both: list[RunResults]) -> None:
    """A server that counts no tokens: the run, with prices, stood there with a cost of 0.00."""
    priced = {"name": "openai", "options": {"id": "m", "price_prompt": 5.0, "price_answer": 10.0}}
    items = tuple(replace(item, tokens=(0, 0)) for item in both[0].problems)
    (board,) = leaderboard.boards([replace(other(both[0], "free", model=priced), problems=items)])
    assert board.standings[0].cost is None
    assert "0.00" not in leaderboard.page([board])


def test_a_half_finished_run_has_no_place_among_whole_ones(both: list[RunResults]) -> None:
    """It stood at the top with a mean over the one easy bug that it had come to."""
    easy = max(both[0].counted, key=lambda item: item.plausible)
    rest = (replace(item, unjudged=1) for item in both[1].problems if item.problem.id != easy.problem.id)
    half = replace(both[1], name="half", problems=(easy, *rest))
    (board,) = leaderboard.boards([half, *both])
    assert [(row.place, row.run) for row in board.standings] == [(1, "alpha"), (2, "beta"), (None, "half")]
    assert board.standings[2].lack == "3 of 4 problems that count in other runs are not finished or left out"
    assert board.standings[2].lack in leaderboard.page([board])


def without(run: RunResults, name: str, *absent: str) -> RunResults:
    """A finished run of a recording that has no sample of some problems."""
    return replace(
        run,
        name=name,
        problems=tuple(
            replace(item, tries=(), pool=replace(item.pool, entries=()), verdicts=(), orders={}, absent=6)
            if item.problem.id in absent
            else item
            for item in run.problems
        ),
    )


def test_a_recording_without_samples_of_a_problem_is_ranked_on_what_all_have(both: list[RunResults]) -> None:
    """It was whole, and had no place as "not finished or left out"."""
    alpha, beta = both
    lost = alpha.counted[0]
    (board,) = leaderboard.boards([beta, without(alpha, "recorded", lost.problem.id)])
    assert (board.ranked_on, board.unranked) == (3, 1)
    places = {row.run: row for row in board.standings}
    for run in (alpha, beta):
        row = places["recorded" if run is alpha else "beta"]
        rest = [item.plausible / 6 for item in run.counted if item.problem.id != lost.problem.id]
        assert row.ranked_by and row.ranked_by.value == pytest.approx(sum(rest) / 3)
        assert row.place and not row.lack
    assert places["beta"].pass_at_1 and places["beta"].pass_at_1.value == pytest.approx(5 / 24), "its own"
    assert "Places are by pass@1 over the 3 problems" in leaderboard.page([board])


def test_a_scrap_of_a_recording_has_no_place_and_decides_no_others(both: list[RunResults]) -> None:
    first, *_ = names = [item.problem.id for item in both[0].counted]
    (board,) = leaderboard.boards([*both, without(both[0], "scrap", *names[1:])])
    assert [(row.place, row.run) for row in board.standings] == [(1, "alpha"), (2, "beta"), (None, "scrap")]
    assert board.standings[-1].lack == f"no sample of {', '.join(names[1:])} (3 of 4 problems)"
    assert (board.ranked_on, board.basis, board.standings[-1].bugs) == (4, "", 1)
    assert first not in board.standings[-1].without


def test_runs_with_nothing_in_common_leave_places_to_those_that_lack_nothing(both: list[RunResults]) -> None:
    names = [item.problem.id for item in both[0].counted]
    gaps = [without(both[0], f"no {name}", name) for name in names]
    (board,) = leaderboard.boards([*gaps, both[1]])
    assert [(row.place, row.run) for row in board.standings if row.place] == [(1, "beta")]
    assert all(row.lack.startswith("no sample of") for row in board.standings[1:])


def test_one_problem_has_no_interval(both: list[RunResults], tmp_path: Path) -> None:
    one = [replace(run, problems=run.problems[:1]) for run in both]
    (row, _) = leaderboard.boards(one)[0].standings
    assert row.pass_at_1 and not row.pass_at_1.bounded
    page = leaderboard.write(one, tmp_path / "site")
    assert "nan" not in page.read_text()
    assert "leaderboard of 2 runs<" in page.read_text()
    assert "leaderboard of 1 run<" in leaderboard.page(leaderboard.boards(one[:1]))
    assert "NaN" not in (tmp_path / "site" / "leaderboard.json").read_text()


def test_tokens_that_were_not_counted_for_all_answers_are_a_lower_bound(both: list[RunResults]) -> None:
    """They stood beside whole counts, and the cost looked like that of a cheap model."""
    priced = {"name": "openai", "options": {"id": "m", "price_prompt": 5.0, "price_answer": 10.0}}
    items = tuple(replace(item, tokens=(200_000, 0), uncounted=1) for item in both[0].problems)
    (board,) = leaderboard.boards([replace(other(both[0], "some", model=priced), problems=items)])
    page = leaderboard.page([board])
    assert "over 1,000,000<" in page and "over 5.00<" in page


def test_no_report_takes_the_place_of_another(both: list[RunResults]) -> None:
    """The second ``a`` is numbered, and so could be a run's own name."""
    named = [replace(both[0], name=name) for name in ("a", "a", "a.2")]
    [board] = leaderboard.boards(named)
    assert sorted(s.report for s in board.standings) == ["run-a.2.2.html", "run-a.2.html", "run-a.html"]


def test_it_is_written_with_reports_and_data(both: list[RunResults], tmp_path: Path) -> None:
    page = leaderboard.write([*both, other(both[0], "beta")], tmp_path / "site")
    names = {file.name for file in page.parent.iterdir()}
    reports = {"run-alpha.html", "run-beta.html", "run-beta.2.html"}
    assert names == {"index.html", "leaderboard.json", *reports}
    data = json.loads((page.parent / "leaderboard.json").read_text())
    assert {row["report"] for row in data[0]["standings"]} == reports


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_and_leads_to_the_reports(
    width: int, opened: Opened, both: list[RunResults], tmp_path: Path
) -> None:
    page = leaderboard.write(both, tmp_path / "site")
    opened.page.set_viewport_size({"width": width, "height": 800})
    opened.page.goto(page.as_uri())
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1280:
        assert opened.page.evaluate(
            "(e => e.scrollWidth <= e.clientWidth)(document.querySelector('.scroll'))"
        )
    opened.page.click("text=beta >> nth=-1")
    opened.page.wait_for_selector("#bugs")
    assert opened.errors == []
