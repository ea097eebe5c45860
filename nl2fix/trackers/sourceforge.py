"""SourceForge (Allura REST)."""

from __future__ import annotations

import re
from typing import Any

from nl2fix.core.registry import always
from nl2fix.trackers import markup
from nl2fix.trackers.tracker import PAGE, Get, Issue, Reference, issue_of, paged

_TICKET_POSTS = 10
"""Comments that come with the answer about a ticket; the others are asked for."""
_URL = re.compile(r"https?://(?:www\.)?sourceforge\.net/p/([\w.-]+/[\w-]+)/(\d+)/?(?:\?.*)?$")


class SourceForge:
    """Satisfies ``tracker.Tracker``."""

    name = "sourceforge"
    public = "https://sourceforge.net"
    token = ""

    def match(self, url: str) -> Reference | None:
        matched = _URL.match(url)
        return None if matched is None else Reference("sourceforge", matched[1], int(matched[2]))

    def url(self, reference: Reference) -> str:
        return f"https://sourceforge.net/p/{reference.project}/{reference.number}/"

    def base(self, host: str) -> str:
        return host

    def path(self, reference: Reference) -> str:
        return f"/rest/p/{reference.project}/{reference.number}"

    def read(self, reference: Reference, get: Get) -> Issue:
        ticket = get(self.path(reference))["ticket"]
        thread = ticket.get("discussion_thread") or {}
        posts = thread.get("posts") or []
        if len(posts) >= _TICKET_POSTS:
            posts = _posts(f"/rest/p/{reference.project}/_discuss/thread/{thread['_id']}/", get)
        return issue_of(
            ticket["summary"],
            markup.allura(ticket["description"] or ""),
            ticket["created_date"],
            [(post["timestamp"], markup.allura(post["text"] or "")) for post in posts],
        )


def _posts(thread: str, get: Get) -> list[dict[str, Any]]:
    """All posts of a discussion; pages count from 0."""
    return paged(lambda number: get(f"{thread}?limit={PAGE}&page={number}")["thread"]["posts"])


make = always(SourceForge())
