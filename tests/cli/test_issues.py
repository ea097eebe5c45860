from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from nl2fix.cli.issues import issues
from nl2fix.core.errors import DataError, Nl2fixError, UsageError
from nl2fix.suites.defects4j import fetching, index, issue_texts
from nl2fix.trackers.polite import Politeness
from tests.suites.defects4j.stand_in import HOME, JUNIT
from tests.suites.defects4j.test_fetching import jira
from tests.suites.defects4j.test_index import BUGS, DATASET
from tests.trackers.tracker_server import tracker

MATH_2 = "Math-2"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(issues, [str(argument) for argument in arguments])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "dataset.json").write_text(json.dumps(DATASET))
    (tmp_path / "bugs.csv").write_text(BUGS)
    return tmp_path / "dataset.json", tmp_path / "bugs.csv"


def test_building_an_index_keeps_the_dates_it_had(files: tuple[Path, Path], tmp_path: Path) -> None:
    rows = index.build(*files, {"Mockito-2": "2015-03-12T10:00:00+00:00"})
    index.write(rows, tmp_path / "out")
    found = run("build-index", *files, "--out", tmp_path / "out", "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["dated"] == 1
    assert index.read(tmp_path / "out") == rows


def test_fix_dates_come_from_an_installation(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUNIT", str(JUNIT))
    data: dict[str, Any] = {"Acme_1_src/A.java_1_2": next(iter(DATASET.values()))}
    files[0].write_text(json.dumps(data))
    files[1].write_text(BUGS.replace("Compress,46", "Acme,1"))
    found = run("build-index", *files, "--out", tmp_path / "out", "--defects4j", HOME)
    assert found.exit_code == 0, found.output
    assert index.read(tmp_path / "out")[0].fixed == "2012-03-27T00:49:17+00:00"


@pytest.mark.parametrize("interval", ["nan", "inf", "-1"])
def test_an_interval_that_is_no_time_is_refused(interval: str, tmp_path: Path) -> None:
    """Requests without end after one another, or none ever, were what these meant."""
    found = run("fetch", "--bugs", MATH_2, "--interval", interval, "--texts", tmp_path / "texts")
    assert found.exit_code == 2
    assert "Invalid value for '--interval'" in found.output
    assert not (tmp_path / "texts").exists()


def test_import_then_stats(tmp_path: Path) -> None:
    row = next(row for row in index.read() if row.bug == "Compress-46")
    fields = next(iter(DATASET.values()))
    file = tmp_path / "dataset.json"
    file.write_text(json.dumps({f"Compress_46_{row.path}_{row.start}_{row.end}": fields}))
    found = run("import", file, "--texts", tmp_path / "texts")
    assert found.exit_code == 0, found.output
    assert "1 texts" in found.output
    shown = run("stats", "--texts", tmp_path / "texts")
    assert "*1 / 36" in shown.output
    assert "cells differ" in shown.output
    as_json = json.loads(run("stats", "--texts", tmp_path / "texts", "--json").stdout)
    assert as_json["Compress"]["measured"]["bugs"] == 1
    assert as_json["Compress"]["published"]["bugs"] == 36
    assert "bugs" in as_json["Compress"]["differs"]


def test_stats_without_texts_name_the_command_that_gets_them(tmp_path: Path) -> None:
    found = run("stats", "--texts", tmp_path)
    assert isinstance(found.exception, DataError)
    assert "nl2fix issues import" in str(found.exception)


@pytest.mark.parametrize("named", [MATH_2, f"{MATH_2},{MATH_2}"])
def test_fetch_shows_what_is_kept_without_asking_again(named: str, tmp_path: Path) -> None:
    """Of a bug named twice it was said that there are no such bugs."""
    row = next(row for row in index.read() if row.bug == MATH_2)
    with tracker() as server:
        server.on(f"/rest/api/2/issue/{row.issue}?fields=summary,description,comment,created", jira("kept"))
        bases = {"jira": server.base}
        fetching.fetch([row], tmp_path, lambda *_: None, bases, Politeness(interval=0.0))
    found = run("fetch", "--bugs", named, "--texts", tmp_path, "--json")
    assert found.exit_code == 0, found.output
    report = json.loads(found.stdout)
    assert report["stored"] == [MATH_2]
    assert report["requests"] == 0
    assert issue_texts.load(tmp_path)[MATH_2].title == "kept"


def test_fetch_tells_which_texts_are_missing(tmp_path: Path) -> None:
    row = next(row for row in index.read() if row.bug == MATH_2)
    with tracker() as server:
        fetching.fetch([row], tmp_path, lambda *_: None, {"jira": server.base}, Politeness(interval=0.0))
    found = run("fetch", "--bugs", MATH_2, "--texts", tmp_path)
    assert isinstance(found.exception, Nl2fixError)
    assert f"{MATH_2}: " in found.stdout
    assert "gone (404" in found.stdout


def test_fetching_no_bug_fetches_not_all(tmp_path: Path) -> None:
    """An unset shell variable asked seven trackers for the texts of all bugs."""
    found = run("fetch", "--bugs", "", "--texts", tmp_path)
    assert isinstance(found.exception, UsageError)
    assert "--bugs names no problem" in str(found.exception)


def test_fetching_a_bug_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    found = run("fetch", "--bugs", "Math-2,Math-9999", "--texts", tmp_path)
    assert found.exit_code == 2
    assert "Math-9999" in found.output
    assert "Math-2," not in found.output.split("no such bugs")[1]
