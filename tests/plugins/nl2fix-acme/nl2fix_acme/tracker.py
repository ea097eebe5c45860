"""The bug tracker of ACME."""

import re

from nl2fix import always
from nl2fix.trackers.tracker import Get, Issue, Reference, issue_of


class Bugs:
    name = "acme-bugs"
    public = "https://bugs.acme.example/json"
    token = "ACME_TOKEN"

    def match(self, url: str) -> Reference | None:
        found = re.match(r"https?://bugs\.acme\.example/(\w+)/(\d+)$", url)
        return Reference(self.name, found[1], int(found[2])) if found else None

    def url(self, reference: Reference) -> str:
        return f"https://bugs.acme.example/{reference.project}/{reference.number}"

    def base(self, host: str) -> str:
        return host

    def path(self, reference: Reference) -> str:
        return f"/{reference.project}/{reference.number}"

    def read(self, reference: Reference, get: Get) -> Issue:
        answer = get(self.path(reference))
        return issue_of(answer["title"], answer["text"], answer["opened"], [])


make = always(Bugs())
