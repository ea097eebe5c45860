"""What a failed call means: try again, ask in another way, record it, or stop the run.

Error messages may quote what we sent, so the key is blanked out of every message that leaves this module.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from typing import Any

import openai

from nl2fix.core.errors import InfrastructureError, Nl2fixError, UsageError

RETRIED = {
    408: "request timed out at the server",
    409: "conflict with another request",
    425: "too early",
    429: "rate limit",
    500: "server error",
    502: "bad gateway",
    503: "overloaded",
    504: "gateway timed out",
    520: "proxy error",
    522: "proxy timed out",
    524: "proxy timed out",
    529: "overloaded",
}
"""Statuses that another try may mend; besides them broken connections, time-outs and broken replies."""

NOT_RETRIED = {
    400: "a request the server cannot read or an option it refuses",
    401: "a wrong or missing key",
    402: "no credit left",
    403: "a key without permission, or a blocked region",
    404: "an unknown model or address",
    405: "an address that takes no requests",
    413: "a request that is too large",
    422: "a request with a field the server refuses",
}
"""Statuses that another try cannot mend; 429 with the code ``insufficient_quota`` is one of them too."""

_PLACEHOLDER = 8
"""Characters below which a key is likely one that a local server does not look at, as ``x``. Parts of other
words read the same, so that it is blanked out only where it stands alone, as in the echo of a header."""
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context|context (?:length|window|size)|prompt is too long|"
    r"too many tokens",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content_filter|content management policy|content_policy_violation", re.IGNORECASE)


class Transient(Exception):
    """Worth another try; ``wait`` is what the server asked for, in seconds."""

    def __init__(self, message: str, wait: float | None = None, *, overload: bool = False) -> None:
        super().__init__(message)
        self.wait, self.overload = wait, overload


class Refused(Exception):
    """The server refuses the request as it is.

    ``complaint`` is what it does not like, in its own words: to learn from and not to show, as it may hold
    the key.
    """

    def __init__(self, status: int, complaint: str, message: str) -> None:
        super().__init__(message)
        self.status, self.complaint = status, complaint


class NoAnswer(Exception):
    """No answer to this prompt can be had; ``finish`` is what to record."""

    def __init__(self, finish: str, message: str) -> None:
        super().__init__(message)
        self.finish, self.message = finish, message


def classify(error: openai.APIError, model: str, key_name: str, key: str, max_wait: float) -> Exception:
    """The exception to raise instead of the client's; its message never holds the key."""
    said = _message(error)
    message = redact(said, key)
    if not isinstance(error, openai.APIStatusError):
        return Transient(message or type(error).__name__)
    status, where = error.status_code, f"{error.request.url.host}"
    code = str(error.code or error.type or "")
    if _TOO_LONG.search(f"{code} {_line(said)}") and status in (400, 413, 422):
        return NoAnswer("context", message)
    if _FILTERED.search(f"{code} {_line(said)}") and status in (400, 403):
        return NoAnswer("content_filter", message)
    if status in (400, 422):
        return Refused(status, _line(said), message)
    if status in RETRIED and code != "insufficient_quota":
        wait = retry_after(error.response.headers)
        if wait is not None and wait > max_wait:
            return InfrastructureError(f"{where} asks to wait {wait:.0f} s ({message}); run again later")
        return Transient(f"{status} {message}", wait, overload=status in (429, 503, 529))
    return fatal(status, where, model, key_name, message)


def fatal(status: int, where: str, model: str, key_name: str, message: str) -> Nl2fixError:
    """One line for an error that ends the run."""
    if status == 401:
        return UsageError(
            f"{where} refused the key in {key_name} (401: {message}); set {key_name} to a valid key"
        )
    if status == 404:
        return UsageError(
            f"{where} knows no model {model!r} (404: {message}); check the model's id and base_url"
        )
    if status in (402, 429):
        return UsageError(
            f"{where} has no credit left for this key ({status}: {message}); top it up and run again"
        )
    if 300 <= status < 400:
        return UsageError(
            f"{where} redirects elsewhere ({status}: {message}); set base_url to the address meant"
        )
    reason = NOT_RETRIED.get(status, "an error that another try cannot mend")
    return UsageError(f"{where} answered {status} ({message}): {reason}")


def redact(text: str, key: str) -> str:
    """The text on one line, at most 300 characters, without the key or anything that looks like one."""
    if key:
        literal = re.escape(key)
        text = re.sub(literal if len(key) >= _PLACEHOLDER else rf"(?<!\w){literal}(?!\w)", "***", text)
    return _line(re.sub(r"\bsk-[\w*-]{4,}", "***", text))


def _line(text: str) -> str:
    return " ".join(text.split())[:300]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks to wait (``retry-after-ms``, or ``retry-after`` as seconds or a date)."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "")
        if re.fullmatch(r"[0-9.]+", value):
            return float(value)
        when = email.utils.parsedate_tz(value)
        return None if when is None else max(0.0, email.utils.mktime_tz(when) - time.time())
    except (ValueError, OverflowError):
        return None


def _message(error: openai.APIError) -> str:
    """What the server says, from its JSON where it sent some; of a redirect, where to."""
    if isinstance(error, openai.APIStatusError) and "location" in error.response.headers:
        return f"to {error.response.headers['location']}"
    body: Any = error.body
    if isinstance(body, Mapping):
        inner = body.get("message") or body.get("detail") or body
        param = body.get("param")
        return f"{inner} (parameter '{param}')" if param else str(inner)
    if isinstance(body, str) and body:
        return body
    cause = error.__cause__
    return f"{error.message} {cause}" if cause is not None and str(cause) else error.message
