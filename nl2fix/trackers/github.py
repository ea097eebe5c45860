"""GitHub, and GitHub Enterprise (REST)."""

from __future__ import annotations

import re

from nl2fix.core.registry import always
from nl2fix.trackers import markup
from nl2fix.trackers.tracker import PAGE, Get, Issue, Reference, issue_of, paged

_URL = re.compile(
    r"(https?://(?!gitlab\.)[\w.-]+(?::\d+)?)/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d+)(?:\?.*)?$"
)
_PUBLIC = re.compile(r"https?://(?:www\.)?github\.com")


class GitHub:
    """Satisfies ``tracker.Tracker``."""

    name = "github"
    public = "https://api.github.com"
    token = "GITHUB_TOKEN"

    def match(self, url: str) -> Reference | None:
        matched = _URL.match(url)
        if matched is None:
            return None
        host = "" if _PUBLIC.fullmatch(matched[1]) else matched[1]
        return Reference("github", matched[2], int(matched[3]), host)

    def url(self, reference: Reference) -> str:
        return f"{reference.host or 'https://github.com'}/{reference.project}/issues/{reference.number}"

    def base(self, host: str) -> str:
        return f"{host}/api/v3"

    def path(self, reference: Reference) -> str:
        return f"/repos/{reference.project}/issues/{reference.number}"

    def read(self, reference: Reference, get: Get) -> Issue:
        path = self.path(reference)
        issue = get(path)
        address = f"{path}/comments?per_page={PAGE}&page="
        comments = paged(lambda number: get(f"{address}{number + 1}")) if issue["comments"] else []
        return issue_of(
            issue["title"],
            markup.markdown(issue["body"] or ""),
            issue["created_at"],
            [(item["created_at"], markup.markdown(item["body"] or "")) for item in comments],
        )


make = always(GitHub())
