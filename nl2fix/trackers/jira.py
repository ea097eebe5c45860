"""Jira: Apache's, and a company's own (REST v2)."""

from __future__ import annotations

import re

from nl2fix.core.registry import always
from nl2fix.trackers import markup
from nl2fix.trackers.tracker import PAGE, PAGES, Get, Issue, Reference, issue_of

_PUBLIC = "https://issues.apache.org/jira"
_ISSUE = r"([A-Za-z][A-Za-z0-9_]*)-(\d+)"
_URLS = (
    re.compile(rf"(https?://[^?#\s]+?)/(?:browse|projects/\w+/issues)/{_ISSUE}(?:\?.*)?$"),
    # beside a board, in the cloud or on a company's server
    re.compile(
        rf"(https?://[^?#\s]+?)/(?:jira/software|secure)/[^?#\s]*\?(?:.*&)?selectedIssue={_ISSUE}(?:&.*)?$"
    ),
)


class Jira:
    """Satisfies ``tracker.Tracker``."""

    name = "jira"
    public = _PUBLIC
    token = ""

    def match(self, url: str) -> Reference | None:
        matched = next(filter(None, (pattern.match(url) for pattern in _URLS)), None)
        if matched is None:
            return None
        server = re.sub(r"^http:", "https:", matched[1])
        host = "" if server == _PUBLIC else matched[1]
        return Reference("jira", matched[2].upper(), int(matched[3]), host)

    def url(self, reference: Reference) -> str:
        return f"{reference.host or _PUBLIC}/browse/{reference.issue}"

    def base(self, host: str) -> str:
        return host

    def path(self, reference: Reference) -> str:
        return f"/rest/api/2/issue/{reference.issue}?fields=summary,description,comment,created"

    def read(self, reference: Reference, get: Get) -> Issue:
        fields = get(self.path(reference))["fields"]
        page = fields["comment"]
        comments = list(page["comments"])
        for _ in range(PAGES):
            if len(comments) >= page["total"]:
                break
            start = f"startAt={len(comments)}&maxResults={PAGE}"  # a server may give fewer at once
            more = get(f"/rest/api/2/issue/{reference.issue}/comment?{start}")["comments"]
            if not more:
                break
            comments += more
        return issue_of(
            fields["summary"],
            markup.jira(fields["description"] or ""),
            fields["created"],
            [(item["created"], markup.jira(item["body"] or "")) for item in comments],
        )


make = always(Jira())
