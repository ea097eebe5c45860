"""The local page over real HTTP and in a real browser."""

from __future__ import annotations

import http.client
import json
import socket
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from nl2fix.core.changes import unified
from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.core.records import Evidence, sha256_text
from nl2fix.core.store import RunStore
from nl2fix.server import pages
from nl2fix.server.pages import Server
from nl2fix.server.views import SuggestPage
from nl2fix.suggestion.output import exports
from nl2fix.suggestion.output.result import KeptTest, Likely, Rejected, Sought, Suggestion, SuggestResult
from tests.report.conftest import BROKEN
from tests.study import golden

if TYPE_CHECKING:
    from playwright.sync_api import Page

BEFORE = "int half(int n) {\n        return n * 2;\n    }"
AFTER = BEFORE.replace("*", "/")


def text(code: str) -> str:
    return f"class Maths {{\n    {code}\n}}\n"


def result(repo: Path, complete: bool = False) -> SuggestResult:
    patch = unified("Maths.java", text(BEFORE), text(AFTER))
    evidence = Evidence("done", built=True, tests_run=3, tests_expected=3, confirmed=True)
    does, why = "changes `*` to `<i>/</i>`", "proposed <b>twice</b>"
    suggestion = Suggestion(
        *(1, AFTER, text(AFTER), does, patch, evidence, why, 2, (), (), 3, 3),
        calls=40,
        changes=("half(4): 8 → 2", "half(6): <b>12</b> → 3"),
    )
    return SuggestResult(
        repo=str(repo),
        file="Maths.java",
        method="half(int)",
        line=2,
        column=5,
        title="half doubles <script>alert(1)</script>",
        issue="half(4) is 8",
        before=BEFORE,
        suggestions=(suggestion,),
        judged=4,
        outcomes={"plausible": 1, "wrong": 3},
        tests=3,
        failing=(),
        complete=complete,
        seconds=1.0,
        rejected=(
            Rejected("wrong", "fails MathsTest#<b>half</b>", (1, 2)),
            Rejected("no_edit", "no code", (5,)),
        ),
        file_sha256=sha256_text(text(BEFORE)),
    )


States = list[SuggestResult]
NEW = "class MathsTest { }\n"


def kept(rank: int, line: int) -> KeptTest:
    """A test of the second line; the first has none."""
    if line == 1:
        raise Nl2fixError("no test written: half(int) is private")
    return KeptTest(rank, line, "half(6): 12 → 3", "MathsTest#half", "MathsTest.java", "half", NEW, True, "")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "Maths.java").write_text(text(BEFORE))
    return tmp_path


@pytest.fixture
def served(repo: Path) -> Iterator[tuple[Server, States]]:
    states = [result(repo)]
    server = Server(SuggestPage(lambda: states[-1], kept))
    yield server, states
    server.close()


def ask(
    url: str, method: str = "GET", path: str = "", body: bytes | None = None, host: str = ""
) -> tuple[int, str]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    connection.request(method, parts.path + path, body, {"Host": host} if host else {})
    reply = connection.getresponse()
    return reply.status, reply.read().decode()


