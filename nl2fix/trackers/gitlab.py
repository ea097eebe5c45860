"""GitLab, public and a company's own (REST v4); work items are issues by another name."""

from __future__ import annotations

import re
from urllib.parse import quote

from nl2fix.core.registry import always
from nl2fix.trackers import markup
from nl2fix.trackers.tracker import PAGE, Get, Issue, Reference, issue_of, paged

_PUBLIC = "https://gitlab.com"
_URL = re.compile(
    r"(https?://(?:gitlab\.[\w.-]+(?::\d+)?(?!.*/-/)|[\w.-]+(?::\d+)?(?=.*/-/)))"
    r"/((?:[\w.-]+/)+?[\w.-]+)(?:/-)?/(?:issues|work_items)/(\d+)(?:\?.*)?$"
)
"""Old addresses have no ``/-/``; without it only a host's name tells them from GitHub's."""


class GitLab:
    """Satisfies ``tracker.Tracker``."""

    name = "gitlab"
    public = f"{_PUBLIC}/api/v4"
    token = "GITLAB_TOKEN"

    def match(self, url: str) -> Reference | None:
        matched = _URL.match(url)
        if matched is None:
            return None
        host = "" if re.sub(r"^http:", "https:", matched[1]) == _PUBLIC else matched[1]
        return Reference("gitlab", matched[2], int(matched[3]), host)

    def url(self, reference: Reference) -> str:
        return f"{reference.host or _PUBLIC}/{reference.project}/-/issues/{reference.number}"

    def base(self, host: str) -> str:
        return f"{host}/api/v4"

    def path(self, reference: Reference) -> str:
        return f"/projects/{quote(reference.project, safe='')}/issues/{reference.number}"

    def read(self, reference: Reference, get: Get) -> Issue:
        path = self.path(reference)
        issue = get(path)
        notes = paged(lambda number: get(f"{path}/notes?sort=asc&per_page={PAGE}&page={number + 1}"))
        return issue_of(
            issue["title"],
            markup.markdown(issue["description"] or ""),
            issue["created_at"],
            [(n["created_at"], markup.markdown(n["body"] or "")) for n in notes if not n.get("system")],
        )


make = always(GitLab())
