"""Suggestions where a team works: a review of a pull request, or a comment on an issue, on GitHub.

Where to is told by what GitHub gives an Action: the event (``GITHUB_EVENT_PATH``), the repository
(``GITHUB_REPOSITORY``), the API's address (``GITHUB_API_URL``), the checkout (``GITHUB_WORKSPACE``) and a
token (``GITHUB_TOKEN``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import urllib3

from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.core.records import sha256_text
from nl2fix.suggestion.output.exports import changed_lines, fenced, quoted, reservations
from nl2fix.suggestion.output.result import Suggestion, SuggestResult, summary_line

_PAGE = 100
"""Reviews or comments that GitHub tells of at once at most."""
_PAGES = 30
LARGEST = 65_536
"""Characters that GitHub takes for one text."""
_LEFT_OUT = "\n\nLeft out here as GitHub takes no longer text: {} of {}, which the job's report has."
_SECONDS = 30.0
_UNPROCESSABLE = 422
"""What GitHub answers where a line is not in the pull request's diff."""
_FORBIDDEN = (401, 403, 404)
_HINT = "; the token may not write there, as one for a pull request from a fork: the job's report has all"


class _Patience(urllib3.Retry):
    """Waits as long as GitHub asks who posts too much, within limits; nothing is sent twice."""

    RETRY_AFTER_STATUS_CODES = frozenset({403, 429, 503})
    longest = 120.0

    def get_retry_after(self, response: urllib3.BaseHTTPResponse) -> float | None:
        asked = super().get_retry_after(response)
        return None if asked is None else min(asked, self.longest)


_PATIENCE = _Patience(total=3, read=0, allowed_methods=None, raise_on_status=False)


@dataclass(frozen=True)
class Place:
    """Where suggestions are posted."""

    api: str
    repository: str
    token: str
    number: int
    pull_request: bool
    checkout: Path | None = None
    """The folder that paths of a review are read in."""


def place(environment: Mapping[str, str]) -> Place:
    """Where the event that started this belongs; ``UsageError`` for what has no pull request and no issue."""
    missing = [
        name
        for name in ("GITHUB_EVENT_PATH", "GITHUB_REPOSITORY", "GITHUB_TOKEN")
        if not environment.get(name)
    ]
    if missing:
        raise UsageError(f"--review works in a GitHub Action: {', '.join(missing)} is not set")
    event = _event(Path(environment["GITHUB_EVENT_PATH"]))
    number, pull_request = _number(event)
    api = environment.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    checkout = environment.get("GITHUB_WORKSPACE")
    return Place(
        api,
        environment["GITHUB_REPOSITORY"],
        environment["GITHUB_TOKEN"],
        number,
        pull_request,
        Path(checkout).resolve() if checkout else None,
    )


def post(result: SuggestResult, where: Place) -> str:
    """Post the suggestions; returns the address of what was made, or of what says the same already.

    On a pull request each suggestion stands at its lines, ready to be committed, where those are part of
    the request's diff; else all stand in one text. Raises ``InfrastructureError`` for what GitHub refuses.
    """
    request = where.pull_request
    path = f"pulls/{where.number}/reviews" if request else f"issues/{where.number}/comments"
    return _there(where, path, _mark(result)) or _new(where, path, result)


def _new(where: Place, path: str, result: SuggestResult) -> str:
    if not where.pull_request:
        return _posted(where, path, {"body": body(result)})
    review = {"event": "COMMENT", "body": f"{_mark(result)}\n{_head(result)}"}
    made = (_comment(result, suggestion, where.checkout) for suggestion in result.suggestions)
    comments = [comment for comment in made if comment]
    if len(comments) == len(result.suggestions) > 0:
        try:
            return _posted(where, path, {**review, "comments": comments})
        except _OutsideDiffError:
            pass
    return _posted(where, path, {**review, "body": body(result)})


def body(result: SuggestResult) -> str:
    """All suggestions as one text, each with its diff, the best where GitHub would not take all."""
    text = f"{_mark(result)}\n{_head(result)}"
    for number, suggestion in enumerate(result.suggestions):
        part = f"\n\n{_said(suggestion)}\n\n{fenced(suggestion.patch, 'diff')}"
        if len(text) + len(part) + len(_LEFT_OUT) > LARGEST:
            count = len(result.suggestions)
            return text + _LEFT_OUT.format(count - number, count)
        text += part
    return text