def test_whoever_says_nothing_is_not_waited_for(
    served: tuple[Server, States], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine hundred connections on which nothing came held nine hundred threads until the end."""
    assert pages.PATIENCE <= 60
    monkeypatch.setattr(pages, "PATIENCE", 0.2)
    parts = urlsplit(served[0].url)
    head = f"POST {parts.path}apply HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    for begun in ("", "GET ", head):
        with socket.create_connection((parts.hostname, parts.port), timeout=10) as silent:
            silent.sendall(begun.encode())
            assert silent.recv(1) == b""


def test_only_who_knows_the_token_gets_anything(served: tuple[Server, States]) -> None:
    url = served[0].url
    assert urlsplit(url).hostname == "127.0.0.1"
    assert ask(url)[0] == 200
    parts = urlsplit(url)
    for path in ("/", "/wrong/", "/wrong/result", parts.path[:-2] + "/"):
        assert ask(f"http://{parts.netloc}{path}")[0] == 404
    assert ask(url, "POST", "elsewhere", b"{}")[0] == 404


@pytest.mark.parametrize("name", ["evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example"])
def test_a_page_elsewhere_cannot_come_by_another_name(name: str, served: tuple[Server, States]) -> None:
    assert ask(served[0].url, host=name)[0] == 404


@pytest.mark.parametrize("name", ["localhost:9000", "10.0.0.7:9000", "[::1]:9000"])
def test_a_forwarded_port_leads_to_the_page(name: str, served: tuple[Server, States]) -> None:
    assert ask(served[0].url, host=name)[0] == 200


def test_a_page_for_other_machines_is_found_by_the_machines_address(repo: Path) -> None:
    """``http://0.0.0.0:…`` was printed, which leads nowhere from another machine."""
    server = Server(SuggestPage(lambda: result(repo), kept), "0.0.0.0")
    try:
        host = urlsplit(server.url).hostname or ""
        assert host != "0.0.0.0"
        assert ask(server.url)[0] == ask(server.url.replace(host, "127.0.0.1"))[0] == 200
    finally:
        server.close()


@pytest.mark.skipif(not Path("/proc/net/if_inet6").exists(), reason="needs IPv6")
@pytest.mark.parametrize("host", ["::1", "::"])
def test_a_page_is_served_by_ipv6_too(repo: Path, host: str) -> None:
    server = Server(SuggestPage(lambda: result(repo), kept), host)
    try:
        assert "//[" in server.url and "//[::]" not in server.url
        assert ask(server.url)[0] == 200
    finally:
        server.close()


def test_the_result_is_what_the_session_shows(served: tuple[Server, States], repo: Path) -> None:
    server, page = served
    assert json.loads(ask(server.url, path="result")[1])["complete"] is False
    page.append(result(repo, complete=True))
    assert json.loads(ask(server.url, path="result")[1])["complete"] is True


def test_apply_writes_the_patch_once(served: tuple[Server, States], repo: Path) -> None:
    url = served[0].url
    body = json.dumps({"rank": 1, "code": AFTER}).encode()
    status, said = ask(url, "POST", "apply", body)
    assert (status, "applied" in said) == (200, True)
    assert (repo / "Maths.java").read_text() == text(AFTER)
    status, said = ask(url, "POST", "apply", body)
    assert status == 409
    assert "changed meanwhile" in said


def test_a_line_is_kept_as_a_test_and_never_over_another(served: tuple[Server, States], repo: Path) -> None:
    url = served[0].url
    first, second = (json.dumps({"rank": 1, "code": AFTER, "line": line}).encode() for line in (1, 2))
    assert ask(url, "POST", "apply", first) == (409, "no test written: half(int) is private")
    status, said = ask(url, "POST", "apply", second)
    assert (status, said) == (200, f"MathsTest#half written to {repo / 'MathsTest.java'}")
    assert (repo / "MathsTest.java").read_text() == NEW
    assert (repo / "Maths.java").read_text() == text(BEFORE)
    assert ask(url, "POST", "apply", second)[0] == 409


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b'{"rank": "x", "code": "y"}', b'{"code": "y"}', b"\xff"),
        *(b'{"rank":1,"code":"y","line":"2"}', b'{"rank":1,"code":"y","line":true}'),
        *(b"[" * 100_000, b'{"rank":1e999,"code":"y"}', b'{"rank":NaN,"code":"y"}', b'{"rank":1,"code":[]}'),
    ],
)
def test_malformed_requests_change_nothing(served: tuple[Server, States], repo: Path, body: bytes) -> None:
    assert ask(served[0].url, "POST", "apply", body)[0] == 400
    assert (repo / "Maths.java").read_text() == text(BEFORE)


def test_a_client_that_hangs_up_is_no_traceback(
    served: tuple[Server, States], capfd: pytest.CaptureFixture[str]
) -> None:
    parts = urlsplit(served[0].url)
    head = f"POST {parts.path}apply HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 1000\r\n\r\n{{"
    get = f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n"
    for request in (head, get) * 3:
        client = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=10)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset on close
        client.sendall(request.encode())
        client.close()
    assert ask(served[0].url)[0] == 200
    served[0].close()
    assert capfd.readouterr().err == ""


def test_the_page_of_a_run_is_made_once_until_the_run_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nl2fix.report import html
    from nl2fix.server.views import RunPage

    folder = golden.write(tmp_path / "alpha", "alpha")
    made: list[object] = []

    def report(*given: object) -> str:
        made.append(given)
        return f"page {len(made)}"

    monkeypatch.setattr(html, "run_report", report)
    page = RunPage(folder)
    assert {page.html("/x") for _ in range(3)} == {"page 1"}
    assert page.result()["samples"] == 24
    with RunStore(folder, writable=True) as store:
        store.set_excluded({"G-1": "broken"}, ["G-1"])
    assert page.html("/x") == "page 2"
    assert page.result()["samples"] == 18


