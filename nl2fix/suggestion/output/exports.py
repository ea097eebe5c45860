"""Suggestions for other programs: a patch, JSON, SARIF, GitHub suggestion comments, a web page."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import nl2fix
from nl2fix.core.files import write_together
from nl2fix.core.visible import visible
from nl2fix.suggestion.localisation.target import encoded, encoding_of
from nl2fix.suggestion.output.result import Suggestion, SuggestResult, Where

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def patch(result: SuggestResult) -> bytes:
    """The best suggestion as a diff for ``git apply``, in the encoding of its file; empty: there is none."""
    if not result.suggestions:
        return b""
    best = result.suggestions[0]
    file = Path(result.repo, result.at(best).file)
    head, mark, lines = best.patch.partition("\n@@ ")
    return os.fsencode(head) + encoded(mark + lines, encoding_of(file) if file.is_file() else "utf-8")


def as_json(result: SuggestResult) -> str:
    """All that was found, as JSON."""
    return json.dumps(result.as_dict(), indent=1) + "\n"


def sarif(result: SuggestResult) -> str:
    """SARIF 2.1.0: one result whose fixes are the suggestions, best first."""
    log = {
        "ruleId": "nl2fix/suggestion",
        "level": "warning",
        "message": {"text": result.title},
        "locations": [{"physicalLocation": _physical(result.where)}],
        "fixes": [_sarif_fix(s, _physical(result.at(s))) for s in result.suggestions],
    }
    driver = {
        "name": "nl2fix",
        "version": nl2fix.__version__,
        "informationUri": "https://github.com/nl2fix/nl2fix",
        "rules": [{"id": "nl2fix/suggestion", "shortDescription": {"text": "Suggested bug fix"}}],
    }
    runs = [
        {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": [log] if result.suggestions else [],
        }
    ]
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": runs}, indent=1) + "\n"


def _physical(where: Where) -> dict[str, Any]:
    region = {
        "startLine": where.line,
        "startColumn": where.column,
        "endLine": where.line + where.before.count("\n"),
        "endColumn": _end_column(where),
    }
    return {"artifactLocation": {"uri": where.file, "uriBaseId": "SRCROOT"}, "region": region}


def _sarif_fix(suggestion: Suggestion, place: dict[str, Any]) -> dict[str, object]:
    replacement = {"deletedRegion": place["region"], "insertedContent": {"text": suggestion.code}}
    return {
        "description": {"text": f"#{suggestion.rank}: {_said(suggestion)}"},
        "artifactChanges": [{"artifactLocation": place["artifactLocation"], "replacements": [replacement]}],
    }


def _said(suggestion: Suggestion) -> str:
    parts = (suggestion.does, suggestion.label, suggestion.counts, suggestion.why, *suggestion.seen)
    return "; ".join(parts)


def _end_column(where: Where) -> int:
    tail = where.before.rpartition("\n")[2]
    return len(tail) + 1 if "\n" in where.before else where.column + len(tail)


def github_suggestion(result: SuggestResult) -> str:
    """Markdown review comments: the lines each suggestion replaces, as GitHub applies them."""
    but = reservations(result)
    if not result.suggestions:
        tests = f"{result.tests} test{'s' * (result.tests != 1)}"
        return f"No suggestion for `{result.method}` survived {tests}.{but}\n"
    parts = [f"{quoted(result.title)}: `{result.method}` in `{result.file}`, line {result.line}{but}\n"]
    for suggestion in result.suggestions:
        lines = changed_lines(result, suggestion)
        if lines is None:
            place, code = "", fenced(suggestion.patch, "diff")
        else:
            first, last, text = lines
            place = f" (line {first})" if first == last else f" (lines {first} to {last})"
            code = fenced(text, "suggestion")
        other = f" in `{suggestion.where.method}` in `{suggestion.where.file}`" if suggestion.where else ""
        parts.append(f"\n#{suggestion.rank}{other}{place}: {_said(suggestion)}\n\n{code}\n")
    return "".join(parts)


def reservations(result: SuggestResult) -> str:
    """Markdown of too little time, and of the test that no edit makes pass with the likeliest methods."""
    late = "\n\nTime was too short: not all edits were judged." if result.late else ""
    if result.sought is None:
        return late
    told, places = quoted(result.sought.told), result.sought.places
    listed = [f"- `{place.method}` in `{place.file}`, line {place.line}" for place in places]
    return "\n".join(
        [f"{late}\n\nIn vain: {told}.", *(["The likeliest places:\n", *listed] if listed else [])]
    )


def changed_lines(result: SuggestResult, suggestion: Suggestion) -> tuple[int, int, str] | None:
    """First and last line of the file, from 1, that a suggestion replaces, and what comes there.

    ``None`` for a suggestion that changes more than the method.
    """
    changed = [line for line in suggestion.patch.splitlines() if line.startswith("+++ ")]
    where = result.at(suggestion)
    if len(changed) != 1 or where.before == suggestion.code:
        return None
    around = _around(suggestion, where)
    if around is None:
        return None
    lead, rest = around
    old, new = ((lead + code + rest).split("\n") for code in (where.before, suggestion.code))
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    end = 0
    while end < min(len(old), len(new)) - same and old[-1 - end] == new[-1 - end]:
        end += 1
    if same + end == len(old):  # an insertion replaces the line before or behind it
        same, end = (same - 1, end) if same else (same, end - 1)
    first, last = where.line + same, where.line + len(old) - end - 1
    return first, last, "\n".join(new[same : len(new) - end])


def _around(suggestion: Suggestion, where: Where) -> tuple[str, str] | None:
    """What stands before the method on its first line and behind it on its last; ``None`` where it is not."""
    lines = suggestion.text.split("\n")[where.line - 1 :]
    lead, text = lines[0][: where.column - 1], "\n".join(lines)
    if not text.startswith(lead + suggestion.code):
        return None
    return lead, text[len(lead + suggestion.code) :].partition("\n")[0]


def fenced(text: str, kind: str) -> str:
    """A Markdown block of code that no back quotes in it can end."""
    fence = "`" * max(3, _longest_run(text) + 1)
    newline = "" if text.endswith("\n") else "\n"
    return f"{fence}{kind}\n{text}{newline}{fence}"


def quoted(text: str) -> str:
    """A line of Markdown's code: no markup, name or address in it is anything but text."""
    mark = "`" * (_longest_run(text) + 1)
    inner = visible(" ".join(text.split()))
    return f"{mark} {inner} {mark}" if "`" in inner else f"{mark}{inner}{mark}"


