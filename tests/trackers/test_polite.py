from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest

from nl2fix.core.errors import Interrupted, Nl2fixError
from nl2fix.trackers.polite import Client, Closed, Gone, Politeness
from tests.trackers.tracker_server import Answer, Tracker, tracker

QUICK = Politeness(interval=0.0, timeout=0.6, deadline=1.5, attempts=3, pause=0.01, longest_wait=5.0)


@pytest.fixture
def server() -> Iterator[Tracker]:
    with tracker() as running:
        yield running


def client(server: Tracker, folder: Path, politeness: Politeness = QUICK, token: str = "") -> Client:
    return Client("github", server.base, folder / "raw", token, politeness)


def test_an_answer_is_kept_with_its_origin_and_never_asked_for_again(server: Tracker, tmp_path: Path) -> None:
    server.on("/repos/a/b/issues/1", Answer({"title": "größer"}))
    asked = client(server, tmp_path)
    assert asked.get("/repos/a/b/issues/1") == {"title": "größer"}
    origin = asked.retrieved("/repos/a/b/issues/1")
    assert origin is not None
    assert origin["url"] == f"{server.base}/repos/a/b/issues/1"
    assert origin["status"] == 200
    assert origin["fetched"].startswith("20")
    body = next(p for p in (tmp_path / "raw").iterdir() if not p.name.endswith(".meta.json"))
    assert hashlib.sha256(body.read_bytes()).hexdigest() == origin["sha256"]
    assert client(server, tmp_path).get("/repos/a/b/issues/1") == {"title": "größer"}
    assert server.paths == ["/repos/a/b/issues/1"]


def test_a_harmed_answer_is_fetched_again(server: Tracker, tmp_path: Path) -> None:
    server.on("/x", Answer({"n": 1}))
    client(server, tmp_path).get("/x")
    body = next(p for p in (tmp_path / "raw").iterdir() if not p.name.endswith(".meta.json"))
    body.write_text('{"n": 2')
    assert client(server, tmp_path).get("/x") == {"n": 1}
    assert len(server.paths) == 2


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_gone_is_said_so_and_remembered(server: Tracker, tmp_path: Path, status: int) -> None:
    server.on("/x", Answer({"message": "Not Found"}, status))
    for _ in range(2):
        with pytest.raises(Gone, match=f"gone \\({status}"):
            client(server, tmp_path).get("/x")
    assert len(server.paths) == 1


@pytest.mark.parametrize(
    "trouble",
    [
        Answer({"error": "boom"}, 500),
        Answer(b"<html>maintenance", 503, {"Retry-After": "0"}),
        Answer(b'{"title": "cut of', 200),
        Answer({"title": "long enough"}, cut=True),
        Answer({"title": "late"}, silent=2.0),
        Answer({"title": "dripping"}, drip=0.3),
        Answer({"message": "slow down"}, 429, {"Retry-After": "0"}),
        Answer({"message": "secondary rate limit"}, 403, {"Retry-After": "0"}),
    ],
    ids=["500", "503", "malformed", "cut", "silent", "dripping", "429", "403"],
)
def test_passing_trouble_is_outlived(server: Tracker, tmp_path: Path, trouble: Answer) -> None:
    server.on("/x", trouble, Answer({"title": "fine"}))
    assert client(server, tmp_path).get("/x") == {"title": "fine"}
    assert len(server.paths) == 2


def test_lasting_trouble_ends_in_one_clear_line(server: Tracker, tmp_path: Path) -> None:
    server.on("/x", Answer(b"{", 200))
    with pytest.raises(Nl2fixError, match="not JSON.*run the command again") as caught:
        client(server, tmp_path).get("/x")
    assert "\n" not in str(caught.value)
    assert len(server.paths) == QUICK.attempts
    assert not (tmp_path / "raw").exists()


def test_an_address_where_nothing_listens_is_told(tmp_path: Path) -> None:
    with tracker() as running:
        base = running.base
    with pytest.raises(Nl2fixError, match="no answer"):
        Client("jira", base, tmp_path, "", QUICK).get("/x")


@pytest.mark.parametrize(("token", "words"), [("wrong", "is the token valid"), ("", "it may want a token")])
def test_a_refusal_is_not_repeated(server: Tracker, tmp_path: Path, token: str, words: str) -> None:
    """It was asked whether a token is valid where there was none."""
    server.on("/x", Answer({"message": "Bad credentials"}, 401))
    with pytest.raises(Nl2fixError, match=f"401; {words}"):
        client(server, tmp_path, token=token).get("/x")
    assert len(server.paths) == 1


def test_moved_issues_are_followed(server: Tracker, tmp_path: Path) -> None:
    server.on("/repos/old/b/issues/1", Answer({}, 301, {"Location": "/repositories/7/issues/1"}))
    server.on("/repositories/7/issues/1", Answer({"title": "moved"}))
    assert client(server, tmp_path).get("/repos/old/b/issues/1") == {"title": "moved"}
    assert client(server, tmp_path).get("/repos/old/b/issues/1") == {"title": "moved"}
    assert len(server.paths) == 2