def test_a_run_that_cannot_be_read_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from nl2fix.server.views import RunPage

    folder = golden.write(tmp_path / "alpha", "alpha")
    (folder / "run.json").write_text("{")
    server = Server(RunPage(folder))
    status, said = ask(server.url)
    server.close()
    assert (status, "is damaged" in said, capfd.readouterr().err) == (500, True, "")


def test_a_run_that_was_moved_away_while_it_is_shown_is_told_so(tmp_path: Path) -> None:
    """The page said that the server had failed."""
    from nl2fix.server.views import RunPage

    folder = golden.write(tmp_path / "alpha", "alpha")
    server = Server(RunPage(folder))
    assert ask(server.url)[0] == 200
    folder.rename(tmp_path / "elsewhere")
    told = [ask(f"{server.url}{path}") for path in ("", "result")]
    server.close()
    assert told == [(410, f"{folder} was moved or removed; serve the run where it lies now")] * 2


def test_code_that_was_never_suggested_is_refused(served: tuple[Server, States], repo: Path) -> None:
    body = json.dumps({"rank": 1, "code": "int half(int n) { hack(); }"}).encode()
    assert ask(served[0].url, "POST", "apply", body)[0] == 409
    assert (repo / "Maths.java").read_text() == text(BEFORE)


def test_a_port_in_use_is_told(served: tuple[Server, States]) -> None:
    server, states = served
    with pytest.raises(UsageError, match="choose another --host or --port"):
        Server(SuggestPage(lambda: states[-1], kept), port=urlsplit(server.url).port or 0)


def test_a_run_has_nothing_to_apply(tmp_path: Path) -> None:
    from nl2fix.server.views import RunPage

    with pytest.raises(Nl2fixError, match="nothing to apply"):
        RunPage(tmp_path).apply(1, "x", None)


@pytest.fixture
def tab(browser: str) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        yield chromium.new_page()
        chromium.close()


@pytest.mark.browser
def test_a_new_suggestion_takes_no_answer_no_focus_and_opens_nothing_that_was_closed(
    served: tuple[Server, States], repo: Path, tab: Page
) -> None:
    server, states = served
    tab.goto(server.url)
    tab.click("text=Apply to the work tree")
    tab.wait_for_selector("text=applied to")
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    now = result(repo)
    late = replace(now.suggestions[0], rank=2, code=BEFORE.replace("2", "4"))
    states.append(replace(now, suggestions=(*now.suggestions, late)))
    tab.wait_for_selector("details.candidate >> nth=1")
    assert tab.locator("details.candidate[open]").count() == 0
    tab.keyboard.press("Enter")
    assert tab.is_visible("text=applied to")


@pytest.mark.browser
def test_a_button_says_that_the_server_has_ended(
    served: tuple[Server, States], repo: Path, tab: Page
) -> None:
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    served[1].append(result(repo, complete=True))
    tab.goto(served[0].url)
    tab.wait_for_selector("#state:has-text('Finished')")
    tab.route("**/apply", lambda route: route.abort())
    tab.click("text=Apply to the work tree")
    tab.wait_for_selector("details.candidate >> text=The server has ended.")
    assert problems == []


@pytest.mark.browser
def test_a_saved_page_of_a_session_that_was_stopped_says_so(repo: Path, tab: Page, tmp_path: Path) -> None:
    """ "Working" it said, and nobody did."""
    exports.save(result(repo), tmp_path)
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("#state:has-text('Stopped early: ')")


@pytest.mark.browser
def test_a_page_says_that_time_was_too_short(repo: Path, tab: Page, tmp_path: Path) -> None:
    """ "Finished" it said, as of all edits."""
    exports.save(replace(result(repo, complete=True), late=True), tmp_path)
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("#state:has-text('Time was too short, not all edits were judged: 4 candidates')")


