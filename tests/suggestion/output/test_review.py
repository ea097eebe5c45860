"""Suggestions posted to GitHub: a real server takes what is sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.suggestion.output import exports, review
from nl2fix.suggestion.output.result import Likely, Sought, SuggestResult
from tests.server.test_pages import result


class GitHub(ThreadingHTTPServer):
    """Keeps what it is sent; refuses comments outside of the diff where told so."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.posts: list[tuple[str, str, dict[str, Any]]] = []
        self.made: list[tuple[str, str]] = []
        self.older = 0
        """How many texts of others are there already."""
        self.outside = False
        self.closed = False
        self.busy = 0
        """How many times to say that this was too much for now."""


class _Handler(BaseHTTPRequestHandler):
    server: GitHub

    def do_GET(self) -> None:
        """A page of what is there, as GitHub lists it."""
        address = urlsplit(self.path)
        asked = {name: int(value) for name, (value,) in parse_qs(address.query).items()}
        texts = [{"body": "thanks"}] * self.server.older
        for number, (path, body) in enumerate(self.server.made):
            url = f"https://github.test{path}#{number}"
            texts += [{"body": body, "html_url": url}] if path == address.path else []
        first = (asked["page"] - 1) * asked["per_page"]
        self._answer(403 if self.server.closed else 200, texts[first : first + asked["per_page"]])

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.posts.append((self.path, self.headers["Authorization"], sent))
        if self.server.busy:
            self.server.busy -= 1
            self._answer(403, {"message": "You have exceeded a secondary rate limit"}, wait="0")
        elif self.server.closed:
            self._answer(403, {"message": "Resource not accessible by integration"})
        elif self.server.outside and "comments" in sent:
            self._answer(422, {"message": "Line must be part of the diff"})
        else:
            self.server.made.append((self.path, sent["body"]))
            self._answer(201, {"html_url": f"https://github.test{self.path}"})

    def _answer(self, status: int, content: object, wait: str = "") -> None:
        raw = json.dumps(content).encode()
        self.send_response(status)
        if wait:
            self.send_header("Retry-After", wait)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def place(github: GitHub, folder: Path, event: dict[str, Any]) -> review.Place:
    file = folder / "event.json"
    file.write_text(json.dumps(event))
    surroundings = {
        "GITHUB_EVENT_PATH": str(file),
        "GITHUB_REPOSITORY": "acme/shop",
        "GITHUB_TOKEN": "secret",
        "GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}",
    }
    return review.place(surroundings)


def posted(github: GitHub, folder: Path, event: dict[str, Any], what: SuggestResult) -> str:
    return review.post(what, place(github, folder, event))


@pytest.mark.parametrize(
    "event",
    [
        {"pull_request": {"number": 7}},
        {"workflow_run": {"pull_requests": [{"number": 7}]}},
        {"issue": {"number": 7, "pull_request": {}}},
    ],
)
def test_a_pull_request_gets_a_review_whose_suggestions_can_be_committed(
    github: GitHub, tmp_path: Path, event: dict[str, Any]
) -> None:
    assert posted(github, tmp_path, event, result(tmp_path)).endswith("/repos/acme/shop/pulls/7/reviews")
    ((path, token, sent),) = github.posts
    assert (path, token, sent["event"]) == ("/repos/acme/shop/pulls/7/reviews", "Bearer secret", "COMMENT")
    (comment,) = sent["comments"]
    assert (comment["path"], comment["line"], comment["side"]) == ("Maths.java", 3, "RIGHT")
    assert comment["body"].endswith("```suggestion\n        return n / 2;\n```")


def test_lines_outside_of_the_diff_are_shown_in_the_review_s_text(github: GitHub, tmp_path: Path) -> None:
    github.outside = True
    posted(github, tmp_path, {"pull_request": {"number": 7}}, result(tmp_path))
    _, _, sent = github.posts[-1]
    assert "comments" not in sent
    assert "```diff\n--- a/Maths.java" in sent["body"]


def test_the_title_of_an_issue_calls_nobody_and_shows_nothing(github: GitHub, tmp_path: Path) -> None:
    """Who writes an issue wrote markup, names and pictures of a stranger's server into the review."""
    title = "@octocat #1 ![x](https://evil.test/x.png) <details open> <!-- ``x` \x1b[2J \u202e"
    found = replace(result(tmp_path), title=title)
    quoted = r"``` @octocat #1 ![x](https://evil.test/x.png) <details open> <!-- ``x` \x1b[2J \u202e ```"
    posted(github, tmp_path, {"issue": {"number": 7}}, found)
    assert f"Suggestions for {quoted}: `half(int)` in" in github.posts[-1][2]["body"]
    assert exports.github_suggestion(found).startswith(f"{quoted}: `half(int)` in")


def test_an_issue_gets_a_comment(github: GitHub, tmp_path: Path) -> None:
    posted(github, tmp_path, {"issue": {"number": 3}}, result(tmp_path))
    ((path, _, sent),) = github.posts
    assert path == "/repos/acme/shop/issues/3/comments"
    assert "+        return n / 2;" in sent["body"]
    assert "**#1 changes" in sent["body"]


@pytest.mark.parametrize("event", [{"pull_request": {"number": 7}}, {"issue": {"number": 7}}])
def test_the_same_suggestions_of_another_leg_are_posted_once(
    github: GitHub, tmp_path: Path, event: dict[str, Any]
) -> None:
    """Each leg of a matrix posted a review of its own."""
    github.older = 130
    first = result(tmp_path)
    posted(github, tmp_path, event, first)
    assert posted(github, tmp_path, event, replace(first, judged=first.judged + 1)).endswith("#0")
    assert len(github.posts) == 1
    posted(github, tmp_path, event, replace(first, suggestions=()))
    assert len(github.posts) == 2, "what is not the same is posted"


