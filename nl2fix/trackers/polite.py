"""Polite HTTP for trackers: one request at a time per tracker, never faster than asked, nothing twice.

Every answer is kept as it came, beside its address, fetch date, status and SHA-256; what is kept and
unharmed is not asked for again, "gone" included. Overload, cut connections, slow or malformed
answers are retried with growing pauses; ``Retry-After`` and rate headers are obeyed.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import stamina

from nl2fix.core.errors import Interrupted, Nl2fixError
from nl2fix.core.files import write_atomically, write_bytes_atomically

if TYPE_CHECKING:
    import urllib3

_REDIRECTS = 5
_LARGEST = 32 << 20
_YEAR = 366 * 86400.0
"""Seconds; a tracker that wants to be left alone for longer is not reckoned with."""
_HEADERS = {"Accept": "application/json", "User-Agent": "nl2fix (issue texts for a program repair benchmark)"}


@dataclass(frozen=True)
class Politeness:
    """How a tracker is asked. Times are seconds."""

    interval: float = 0.5
    """Least time between the starts of two requests to one tracker."""
    timeout: float = 30.0
    """Longest silence while connecting or reading."""
    deadline: float = 120.0
    """Longest time for one whole answer."""
    attempts: int = 5
    pause: float = 1.0
    """Pause before the first repeat; doubles each time."""
    longest_pause: float = 30.0
    longest_wait: float = 900.0
    """Longest wait a tracker may demand; a longer one ends the work on that tracker for now."""


DEFAULT = Politeness()


class Gone(Nl2fixError):
    """The tracker says that the issue is not there (404, 410)."""


class Closed(Nl2fixError):
    """The tracker answers no more for now; everything asked for so far is kept."""


class _TransientError(Exception):
    """Worth another try."""


@dataclass
class Client:
    """Asks one tracker. Used by one thread."""

    tracker: str
    base: str
    raw: Path
    """Folder of kept answers."""
    token: str = ""
    politeness: Politeness = DEFAULT
    stop: threading.Event = field(default_factory=threading.Event)
    requests: int = 0
    """How many were sent, repeats included."""
    _next: float = 0.0
    _pool: urllib3.PoolManager | None = None

    def get(self, path: str) -> Any:
        """The JSON at ``base + path``, from the kept answers or the network.

        Raises ``Gone`` where the tracker has no such issue, ``Closed`` when it answers no more,
        ``Interrupted`` when asked to stop.
        """
        file = self._file(path)
        kept = _kept(file)
        if kept is None:
            status, body = self._ask(path)
            kept = self._keep(file, path, status, body)
        if kept["status"] != 200:
            raise Gone(f"{self.base}{path} is gone ({kept['status']}, asked on {kept['fetched'][:10]})")
        return json.loads(file.read_bytes())

    def forget(self, paths: Iterable[str]) -> None:
        """Ask for these again next time: what was kept says nothing."""
        for path in paths:
            self._file(path).with_suffix(".meta.json").unlink(missing_ok=True)

    def retrieved(self, path: str) -> Mapping[str, Any] | None:
        """What is known of a kept answer: ``url``, ``fetched``, ``status``, ``sha256``."""
        return _kept(self._file(path))

    def _file(self, path: str) -> Path:
        return self.raw / f"{re.sub(r'[^A-Za-z0-9.=-]+', '_', path).strip('_')}.json"

    def _keep(self, file: Path, path: str, status: int, body: bytes) -> dict[str, Any]:
        record = {
            "url": self.base + path,
            "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
            "status": status,
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        file.parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomically(file, body)
        write_atomically(file.with_suffix(".meta.json"), json.dumps(record, indent=1) + "\n")
        return record

    def _ask(self, path: str) -> tuple[int, bytes]:
        """Status (200, 404 or 410) and body, after as many tries as allowed."""
        settings = self.politeness
        attempts = stamina.retry_context(
            on=_TransientError,
            attempts=settings.attempts,
            timeout=None,
            wait_initial=settings.pause,
            wait_max=settings.longest_pause,
            wait_jitter=settings.pause,
        )
        try:
            for attempt in attempts:
                with attempt:
                    return self._once(self.base + path)
        except _TransientError as error:
            raise Nl2fixError(f"{self.base}{path}: {error}; run the command again later") from None
        raise AssertionError("stamina ended without an answer or an error")

    def _once(self, url: str) -> tuple[int, bytes]:
        for _ in range(_REDIRECTS):
            status, headers, body = self._send(url)
            if status in (301, 302, 303, 307, 308) and "location" in headers:
                url = _moved(url, headers["location"])
                continue
            self._obey(status, headers)
            if status in (404, 410):
                return status, body
            if status != 200:
                raise self._refusal(status, url)
            try:
                json.loads(body)
            except (ValueError, RecursionError) as error:
                raise _TransientError(f"answer is not JSON ({error})") from None
            return status, body
        raise Nl2fixError(f"{url}: more than {_REDIRECTS} redirects")

    def _refusal(self, status: int, url: str) -> Exception:
        if status >= 500 or status in (408, 425):
            return _TransientError(f"server error {status}")
        doubt = "is the token valid?" if self.token else "it may want a token"
        hint = f"; {doubt}" if status in (401, 403) else ""
        return Nl2fixError(f"{url}: refused with status {status}{hint}")

    def _send(self, url: str) -> tuple[int, Mapping[str, str], bytes]:
        """One request: status, headers with lower-case names, whole body."""
        import urllib3

        self._wait()
        if self._pool is None:
            self._pool = urllib3.PoolManager(retries=False, maxsize=1)
        headers = dict(_HEADERS)
        if self.token and urlsplit(url)[:2] == urlsplit(self.base)[:2]:  # an encrypted way, if it was one
            headers["Authorization"] = f"Bearer {self.token}"
        limit = urllib3.Timeout(connect=self.politeness.timeout, read=self.politeness.timeout)
        self.requests += 1
        try:
            answer = self._pool.request(
                "GET", url, headers=headers, timeout=limit, redirect=False, preload_content=False
            )
            try:
                body = self._read(answer)
            except BaseException:
                answer.close()
                raise
            answer.release_conn()
        except urllib3.exceptions.HTTPError as error:
            raise _TransientError(f"no answer ({type(error).__name__}: {error})"[:300]) from None
        return answer.status, {name.lower(): value for name, value in answer.headers.items()}, body

    def _read(self, answer: urllib3.BaseHTTPResponse) -> bytes:
        """The whole body, within the deadline however slowly it drips."""
        end = time.monotonic() + self.politeness.deadline
        body = bytearray()
        for block in answer.stream(1 << 14):
            body += block
            if time.monotonic() > end:
                raise _TransientError(f"answer took longer than {self.politeness.deadline:g} s")
            if len(body) > _LARGEST:
                raise Nl2fixError(f"answer is larger than {_LARGEST >> 20} MiB")
        return bytes(body)

    def _wait(self) -> None:
        """Sleep until the next request may go out; ``Closed`` where the tracker demands too long a wait."""
        wait = max(0.0, self._next - time.monotonic())
        if wait > self.politeness.longest_wait:
            until = datetime.fromtimestamp(time.time() + wait, UTC).strftime("%H:%M UTC")
            hint = "set GITHUB_TOKEN or " if self.tracker == "github" and not self.token else ""
            message = f"{self.tracker} takes no more requests until {until}; {hint}run the command again then"
            raise Closed(message)
        if self.stop.wait(wait):
            raise Interrupted("stopped; run the command again to go on")
        self._next = time.monotonic() + self.politeness.interval

    def _obey(self, status: int, headers: Mapping[str, str]) -> None:
        """Note how long the tracker wants to be left alone."""
        spent = headers.get("x-ratelimit-remaining") == "0"
        limited = status == 429 or (status == 403 and (spent or "retry-after" in headers))
        if limited or spent or status == 503:
            self._next = max(self._next, time.monotonic() + min(_demanded(headers, spent), _YEAR))
        if limited:
            raise _TransientError("too many requests")


def _kept(file: Path) -> dict[str, Any] | None:
    """What is noted about a kept answer; ``None`` where there is none or it was harmed."""
    try:
        record: dict[str, Any] = json.loads(file.with_suffix(".meta.json").read_text(encoding="utf-8"))
        whole = hashlib.sha256(file.read_bytes()).hexdigest() == record["sha256"]
    except (FileNotFoundError, ValueError, KeyError):
        return None
    return record if whole else None


def _moved(url: str, location: str) -> str:
    """Where a redirect leads."""
    try:
        moved = urljoin(url, location)
        urlsplit(moved)
    except ValueError as error:
        raise Nl2fixError(f"{url}: its redirect leads nowhere ({error})") from None
    return moved


def _demanded(headers: Mapping[str, str], spent: bool) -> float:
    """Seconds to wait by ``Retry-After`` (a number or a date) or ``X-RateLimit-Reset`` (epoch)."""
    after = headers.get("retry-after", "")
    if after.isdecimal():
        return float(after)
    if after:
        try:
            return max(0.0, (parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds())
        except (ValueError, TypeError):
            return 0.0
    reset = headers.get("x-ratelimit-reset", "")
    return max(0.0, float(reset) - time.time()) if spent and reset.isdecimal() else 0.0
