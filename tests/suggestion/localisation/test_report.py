from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.errors import Nl2fixError, UsageError
from nl2fix.suggestion.localisation import report
from nl2fix.suggestion.localisation.report import IssueReport
from tests.trackers.tracker_server import Answer, tracker

TRACE = """Parser dies on empty input

It worked last week.

Exception in thread "main" java.lang.StringIndexOutOfBoundsException: 0
\tat java.base/java.lang.String.charAt(String.java:693)
\tat org.acme.Parser$Token.first(Parser.java:41)
\tat org.acme.Parser.<init>(Parser.java:12)
\tat org.acme.Main.main(Main.java)
"""


def test_first_line_is_the_title() -> None:
    parsed = report.parse("\n\n# Crash on start \n\nIt crashes.\nAlways.\n")
    assert parsed == report.IssueReport("Crash on start", "It crashes.\nAlways.")


def test_an_issue_in_one_long_line_keeps_all_its_text() -> None:
    parsed = report.parse("word " * 100)
    assert len(parsed.title) <= report.TITLE_LENGTH
    assert parsed.description == ("word " * 100).strip()


def test_a_log_is_no_issue() -> None:
    with pytest.raises(UsageError, match="more than 1000000; leave in what tells the bug"):
        report.parse("wrong\n" * 300_000)


@pytest.mark.parametrize("text", ["", "  \n \n"])
def test_an_empty_issue_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="issue is empty"):
        report.parse(text)


@pytest.mark.parametrize(
    "text", ["https://github.com/a/b/issues/147\n", "<http://a.org/1>\n\nhttp://a.org/2"]
)
def test_an_issue_that_is_only_an_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="nothing but an address; .* --issue-url ADDRESS reads"):
        report.parse(text)


def test_an_address_beside_words_is_an_issue() -> None:
    assert report.parse("https://a.org/1 crashes").title == "https://a.org/1 crashes"


@given(st.text())
def test_any_other_text_has_a_title(text: str) -> None:
    if text.strip().lstrip("\ufeff").strip():
        try:
            assert report.parse(text).text.strip()
        except UsageError:
            assert not text.strip().lstrip("\ufeff").strip("# \n")


def test_frames_of_a_stack_trace() -> None:
    frames = report.frames(TRACE)
    assert [(f.owner, f.method, f.line) for f in frames] == [
        ("java.lang.String", "charAt", 693),
        ("org.acme.Parser$Token", "first", 41),
        ("org.acme.Parser", "<init>", 12),
        ("org.acme.Main", "main", None),
    ]


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the issue"):
        report.read(tmp_path / "none.md")
    (tmp_path / "image.md").write_bytes(b"PNG\0")
    with pytest.raises(UsageError, match=r"image\.md is no text \(byte 3\)$"):
        report.read(tmp_path / "image.md")


def test_a_file_that_is_only_marked_as_utf_16_is_refused() -> None:
    """Its bytes were read as letters of ISO-8859-1, and methods looked for by these."""
    with pytest.raises(UsageError, match=r"^the issue begins as UTF-16 and is none \(byte 2\)$"):
        report.parsed(b"\xff\xfe\0")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_an_issue_is_read_however_its_letters_are_written(tmp_path: Path, encoding: str) -> None:
    """What ``>`` writes in PowerShell was refused as a file, and read as other letters through a pipe."""
    raw = "Café\nis closed".encode(encoding)
    (tmp_path / "issue.md").write_bytes(raw)
    assert report.read(tmp_path / "issue.md") == report.parsed(raw) == IssueReport("Café", "is closed")


def test_an_issue_of_a_companys_own_jira() -> None:
    fields = {"summary": "Off by one", "description": "h1. Why\nThe last page is empty.",
              "created": "2024-01-01T00:00:00.000+0000", "comment": {"comments": [], "total": 0}}  # fmt: skip
    with tracker() as server:
        server.on(
            "/jira/rest/api/2/issue/ACME-7?fields=summary,description,comment,created",
            Answer({"fields": fields}),
        )
        found = report.download(f"{server.base}/jira/browse/ACME-7?focusedId=3#comment")
    assert found.title == "Off by one"
    assert "The last page is empty." in found.description


