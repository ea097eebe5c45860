from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nl2fix.suites.defects4j import issue_texts
from nl2fix.suites.defects4j.fetching import Fetched, fetch
from nl2fix.suites.defects4j.index import Row
from nl2fix.trackers.known import TRACKERS
from nl2fix.trackers.polite import Politeness
from tests.trackers.tracker_server import Answer, Tracker, tracker

QUICK = Politeness(interval=0.0, timeout=2.0, attempts=3, pause=0.01, longest_wait=1.0)
FIXED = "2012-09-18T13:00:00+00:00"
JIRA = "/rest/api/2/issue/MATH-{}?fields=summary,description,comment,created"


def row(bug: str, tracker: str, url: str, fixed: str = FIXED) -> Row:
    project, _, number = bug.rpartition("-")
    return Row(bug, project, int(number), "A.java", "a()", 1, 2, tracker, "", url, "", fixed)


MATH = row("Math-1", "jira", "https://issues.apache.org/jira/browse/MATH-1")
MATH_2 = row("Math-2", "jira", "https://issues.apache.org/jira/browse/MATH-2")
CORE = row("JacksonCore-3", "github", "https://github.com/FasterXML/jackson-core/issues/3")
CHART = row("Chart-1", "sourceforge", "https://sourceforge.net/p/jfreechart/bugs/983")
MOCKITO = row("Mockito-9", "googlecode", "https://code.google.com/archive/p/mockito/issues/9")
ROWS = [CHART, CORE, MATH, MATH_2, MOCKITO]


def jira(title: str) -> Answer:
    comments = [
        {"created": "2012-09-17T10:00:00.000+0000", "body": "seen it too"},
        {"created": "2012-09-19T10:00:00.000+0000", "body": "fixed by adding a null check"},
    ]
    fields = {
        "summary": title,
        "description": "It breaks.",
        "created": "2012-09-16T10:00:00.000+0000",
        "comment": {"total": 2, "comments": comments},
    }
    return Answer({"fields": fields})


@pytest.fixture
def server() -> Iterator[Tracker]:
    with tracker() as running:
        running.on(JIRA.format(1), jira("one"))
        running.on(JIRA.format(2), jira("two"))
        body = {"title": "core", "body": "b", "created_at": "2012-04-01T10:00:00Z", "comments": 0}
        running.on("/repos/FasterXML/jackson-core/issues/3", Answer(body))
        ticket = {"summary": "chart", "description": "d", "created_date": "2010-02-01 18:52:11"}
        running.on("/rest/p/jfreechart/bugs/983", Answer({"ticket": ticket}))
        first = {"timestamp": 1270000000, "content": "m"}
        running.on(
            "/v2/code.google.com/mockito/issues/issue-9.json",
            Answer({"summary": "mock", "comments": [first]}),
        )
        yield running


def run(server: Tracker, folder: Path, rows: list[Row] = ROWS) -> Fetched:
    calls: list[tuple[int, int, str]] = []
    bases = {tracker: server.base for tracker in TRACKERS}
    outcome = fetch(rows, folder, lambda *call: calls.append(call), bases, QUICK)
    assert [done for done, _, _ in calls] == list(range(1, len(rows) + 1))
    assert {label for _, _, label in calls} == {row.bug for row in rows}
    return outcome


def test_all_trackers_are_fetched_and_nothing_after_the_fix_is_kept(server: Tracker, tmp_path: Path) -> None:
    outcome = run(server, tmp_path)
    assert sorted(outcome.stored) == sorted(row.bug for row in ROWS)
    assert outcome.failed == {}
    assert outcome.dropped == 2
    found = issue_texts.load(tmp_path)
    assert {text.title for text in found.values()} == {"one", "two", "core", "chart", "mock"}
    math = found["Math-1"]
    assert [comment.text for comment in math.comments] == ["seen it too"]
    assert math.dropped == 1
    assert math.origin == "fetched"
    assert math.url == MATH.url
    assert len(math.sha256) == 64
    assert math.retrieved
    stored = (tmp_path / "issues" / "Math-1.json").read_text()
    assert "null check" not in stored


def test_nothing_is_fetched_twice(server: Tracker, tmp_path: Path) -> None:
    assert run(server, tmp_path).requests == 5
    again = run(server, tmp_path)
    assert again.requests == 0
    assert len(again.stored) == 5
    assert len(server.paths) == 5


