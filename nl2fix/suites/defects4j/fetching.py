"""Fetch the texts of many issues: trackers side by side, one polite client each, resumable at any point."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from nl2fix.core.errors import DataError, Interrupted, Nl2fixError
from nl2fix.core.protocols import Progress
from nl2fix.suites.defects4j import issue_texts
from nl2fix.suites.defects4j.index import Row
from nl2fix.trackers import known
from nl2fix.trackers.polite import DEFAULT, Client, Closed, Politeness

_TICK = 0.2


@dataclass
class Fetched:
    """What a fetch did."""

    stored: list[str] = field(default_factory=list)
    """Bugs whose text is there now, those of earlier fetches included."""
    failed: dict[str, str] = field(default_factory=dict)
    """Bug → one line that says why its text is not there."""
    requests: int = 0
    """Sent over the network, repeats included; 0 when everything was kept already."""
    dropped: int = 0
    """Comments written after their fix."""


def fetch(
    rows: Sequence[Row],
    folder: Path,
    progress: Progress,
    bases: Mapping[str, str] | None = None,
    politeness: Politeness = DEFAULT,
) -> Fetched:
    """Fetch and store the texts of all rows; what was fetched before is not asked for again.

    ``bases`` (tracker → address of its JSON) stand for the public servers. Tokens are read from the
    environment (``GITHUB_TOKEN``, …) and sent to their tracker only.
    """
    stop = threading.Event()
    addresses = bases or {row.tracker: known.base_of(row.reference) for row in rows}
    clients = {
        name: Client(name, base, folder / "raw" / name, _token(name), politeness, stop)
        for name, base in addresses.items()
    }
    work = _Work(clients, folder, len(rows), progress)
    parts = {tracker: [row for row in rows if row.tracker == tracker] for tracker in clients}
    with ThreadPoolExecutor(max_workers=max(1, len(clients)), thread_name_prefix="issues") as pool:
        _finish([pool.submit(work.fetch, tracker, part) for tracker, part in parts.items() if part], stop)
    work.outcome.requests = sum(client.requests for client in clients.values())
    return work.outcome


@dataclass
class _Work:
    """What threads, one for each tracker, have in common."""

    clients: Mapping[str, Client]
    folder: Path
    total: int
    progress: Progress
    outcome: Fetched = field(default_factory=Fetched)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fetch(self, tracker: str, rows: Sequence[Row]) -> None:
        """The texts of one tracker; where that is closed to us, none of those that are left is there."""
        for place, row in enumerate(rows):
            try:
                text = _text(row, self.clients[tracker])
                issue_texts.save(self.folder, text)
            except Interrupted:
                return
            except Closed as reason:
                for left in rows[place:]:
                    self._note(left, str(reason))
                return
            except Nl2fixError as reason:
                self._note(row, str(reason))
            else:
                self._note(row, "", text.dropped)

    def _note(self, row: Row, error: str, dropped: int = 0) -> None:
        with self.lock:
            if error:
                self.outcome.failed[row.bug] = error
            else:
                self.outcome.stored.append(row.bug)
                self.outcome.dropped += dropped
            self.progress(len(self.outcome.stored) + len(self.outcome.failed), self.total, row.bug)


def _finish(futures: Sequence[Future[None]], stop: threading.Event) -> None:
    """Wait for all; on Ctrl-C tell the workers to stop after the request in flight."""
    left = set(futures)
    try:
        while left:
            done, left = wait(left, timeout=_TICK, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
    except BaseException:
        stop.set()
        raise


def _text(row: Row, client: Client) -> issue_texts.IssueText:
    asked: list[str] = []

    def get(path: str) -> object:
        asked.append(path)
        return client.get(path)

    try:
        issue = known.read(row.reference, get)
    except DataError:
        client.forget(asked)
        raise
    origin = client.retrieved(known.tracker(row.tracker).path(row.reference)) or {}
    kept = known.before(issue.comments, row.fixed)
    return issue_texts.IssueText(
        bug=row.bug,
        title=issue.title,
        description=issue.description,
        origin="fetched",
        url=row.url,
        retrieved=str(origin.get("fetched", "")),
        sha256=str(origin.get("sha256", "")),
        reported=issue.reported,
        comments=kept,
        dropped=len(issue.comments) - len(kept),
    )


def _token(name: str) -> str:
    variable = known.tracker(name).token
    return os.environ.get(variable, "") if variable else ""