def test_nothing_found_is_said(github: GitHub, tmp_path: Path) -> None:
    posted(github, tmp_path, {"pull_request": {"number": 7}}, replace(result(tmp_path), suggestions=()))
    assert "No suggestion: `half(int)` in `Maths.java`, line 2. " in github.posts[0][2]["body"]


def vain(repo: Path) -> SuggestResult:
    """Where no edit makes the test pass that decides."""
    idle = result(repo)
    sought = Sought(
        ("MathsTest::half",), {"Maths#half(int)": 9}, (Likely("Maths#half(int)", "Maths.java", 2, "why"),)
    )
    return replace(idle, suggestions=(), vain=idle.suggestions, sought=sought)


def test_where_a_failing_test_decides_what_mends_none_is_not_posted(github: GitHub, tmp_path: Path) -> None:
    """Five edits that delete something stood in the review, each with "changes no test result"."""
    found = vain(tmp_path)
    posted(github, tmp_path, {"pull_request": {"number": 7}}, found)
    told = github.posts[0][2]["body"]
    assert "No suggestion: `half(int)` in `Maths.java`, line 2." in told
    for text in (told, exports.github_suggestion(found)):
        assert "`no edit of Maths#half(int) makes MathsTest#half pass (9 judged)`" in text
        assert text.rstrip().endswith("- `Maths#half(int)` in `Maths.java`, line 2")
    assert "comments" not in github.posts[0][2]


@pytest.mark.parametrize("some", [True, False])
def test_a_review_says_that_time_was_too_short(tmp_path: Path, some: bool) -> None:
    """Only the terminal did, and JSON."""
    found = replace(result(tmp_path) if some else vain(tmp_path), late=True)
    for text in (review.body(found), exports.github_suggestion(found)):
        assert "\n\nTime was too short: not all edits were judged.\n\n" in text


def test_what_mends_nothing_is_kept_as_judged_and_is_no_suggestion(tmp_path: Path) -> None:
    found = vain(tmp_path)
    told = json.loads(exports.as_json(found))
    assert (told["suggestions"], told["vain"][0]["label"]) == ([], "changes no test result")
    assert told["sought"]["told"] == "no edit of Maths#half(int) makes MathsTest#half pass (9 judged)"
    assert exports.patch(found) == b""
    assert json.loads(exports.sarif(found))["runs"][0]["results"] == []


def test_what_github_refuses_is_told_without_the_token(github: GitHub, tmp_path: Path) -> None:
    github.closed = True
    with pytest.raises(InfrastructureError, match="answered 403: Resource not accessible") as raised:
        posted(github, tmp_path, {"issue": {"number": 3}}, result(tmp_path))
    assert "secret" not in str(raised.value)
    assert "may not write there, as one for a pull request from a fork" in str(raised.value)


def test_a_busy_github_is_asked_again_when_it_says_so(github: GitHub, tmp_path: Path) -> None:
    github.busy = 2
    posted(github, tmp_path, {"issue": {"number": 3}}, result(tmp_path))
    assert len(github.posts) == 3
    github.busy = 9
    with pytest.raises(InfrastructureError, match="secondary rate limit$"):
        posted(github, tmp_path, {"issue": {"number": 4}}, result(tmp_path))


def test_of_more_than_github_takes_the_best_are_shown(github: GitHub, tmp_path: Path) -> None:
    one = result(tmp_path)
    (best,) = one.suggestions
    long = replace(best, rank=2, patch=best.patch + "+x\n" * review.LARGEST)
    posted(github, tmp_path, {"issue": {"number": 3}}, replace(one, suggestions=(best, long)))
    body = github.posts[0][2]["body"]
    assert len(body) <= review.LARGEST
    assert "+        return n / 2;" in body
    assert body.endswith("Left out here as GitHub takes no longer text: 1 of 2, which the job's report has.")


def test_a_project_in_a_folder_of_the_repository_gets_its_comments_at_its_files(
    github: GitHub, tmp_path: Path
) -> None:
    where = replace(place(github, tmp_path, {"pull_request": {"number": 7}}), checkout=tmp_path.parent)
    review.post(result(tmp_path), where)
    assert github.posts[0][2]["comments"][0]["path"] == f"{tmp_path.name}/Maths.java"


def test_a_server_that_is_not_there_is_told(github: GitHub, tmp_path: Path) -> None:
    where = place(github, tmp_path, {"issue": {"number": 3}})
    nowhere = review.Place("http://127.0.0.1:9", where.repository, where.token, 3, False)
    with pytest.raises(InfrastructureError, match="cannot post to http://127.0.0.1:9"):
        review.post(result(tmp_path), nowhere)


def test_an_event_that_leads_nowhere_is_told(github: GitHub, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no pull request and no issue"):
        place(github, tmp_path, {"push": {}})
    with pytest.raises(UsageError, match="GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_TOKEN is not set"):
        review.place({})
    with pytest.raises(UsageError, match="cannot read GitHub's event"):
        review.place(
            {"GITHUB_EVENT_PATH": str(tmp_path / "x"), "GITHUB_REPOSITORY": "a/b", "GITHUB_TOKEN": "t"}
        )