def _longest_run(code: str) -> int:
    """Length of the longest run of back quotes."""
    return max((len(run) for run in re.findall("`+", code)), default=0)


def html(result: SuggestResult) -> str:
    """One self-contained page."""
    from nl2fix.report.html import session_page

    return session_page(result.as_dict())


FORMATS: dict[str, Callable[[SuggestResult], str | bytes]] = {
    "patch": patch,
    "json": as_json,
    "sarif": sarif,
    "github-suggestion": github_suggestion,
    "html": html,
}

NAMES = {
    "patch": "suggestion.patch",
    "json": "suggestions.json",
    "sarif": "suggestions.sarif",
    "github-suggestion": "suggestions.md",
    "html": "suggestions.html",
}
"""Files that ``save`` writes."""


def save(result: SuggestResult, folder: Path) -> Path | None:
    """Write a result in every format; where an earlier one was put that was there, which may be another."""
    folder.mkdir(parents=True, exist_ok=True)
    aside = _set_aside([folder / name for name in NAMES.values() if (folder / name).exists()], folder)
    write_together((folder / NAMES[name], write(result)) for name, write in FORMATS.items())
    return aside


def _set_aside(files: Sequence[Path], folder: Path) -> Path | None:
    if not files:
        return None
    aside = next(path for n in count(1) if not (path := folder / f"earlier-{n}").exists())
    aside.mkdir()
    for file in files:
        file.rename(aside / file.name)
    return aside
