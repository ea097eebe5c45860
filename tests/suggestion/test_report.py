from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.errors import UsageError
from nl2fix.suggestion import report

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
    assert parsed == report.Report("Crash on start", "It crashes.\nAlways.")


def test_an_issue_in_one_long_line_keeps_all_its_text() -> None:
    parsed = report.parse("word " * 100)
    assert len(parsed.title) <= report.TITLE_LENGTH
    assert parsed.description == ("word " * 100).strip()


@pytest.mark.parametrize("text", ["", "  \n \n"])
def test_an_empty_issue_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="issue is empty"):
        report.parse(text)


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
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    with pytest.raises(UsageError, match=r"not UTF-8 text \(byte 3\)"):
        report.read(tmp_path / "latin.md")