def test_bugs_that_share_an_issue_share_the_answer(server: Tracker, tmp_path: Path) -> None:
    twin = replace(MATH, bug="Math-99", number=99)
    assert run(server, tmp_path, [MATH, twin]).requests == 1
    assert issue_texts.load(tmp_path)["Math-99"].title == "one"


def test_one_bad_issue_does_not_stop_the_others(server: Tracker, tmp_path: Path) -> None:
    server.on(JIRA.format(1), Answer({}, 404))
    server.on("/rest/p/jfreechart/bugs/983", Answer({"ticket": {"summary": 1}}))
    outcome = run(server, tmp_path)
    assert set(outcome.failed) == {"Math-1", "Chart-1"}
    assert "gone" in outcome.failed["Math-1"]
    assert "unknown shape" in outcome.failed["Chart-1"]
    assert len(outcome.stored) == 3


def test_an_answer_in_an_unknown_shape_is_asked_for_again(server: Tracker, tmp_path: Path) -> None:
    """A tracker's page of maintenance was kept as the issue: no later run asked for it."""
    server.on(JIRA.format(1), Answer({"message": "back in an hour"}))
    assert "unknown shape" in run(server, tmp_path, [MATH]).failed["Math-1"]
    server.on(JIRA.format(1), jira("one"))
    assert run(server, tmp_path, [MATH]).stored == ["Math-1"]


def test_a_tracker_that_closes_is_left_alone_and_the_rest_goes_on(server: Tracker, tmp_path: Path) -> None:
    server.on(JIRA.format(1), Answer({}, 429, {"Retry-After": "3600"}))
    outcome = run(server, tmp_path)
    assert set(outcome.failed) == {"Math-1", "Math-2"}
    assert all("no more requests until" in line for line in outcome.failed.values())
    assert JIRA.format(2) not in server.paths
    server.on(JIRA.format(1), jira("one"))
    assert run(server, tmp_path).failed == {}


def test_the_token_of_the_environment_goes_to_github_only(
    server: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    run(server, tmp_path)
    sent = {path: headers.get("authorization") for _, path, headers in server.requests}
    assert [path for path, value in sent.items() if value] == ["/repos/FasterXML/jackson-core/issues/3"]
    assert sent["/repos/FasterXML/jackson-core/issues/3"] == "Bearer secret"
    assert all(b"secret" not in file.read_bytes() for file in tmp_path.rglob("*.json"))


def test_ctrl_c_keeps_what_was_fetched_and_the_next_run_goes_on(server: Tracker, tmp_path: Path) -> None:
    for n in range(3, 30):
        server.on(JIRA.format(n), replace(jira(str(n)), silent=0.1))
    program = textwrap.dedent("""
        import sys
        from pathlib import Path
        from nl2fix.trackers.polite import Politeness
        from nl2fix.suites.defects4j.fetching import fetch
        from nl2fix.suites.defects4j.index import Row
        rows = [Row(f"Math-{n}", "Math", n, "A.java", "a()", 1, 2, "jira", "",
                    f"https://issues.apache.org/jira/browse/MATH-{n}") for n in range(1, 30)]
        fetch(rows, Path(sys.argv[2]), lambda *call: print(*call, flush=True), {"jira": sys.argv[1]},
              Politeness(interval=0.0))
    """)
    child = subprocess.Popen(
        [sys.executable, "-c", program, server.base, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert child.stdout is not None
    for _ in range(3):
        child.stdout.readline()
    child.send_signal(signal.SIGINT)
    started = time.monotonic()
    child.communicate(timeout=30)
    assert time.monotonic() - started < 20
    assert child.returncode != 0
    stored = issue_texts.load(tmp_path)
    assert 3 <= len(stored) < 29
    metas = list((tmp_path / "raw" / "jira").glob("*.meta.json"))
    assert all(json.loads(meta.read_text())["status"] == 200 for meta in metas)
    before = len(server.paths)
    rows = [replace(MATH, bug=f"Math-{n}", url=MATH.url[:-1] + str(n)) for n in range(1, 30)]
    assert len(run(server, tmp_path, rows).stored) == 29
    assert len(server.paths) - before <= 29 - len(metas)
