from __future__ import annotations

from typing import Any

import pytest

from nl2fix.core.errors import DataError
from nl2fix.trackers.known import before, parse, read
from nl2fix.trackers.tracker import PAGE, PAGES, Comment

MATH = parse("https://issues.apache.org/jira/browse/MATH-865")
CORE = parse("https://github.com/FasterXML/jackson-core/issues/531")
CHART = parse("https://sourceforge.net/p/jfreechart/bugs/983")
MOCKITO = parse("https://code.google.com/archive/p/mockito/issues/188")


class Answers:
    """JSON by path; remembers what was asked."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __call__(self, path: str) -> Any:
        self.asked.append(path)
        return self.answers[path]


def jira(**fields: Any) -> dict[str, Any]:
    comment = {"total": 1, "comments": [{"created": "2012-09-18T10:00:00.000+0000", "body": "a {{b}}"}]}
    return {
        "key": "MATH-865",
        "fields": {
            "summary": "Wide  bounds ",
            "description": "If you *give*\r\n{code}\nx * y * z\n{code}",
            "created": "2012-09-17T21:12:05.000+0200",
            "comment": comment,
            **fields,
        },
    }


JIRA_PATH = "/rest/api/2/issue/MATH-865?fields=summary,description,comment,created"


def test_jira() -> None:
    issue = read(MATH, Answers({JIRA_PATH: jira()}))
    assert issue.title == "Wide bounds"
    assert issue.description == "If you give\n\nx * y * z"
    assert issue.reported == "2012-09-17T21:12:05+02:00"
    assert issue.comments == (Comment("2012-09-18T10:00:00+00:00", "a b"),)


@pytest.mark.parametrize("created", [1e300, float("inf"), 10**30, "tomorrow", [], None])
def test_a_date_that_is_none_is_another_shape(created: Any) -> None:
    """A number too large for a date ended in an internal error."""
    with pytest.raises(DataError, match="answered in an unknown shape"):
        read(MATH, Answers({JIRA_PATH: jira(created=created)}))


def test_a_null_description_is_an_empty_one() -> None:
    assert read(MATH, Answers({JIRA_PATH: jira(description=None)})).description == ""


def test_jira_pages_are_followed() -> None:
    first = {"total": 3, "comments": [{"created": "2012-01-01T00:00:00.000+0000", "body": "1"}]}
    rest = [{"created": f"2012-01-0{n}T00:00:00.000+0000", "body": str(n)} for n in (2, 3)]
    more = "/rest/api/2/issue/MATH-865/comment?startAt=1&maxResults=100"
    answers = Answers({JIRA_PATH: jira(comment=first), more: {"total": 3, "comments": rest}})
    assert [comment.text for comment in read(MATH, answers).comments] == ["1", "2", "3"]


def test_jira_that_promises_more_than_it_has_ends() -> None:
    first = {"total": 2, "comments": [{"created": "2012-01-01T00:00:00.000+0000", "body": "1"}]}
    more = "/rest/api/2/issue/MATH-865/comment?startAt=1&maxResults=100"
    answers = Answers({JIRA_PATH: jira(comment=first), more: {"total": 2, "comments": []}})
    assert len(read(MATH, answers).comments) == 1


def test_github_with_two_pages_of_comments() -> None:
    path = "/repos/FasterXML/jackson-core/issues/531"
    made = [{"created_at": "2019-05-01T10:00:00Z", "body": f"c{n}"} for n in range(101)]
    answers = Answers(
        {
            path: {"title": "T", "body": None, "created_at": "2019-04-01T10:00:00Z", "comments": 101},
            f"{path}/comments?per_page=100&page=1": made[:100],
            f"{path}/comments?per_page=100&page=2": made[100:],
        }
    )
    issue = read(CORE, answers)
    assert issue.description == ""
    assert issue.reported == "2019-04-01T10:00:00+00:00"
    assert [comment.text for comment in issue.comments] == [f"c{n}" for n in range(101)]


class Endless:
    """A server whose comments go on for ever."""

    def __init__(self, first: Any, more: Any) -> None:
        self.first, self.more, self.asked = first, more, 0

    def __call__(self, path: str) -> Any:
        self.asked += 1
        return self.first if self.asked == 1 else self.more


def test_comments_without_end_are_asked_for_no_longer() -> None:
    body = {"title": "T", "body": "b", "created_at": "2019-04-01T10:00:00Z", "comments": 10**9}
    github = Endless(body, [{"created_at": "2019-05-01T10:00:00Z", "body": "c"}] * PAGE)
    assert len(read(CORE, github).comments) == PAGE * PAGES
    one = [{"created": "2012-01-01T00:00:00.000+0000", "body": "1"}]
    jira_server = Endless(jira(comment={"total": 10**9, "comments": one}), {"comments": one})
    assert len(read(MATH, jira_server).comments) == 1 + PAGES


def test_github_without_comments_is_asked_once() -> None:
    path = "/repos/FasterXML/jackson-core/issues/531"
    body = {"title": "T", "body": "b", "created_at": "2019-04-01T10:00:00Z", "comments": 0}
    answers = Answers({path: body})
    assert read(CORE, answers).comments == ()
    assert answers.asked == [path]


def test_sourceforge() -> None:
    posts = [
        {"timestamp": "2010-03-02 09:00:00", "text": "later"},
        {"timestamp": "2010-02-03 09:00:00.123000", "text": "1\\.0\\.13"},
        {"timestamp": "2010-04-02 09:00:00", "text": ""},
    ]
    ticket = {
        "summary": "Null pointer",
        "description": "in \\*trunk\\*",
        "created_date": "2010-02-01 18:52:11",
        "discussion_thread": {"posts": posts},
    }
    issue = read(CHART, Answers({"/rest/p/jfreechart/bugs/983": {"ticket": ticket}}))
    assert issue.description == "in *trunk*"
    assert issue.reported == "2010-02-01T18:52:11+00:00"
    assert [comment.text for comment in issue.comments] == ["1.0.13", "later"]


@pytest.mark.parametrize("count", [9, 10, 100, 130])
def test_sourceforge_tells_long_discussions_apart(count: int) -> None:
    posts = [{"timestamp": f"2010-02-03 09:{n // 60:02}:{n % 60:02}", "text": str(n)} for n in range(count)]
    thread = {"_id": "a1b2", "posts": posts[:10]}
    ticket = {
        "summary": "s",
        "description": "d",
        "created_date": "2010-02-01 18:52:11",
        "discussion_thread": thread,
    }
    path = "/rest/p/jfreechart/bugs"
    answers = Answers({f"{path}/983": {"ticket": ticket}})
    for page in range(2):
        part = {"thread": {"posts": posts[100 * page : 100 * page + 100]}}
        answers.answers[f"{path}/_discuss/thread/a1b2/?limit=100&page={page}"] = part
    found = read(CHART, answers).comments
    assert [comment.text for comment in found] == [str(n) for n in range(count)]
    assert len(answers.asked) == {9: 1, 10: 2, 100: 3, 130: 3}[count]


def test_google_code_archive() -> None:
    comments = [
        {"id": 0, "timestamp": 1270000000, "content": "<b>What?</b>\na &lt; b"},
        {"id": 1, "timestamp": 1270000100, "content": "&quot;yes&quot;"},
    ]
    issue = read(
        MOCKITO,
        Answers(
            {
                "/v2/code.google.com/mockito/issues/issue-188.json": {
                    "summary": "a &amp; b",
                    "comments": comments,
                }
            }
        ),
    )
    assert issue.title == "a & b"
    assert issue.description == "What?\na < b"
    assert issue.reported == "2010-03-31T01:46:40+00:00"
    assert issue.comments == (Comment("2010-03-31T01:48:20+00:00", '"yes"'),)


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        None,
        {"fields": None},
        {"fields": {"summary": "x"}},
        jira(created="yesterday"),
        jira(summary=None),
    ],
)
def test_other_shapes_are_told_as_such(answer: Any) -> None:
    with pytest.raises(DataError, match="unknown shape"):
        read(MATH, Answers({JIRA_PATH: answer}))


def test_comments_from_the_fix_on_are_dropped_whatever_the_zone() -> None:
    comments = (
        Comment("2012-09-18T10:00:00+00:00", "before"),
        Comment("2012-09-18T14:59:59+02:00", "just before"),
        Comment("2012-09-18T13:00:00+00:00", "with the fix"),
        Comment("2012-09-18T08:00:01-05:00", "after"),
    )
    kept = before(comments, "2012-09-18T13:00:00+00:00")
    assert [comment.text for comment in kept] == ["before", "just before"]
    assert before(comments, "") == ()


def test_gitlab_notes_are_followed_and_its_own_remarks_left_out() -> None:
    reference = parse("https://gitlab.com/acme/tools/pager/-/issues/7")
    path = "/projects/acme%2Ftools%2Fpager/issues/7"
    notes = [
        {"created_at": f"2020-01-01T00:{n // 60:02}:{n % 60:02}Z", "body": f"note {n}", "system": n == 3}
        for n in range(101)
    ]
    answers = Answers(
        {
            path: {"title": "Last page", "description": "`pageCount` is *wrong*", "created_at": "2020-01-01"},
            f"{path}/notes?sort=asc&per_page=100&page=1": notes[:100],
            f"{path}/notes?sort=asc&per_page=100&page=2": notes[100:],
        }
    )
    issue = read(reference, answers)
    assert issue.title == "Last page"
    assert len(issue.comments) == 100
    assert "note 3" not in [comment.text for comment in issue.comments]
    assert issue.comments[-1].text == "note 100"
