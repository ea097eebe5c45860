from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nl2fix.core.errors import DataError
from nl2fix.trackers.known import base_of, parse, token_of, url_of
from nl2fix.trackers.tracker import Reference


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://issues.apache.org/jira//browse/MATH-865", Reference("jira", "MATH", 865)),
        ("https://issues.apache.org/jira/browse/cli-1", Reference("jira", "CLI", 1)),
        ("https://sourceforge.net/p/jfreechart/bugs/983/", Reference("sourceforge", "jfreechart/bugs", 983)),
        (
            "https://sourceforge.net/p/jfreechart/patches/213",
            Reference("sourceforge", "jfreechart/patches", 213),
        ),
        (
            "https://github.com/FasterXML/jackson-core/issues/531",
            Reference("github", "FasterXML/jackson-core", 531),
        ),
        (
            "https://github.com/FasterXML/jackson-core/pull/322",
            Reference("github", "FasterXML/jackson-core", 322),
        ),
        ("https://code.google.com/archive/p/mockito/issues/188", Reference("googlecode", "mockito", 188)),
        ("gitlab.com/a/b/c/-/issues/7", Reference("gitlab", "a/b/c", 7)),
        (
            "https://gitlab.acme.org/a/b/-/work_items/7",
            Reference("gitlab", "a/b", 7, "https://gitlab.acme.org"),
        ),
        ("https://acme.org/jira/browse/AB-1?x=y", Reference("jira", "AB", 1, "https://acme.org/jira")),
        (
            "https://issues.apache.org/jira/projects/LANG/issues/LANG-7?filter=all",
            Reference("jira", "LANG", 7),
        ),
        (
            "https://acme.atlassian.net/jira/software/c/projects/AB/boards/2?a=b&selectedIssue=AB-3&c=d",
            Reference("jira", "AB", 3, "https://acme.atlassian.net"),
        ),
        (
            "https://acme.org/jira/secure/RapidBoard.jspa?selectedIssue=AB-3",
            Reference("jira", "AB", 3, "https://acme.org/jira"),
        ),
        ("https://sourceforge.net/p/joda-time/bugs/9/?page=1", Reference("sourceforge", "joda-time/bugs", 9)),
        ("https://gitlab.com/a/b/issues/3", Reference("gitlab", "a/b", 3)),
        (
            "https://gitlab.acme.org/a/b/c/issues/3",
            Reference("gitlab", "a/b/c", 3, "https://gitlab.acme.org"),
        ),
        ("http://git.acme.org/a/b/pull/3", Reference("github", "a/b", 3, "http://git.acme.org")),
        (" https://issues.apache.org/jira/browse/CSV-100#comment ", Reference("jira", "CSV", 100)),
    ],
)
def test_every_spelling_leads_to_the_canonical_reference(url: str, expected: Reference) -> None:
    assert parse(url) == expected
    assert parse(url_of(expected)) == expected


def test_the_id_is_what_people_say() -> None:
    assert Reference("jira", "MATH", 865).issue == "MATH-865"
    assert Reference("github", "mockito/mockito", 188).issue == "188"


@pytest.mark.parametrize(
    "url",
    ["", "UNKNOWN", "https://example.org/browse/MATH", "https://github.com/a/b", "javascript:/a/b/issues/1"],
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(DataError, match="not the address of an issue"):
        parse(url)


PROJECTS = {
    "jira": st.from_regex(r"[A-Z]{2,12}", fullmatch=True),
    "github": st.from_regex(r"[a-z0-9-]{1,9}/[a-z0-9._-]{1,9}", fullmatch=True).filter(
        lambda p: "//" not in p
    ),
    "gitlab": st.from_regex(r"[a-z0-9]{1,9}(/[a-z0-9]{1,9}){1,3}", fullmatch=True),
    "sourceforge": st.from_regex(r"[a-z0-9-]{1,9}/(bugs|patches)", fullmatch=True),
    "googlecode": st.from_regex(r"[a-z0-9-]{1,9}", fullmatch=True),
}


@given(st.data())
def test_canonical_addresses_round_trip(data: st.DataObject) -> None:
    tracker = data.draw(st.sampled_from(sorted(PROJECTS)))
    reference = Reference(tracker, data.draw(PROJECTS[tracker]), data.draw(st.integers(1, 10**6)))
    assert parse(url_of(reference)) == reference


def test_a_key_goes_to_the_server_it_is_meant_for_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "public")
    monkeypatch.setenv("GITLAB_TOKEN", "own")
    monkeypatch.setenv("GITLAB_HOST", "gitlab.acme.org")
    assert token_of(parse("https://github.com/a/b/issues/1")) == "public"
    assert token_of(parse("https://github.evil.org/a/b/issues/1")) == ""
    assert token_of(parse("https://gitlab.acme.org/a/b/-/issues/1")) == "own"
    assert token_of(parse("http://gitlab.acme.org/a/b/-/issues/1")) == ""
    assert token_of(parse("https://gitlab.acme.org.evil.org/a/b/-/issues/1")) == ""
    assert base_of(parse("https://gitlab.acme.org/a/b/-/issues/1")) == "https://gitlab.acme.org/api/v4"