def _mark(result: SuggestResult) -> str:
    """What tells a text with the same suggestions, as each leg of a matrix of JDKs comes to."""
    patches = sorted(suggestion.patch for suggestion in result.suggestions)
    same = sha256_text("\n".join([result.file, result.method, *patches]))
    return f"<!-- nl2fix {same[:16]} -->"


def _there(where: Place, path: str, mark: str) -> str:
    """The address of a text with this mark; where GitHub refuses to tell, posting says why."""
    for page in range(1, _PAGES + 1):
        try:
            listed = _asked(where, "GET", f"{path}?per_page={_PAGE}&page={page}")
        except InfrastructureError:
            return ""
        texts = [text for text in listed if isinstance(text, dict)] if isinstance(listed, list) else []
        for text in texts:
            if mark in str(text.get("body")):
                return str(text.get("html_url", path))
        if len(texts) < _PAGE:
            return ""
    return ""


def _path(result: SuggestResult, edited: str, checkout: Path | None) -> str:
    """The edited file as the repository names it, of which the project may be a folder."""
    file = Path(result.repo) / edited
    inside = checkout is not None and file.is_relative_to(checkout)
    return file.relative_to(checkout).as_posix() if checkout and inside else edited


def _head(result: SuggestResult) -> str:
    what = f"`{result.method}` in `{result.file}`, line {result.line}"
    about = f"Suggestions for {quoted(result.title)}" if result.suggestions else "No suggestion"
    return f"{about}: {what}. {summary_line(result)}.{reservations(result)}"


def _said(suggestion: Suggestion) -> str:
    return f"**#{suggestion.rank} {suggestion.does}**; {suggestion.label}; {suggestion.counts}"


def _comment(result: SuggestResult, suggestion: Suggestion, checkout: Path | None) -> dict[str, Any] | None:
    """A review comment at the lines that the suggestion replaces."""
    lines = changed_lines(result, suggestion)
    if lines is None:
        return None
    first, last, text = lines
    start = {"start_line": first, "start_side": "RIGHT"} if first < last else {}
    code = fenced(text, "suggestion")
    return {
        "path": _path(result, result.at(suggestion).file, checkout),
        "line": last,
        "side": "RIGHT",
        **start,
        "body": f"{_said(suggestion)}\n\n{code}",
    }


class _OutsideDiffError(InfrastructureError):
    """A comment's lines are not part of the pull request's diff."""


def _posted(where: Place, path: str, content: Mapping[str, Any]) -> str:
    said = _asked(where, "POST", path, content)
    return str((said if isinstance(said, dict) else {}).get("html_url", path))


def _asked(where: Place, verb: str, path: str, content: Mapping[str, Any] | None = None) -> Any:
    """GitHub's answer; ``InfrastructureError`` for what it refuses."""
    address = f"{where.api}/repos/{where.repository}/{path}"
    headers = {"Accept": "application/vnd.github+json", "Authorization": f"Bearer {where.token}"}
    try:
        answer = urllib3.request(
            verb, address, json=content, headers=headers, timeout=_SECONDS, retries=_PATIENCE
        )
        told = answer.json() if answer.data else {}
    except (urllib3.exceptions.HTTPError, ValueError) as error:
        raise InfrastructureError(f"cannot post to {address}: {error}") from error
    if answer.status < 300:
        return told
    reason = told.get("message", "") if isinstance(told, dict) else ""
    message = f"{address} answered {answer.status}: {reason}"
    if answer.status == _UNPROCESSABLE and content and "comments" in content:
        raise _OutsideDiffError(message)
    forbidden = answer.status in _FORBIDDEN and "Retry-After" not in answer.headers
    raise InfrastructureError(message + (_HINT if forbidden else ""))


def _event(file: Path) -> dict[str, Any]:
    try:
        event: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read GitHub's event {file}: {error}") from error
    return event


def _number(event: Mapping[str, Any]) -> tuple[int, bool]:
    """Number of the pull request or issue an event is about, and which of the two it is."""
    requests = event.get("workflow_run", {}).get("pull_requests", [])
    if "pull_request" in event or requests:
        return int((event.get("pull_request") or requests[0])["number"]), True
    if "issue" in event:
        return int(event["issue"]["number"]), "pull_request" in event["issue"]
    raise UsageError("GitHub's event is about no pull request and no issue: nowhere to post suggestions")
