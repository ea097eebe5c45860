"""What a tracker is, and what it tells of an issue.

A tracker is one file: a class that satisfies ``Tracker`` and a factory for it, named in
``trackers.known`` or in the entry-point group ``nl2fix.trackers``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

Get = Callable[[str], Any]
"""The JSON at a path below a tracker's base address (``client.Client.get``)."""
PAGE = 100
"""Comments asked for at once."""
PAGES = 100
"""Asked for at most: more than any issue has."""


@dataclass(frozen=True, slots=True, order=True)
class Reference:
    """One issue of one tracker."""

    tracker: str
    """Name of the tracker in the registry."""
    project: str
    """Key's project on Jira, ``owner/name`` on GitHub, ``project/tool`` on SourceForge, …"""
    number: int
    host: str = ""
    """Address of a company's own server, ``https://jira.acme.org``; empty for the public one."""

    @property
    def issue(self) -> str:
        """The id people use: ``MATH-865`` on Jira, the number elsewhere."""
        return f"{self.project}-{self.number}" if self.tracker == "jira" else str(self.number)


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark on an issue."""

    written: str
    """ISO 8601 with zone."""
    text: str


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue as its tracker tells it."""

    title: str
    description: str
    """Plain text; empty where the reporter wrote none."""
    reported: str
    """ISO 8601 with zone."""
    comments: tuple[Comment, ...]
    """In the order they were written."""


class Tracker(Protocol):
    """Where issues live."""

    name: str
    public: str
    """Address of the JSON of the public server, without a slash at the end."""
    token: str
    """Environment variable with a key for the public server; empty where none is known."""

    def match(self, url: str) -> Reference | None:
        """The reference behind a tidy address of an issue's page; ``None`` when it is of another tracker."""
        ...

    def url(self, reference: Reference) -> str:
        """The canonical address of the issue's page."""
        ...

    def base(self, host: str) -> str:
        """Where a company's own server answers with JSON."""
        ...

    def path(self, reference: Reference) -> str:
        """Where the issue itself lies below the base address."""
        ...

    def read(self, reference: Reference, get: Get) -> Issue:
        """The issue with all its comments; any ``LookupError``, ``TypeError``, … for another shape."""
        ...


def paged(read: Callable[[int], Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What stands on pages 0, 1, …, until one is not full."""
    found: list[dict[str, Any]] = []
    for number in range(PAGES):
        page = read(number)
        found += page
        if len(page) < PAGE:
            break
    return found


def issue_of(title: str, description: str, reported: Any, comments: Iterable[tuple[Any, str]]) -> Issue:
    """An issue with its comments in order of time; empty ones are left out."""
    dated = [Comment(iso(written), text) for written, text in comments if text]
    dated.sort(key=lambda comment: datetime.fromisoformat(comment.written))
    return Issue(" ".join(title.split()), description, iso(reported), tuple(dated))


def iso(moment: Any) -> str:
    """ISO 8601 with zone of a date as text (no zone means UTC) or of seconds since 1970.

    ``ValueError`` or ``TypeError`` for what is neither.
    """
    if isinstance(moment, int | float):
        try:
            return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
        except (OverflowError, OSError) as error:
            raise ValueError(f"{moment} is no date") from error
    parsed = datetime.fromisoformat(moment)
    zoned = parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)
    return zoned.isoformat(timespec="seconds")