def test_an_issue_of_a_companys_own_github_gets_no_token_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    body = {"title": "Off by one", "body": "Empty page", "created_at": "2024-01-01T00:00:00Z", "comments": 0}
    with tracker() as server:
        server.on("/api/v3/repos/acme/pager/issues/7", Answer(body))
        found = report.download(f"{server.base}/acme/pager/issues/7")
        assert all("authorization" not in headers for _, _, headers in server.requests)
    assert found == report.IssueReport("Off by one", "Empty page", "7")


def test_an_issue_that_is_not_there_is_told() -> None:
    with (
        tracker() as server,
        pytest.raises(
            Nl2fixError, match="ACME-8: jira has no such issue; one that is not public wants a key"
        ),
    ):
        report.download(f"{server.base}/browse/ACME-8")


def test_an_address_of_no_issue_is_wrong_usage() -> None:
    """Its exit status was that of failed work."""
    with pytest.raises(UsageError, match="is not the address of an issue"):
        report.download("https://example.org/x")


CAUSED = """java.lang.IllegalStateException: cannot handle x
\tat a.Service.handle(Service.java:13)
\tat a.Main.main(Main.java:7)
Caused by: java.lang.NullPointerException
\tat a.Store.find(Store.java:13)
\tat a.Service.handle(Service.java:11)
\t... 1 more
"""
LOGGED = "2026-01-02 10:11:12,123 ERROR [main] "


@pytest.mark.parametrize(
    "write",
    [
        lambda line: line,
        lambda line: line.replace("at ", "at app//"),
        lambda line: line.replace("at ", "at shop.core@1.2.3/"),
        lambda line: line.replace("at ", "at deployment.shop.war//"),
        lambda line: LOGGED + line,
        lambda line: "> " + line,
    ],
)
def test_what_was_thrown_comes_first_however_a_trace_is_written(write: Callable[[str], str]) -> None:
    """Frames of who wraps an exception came first, and those that Gradle, logs and quotes write were none."""
    text = "\n".join(map(write, CAUSED.splitlines()))
    assert [(frame.owner, frame.line) for frame in report.frames(text)] == [
        ("a.Store", 13),
        ("a.Service", 11),
        ("a.Service", 13),
        ("a.Main", 7),
    ]
    assert "Store" not in report.without_frames(text)


def test_two_exceptions_keep_their_order_and_prose_its_words() -> None:
    first = "\tat a.A.one(A.java:1)\n"
    text = f"E\n{first}and then\nF\n{first.replace('A', 'B')}It fails at a.C.three(C.java:3) at times"
    assert [frame.owner for frame in report.frames(text)] == ["a.A", "a.B", "a.C"]
    assert report.without_frames(text).split() == ["E", "and", "then", "F", "It", "fails", "at", "times"]


@pytest.mark.parametrize(
    "code",
    [
        "```java\nuse(it)\n```",
        "{code:java}\nuse(it)\n{code}",
        "    use(it)",
        "use(it);",
        "import it.it",
        "<pre>use(it)</pre>",
    ],
)
def test_code_that_stands_for_itself_is_told_from_prose(code: str) -> None:
    prose, taken = report.prose_and_code(f"It is used (as `it`) like this:\n{code}\nand fails.")
    assert taken == code
    assert prose.split() == ["It", "is", "used", "(as", "`it`)", "like", "this:", "and", "fails."]


def test_an_issue_of_many_empty_lines_is_read_once() -> None:
    """From each of half a million empty lines on all others were read, for an hour."""
    gap = "\n" * 500_000
    trace = "\tat org.acme.Pager.count(Pager.java:12)"
    assert [frame.line for frame in report.frames(f"Wrong{gap}{trace}")] == [12]
    assert report.prose_and_code(f"Wrong count{gap}int pages = 0;")[1].split() == ["int", "pages", "=", "0;"]