@pytest.mark.browser
def test_where_no_edit_makes_the_failing_test_pass_the_page_has_what_was_judged_and_offers_nothing(
    repo: Path, tab: Page
) -> None:
    """Five edits that change nothing tested stood among the suggestions."""
    idle = result(repo, complete=True)
    places = (Likely("Maths#half(int)", "Maths.java", 2, "<b>why</b>"),)
    sought = Sought(("MathsTest::half",), {"Maths#half(int)": 4}, places)
    server = Server(
        SuggestPage(lambda: replace(idle, suggestions=(), vain=idle.suggestions, sought=sought), kept)
    )
    tab.goto(server.url)
    tab.wait_for_selector("text=no edit of Maths#half(int) makes MathsTest#half pass (4 judged)")
    assert tab.inner_text("#sought li") == "Maths#half(int) in Maths.java, line 2 (<b>why</b>)"
    assert tab.locator("#list details").count() == 0
    tab.click("#vain summary")
    assert tab.locator("#vain table.diff mark").all_inner_texts() == ["*", "/"]
    assert tab.locator("button").count() == 0
    assert tab.locator("#list").inner_text() == "No suggestion."
    assert not tab.is_visible("#keys")
    server.close()


@pytest.mark.browser
def test_on_paper_all_suggestions_have_their_edits(repo: Path, tab: Page, tmp_path: Path) -> None:
    """Only the first had its edit, as the others were closed."""
    one = result(repo, complete=True)
    other = replace(one.suggestions[0], rank=2, code=BEFORE.replace("2", "4"))
    exports.save(replace(one, suggestions=(*one.suggestions, other)), tmp_path)
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("details.candidate:not([open])")
    tab.pdf()
    assert tab.locator("details:not([open])").count() == 0


@pytest.mark.browser
def test_a_long_call_makes_a_page_on_a_telephone_no_wider(repo: Path, tab: Page, tmp_path: Path) -> None:
    """Of prettytime it was 544 points wide."""
    long = f"half(4) on Maths({'format' * 20}): 8 → 2"
    found = result(repo)
    exports.save(replace(found, suggestions=(replace(found.suggestions[0], changes=(long,)),)), tmp_path)
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("text=formatformat")
    assert tab.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.browser
def test_on_a_telephone_no_name_is_broken_and_no_key_is_told(repo: Path, tab: Page, tmp_path: Path) -> None:
    failed = Rejected(
        "wrong", "examples.pages.PagerTest#navigationInTheMiddle: java.lang.AssertionError", (1,)
    )
    exports.save(replace(result(repo, complete=True), rejected=(failed,)), tmp_path)
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("#others li")
    assert "PagerTest#navigationInTheMiddle: java.lang.AssertionError" in tab.inner_text("#others")
    assert tab.locator("#others li").evaluate_all(BROKEN) == []
    assert tab.locator("kbd:visible").count() == 0


@pytest.mark.browser
def test_the_heading_keeps_the_name_of_a_failing_test_whole(repo: Path, tab: Page, tmp_path: Path) -> None:
    """A session from a failed build is called after its test, which stood as "fullLa" and "stPage"."""
    title = "org.acme.PagerTest#fullLastPage fails: it's <3>"
    exports.save(replace(result(repo, complete=True), title=title), tmp_path)
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto((tmp_path / "suggestions.html").as_uri())
    assert tab.inner_text("h1") == title
    assert tab.locator("h1").evaluate_all(BROKEN) == []


@pytest.mark.browser
def test_what_can_be_kept_as_a_test_is_told_once(served: tuple[Server, States], tab: Page) -> None:
    """Each line stood once with its button and once without."""
    tab.goto(served[0].url)
    tab.wait_for_selector(".change")
    assert tab.locator(".change code").all_inner_texts() == ["half(4): 8 → 2", "half(6): <b>12</b> → 3"]
    assert tab.locator(".seen").count() == 0


@pytest.mark.browser
def test_one_is_not_told_as_several(repo: Path, tab: Page, tmp_path: Path) -> None:
    """ "1 candidates judged with 1 tests" it said; the terminal did not."""
    one = replace(result(repo, complete=True), judged=1, tests=1)
    exports.save(replace(one, outcomes={"plausible": 1}), tmp_path)
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("#state:has-text('1 candidate judged (1 plausible) with 1 test.')")