def test_redirects_without_end_are_given_up(server: Tracker, tmp_path: Path) -> None:
    server.on("/x", Answer({}, 302, {"Location": "/x"}))
    with pytest.raises(Nl2fixError, match="redirects"):
        client(server, tmp_path).get("/x")


def test_the_token_goes_to_its_tracker_only(server: Tracker, tmp_path: Path) -> None:
    with tracker() as elsewhere:
        elsewhere.on("/y", Answer({"ok": True}))
        server.on("/x", Answer({}, 301, {"Location": f"{elsewhere.base}/y"}))
        assert client(server, tmp_path, token="secret").get("/x") == {"ok": True}
        assert server.requests[0][2]["authorization"] == "Bearer secret"
        assert "authorization" not in elsewhere.requests[0][2]
    kept = b"".join(path.read_bytes() for path in (tmp_path / "raw").iterdir())
    assert b"secret" not in kept


def test_requests_keep_their_distance(server: Tracker, tmp_path: Path) -> None:
    for n in range(4):
        server.on(f"/{n}", Answer({"n": n}))
    polite = client(server, tmp_path, Politeness(interval=0.1))
    for n in range(4):
        polite.get(f"/{n}")
    times = [moment for moment, _, _ in server.requests]
    assert times[-1] - times[0] >= 0.25


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "1"},
        {"Retry-After": formatdate(time.time() + 2.0, usegmt=True)},
        {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time() + 2))},
    ],
    ids=["seconds", "date", "reset"],
)
def test_demanded_pauses_are_obeyed(server: Tracker, tmp_path: Path, headers: dict[str, str]) -> None:
    if "X-RateLimit-Reset" in headers:
        headers = {**headers, "X-RateLimit-Reset": str(int(time.time() + 2))}
    elif not headers["Retry-After"].isdigit():
        headers = {"Retry-After": formatdate(time.time() + 2.0, usegmt=True)}
    server.on("/x", Answer({}, 429, headers), Answer({"ok": True}))
    assert client(server, tmp_path).get("/x") == {"ok": True}
    first, second = (moment for moment, _, _ in server.requests)
    assert second - first >= 0.8


def test_too_long_a_wait_closes_the_tracker_for_now(server: Tracker, tmp_path: Path) -> None:
    reset = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time() + 3000))}
    server.on("/last", Answer({"n": 1}, 200, reset))
    asked = client(server, tmp_path)
    assert asked.get("/last") == {"n": 1}
    with pytest.raises(Closed, match=r"until \d\d:\d\d UTC; set GITHUB_TOKEN"):
        asked.get("/next")
    assert asked.get("/last") == {"n": 1}
    assert server.paths == ["/last"]


def test_a_refusal_for_an_hour_is_not_waited_for(server: Tracker, tmp_path: Path) -> None:
    server.on("/x", Answer({}, 429, {"Retry-After": "3600"}))
    with pytest.raises(Closed, match="run the command again then"):
        client(server, tmp_path, token="t").get("/x")
    assert len(server.paths) == 1


def test_stopping_ends_a_pause_at_once(server: Tracker, tmp_path: Path) -> None:
    stop = threading.Event()
    asked = Client("jira", server.base, tmp_path, "", Politeness(interval=60.0), stop)
    server.on("/a", Answer({}))
    asked.get("/a")
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(Interrupted):
        asked.get("/b")
    assert server.paths == ["/a"]


def test_paths_that_differ_are_kept_apart(server: Tracker, tmp_path: Path) -> None:
    server.on("/c?page=1", Answer([1]))
    server.on("/c?page=2", Answer([2]))
    asked = client(server, tmp_path)
    assert asked.get("/c?page=1") == [1]
    assert asked.get("/c?page=2") == [2]
    metas = [json.loads(p.read_text()) for p in (tmp_path / "raw").glob("*.meta.json")]
    assert len(metas) == 2


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer({}, 302, {"Location": "file:///etc/passwd"}), "no answer"),
        (Answer({}, 302, {"Location": "http://[::1"}), "leads nowhere"),
        (Answer({}, 302, {"Location": "//[bad]/x"}), "leads nowhere"),
        (Answer(b"[" * 200_000), "answer is not JSON"),
        (Answer(b"<html>log in first</html>"), "answer is not JSON"),
        (Answer({"late": 1}, 429, {"Retry-After": "\xb2"}), "too many requests"),
        (Answer({"late": 1}, 429, {"Retry-After": "9" * 400}), "takes no more requests until"),
        (Answer({"late": 1}, 429, {"X-RateLimit-Reset": "9" * 15, "X-RateLimit-Remaining": "0"}), "takes no"),
    ],
)
def test_what_no_tracker_should_say_is_told(
    server: Tracker, tmp_path: Path, answer: Answer, told: str
) -> None:
    """Four of these ended in an internal error."""
    server.on("/x", answer)
    with pytest.raises(Nl2fixError, match=told):
        client(server, tmp_path).get("/x")


def test_the_token_does_not_follow_a_redirect_that_gives_encryption_up(
    server: Tracker, tmp_path: Path
) -> None:
    server.on("/x", Answer({"n": 1}))
    asked = Client("github", server.base.replace("http:", "https:"), tmp_path, "secret", QUICK)
    asked._once(f"{server.base}/x")
    assert "authorization" not in server.requests[0][2]
