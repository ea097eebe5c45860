"""Results as surefire and Gradle write them, and what is no result."""

from __future__ import annotations

from pathlib import Path

import pytest

from nl2fix.core.errors import DataError, UsageError
from nl2fix.suggestion.localisation import localise, report, surefire
from tests.suggestion.conftest import PAGER

TRACE = """java.lang.AssertionError: expected:&lt;2&gt; but was:&lt;3&gt;
	at org.junit.Assert.fail(Assert.java:89)
	at examples.pages.Pager.pageCount(Pager.java:40)
	at examples.pages.PagerTest.fullLastPage(PagerTest.java:22)"""
PLAIN = TRACE.replace("&lt;", "<").replace("&gt;", ">")
SUREFIRE = f"""<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="examples.pages.PagerTest" time="0.1" tests="4" errors="1" skipped="1" failures="2">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="first" classname="examples.pages.PagerTest" time="0.001"/>
  <testcase name="fullLastPage" classname="examples.pages.PagerTest" time="0.002">
    <failure message="expected:&lt;2&gt; but
 was:&lt;3&gt;" type="java.lang.AssertionError"><![CDATA[{PLAIN}]]></failure>
    <system-out>noise</system-out>
  </testcase>
  <testcase name="sizes(int)[2]" classname="examples.pages.PagerTest">
    <error type="x.Y">{TRACE}</error>
  </testcase>
  <testcase name="later" classname="examples.pages.PagerTest"><skipped/></testcase>
</testsuite>
"""


def results(folder: Path, content: str = SUREFIRE) -> Path:
    (folder / "TEST-examples.pages.PagerTest.xml").write_text(content)
    return folder


def test_failures_and_errors_are_triggers_with_their_traces(tmp_path: Path) -> None:
    first, second = surefire.failed_tests(results(tmp_path))
    assert first.test == "examples.pages.PagerTest::fullLastPage"
    assert first.message == "expected:<2> but was:<3>"
    assert second.test == "examples.pages.PagerTest::sizes"
    assert second.message == "x.Y"
    asked = surefire.as_report(first)
    assert asked.title == "examples.pages.PagerTest#fullLastPage fails: expected:<2> but was:<3>"
    frames = [frame.method for frame in report.frames(asked.description)]
    assert frames == ["fail", "pageCount", "fullLastPage"]


def test_the_trace_leads_to_the_method(tmp_path: Path, repo: Path) -> None:
    asked = surefire.as_report(surefire.failed_tests(results(tmp_path))[0])
    first = localise.likeliest(asked, [repo / PAGER])[0]
    assert first.name == "examples.pages.Pager#pageCount()"
    assert "stack trace" in first.why


def test_what_is_no_failed_build_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no TEST-\*\.xml"):
        surefire.failed_tests(tmp_path / "nowhere")
    results(tmp_path, '<testsuite><testcase name="a" classname="B"/></testsuite>')
    with pytest.raises(UsageError, match="no test failed in the 1 results"):
        surefire.failed_tests(tmp_path)
    for broken in ("<testsuite", '<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>'):
        results(tmp_path, broken)
        with pytest.raises(DataError):
            surefire.failed_tests(tmp_path)


def test_a_test_with_a_name_of_its_own_is_found_in_its_trace(tmp_path: Path) -> None:
    """Gradle shows what ``@DisplayName`` says, which no ``--trigger`` can be."""
    shown = SUREFIRE.replace('name="fullLastPage"', 'name="a full last page is the last"')
    assert surefire.failed_tests(results(tmp_path, shown))[0].test == "examples.pages.PagerTest::fullLastPage"