@pytest.mark.browser
def test_reasons_that_read_alike_are_counted_together(repo: Path, tab: Page, tmp_path: Path) -> None:
    """Of three methods that were tried one reason stood three times, and nothing told them apart."""
    methods = (("half(int)", 3), ("third(int)", 1), ("twice(int)", 2))
    same = [Rejected("wrong", "MathsTest#half: 2", tuple(range(n)), method) for method, n in methods]
    other = Rejected("no_edit", "no code", (7, 8, 9, 10), "half(int)")
    exports.save(replace(result(repo, complete=True), rejected=(other, *same)), tmp_path)
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("#others li")
    assert tab.locator("#others li").all_inner_texts() == [
        "6 × wrong: MathsTest#half: 2",
        "4 × no edit: no code",
    ]


@pytest.mark.browser
def test_no_comma_stands_alone_between_the_tests_that_an_edit_fixes(
    repo: Path, tab: Page, tmp_path: Path
) -> None:
    found = result(repo, complete=True)
    names = ("capacityOfOneKeepsTheLastEntry", "holdsAsManyEntriesAsItsCapacity")
    fixes = tuple(f"examples.cache.LruCacheTest::{name}" for name in names)
    exports.save(replace(found, suggestions=(replace(found.suggestions[0], fixes=fixes),)), tmp_path)
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector(".badge")
    alone = """badge => {
        const texts = document.createTreeWalker(badge, NodeFilter.SHOW_TEXT), tops = new Map();
        while (texts.nextNode()) [...texts.currentNode.data].forEach((sign, at) => {
            const range = document.createRange();
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at + 1);
            const top = range.getBoundingClientRect().top;
            tops.set(top, (tops.get(top) ?? "") + sign);
        });
        return [...tops.values()].map((line) => line.trim());
    }"""
    assert "," not in tab.locator(".badge").evaluate(alone)


SHIFTS = """() => new Promise((told) => {
    let shifts = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifts += entry.value; }))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => told(shifts), 200);
})"""


@pytest.mark.browser
def test_nothing_jumps_while_a_page_opens(repo: Path, tab: Page, tmp_path: Path) -> None:
    """The issue and the method were painted first, and the suggestions pushed them down."""
    exports.save(result(repo, complete=True), tmp_path)
    tab.goto((tmp_path / "suggestions.html").as_uri())
    tab.wait_for_selector("details.candidate")
    assert tab.evaluate(SHIFTS) == 0


@pytest.mark.browser
def test_without_javascript_it_is_told_what_is_missing(repo: Path, browser: str, tmp_path: Path) -> None:
    """Two headings stood there with nothing below."""
    from playwright.sync_api import sync_playwright

    exports.save(result(repo, complete=True), tmp_path)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(java_script_enabled=False)
        page.goto((tmp_path / "suggestions.html").as_uri())
        assert "needs JavaScript." in page.inner_text("main")
        assert page.is_visible("text=The method today")
        chromium.close()


@pytest.mark.browser
def test_the_page_fills_follows_and_applies_in_a_browser(
    served: tuple[Server, States], repo: Path, browser: str
) -> None:
    from playwright.sync_api import sync_playwright

    server, page = served
    problems: list[str] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        tab = chromium.new_page()
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.on("dialog", lambda dialog: problems.append("a script of the issue ran"))
        tab.goto(server.url)
        tab.wait_for_selector("details.candidate[open] table.diff")
        assert "Working" in tab.inner_text("#state")
        assert tab.inner_text("h1") == "half doubles <script>alert(1)</script>"
        assert tab.locator("mark").all_inner_texts() == ["*", "/"]
        assert tab.locator(".does code").all_inner_texts() == ["*", "<i>/</i>"]
        below = tab.locator("table.diff ~ .change").all_inner_texts()
        assert "half(4): 8" in tab.inner_text("summary") and any("half(6): <b>12</b> → 3" in b for b in below)
        told = tab.locator("#others li").all_inner_texts()
        assert told == ["2 × wrong: fails MathsTest#<b>half</b>", "no edit: no code"]
        page.append(result(repo, complete=True))
        tab.wait_for_selector("#state:has-text('Finished')")
        tab.keyboard.press("j")
        tab.keyboard.press("Enter")
        assert tab.locator("details.candidate[open]").count() == 0
        tab.keyboard.press("Enter")
        tab.click("text=Apply to the work tree")
        tab.wait_for_selector("text=applied to")
        tab.click(".change:has-text('<b>12</b> → 3') button")
        tab.wait_for_selector("text=MathsTest#half written to")
        chromium.close()
    assert problems == []
    assert (repo / "Maths.java").read_text() == text(AFTER)
